"""The browser's side of web push."""

import base64
import json
import os

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.server.endpoint import Endpoint


def encode_base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode_base64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Receiver:
    """A push subscription for an endpoint, and the keys that decrypt its messages."""

    def __init__(self, there: Endpoint) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        keys = {"p256dh": encode_base64(self.key.public_key().public_bytes(*form)), "auth": encode_base64(self.secret)}
        self.subscription = {"endpoint": f"{there.url}/push/abc", "keys": keys}

    def read(self, body: bytes) -> dict[str, object]:
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        told: dict[str, object] = json.loads(plain)
        return told
