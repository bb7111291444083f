"""``triclinium numbers``: every number of a game that a designer may change, and what a change would break."""

import argparse
from collections.abc import Sequence

from triclinium.cli import arguments
from triclinium.cli.streams import FAILURE, print_json, print_text
from triclinium.cli.terminal import own_reader
from triclinium.engine.core.errors import Fault
from triclinium.engine.core.text import Message, Reader, msgid
from triclinium.engine.game import Game
from triclinium.engine.numbers import Number, broken_by, numbers, read_changes
from triclinium.lab.text_table import columns

HEADINGS = (msgid("path"), msgid("name"), msgid("rule"), msgid("value"), msgid("range"))


def numbers_command(args: argparse.Namespace) -> int:
    """The numbers of a game and, with --set, what these changes break; 1 if they break anything."""
    game = arguments.find_game(args.title, args.components)
    changes = read_changes(game.file, args.set)
    faults = broken_by(game, changes) if changes else []
    if args.json:
        print_json(numbers_json(game, changes, faults, game.words.reader(args.language)))
    else:
        print_text(numbers_text(game, changes, faults, args.language))
    return FAILURE if faults else 0


def numbers_json(game: Game, changes: dict[str, object], faults: Sequence[Fault], reader: Reader) -> dict[str, object]:
    """All numbers, hidden ones too, the changes, and every fault that they make."""
    found = [
        number._asdict() | {"name": reader.read(number.name), "group": reader.read(number.group)}
        for number in numbers(game)
    ]
    broken = [
        {
            "constraint": fault.constraint,
            "path": fault.path,
            "sentence": reader.read(fault.sentence),
            "figures": [figure if isinstance(figure, int) else reader.say(figure) for figure in fault.figures],
        }
        for fault in faults
    ]
    return {"title": game.id, "components": game.hash, "numbers": found, "set": changes, "faults": broken}


def numbers_text(game: Game, changes: dict[str, object], faults: Sequence[Fault], language: str) -> str:
    """A table for each group, then what is not shown and what breaks."""
    reader, own = game.words.reader(language), own_reader(language)
    every = numbers(game)
    shown = [number for number in every if not number.hidden or number.path in changes]
    rows = [[own.translate(heading) for heading in HEADINGS], *(_row(number, changes, reader) for number in shown)]
    lines = columns(rows, left=3).split("\n")
    parts = [lines[0]]
    for number, line in zip(shown, lines[1:], strict=True):
        heading = reader.read(number.group)
        parts += [] if heading in parts else ["", heading]
        parts.append(line)
    hidden = len(every) - len(shown)
    parts += ["", own.read(Message("{0} more are hidden: no rule reads them, or others say the same", hidden))]
    if changes:
        told = Message("these changes break:") if faults else Message("these changes break nothing")
        parts += [own.read(told), *(fault.said(reader) for fault in faults)]
    return "\n".join(parts)


def _row(number: Number, changes: dict[str, object], reader: Reader) -> list[str]:
    value = f"{number.value:g}"
    if number.path in changes:
        value = f"{value} -> {changes[number.path]}"
    return [number.path, reader.read(number.name), number.rule, value, f"{number.low:g}..{number.high:g}"]
