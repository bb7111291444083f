"""What a seat knows of a match, as bytes; `docs/research.md` names every cell."""

from typing import Final

from librt.strings import BytesWriter

from triclinium.engine.core.encoding import (
    BITS,
    COUNT,
    FLAG,
    ID,
    WIDE,
    AttributeTable,
    Block,
    Encoding,
    bytes_for,
    one_of,
)
from triclinium.engine.core.observer import (
    Observer,
    Questions,
    bits,
    count,
    counts,
    flag,
    ids,
    packed,
    seen_from,
    wide,
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
    bit,
)
from triclinium.games.ierusalem.rules.scoring import total
from triclinium.games.ierusalem.rules.state import ALL_SOURCES, Ierusalem
from triclinium.games.ierusalem.rules.turn import Column

COLUMN: Final = 5  # cards of a column that are told
ALL_CARDS: Final = 70
MAHANE: Final = FIRST_XXXIII - FIRST_MAHANE
XXXIII: Final = ALL_CARDS - FIRST_XXXIII
HOLDS: Final = OWN_CARDS + MAHANE + XXXIII  # places of a mask of what one player can hold
HELD: Final = 5  # bytes of such a mask


class IerusalemObserver(Observer):
    """Hands are told by what everybody knows of them, the own one and the own deck as they are (IE-R32)."""

    def __init__(self, c: Components) -> None:
        self.questions = Questions(
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
        self.spaces = bytes_for(len(c.space_ids))
        self.apostles = bytes_for(len(c.apostle_ids))
        self.encoding = Encoding(self.common(c), self.player(c))
        self.tables = tables(c)

    def common(self, c: Components) -> list[Block]:
        return [
            *self.questions.blocks(),
            Block("active", ID, 1, top=4, of="seat"),
            Block("start", ID, 1, top=4, of="seat"),
            Block("turn", WIDE, 1, top=200),
            Block("stall round", WIDE, 1, top=200),
            Block("orange scores all", FLAG, 1),
            Block("jesus", COUNT, 1, top=5, told="VP of a Follower at Jesus"),
            Block("marker", COUNT, 1, top=c.last, told="on the track of the Sanhedrin"),
            Block("judging", FLAG, 1),
            Block("tiles", ID, len(c.tile_spaces), top=len(TILES), of="tile"),
            Block("symbols", ID, 9, top=len(LOCATIONS), of="location"),
            Block("waiting", BITS, 3, top=len(c.apostle_ids), of="apostle"),
            Block("seated", ID, len(c.seat_ids), top=len(c.apostle_ids), of="apostle"),
            Block("unused", BITS, top=len(c.space_ids), of="space", told="Followers of the colour nobody plays"),
            Block("room", COUNT, 3, top=9, told="empty squares of Desert, Mountain and Lake"),
            Block("display", ID, c.display_size, top=ALL_CARDS, of="card"),
            Block("decks", COUNT, 2, top=20, told="Mahane, XXXIII A.D."),
            Block("under mahane", ID, MAHANE, top=ALL_CARDS, of="card"),
            Block("under xxxiii", ID, XXXIII, top=ALL_CARDS, of="card"),
            Block("in play", ID, 1, top=ALL_CARDS, of="card"),
            Block("next action", COUNT, 1, top=5),
            Block("loose", BITS, top=HOLDS, of="own place", told="cards that are laid anew"),
        ]

    def player(self, c: Components) -> list[Block]:
        return [
            Block("colour", ID, 1, top=len(COLOURS), of="colour"),
            Block("total", WIDE, 1, top=120, told="VP if the match ended now"),
            Block("earned", COUNT, ALL_SOURCES, top=60, told="VP by source"),
            Block("denarii", COUNT, 1, top=20),
            Block("goods", COUNT, 3, top=10),
            Block("offerings", COUNT, 1, top=10),
            Block("camp", COUNT, 3, top=20, told="Followers, what lies there, how much can"),
            Block("followers", COUNT, 3, top=6),
            Block("supper", BITS, top=len(c.space_ids), of="space"),
            Block("columns", ID, 3, COLUMN, top=ALL_CARDS, of="card"),
            Block("markers", BITS, top=len(c.marker_ids), of="marker"),
            Block("received", COUNT, len(LOCATIONS), top=3),
            Block("favors", COUNT, 1, top=8),
            Block("parables", COUNT, 1, top=len(c.parable_names)),
            Block("illumination", FLAG, 1),
            Block("hand", BITS, top=HOLDS, of="own place", told="cards that the observer knows"),
            Block("hidden", COUNT, 3, top=10, told="other cards of the hand: own, Mahane, XXXIII A.D."),
            Block("deck size", COUNT, 1, top=20),
            Block("deck", BITS, top=HOLDS, of="own place", told="the observer's own"),
            Block("discard", BITS, top=HOLDS, of="own place"),
        ]

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        assert isinstance(s, Ierusalem)
        me = 0 if seat == NOBODY else seat
        self.questions.write(row, s, seat)
        row.append(seen_from(s.active, me, s.seats))
        row.append(seen_from(s.start, me, s.seats))
        wide(row, s.turns)
        wide(row, s.stall_round)
        flag(row, s.orange_scores_all)
        count(row, s.jesus_vp)
        row.append(s.marker)
        flag(row, s.judging)
        packed(row, s.tiles, len(s.c.tile_spaces))
        packed(row, s.symbols, 9)
        for mask in s.waiting:
            bits(row, mask, self.apostles)
        ids(row, s.seated, len(s.seated))
        bits(row, s.supper[s.seats], self.spaces)
        counts(row, s.room, 0, 3)
        ids(row, s.display, s.c.display_size)
        count(row, len(s.mahane))
        count(row, len(s.xxxiii))
        ids(row, s.mahane[s.mahane_hidden :], MAHANE)
        ids(row, s.xxxiii[s.xxxiii_hidden :], XXXIII)
        under_way(row, s)
        for i in range(s.seats):
            who = (me + i) % s.seats
            self.write_player(row, s, who)
            write_cards(row, s, who, who == seat)

    def write_player(self, row: BytesWriter, s: Ierusalem, who: Seat) -> None:
        three = who * 3
        row.append(s.colours[who] + 1)
        wide(row, total(s, who))
        counts(row, s.earned, who * ALL_SOURCES, ALL_SOURCES)
        count(row, s.denarii[who])
        counts(row, s.goods, three, 3)
        row.append(s.offerings[who])
        row.append(s.camp[who])
        row.append(s.camp_fill(who))
        row.append(s.camp_space(who))
        counts(row, s.at, three, 3)
        bits(row, s.supper[who], self.spaces)
        for column in range(three, three + 3):
            packed(row, s.columns[column], COLUMN)
        bits(row, s.markers[who], bytes_for(len(s.c.marker_ids)))
        counts(row, s.received, who * 5, 5)
        row.append(s.favors[who])
        row.append(s.parables[who])
        row.append(s.illumination[who])


def under_way(row: BytesWriter, s: Ierusalem) -> None:
    """The card whose actions are performed or that looks for its column, and cards on their way to columns."""
    card = -1
    begin = 0
    loose = 0
    if s.who >= 0:
        for step in s.stack:
            if isinstance(step, Perform):
                card = step.card
                begin = step.begin
        asked = s.stack[-1]
        if isinstance(asked, Column):
            card = asked.card
            begin = 0
        elif isinstance(asked, Rearrange):
            loose = asked.laid
    row.append(card + 1)
    count(row, begin)
    bits(row, loose, HELD)


def write_cards(row: BytesWriter, s: Ierusalem, who: Seat, own: bool) -> None:
    """A hand, as far as it is known, the own deck without its order, and the discard pile."""
    known = 0
    of_own = 0
    mahane = 0
    xxxiii = 0
    open_ = s.known[who]
    for card in s.hand[who]:
        mark = 1 << bit(card)
        if own or open_ & mark:
            known |= mark
        elif card < FIRST_MAHANE:
            of_own += 1
        elif card < FIRST_XXXIII:
            mahane += 1
        else:
            xxxiii += 1
    bits(row, known, HELD)
    row.append(of_own)
    row.append(mahane)
    row.append(xxxiii)
    row.append(len(s.deck[who]))
    deck = 0
    if own:
        for card in s.deck[who]:
            deck |= 1 << bit(card)
    bits(row, deck, HELD)
    bits(row, s.discard[who], HELD)


def tables(c: Components) -> dict[str, AttributeTable]:
    """A card by its Location, its actions and its VP; a space of the Supper by its cost, its seat and its reward."""
    cards = [
        one_of(c.card_location[card], len(LOCATIONS))
        + [list(c.card_actions[card]).count(action) for action in range(len(ACTIONS))]
        + [c.card_vp[card]]
        for card in range(len(c.card_ids))
    ]
    spaces = [
        [*c.space_cost[space], c.space_distance[space]]
        + one_of(c.space_seat[space], len(c.seat_ids))
        + one_of(c.space_reward[space], len(REWARDS))
        + [c.space_amount[space]]
        for space in range(len(c.space_ids))
    ]
    apostles = [one_of(c.shade[one], len(SHADES)) + [c.shade_value[c.shade[one]]] for one in range(len(c.apostle_ids))]
    names = ["stone", "bread", "fish", "distance", *c.seat_ids, *[f"gives {one}" for one in REWARDS], "amount"]
    return {
        "card": AttributeTable([*LOCATIONS, *ACTIONS, "vp"], cards),
        "space": AttributeTable(names, spaces),
        "apostle": AttributeTable([*SHADES, "value"], apostles),
    }
