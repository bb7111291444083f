"""Whether this house can make passkeys, and where: they need a package more, a secure page and a name."""

import importlib
import importlib.util
from ipaddress import ip_address
from types import ModuleType
from urllib.parse import urlsplit

from triclinium.server.errors import Conflict

PACKAGE = "webauthn"


def lock() -> ModuleType:
    """The module of passkeys, loaded when first needed; raises Conflict where its package is not installed."""
    if not installed():
        raise Conflict("passkeys need the package triclinium[people], which is not installed here")
    return importlib.import_module("triclinium.server.passkeys")


def installed() -> bool:
    return importlib.util.find_spec(PACKAGE) is not None


def is_named(origin: str) -> bool:
    """Whether keys can be bound to this address: it is secure, and a name rather than a number."""
    parts = urlsplit(origin)
    host = parts.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        return parts.scheme == "https" or host == "localhost"
    return False
