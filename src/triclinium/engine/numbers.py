"""The editable numbers of a components file: path, name, range, rule, and the faults that a change would cause."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from triclinium.engine.components_schema import NumberRange, ValueSchema
from triclinium.engine.core.components import ComponentsFile, entry_names, name_context
from triclinium.engine.core.errors import BadComponents, ComponentsFault
from triclinium.engine.core.text import Arg, Message, Name
from triclinium.engine.game import Game

NAME_KEYS = ("name", "title")  # keys whose value is the name of a list entry


class ComponentNumber(NamedTuple):
    """One number of a components file."""

    path: str
    name: Message  # a hidden number shows its path as name
    value: int | float
    low: int | float
    high: int | float
    step: int | float
    rule: str
    group: Message
    hidden: bool  # no rule reads it, or it repeats other numbers


def list_numbers(game: Game) -> tuple[ComponentNumber, ...]:
    """Return every number of the game's components that has a range, in the order of `numbers.toml`."""
    return tuple(number for _, number in list_ranged_numbers(game))


def list_ranged_numbers(game: Game) -> tuple[tuple[NumberRange, ComponentNumber], ...]:
    """Return each number of the game's components with its range, in the order of `numbers.toml`."""
    if game.components_schema is None:
        return ()
    order = {number_range.path: i for i, number_range in enumerate(game.components_schema.ranges)}
    range_pairs = list(_find_numbers(game.file.data, game.components_schema.root_schema, [], []))
    range_pairs.sort(key=lambda pair: order[pair[0].path])
    return tuple(range_pairs)


def find_changed_numbers(game: Game, file: ComponentsFile) -> list[ComponentNumber]:
    """Return the numbers of the printed game that a file changes. Hidden numbers are not compared."""
    changed: list[ComponentNumber] = []
    for number in list_numbers(game):
        if not number.hidden and read_number(file, number) != number.value:
            changed.append(number)
    return changed


def read_number(file: ComponentsFile, number: ComponentNumber) -> int | float:
    """Return the value of a number in a file, or its printed value if the file lacks it."""
    try:
        value = file.value_at(number.path)
    except BadComponents:
        return number.value
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else number.value


def read_changes(file: ComponentsFile, pairs: Sequence[str]) -> dict[str, object]:
    """Parse changes such as ``follow_tokens.stenographer=1`` from a command line.

    Raise BadComponents if one is wrong.
    """
    changes: dict[str, object] = {}
    for pair in pairs:
        path, sign, text = pair.partition("=")
        if not sign:
            raise BadComponents(f"a change is PATH=VALUE, not {pair!r}")
        changes[path.strip()] = file.read(path.strip(), text)
    return changes


def find_change_faults(game: Game, changes: Mapping[str, object]) -> list[ComponentsFault]:
    """Return the constraints that these changes of the game's components would break."""
    return game.find_faults(game.file.with_changes(changes))


def _find_numbers(
    value: object, shape: ValueSchema, path: list[str], names: list[Arg]
) -> Iterator[tuple[NumberRange, ComponentNumber]]:
    """Yield the numbers at and below a path. ``names`` holds the displayed name of each path step."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            place = shape.find_key_schema(key)
            if place is not None:
                yield from _find_numbers(inner, place, [*path, key], [*names, key])
    elif isinstance(value, list) and shape.entry is not None:
        steps = entry_names(value)
        for i, inner in enumerate(value):
            yield from _find_numbers(
                inner, shape.entry, [*path, steps[i]], [*names, _name_entry(inner, path[-1], steps[i])]
            )
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and shape.range is not None:
        yield shape.range, _build_number(shape.range, value, path, names)


def _name_entry(item: object, table: str, step: str) -> Arg:
    """Return the displayed name of a list entry, or its name in paths."""
    for key in NAME_KEYS:
        if isinstance(item, Mapping) and isinstance(item.get(key), str):
            return Name(item[key], name_context(table, key))
    return step


def _build_number(number_range: NumberRange, value: int | float, path: list[str], names: list[Arg]) -> ComponentNumber:
    kind = type(value)
    holes = [
        str(int(path[i]) + number_range.first)
        if step == "*" and names[i] == path[i] and path[i].isdigit()
        else names[i]
        for i, step in enumerate(number_range.path.split("."))
        if step == "*" or "|" in step
    ]
    name = Message(number_range.name, *holes) if number_range.name else Message("{0}", ".".join(path))
    return ComponentNumber(
        ".".join(path),
        name,
        value,
        kind(number_range.low),
        kind(number_range.high),
        kind(number_range.step),
        number_range.rule,
        Message(number_range.group),
        number_range.hidden,
    )
