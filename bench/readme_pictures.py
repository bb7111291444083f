"""Pictures of the README for designers and researchers.

``python -m bench.readme_pictures STUDY ARENA docs/pictures`` reads the folder of a finished study and the folder of a
finished arena. It writes ``study.png``, the main table of the report, and ``research.png``, an observation as cells
next to the win shares of the arena. It draws with Debian's Chromium.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

from playwright.async_api import Page, async_playwright

from bench.chromium import FLAGS, find_chromium
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.encoding import BITS, FLAG, MASK, CellBlock
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game

GAME = "evangelists"
SEATS = 2
DECISIONS = 60  # played before the observation is taken
SEED = 7
STYLE = """
body { margin: 0; padding: 24px; width: 1152px; background: #fbf7ef; color: #2b2117; font: 14px Georgia, serif;
  display: grid; grid-template-columns: 1fr 600px; gap: 32px; align-items: start }
h2 { font-size: 17px; font-weight: normal; margin: 0 0 12px }
.block { display: grid; grid-template-columns: 108px 1fr; gap: 8px; margin: 3px 0; font-size: 12px }
.block > span { text-align: right; color: #5b4a37 }
.cells { display: flex; flex-wrap: wrap; gap: 1px }
.cells b { width: 17px; height: 14px; font: 9px/14px sans-serif; text-align: center; background: #ece2d0 }
svg { width: 600px }
"""


def play_position(game: Game) -> State:
    """Return a position in the middle of a match between bots."""
    s = game.deal(SEATS, SEED)
    bot, rng = create_bot("greedy", game), Rng(SEED)
    for _ in range(DECISIONS):
        s.choose(choose_option(bot, s, rng))
    return s


def format_cells(block: CellBlock, cells: bytes) -> str:
    """Return the cells of a block as HTML; the larger the value, the darker the cell."""
    top = 255 if block.kind in (BITS, MASK) else 1 if block.kind == FLAG else block.top
    shades = (min(cell / top, 1.0) if top else 0.0 for cell in cells)
    parts = (
        f'<b style="background: rgb(140 47 27 / {0.25 + 0.6 * shade:.2f})">{cell}</b>' if cell else "<b></b>"
        for cell, shade in zip(cells, shades, strict=True)
    )
    return f'<div class="block"><span>{escape(block.name)}</span><div class="cells">{"".join(parts)}</div></div>'


def format_blocks(game: Game, s: State) -> Iterator[str]:
    """Yield the common blocks and those of the observer as HTML."""
    row = bytes(game.observe(s, s.who))
    at = 0
    for block in [*game.encoding.common, *game.encoding.player]:
        yield format_cells(block, row[at : at + block.size])
        at += block.size


def make_research_page(arena: Path) -> str:
    """Return an observation and the chart of an arena as one page."""
    game = load_game(GAME)
    s = play_position(game)
    blocks = "".join(format_blocks(game, s))
    chart = (arena / "arena.svg").read_text(encoding="utf-8")
    return (
        f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style>'
        f"<div><h2>game.observe(state, seat): {game.encoding.width(SEATS)} bytes, first player shown</h2>{blocks}</div>"
        f"<div><h2>triclinium arena: win shares</h2>{chart}</div>"
    )


async def take_pictures(study: Path, arena: Path, folder: Path) -> None:
    """Take both pictures."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = await browser.new_page(viewport={"width": 1200, "height": 750}, color_scheme="light")
        await page.goto((study / "report.html").resolve().as_uri())
        await page.add_style_tag(content="#change { padding: 24px }")
        await page.locator("#change").screenshot(path=folder / "study.png")
        with tempfile.TemporaryDirectory() as temporary:
            source = Path(temporary, "research.html")
            source.write_text(make_research_page(arena), encoding="utf-8")
            await take_whole_page(page, source, folder / "research.png")
        await browser.close()


async def take_whole_page(page: Page, source: Path, picture: Path) -> None:
    """Take a picture of a whole page, without empty space below it."""
    await page.set_viewport_size({"width": 1200, "height": 100})
    await page.goto(source.as_uri())
    await page.screenshot(path=picture, full_page=True)


def main() -> int:
    """Read the arguments and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("study", type=Path, help="folder of a finished study")
    parser.add_argument("arena", type=Path, help="folder of a finished arena")
    parser.add_argument("folder", type=Path, help="where the pictures are written")
    args = parser.parse_args()
    asyncio.run(take_pictures(args.study, args.arena, args.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
