"""What a seat knows of a match, as bytes; `docs/research.md` names every cell."""

from typing import Final

from librt.strings import BytesWriter

from triclinium.engine.core.encoding import (
    BITS,
    COUNT,
    FLAG,
    ID,
    AttributeTable,
    Block,
    Encoding,
    bits_of,
    bytes_for,
    one_of,
)
from triclinium.engine.core.observer import Observer, Questions, bits, count, flag, listed, seen_from
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, NONE, Components
from triclinium.games.portals.rules.face_down import CARD
from triclinium.games.portals.rules.state import BY_LAST_SPACE, Portals
from triclinium.games.portals.rules.turn import surely_last

BURIED: Final = 48  # cards that were removed face down and are told one by one
TOO_MANY: Final = 3  # cards that a hand may hold above its limit until its turn ends

# Where a card is, as far as the observer knows; 0 is anywhere else.
IN_ROW: Final = 1
GONE: Final = 2
IS_BURIED: Final = 3
IN_HAND: Final = 3  # and the seat as the observer counts it
PLAYED: Final = 8
PERHAPS: Final = 13  # and the seat that took it from the row, and may have discarded it face down since
PLACES: Final = 18


class PortalsObserver(Observer):
    """Hands are told by their backs, and by their faces where the observer knows them (PP-R32)."""

    def __init__(self, c: Components) -> None:
        self.questions = Questions({"SetPortal": "", "Stand": "", "Turn": "", "Discard": ""})
        self.hand = c.hand_limit + TOO_MANY
        self.nowhere = bytes(c.cards)
        self.encoding = Encoding(self.common(c), self.player(c))
        self.tables = tables(c)

    def common(self, c: Components) -> list[Block]:
        return [
            *self.questions.blocks(),
            Block("round", COUNT, 1, top=30),
            Block("first", ID, 1, top=5, of="seat"),
            Block("actions", COUNT, 1, top=c.actions),
            Block("capsule", ID, 1, top=c.spaces, of="space"),
            Block("gauge", ID, 1, top=c.full + 1, of="gauge"),
            Block("in range", BITS, top=c.spaces, of="space"),
            Block("burnt", BITS, top=len(c.colour_ids), of="colour"),
            Block("last round", FLAG, 1),
            Block("idle", COUNT, 1, top=5, told="rounds without an event"),
            Block("ending", ID, 1, top=BY_LAST_SPACE, of="ending"),
            Block("variants", FLAG, 4, told="team, simplified, third_card_ends, hidden_discards"),
            Block("portals", BITS, top=c.places, of="place"),
            Block("row", ID, c.row_size, top=c.cards, of="card"),
            Block("decks", COUNT, 2, top=60, told="old, new"),
            Block("where", ID, c.cards, top=PLACES, of="whereabouts", told="of each card"),
            Block("buried", ID, BURIED, top=c.cards, of="card", told="removed face down: those that are known"),
            Block("buried backs", COUNT, len(c.deck_ids), top=20),
        ]

    def player(self, c: Components) -> list[Block]:
        return [
            Block("place", ID, 1, top=c.places, of="place"),
            Block("points", COUNT, 1, top=60),
            Block("new played", COUNT, 1, top=c.new_to_end),
            Block("regions", COUNT, c.regions, top=10),
            Block("symbols", COUNT, c.symbol_kinds, top=10),
            Block("hand", ID, self.hand, top=c.cards, of="card"),
            Block("backs", ID, self.hand, top=len(c.deck_ids), of="deck"),
        ]

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        assert isinstance(s, Portals)
        c = s.c
        me = 0 if seat == NOBODY else seat
        self.questions.write(row, s, seat)
        count(row, s.round)
        row.append(seen_from(s.first, me, s.seats))
        row.append(s.actions)
        row.append(s.capsule + 1)
        row.append(s.gauge + 1)
        bits(row, s.in_reach(), bytes_for(c.spaces))
        bits(row, s.burnt, bytes_for(len(c.colour_ids)))
        flag(row, surely_last(s))
        count(row, s.idle)
        row.append(s.ending)
        flag(row, s.v.team)
        flag(row, s.v.simplified)
        flag(row, s.v.third_card_ends)
        flag(row, s.v.hidden_discards)
        bits(row, s.portals, bytes_for(c.places))
        listed(row, s.row, c.row_size)
        count(row, len(s.old))
        count(row, len(s.new))
        self.write_cards(row, s, seat, me)
        write_buried(row, s, seat)
        for i in range(s.seats):
            who = (me + i) % s.seats
            self.write_player(row, s, who, who == seat)

    def write_cards(self, row: BytesWriter, s: Portals, seat: Seat, me: Seat) -> None:
        """Where each card is that the observer knows of."""
        first = len(row)
        row.write(self.nowhere)
        for card in s.row:
            if card != NONE:
                row[first + card] = IN_ROW
        for card in s.gone:
            row[first + card] = GONE
        for i in range(len(s.buried)):
            if s.knows(seat, i):
                row[first + s.buried[i]] = IS_BURIED
        for who in range(s.seats):
            there = seen_from(who, me, s.seats)
            known = s.known[who]
            for card in s.hands[who]:
                if who == seat or known & 1:
                    row[first + card] = IN_HAND + there
                known >>= 1
            for entry in s.doubtful[who] if who != seat else ():
                row[first + (entry & CARD)] = PERHAPS + there
            for card in s.played[who]:
                row[first + card] = PLAYED + there

    def write_player(self, row: BytesWriter, s: Portals, who: Seat, own: bool) -> None:
        row.append(s.pawns[who] + 1)
        count(row, s.points[who])
        count(row, s.new_played[who])
        unpacked(row, s.regions[who], s.c.regions)
        unpacked(row, s.symbols[who], s.c.symbol_kinds)
        deck = s.c.deck
        known = s.known[who]
        faces: list[int] = []
        backs: list[int] = []
        for card in s.hands[who]:
            faces.append(card + 1 if own or known & 1 else 0)
            backs.append(deck[card] + 1)
            known >>= 1
        if s.v.hidden_discards and not own:  # PP-R12: by back, the known ones last
            order = sorted([backs[i] * 256 + faces[i] for i in range(len(backs))])
            faces = [key & 255 for key in order]
            backs = [key >> 8 for key in order]
        held = len(backs)
        for i in range(self.hand):
            row.append(faces[i] if i < held else 0)
        for i in range(self.hand):
            row.append(backs[i] if i < held else 0)


def unpacked(row: BytesWriter, counts: int, size: int) -> None:
    """Counts that are packed into one int."""
    for _ in range(size):
        row.append(counts & FIELD_MASK)
        counts >>= FIELD


def write_buried(row: BytesWriter, s: Portals, seat: Seat) -> None:
    """What was removed face down: the cards that the observer knows, and how many of each back."""
    backs = [0] * len(s.c.deck_ids)
    size = len(s.buried)
    for i in range(size):
        backs[s.c.deck[s.buried[i]]] += 1
    for i in range(BURIED):
        row.append(s.buried[i] + 1 if i < size and s.knows(seat, i) else 0)
    for number in backs:
        count(row, number)


def tables(c: Components) -> dict[str, AttributeTable]:
    """A card by all that is printed on it; a place by its region and the roads to the others."""
    colours = len(c.colour_ids)
    cards = [
        one_of(c.deck[card], len(c.deck_ids))
        + one_of(c.period[card], c.spaces)
        + one_of(c.place[card], c.places)
        + one_of(c.region[card], c.regions)
        + bits_of(c.symbols[card], c.symbol_kinds)
        + [c.points[card], c.fuel[card]]
        + one_of(c.colour[card], colours)
        + [c.wild[card]]
        + one_of(c.symbol_card[card], c.symbol_kinds)
        for card in range(c.cards)
    ]
    names = [f"back {one}" for one in c.deck_ids] + [f"period {one}" for one in c.space_ids]
    names += c.place_ids + [f"region {one}" for one in c.region_ids] + c.symbol_ids + ["points", "fuel"]
    names += [f"fuel {one}" for one in c.colour_ids] + ["wild"] + [f"{one} card" for one in c.symbol_ids]
    places = [one_of(c.place_region[place], c.regions) + c.distance[place] for place in range(c.places)]
    return {
        "card": AttributeTable(names, cards),
        "place": AttributeTable(c.region_ids + [f"roads to {one}" for one in c.place_ids], places),
    }
