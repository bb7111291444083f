"""Who pushes, and to whom: the pair of keys by which browsers know this house, and their subscriptions."""

import base64
import binascii
import json
from functools import lru_cache
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from triclinium.server.secret import put_private
from triclinium.server.storage.datafile import keep_private
from triclinium.server.told.outside import Unreachable, check_address

POINT = 65  # bytes of a public key


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
