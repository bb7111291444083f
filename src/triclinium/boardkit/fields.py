"""What the annotations of a view say of each field, worked out once a type."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from triclinium.engine.core.text import Name
from triclinium.engine.view import FIELD, Aside, By, BySeat, EvenZero, IsSeat, Label, Laid, Nth, On, Ref, View

OURS = frozenset(field.name for field in fields(View))  # the frame of the table shows these


@dataclass(frozen=True, slots=True)
class Field:
    """A field as it is shown: its label, of which kind its numbers are, and whether they are seats."""

    name: str
    label: Name
    ref: str = ""
    by: str = ""
    is_seat: bool = False
    by_seat: bool = False
    many: bool = False  # a list of them
    on: str = ""  # the track whose space the number is
    nth: str = ""  # the kind of the places that the list fills
    laid: Laid | None = None
    always: bool = False  # told even where it is nothing
    inner: tuple[str, ...] = ()  # the kinds that its dataclasses name one thing of


_KNOWN: dict[type[Any], list[Field]] = {}  # by type: each is worked out once


def fields_of(kind: type[Any]) -> list[Field]:
    """Those of a dataclass that are shown."""
    found = _KNOWN.get(kind)
    if found is None:
        found = _KNOWN[kind] = _worked_out(kind)
    return found


def _worked_out(kind: type[Any]) -> list[Field]:
    hints = get_type_hints(kind, include_extras=True)
    own = [field.name for field in fields(kind) if not (issubclass(kind, View) and field.name in OURS)]
    shown = [_field(name, list(_notes(hints[name]))) for name in own]
    return [replace(field, inner=tuple(_inner(hints[field.name]))) for field in shown if field is not None]


def _inner(hint: Any) -> Iterator[str]:
    if is_dataclass(hint) and isinstance(hint, type) and not hasattr(hint, "to_json"):
        yield from (field.ref for field in fields_of(hint) if field.ref and not field.many)
    for arg in get_args(hint):
        yield from _inner(arg)


def _notes(hint: Any) -> Iterator[object]:
    """All that is annotated in a hint, the outermost first, and the lists among its types."""
    args = get_args(hint)
    if get_origin(hint) in (list, tuple, dict):
        yield get_origin(hint)
    if get_origin(hint) is Annotated:
        yield from args[1:]
        args = args[:1]
    for arg in args:
        yield from _notes(arg)


def _field(name: str, notes: list[object]) -> Field | None:
    if any(isinstance(note, Aside) for note in notes):
        return None
    label = next((note.text for note in notes if isinstance(note, Label)), name.strip("_").replace("_", " "))
    return Field(
        name,
        Name(label, FIELD),
        ref=next((note.kind for note in notes if isinstance(note, Ref)), ""),
        by=next((note.kind for note in notes if isinstance(note, By)), ""),
        is_seat=any(isinstance(note, IsSeat) for note in notes),
        by_seat=any(isinstance(note, BySeat) for note in notes),
        many=any(isinstance(note, type) for note in notes),
        on=next((note.kind for note in notes if isinstance(note, On)), ""),
        nth=next((note.kind for note in notes if isinstance(note, Nth)), ""),
        always=any(isinstance(note, EvenZero) for note in notes),
        laid=next((note for note in notes if isinstance(note, Laid)), None),
    )
