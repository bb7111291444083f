"""The differences between two views of one seat: values that change, and things that come and go.

The annotations of a view give the meaning of its numbers. How a field is compared is derived from its annotation once.
Fields that are `NOT_DRAWN` or `NOT_IN_PREVIEW` are skipped, and so are the fields that describe the decision itself.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, Union, get_args, get_origin, get_type_hints

from triclinium.engine.core.state import Seat
from triclinium.engine.view import (
    IS_SEAT,
    NEVER_RANDOM,
    NOT_DRAWN,
    NOT_IN_PREVIEW,
    PER_SEAT,
    SAME_SEAT_ONLY,
    Label,
    PerKind,
    Ref,
    View,
)

DECISION_FIELDS: Final = {field.name for field in fields(View)}
PLAYERS: Final = "players"  # the name of a list with an entry for each seat
SEAT_KIND: Final = "@seat"  # the kind of seats; no kind of a game has this name


class ThingRef(NamedTuple):
    """A reference to something with a name: its kind and number."""

    kind: str
    number: int


PathPart: TypeAlias = str | int | ThingRef  # a label, an index from 1, or the name of a list's entry
Value: TypeAlias = bool | int | str | ThingRef | None


class FieldPath(NamedTuple):
    """The path to a field, and the seat that it belongs to (None: the table)."""

    seat: Seat | None
    path: tuple[PathPart, ...]

    def with_child(self, part: PathPart) -> "FieldPath":
        return FieldPath(self.seat, (*self.path, part))

    def with_named_entry(self, thing: ThingRef) -> "FieldPath":
        """Return the path to an entry that has a name: the name replaces the label of its list."""
        return FieldPath(self.seat, (*self.path[:-1], thing))


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A change of a value."""

    field_path: FieldPath
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class ThingMove:
    """Things that leave a place and come to it.

    ``unknown`` counts hidden things: positive if they come, negative if they leave.
    """

    field_path: FieldPath
    removed: tuple[ThingRef, ...]
    added: tuple[ThingRef, ...]
    unknown_growth: int
    is_open: bool = False  # True if none of the things that arrive was drawn at random


ViewChange: TypeAlias = ValueChange | ThingMove
Comparer: TypeAlias = Callable[[Any, Any, FieldPath, list[ViewChange]], None]
Summarizer: TypeAlias = Callable[[Any], Value]

ROOT_PATH: Final = FieldPath(None, ())


def diff_views(before: object, after: object) -> list[ViewChange]:
    """Return all changes between two views of the same type that a person can see."""
    view_changes: list[ViewChange] = []
    _get_comparer(type(before))(before, after, ROOT_PATH, view_changes)
    return view_changes


def find_common_changes(worlds: Sequence[Sequence[ViewChange]]) -> list[ViewChange]:
    """Return the changes that are the same in several determinizations.

    A thing that comes from nowhere was drawn: it is counted, never named.
    """
    changes_by_path: list[dict[FieldPath, ViewChange]] = [
        {change.field_path: change for change in world} for world in worlds
    ]
    seen = {thing.number for change in worlds[0] if isinstance(change, ThingMove) for thing in change.removed}
    common: list[ViewChange] = []
    for change in worlds[0]:
        each = [world.get(change.field_path) for world in changes_by_path]
        if isinstance(change, ValueChange):
            if all(other == change for other in each):
                common.append(change)
        elif moved := _find_common_move([other for other in each if isinstance(other, ThingMove)], len(each), seen):
            common.append(moved)
    return common


def _find_common_move(each: list[ThingMove], worlds: int, seen: set[int]) -> ThingMove | None:
    """Return what comes and goes at one place in all determinizations."""
    if len(each) < worlds:
        return None
    growth = {len(move.added) - len(move.removed) + move.unknown_growth for move in each}
    removed = Counter(each[0].removed)
    added = Counter(thing for thing in each[0].added if each[0].is_open or thing.number in seen)
    for move in each[1:]:
        removed &= Counter(move.removed)
        added &= Counter(move.added)
    unknown = growth.pop() - added.total() + removed.total() if len(growth) == 1 else 0
    if not (removed or added or unknown):
        return None
    return ThingMove(each[0].field_path, tuple(removed.elements()), tuple(added.elements()), unknown)


# -- comparison of fields by their annotations -------------------------------------------------------------------------

_COMPARERS: dict[object, Comparer] = {}


def _get_comparer(hint: Any) -> Comparer:
    comparer = _COMPARERS.get(hint)
    if comparer is None:
        comparer = _COMPARERS[hint] = _build_comparer(hint)
    return comparer


def _build_comparer(hint: Any) -> Comparer:
    inner, annotations = _split_annotation(hint)
    if NOT_DRAWN in annotations or NOT_IN_PREVIEW in annotations:
        return _ignore_field
    kinds = _list_union_types(inner)
    if len(kinds) == 1:
        only, more = _split_annotation(kinds[0])
        if _is_list(only):
            return _make_list_comparer(only, (*annotations, *more))
        if get_origin(only) is dict:
            return _make_dict_comparer(only, (*annotations, *more))
    summarize = _make_value_summarizer(hint)
    comparers = {kind: _make_object_comparer(kind) for kind in kinds if is_dataclass(kind)}

    def compare(before: Any, after: Any, path: FieldPath, view_changes: list[ViewChange]) -> None:
        comparer = comparers.get(type(before)) if type(before) is type(after) else None
        if comparer is not None:
            comparer(before, after, path, view_changes)
        elif (old := summarize(before)) != (new := summarize(after)):
            view_changes.append(ValueChange(path, old, new))

    return compare


def _ignore_field(before: Any, after: Any, path: FieldPath, view_changes: list[ViewChange]) -> None:
    """Ignore a field that players are not shown."""


def _make_object_comparer(kind: Any) -> Comparer:
    """Return a function that compares objects field by field; equal objects cost one comparison."""
    hints = get_type_hints(kind, include_extras=True)
    own = [field.name for field in fields(kind) if field.name not in DECISION_FIELDS or not issubclass(kind, View)]
    if PLAYERS in hints:
        hints[PLAYERS] = Annotated[hints[PLAYERS], PER_SEAT]
    parts = [(name, _make_field_label(name, hints[name]), _get_comparer(hints[name])) for name in own]
    compared = [(name, label, compare) for name, label, compare in parts if compare is not _ignore_field]
    turn_fields = {name for name in own if SAME_SEAT_ONLY in _split_annotation(hints[name])[1]}

    def compare(before: Any, after: Any, path: FieldPath, view_changes: list[ViewChange]) -> None:
        for name, label, compare_field in compared:
            old, new = getattr(before, name), getattr(after, name)
            if old != new and not (name in turn_fields and before.who != after.who):
                compare_field(old, new, path.with_child(label), view_changes)

    return compare


def _make_list_comparer(hint: Any, annotations: Sequence[object]) -> Comparer:
    """Return a function that compares lists: by seat, by name, as cards that come and go, or entry by entry."""
    item = get_args(hint)[0]
    key_kind = next((note.kind for note in annotations if isinstance(note, PerKind)), None)
    per_seat = PER_SEAT in annotations
    thing = None if key_kind is not None or per_seat else _make_thing_reader(item, annotations)
    if thing is not None:
        return _make_things_comparer(thing, NEVER_RANDOM in annotations)
    compare_item = _get_comparer(item)
    name_item = _make_name_reader(item, first=True)
    has_parts = any(is_dataclass(kind) for kind in _list_union_types(_split_annotation(item)[0]))

    def make_entry_path(n: int, entry: Any, path: FieldPath) -> FieldPath:
        if per_seat:
            return FieldPath(n, path.path[:-1] if has_parts else path.path)
        if key_kind is not None:
            return path.with_named_entry(ThingRef(key_kind, n)) if has_parts else path.with_child(ThingRef(key_kind, n))
        name = name_item(entry)
        return path.with_child(n + 1) if name is None else path.with_named_entry(name)

    def compare(before: Any, after: Any, path: FieldPath, view_changes: list[ViewChange]) -> None:
        old, new = before or (), after or ()
        if len(old) != len(new):
            view_changes.append(ValueChange(path, len(old), len(new)))
            return
        for n, (old_item, new_item) in enumerate(zip(old, new, strict=True)):
            if old_item == new_item:
                continue
            compare_item(old_item, new_item, make_entry_path(n, old_item, path), view_changes)

    return compare


def _make_dict_comparer(hint: Any, annotations: Sequence[object]) -> Comparer:
    """Return a function that compares dicts by key; a missing entry is None."""
    key_kind = next((note.kind for note in annotations if isinstance(note, PerKind)), None)
    compare_item = _get_comparer(get_args(hint)[1])

    def compare(before: Any, after: Any, path: FieldPath, view_changes: list[ViewChange]) -> None:
        for key in dict.fromkeys((*before, *after)):
            old, new = before.get(key), after.get(key)
            if old != new:
                compare_item(
                    old, new, path.with_child(key if key_kind is None else ThingRef(key_kind, key)), view_changes
                )

    return compare


def _make_things_comparer(read_thing: Callable[[Any], ThingRef | None], is_open: bool) -> Comparer:
    def count_things(items: Iterable[Any] | None) -> tuple[Counter[ThingRef], int]:
        refs = [read_thing(item) for item in items or () if item is not None]
        return Counter(ref for ref in refs if ref is not None), refs.count(None)

    def compare(before: Any, after: Any, path: FieldPath, view_changes: list[ViewChange]) -> None:
        (old, hidden), (new, hidden_now) = count_things(before), count_things(after)
        removed, added, unknown = old - new, new - old, hidden_now - hidden
        if removed or added or unknown:  # otherwise the things have only changed places
            view_changes.append(ThingMove(path, tuple(removed.elements()), tuple(added.elements()), unknown, is_open))

    return compare


# -- meaning of annotations --------------------------------------------------------------------------------------------


def _split_annotation(hint: Any) -> tuple[Any, tuple[object, ...]]:
    """Return a type without its annotations, and the annotations."""
    return (get_args(hint)[0], get_args(hint)[1:]) if get_origin(hint) is Annotated else (hint, ())


def _list_union_types(hint: Any) -> list[Any]:
    """Return the types of a union other than None."""
    args = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return [arg for arg in args if arg is not NoneType]


def _is_list(hint: Any) -> bool:
    return get_origin(hint) in (list, tuple, Sequence)


def _make_field_label(name: str, hint: Any) -> str:
    labels = (note.text for note in _split_annotation(hint)[1] if isinstance(note, Label))
    return next(labels, name.rstrip("_").replace("_", " "))


def _get_annotated_kind(annotations: Sequence[object]) -> str | None:
    """Return the kind of things to which a number with these annotations refers."""
    if IS_SEAT in annotations:
        return SEAT_KIND
    return next((note.kind for note in annotations if isinstance(note, Ref)), None)


def _find_annotated_kind(hint: Any) -> str | None:
    """Return the kind of things to which a number refers, even if the number can be None."""
    inner, annotations = _split_annotation(hint)
    return _get_annotated_kind(annotations) or next(
        (
            kind
            for type_hint in _list_union_types(inner)
            if (kind := _get_annotated_kind(_split_annotation(type_hint)[1]))
        ),
        None,
    )


def _get_dataclass_hints(kind: Any) -> dict[str, Any]:
    """Return the type hints of a dataclass; none for any other type."""
    return get_type_hints(kind, include_extras=True) if is_dataclass(kind) else {}


def _make_thing_reader(item: Any, annotations: Sequence[object]) -> Callable[[Any], ThingRef | None] | None:
    """Return a function that reads the thing that names an entry of a list, or None if entries have no names."""
    kind = _find_annotated_kind(item) or (SEAT_KIND if IS_SEAT in annotations else None)
    if kind is not None:
        return lambda number: ThingRef(kind, number)
    cards = [
        _find_annotated_kind(_get_dataclass_hints(type_hint).get("card"))
        for type_hint in _list_union_types(_split_annotation(item)[0])
    ]
    if not cards or cards[0] is None or any(card is None for card in cards):
        return None
    card_kind = cards[0]
    return lambda entry: None if entry.card is None else ThingRef(card_kind, entry.card)


def _make_name_reader(item: Any, first: bool = False) -> Callable[[Any], ThingRef | None]:
    """Return a function that reads the thing to which a dataclass refers; with ``first``, its first field only."""
    name_fields = {}
    for kind in _list_union_types(_split_annotation(item)[0]):
        refs = [(read_name, _find_annotated_kind(hint)) for read_name, hint in _get_dataclass_hints(kind).items()]
        name_fields[kind] = next(
            ((read_name, ref) for read_name, ref in refs[: 1 if first else None] if ref is not None), None
        )

    def read_name(entry: Any) -> ThingRef | None:
        name_field = name_fields.get(type(entry))
        number = None if name_field is None else getattr(entry, name_field[0])
        return None if name_field is None or number is None else ThingRef(name_field[1], number)

    return read_name


def _make_value_summarizer(hint: Any) -> Summarizer:
    """Return a function that shortens a value to a thing, a number or a word. It shortens a dataclass to its name."""
    kind = _find_annotated_kind(hint)
    name = _make_name_reader(hint)

    def summarize(value: Any) -> Value:
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return value if kind is None else ThingRef(kind, value)
        return name(value) or True

    return summarize
