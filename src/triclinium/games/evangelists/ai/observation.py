"""Observation of a match by one seat, as bytes. `docs/research.md` describes the cells of the encoding."""

from librt.strings import BytesWriter

from triclinium.engine.core.encoding import (
    BITS,
    COUNT,
    FLAG,
    ID,
    MASK,
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
    relative_mask,
    relative_seat,
    write_bits,
    write_count,
    write_counts,
    write_flag,
    write_ids,
)
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.evangelists.rules.actions.tradition import Keep, LeaveFaceUp, Place
from triclinium.games.evangelists.rules.components import TRACKS, Components
from triclinium.games.evangelists.rules.scoring import count_matches
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists

SPECTATOR_BIT = 5  # the spectators' bit in `Evangelists.seen`
MOST_KEPT = 2  # maximum number of cards that one Tradition keeps


class EvangelistsObserver(Observer):
    """The observer of The Acts of the Evangelists.

    It writes cards in boxes if the observer has seen them (AE-R39), and otherwise their backs (AE-1.7).
    """

    def __init__(self, c: Components) -> None:
        self.questions = QuestionEncoder(
            {
                "StartCity": "",
                "PickColour": "",
                "ChooseAction": "",
                "TravelTo": "n",
                "SailTo": "",
                "Displace": "n",
                "Keep": "n",
                "KeepSecond": "n",
                "PlaceKept": "n",
                "LeaveFaceUp": "n",
                "PlaceCopy": "-",
                "HowStrong": "n",
                "ChooseLeaf": "nn",
                "ChooseHow": "nnn",
                "FollowTravel": "n",
                "FollowTradition": "n",
                "FollowInterview": "nn",
                "FollowRearrange": "n",
                "AddLeaf": "",
            }
        )
        self.witnesses = len(c.witness_ids)
        self.encoding = Encoding(self.common_blocks(c), self.player_blocks(c))
        self.tables = build_attribute_tables(c)

    def common_blocks(self, c: Components) -> list[CellBlock]:
        cards, themes = len(c.numbers), len(c.theme_ids)
        return [
            *self.questions.blocks(),
            CellBlock("round", COUNT, 1, top=10),
            CellBlock("rounds left", COUNT, 1, top=10),
            CellBlock("variants", FLAG, 2, note="emphasis_once, theme_needs_match"),
            CellBlock("turn", ID, 1, top=5, id_table="seat"),
            CellBlock("stenographer", ID, 1, top=5, id_table="seat"),
            CellBlock("octagons", COUNT, 1, top=c.octagons),
            CellBlock("used", FLAG, 3, note="Travel, Rearrange and boat this turn"),
            CellBlock("bag", COUNT, 3, top=12, note="white cubes, black cubes, black cubes next to it"),
            CellBlock("kept", ID, MOST_KEPT, top=cards, id_table="tradition"),
            CellBlock("placing", ID, 1, top=cards, id_table="tradition"),
            CellBlock(
                "here", ID, c.box_size, top=cards, id_table="tradition", note="the box that the question is about"
            ),
            CellBlock("witness", ID, c.cities, top=self.witnesses, id_table="witness"),
            CellBlock("alive", BITS, top=c.cities, id_table="city"),
            CellBlock("dead", BITS, top=c.cities, id_table="city"),
            CellBlock("told", BITS, top=c.cities, id_table="city"),
            CellBlock("boats", BITS, top=c.cities, id_table="city"),
            CellBlock("interviews left", COUNT, c.cities, top=c.interview_cards),
            CellBlock("face up", ID, c.cities, top=c.box_size, id_table="place of a box"),
            CellBlock("backs", ID, c.cities, c.box_size, top=themes, id_table="theme"),
            CellBlock("cards", ID, c.cities, c.box_size, top=cards, id_table="tradition"),
            CellBlock("known by", MASK, c.cities, c.box_size),
        ]

    def player_blocks(self, c: Components) -> list[CellBlock]:
        cards, themes = len(c.numbers), len(c.theme_ids)
        return [
            CellBlock("pawn", ID, 1, top=len(c.place_ids), id_table="place"),
            CellBlock("theme", ID, 1, top=themes, id_table="theme"),
            CellBlock("colour", ID, 1, top=themes, id_table="theme"),
            CellBlock("tokens", COUNT, 1, top=10),
            CellBlock("tally", COUNT, 1, top=60),
            CellBlock("levels", COUNT, TRACKS, top=10),
            CellBlock("matches", COUNT, 1, top=10),
            CellBlock("interviews", BITS, top=self.witnesses, id_table="witness"),
            CellBlock("leaves", COUNT, 1, top=c.leaves_most),
            CellBlock("slots", ID, c.slots_most, top=cards, id_table="tradition"),
        ]

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        assert isinstance(s, Evangelists)
        c = s.c
        me = 0 if seat == NOBODY else seat
        self.questions.write(row, s, seat)
        write_count(row, s.get_round())
        write_count(row, c.track_end - s.marker)
        write_flag(row, s.emphasis_once)
        write_flag(row, s.theme_needs_match)
        row.append(relative_seat(s.turn, me, s.seats))
        row.append(relative_seat(s.stenographer, me, s.seats))
        row.append(s.octagons)
        write_flag(row, s.travelled)
        write_flag(row, s.rearranged)
        write_flag(row, s.sailed)
        write_count(row, s.bag_white)
        write_count(row, s.bag_black)
        write_count(row, s.supply)
        write_ids(row, s.kept_cards, MOST_KEPT)
        bit = 1 << (SPECTATOR_BIT if seat == NOBODY else seat)
        write_question_cards(row, s, bit)
        write_cities(row, s)
        write_boxes(row, s, bit, me)
        for i in range(s.seats):
            self.write_player(row, s, (me + i) % s.seats)

    def write_player(self, row: BytesWriter, s: Evangelists, who: Seat) -> None:
        row.append(s.pawn[who] + 1)
        row.append(s.theme[who] + 1)
        row.append(s.colour[who] + 1)
        write_count(row, s.tokens[who])
        write_count(row, s.tally[who])
        write_counts(row, s.levels, who * TRACKS, TRACKS)
        row.append(count_matches(s, who))
        write_bits(row, s.interviews[who], count_bytes(self.witnesses))
        slots = s.slots[who]
        row.append(len(slots) // s.c.slots_per_leaf)
        write_ids(row, slots, s.c.slots_most)


def write_question_cards(row: BytesWriter, s: Evangelists, bit: int) -> None:
    """Write the card to place, and the known cards in the box at which the deciding seat is looking."""
    step = s.stack[-1] if s.who >= 0 else None
    row.append(step.get_card(s) + 1 if isinstance(step, Place) else 0)
    size = s.c.box_size
    first = -1
    if isinstance(step, (Keep, LeaveFaceUp)):
        first = step.city * size
    for i in range(size):
        known = first >= 0 and s.seen[first + i] & bit
        row.append(s.box[first + i] + 1 if known else 0)


def write_cities(row: BytesWriter, s: Evangelists) -> None:
    """Write the witness, cube, boat and interviews of each city."""
    places = s.c.cities
    alive = 0
    dead = 0
    for city in range(places):
        witness = s.witness_at[city]
        row.append(witness + 1)
        alive |= ((s.alive >> witness) & 1) << city
        dead |= ((s.dead >> witness) & 1) << city
    cells = count_bytes(places)
    write_bits(row, alive, cells)
    write_bits(row, dead, cells)
    write_bits(row, s.opened_boxes, cells)
    write_bits(row, s.boats, cells)
    for city in range(places):
        write_count(row, s.piles[s.witness_at[city]])
    for city in range(places):
        row.append(s.face_up[city] + 1)


def write_boxes(row: BytesWriter, s: Evangelists, bit: int, me: Seat) -> None:
    """Write for every place in every box its back, its card if the observer knows it, and the seats that know it."""
    box = s.box
    seen = s.seen
    back = s.c.back
    for card in box:
        row.append(0 if card == EMPTY else back[card] + 1)
    for at in range(len(box)):
        row.append(box[at] + 1 if seen[at] & bit else 0)
    for mask in seen:
        row.append(relative_mask(mask, me, s.seats))


def build_attribute_tables(c: Components) -> dict[str, AttributeTable]:
    """Return the attributes of each card (number, back, themes, motifs, witnesses) and place (its neighbours)."""
    themes, motifs, witnesses = len(c.theme_ids), len(c.motif_ids), len(c.witness_ids)
    cards = [
        [c.numbers[card]]
        + one_hot(c.back[card], themes)
        + mask_to_bits(c.themes[card], themes)
        + mask_to_bits(c.motifs[card], motifs)
        + mask_to_bits(c.circles[card], witnesses)
        for card in range(len(c.numbers))
    ]
    names = ["number"]
    names += [f"back {name}" for name in c.theme_ids]
    names += c.theme_ids
    names += c.motif_ids
    names += c.witness_ids
    places = [[int(place < c.cities), *c.distance[place]] for place in range(len(c.place_ids))]
    return {
        "tradition": AttributeTable(names, cards),
        "place": AttributeTable(["city"] + [f"steps to {name}" for name in c.place_ids], places),
    }
