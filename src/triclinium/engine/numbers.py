"""The numbers of a components file as a designer meets them: path, name, range, rule, and what a change would break."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from triclinium.engine.components_schema import Range, Shape
from triclinium.engine.core.components import ComponentsFile, entry_names, name_context
from triclinium.engine.core.errors import BadComponents, Fault
from triclinium.engine.core.text import Arg, Message, Name
from triclinium.engine.game import Game

CALLED = ("name", "title")  # the keys at which an entry of a list says its name


class Number(NamedTuple):
    """One number of a components file."""

    path: str
    name: Message  # of a hidden number, its path
    value: int | float
    low: int | float
    high: int | float
    step: int | float
    rule: str
    group: Message
    hidden: bool  # no rule reads it, or others say the same


def numbers(game: Game) -> tuple[Number, ...]:
    """Every number of the game's components that has a range, group by group as `numbers.toml` has them."""
    if game.form is None:
        return ()
    order = {span.path: i for i, span in enumerate(game.form.ranges)}
    found = list(_numbers(game.file.data, game.form.shape, [], []))
    found.sort(key=lambda pair: order[pair[0].path])
    return tuple(number for _, number in found)


def read_changes(file: ComponentsFile, pairs: Sequence[str]) -> dict[str, object]:
    """``follow_tokens.stenographer=1`` and the like, from a command line; raises BadComponents."""
    changes: dict[str, object] = {}
    for pair in pairs:
        path, sign, text = pair.partition("=")
        if not sign:
            raise BadComponents(f"a change is PATH=VALUE, not {pair!r}")
        changes[path.strip()] = file.read(path.strip(), text)
    return changes


def broken_by(game: Game, changes: Mapping[str, object]) -> list[Fault]:
    """What these changes of the game's components would break."""
    return game.faults(game.file.edited(changes))


def _numbers(value: object, shape: Shape, path: list[str], names: list[Arg]) -> Iterator[tuple[Range, Number]]:
    """The numbers at and below a place; ``names`` are what its steps are called, a step of a list by its entry."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            place = shape.key(key)
            if place is not None:
                yield from _numbers(inner, place, [*path, key], [*names, key])
    elif isinstance(value, list) and shape.entry is not None:
        steps = entry_names(value)
        for i, inner in enumerate(value):
            yield from _numbers(inner, shape.entry, [*path, steps[i]], [*names, _called(inner, path[-1], steps[i])])
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and shape.range is not None:
        yield shape.range, _number(shape.range, value, path, names)


def _called(item: object, table: str, step: str) -> Arg:
    """What an entry of a list is called: its name, or what it is called in a path."""
    for key in CALLED:
        if isinstance(item, Mapping) and isinstance(item.get(key), str):
            return Name(item[key], name_context(table, key))
    return step


def _number(span: Range, value: int | float, path: list[str], names: list[Arg]) -> Number:
    kind = type(value)
    holes = [
        str(int(path[i]) + span.first) if step == "*" and names[i] == path[i] and path[i].isdigit() else names[i]
        for i, step in enumerate(span.path.split("."))
        if step == "*" or "|" in step
    ]
    name = Message(span.name, *holes) if span.name else Message("{0}", ".".join(path))
    return Number(
        ".".join(path),
        name,
        value,
        kind(span.low),
        kind(span.high),
        kind(span.step),
        span.rule,
        Message(span.group),
        span.hidden,
    )
