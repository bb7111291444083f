"""The command ``triclinium numbers``: list a game's editable numbers and the faults that a change would cause."""

import argparse
from collections.abc import Sequence

from triclinium.cli import arguments
from triclinium.cli.catalog import make_cli_reader
from triclinium.cli.streams import FAILURE, print_json, print_text
from triclinium.engine.core.errors import ComponentsFault
from triclinium.engine.core.text import Message, Reader, msgid
from triclinium.engine.game import Game
from triclinium.engine.numbers import ComponentNumber, find_change_faults, list_numbers, read_changes
from triclinium.lab.text_table import format_table

HEADINGS = (msgid("path"), msgid("name"), msgid("rule"), msgid("value"), msgid("range"))


def numbers_command(args: argparse.Namespace) -> int:
    """Print the numbers of a game and, with --set, the faults of these changes. The exit code is 1 if there are any."""
    game = arguments.find_game(args.game, args.components)
    changes = read_changes(game.file, args.set)
    faults = find_change_faults(game, changes) if changes else []
    if args.json:
        print_json(build_numbers_json(game, changes, faults, game.words.reader(args.language)))
    else:
        print_text(format_numbers(game, changes, faults, args.language))
    return FAILURE if faults else 0


def build_numbers_json(
    game: Game, changes: dict[str, object], faults: Sequence[ComponentsFault], reader: Reader
) -> dict[str, object]:
    """Return all numbers, including hidden ones, the changes and their faults as JSON data."""
    rows = [
        number._asdict() | {"name": reader.read(number.name), "group": reader.read(number.group)}
        for number in list_numbers(game)
    ]
    broken = [
        {
            "constraint": fault.constraint,
            "path": fault.path,
            "sentence": reader.read(fault.sentence),
            "figures": [figure if isinstance(figure, int) else reader.format_arg(figure) for figure in fault.figures],
        }
        for fault in faults
    ]
    return {"game": game.id, "components": game.hash, "numbers": rows, "set": changes, "faults": broken}


def format_numbers(game: Game, changes: dict[str, object], faults: Sequence[ComponentsFault], language: str) -> str:
    """Return the tables of all numbers with the count of hidden ones.

    With changes, return only the changed numbers and the faults.
    """
    reader, cli_reader = game.words.reader(language), make_cli_reader(language)
    all_numbers = list_numbers(game)
    visible = [number for number in all_numbers if (number.path in changes if changes else not number.hidden)]
    rows = [
        [cli_reader.translate(heading) for heading in HEADINGS],
        *(_format_row(number, changes, reader) for number in visible),
    ]
    lines = format_table(rows, left_columns=3).split("\n")
    parts = [lines[0]]
    for number, line in zip(visible, lines[1:], strict=True):
        heading = reader.read(number.group)
        parts += [] if heading in parts else ["", heading]
        parts.append(line)
    return "\n".join([*parts, "", *_list_remarks(len(all_numbers) - len(visible), changes, faults, reader, cli_reader)])


def _list_remarks(
    hidden: int, changes: dict[str, object], faults: Sequence[ComponentsFault], reader: Reader, cli_reader: Reader
) -> list[str]:
    """Return the lines below the table: the faults of the changes, or the count of hidden numbers."""
    if faults:
        intro = Message("These changes violate the following constraints:")
        return [cli_reader.read(intro), *(fault.format(reader) for fault in faults)]
    if changes:
        return [cli_reader.read(Message("These changes violate no constraint."))]
    text = msgid(
        "{0} more {0:number is|numbers are} not listed, because no rule reads {0:it|them} or another "
        "number has the same value."
    )
    return [cli_reader.read(Message(text, hidden))]


def _format_row(number: ComponentNumber, changes: dict[str, object], reader: Reader) -> list[str]:
    value = f"{number.value:g}"
    if number.path in changes:
        value = f"{value} -> {changes[number.path]}"
    return [number.path, reader.read(number.name), number.rule, value, f"{number.low:g}..{number.high:g}"]
