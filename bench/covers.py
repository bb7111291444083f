"""Paints the picture that messengers show of a title, from its vignette: `python -m bench.covers`."""

import sys

from triclinium.engine.registry import find_game, titles
from triclinium.server.rasterize import WIDTH, painted
from triclinium.web import assets, svg_colours


def main() -> int:
    """Anew for every title that brings a vignette."""
    for game in map(find_game, titles()):
        folder = assets.folder(game)
        if (folder / assets.VIGNETTE).exists():
            (folder / assets.COVER).write_bytes(painted(svg_colours.cover(game), WIDTH // 2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
