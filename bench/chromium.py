"""Selection of the Chromium executable: the complete browser or the headless shell."""

import shutil
from typing import Final

FLAGS: Final = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]  # The machine may have no display.
WHOLE: Final = ("chromium", "chromium-browser")
# The same engine without windows, sync, extensions and notifications needs a third less processor time for a page.
LIGHT: Final = ("chromium-headless-shell", "chrome-headless-shell")


def find_chromium(light: bool = False) -> str | None:
    """Return the path of Chromium, or None. With ``light``, prefer the headless shell."""
    return next(filter(None, map(shutil.which, LIGHT + WHOLE if light else WHOLE)), None)
