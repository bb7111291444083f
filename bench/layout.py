"""Layout faults of the games' tables, as text: what `bench.layout_checks` finds at positions of matches of bots.

``python -m bench.layout missionnaires --windows 1280x720 --positions middle --languages en`` prints a line for each
fault, and fails if there are any. Without options it checks the start, the middle and the end of a match, with the
fewest and the most seats, in all languages and windows.

``--fonts /usr/share/fonts/truetype/dejavu`` shows pages to a reader who has only the fonts of this folder, which are
wider than those that the style sheets name first.
"""

import argparse
import asyncio
import itertools
import os
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.example import add_kuhn
from bench.layout_checks import DECIDING, ENDED, WINDOWS, Window, find_faults
from bench.screenshots import LANGUAGES, POSITIONS, ScreenshotServer, run_screenshot_server
from triclinium.engine.registry import list_games, load_game

FONTS = '<?xml version="1.0"?><fontconfig><dir>{folder}</dir><cachedir>{cache}</cachedir></fontconfig>'


@dataclass(frozen=True)
class LayoutPlan:
    """The tables and windows to check."""

    game_ids: Sequence[str]
    positions: Sequence[str] = ("start", "middle", "end")
    seats: Sequence[int] = ()  # the fewest and the most, if empty
    languages: Sequence[str] = LANGUAGES
    windows: Sequence[Window] = WINDOWS


async def find_table_faults(server: ScreenshotServer, plan: LayoutPlan) -> AsyncIterator[tuple[str, str]]:
    """Yield each fault with its table: game, position, seats, language and window."""
    for id, position in itertools.product(plan.game_ids, plan.positions):
        possible = load_game(id).seats
        for seats in plan.seats or sorted({possible[0], possible[-1]}):
            path, secret = await server.table(id, position, seats=seats)
            for language in plan.languages:
                async for page, window in server.windows(path, secret, language, plan.windows):
                    for what in await find_faults(page, window, ENDED if POSITIONS.get(position) == 1.0 else DECIDING):
                        yield f"{id} {position} {seats} {language} {window}", what


async def print_faults(plan: LayoutPlan) -> int:
    """Print each fault, and the number of each kind. Return the number of all faults."""
    kinds: Counter[str] = Counter()
    async with run_screenshot_server(light=True, painted=False) as server:
        async for where, what in find_table_faults(server, plan):
            kinds[what.split(":")[0]] += 1
            sys.stdout.write(f"{where}: {what}\n")
            sys.stdout.flush()
    counts = "".join(f", {kind} {number}" for kind, number in kinds.most_common())
    sys.stdout.write(f"{kinds.total()} faults{counts}\n")
    return kinds.total()


def main() -> int:
    """Read the arguments and check the tables."""
    sizes = {str(window): window for window in WINDOWS}
    with tempfile.TemporaryDirectory() as beside:
        add_kuhn(Path(beside))
        parser = argparse.ArgumentParser(description="Print the layout faults of the games' tables.")
        parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(list_games())} (default: all)")
        parser.add_argument("--windows", nargs="+", default=list(sizes), choices=list(sizes), metavar="WIDTHxHEIGHT")
        parser.add_argument(
            "--positions", nargs="+", default=list(LayoutPlan.positions), help="names or shares of a match"
        )
        parser.add_argument("--seats", nargs="+", type=int, default=[], help="default: the fewest and the most")
        parser.add_argument("--languages", nargs="+", default=list(LANGUAGES), choices=LANGUAGES)
        parser.add_argument("--fonts", type=Path, help="folder with the only fonts of the browser (default: all)")
        args = parser.parse_args()
        if args.fonts:
            config = Path(beside, "fonts.conf")
            config.write_text(FONTS.format(folder=args.fonts, cache=beside), encoding="utf-8")
            os.environ["FONTCONFIG_FILE"] = str(config)
        windows = [sizes[size] for size in args.windows]
        games = args.games or list_games()
        return min(1, asyncio.run(print_faults(LayoutPlan(games, args.positions, args.seats, args.languages, windows))))


if __name__ == "__main__":
    sys.exit(main())
