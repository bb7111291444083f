"""Web push: messages encrypted for one browser, signed by this server and sent to the browser's push service."""

import json
import re
import time
from urllib.parse import urlsplit

from pywebpush import WebPusher

from triclinium.server.notifications.push_keys import parse_key_pair as signing
from triclinium.server.notifications.safe_http import Unreachable, post_safely

SIGNATURE_SECONDS = 12 * 3600  # seconds for which a signature is valid
GONE_STATUSES = (404, 410)  # the browser has dropped the subscription
TOPIC_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,32}")


def send_push(
    subscription_json: str,
    payload: bytes,
    *,
    pair: bytes,
    contact: str,
    topic: str,
    seconds: int,
    urgent: bool,
    local: bool,
) -> None:
    """Send a push message, which the push service keeps for ``seconds`` at most.

    A newer message replaces older ones with the same topic. Raise `Unreachable` if sending fails.
    """
    subscription = json.loads(subscription_json)
    endpoint = urlsplit(subscription["endpoint"])
    claims = {
        "aud": f"{endpoint.scheme}://{endpoint.netloc}",
        "sub": contact,
        "exp": int(time.time()) + SIGNATURE_SECONDS,
    }
    body: bytes = WebPusher(subscription).encode(payload)["body"]
    headers = {
        **signing(pair).sign(claims),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(seconds),
        "urgency": "high" if urgent else "normal",
    }
    if TOPIC_PATTERN.fullmatch(topic):
        headers["topic"] = topic
    status = post_safely(subscription["endpoint"], body, headers, local=local)
    if status in GONE_STATUSES:
        raise Unreachable("the browser has turned notifications off", is_permanent=True)
    if not 200 <= status < 300:
        raise Unreachable(f"{endpoint.hostname} answered {status}")
