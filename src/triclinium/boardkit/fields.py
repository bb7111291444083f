"""Facts about the fields of a view, read from their annotations once for each type."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from triclinium.engine.core.text import Name
from triclinium.engine.view import (
    FIELD,
    Heap,
    IsSeat,
    Label,
    NotDrawn,
    OnTable,
    OnTrack,
    OutOf,
    PerKind,
    PerPlace,
    PerSeat,
    Ref,
    ShowZero,
    View,
)

FRAME_FIELDS = frozenset(field.name for field in fields(View))  # fields that the frame of the table shows


@dataclass(frozen=True, slots=True)
class ViewField:
    """A field that is shown: its label, the kind of its numbers, and whether they are seats."""

    name: str
    label: Name
    ref: str = ""
    per_kind: str = ""
    is_seat: bool = False
    per_seat: bool = False
    is_list: bool = False  # the field is a list of such numbers
    track: str = ""  # the track to whose spaces the number refers
    place_kind: str = ""  # the kind of the places that the list fills
    laid: OnTable | None = None
    show_zero: bool = False  # shown even if it is empty
    out_of: str = ""  # the field with the limit of this number
    is_heap: bool = False  # pieces on the table
    inner_kinds: tuple[str, ...] = ()  # the kinds of things to which its dataclasses refer


_FIELDS_BY_TYPE: dict[type[Any], list[ViewField]] = {}  # fields by type, as a cache


def list_shown_fields(kind: type[Any]) -> list[ViewField]:
    """Return the fields of a dataclass that are shown."""
    known_fields = _FIELDS_BY_TYPE.get(kind)
    if known_fields is None:
        known_fields = _FIELDS_BY_TYPE[kind] = _read_fields(kind)
    return known_fields


def _read_fields(kind: type[Any]) -> list[ViewField]:
    hints = get_type_hints(kind, include_extras=True)
    own = [field.name for field in fields(kind) if not (issubclass(kind, View) and field.name in FRAME_FIELDS)]
    shown = [_read_field(name, list(_find_annotations(hints[name]))) for name in own]
    return [
        replace(field, inner_kinds=tuple(iterate_inner_kinds(hints[field.name])))
        for field in shown
        if field is not None
    ]


def find_kind_of_field(type_: type[Any], name: str) -> str:
    """Return the kind of the things that a field refers to, even if it is not shown. It is "" if there is none."""
    if not is_dataclass(type_) or name not in {field.name for field in fields(type_)}:
        return ""
    annotations = _find_annotations(get_type_hints(type_, include_extras=True)[name])
    return next((annotation.kind for annotation in annotations if isinstance(annotation, Ref)), "")


def iterate_inner_kinds(hint: Any) -> Iterator[str]:
    if is_dataclass(hint) and isinstance(hint, type) and not hasattr(hint, "to_json"):
        yield from (field.ref for field in list_shown_fields(hint) if field.ref and not field.is_list)
    for arg in get_args(hint):
        yield from iterate_inner_kinds(arg)


def _find_annotations(hint: Any) -> Iterator[object]:
    """Yield all annotations in a type hint, the outermost first, and the list types in it."""
    args = get_args(hint)
    if get_origin(hint) in (list, tuple, dict):
        yield get_origin(hint)
    if get_origin(hint) is Annotated:
        yield from args[1:]
        args = args[:1]
    for arg in args:
        yield from _find_annotations(arg)


def _read_field(name: str, annotations: list[object]) -> ViewField | None:
    if any(isinstance(annotation, NotDrawn) for annotation in annotations):
        return None
    label = next(
        (annotation.text for annotation in annotations if isinstance(annotation, Label)),
        name.strip("_").replace("_", " "),
    )
    return ViewField(
        name,
        Name(label, FIELD),
        ref=next((annotation.kind for annotation in annotations if isinstance(annotation, Ref)), ""),
        per_kind=next((annotation.kind for annotation in annotations if isinstance(annotation, PerKind)), ""),
        is_seat=any(isinstance(annotation, IsSeat) for annotation in annotations),
        per_seat=any(isinstance(annotation, PerSeat) for annotation in annotations),
        is_list=any(isinstance(annotation, type) for annotation in annotations),
        track=next((annotation.kind for annotation in annotations if isinstance(annotation, OnTrack)), ""),
        place_kind=next((annotation.kind for annotation in annotations if isinstance(annotation, PerPlace)), ""),
        show_zero=any(isinstance(annotation, ShowZero) for annotation in annotations),
        out_of=next((annotation.field for annotation in annotations if isinstance(annotation, OutOf)), ""),
        is_heap=any(isinstance(annotation, Heap) for annotation in annotations),
        laid=next((annotation for annotation in annotations if isinstance(annotation, OnTable)), None),
    )
