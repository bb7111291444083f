"""The default board: it draws any view of a game that has no drawing of its own.

It follows the fields of the view in their order. A number that refers to a card is drawn as a card, a list of such
numbers as a row, and a field `hand` as the viewer's hand. Places are drawn on their map and spaces on their track. A
list by kind becomes a tally, a plain number a counter. A list with an entry for each seat fills the panels of the
seats.
"""

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from typing import Any, Final

from triclinium.boardkit.cards import build_card, find_card_field, make_card
from triclinium.boardkit.fields import ViewField, list_shown_fields
from triclinium.boardkit.option_targets import ButtonsByThing
from triclinium.boardkit.parts import (
    Board,
    Button,
    Card,
    Cards,
    Count,
    Counter,
    Group,
    Map,
    Part,
    Pile,
    SeatPanel,
    Tally,
    Track,
)
from triclinium.boardkit.placement import Placement
from triclinium.engine.component_kinds import PLAYER, ComponentKind
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Arg, JoinedList, Message, Name, SeatName
from triclinium.engine.view import View

MAX_TALLY_ENTRIES: Final = 16  # entries of a tally; a longer one is meant for programs
HANDS: Final = ("hand", "hands")
YOUR_HAND: Final = Name("Your hand", "kit")
OWN_ORDER: Final = 3  # position of the viewer's own parts in the order
LAST_ORDER: Final = 9
ORDER: Final[dict[type[Part], int]] = {
    Counter: 0,
    Track: 1,
    Map: 2,
    Cards: OWN_ORDER,
    Pile: OWN_ORDER,
    Tally: 4,
    Group: 5,
}


def build_default_board(view: View, kinds: Mapping[str, ComponentKind], buttons: ButtonsByThing) -> Board:
    """Return the board of a view, with buttons for options on the things that they name."""
    return _BoardBuilder(view, kinds, buttons).build_board()


def get_part_order(part: Part) -> tuple[int, int]:
    """Return the sort key of a part. The viewer's hand comes before other cards, next to the viewer's other things."""
    if isinstance(part, Cards | Group | Tally) and part.own:
        return (OWN_ORDER, ORDER[type(part)])
    if isinstance(part, Pile) and part.is_heap:
        return (OWN_ORDER, ORDER[Counter])  # in the middle of the table, before the hand
    return (ORDER[type(part)], LAST_ORDER)


class _BoardBuilder:
    """One pass through a view, which also collects the contents of maps, tracks and panels."""

    def __init__(self, view: View, kinds: Mapping[str, ComponentKind], buttons: ButtonsByThing) -> None:
        self.view = view
        self.kinds = kinds
        self.buttons = buttons
        self.panels = [SeatPanel(seat, buttons=self.find_buttons_for(PLAYER, seat)) for seat in range(view.seats)]
        self.placement = Placement(kinds, self.find_buttons_for, view.viewer)
        self.table_parts: list[Part] = []  # things of seats that lie on the table, not in their panels
        decks = [kind for kind in kinds.values() if kind.shape == "pile"]
        self.piles = {str(id): (kind, n) for kind in decks for n, id in enumerate(kind.ids)}
        self.name_of_kind = {kind: name for name, kind in kinds.items()}

    def build_board(self) -> Board:
        parts: list[Part] = []
        for field in list_shown_fields(type(self.view)):
            value = getattr(self.view, field.name)
            if field.is_seat and not field.per_kind:
                self.mark_seats(field, value)
            elif field.per_seat:
                if field.is_heap:
                    parts.append(Pile(field.label, sum(value), is_heap=True))
                for who, entry in enumerate(value):
                    self.add_to_panel(who, replace(field, per_seat=False, is_list=isinstance(entry, list)), entry)
            else:
                parts += self.build_field_parts(field, value, None)
        has_hand = any(isinstance(part, Cards) and part.own for part in parts)
        parts += [
            part for part in self.table_parts if not (has_hand and isinstance(part, Cards) and part.label is YOUR_HAND)
        ]
        for panel in self.panels:
            panel.parts.sort(key=get_part_order)
        return Board(sorted([*parts, *self.placement.finish_parts()], key=get_part_order), self.panels)

    def find_buttons_for(self, kind: str, n: int) -> list[Button]:
        """Return the buttons of a thing."""
        return list(self.buttons.get((kind, n), ()))

    def find_buttons_at(self, field: ViewField, n: int, length: int, seat: Seat | None) -> list[Button]:
        """Return the buttons of a place that an entry of a list fills."""
        return (
            self.find_buttons_for(field.place_kind, n + (0 if seat is None else seat * length))
            if field.place_kind
            else []
        )

    # -- fields ---------------------------------------------------------------------------------------------------

    def build_dataclass_parts(self, value: Any, seat: Seat | None) -> Iterator[Part]:
        """Yield the parts for the fields of a dataclass."""
        for field in list_shown_fields(type(value)):
            yield from self.build_field_parts(field, getattr(value, field.name), seat)

    def build_field_parts(self, field: ViewField, value: Any, seat: Seat | None) -> list[Part]:
        """Return the parts for one field. The list is empty if the field is empty or is drawn on another part."""
        if value is None or hasattr(value, "to_json"):
            return []
        if field.per_kind:
            return self.build_parts_by_kind(field, value, seat)
        if field.per_seat:
            counts = [Count(SeatName(who), held) for who, held in enumerate(value) if isinstance(held, int)]
            return [Tally(field.label, counts)]
        if field.is_seat:
            seats = [SeatName(who) for who in flatten_numbers(value) if who is not None]
            return [Counter(field.label, JoinedList(seats))] if seats else []
        if field.track:
            self.placement.place_on_track(field, field.track, value, seat)
            return []
        if field.ref:
            return self.build_thing_parts(field, value, seat)
        return self.build_plain_parts(field, value, seat)

    def add_to_panel(self, who: Seat, field: ViewField, value: Any) -> None:
        """Add a field to a seat's panel; the viewer's own hand and similar fields are drawn on the table instead."""
        parts = self.build_field_parts(field, value, who)
        mine = who == self.view.viewer
        if field.name in HANDS and mine:
            hands = [part for part in parts if isinstance(part, Cards)]
            self.table_parts += [Cards(YOUR_HAND, part.cards, own=True) for part in hands]
            parts = [part for part in parts if not isinstance(part, Cards)]
        elif field.laid is not None and (mine or field.laid.all_seats):
            for part in parts:
                if isinstance(part, Cards | Group | Tally):
                    part.own = mine
                    part.label = SeatName(who) if field.laid.all_seats else part.label
            self.table_parts += parts
            parts = []
        self.panels[who].parts += parts

    def mark_seats(self, field: ViewField, value: Any) -> None:
        """Mark the panels of the seats that a field names."""
        for who in flatten_numbers(value):
            if who in range(self.view.seats):
                self.panels[who].marks.append(field.label)

    # -- components ----------------------------------------------------------------------------------------------------

    def build_thing_parts(self, field: ViewField, value: Any, seat: Seat | None) -> list[Part]:
        kind = self.kinds[field.ref]
        held = list(flatten_numbers(value))
        if kind.shape == "card":
            return self.build_card_row(
                field, [make_card(kind, n, self.find_buttons_for(field.ref, n or 0)) for n in held], seat
            )
        if self.placement.place_field(field, held, seat):
            return []
        known = [n for n in held if n is not None]
        names: list[Arg] = [kind.names[n] for n in known]
        if len(known) < len(held):
            names.append(Message("{0} hidden", len(held) - len(known)))
        buttons = (
            [button for n in known for button in self.find_buttons_for(field.ref, n)]
            if field.ref not in self.placement.places_by_kind
            else []
        )
        return [Counter(field.label, JoinedList(names), buttons)] if names else []

    def build_card_row(self, field: ViewField, cards: list[Card], seat: Seat | None) -> list[Part]:
        own = seat is None and field.name in HANDS
        for n, card in enumerate(cards):
            card.buttons += self.find_buttons_at(field, n, len(cards), seat)
        label = YOUR_HAND if own else field.label
        return [Cards(label, cards, own, is_numbered=bool(field.place_kind))] if cards else []

    def build_parts_by_kind(self, field: ViewField, value: Any, seat: Seat | None) -> list[Part]:
        kind = self.kinds[field.per_kind]
        items = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
        if self.placement.place_by_kind(field, kind, items):
            return []
        if field.ref:
            names = self.kinds[field.ref].names
            counts = [
                Count(kind.names[n], JoinedList([names[number] for number in flatten_numbers(held)]))
                for n, held in items
            ]
            return [Tally(field.label, counts)] if counts else []
        if items and all(is_dataclass(held) for _, held in items):
            groups: list[Part] = [self.build_thing_group(field.per_kind, n, held) for n, held in items]
            groups = [group for group in groups if isinstance(group, Group) and (group.parts or group.buttons)]
            return [Group(field.label, groups)] if groups else []
        if len(items) > MAX_TALLY_ENTRIES or not all(isinstance(held, int) for _, held in items):
            return []
        mine = seat is None or seat == self.view.viewer
        button_kind = field.place_kind or field.per_kind
        counts = [
            Count(kind.names[n], held, kind.tone(n), self.find_buttons_for(button_kind, n) if mine else [])
            for n, held in items
        ]
        return [Tally(field.label, counts)] if counts else []

    def build_thing_group(self, kind: str, n: int, value: Any) -> Group:
        """Return a group with the facts about a thing. If the thing has a place on a map, draw it there."""
        parts: list[Part] = []
        for field in list_shown_fields(type(value)):
            held = getattr(value, field.name)
            if field.ref in self.placement.places_by_kind and isinstance(held, int):
                self.placement.place_token(field.ref, held, kind, n)
            else:
                parts += self.build_field_parts(field, held, None)
        return Group(self.kinds[kind].names[n], parts, self.find_buttons_for(kind, n))

    # -- other values --------------------------------------------------------------------------------------------------

    def build_plain_parts(self, field: ViewField, value: Any, seat: Seat | None) -> list[Part]:
        """Return the parts for numbers, texts, dataclasses, and lists of them."""
        if isinstance(value, bool):
            return [Counter(field.label)] if value else []
        if seat is None and field.name in self.piles:
            return self.build_pile(field.name, value)
        if isinstance(value, int) and field.is_heap and seat is None:
            return [Pile(field.label, value, is_heap=True)]
        if isinstance(value, int | str):
            most = getattr(self.view, field.out_of, None) if field.out_of else None
            return [Counter(field.label, value if most is None else Message("{0} of {1}", value, most))]
        if is_dataclass(value):
            return self.build_dataclass(field, value, seat)
        if isinstance(value, dict):
            counts = [Count(str(key), held) for key, held in value.items() if isinstance(held, int)]
            return [Tally(field.label, counts)] if counts else []
        return self.build_list_parts(field, list(value), seat)

    def build_pile(self, name: str, value: Any) -> list[Part]:
        """Return a deck: a number, or a dataclass with the size of the deck and the open cards next to it."""
        kind, n = self.piles[name]
        inner_parts = list(self.build_dataclass_parts(value, None)) if is_dataclass(value) else [Counter("", value)]
        count = next((part.value for part in inner_parts if isinstance(part, Counter)), 0)
        rows: list[Part] = [
            Cards(Message("{0}: {1}", kind.names[n], part.label), part.cards)
            for part in inner_parts
            if isinstance(part, Cards)
        ]
        deck = Pile(kind.names[n], count if isinstance(count, int) else 0, kind.tone(n))
        deck.buttons = self.find_buttons_for(self.name_of_kind[kind], n)
        return [*rows, deck]

    def build_dataclass(self, field: ViewField, value: Any, seat: Seat | None) -> list[Part]:
        """Return the parts for one dataclass: a card, decks, some numbers in a line, or a group."""
        if find_card_field(self.kinds, value) is not None:
            return self.build_card_row(field, [build_card(self.kinds, value, self.find_buttons_for)], seat)
        inner = self.build_inner_parts(field, value, seat)
        if not inner or all(isinstance(part, Cards | Pile) for part in inner):
            return inner
        numbers = [part for part in inner if isinstance(part, Counter)]
        if len(numbers) < len(inner):
            return [Group(field.label, inner)]
        if all(number.value == "" for number in numbers):
            return [Counter(field.label, JoinedList([number.label for number in numbers]))]
        if all(isinstance(number.value, int) for number in numbers):
            return [Tally(field.label, [Count(number.label, number.value) for number in numbers])]
        return [Group(field.label, inner)]

    def build_inner_parts(self, field: ViewField, value: Any, seat: Seat | None) -> list[Part]:
        """Return the parts for the fields of a dataclass.

        If a track or a group is the only part, it gets the name of the field.
        """
        tracks = set(self.placement.tracks)
        inner = list(self.build_dataclass_parts(value, seat))
        for name, track in self.placement.tracks.items():
            if name not in tracks:
                track.label = field.label
        only = inner[0] if len(inner) == 1 else None
        return only.parts if isinstance(only, Group) else inner

    def build_list_parts(self, field: ViewField, value: list[Any], seat: Seat | None) -> list[Part]:
        entries = [entry for entry in value if entry is not None and not hasattr(entry, "to_json")]
        if not entries or not all(is_dataclass(entry) for entry in entries):
            plain = [str(entry) for entry in entries if isinstance(entry, int | str)]
            return [Counter(field.label, ", ".join(plain))] if plain else []
        if seat is None and (
            hasattr(entries[0], "seat") or (field.name == "players" and len(entries) == self.view.seats)
        ):
            for place, entry in enumerate(entries):
                for inner in list_shown_fields(type(entry)):
                    if inner.name != "seat":
                        self.add_to_panel(getattr(entry, "seat", place), inner, getattr(entry, inner.name))
            return []
        if any(self.kinds[kind].shape == "card" for kind in field.inner_kinds):
            return self.build_card_row(
                field, [build_card(self.kinds, entry, self.find_buttons_for) for entry in value], seat
            )
        only = list_shown_fields(type(entries[0]))
        if len(only) == 1 and only[0].ref:
            things = [getattr(entry, only[0].name) for entry in entries]
            return self.build_thing_parts(replace(field, ref=only[0].ref, is_list=True), things, seat)
        groups = [self.build_entry_group(field, entry, n, seat) for n, entry in enumerate(entries)]
        for n, group in enumerate(groups):
            group.buttons += self.find_buttons_at(field, n, len(groups), seat)
        filled = [_group_to_tally(group) for group in groups if group.parts or group.buttons]
        return [Group(field.label, filled)] if filled else []

    def build_entry_group(self, list_field: ViewField, value: Any, n: int, seat: Seat | None) -> Group:
        """Return a group for one entry of a list, named after its first thing, its place or its number."""
        known = list_shown_fields(type(value))
        first = next(
            (
                candidate
                for candidate in known
                if candidate.ref and not candidate.per_kind and isinstance(getattr(value, candidate.name), int)
            ),
            None,
        )
        parts: list[Part] = []
        for field in known:
            held = getattr(value, field.name)
            if field.track:
                self.placement.place_on_track(field, field.track, [held], seat)
                parts.append(Counter(field.label, held))
            elif field is not first:
                parts += self.build_field_parts(field, held, seat)
        if first is None:
            return Group(
                self.kinds[list_field.place_kind].names[n] if list_field.place_kind in self.kinds else str(n + 1), parts
            )
        thing = getattr(value, first.name)
        buttons = [] if first.ref in self.placement.places_by_kind else self.find_buttons_for(first.ref, thing)
        return Group(self.kinds[first.ref].names[thing], parts, buttons)


def _group_to_tally(group: Group) -> Part:
    """Return a group as a tally if it has only numbers."""
    numbers = [part for part in group.parts if isinstance(part, Counter) and isinstance(part.value, int)]
    if group.buttons or len(numbers) < len(group.parts) or len(numbers) == 1:
        return group
    return Tally(group.label, [Count(number.label, number.value) for number in numbers])


def flatten_numbers(value: Any) -> Iterator[Any]:
    """Yield the numbers of a field, including those in nested lists."""
    if isinstance(value, list | tuple):
        for entry in value:
            yield from flatten_numbers(entry)
    else:
        yield value
