"""What one seat may know of a match, as typed data; and how it becomes JSON.

A game's view is a dataclass of its own above `View`. Numbers stay numbers: a field that names a card, a place or
anything else with an id says so in its type, ``Annotated[int, Ref("card")]``, and only `to_json` turns it into the id.
What else an annotation says (`Label`, `ASIDE`, `IS_SEAT`, `BY_SEAT`, `On`, `Nth`, `MINE`, `SHARED`, `EVEN_ZERO`,
`UNTOLD`, `OF_TURN`, `OPEN`) is for the board kit and changes no JSON.
A field whose key is a word of Python's own ends with an underscore: ``with_`` is ``with`` in JSON.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from triclinium.engine.core.notation import Notation
from triclinium.engine.core.state import NOBODY, Seat, State

Ids: TypeAlias = Mapping[str, Sequence[str | int]]  # of each kind of thing, by its number; ints are printed numbers
Encode: TypeAlias = Callable[[Any, Ids], object]
Change: TypeAlias = tuple[str, object, object]  # where, before, after


@dataclass(frozen=True)
class Ref:
    """The number is of a thing of this kind: its id stands in JSON."""

    kind: str


@dataclass(frozen=True)
class By:
    """The list has an entry for each thing of this kind, or the dict for some: in JSON an object by their ids."""

    kind: str


@dataclass(frozen=True)
class Absent:
    """Where the value is None the field is absent in JSON."""


ABSENT: Final = Absent()
FIELD: Final = "field"  # what labels are translated as


@dataclass(frozen=True)
class Label:
    """What people read where the board kit shows the field; without one, its name."""

    text: str


@dataclass(frozen=True)
class Aside:
    """The board kit leaves the field out: it is for programs, or shown elsewhere."""


@dataclass(frozen=True)
class IsSeat:
    """The number is a seat, or each of the list is."""


@dataclass(frozen=True)
class BySeat:
    """The list has an entry for each seat, in their order."""


@dataclass(frozen=True)
class On:
    """The number is a space of the track of this kind; in JSON it stays a number."""

    kind: str


@dataclass(frozen=True)
class Nth:
    """The list has an entry for each place of this kind, which options name; those of seats are counted through."""

    kind: str


@dataclass(frozen=True)
class Laid:
    """What a seat has lies on the table, not in its panel: the viewer's own, or that of all."""

    of_all: bool


@dataclass(frozen=True)
class EvenZero:
    """Of a card: the board kit shows the field even where it is 0; other fields are left out then."""


ASIDE: Final = Aside()
EVEN_ZERO: Final = EvenZero()
IS_SEAT: Final = IsSeat()
BY_SEAT: Final = BySeat()
MINE: Final = Laid(of_all=False)
SHARED: Final = Laid(of_all=True)


@dataclass(frozen=True)
class Untold:
    """A preview does not tell that the field changes: other fields tell it better."""


@dataclass(frozen=True)
class OfTurn:
    """It belongs to whoever decides: a preview tells that it changes only while the same seat decides on."""


@dataclass(frozen=True)
class Open:
    """Nothing that the list holds is ever drawn: a preview names what comes to it past chance too."""


OPEN: Final = Open()
UNTOLD: Final = Untold()
OF_TURN: Final = OfTurn()


@dataclass(slots=True)
class View:
    """The part that is the same for every game: who decides what."""

    viewer: Seat | None  # None: a spectator
    seats: int
    who: Seat | None  # the seat that is asked; None: the match is over
    over: bool
    asked: str | None  # the id of the step
    options: Annotated[list[str] | None, ABSENT]  # in notation, for the seat that is asked alone


Base: TypeAlias = tuple[Seat | None, int, Seat | None, bool, str | None, list[str] | None]


def base(s: State, seat: Seat | None, notation: Notation) -> Base:
    """The fields of `View`, in their order: ``PortalsView(*base(s, seat, notation), round=...)``."""
    asked = seat is not None and seat != NOBODY and seat == s.who
    options = [notation.say(o) for o in s.legal] if asked else None
    return (seat, s.seats, None if s.over else s.who, s.over, None if s.over else s.asked.id, options)


# -- JSON ------------------------------------------------------------------------------------------------------------


def to_json(value: object, ids: Ids) -> dict[str, object]:
    """A view, or a part of one, as JSON holds it."""
    encoded = _encoder_of(type(value))(value, ids)
    assert isinstance(encoded, dict)
    return encoded


_ENCODERS: dict[object, Encode] = {}  # by annotation: each is worked out once


def _encoder_of(hint: Any) -> Encode:
    found = _ENCODERS.get(hint)
    if found is None:
        found = _ENCODERS[hint] = _made(hint)
    return found


def _made(hint: Any) -> Encode:
    """How a value of this annotation is encoded."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(args[0], args[1:])
    if origin in (Union, UnionType):
        return _union(args)
    if origin in (list, tuple, Sequence):
        return _each(_encoder_of(args[0]))
    if origin is dict:
        return _by_key(_encoder_of(args[1]))
    if hasattr(hint, "to_json"):
        return _itself
    if is_dataclass(hint):
        return _object(hint)
    if origin is Literal or hint in (bool, int, float, str, NoneType, object):
        return _as_it_is
    raise TypeError(f"a view cannot hold {hint}: say what stands in JSON")


def _annotated(inner: Any, notes: tuple[object, ...]) -> Encode:
    for note in notes:
        if isinstance(note, Ref):
            return _named(note.kind) if inner is int else _optional(_named(note.kind))
        if isinstance(note, By):
            return _by_kind(note.kind, inner)
    return _encoder_of(inner)


def _union(args: tuple[Any, ...]) -> Encode:
    """None, or one of several dataclasses, or plain values of several types."""
    kinds = [arg for arg in args if arg is not NoneType]
    if len(kinds) == 1:
        return _optional(_encoder_of(kinds[0]))
    if all(is_dataclass(kind) for kind in kinds):
        return _optional(lambda value, ids: _encoder_of(type(value))(value, ids))
    encoders = [_encoder_of(kind) for kind in kinds]
    if all(encode is _as_it_is for encode in encoders):
        return _as_it_is
    raise TypeError(f"a view cannot hold one of {args}: make it a dataclass")


def _object(kind: Any) -> Encode:
    """Its fields by name. Most hold what JSON holds too, and are taken as they are: views are long, and often told."""
    hints = get_type_hints(kind, include_extras=True)
    parts = [
        (name, name.removesuffix("_"), _encoder_of(hint), _may_be_absent(hint))
        for name, hint in ((field.name, hints[field.name]) for field in fields(kind))
    ]

    def encode(value: Any, ids: Ids) -> object:
        found: dict[str, object] = {}
        for name, key, part, absent in parts:
            held = getattr(value, name)
            if held is not None or not absent:
                found[key] = held if part is _as_it_is else part(held, ids)
        return found

    return encode


def _may_be_absent(hint: Any) -> bool:
    return get_origin(hint) is Annotated and ABSENT in get_args(hint)[1:]


def _by_kind(kind: str, inner: Any) -> Encode:
    part = _encoder_of(get_args(inner)[-1])
    if get_origin(inner) is dict:
        return lambda value, ids: {ids[kind][n]: part(held, ids) for n, held in value.items()}
    return lambda value, ids: {name: part(held, ids) for name, held in zip(ids[kind], value, strict=True)}


def _named(kind: str) -> Encode:
    return lambda value, ids: ids[kind][value]


def _optional(encode: Encode) -> Encode:
    if encode is _as_it_is:
        return encode
    return lambda value, ids: None if value is None else encode(value, ids)


def _each(encode: Encode) -> Encode:
    if encode is _as_it_is:
        return lambda value, ids: list(value)
    return lambda value, ids: [encode(held, ids) for held in value]


def _by_key(encode: Encode) -> Encode:
    if encode is _as_it_is:
        return lambda value, ids: dict(value)
    return lambda value, ids: {key: encode(held, ids) for key, held in value.items()}


def _itself(value: Any, ids: Ids) -> object:
    return value.to_json()


def _as_it_is(value: Any, ids: Ids) -> object:
    return value


# -- differences -----------------------------------------------------------------------------------------------------


def diff(before: object, after: object, path: str = "") -> list[Change]:
    """Where two views differ, field by field; empty if they are the same."""
    if before == after:
        return []
    if type(before) is type(after) and is_dataclass(before):
        found: list[Change] = []
        for field in fields(before):
            there = f"{path}.{field.name}" if path else field.name
            found += diff(getattr(before, field.name), getattr(after, field.name), there)
        return found
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [
            change for n, pair in enumerate(zip(before, after, strict=True)) for change in diff(*pair, f"{path}[{n}]")
        ]
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        return [change for key in before for change in diff(before[key], after[key], f"{path}[{key!r}]")]
    return [(path, before, after)]
