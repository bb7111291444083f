"""Web push: a message encrypted for one browser and signed by this house, left with the service of its maker."""

import base64
import binascii
import json
import re
import time
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02
from pywebpush import WebPusher

from triclinium.server.secret import put_private
from triclinium.server.storage.datafile import keep_private
from triclinium.server.told.outside import Unreachable, check_address, post

SIGNED_FOR = 12 * 3600  # seconds
GONE = (404, 410)  # the browser has dropped the subscription
POINT = 65  # bytes of a public key
TOPIC = re.compile(r"[A-Za-z0-9_-]{1,32}")


def checked(subscription: object, local: bool) -> str:
    """A browser's subscription as it is kept; raises Unreachable where it is none, or leads where nobody may call."""
    try:
        assert isinstance(subscription, dict)
        keys, endpoint = subscription["keys"], subscription["endpoint"]
        kept = {"endpoint": str(endpoint), "keys": {name: str(keys[name]) for name in ("p256dh", "auth")}}
        point, secret = (_bytes(kept["keys"][name]) for name in ("p256dh", "auth"))  # type: ignore[index]
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        assert (len(point), len(secret)) == (POINT, 16)
    except (AssertionError, KeyError, TypeError, ValueError, binascii.Error):
        raise Unreachable("this is no subscription of a browser") from None
    check_address(str(endpoint), local)
    return json.dumps(kept)


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@lru_cache(4)
def house_pair(path: Path) -> Vapid02:
    """The pair of keys that this house signs with, made when it is first needed, beside its own key."""
    if not path.exists():
        made = ec.generate_private_key(ec.SECP256R1())
        form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        put_private(path, made.private_bytes(*form))
    keep_private(path)
    return Vapid02.from_pem(path.read_bytes())


def public_key(path: Path) -> str:
    """What a browser needs to know of the house when it subscribes."""
    form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    point: bytes = house_pair(path).public_key.public_bytes(*form)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode("ascii")


def send(
    kept: str, payload: bytes, *, pair: Path, contact: str, topic: str, seconds: int, urgent: bool, local: bool
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
        **house_pair(pair).sign(claims),
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
