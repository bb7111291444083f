"""The layouts of all observations as the tables of docs/research.md: ``python -m triclinium.research.layouts``."""

import sys
from collections.abc import Iterable
from pathlib import Path

from triclinium.engine.core.encoding import BITS, Block
from triclinium.engine.game import Game
from triclinium.engine.registry import find_game, titles

BEGIN = "<!-- layouts: written by python -m triclinium.research.layouts docs/research.md -->"
HEADS = "| from | block | cells | kind | of | top | meaning |\n|---|---|---|---|---|---|---|"


def layouts() -> str:
    """Every game, its blocks with their first cells, and its attribute tables."""
    return "\n".join(_game(find_game(id)) for id in titles() if find_game(id).observer is not None)


def _game(game: Game) -> str:
    encoding, observer = game.encoding, game.watcher
    widths = ", ".join(f"{encoding.width(seats)} ({seats})" for seats in game.seats)
    name = game.words.reader().say(game.name)
    asked = ", ".join(f"{n} {id}" for id, n in observer.questions.numbers.items())
    tables = [
        f"`{of}` of {len(table) - 1} rows: {', '.join(_short(table.names))}." for of, table in observer.tables.items()
    ]
    return "\n".join(
        [
            f"### {name} (`{game.id}`)",
            "",
            f"Bytes, by seats: {widths}. {game.notation.size} options. Hash `{encoding.hash}`. "
            f"Usual length with the most seats: {game.usual} decisions.",
            "",
            HEADS,
            *_rows(encoding.common, 0),
            "",
            f"Then {encoding.row} cells for each player, the observer first:",
            "",
            HEADS,
            *_rows(encoding.player, 0),
            "",
            f"Questions: {asked}.",
            "",
            f"Attribute tables: {' '.join(tables)}",
            "",
        ]
    )


def _rows(blocks: Iterable[Block], at: int) -> list[str]:
    found = []
    for block in blocks:
        shape = " x ".join(str(axis) for axis in block.shape)
        top = "" if block.kind == "flag" or block.kind == "mask" else str(block.top)
        of = f"{block.of}" if block.of else ""
        kind = f"{block.kind}, 8 a cell" if block.kind == BITS else block.kind
        found.append(f"| {at} | {block.name} | {shape} | {kind} | {of} | {top} | {block.told} |")
        at += block.size
    return found


def _short(names: list[str]) -> list[str]:
    """The first and last of many."""
    return names if len(names) <= 14 else [*names[:8], f"… {len(names) - 10} more", *names[-2:]]


def written(page: str) -> str:
    """The page with its layouts as the code has them."""
    return f"{page.partition(BEGIN)[0]}{BEGIN}\n\n{layouts().rstrip()}\n"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
