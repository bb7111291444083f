"""Set-up (PP-1), in the rulebook's order."""

from collections.abc import Mapping
from typing import ClassVar

from triclinium.engine.core.action import Action
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import NOBODY, Option, Step
from triclinium.games.portals.rules import stages
from triclinium.games.portals.rules.components import GENESIS, LOW, NEW, NONE, OLD, PORTAL, STAND, Components
from triclinium.games.portals.rules.events import LAID, PORTAL_SET, STOOD
from triclinium.games.portals.rules.refusals import PLACE_TAKEN, PORTAL_IN_REGION
from triclinium.games.portals.rules.state import RUNNING, Portals
from triclinium.games.portals.rules.table_rules import TableRules
from triclinium.games.portals.rules.turn import begin_turn


def build_table_rules(c: Components, variants: Mapping[str, bool | int | str]) -> TableRules:
    """Return the variants in the form that the rules read."""
    simplified = variants["simplified"] is True
    stall = variants["stall_rounds"]
    limit = variants["round_limit"]
    assert isinstance(stall, int)
    assert isinstance(limit, int)
    return TableRules(
        range_masks=c.range_by_centuries if variants["range"] == "centuries" else c.range_by_spaces,
        new_from=c.space_ids.index("5") if variants["nt_draw"] == "from_5th" else 0,
        two_burns=variants["fuel_cards"] == "two_per_turn",
        hidden_discards=variants["discards"] == "hidden",
        one_wild_per_set=variants["wilds"] == "one_per_set",
        break_ties=variants["ties"] == "broken",
        stall_rounds=stall,
        round_limit=limit,
        team=variants["team"] is True,
        simplified=simplified,
        third_card_ends=not simplified or variants["simplified_nt_end"] is True,
        sweep_row=variants["sweep_row"] is True,
    )


def deal(c: Components, seats: int, rng: Rng, variants: Mapping[str, bool | int | str], version: int) -> Portals:
    """PP-1.2 to PP-1.10  Deal a match: cards, capsule, gauge and portals. The pawns come next, and then the row."""
    s = make_empty_table(c, seats, rng, build_table_rules(c, variants), version)
    s.unused = c.list_cards(GENESIS)
    rng.shuffle(s.unused)
    for who in range(seats):
        for _ in range(c.start_hand):
            s.hands[who] += (s.unused.pop(),)
    s.old = c.list_cards(OLD)
    rng.shuffle(s.old)
    s.new = c.list_cards(NEW)
    rng.shuffle(s.new)
    starter = variants["start"]
    s.first = starter if isinstance(starter, int) else rng.below(seats)
    s.stack.append(LayRow(NOBODY))
    for i in range(seats):
        s.stack.append(Stand((s.first + seats - 1 - i) % seats))
    if variants["portals"] == "starter":
        for _ in range(c.portals):
            s.stack.append(SetPortal(s.first))
    else:
        places = draw_random_portals(c, rng, [] if variants["portals"] == "random" else c.suggested_portals)
        for place in places:
            s.portals |= 1 << place
    return s


def make_empty_table(c: Components, seats: int, rng: Rng, v: TableRules, version: int) -> Portals:
    """PP-1.6, PP-1.8  Return a state without dealt cards: capsule on Genesis, gauge on Low, 0 points for all."""
    s = Portals()
    s.initialize(seats, rng, version)
    s.c = c
    s.v = v
    s.first = 0
    s.round = 0
    s.capsule = 0
    s.gauge = LOW
    s.actions = 0
    s.burnt = 0
    s.last_round = 0
    s.event_played = 0
    s.idle_rounds = 0
    s.ending = RUNNING
    s.portals = 0
    s.pawns = [NONE] * seats
    s.hands = [()] * seats
    s.known_in_hand = [0] * seats
    s.doubtful = [()] * seats
    s.played = [()] * seats
    s.points = [0] * seats
    s.regions = [0] * seats
    s.symbols = [0] * seats
    s.new_played = [0] * seats
    s.row = [NONE] * c.row_size
    s.old = []
    s.new = []
    s.unused = []
    s.gone = []
    s.buried = []
    s.buried_seen = []
    s.buried_blanks = []
    return s


def draw_random_portals(c: Components, rng: Rng, suggested: list[int]) -> list[int]:
    """PP-R7  Return the places of the portals: the suggested ones, then random places in other regions."""
    places = suggested[: c.portals]
    left = c.portals - len(places)
    if left == 0:
        return places
    taken = [c.place_region[place] for place in places]
    regions = [region for region in range(c.regions) if region not in taken]
    rng.shuffle(regions)
    return places + [
        rng.pick([place for place in range(c.places) if c.place_region[place] == region]) for region in regions[:left]
    ]


class SetPortal(Step[Portals]):
    """PP-1.7, PP-R7  The choice of the place for a portal by the starting player, in a region without one."""

    id: ClassVar[str] = "SetPortal"
    action: ClassVar[Action | None] = stages.SET_UP
    question: ClassVar[str] = "Where does portal {0} of {1} go?"

    def question_parameters(self, s: Portals) -> tuple[int, ...]:
        return (s.portals.bit_count() + 1, s.c.portals)

    def candidates(self, s: Portals) -> list[Option]:
        return [PORTAL + place for place in range(s.c.places)]

    def forbids(self, s: Portals, o: Option) -> Rule | None:
        region = s.c.place_region[o - PORTAL]
        for place in range(s.c.places):
            if (s.portals >> place) & 1 and s.c.place_region[place] == region:
                return PORTAL_IN_REGION
        return None

    def rule_parameters(self, s: Portals, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.c.place_region[o - PORTAL],)

    def apply(self, s: Portals, o: Option) -> None:
        s.portals |= 1 << (o - PORTAL)
        s.emit(PORTAL_SET, self.who, (o - PORTAL,), "PP-1.7")


class Stand(Step[Portals]):
    """PP-1.9, PP-R8  The choice of the place where a pawn begins: any place without another pawn, also a portal."""

    id: ClassVar[str] = "Stand"
    action: ClassVar[Action | None] = stages.SET_UP
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Where does your pawn start?"

    def display_rank(self, s: Portals, o: Option) -> int:
        """Return the rank of a place: those of the player's own cards come first."""
        return -[s.c.place[card] for card in s.hands[self.who]].count(o - STAND)

    def candidates(self, s: Portals) -> list[Option]:
        return [STAND + place for place in range(s.c.places)]

    def options(self, s: Portals) -> list[Option]:
        blocked = s.compute_occupied_mask()
        return [STAND + place for place in range(s.c.places) if (blocked >> place) & 1 == 0]

    def forbids(self, s: Portals, o: Option) -> Rule | None:
        return None if s.find_pawn(o - STAND) == NOBODY else PLACE_TAKEN

    def rule_parameters(self, s: Portals, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.find_pawn(o - STAND),)

    def apply(self, s: Portals, o: Option) -> None:
        s.pawns[self.who] = o - STAND
        s.emit(STOOD, self.who, (o - STAND,), "PP-1.9")


class LayRow(Step[Portals]):
    """PP-1.10, PP-2.1  A step that lays the row when all pawns are placed, and begins the first player's turn."""

    id: ClassVar[str] = "LayRow"

    def run(self, s: Portals) -> None:
        for i in range(len(s.row)):
            s.row[i] = s.draw_top(OLD)
        s.undo_barrier += 1
        s.round = 1
        s.emit(LAID, NOBODY, tuple([card for card in s.row if card != NONE]), "PP-1.10")
        begin_turn(s, s.first)
