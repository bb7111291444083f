"""The information that one seat may have of a match, as typed data, and its conversion to JSON.

A game's view is a dataclass that extends `View`. Its values stay numbers. A field with the number of a card, a place or
another thing with an id says so in its type, ``Annotated[int, Ref("card")]``. Only `to_json` converts it to the id. All
other annotations (`Label`, `NOT_DRAWN`, `IS_SEAT`, `PER_SEAT`, `OnTrack`, `PerPlace`, `OWN_ON_TABLE`, `ALL_ON_TABLE`,
`SHOW_ZERO`, `OutOf`, `HEAP`, `NOT_IN_PREVIEW`, `SAME_SEAT_ONLY`, `NEVER_RANDOM`) are for the board kit and do not
affect JSON. A field whose name is a Python keyword ends with an underscore: ``with_`` becomes ``with`` in JSON.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from triclinium.engine.core.notation import Notation
from triclinium.engine.core.state import NOBODY, Seat, State

Ids: TypeAlias = Mapping[str, Sequence[str | int]]  # for each kind, the ids by number; integers are printed numbers
Encoder: TypeAlias = Callable[[Any, Ids], object]
Difference: TypeAlias = tuple[str, object, object]  # path, value before, value after


@dataclass(frozen=True)
class Ref:
    """Annotation: the number refers to a thing of this kind, and JSON shows its id."""

    kind: str


@dataclass(frozen=True)
class PerKind:
    """Annotation: the list has an entry for each thing of this kind, or the dict for some.

    JSON shows an object by id.
    """

    kind: str


@dataclass(frozen=True)
class OmitNone:
    """Annotation: JSON omits the field if the value is None."""


OMIT_NONE: Final = OmitNone()
FIELD: Final = "field"  # translation context of labels


@dataclass(frozen=True)
class Label:
    """Annotation: the name under which the board kit shows the field. The default is the field's name."""

    text: str


@dataclass(frozen=True)
class NotDrawn:
    """Annotation: the board kit does not show the field, because only programs need it or it appears elsewhere."""


@dataclass(frozen=True)
class IsSeat:
    """Annotation: the number, or each number of the list, is a seat."""


@dataclass(frozen=True)
class PerSeat:
    """Annotation: the list has an entry for each seat, in order."""


@dataclass(frozen=True)
class OnTrack:
    """Annotation: the number is a space on the track of this kind. It stays a number in JSON."""

    kind: str


@dataclass(frozen=True)
class PerPlace:
    """Annotation: the list has an entry for each place of this kind, numbered across all seats as options name it."""

    kind: str


@dataclass(frozen=True)
class OnTable:
    """Annotation: the component is shown on the table instead of the seat's panel, for all seats or the viewer only."""

    all_seats: bool


@dataclass(frozen=True)
class OutOf:
    """Annotation: the number is shown out of that in another field of the view, for instance "deal 1 of 10"."""

    field: str


@dataclass(frozen=True)
class Heap:
    """Annotation: the number counts pieces in a heap on the table. With `PER_SEAT`, the heap has those of all seats."""


@dataclass(frozen=True)
class ShowZero:
    """Annotation for cards: the board kit shows the field even if it is 0. It hides other zero fields."""


NOT_DRAWN: Final = NotDrawn()
SHOW_ZERO: Final = ShowZero()
HEAP: Final = Heap()
IS_SEAT: Final = IsSeat()
PER_SEAT: Final = PerSeat()
OWN_ON_TABLE: Final = OnTable(all_seats=False)
ALL_ON_TABLE: Final = OnTable(all_seats=True)


@dataclass(frozen=True)
class NotInPreview:
    """Annotation: previews do not mention changes of this field, because other fields describe them better."""


@dataclass(frozen=True)
class SameSeatOnly:
    """Annotation: previews mention changes of this field only while the same seat continues to decide."""


@dataclass(frozen=True)
class NeverRandom:
    """Annotation: nothing in the list is ever drawn at random.

    A preview can therefore show additions to it even after a random event.
    """


NEVER_RANDOM: Final = NeverRandom()
NOT_IN_PREVIEW: Final = NotInPreview()
SAME_SEAT_ONLY: Final = SameSeatOnly()


@dataclass(slots=True)
class View:
    """The part of a view that all games share: the seat that decides and its options."""

    viewer: Seat | None  # the seat that sees the view; None for a spectator
    seats: int
    who: Seat | None  # the seat that is asked; None after the match
    over: bool
    asked: str | None  # the id of the step
    options: Annotated[list[str] | None, OMIT_NONE]  # notations, only in the view of the asked seat


BaseFields: TypeAlias = tuple[Seat | None, int, Seat | None, bool, str | None, list[str] | None]


def base_fields(s: State, seat: Seat | None, notation: Notation) -> BaseFields:
    """Return the fields of `View` in order, for ``PortalsView(*base_fields(s, seat, notation), round=...)``."""
    asked = seat is not None and seat != NOBODY and seat == s.who
    options = [notation.format_option(o) for o in s.legal] if asked else None
    return (seat, s.seats, None if s.over else s.who, s.over, None if s.over else s.asked.id, options)


# -- JSON ------------------------------------------------------------------------------------------------------------


def to_json(value: object, ids: Ids) -> dict[str, object]:
    """Return a view, or a part of one, as JSON data."""
    encoded = _get_encoder(type(value))(value, ids)
    assert isinstance(encoded, dict)
    return encoded


_ENCODERS: dict[object, Encoder] = {}  # cache of the encoders by type annotation


def _get_encoder(hint: Any) -> Encoder:
    encoder = _ENCODERS.get(hint)
    if encoder is None:
        encoder = _ENCODERS[hint] = _build_encoder(hint)
    return encoder


def _build_encoder(hint: Any) -> Encoder:
    """Return the encoder for values of this annotation. Raise TypeError if a view cannot hold them."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _make_annotated_encoder(args[0], args[1:])
    if origin in (Union, UnionType):
        return _make_union_encoder(args)
    if origin in (list, tuple, Sequence):
        return _make_list_encoder(_get_encoder(args[0]))
    if origin is dict:
        return _make_dict_encoder(_get_encoder(args[1]))
    if hasattr(hint, "to_json"):
        return _return_unchanged
    if is_dataclass(hint):
        return _make_object_encoder(hint)
    if origin is Literal or hint in (bool, int, float, str, NoneType, object):
        return _encode_plain
    raise TypeError(f"a view cannot contain {hint}; use a type that JSON has")


def _make_annotated_encoder(inner: Any, annotations: tuple[object, ...]) -> Encoder:
    for annotation in annotations:
        if isinstance(annotation, Ref):
            return (
                _make_ref_encoder(annotation.kind)
                if inner is int
                else _make_optional_encoder(_make_ref_encoder(annotation.kind))
            )
        if isinstance(annotation, PerKind):
            return _make_per_kind_encoder(annotation.kind, inner)
    return _get_encoder(inner)


def _make_union_encoder(args: tuple[Any, ...]) -> Encoder:
    """Return the encoder for None, for one of several dataclasses, or for plain values of several types."""
    kinds = [arg for arg in args if arg is not NoneType]
    if len(kinds) == 1:
        return _make_optional_encoder(_get_encoder(kinds[0]))
    if all(is_dataclass(kind) for kind in kinds):
        return _make_optional_encoder(lambda value, ids: _get_encoder(type(value))(value, ids))
    encoders = [_get_encoder(kind) for kind in kinds]
    if all(encode is _encode_plain for encode in encoders):
        return _encode_plain
    raise TypeError(f"a view cannot contain one of {args}; use a dataclass")


def _make_object_encoder(kind: Any) -> Encoder:
    """Return the encoder for a dataclass.

    Plain fields are copied without a call, because views are long and frequent.
    """
    hints = get_type_hints(kind, include_extras=True)
    parts = [
        (name, name.removesuffix("_"), _get_encoder(hint), _can_be_omitted(hint))
        for name, hint in ((field.name, hints[field.name]) for field in fields(kind))
    ]

    def encode(value: Any, ids: Ids) -> object:
        encoded: dict[str, object] = {}
        for name, key, part, absent in parts:
            field_value = getattr(value, name)
            if field_value is not None or not absent:
                encoded[key] = field_value if part is _encode_plain else part(field_value, ids)
        return encoded

    return encode


def _can_be_omitted(hint: Any) -> bool:
    return get_origin(hint) is Annotated and OMIT_NONE in get_args(hint)[1:]


def _make_per_kind_encoder(kind: str, inner: Any) -> Encoder:
    part = _get_encoder(get_args(inner)[-1])
    if get_origin(inner) is dict:
        return lambda value, ids: {ids[kind][n]: part(held, ids) for n, held in value.items()}
    return lambda value, ids: {name: part(held, ids) for name, held in zip(ids[kind], value, strict=True)}


def _make_ref_encoder(kind: str) -> Encoder:
    return lambda value, ids: ids[kind][value]


def _make_optional_encoder(encode: Encoder) -> Encoder:
    if encode is _encode_plain:
        return encode
    return lambda value, ids: None if value is None else encode(value, ids)


def _make_list_encoder(encode: Encoder) -> Encoder:
    if encode is _encode_plain:
        return lambda value, ids: list(value)
    return lambda value, ids: [encode(held, ids) for held in value]


def _make_dict_encoder(encode: Encoder) -> Encoder:
    if encode is _encode_plain:
        return lambda value, ids: dict(value)
    return lambda value, ids: {key: encode(held, ids) for key, held in value.items()}


def _return_unchanged(value: Any, ids: Ids) -> object:
    return value.to_json()


def _encode_plain(value: Any, ids: Ids) -> object:
    return value


# -- differences -----------------------------------------------------------------------------------------------------


def find_differences(before: object, after: object, path: str = "") -> list[Difference]:
    """Return the differences between two views, field by field. The list is empty if they are equal."""
    if before == after:
        return []
    if type(before) is type(after) and is_dataclass(before):
        differences: list[Difference] = []
        for field in fields(before):
            there = f"{path}.{field.name}" if path else field.name
            differences += find_differences(getattr(before, field.name), getattr(after, field.name), there)
        return differences
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [
            change
            for n, pair in enumerate(zip(before, after, strict=True))
            for change in find_differences(*pair, f"{path}[{n}]")
        ]
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        return [change for key in before for change in find_differences(before[key], after[key], f"{path}[{key!r}]")]
    return [(path, before, after)]
