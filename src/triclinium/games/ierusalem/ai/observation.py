"""Observation of a match by one seat, as bytes. `docs/research.md` describes the cells of the encoding."""

from typing import Final

from librt.strings import BytesWriter

from triclinium.engine.core.encoding import (
    BITS,
    COUNT,
    FLAG,
    ID,
    WIDE,
    AttributeTable,
    CellBlock,
    Encoding,
    count_bytes,
    one_hot,
)
from triclinium.engine.core.observer import (
    Observer,
    QuestionEncoder,
    relative_seat,
    write_bits,
    write_count,
    write_counts,
    write_flag,
    write_ids,
    write_packed_ids,
    write_wide,
)
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.ierusalem.rules.actions.perform import Perform
from triclinium.games.ierusalem.rules.actions.redistribute import Rearrange
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    ACTIONS,
    COLOURS,
    FIRST_MAHANE,
    FIRST_XXXIII,
    LOCATIONS,
    OWN_CARDS,
    REWARDS,
    SHADES,
    TILES,
    get_card_bit,
)
from triclinium.games.ierusalem.rules.scoring import count_total_points
from triclinium.games.ierusalem.rules.state import ALL_SOURCES, Ierusalem
from triclinium.games.ierusalem.rules.turn import Column

COLUMN_CARDS: Final = 5  # maximum number of cards of a column that get a cell each
ALL_CARDS: Final = 70
MAHANE: Final = FIRST_XXXIII - FIRST_MAHANE
XXXIII: Final = ALL_CARDS - FIRST_XXXIII
HOLDABLE_CARDS: Final = OWN_CARDS + MAHANE + XXXIII  # number of bits in a mask of all cards that one player can hold
MASK_BYTES: Final = 5  # number of bytes of a mask of all cards that one player can hold


class IerusalemObserver(Observer):
    """The observer of Ierusalem.

    Of rivals' hands it writes the publicly known cards; the observer's hand and deck are complete (IE-R32).
    """

    def __init__(self, c: Components) -> None:
        self.questions = QuestionEncoder(
            {
                "PickColour": "",
                "Post": "",
                "Play": "",
                "Column": "n",
                "BuyMahane": "nn",
                "TakeMahane": "nn",
                "DrawXxxiii": "",
                "DiscardHand": "",
                "Relief": "",
                "Warehouse": "",
                "Send": "",
                "CallFollower": "",
                "FavorCall": "",
                "TakeOffering": "",
                "Listen": "",
                "Leave": "n",
                "Go": "nn",
                "ChangePlaces": "",
                "ChangeTo": "n",
                "Swap": "",
                "SwapWith": "n",
                "DoFavor": "",
                "FavorTo": "n",
                "Market": "",
                "Trade": "nn",
                "Visit": "",
                "Bring": "n",
                "SeatApostle": "nn",
                "Appreciation": "",
                "ScoreOrange": "",
                "Rearrange": "n-",
            }
        )
        self.spaces = count_bytes(len(c.space_ids))
        self.apostles = count_bytes(len(c.apostle_ids))
        self.encoding = Encoding(self.common_blocks(c), self.player_blocks(c))
        self.tables = build_attribute_tables(c)

    def common_blocks(self, c: Components) -> list[CellBlock]:
        return [
            *self.questions.blocks(),
            CellBlock("active", ID, 1, top=4, id_table="seat"),
            CellBlock("start", ID, 1, top=4, id_table="seat"),
            CellBlock("turn", WIDE, 1, top=200),
            CellBlock("stall round", WIDE, 1, top=200),
            CellBlock("orange scores all", FLAG, 1),
            CellBlock("jesus", COUNT, 1, top=5, note="VP of a Follower at Jesus"),
            CellBlock("marker", COUNT, 1, top=c.last, note="on the track of the Sanhedrin"),
            CellBlock("judging", FLAG, 1),
            CellBlock("tiles", ID, len(c.tile_spaces), top=len(TILES), id_table="tile"),
            CellBlock("symbols", ID, 9, top=len(LOCATIONS), id_table="location"),
            CellBlock("waiting", BITS, 3, top=len(c.apostle_ids), id_table="apostle"),
            CellBlock("seated", ID, len(c.seat_ids), top=len(c.apostle_ids), id_table="apostle"),
            CellBlock(
                "unused",
                BITS,
                top=len(c.space_ids),
                id_table="space",
                note="Followers of the colour that no seat plays",
            ),
            CellBlock("room", COUNT, 3, top=9, note="empty squares of Desert, Mountain and Lake"),
            CellBlock("display", ID, c.display_size, top=ALL_CARDS, id_table="card"),
            CellBlock("decks", COUNT, 2, top=20, note="Mahane, XXXIII A.D."),
            CellBlock("under mahane", ID, MAHANE, top=ALL_CARDS, id_table="card"),
            CellBlock("under xxxiii", ID, XXXIII, top=ALL_CARDS, id_table="card"),
            CellBlock("in play", ID, 1, top=ALL_CARDS, id_table="card"),
            CellBlock("next action", COUNT, 1, top=5),
            CellBlock("loose", BITS, top=HOLDABLE_CARDS, id_table="own place", note="cards being rearranged"),
        ]

    def player_blocks(self, c: Components) -> list[CellBlock]:
        return [
            CellBlock("colour", ID, 1, top=len(COLOURS), id_table="colour"),
            CellBlock("total", WIDE, 1, top=120, note="VP if the match ended now"),
            CellBlock("earned", COUNT, ALL_SOURCES, top=60, note="VP by source"),
            CellBlock("denarii", COUNT, 1, top=20),
            CellBlock("goods", COUNT, 3, top=10),
            CellBlock("offerings", COUNT, 1, top=10),
            CellBlock("camp", COUNT, 3, top=20, note="Followers, items in the Camp, its capacity"),
            CellBlock("followers", COUNT, 3, top=6),
            CellBlock("supper", BITS, top=len(c.space_ids), id_table="space"),
            CellBlock("columns", ID, 3, COLUMN_CARDS, top=ALL_CARDS, id_table="card"),
            CellBlock("markers", BITS, top=len(c.marker_ids), id_table="marker"),
            CellBlock("received", COUNT, len(LOCATIONS), top=3),
            CellBlock("favors", COUNT, 1, top=8),
            CellBlock("parables", COUNT, 1, top=len(c.parable_names)),
            CellBlock("illumination", FLAG, 1),
            CellBlock("hand", BITS, top=HOLDABLE_CARDS, id_table="own place", note="cards that the observer knows"),
            CellBlock("hidden", COUNT, 3, top=10, note="other cards of the hand: own, Mahane, XXXIII A.D."),
            CellBlock("deck size", COUNT, 1, top=20),
            CellBlock("deck", BITS, top=HOLDABLE_CARDS, id_table="own place", note="the observer's own"),
            CellBlock("discard", BITS, top=HOLDABLE_CARDS, id_table="own place"),
        ]

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        assert isinstance(s, Ierusalem)
        me = 0 if seat == NOBODY else seat
        self.questions.write(row, s, seat)
        row.append(relative_seat(s.active, me, s.seats))
        row.append(relative_seat(s.start, me, s.seats))
        write_wide(row, s.turns)
        write_wide(row, s.stall_round)
        write_flag(row, s.orange_scores_all)
        write_count(row, s.jesus_vp)
        row.append(s.marker)
        write_flag(row, s.has_judgments)
        write_packed_ids(row, s.tiles, len(s.c.tile_spaces))
        write_packed_ids(row, s.symbols, 9)
        for mask in s.waiting:
            write_bits(row, mask, self.apostles)
        write_ids(row, s.seated, len(s.seated))
        write_bits(row, s.supper[s.seats], self.spaces)
        write_counts(row, s.empty_squares, 0, 3)
        write_ids(row, s.display, s.c.display_size)
        write_count(row, len(s.mahane))
        write_count(row, len(s.xxxiii))
        write_ids(row, s.mahane[s.mahane_hidden :], MAHANE)
        write_ids(row, s.xxxiii[s.xxxiii_hidden :], XXXIII)
        write_card_in_play(row, s)
        for i in range(s.seats):
            who = (me + i) % s.seats
            self.write_player(row, s, who)
            write_cards(row, s, who, who == seat)

    def write_player(self, row: BytesWriter, s: Ierusalem, who: Seat) -> None:
        three = who * 3
        row.append(s.colours[who] + 1)
        write_wide(row, count_total_points(s, who))
        write_counts(row, s.earned, who * ALL_SOURCES, ALL_SOURCES)
        write_count(row, s.denarii[who])
        write_counts(row, s.goods, three, 3)
        row.append(s.offerings[who])
        row.append(s.camp[who])
        row.append(s.count_filled_spaces(who))
        row.append(s.count_camp_spaces(who))
        write_counts(row, s.at_location, three, 3)
        write_bits(row, s.supper[who], self.spaces)
        for column in range(three, three + 3):
            write_packed_ids(row, s.columns[column], COLUMN_CARDS)
        write_bits(row, s.markers[who], count_bytes(len(s.c.marker_ids)))
        write_counts(row, s.received, who * 5, 5)
        row.append(s.favors[who])
        row.append(s.parables[who])
        row.append(s.illumination[who])


def write_card_in_play(row: BytesWriter, s: Ierusalem) -> None:
    """Write the card in play (performed, or waiting for its column), and the cards moved in a Redistribute."""
    card = -1
    begin = 0
    loose = 0
    if s.who >= 0:
        for step in s.stack:
            if isinstance(step, Perform):
                card = step.card
                begin = step.begin
        top_step = s.stack[-1]
        if isinstance(top_step, Column):
            card = top_step.card
            begin = 0
        elif isinstance(top_step, Rearrange):
            loose = top_step.laid
    row.append(card + 1)
    write_count(row, begin)
    write_bits(row, loose, MASK_BYTES)


def write_cards(row: BytesWriter, s: Ierusalem, who: Seat, own: bool) -> None:
    """Write the known part of a hand, the player's deck without its order, and the discard pile."""
    known = 0
    of_own = 0
    mahane = 0
    xxxiii = 0
    open_ = s.known_cards[who]
    for card in s.hand[who]:
        mark = 1 << get_card_bit(card)
        if own or open_ & mark:
            known |= mark
        elif card < FIRST_MAHANE:
            of_own += 1
        elif card < FIRST_XXXIII:
            mahane += 1
        else:
            xxxiii += 1
    write_bits(row, known, MASK_BYTES)
    row.append(of_own)
    row.append(mahane)
    row.append(xxxiii)
    row.append(len(s.deck[who]))
    deck = 0
    if own:
        for card in s.deck[who]:
            deck |= 1 << get_card_bit(card)
    write_bits(row, deck, MASK_BYTES)
    write_bits(row, s.discard[who], MASK_BYTES)


def build_attribute_tables(c: Components) -> dict[str, AttributeTable]:
    """Return the attributes of each card (Location, actions, VP) and of each space (cost, seat, reward)."""
    cards = [
        one_hot(c.card_location[card], len(LOCATIONS))
        + [list(c.card_actions[card]).count(action) for action in range(len(ACTIONS))]
        + [c.card_vp[card]]
        for card in range(len(c.card_ids))
    ]
    spaces = [
        [*c.space_cost[space], c.space_distance[space]]
        + one_hot(c.space_seat[space], len(c.seat_ids))
        + one_hot(c.space_reward[space], len(REWARDS))
        + [c.space_amount[space]]
        for space in range(len(c.space_ids))
    ]
    apostles = [
        one_hot(c.shade[item], len(SHADES)) + [c.shade_value[c.shade[item]]] for item in range(len(c.apostle_ids))
    ]
    names = ["stone", "bread", "fish", "distance", *c.seat_ids, *[f"gives {item}" for item in REWARDS], "amount"]
    return {
        "card": AttributeTable([*LOCATIONS, *ACTIONS, "vp"], cards),
        "space": AttributeTable(names, spaces),
        "apostle": AttributeTable([*SHADES, "value"], apostles),
    }
