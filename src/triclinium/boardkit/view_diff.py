"""What differs between two views of one seat, as people count it: values that turn, and things that come and go.

The annotations of a view say what its numbers are. How a field is compared is worked out once from its annotation;
fields that are `ASIDE` or `UNTOLD` are passed over, and so is what every view says of the decision itself.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, Union, get_args, get_origin, get_type_hints

from triclinium.engine.core.state import Seat
from triclinium.engine.view import ASIDE, BY_SEAT, IS_SEAT, OF_TURN, OPEN, UNTOLD, By, Label, Ref, View

OF_DECISION: Final = {field.name for field in fields(View)}
PLAYERS: Final = "players"  # a list of this name has an entry for each seat
SEAT: Final = "@seat"  # the kind of seats; no kind of a game is called so


class Thing(NamedTuple):
    """Something with a name: its kind and its number."""

    kind: str
    number: int


Part: TypeAlias = str | int | Thing  # a label, a place in a list from 1, or what names the entry of a list
Value: TypeAlias = bool | int | str | Thing | None


class Where(NamedTuple):
    """A field: whose it is (None: the table's), and the way to it."""

    seat: Seat | None
    path: tuple[Part, ...]

    def under(self, part: Part) -> "Where":
        return Where(self.seat, (*self.path, part))

    def named(self, thing: Thing) -> "Where":
        """An entry that has a name: it says enough without the label of its list."""
        return Where(self.seat, (*self.path[:-1], thing))


@dataclass(frozen=True, slots=True)
class Turned:
    """A value becomes another."""

    at: Where
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class Moved:
    """Things leave a place and come to it; ``unknown`` ones too: so many more come, or, if negative, leave."""

    at: Where
    gone: tuple[Thing, ...]
    come: tuple[Thing, ...]
    unknown: int
    open: bool = False  # nothing that comes was drawn


Change: TypeAlias = Turned | Moved
Walk: TypeAlias = Callable[[Any, Any, Where, list[Change]], None]
Tell: TypeAlias = Callable[[Any], Value]

TOP: Final = Where(None, ())


def changes(before: object, after: object) -> list[Change]:
    """All that a person may see changing between two views of the same type."""
    found: list[Change] = []
    _walk_of(type(before))(before, after, TOP, found)
    return found


def in_all(worlds: Sequence[Sequence[Change]]) -> list[Change]:
    """What is the same in several worlds. A thing that comes from nowhere was drawn: it is counted, never named."""
    known: list[dict[Where, Change]] = [{change.at: change for change in world} for world in worlds]
    seen = {thing.number for change in worlds[0] if isinstance(change, Moved) for thing in change.gone}
    found: list[Change] = []
    for change in worlds[0]:
        each = [world.get(change.at) for world in known]
        if isinstance(change, Turned):
            if all(one == change for one in each):
                found.append(change)
        elif moved := _alike([one for one in each if isinstance(one, Moved)], len(each), seen):
            found.append(moved)
    return found


def _alike(each: list[Moved], worlds: int, seen: set[int]) -> Moved | None:
    """What comes and goes at one place in all worlds."""
    if len(each) < worlds:
        return None
    growth = {len(one.come) - len(one.gone) + one.unknown for one in each}
    gone = Counter(each[0].gone)
    come = Counter(thing for thing in each[0].come if each[0].open or thing.number in seen)
    for one in each[1:]:
        gone &= Counter(one.gone)
        come &= Counter(one.come)
    unknown = growth.pop() - come.total() + gone.total() if len(growth) == 1 else 0
    if not (gone or come or unknown):
        return None
    return Moved(each[0].at, tuple(gone.elements()), tuple(come.elements()), unknown)


# -- how a field is compared, by its annotation -----------------------------------------------------------------------

_WALKS: dict[object, Walk] = {}


def _walk_of(hint: Any) -> Walk:
    found = _WALKS.get(hint)
    if found is None:
        found = _WALKS[hint] = _made(hint)
    return found


def _made(hint: Any) -> Walk:
    inner, notes = _noted(hint)
    if ASIDE in notes or UNTOLD in notes:
        return _nothing
    kinds = _kinds(inner)
    if len(kinds) == 1:
        only, more = _noted(kinds[0])
        if _is_list(only):
            return _of_list(only, (*notes, *more))
        if get_origin(only) is dict:
            return _of_dict(only, (*notes, *more))
    tell = _tell_of(hint)
    walks = {kind: _object(kind) for kind in kinds if is_dataclass(kind)}

    def walk(before: Any, after: Any, at: Where, found: list[Change]) -> None:
        same = walks.get(type(before)) if type(before) is type(after) else None
        if same is not None:
            same(before, after, at, found)
        elif (old := tell(before)) != (new := tell(after)):
            found.append(Turned(at, old, new))

    return walk


def _nothing(before: Any, after: Any, at: Where, found: list[Change]) -> None:
    """Nobody is told."""


def _object(kind: Any) -> Walk:
    """Field by field; most are the same, and cost one comparison."""
    hints = get_type_hints(kind, include_extras=True)
    own = [field.name for field in fields(kind) if field.name not in OF_DECISION or not issubclass(kind, View)]
    if PLAYERS in hints:
        hints[PLAYERS] = Annotated[hints[PLAYERS], BY_SEAT]
    parts = [(name, _label(name, hints[name]), _walk_of(hints[name])) for name in own]
    told = [(name, label, walk) for name, label, walk in parts if walk is not _nothing]
    of_turn = {name for name in own if OF_TURN in _noted(hints[name])[1]}

    def walk(before: Any, after: Any, at: Where, found: list[Change]) -> None:
        for name, label, part in told:
            old, new = getattr(before, name), getattr(after, name)
            if old != new and not (name in of_turn and before.who != after.who):
                part(old, new, at.under(label), found)

    return walk


def _of_list(hint: Any, notes: Sequence[object]) -> Walk:
    """Entries of seats, of things with names, cards that come and go, or anything else one by one."""
    item = get_args(hint)[0]
    named = next((note.kind for note in notes if isinstance(note, By)), None)
    per_seat = BY_SEAT in notes
    thing = None if named is not None or per_seat else _thing_of(item, notes)
    if thing is not None:
        return _things(thing, OPEN in notes)
    walk_item = _walk_of(item)
    name_item = _name_of(item, first=True)
    has_parts = any(is_dataclass(kind) for kind in _kinds(_noted(item)[0]))

    def place(n: int, held: Any, at: Where) -> Where:
        if per_seat:
            return Where(n, at.path[:-1] if has_parts else at.path)
        if named is not None:
            return at.named(Thing(named, n)) if has_parts else at.under(Thing(named, n))
        name = name_item(held)
        return at.under(n + 1) if name is None else at.named(name)

    def walk(before: Any, after: Any, at: Where, found: list[Change]) -> None:
        old, new = before or (), after or ()
        if len(old) != len(new):
            found.append(Turned(at, len(old), len(new)))
            return
        for n, (one, other) in enumerate(zip(old, new, strict=True)):
            if one == other:
                continue
            walk_item(one, other, place(n, one, at), found)

    return walk


def _of_dict(hint: Any, notes: Sequence[object]) -> Walk:
    """By things with names; an entry that is not there is None."""
    named = next((note.kind for note in notes if isinstance(note, By)), None)
    walk_item = _walk_of(get_args(hint)[1])

    def walk(before: Any, after: Any, at: Where, found: list[Change]) -> None:
        for key in dict.fromkeys((*before, *after)):
            old, new = before.get(key), after.get(key)
            if old != new:
                walk_item(old, new, at.under(key if named is None else Thing(named, key)), found)

    return walk


def _things(thing: Callable[[Any], Thing | None], is_open: bool) -> Walk:
    def counted(items: Iterable[Any] | None) -> tuple[Counter[Thing], int]:
        told = [thing(item) for item in items or () if item is not None]
        return Counter(one for one in told if one is not None), told.count(None)

    def walk(before: Any, after: Any, at: Where, found: list[Change]) -> None:
        (old, hidden), (new, hidden_now) = counted(before), counted(after)
        gone, come, unknown = old - new, new - old, hidden_now - hidden
        if gone or come or unknown:  # else they have only changed places
            found.append(Moved(at, tuple(gone.elements()), tuple(come.elements()), unknown, is_open))

    return walk


# -- what an annotation says ------------------------------------------------------------------------------------------


def _noted(hint: Any) -> tuple[Any, tuple[object, ...]]:
    """A type without its notes, and the notes."""
    return (get_args(hint)[0], get_args(hint)[1:]) if get_origin(hint) is Annotated else (hint, ())


def _kinds(hint: Any) -> list[Any]:
    """The types of a union that are not None."""
    args = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return [arg for arg in args if arg is not NoneType]


def _is_list(hint: Any) -> bool:
    return get_origin(hint) in (list, tuple, Sequence)


def _label(name: str, hint: Any) -> str:
    given = (note.text for note in _noted(hint)[1] if isinstance(note, Label))
    return next(given, name.rstrip("_").replace("_", " "))


def _ref(notes: Sequence[object]) -> str | None:
    """The kind of things that a number with these notes is of."""
    if IS_SEAT in notes:
        return SEAT
    return next((note.kind for note in notes if isinstance(note, Ref)), None)


def _ref_in(hint: Any) -> str | None:
    """The same for a number that may be None, wherever its note stands."""
    inner, notes = _noted(hint)
    return _ref(notes) or next((kind for one in _kinds(inner) if (kind := _ref(_noted(one)[1]))), None)


def _fields_of(kind: Any) -> dict[str, Any]:
    """The annotations of a dataclass; of another type, none."""
    return get_type_hints(kind, include_extras=True) if is_dataclass(kind) else {}


def _thing_of(item: Any, notes: Sequence[object]) -> Callable[[Any], Thing | None] | None:
    """What names an entry of a list of cards, seats or the like: itself, or its `card`; None: it is no such list."""
    kind = _ref_in(item) or (SEAT if IS_SEAT in notes else None)
    if kind is not None:
        return lambda number: Thing(kind, number)
    cards = [_ref_in(_fields_of(one).get("card")) for one in _kinds(_noted(item)[0])]
    if not cards or cards[0] is None or any(card is None for card in cards):
        return None
    of = cards[0]
    return lambda held: None if held.card is None else Thing(of, held.card)


def _name_of(item: Any, first: bool = False) -> Callable[[Any], Thing | None]:
    """What names something with parts: a field that refers to a thing, the first one that does or the very first."""
    named = {}
    for kind in _kinds(_noted(item)[0]):
        refs = [(name, _ref_in(hint)) for name, hint in _fields_of(kind).items()]
        named[kind] = next(((name, ref) for name, ref in refs[: 1 if first else None] if ref is not None), None)

    def name(held: Any) -> Thing | None:
        found = named.get(type(held))
        number = None if found is None else getattr(held, found[0])
        return None if found is None or number is None else Thing(found[1], number)

    return name


def _tell_of(hint: Any) -> Tell:
    """One value in short: a thing, a number, a word; something with parts by its name, or that it is there."""
    kind = _ref_in(hint)
    name = _name_of(hint)

    def tell(value: Any) -> Value:
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return value if kind is None else Thing(kind, value)
        return name(value) or True

    return tell
