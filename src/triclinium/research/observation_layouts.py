"""Tables of all observation layouts for docs/research.md.

``python -m triclinium.research.observation_layouts docs/research.md`` updates the page.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from triclinium.engine.core.encoding import BITS, CellBlock
from triclinium.engine.game import Game
from triclinium.engine.registry import list_games, load_game

BEGIN = "<!-- layouts: written by python -m triclinium.research.observation_layouts docs/research.md -->"
TABLE_HEADER = "| from | block | cells | kind | of | top | meaning |\n|---|---|---|---|---|---|---|"


def format_layouts() -> str:
    """Return the layout of each game with its blocks, their offsets and the attribute tables, as Markdown."""
    return "\n".join(_format_game(load_game(id)) for id in list_games() if load_game(id).observer is not None)


def _format_game(game: Game) -> str:
    encoding, observer = game.encoding, game.required_observer
    widths = ", ".join(f"{encoding.width(seats)} ({seats})" for seats in game.seats)
    name = game.words.reader().format_arg(game.name)
    asked = ", ".join(f"{n} {id}" for id, n in observer.questions.numbers.items())
    tables = [
        f"`{of}` of {len(table) - 1} rows: {', '.join(_abbreviate_names(table.names))}."
        for of, table in observer.tables.items()
    ]
    return "\n".join(
        [
            f"### {name} (`{game.id}`)",
            "",
            f"Bytes, by seats: {widths}. {game.notation.size} options. Hash `{encoding.hash}`. "
            f"Usual length with the most seats: {game.usual_decisions} decisions.",
            "",
            TABLE_HEADER,
            *_format_blocks(encoding.common, 0),
            "",
            f"Then {encoding.player_size} cells for each player, the observer first:",
            "",
            TABLE_HEADER,
            *_format_blocks(encoding.player, 0),
            "",
            f"Questions: {asked}.",
            "",
            f"Attribute tables: {' '.join(tables)}",
            "",
        ]
    )


def _format_blocks(blocks: Iterable[CellBlock], at: int) -> list[str]:
    lines = []
    for block in blocks:
        shape = " x ".join(str(axis) for axis in block.shape)
        top = "" if block.kind == "flag" or block.kind == "mask" else str(block.top)
        of = f"{block.id_table}" if block.id_table else ""
        kind = f"{block.kind}, 8 a cell" if block.kind == BITS else block.kind
        lines.append(f"| {at} | {block.name} | {shape} | {kind} | {of} | {top} | {block.note} |")
        at += block.size
    return lines


def _abbreviate_names(names: list[str]) -> list[str]:
    """Return the names, with the middle of a long list left out."""
    return names if len(names) <= 14 else [*names[:8], f"… {len(names) - 10} more", *names[-2:]]


def update_page(page: str) -> str:
    """Return the page with the current layouts."""
    return f"{page.partition(BEGIN)[0]}{BEGIN}\n\n{format_layouts().rstrip()}\n"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(update_page(path.read_text(encoding="utf-8")), encoding="utf-8")
