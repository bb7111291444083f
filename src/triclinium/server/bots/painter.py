"""Whether this house can make pictures: they need two packages more."""

import importlib
import importlib.util
from collections.abc import Callable

from triclinium.server.errors import NotFound

PACKAGES = ("resvg_py", "font_source_serif_pro")


def installed() -> bool:
    return all(importlib.util.find_spec(package) is not None for package in PACKAGES)


def painter() -> Callable[[str], bytes]:
    """What makes a PNG of an SVG, loaded when first needed; raises NotFound where its packages are not installed."""
    if not installed():
        raise NotFound("pictures need the package triclinium[people], which is not installed here")
    paint: Callable[[str], bytes] = importlib.import_module("triclinium.server.bots.painting").paint
    return paint
