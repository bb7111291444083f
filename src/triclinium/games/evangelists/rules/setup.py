"""Set-up (AE-1), in the rulebook's order."""

from collections.abc import Mapping
from typing import ClassVar

from triclinium.engine.core.action import Action
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import copy_with_item
from triclinium.engine.core.state import Option, Step
from triclinium.games.evangelists.rules import stages
from triclinium.games.evangelists.rules.components import TRACKS, Components
from triclinium.games.evangelists.rules.events import COLOURED, STARTED
from triclinium.games.evangelists.rules.refusals import CITY_TAKEN, COLOUR_TAKEN
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists
from triclinium.games.evangelists.rules.turn import NewRound
from triclinium.games.evangelists.rules.verbs import COLOUR, START


def deal(c: Components, seats: int, rng: Rng, variants: Mapping[str, bool | int | str], version: int) -> Evangelists:
    """AE-1.1 to AE-1.14  Deal a match. The starting cities (AE-1.12) are its first decisions."""
    s = Evangelists()
    s.initialize(seats, rng, version)
    s.c = c
    s.emphasis_once = variants["emphasis_once_per_motif"] is True
    s.theme_needs_match = variants["theme_needs_match"] is True
    s.memory_aid = variants["memory_aid"] is True
    s.pick_colour = variants["pick_pawn_colour"] is True
    s.boat_after_last_octagon = variants["boat_after_last_octagon"] is True  # AE-R9
    s.boats = c.boats_start  # AE-1.1
    s.witness_at = list(range(len(c.witness_ids)))  # AE-1.2
    rng.shuffle(s.witness_at)
    s.alive = 0
    s.dead = 0
    s.bag_white = c.white_in_bag  # AE-1.3
    s.bag_black = c.black_in_bag
    s.supply = c.black_in_supply
    s.marker = c.track_start[seats]  # AE-1.4
    s.piles = [c.interview_cards] * len(c.witness_ids)  # AE-1.5
    s.box = list(range(len(c.numbers)))  # AE-1.6
    rng.shuffle(s.box)
    s.seen = [0] * len(s.box)
    s.face_up = [EMPTY] * c.cities
    themes = list(range(len(c.theme_ids)))  # AE-1.9
    rng.shuffle(themes)
    s.theme = themes[:seats]
    s.colour = [EMPTY] * seats if s.pick_colour else s.theme[:]  # AE-1.13, AE-R34
    slots = c.leaves_start * c.slots_per_leaf
    s.slots = [(EMPTY,) * slots] * seats  # AE-1.10
    s.interviews = [0] * seats
    s.tally = [0] * seats
    s.levels = [0] * (seats * TRACKS)
    stenographer = variants["stenographer"]  # AE-1.11, AE-R33
    s.stenographer = stenographer if isinstance(stenographer, int) else rng.below(seats)
    s.tokens = [c.tokens_other] * seats  # AE-1.14
    s.tokens[s.stenographer] = c.tokens_stenographer
    s.tokens[(s.stenographer - 1) % seats] += c.tokens_last
    s.pawn = [EMPTY] * seats
    s.turn = s.stenographer
    s.octagons = 0
    s.travelled = False
    s.rearranged = False
    s.sailed = False
    s.opened_boxes = 0
    s.kept_cards = ()
    s.push(NewRound())
    for i in range(seats - 1, -1, -1):
        seat = (s.stenographer + i) % seats
        s.push(StartCity(seat))
        if s.pick_colour:
            s.push(PickColour(seat))
    return s


class PickColour(Step[Evangelists]):
    """AE-R34  The choice of a free theme colour, if the option is on."""

    id: ClassVar[str] = "PickColour"
    action: ClassVar[Action | None] = stages.SET_UP
    question: ClassVar[str] = "Pick the colour of your pawn."

    def candidates(self, s: Evangelists) -> list[Option]:
        return [COLOUR + theme for theme in range(len(s.c.theme_ids))]

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        return COLOUR_TAKEN if o - COLOUR in s.colour else None

    def apply(self, s: Evangelists, o: Option) -> None:
        s.colour = copy_with_item(s.colour, self.who, o - COLOUR)
        s.emit(COLOURED, self.who, (o - COLOUR,), "AE-R34")


class StartCity(Step[Evangelists]):
    """AE-1.12  The choice of a city without a pawn to start in."""

    id: ClassVar[str] = "StartCity"
    action: ClassVar[Action | None] = stages.SET_UP
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Choose the city where your pawn starts."

    def candidates(self, s: Evangelists) -> list[Option]:
        return [START + city for city in range(s.c.cities)]

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        return CITY_TAKEN if o - START in s.pawn else None

    def options(self, s: Evangelists) -> list[Option]:
        taken = 0
        for place in s.pawn:
            if place != EMPTY:
                taken |= 1 << place
        return [START + city for city in range(s.c.cities) if not (taken >> city) & 1]

    def apply(self, s: Evangelists, o: Option) -> None:
        s.pawn[self.who] = o - START
        s.emit(STARTED, self.who, (o - START,), "AE-1.12")
