"""Web push: a message encrypted for one browser and signed by this house, left with the service of its maker."""

import json
import re
import time
from urllib.parse import urlsplit

from pywebpush import WebPusher

from triclinium.server.notifications.push_keys import pair as signing
from triclinium.server.notifications.safe_http import Unreachable, post

SIGNED_FOR = 12 * 3600  # seconds
GONE = (404, 410)  # the browser has dropped the subscription
TOPIC = re.compile(r"[A-Za-z0-9_-]{1,32}")


def send(
    kept: str, payload: bytes, *, pair: bytes, contact: str, topic: str, seconds: int, urgent: bool, local: bool
) -> None:
    """Encrypt and leave it there for so many seconds; raises Unreachable. Of one topic only the newest is kept."""
    subscription = json.loads(kept)
    endpoint = urlsplit(subscription["endpoint"])
    claims = {
        "aud": f"{endpoint.scheme}://{endpoint.netloc}",
        "sub": contact,
        "exp": int(time.time()) + SIGNED_FOR,
    }
    body: bytes = WebPusher(subscription).encode(payload)["body"]
    headers = {
        **signing(pair).sign(claims),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(seconds),
        "urgency": "high" if urgent else "normal",
    }
    if TOPIC.fullmatch(topic):
        headers["topic"] = topic
    status = post(subscription["endpoint"], body, headers, local=local)
    if status in GONE:
        raise Unreachable("the browser has turned it off", gone=True)
    if not 200 <= status < 300:
        raise Unreachable(f"{endpoint.hostname} answered {status}")
