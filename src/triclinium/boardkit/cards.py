"""Cards of a view: by their number, or as a dataclass that names one and tells more of it."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from typing import Any, TypeAlias

from triclinium.boardkit.fields import Field, fields_of
from triclinium.boardkit.parts import Button, Card, Counter
from triclinium.engine.component_kinds import Kind
from triclinium.engine.core.text import Arg, Joined, Message, Named, SeatName

On: TypeAlias = Callable[[str, int], list[Button]]


def new_card(kind: Kind, n: int | None, buttons: list[Button]) -> Card:
    """A card by its number: its face, its back if that is all there is, or no card."""
    if n is None:
        return Card(empty=True)
    face = kind.face_of(n)
    if face is None:
        return Card(back=kind.names[n], tone=kind.tone(n))
    return Card(str(kind.ids[n]), face, tone=face.tone, buttons=buttons)


def named_card(kinds: Mapping[str, Kind], part: Named) -> Card | None:
    """The card that a sentence names; None: it names something else."""
    kind = kinds.get(part.kind)
    card = None if kind is None or kind.shape != "card" else new_card(kind, part.number, [])
    return None if card is None or card.face is None else card


def card_field(kinds: Mapping[str, Kind], value: Any) -> Field | None:
    """The field of a dataclass that names a card; None: it is no card, or has several."""
    if value is None or hasattr(value, "to_json"):
        return None
    cards = [field for field in fields_of(type(value)) if field.ref and kinds[field.ref].shape == "card"]
    return None if not cards or any(field.many for field in cards) else cards[0]


def card_of(kinds: Mapping[str, Kind], value: Any, on: On) -> Card:
    """A card with what is told of it; its back, where its number is not known; among cards what is none is a place."""
    if value is None:
        return Card(empty=True)
    field = card_field(kinds, value)
    n = None if field is None else getattr(value, field.name)
    if field is None:
        card = Card(empty=True)
    else:
        card = Card() if n is None else new_card(kinds[field.ref], n, on(field.ref, n))
    for other in fields_of(type(value)):
        if other is not field:
            _note(kinds, card, other, getattr(value, other.name))
    return card


def _note(kinds: Mapping[str, Kind], card: Card, field: Field, value: Any) -> None:
    """What does not hold, and nothing at all, is no note."""
    if value is None or not (value or field.ref or field.is_seat or field.always):
        return
    if field.ref and not field.many:
        kind = kinds[field.ref]
        if card.face is None and not card.empty:
            card.back, card.tone = kind.names[value], kind.tone(value)
        elif kind.shape != "pile":
            card.notes.append(Counter(field.label, kind.names[value]))
    elif isinstance(value, bool):
        card.notes.append(Counter(field.label))
    elif field.is_seat:
        seats = [SeatName(who) for who in (value if isinstance(value, list) else [value])]
        card.notes += [Counter(field.label, Joined(seats))] if seats else []
    elif isinstance(value, int | str):
        card.notes.append(Counter(field.label, value))
    else:
        told = [said for one in (value if isinstance(value, list) else [value]) if (said := _said(kinds, one))]
        card.notes += [Counter(field.label, Joined([part for said in told for part in said]))] if told else []


def _said(kinds: Mapping[str, Kind], value: Any) -> list[Arg]:
    """Something with parts in a line, without what is nothing."""
    if not is_dataclass(value) or hasattr(value, "to_json"):
        return []
    told: list[Arg] = []
    for field in fields_of(type(value)):
        held = getattr(value, field.name)
        if field.is_seat:
            told.append(Message("{0} {1}", field.label, SeatName(held)))
        elif field.ref and isinstance(held, int):
            told.append(kinds[field.ref].names[held])
        elif isinstance(held, int) and held:
            told.append(Message("{0} {1}", field.label, held))
    return told
