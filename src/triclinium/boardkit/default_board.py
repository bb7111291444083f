"""A table out of any view: what is drawn of a game that brings no drawing of its own.

The fields of the view are walked in their order. A number that names a card is a card, a list of them a row, a field
`hand` the own hand; places lie on their map, spaces on their track; a list by kind is a tally, a plain number a
counter; a list with an entry for each seat fills the panels of the seats.
"""

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from typing import Any, Final

from triclinium.boardkit.cards import card_field, card_of, new_card
from triclinium.boardkit.fields import Field, fields_of
from triclinium.boardkit.option_targets import Buttons
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
from triclinium.boardkit.placement import Spots
from triclinium.engine.component_kinds import PLAYER, Kind
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Arg, Joined, Message, Name, SeatName
from triclinium.engine.view import View

MANY: Final = 16  # entries of a tally; a longer one is for programs
HANDS: Final = ("hand", "hands")
YOUR_HAND: Final = Name("Your hand", "kit")
OWN: Final = 3  # where the viewer's own things lie
LAST: Final = 9
ORDER: Final[dict[type[Part], int]] = {Counter: 0, Track: 1, Map: 2, Cards: OWN, Pile: OWN, Tally: 4, Group: 5}


def default_board(view: View, kinds: Mapping[str, Kind], buttons: Buttons) -> Board:
    """The table of a view, with the options that may be chosen on the things that they name."""
    return _Walk(view, kinds, buttons).board()


def rank(part: Part) -> tuple[int, int]:
    """Where a part stands: the own hand before other cards, and with it what else is the viewer's own."""
    if isinstance(part, Cards | Group | Tally) and part.own:
        return (OWN, ORDER[type(part)])
    return (ORDER[type(part)], LAST)


class _Walk:
    """One walk through a view; what lies on maps, tracks and panels is gathered on the way."""

    def __init__(self, view: View, kinds: Mapping[str, Kind], buttons: Buttons) -> None:
        self.view = view
        self.kinds = kinds
        self.buttons = buttons
        self.panels = [SeatPanel(seat, buttons=self.on(PLAYER, seat)) for seat in range(view.seats)]
        self.spots = Spots(kinds, self.on, view.viewer)
        self.laid: list[Part] = []  # what seats have on the table rather than in their panels
        decks = [kind for kind in kinds.values() if kind.shape == "pile"]
        self.piles = {str(id): (kind, n) for kind in decks for n, id in enumerate(kind.ids)}
        self.name_of = {kind: name for name, kind in kinds.items()}

    def board(self) -> Board:
        parts: list[Part] = []
        for field in fields_of(type(self.view)):
            held = getattr(self.view, field.name)
            if field.is_seat and not field.by:
                self.mark(field, held)
            elif field.by_seat:
                for who, one in enumerate(held):
                    self.give(who, replace(field, by_seat=False, many=isinstance(one, list)), one)
            else:
                parts += self.parts(field, held, None)
        has_hand = any(isinstance(part, Cards) and part.own for part in parts)
        parts += [part for part in self.laid if not (has_hand and isinstance(part, Cards) and part.label is YOUR_HAND)]
        for panel in self.panels:
            panel.parts.sort(key=rank)
        return Board(sorted([*parts, *self.spots.parts()], key=rank), self.panels)

    def on(self, kind: str, n: int) -> list[Button]:
        """What can be done with a thing."""
        return list(self.buttons.get((kind, n), ()))

    def on_nth(self, field: Field, n: int, length: int, seat: Seat | None) -> list[Button]:
        """What can be done at a place that an entry of a list fills."""
        return self.on(field.nth, n + (0 if seat is None else seat * length)) if field.nth else []

    # -- fields ---------------------------------------------------------------------------------------------------

    def fields(self, value: Any, seat: Seat | None) -> Iterator[Part]:
        """Of a dataclass: what is told of a seat or of a thing."""
        for field in fields_of(type(value)):
            yield from self.parts(field, getattr(value, field.name), seat)

    def parts(self, field: Field, value: Any, seat: Seat | None) -> list[Part]:
        """What one field is on the table; nothing, where it lies on something or tells nothing now."""
        if value is None or hasattr(value, "to_json"):
            return []
        if field.by:
            return self.by_kind(field, value, seat)
        if field.by_seat:
            counts = [Count(SeatName(who), held) for who, held in enumerate(value) if isinstance(held, int)]
            return [Tally(field.label, counts)]
        if field.is_seat:
            seats = [SeatName(who) for who in each(value) if who is not None]
            return [Counter(field.label, Joined(seats))] if seats else []
        if field.on:
            self.spots.put_on_track(field, field.on, value, seat)
            return []
        if field.ref:
            return self.named(field, value, seat)
        return self.plain(field, value, seat)

    def give(self, who: Seat, field: Field, value: Any) -> None:
        """To a seat's panel; the viewer's own hand, and what else is laid there, lies on the table instead."""
        parts = self.parts(field, value, who)
        mine = who == self.view.viewer
        if field.name in HANDS and mine:
            hands = [part for part in parts if isinstance(part, Cards)]
            self.laid += [Cards(YOUR_HAND, part.cards, own=True) for part in hands]
            parts = [part for part in parts if not isinstance(part, Cards)]
        elif field.laid is not None and (mine or field.laid.of_all):
            for part in parts:
                if isinstance(part, Cards | Group | Tally):
                    part.own = mine
                    part.label = SeatName(who) if field.laid.of_all else part.label
            self.laid += parts
            parts = []
        self.panels[who].parts += parts

    def mark(self, field: Field, value: Any) -> None:
        """Seats that the view itself names: a mark in their panels."""
        for who in each(value):
            if who in range(self.view.seats):
                self.panels[who].marks.append(field.label)

    # -- things that have a kind ----------------------------------------------------------------------------------

    def named(self, field: Field, value: Any, seat: Seat | None) -> list[Part]:
        kind = self.kinds[field.ref]
        held = list(each(value))
        if kind.shape == "card":
            return self.row(field, [new_card(kind, n, self.on(field.ref, n or 0)) for n in held], seat)
        if self.spots.put(field, held, seat):
            return []
        known = [n for n in held if n is not None]
        names: list[Arg] = [kind.names[n] for n in known]
        if len(known) < len(held):
            names.append(Message("{0} hidden", len(held) - len(known)))
        buttons = [button for n in known for button in self.on(field.ref, n)] if field.ref not in self.spots.at else []
        return [Counter(field.label, Joined(names), buttons)] if names else []

    def row(self, field: Field, cards: list[Card], seat: Seat | None) -> list[Part]:
        own = seat is None and field.name in HANDS
        for n, card in enumerate(cards):
            card.buttons += self.on_nth(field, n, len(cards), seat)
        return [Cards(YOUR_HAND if own else field.label, cards, own)] if cards else []

    def by_kind(self, field: Field, value: Any, seat: Seat | None) -> list[Part]:
        kind = self.kinds[field.by]
        items = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
        if self.spots.put_by_kind(field, kind, items):
            return []
        if field.ref:
            names = self.kinds[field.ref].names
            counts = [Count(kind.names[n], Joined([names[one] for one in each(held)])) for n, held in items]
            return [Tally(field.label, counts)] if counts else []
        if items and all(is_dataclass(held) for _, held in items):
            groups: list[Part] = [self.of_thing(field.by, n, held) for n, held in items]
            groups = [group for group in groups if isinstance(group, Group) and (group.parts or group.buttons)]
            return [Group(field.label, groups)] if groups else []
        if len(items) > MANY or not all(isinstance(held, int) for _, held in items):
            return []
        mine = seat is None or seat == self.view.viewer
        named = field.nth or field.by
        counts = [Count(kind.names[n], held, kind.tone(n), self.on(named, n) if mine else []) for n, held in items]
        return [Tally(field.label, counts)] if counts else []

    def of_thing(self, kind: str, n: int, value: Any) -> Group:
        """What is told of a thing; where it stands on a map is seen there."""
        parts: list[Part] = []
        for field in fields_of(type(value)):
            held = getattr(value, field.name)
            if field.ref in self.spots.at and isinstance(held, int):
                self.spots.stand(field.ref, held, kind, n)
            else:
                parts += self.parts(field, held, None)
        return Group(self.kinds[kind].names[n], parts, self.on(kind, n))

    # -- the rest -------------------------------------------------------------------------------------------------

    def plain(self, field: Field, value: Any, seat: Seat | None) -> list[Part]:
        """Numbers, texts, dataclasses, and lists of them."""
        if isinstance(value, bool):
            return [Counter(field.label)] if value else []
        if seat is None and field.name in self.piles:
            return self.pile(field.name, value)
        if isinstance(value, int | str):
            return [Counter(field.label, value)]
        if is_dataclass(value):
            return self.whole(field, value, seat)
        if isinstance(value, dict):
            counts = [Count(str(key), held) for key, held in value.items() if isinstance(held, int)]
            return [Tally(field.label, counts)] if counts else []
        return self.listed(field, list(value), seat)

    def pile(self, name: str, value: Any) -> list[Part]:
        """A deck: a number, or a dataclass that says how many there are, with the cards that lie open beside it."""
        kind, n = self.piles[name]
        beside = list(self.fields(value, None)) if is_dataclass(value) else [Counter("", value)]
        count = next((part.value for part in beside if isinstance(part, Counter)), 0)
        rows: list[Part] = [
            Cards(Message("{0}: {1}", kind.names[n], part.label), part.cards)
            for part in beside
            if isinstance(part, Cards)
        ]
        deck = Pile(kind.names[n], count if isinstance(count, int) else 0, kind.tone(n))
        deck.buttons = self.on(self.name_of[kind], n)
        return [*rows, deck]

    def whole(self, field: Field, value: Any, seat: Seat | None) -> list[Part]:
        """One dataclass: a card, decks, some numbers in a line, or a group."""
        if card_field(self.kinds, value) is not None:
            return self.row(field, [card_of(self.kinds, value, self.on)], seat)
        inner = self.of_whole(field, value, seat)
        if not inner or all(isinstance(part, Cards | Pile) for part in inner):
            return inner
        numbers = [part for part in inner if isinstance(part, Counter)]
        if len(numbers) < len(inner):
            return [Group(field.label, inner)]
        if all(number.value == "" for number in numbers):
            return [Counter(field.label, Joined([number.label for number in numbers]))]
        if all(isinstance(number.value, int) for number in numbers):
            return [Tally(field.label, [Count(number.label, number.value) for number in numbers])]
        return [Group(field.label, inner)]

    def of_whole(self, field: Field, value: Any, seat: Seat | None) -> list[Part]:
        """What one dataclass tells; a track that it brings, and a group that is all it has, bear its name."""
        tracks = set(self.spots.tracks)
        inner = list(self.fields(value, seat))
        for name, track in self.spots.tracks.items():
            if name not in tracks:
                track.label = field.label
        only = inner[0] if len(inner) == 1 else None
        return only.parts if isinstance(only, Group) else inner

    def listed(self, field: Field, value: list[Any], seat: Seat | None) -> list[Part]:
        known = [one for one in value if one is not None and not hasattr(one, "to_json")]
        if not known or not all(is_dataclass(one) for one in known):
            plain = [str(one) for one in known if isinstance(one, int | str)]
            return [Counter(field.label, ", ".join(plain))] if plain else []
        if seat is None and (hasattr(known[0], "seat") or (field.name == "players" and len(known) == self.view.seats)):
            for place, one in enumerate(known):
                for inner in fields_of(type(one)):
                    if inner.name != "seat":
                        self.give(getattr(one, "seat", place), inner, getattr(one, inner.name))
            return []
        if any(self.kinds[kind].shape == "card" for kind in field.inner):
            return self.row(field, [card_of(self.kinds, one, self.on) for one in value], seat)
        only = fields_of(type(known[0]))
        if len(only) == 1 and only[0].ref:
            things = [getattr(one, only[0].name) for one in known]
            return self.named(replace(field, ref=only[0].ref, many=True), things, seat)
        groups = [self.entry(field, one, n, seat) for n, one in enumerate(known)]
        for n, group in enumerate(groups):
            group.buttons += self.on_nth(field, n, len(groups), seat)
        filled = [_in_line(group) for group in groups if group.parts or group.buttons]
        return [Group(field.label, filled)] if filled else []

    def entry(self, of: Field, value: Any, n: int, seat: Seat | None) -> Group:
        """One of several dataclasses, under the name of the first thing that it names, of its place, or its number."""
        known = fields_of(type(value))
        first = next(
            (one for one in known if one.ref and not one.by and isinstance(getattr(value, one.name), int)), None
        )
        parts: list[Part] = []
        for field in known:
            held = getattr(value, field.name)
            if field.on:
                self.spots.put_on_track(field, field.on, [held], seat)
                parts.append(Counter(field.label, held))
            elif field is not first:
                parts += self.parts(field, held, seat)
        if first is None:
            return Group(self.kinds[of.nth].names[n] if of.nth in self.kinds else str(n + 1), parts)
        thing = getattr(value, first.name)
        buttons = [] if first.ref in self.spots.at else self.on(first.ref, thing)
        return Group(self.kinds[first.ref].names[thing], parts, buttons)


def _in_line(group: Group) -> Part:
    """A group of nothing but numbers is a tally."""
    numbers = [part for part in group.parts if isinstance(part, Counter) and isinstance(part.value, int)]
    if group.buttons or len(numbers) < len(group.parts) or len(numbers) == 1:
        return group
    return Tally(group.label, [Count(number.label, number.value) for number in numbers])


def each(value: Any) -> Iterator[Any]:
    """The numbers of a field, however deep they lie in lists."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from each(one)
    else:
        yield value
