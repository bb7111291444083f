"""Preview images of the games for messengers, drawn from their vignettes: `python -m bench.covers`."""

import sys

from triclinium.engine.registry import list_games, load_game
from triclinium.server.rasterize import WIDTH, render_png
from triclinium.web import assets, svg_colours


def main() -> int:
    """Draw the image again for every game that has a vignette."""
    for game in map(load_game, list_games()):
        folder = assets.game_folder(game)
        if (folder / assets.VIGNETTE_FILE).exists():
            (folder / assets.COVER_FILE).write_bytes(render_png(svg_colours.render_cover(game), WIDTH // 2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
