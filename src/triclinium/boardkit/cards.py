"""Cards in a view: a number, or a dataclass that refers to a card and has further fields."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from typing import Any, TypeAlias

from triclinium.boardkit.fields import ViewField, list_shown_fields
from triclinium.boardkit.parts import Button, Card, Counter
from triclinium.engine.component_kinds import ComponentKind
from triclinium.engine.core.text import Arg, JoinedList, Message, NamedComponent, SeatName

ButtonsFor: TypeAlias = Callable[[str, int], list[Button]]


def make_card(kind: ComponentKind, n: int | None, buttons: list[Button]) -> Card:
    """Return a card by its number: its face, its back if the viewer cannot see the face, or an empty place."""
    if n is None:
        return Card(empty=True)
    face = kind.get_face(n)
    if face is None:
        return Card(back=kind.names[n], tone=kind.tone(n))
    return Card(str(kind.ids[n]), face, tone=face.tone, buttons=buttons)


def find_cards_of(kind: str, draw: Callable[[int], Card]) -> Callable[[NamedComponent], Card | None]:
    """Return a function that draws the cards which a sentence names, for games that draw their own board."""
    return lambda part: draw(part.number) if part.kind == kind else None


def find_mentioned_card(kinds: Mapping[str, ComponentKind], part: NamedComponent) -> Card | None:
    """Return the card that a sentence mentions, or None if it mentions something else."""
    kind = kinds.get(part.kind)
    card = None if kind is None or kind.shape != "card" else make_card(kind, part.number, [])
    return None if card is None or card.face is None else card


def find_card_field(kinds: Mapping[str, ComponentKind], value: Any) -> ViewField | None:
    """Return the field of a dataclass that refers to a card, or None if no field or several fields do."""
    if value is None or hasattr(value, "to_json"):
        return None
    cards = [field for field in list_shown_fields(type(value)) if field.ref and kinds[field.ref].shape == "card"]
    return None if not cards or any(field.is_list for field in cards) else cards[0]


def build_card(kinds: Mapping[str, ComponentKind], value: Any, buttons_for: ButtonsFor) -> Card:
    """Return the card of a dataclass with its other fields as notes; the back if its number is hidden."""
    if value is None:
        return Card(empty=True)
    field = find_card_field(kinds, value)
    n = None if field is None else getattr(value, field.name)
    if field is None:
        card = Card(empty=True)
    else:
        card = Card() if n is None else make_card(kinds[field.ref], n, buttons_for(field.ref, n))
    for other in list_shown_fields(type(value)):
        if other is not field:
            _add_note(kinds, card, other, getattr(value, other.name))
    return card


def _add_note(kinds: Mapping[str, ComponentKind], card: Card, field: ViewField, value: Any) -> None:
    """Add a field as a note, unless its value is empty or false."""
    if value is None or not (value or field.ref or field.is_seat or field.show_zero):
        return
    if field.ref and not field.is_list:
        kind = kinds[field.ref]
        if card.face is None and not card.empty:
            card.back, card.tone = kind.names[value], kind.tone(value)
        elif kind.shape != "pile":
            card.notes.append(Counter(field.label, kind.names[value]))
    elif isinstance(value, bool):
        card.notes.append(Counter(field.label))
    elif field.is_seat:
        seats = [SeatName(who) for who in (value if isinstance(value, list) else [value])]
        card.notes += [Counter(field.label, JoinedList(seats))] if seats else []
    elif isinstance(value, int | str):
        card.notes.append(Counter(field.label, value))
    else:
        descriptions = [
            description
            for entry in (value if isinstance(value, list) else [value])
            if (description := _describe_fields(kinds, entry))
        ]
        card.notes += (
            [Counter(field.label, JoinedList([part for description in descriptions for part in description]))]
            if descriptions
            else []
        )


def _describe_fields(kinds: Mapping[str, ComponentKind], value: Any) -> list[Arg]:
    """Return the fields of a dataclass for one line, without those that are empty."""
    if not is_dataclass(value) or hasattr(value, "to_json"):
        return []
    texts: list[Arg] = []
    for field in list_shown_fields(type(value)):
        held = getattr(value, field.name)
        if field.is_seat:
            texts.append(Message("{0} {1}", field.label, SeatName(held)))
        elif field.ref and isinstance(held, int):
            texts.append(kinds[field.ref].names[held])
        elif isinstance(held, int) and held:
            texts.append(Message("{0} {1}", field.label, held))
    return texts
