"""Addresses of ways, which lead to people, are kept encrypted by a key of the house's own."""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from triclinium.server.crypto import ServerKey


def encrypt_address(key: ServerKey, address: str) -> str:
    """What is stored of an address."""
    return Fernet(base64.urlsafe_b64encode(key.derive_key("ways"))).encrypt(address.encode()).decode("ascii")


def decrypt_address(key: ServerKey, stored: str) -> str:
    """The address; empty where the house has another key than it had."""
    try:
        keys = [Fernet(base64.urlsafe_b64encode(derived_key)) for derived_key in key.derive_all_keys("ways")]
        return MultiFernet(keys).decrypt(stored.encode()).decode()
    except InvalidToken:
        return ""
