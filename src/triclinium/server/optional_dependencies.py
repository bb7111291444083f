"""Features that need the optional packages of the extra `people`.

The modules that need these packages import them at the top. The server loads such a module when it is first used. So a
server without the extra starts, and reports the missing package.
"""

import importlib
import importlib.util
from functools import cache
from types import ModuleType

from triclinium.engine.core.text import msgid
from triclinium.server.errors import Conflict, NotFound, RequestError


@cache
def is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


class OptionalFeature:
    """A feature, the packages that it needs, and the error for a missing package."""

    def __init__(self, packages: tuple[str, ...], error_type: type[RequestError], missing_message: str) -> None:
        self.packages = packages
        self.error_type = error_type
        self.missing_message = missing_message

    def is_available(self) -> bool:
        return all(is_installed(package) for package in self.packages)

    def check(self) -> None:
        """Raise the feature's error if a package is missing."""
        if not self.is_available():
            raise self.error_type(self.missing_message)

    def load(self, module: str) -> ModuleType:
        """Return a module that needs these packages, by its path below `triclinium.server`.

        Raise the feature's error if a package is missing.
        """
        self.check()
        return importlib.import_module(f"triclinium.server.{module}")


PASSKEYS = OptionalFeature(
    ("webauthn",),
    Conflict,
    msgid("Passkeys need the package triclinium[people], which is not installed on this server."),
)
PICTURES = OptionalFeature(
    ("resvg_py", "font_source_serif_pro"),
    NotFound,
    msgid("Pictures need the package triclinium[people], which is not installed on this server."),
)
NOTIFICATIONS = OptionalFeature(
    ("pywebpush", "py_vapid", "cryptography", "apprise"),
    Conflict,
    msgid("Notifications need the package triclinium[people], which is not installed on this server."),
)
