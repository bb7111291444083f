"""What a seat has at the end of a match, read off its view: the components that its own entry names.

A view says of a number what it is the number of (`Ref`), and which of its lists have an entry for each seat: the one
that is called ``players``, those that say `BY_SEAT`, and the viewer's own ``hand`` where there are none.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from triclinium.engine.component_kinds import Thing
from triclinium.engine.core.state import Seat
from triclinium.engine.view import ASIDE, BY_SEAT, By, Ids, Ref, View

Find: TypeAlias = Callable[[Any, list[Thing]], None]
Places: TypeAlias = list[tuple[str, Find]]  # fields, and what finds things in an entry of them

PLAYERS, HAND = "players", "hand"


def held(view: View, seat: Seat) -> list[Thing]:
    """What the seat whose view this is has before it, a thing as often as it has it."""
    found: list[Thing] = []
    kind: type[Any] = type(view)
    if kind not in _KNOWN:
        _KNOWN[kind] = _places(kind)
    by_seat, own = _KNOWN[kind]
    for name, find in by_seat or own:
        value = getattr(view, name)
        if value is not None and (not by_seat or seat < len(value)):
            find(value[seat] if by_seat else value, found)
    return found


def known_as(ids: Ids, thing: Thing) -> Thing:
    """The same thing in the first table that lists it: what a hand shows may be cards and, after them, their backs."""
    kind, n = thing
    for other, listed in ids.items():
        if n < len(listed) <= len(ids[kind]) and list(ids[kind][: len(listed)]) == list(listed):
            return other, n
    return thing


_KNOWN: dict[type[Any], tuple[Places, Places]] = {}  # by type: each is worked out once


def _places(kind: type[Any]) -> tuple[Places, Places]:
    """The fields of a view that have an entry for each seat, with what finds things in one; and the own hand."""
    by_seat: Places = []
    own: Places = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        inner, notes = _unwrapped(hint)
        if name == PLAYERS or BY_SEAT in notes:
            find = _finder(get_args(inner)[0]) if get_args(inner) else None
            by_seat += [(name, find)] if find is not None else []
        elif name == HAND:
            find = _finder(hint)
            own += [(name, find)] if find is not None else []
    return by_seat, own


def _unwrapped(hint: Any) -> tuple[Any, tuple[object, ...]]:
    """A type without its annotations, and those."""
    if get_origin(hint) is not Annotated:
        return hint, ()
    inner, *notes = get_args(hint)
    within, more = _unwrapped(inner)
    return within, (*notes, *more)


@lru_cache(1024)
def _finder(hint: Any) -> Find | None:
    """What finds things in a value of this type; None: it names none. Counts by kind are no things."""
    inner, notes = _unwrapped(hint)
    if ASIDE in notes or any(isinstance(note, By) for note in notes):
        return None
    ref = next((note.kind for note in notes if isinstance(note, Ref)), None)
    if ref is not None:
        return lambda value, found: None if value is None else found.append((ref, value))
    if get_origin(inner) in (list, tuple):
        return _in_each(_finder(get_args(inner)[0]))
    if get_origin(inner) in (Union, UnionType):
        return _in_one(get_args(inner))
    return _in_fields(inner) if is_dataclass(inner) else None


def _in_each(find: Find | None) -> Find | None:
    if find is None:
        return None

    def each(value: Sequence[Any], found: list[Thing]) -> None:
        for one in value:
            find(one, found)

    return each


def _in_one(kinds: Sequence[Any]) -> Find | None:
    """Of a type that is one of several: by the class of the value, if it has one, else the only one that names."""
    finders = {kind: find for kind in kinds if (find := _finder(kind)) is not None}
    if not finders:
        return None
    plain = next((find for kind, find in finders.items() if not is_dataclass(kind)), None)

    def one(value: Any, found: list[Thing]) -> None:
        find = finders.get(type(value), plain)
        if value is not None and find is not None:
            find(value, found)

    return one


def _in_fields(kind: Any) -> Find | None:
    hints = get_type_hints(kind, include_extras=True)
    parts = [(field.name, find) for field in fields(kind) if (find := _finder(hints[field.name])) is not None]
    if not parts:
        return None

    def inside(value: Any, found: list[Thing]) -> None:
        for name, find in parts:
            find(getattr(value, name), found)

    return inside
