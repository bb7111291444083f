"""Keys for web push: the key pair with which this server signs, and the subscriptions of browsers."""

import base64
import binascii
import json
from functools import lru_cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from triclinium.server.notifications.safe_http import Unreachable, check_address
from triclinium.server.storage.store import Store

PUBLIC_KEY_BYTES = 65  # bytes of a public key


def check_subscription(subscription: object, local: bool) -> str:
    """Return a browser's subscription as JSON.

    Raise `Unreachable` if it is not valid or its address may not be called.
    """
    try:
        assert isinstance(subscription, dict)
        keys, endpoint = subscription["keys"], subscription["endpoint"]
        cleaned = {"endpoint": str(endpoint), "keys": {name: str(keys[name]) for name in ("p256dh", "auth")}}
        point, secret = (_decode_base64(cleaned["keys"][name]) for name in ("p256dh", "auth"))  # type: ignore[index]
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        assert (len(point), len(secret)) == (PUBLIC_KEY_BYTES, 16)
    except (AssertionError, KeyError, TypeError, ValueError, binascii.Error):
        raise Unreachable("this is not a push subscription of a browser") from None
    check_address(str(endpoint), local)
    return json.dumps(cleaned)


def _decode_base64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def generate_key_pair() -> bytes:
    """Return a new key pair for signing, in PEM format."""
    made = ec.generate_private_key(ec.SECP256R1())
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return made.private_bytes(*form)


def load_key_pair(store: Store) -> bytes:
    """Return the key pair of this server, and create it if there is none."""
    return store.database.load_or_create_secret("vapid", generate_key_pair)


@lru_cache(4)
def parse_key_pair(pem: bytes) -> Vapid02:
    """Return the key pair as an object that signs messages."""
    return Vapid02.from_pem(pem)


def encode_public_key(pem: bytes) -> str:
    """Return the public key that a browser needs for a subscription."""
    form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    point: bytes = parse_key_pair(pem).public_key.public_bytes(*form)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode("ascii")
