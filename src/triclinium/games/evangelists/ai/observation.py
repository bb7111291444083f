"""What a seat knows of a match, as bytes; `ENCODING` of `docs/research.md` names every cell."""

from librt.strings import BytesWriter

from triclinium.engine.core.encoding import (
    BITS,
    COUNT,
    FLAG,
    ID,
    MASK,
    AttributeTable,
    Block,
    Encoding,
    bits_of,
    bytes_for,
    one_of,
)
from triclinium.engine.core.observer import Observer, Questions, bits, count, counts, flag, ids, mask_from, seen_from
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.evangelists.rules.actions.tradition import Keep, LeaveFaceUp, Place
from triclinium.games.evangelists.rules.components import TRACKS, Components
from triclinium.games.evangelists.rules.scoring import matches
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists

SPECTATOR_BIT = 5  # of `seen`
KEPT = 2  # cards that a Tradition keeps at most


class EvangelistsObserver(Observer):
    """The cards of a box are told as far as the observer has looked (AE-R39), by their backs otherwise (AE-1.7)."""

    def __init__(self, c: Components) -> None:
        self.questions = Questions(
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
        self.encoding = Encoding(self.common(c), self.player(c))
        self.tables = tables(c)

    def common(self, c: Components) -> list[Block]:
        cards, themes = len(c.numbers), len(c.theme_ids)
        return [
            *self.questions.blocks(),
            Block("round", COUNT, 1, top=10),
            Block("rounds left", COUNT, 1, top=10),
            Block("variants", FLAG, 2, told="emphasis_once, theme_needs_match"),
            Block("turn", ID, 1, top=5, of="seat"),
            Block("stenographer", ID, 1, top=5, of="seat"),
            Block("octagons", COUNT, 1, top=c.octagons),
            Block("used", FLAG, 3, told="Travel, Rearrange and boat this turn"),
            Block("bag", COUNT, 3, top=12, told="white cubes, black cubes, black cubes beside it"),
            Block("kept", ID, KEPT, top=cards, of="tradition"),
            Block("placing", ID, 1, top=cards, of="tradition"),
            Block("here", ID, c.box_size, top=cards, of="tradition", told="the box that the question is about"),
            Block("witness", ID, c.cities, top=self.witnesses, of="witness"),
            Block("alive", BITS, top=c.cities, of="city"),
            Block("dead", BITS, top=c.cities, of="city"),
            Block("told", BITS, top=c.cities, of="city"),
            Block("boats", BITS, top=c.cities, of="city"),
            Block("interviews left", COUNT, c.cities, top=c.interview_cards),
            Block("face up", ID, c.cities, top=c.box_size, of="place of a box"),
            Block("backs", ID, c.cities, c.box_size, top=themes, of="theme"),
            Block("cards", ID, c.cities, c.box_size, top=cards, of="tradition"),
            Block("known by", MASK, c.cities, c.box_size),
        ]

    def player(self, c: Components) -> list[Block]:
        cards, themes = len(c.numbers), len(c.theme_ids)
        return [
            Block("pawn", ID, 1, top=len(c.place_ids), of="place"),
            Block("theme", ID, 1, top=themes, of="theme"),
            Block("colour", ID, 1, top=themes, of="theme"),
            Block("tokens", COUNT, 1, top=10),
            Block("tally", COUNT, 1, top=60),
            Block("levels", COUNT, TRACKS, top=10),
            Block("matches", COUNT, 1, top=10),
            Block("interviews", BITS, top=self.witnesses, of="witness"),
            Block("leaves", COUNT, 1, top=c.leaves_most),
            Block("slots", ID, c.slots_most, top=cards, of="tradition"),
        ]

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        assert isinstance(s, Evangelists)
        c = s.c
        me = 0 if seat == NOBODY else seat
        self.questions.write(row, s, seat)
        count(row, s.round())
        count(row, c.track_end - s.marker)
        flag(row, s.emphasis_once)
        flag(row, s.theme_needs_match)
        row.append(seen_from(s.turn, me, s.seats))
        row.append(seen_from(s.stenographer, me, s.seats))
        row.append(s.octagons)
        flag(row, s.travelled)
        flag(row, s.rearranged)
        flag(row, s.sailed)
        count(row, s.bag_white)
        count(row, s.bag_black)
        count(row, s.supply)
        ids(row, s.kept, KEPT)
        bit = 1 << (SPECTATOR_BIT if seat == NOBODY else seat)
        asked(row, s, bit)
        cities(row, s)
        boxes(row, s, bit, me)
        for i in range(s.seats):
            self.write_player(row, s, (me + i) % s.seats)

    def write_player(self, row: BytesWriter, s: Evangelists, who: Seat) -> None:
        row.append(s.pawn[who] + 1)
        row.append(s.theme[who] + 1)
        row.append(s.colour[who] + 1)
        count(row, s.tokens[who])
        count(row, s.tally[who])
        counts(row, s.levels, who * TRACKS, TRACKS)
        row.append(matches(s, who))
        bits(row, s.interviews[who], bytes_for(self.witnesses))
        slots = s.slots[who]
        row.append(len(slots) // s.c.slots_per_leaf)
        ids(row, slots, s.c.slots_most)


def asked(row: BytesWriter, s: Evangelists, bit: int) -> None:
    """The card to be placed, and the box before the seat that is asked."""
    step = s.stack[-1] if s.who >= 0 else None
    row.append(step.card(s) + 1 if isinstance(step, Place) else 0)
    size = s.c.box_size
    first = -1
    if isinstance(step, (Keep, LeaveFaceUp)):
        first = step.city * size
    for i in range(size):
        known = first >= 0 and s.seen[first + i] & bit
        row.append(s.box[first + i] + 1 if known else 0)


def cities(row: BytesWriter, s: Evangelists) -> None:
    """Witnesses, cubes, boats and interviews, city by city."""
    places = s.c.cities
    alive = 0
    dead = 0
    for city in range(places):
        witness = s.witness_at[city]
        row.append(witness + 1)
        alive |= ((s.alive >> witness) & 1) << city
        dead |= ((s.dead >> witness) & 1) << city
    cells = bytes_for(places)
    bits(row, alive, cells)
    bits(row, dead, cells)
    bits(row, s.told, cells)
    bits(row, s.boats, cells)
    for city in range(places):
        count(row, s.piles[s.witness_at[city]])
    for city in range(places):
        row.append(s.face_up[city] + 1)


def boxes(row: BytesWriter, s: Evangelists, bit: int, me: Seat) -> None:
    """Every place of every box: its back, its card if the observer knows it, and who does."""
    box = s.box
    seen = s.seen
    back = s.c.back
    for card in box:
        row.append(0 if card == EMPTY else back[card] + 1)
    for at in range(len(box)):
        row.append(box[at] + 1 if seen[at] & bit else 0)
    for mask in seen:
        row.append(mask_from(mask, me, s.seats))


def tables(c: Components) -> dict[str, AttributeTable]:
    """A card by its number, back, themes, motifs and witnesses; a place by what is next to it."""
    themes, motifs, witnesses = len(c.theme_ids), len(c.motif_ids), len(c.witness_ids)
    cards = [
        [c.numbers[card]]
        + one_of(c.back[card], themes)
        + bits_of(c.themes[card], themes)
        + bits_of(c.motifs[card], motifs)
        + bits_of(c.circles[card], witnesses)
        for card in range(len(c.numbers))
    ]
    names = ["number"]
    names += [f"back {one}" for one in c.theme_ids]
    names += c.theme_ids
    names += c.motif_ids
    names += c.witness_ids
    places = [[int(place < c.cities), *c.distance[place]] for place in range(len(c.place_ids))]
    return {
        "tradition": AttributeTable(names, cards),
        "place": AttributeTable(["city"] + [f"steps to {one}" for one in c.place_ids], places),
    }
