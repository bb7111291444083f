"""Components that a seat has at the end of a match, read from the entries of its view.

A view marks a number as the index of a component with `Ref`. Its lists with one entry for each seat are ``players`` and
those marked `PER_SEAT`. Without such lists, the viewer's own ``hand`` is read.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from triclinium.engine.component_kinds import Thing
from triclinium.engine.core.state import Seat
from triclinium.engine.view import NOT_DRAWN, PER_SEAT, Ids, PerKind, Ref, View

ComponentFinder: TypeAlias = Callable[[Any, list[Thing]], None]
# names of fields, each with a function that finds the components in an entry
FieldFinders: TypeAlias = list[tuple[str, ComponentFinder]]

PLAYERS, HAND = "players", "hand"


def find_holdings(view: View, seat: Seat) -> list[Thing]:
    """Return the components that the viewing seat has. A component is listed once for each copy."""
    holdings: list[Thing] = []
    kind: type[Any] = type(view)
    if kind not in _FINDERS:
        _FINDERS[kind] = _find_seat_fields(kind)
    by_seat, own = _FINDERS[kind]
    for name, find in by_seat or own:
        value = getattr(view, name)
        if value is not None and (not by_seat or seat < len(value)):
            find(value[seat] if by_seat else value, holdings)
    return holdings


def find_canonical_component(ids: Ids, thing: Thing) -> Thing:
    """Return the same component in the first table that lists it.

    A hand may show a table of cards followed by their backs.
    """
    kind, n = thing
    for other, listed in ids.items():
        if n < len(listed) <= len(ids[kind]) and list(ids[kind][: len(listed)]) == list(listed):
            return other, n
    return thing


_FINDERS: dict[type[Any], tuple[FieldFinders, FieldFinders]] = {}  # cache by view type


def _find_seat_fields(kind: type[Any]) -> tuple[FieldFinders, FieldFinders]:
    """Return finders for the fields of a view with an entry for each seat, and for the viewer's own hand."""
    by_seat: FieldFinders = []
    own: FieldFinders = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        inner, notes = _unwrap_annotations(hint)
        if name == PLAYERS or PER_SEAT in notes:
            find = _make_finder(get_args(inner)[0]) if get_args(inner) else None
            by_seat += [(name, find)] if find is not None else []
        elif name == HAND:
            find = _make_finder(hint)
            own += [(name, find)] if find is not None else []
    return by_seat, own


def _unwrap_annotations(hint: Any) -> tuple[Any, tuple[object, ...]]:
    """Return a type without its annotations, and the annotations."""
    if get_origin(hint) is not Annotated:
        return hint, ()
    inner, *notes = get_args(hint)
    within, more = _unwrap_annotations(inner)
    return within, (*notes, *more)


@lru_cache(1024)
def _make_finder(hint: Any) -> ComponentFinder | None:
    """Return a finder for components in a value of this type, or None if it has none.

    Counts by kind are not components.
    """
    inner, notes = _unwrap_annotations(hint)
    if NOT_DRAWN in notes or any(isinstance(note, PerKind) for note in notes):
        return None
    ref = next((note.kind for note in notes if isinstance(note, Ref)), None)
    if ref is not None:
        return lambda value, holdings: None if value is None else holdings.append((ref, value))
    if get_origin(inner) in (list, tuple):
        return _make_item_finder(_make_finder(get_args(inner)[0]))
    if get_origin(inner) in (Union, UnionType):
        return _make_union_finder(get_args(inner))
    return _make_field_finder(inner) if is_dataclass(inner) else None


def _make_item_finder(find: ComponentFinder | None) -> ComponentFinder | None:
    if find is None:
        return None

    def find_items(value: Sequence[Any], holdings: list[Thing]) -> None:
        for item in value:
            find(item, holdings)

    return find_items


def _make_union_finder(kinds: Sequence[Any]) -> ComponentFinder | None:
    """Return a finder for a union type, which chooses by the class of the value.

    A value whose class has no finder uses the only finder for a type that is no dataclass.
    """
    finders = {kind: find for kind in kinds if (find := _make_finder(kind)) is not None}
    if not finders:
        return None
    plain = next((find for kind, find in finders.items() if not is_dataclass(kind)), None)

    def find_member(value: Any, holdings: list[Thing]) -> None:
        find = finders.get(type(value), plain)
        if value is not None and find is not None:
            find(value, holdings)

    return find_member


def _make_field_finder(kind: Any) -> ComponentFinder | None:
    hints = get_type_hints(kind, include_extras=True)
    parts = [(field.name, find) for field in fields(kind) if (find := _make_finder(hints[field.name])) is not None]
    if not parts:
        return None

    def find_fields(value: Any, holdings: list[Thing]) -> None:
        for name, find in parts:
            find(getattr(value, name), holdings)

    return find_fields
