"""Addresses of ways, which lead to people, are kept encrypted by a key of the house's own."""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from triclinium.server.crypto import Key


def sealed(key: Key, address: str) -> str:
    """What is stored of an address."""
    return Fernet(base64.urlsafe_b64encode(key.derived("ways"))).encrypt(address.encode()).decode("ascii")


def opened(key: Key, stored: str) -> str:
    """The address; empty where the house has another key than it had."""
    try:
        keys = [Fernet(base64.urlsafe_b64encode(one)) for one in key.all_derived("ways")]
        return MultiFernet(keys).decrypt(stored.encode()).decode()
    except InvalidToken:
        return ""
