"""Encryption of the addresses of notification channels with a key that derives from the server's key."""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from triclinium.server.crypto import ServerKey


def encrypt_address(key: ServerKey, address: str) -> str:
    """Return an encrypted address for storage."""
    return Fernet(base64.urlsafe_b64encode(key.derive_key("ways"))).encrypt(address.encode()).decode("ascii")


def decrypt_address(key: ServerKey, stored: str) -> str:
    """Return a stored address, or "" if it was encrypted with an unknown key."""
    try:
        keys = [Fernet(base64.urlsafe_b64encode(derived_key)) for derived_key in key.derive_all_keys("ways")]
        return MultiFernet(keys).decrypt(stored.encode()).decode()
    except InvalidToken:
        return ""
