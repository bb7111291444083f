"""Observation of a match by one seat, as bytes. `docs/research.md` describes the cells of the encoding."""

from typing import Final

from librt.strings import BytesWriter

from triclinium.engine.core.encoding import (
    BITS,
    COUNT,
    FLAG,
    ID,
    AttributeTable,
    CellBlock,
    Encoding,
    count_bytes,
    mask_to_bits,
    one_hot,
)
from triclinium.engine.core.observer import (
    Observer,
    QuestionEncoder,
    relative_seat,
    write_bits,
    write_count,
    write_flag,
    write_id_list,
)
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, NONE, Components
from triclinium.games.portals.rules.face_down import CARD_MASK
from triclinium.games.portals.rules.state import BY_LAST_SPACE, Portals
from triclinium.games.portals.rules.turn import is_surely_last_round

MAX_BURIED: Final = 48  # maximum number of face-down discards that get a cell each
MAX_EXCESS_CARDS: Final = 3  # number of cards by which a hand may exceed its limit until its turn ends

# Location of a card, as far as the observer knows. 0 means any other location.
IN_ROW: Final = 1
GONE: Final = 2
IS_BURIED: Final = 3
IN_HAND: Final = 3  # the seat, counted from the observer, is added
PLAYED: Final = 8
# The seat that took the card from the row, and may have discarded it face down since then, is added.
PERHAPS_IN_HAND: Final = 13
PLACE_COUNT: Final = 18


class PortalsObserver(Observer):
    """The observer of Portals and Prophets.

    Hands appear by their backs, and by the faces that the observer knows (PP-R32).
    """

    def __init__(self, c: Components) -> None:
        self.questions = QuestionEncoder({"SetPortal": "", "Stand": "", "Turn": "", "Discard": ""})
        self.hand_slots = c.hand_limit + MAX_EXCESS_CARDS
        self.unknown_places = bytes(c.cards)
        self.encoding = Encoding(self.common_blocks(c), self.player_blocks(c))
        self.tables = build_attribute_tables(c)

    def common_blocks(self, c: Components) -> list[CellBlock]:
        return [
            *self.questions.blocks(),
            CellBlock("round", COUNT, 1, top=30),
            CellBlock("first", ID, 1, top=5, id_table="seat"),
            CellBlock("actions", COUNT, 1, top=c.actions),
            CellBlock("capsule", ID, 1, top=c.spaces, id_table="space"),
            CellBlock("gauge", ID, 1, top=c.full + 1, id_table="gauge"),
            CellBlock("in range", BITS, top=c.spaces, id_table="space"),
            CellBlock("burnt", BITS, top=len(c.colour_ids), id_table="colour"),
            CellBlock("last round", FLAG, 1),
            CellBlock("idle", COUNT, 1, top=5, note="rounds without an event"),
            CellBlock("ending", ID, 1, top=BY_LAST_SPACE, id_table="ending"),
            CellBlock("variants", FLAG, 4, note="team, simplified, third_card_ends, hidden_discards"),
            CellBlock("portals", BITS, top=c.places, id_table="place"),
            CellBlock("row", ID, c.row_size, top=c.cards, id_table="card"),
            CellBlock("decks", COUNT, 2, top=60, note="old, new"),
            CellBlock("where", ID, c.cards, top=PLACE_COUNT, id_table="whereabouts", note="of each card"),
            CellBlock(
                "buried", ID, MAX_BURIED, top=c.cards, id_table="card", note="removed face down: those that are known"
            ),
            CellBlock("buried backs", COUNT, len(c.deck_ids), top=20),
        ]

    def player_blocks(self, c: Components) -> list[CellBlock]:
        return [
            CellBlock("place", ID, 1, top=c.places, id_table="place"),
            CellBlock("points", COUNT, 1, top=60),
            CellBlock("new played", COUNT, 1, top=c.new_to_end),
            CellBlock("regions", COUNT, c.regions, top=10),
            CellBlock("symbols", COUNT, c.symbol_kinds, top=10),
            CellBlock("hand", ID, self.hand_slots, top=c.cards, id_table="card"),
            CellBlock("backs", ID, self.hand_slots, top=len(c.deck_ids), id_table="deck"),
        ]

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        assert isinstance(s, Portals)
        c = s.c
        me = 0 if seat == NOBODY else seat
        self.questions.write(row, s, seat)
        write_count(row, s.round)
        row.append(relative_seat(s.first, me, s.seats))
        row.append(s.actions)
        row.append(s.capsule + 1)
        row.append(s.gauge + 1)
        write_bits(row, s.compute_range_mask(), count_bytes(c.spaces))
        write_bits(row, s.burnt, count_bytes(len(c.colour_ids)))
        write_flag(row, is_surely_last_round(s))
        write_count(row, s.idle_rounds)
        row.append(s.ending)
        write_flag(row, s.v.team)
        write_flag(row, s.v.simplified)
        write_flag(row, s.v.third_card_ends)
        write_flag(row, s.v.hidden_discards)
        write_bits(row, s.portals, count_bytes(c.places))
        write_id_list(row, s.row, c.row_size)
        write_count(row, len(s.old))
        write_count(row, len(s.new))
        self.write_cards(row, s, seat, me)
        write_buried(row, s, seat)
        for i in range(s.seats):
            who = (me + i) % s.seats
            self.write_player(row, s, who, who == seat)

    def write_cards(self, row: BytesWriter, s: Portals, seat: Seat, me: Seat) -> None:
        """Write the location of each card that the observer knows."""
        first = len(row)
        row.write(self.unknown_places)
        for card in s.row:
            if card != NONE:
                row[first + card] = IN_ROW
        for card in s.gone:
            row[first + card] = GONE
        for i in range(len(s.buried)):
            if s.knows_buried(seat, i):
                row[first + s.buried[i]] = IS_BURIED
        for who in range(s.seats):
            there = relative_seat(who, me, s.seats)
            known = s.known_in_hand[who]
            for card in s.hands[who]:
                if who == seat or known & 1:
                    row[first + card] = IN_HAND + there
                known >>= 1
            for entry in s.doubtful[who] if who != seat else ():
                row[first + (entry & CARD_MASK)] = PERHAPS_IN_HAND + there
            for card in s.played[who]:
                row[first + card] = PLAYED + there

    def write_player(self, row: BytesWriter, s: Portals, who: Seat, own: bool) -> None:
        row.append(s.pawns[who] + 1)
        write_count(row, s.points[who])
        write_count(row, s.new_played[who])
        write_packed_counts(row, s.regions[who], s.c.regions)
        write_packed_counts(row, s.symbols[who], s.c.symbol_kinds)
        deck = s.c.deck
        known = s.known_in_hand[who]
        faces: list[int] = []
        backs: list[int] = []
        for card in s.hands[who]:
            faces.append(card + 1 if own or known & 1 else 0)
            backs.append(deck[card] + 1)
            known >>= 1
        if s.v.hidden_discards and not own:  # PP-R12: cards are sorted by back, known ones last.
            order = sorted([backs[i] * 256 + faces[i] for i in range(len(backs))])
            faces = [key & 255 for key in order]
            backs = [key >> 8 for key in order]
        held = len(backs)
        for i in range(self.hand_slots):
            row.append(faces[i] if i < held else 0)
        for i in range(self.hand_slots):
            row.append(backs[i] if i < held else 0)


def write_packed_counts(row: BytesWriter, counts: int, size: int) -> None:
    """Write counts that are packed into one int."""
    for _ in range(size):
        row.append(counts & FIELD_MASK)
        counts >>= FIELD


def write_buried(row: BytesWriter, s: Portals, seat: Seat) -> None:
    """Write the face-down discards: the cards that the observer knows, and the number of each back."""
    backs = [0] * len(s.c.deck_ids)
    size = len(s.buried)
    for i in range(size):
        backs[s.c.deck[s.buried[i]]] += 1
    for i in range(MAX_BURIED):
        row.append(s.buried[i] + 1 if i < size and s.knows_buried(seat, i) else 0)
    for number in backs:
        write_count(row, number)


def build_attribute_tables(c: Components) -> dict[str, AttributeTable]:
    """Return the attributes of each card (everything printed on it) and each place (its region and roads)."""
    colours = len(c.colour_ids)
    cards = [
        one_hot(c.deck[card], len(c.deck_ids))
        + one_hot(c.period[card], c.spaces)
        + one_hot(c.place[card], c.places)
        + one_hot(c.region[card], c.regions)
        + mask_to_bits(c.symbols[card], c.symbol_kinds)
        + [c.points[card], c.fuel[card]]
        + one_hot(c.colour[card], colours)
        + [c.wild[card]]
        + one_hot(c.symbol_card[card], c.symbol_kinds)
        for card in range(c.cards)
    ]
    names = [f"back {entry_id}" for entry_id in c.deck_ids] + [f"period {entry_id}" for entry_id in c.space_ids]
    names += c.place_ids + [f"region {entry_id}" for entry_id in c.region_ids] + c.symbol_ids + ["points", "fuel"]
    names += (
        [f"fuel {entry_id}" for entry_id in c.colour_ids] + ["wild"] + [f"{entry_id} card" for entry_id in c.symbol_ids]
    )
    places = [one_hot(c.place_region[place], c.regions) + c.distance[place] for place in range(c.places)]
    return {
        "card": AttributeTable(names, cards),
        "place": AttributeTable(c.region_ids + [f"roads to {entry_id}" for entry_id in c.place_ids], places),
    }
