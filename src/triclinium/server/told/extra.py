"""Whether this house can tell anybody who is not here: that needs packages which not every house has."""

import importlib
import importlib.util
from functools import cache
from types import ModuleType

from triclinium.engine.core.text import msgid
from triclinium.server.errors import Conflict

NEEDED = ("pywebpush", "py_vapid", "cryptography", "apprise")
MISSING = msgid("being told needs the package triclinium[people], which is not installed here")


@cache
def installed() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in NEEDED)


def check() -> None:
    """Raise Conflict where the packages are not there."""
    if not installed():
        raise Conflict(MISSING)


def load(*names: str) -> None:
    """Load such modules: they are large, and whoever waits for them does so in a thread."""
    for name in names:
        part(name)


def part(name: str) -> ModuleType:
    """One of the modules that need them, loaded when first needed: `sealing`, `vapid`, `push` or `services`."""
    check()
    return importlib.import_module(f"triclinium.server.told.{name}")
