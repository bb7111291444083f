"""Set-up, in the rulebook's order (IE-1.1 to IE-1.17)."""

from collections.abc import Mapping
from typing import ClassVar

from triclinium.engine.core.action import Action
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import NOBODY, Option, Step
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.actions.cards import list_own_deck, refill_hand, shuffle_deck
from triclinium.games.ierusalem.rules.actions.followers import place_follower
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import COLOURS, FIRST_MAHANE, FIRST_XXXIII, NO_COLOUR
from triclinium.games.ierusalem.rules.events import PICKED_COLOUR, POSTED
from triclinium.games.ierusalem.rules.refusals import COLOUR_TAKEN
from triclinium.games.ierusalem.rules.state import ALL_SOURCES, FROM_START, Ierusalem
from triclinium.games.ierusalem.rules.turn import Turn
from triclinium.games.ierusalem.rules.verbs import COLOUR, POST


def deal(c: Components, seats: int, rng: Rng, variants: Mapping[str, bool | int | str], version: int) -> Ierusalem:
    """Deal a match up to the first decisions: the colours, if players pick them, and the fourteenth Followers."""
    s = Ierusalem()
    s.initialize(seats, rng, version)
    s.c = c
    s.jesus_vp = c.jesus_end_vp if variants["jesus_vp"] else 0  # IE-R2: the printed VP or none
    s.orange_scores_all = bool(variants["orange_scores_all"])
    s.stall_round = int(variants["stall_round"])
    set_up_board(s, rng, variants["symbols"] == "random")
    start = variants["start_player"]
    s.start = start if isinstance(start, int) else rng.below(seats)  # IE-1.10
    s.active = s.start
    s.turns = 0
    s.owed_turns = 0
    s.turn_card = -1
    colours = list(range(len(COLOURS)))
    rng.shuffle(colours)
    picking = variants["pick_colour"] is True
    s.colours = (NO_COLOUR,) * seats if picking else tuple(colours[:seats])  # IE-R44
    set_up_players(s)
    set_up_supper(s, rng)
    order = [(s.start + i) % seats for i in range(seats)]
    s.stack.append(DrawHands())
    for who in reversed(order):
        s.stack.append(Post(who))
    if picking:
        for who in reversed(order):
            s.stack.append(PickColour(who))
    return s


def set_up_board(s: Ierusalem, rng: Rng, random_symbols: bool) -> None:
    """IE-1.1 to IE-1.7  Set up Apostles, symbols, Judgments, marker, Mahane and XXXIII A.D. cards."""
    c = s.c
    s.waiting = tuple(c.waiting)
    s.seated = (-1,) * len(c.seat_ids)
    symbols = c.printed_symbols
    if random_symbols:
        heap: list[int] = []
        for place in range(5):
            heap.extend([place] * c.tiles_each)
        rng.shuffle(heap)
        symbols = heap[: len(c.printed_symbols)]
    s.symbols = bytes(symbols)
    tiles = list(range(len(c.tile_spaces)))
    rng.shuffle(tiles)
    s.tiles = bytes(tiles)
    s.has_judgments = True
    s.marker = 0
    mahane = list(range(FIRST_MAHANE, FIRST_XXXIII))
    rng.shuffle(mahane)
    s.display = tuple(mahane[: c.display_size])
    s.mahane = tuple(mahane[c.display_size :])
    s.mahane_hidden = len(s.mahane)
    xxxiii = list(range(FIRST_XXXIII, len(c.card_ids)))
    rng.shuffle(xxxiii)
    s.xxxiii = tuple(xxxiii)
    s.xxxiii_hidden = len(xxxiii)


def set_up_players(s: Ierusalem) -> None:
    """IE-1.8, IE-1.11 to IE-1.15  Set up each player's possessions. VP and money depend on the order of play."""
    c = s.c
    seats = s.seats
    s.empty_squares = [squares - seats for squares in c.squares[seats - 3]]
    s.at_location = [1] * (seats * 3)
    s.camp = [c.start_camp + 1] * seats  # The eleventh Follower goes to a Location of the player's choice.
    s.goods = c.start_goods * seats
    s.offerings = (c.start_offerings,) * seats
    s.illumination = (1,) * seats
    s.parables = (0,) * seats
    s.favors = (0,) * seats
    s.markers = ((1 << len(c.marker_ids)) - 1,) * seats
    s.received = [0] * (seats * 5)
    s.earned = [0] * (seats * ALL_SOURCES)
    s.denarii = [0] * seats
    s.hand = [()] * seats
    s.known_cards = [0] * seats
    s.deck = [()] * seats
    s.discard = [0] * seats
    s.shuffles = (0,) * seats
    s.columns = [b""] * (seats * 3)
    for i in range(seats):
        who = (s.start + i) % seats
        s.denarii[who] = c.start_denarii[i]
        s.earned[who * ALL_SOURCES + FROM_START] = c.start_vp[i]


def set_up_supper(s: Ierusalem, rng: Rng) -> None:
    """IE-1.9, IE-1.13  Set up the unused colour with 3 players, and one Follower of each player on a random corner."""
    c = s.c
    supper = [0] * (s.seats + 1)
    s.free_spaces = c.all_spaces
    if s.seats == 3:
        for space in c.unused_colour:
            supper[s.seats] |= 1 << space
            s.free_spaces &= ~(1 << space)
    corners = [space for space in c.corners if (s.free_spaces >> space) & 1]
    rng.shuffle(corners)
    for who in range(s.seats):
        supper[who] |= 1 << corners[who]
        s.free_spaces &= ~(1 << corners[who])
    s.supper = tuple(supper)


class PickColour(Step[Ierusalem]):
    """IE-R44  The choice of a free colour and its deck, if the option is on."""

    id: ClassVar[str] = "PickColour"
    action: ClassVar[Action | None] = stages.COLOURS
    question: ClassVar[str] = "Which colour do you play?"

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [*range(COLOUR, COLOUR + len(COLOURS))]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        return COLOUR_TAKEN if o - COLOUR in s.colours else None

    def apply(self, s: Ierusalem, o: Option) -> None:
        s.emit(PICKED_COLOUR, self.who, (o - COLOUR,), "IE-R44")
        s.colours = (*s.colours[: self.who], o - COLOUR, *s.colours[self.who + 1 :])


class Post(Step[Ierusalem]):
    """IE-1.15  The choice of Desert, Mountain or Lake for one more Follower."""

    id: ClassVar[str] = "Post"
    action: ClassVar[Action | None] = stages.SET_UP
    question: ClassVar[str] = "Where does your extra Follower start?"

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [POST, POST + 1, POST + 2]

    def apply(self, s: Ierusalem, o: Option) -> None:
        s.emit(POSTED, self.who, (o - POST,), "IE-1.15")
        place_follower(s, self.who, o - POST)


class DrawHands(Step[Ierusalem]):
    """IE-1.16  A step that shuffles the players' decks, deals the first hands, and begins the first turn."""

    id: ClassVar[str] = "DrawHands"

    def __init__(self) -> None:
        super().__init__(NOBODY)

    def run(self, s: Ierusalem) -> None:
        for i in range(s.seats):
            who = (s.start + i) % s.seats
            s.deck[who] = shuffle_deck(s, who, list_own_deck(s, who))
            refill_hand(s, who)
        s.stack.append(Turn(s.start))
