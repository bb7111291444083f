"""Which Chromium looks at the pages: the one that people have, or the shell that draws nothing for anybody."""

import shutil
from typing import Final

FLAGS: Final = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]  # there is nothing to draw on
WHOLE: Final = ("chromium", "chromium-browser")
# The same engine without windows, sync, extensions and notifications: a page costs it a third less processor time.
LIGHT: Final = ("chromium-headless-shell", "chrome-headless-shell")


def chromium(light: bool = False) -> str | None:
    """Where it lies; the whole one where a light one is wished for and not here."""
    return next(filter(None, map(shutil.which, LIGHT + WHOLE if light else WHOLE)), None)
