"""A table out of any view: what is drawn of a game that brings no drawing of its own.

The fields of the view are walked in their order. A number that names a card is a card, a list of them a row, a field
`hand` the own hand; places lie on their map, spaces on their track; a list by kind is a tally, a plain number a
counter; a list with an entry for each seat fills the panels of the seats.
"""

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from typing import Any, Final

from triclinium.boardkit.fields import Field, fields_of
from triclinium.boardkit.maps import SIDE_BY_SIDE, new_map
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
    Piece,
    Pile,
    SeatPanel,
    Space,
    Tally,
    Track,
)
from triclinium.boardkit.targets import Buttons
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Joined, Name, SeatName
from triclinium.engine.kinds import Kind
from triclinium.engine.view import View

MANY: Final = 16  # entries of a tally; a longer one is for programs
HANDS: Final = ("hand", "hands")
YOUR_HAND: Final = Name("Your hand", "kit")
ORDER: Final[dict[type[Part], int]] = {Counter: 0, Track: 1, Map: 2, Cards: 3, Pile: 3, Tally: 4, Group: 5}


def default_board(view: View, kinds: Mapping[str, Kind], buttons: Buttons) -> Board:
    """The table of a view, with the options that may be chosen on the things that they name."""
    return _Walk(view, kinds, buttons).board()


def rank(part: Part) -> tuple[int, bool]:
    """Where a part stands: the own hand before other cards."""
    return ORDER[type(part)], not (isinstance(part, Cards) and part.own)


class _Walk:
    """One walk through a view; what lies on maps, tracks and panels is gathered on the way."""

    def __init__(self, view: View, kinds: Mapping[str, Kind], buttons: Buttons) -> None:
        self.view = view
        self.kinds = kinds
        self.buttons = buttons
        self.panels = [SeatPanel(seat) for seat in range(view.seats)]
        self.maps: dict[str, Map] = {}
        self.tracks: dict[str, Track] = {}
        self.own: list[Part] = []  # the viewer's hand, where its panel would hold it
        decks = [kind for kind in kinds.values() if kind.shape == "pile"]
        self.piles = {str(id): (kind, n) for kind in decks for n, id in enumerate(kind.ids)}
        self.kind_of = {kind: name for name, kind in kinds.items()}

    def board(self) -> Board:
        for name, kind in self.kinds.items():
            if kind.shape == "place" and kind.layout is not None:
                self.maps[name] = new_map(name, kind, kind.layout, self.at(name))
        parts: list[Part] = []
        for field in fields_of(type(self.view)):
            held = getattr(self.view, field.name)
            if field.is_seat:
                self.mark(field, held)
            else:
                parts += self.parts(field, held, None)
        if not any(isinstance(part, Cards) and part.own for part in parts):
            parts += self.own
        for one in self.maps.values():
            one.pieces = list(_pieces(one))
        for panel in self.panels:
            panel.parts.sort(key=rank)
        return Board(sorted([*parts, *self.tracks.values(), *self.maps.values()], key=rank), self.panels)

    def at(self, kind: str) -> dict[int, list[Button]]:
        """The buttons on things of a kind, by their numbers."""
        return {n: several for (name, n), several in self.buttons.items() if name == kind}

    def on(self, kind: Kind, n: int) -> list[Button]:
        return list(self.buttons.get((self.kind_of[kind], n), ()))

    # -- fields ---------------------------------------------------------------------------------------------------

    def fields(self, value: Any, seat: Seat | None) -> Iterator[Part]:
        """Of a dataclass: the view, or what is told of a seat or of a thing."""
        for field in fields_of(type(value)):
            yield from self.parts(field, getattr(value, field.name), seat)

    def parts(self, field: Field, value: Any, seat: Seat | None) -> list[Part]:
        """What one field is on the table; nothing, where it lies on something or tells nothing now."""
        if value is None or hasattr(value, "to_json"):
            return []
        if field.by_seat and seat is None:
            for who, held in enumerate(value):
                self.give(who, replace(field, by_seat=False), held)
            return []
        if field.is_seat:
            seats = [SeatName(who) for who in _each(value) if who is not None]
            return [Counter(field.label, Joined(seats))] if seats else []
        if field.by:
            return self.by_kind(field, value)
        if field.ref:
            return self.named(field, value, seat)
        return self.plain(field, value, seat)

    def give(self, who: Seat, field: Field, value: Any) -> None:
        """To a seat's panel; the viewer's own hand lies on the table instead."""
        parts = self.parts(field, value, who)
        if field.name in HANDS and who == self.view.viewer:
            hands = [part for part in parts if isinstance(part, Cards)]
            self.own += [Cards(YOUR_HAND, part.cards, own=True) for part in hands]
            parts = [part for part in parts if not isinstance(part, Cards)]
        self.panels[who].parts += parts

    def mark(self, field: Field, value: Any) -> None:
        """Seats that the view itself names: a mark in their panels."""
        for who in _each(value):
            if who in range(self.view.seats):
                self.panels[who].marks.append(field.label)

    # -- things that have a kind ----------------------------------------------------------------------------------

    def named(self, field: Field, value: Any, seat: Seat | None) -> list[Part]:
        kind = self.kinds[field.ref]
        each = list(_each(value))
        if kind.shape == "card":
            return self.row(field, [self.card(kind, n) for n in each], seat)
        held = [n for n in each if n is not None]
        if field.ref in self.maps:
            self.put_on_map(field, held, seat)
            return []
        if kind.shape == "track":
            self.put_on_track(field, kind, value, seat)
            return []
        return [Counter(field.label, Joined([kind.names[n] for n in held]))] if held else []

    def row(self, field: Field, cards: list[Card], seat: Seat | None) -> list[Part]:
        own = seat is None and field.name in HANDS
        return [Cards(YOUR_HAND if own else field.label, cards, own)] if cards else []

    def card(self, kind: Kind, n: int | None) -> Card:
        if n is None:
            return Card(empty=True)
        face = kind.face_of(n)
        return Card(str(kind.ids[n]), face, tone=face.tone, buttons=self.on(kind, n))

    def put_on_map(self, field: Field, held: list[int], seat: Seat | None) -> None:
        for n in held:
            place = self.maps[field.ref].places[n]
            if seat is None:
                place.marks.append(field.label)
            else:
                place.seats.append(seat)

    def put_on_track(self, field: Field, kind: Kind, value: Any, seat: Seat | None) -> None:
        track = self.tracks.get(field.ref)
        if track is None:
            spaces = [Space(str(id), kind.names[n], buttons=self.on(kind, n)) for n, id in enumerate(kind.ids)]
            track = self.tracks[field.ref] = Track(field.label, spaces)
        for n in _each(value):
            space = track.spaces[n]
            if seat is not None:
                space.seats.append(seat)
            elif isinstance(value, int):
                space.at = True
            else:
                space.lit = True

    def by_kind(self, field: Field, value: Any) -> list[Part]:
        kind = self.kinds[field.by]
        items = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
        if field.ref in self.maps:
            for n, there in items:
                self.maps[field.ref].places[there].marks.append(kind.names[n])
            return []
        if field.ref:
            names = self.kinds[field.ref].names
            counts = [Count(kind.names[n], Joined([names[one] for one in _each(held)])) for n, held in items]
            return [Tally(field.label, counts)] if counts else []
        if items and all(is_dataclass(held) for _, held in items):
            return [Group(field.label, [Group(kind.names[n], list(self.fields(held, None))) for n, held in items])]
        if len(items) > MANY or not all(isinstance(held, int) for _, held in items):
            return []
        return [Tally(field.label, [Count(kind.names[n], held, kind.tone(n), self.on(kind, n)) for n, held in items])]

    # -- the rest -------------------------------------------------------------------------------------------------

    def plain(self, field: Field, value: Any, seat: Seat | None) -> list[Part]:
        """Numbers, texts, dataclasses, and lists of them."""
        if isinstance(value, bool):
            return [Counter(field.label)] if value else []
        if isinstance(value, int) and seat is None and field.name in self.piles:
            kind, n = self.piles[field.name]
            return [Pile(kind.names[n], value, kind.tone(n), buttons=self.on(kind, n))]
        if isinstance(value, int | str):
            return [Counter(field.label, value)]
        if is_dataclass(value):
            if self.card_field(value) is not None:
                return self.row(field, [self.card_of(value)], seat)
            inner = list(self.fields(value, seat))
            return inner if all(isinstance(part, Pile) for part in inner) else [Group(field.label, inner)]
        if isinstance(value, dict):
            counts = [Count(str(key), held) for key, held in value.items() if isinstance(held, int)]
            return [Tally(field.label, counts)] if counts else []
        return self.listed(field, list(value), seat)

    def listed(self, field: Field, value: list[Any], seat: Seat | None) -> list[Part]:
        known = [one for one in value if one is not None and not hasattr(one, "to_json")]
        if not known or not all(is_dataclass(one) for one in known):
            plain = [str(one) for one in known if isinstance(one, int | str)]
            return [Counter(field.label, ", ".join(plain))] if plain else []
        if self.card_field(known[0]) is not None:
            cards = [Card(empty=True) if one is None else self.card_of(one) for one in value]
            return self.row(field, cards, seat)
        if seat is None and (hasattr(known[0], "seat") or (field.name == "players" and len(known) == self.view.seats)):
            for place, one in enumerate(known):
                who = getattr(one, "seat", place)
                for inner in fields_of(type(one)):
                    if inner.name != "seat":
                        self.give(who, inner, getattr(one, inner.name))
            return []
        groups = [self.entry(one, n, seat) for n, one in enumerate(known)]
        filled: list[Part] = [group for group in groups if group.parts]
        return [Group(field.label, filled)] if filled else []

    def entry(self, value: Any, n: int, seat: Seat | None) -> Group:
        """One of several dataclasses, under the name of the first thing that it names, or its number."""
        for field in fields_of(type(value)):
            held = getattr(value, field.name)
            if field.ref and not field.by and isinstance(held, int):
                rest = [one for one in fields_of(type(value)) if one is not field]
                parts = [part for one in rest for part in self.parts(one, getattr(value, one.name), seat)]
                return Group(self.kinds[field.ref].names[held], parts)
        return Group(str(n + 1), list(self.fields(value, seat)))

    # -- dataclasses that are a card ------------------------------------------------------------------------------

    def card_field(self, value: Any) -> Field | None:
        if hasattr(value, "to_json"):
            return None
        single = [field for field in fields_of(type(value)) if field.ref and not field.many]
        return next((field for field in single if self.kinds[field.ref].shape == "card"), None)

    def card_of(self, value: Any) -> Card:
        """A card with what is told of it; where its number is not known, its back."""
        field = self.card_field(value)
        assert field is not None
        n = getattr(value, field.name)
        card = Card() if n is None else self.card(self.kinds[field.ref], n)
        for other in fields_of(type(value)):
            if other is not field:
                self.note(card, other, getattr(value, other.name))
        return card

    def note(self, card: Card, field: Field, value: Any) -> None:
        """What does not hold, and nothing at all, is no note."""
        if value is None or (not field.ref and not value) or isinstance(value, list):
            return
        if field.ref:
            kind = self.kinds[field.ref]
            if card.face is None:
                card.back, card.tone = kind.names[value], kind.tone(value)
            elif kind.shape != "pile":
                card.notes.append(Counter(field.label, kind.names[value]))
        elif isinstance(value, bool):
            card.notes.append(Counter(field.label))
        elif isinstance(value, int | str):
            card.notes.append(Counter(field.label, value))


def _each(value: Any) -> Iterator[Any]:
    """The numbers of a field, however deep they lie in lists."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from _each(one)
    else:
        yield value


def _pieces(one: Map) -> Iterator[Piece]:
    for place in one.places:
        middle = (len(place.seats) - 1) / 2
        for nth, seat in enumerate(place.seats):
            yield Piece(seat, round(place.x + (nth - middle) * SIDE_BY_SIDE, 1), place.y)
