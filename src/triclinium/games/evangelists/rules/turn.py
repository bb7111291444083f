"""The sequence of play (AE-2) with rounds, turns and the choice of an action, and the end of a round (AE-10)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import FREE, NO_PRICE, Action, Price
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import options_by_mask
from triclinium.engine.core.state import ASK, NOBODY, Option, Seat, Step
from triclinium.games.evangelists.rules import stages
from triclinium.games.evangelists.rules.actions.boat import sail_boat
from triclinium.games.evangelists.rules.actions.interview import interview_witness
from triclinium.games.evangelists.rules.actions.rearrange import rearrange_leaves
from triclinium.games.evangelists.rules.actions.tradition import take_tradition
from triclinium.games.evangelists.rules.actions.travel import begin_travel
from triclinium.games.evangelists.rules.events import (
    LEAF_ADDED,
    MATCH_ENDED,
    ROUND_BEGAN,
    ROUND_ENDED,
    TURN_BEGAN,
    TURN_ENDED,
)
from triclinium.games.evangelists.rules.refusals import (
    BOAT_ONCE,
    BOX_EMPTY,
    INTERVIEW_ONCE,
    NO_BOAT,
    NO_CITY_NO_WITNESS,
    NOT_IN_CITY,
    NOTHING_TO_ARRANGE,
    PILE_EMPTY,
    REARRANGE_ONCE,
    TOO_FEW_OCTAGONS,
    TRADITION_ONCE,
    TRAVEL_ONCE,
    TURN_IS_OVER,
)
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists
from triclinium.games.evangelists.rules.verbs import (
    BOAT,
    END,
    INTERVIEW,
    LEFT,
    REARRANGE,
    RIGHT,
    TRADITION,
    TRAVEL,
)


class NewRound(Step[Evangelists]):
    """AE-2.2  A round: each player has exactly one turn, clockwise from the stenographer."""

    id: ClassVar[str] = "NewRound"

    def __init__(self) -> None:
        super().__init__(NOBODY)

    def run(self, s: Evangelists) -> None:
        s.emit(ROUND_BEGAN, NOBODY, (s.get_round(),), "AE-2.1")
        s.stack.append(EndRound())
        for i in range(s.seats - 1, -1, -1):
            s.stack.append(BeginTurn((s.stenographer + i) % s.seats))


class BeginTurn(Step[Evangelists]):
    """AE-2.3  The start of a turn: the active player gets three octagons."""

    id: ClassVar[str] = "BeginTurn"

    def __init__(self, seat: Seat) -> None:
        super().__init__(NOBODY)
        self.seat = seat

    def fields(self) -> tuple[int, ...]:
        return (self.seat,)

    def run(self, s: Evangelists) -> None:
        s.turn = self.seat
        s.octagons = s.c.octagons
        s.travelled = False
        s.rearranged = False
        s.sailed = False
        s.opened_boxes = 0
        s.emit(TURN_BEGAN, self.seat, (), "AE-2.2")
        s.stack.append(ChooseAction(self.seat))


# Sets of actions are bitmasks. Bit i is the action TRAVEL + i.
MENU: Final = options_by_mask([TRAVEL, TRAVEL + 1, TRADITION, INTERVIEW, REARRANGE, REARRANGE + 1, BOAT], [END])
DECLARED_WEAK: Final = 1 | 1 << (REARRANGE - TRAVEL)  # The next bit is the same action, declared strong (AE-R16).
DISPLAY_ORDER: Final = (TRADITION, INTERVIEW, TRAVEL, TRAVEL + 1, BOAT, REARRANGE, REARRANGE + 1)


class ChooseAction(Step[Evangelists]):
    """AE-2.6  The choice of an action (AE-2.7), of a boat ride (AE-5.2), or of the end of the turn (AE-2.5)."""

    id: ClassVar[str] = "ChooseAction"
    action: ClassVar[Action | None] = stages.TURN
    chained_verbs: ClassVar[tuple[str, ...]] = ("travel", "boat")
    question: ClassVar[str] = "Your turn: {0} {0:octagon|octagons} left. What do you do?"

    def candidates(self, s: Evangelists) -> list[Option]:
        return [TRAVEL, TRAVEL + 1, TRADITION, INTERVIEW, REARRANGE, REARRANGE + 1, BOAT, END]

    def question_parameters(self, s: Evangelists) -> tuple[int, ...]:
        return (s.octagons,)

    def option_price(self, s: Evangelists, o: Option) -> Price:
        if o == END:
            return NO_PRICE
        return FREE if o == BOAT else (stages.OCTAGONS, (compute_action_cost(s, o),))

    def display_rank(self, s: Evangelists, o: Option) -> int:
        """Return the rank of an option: actions in the current city first, then ways to leave it."""
        return DISPLAY_ORDER.index(o) if o in DISPLAY_ORDER else len(DISPLAY_ORDER)

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        if o == END:
            return None  # AE-R37: a turn without any action is legal.
        if o == BOAT:
            return forbids_boat(s, self.who)
        if s.octagons < compute_action_cost(s, o):
            return TOO_FEW_OCTAGONS
        if o < TRADITION:
            return TRAVEL_ONCE if s.travelled else None
        if o == TRADITION:
            return forbids_tradition(s, self.who)
        if o == INTERVIEW:
            return forbids_interview(s, self.who)
        if s.rearranged:
            return REARRANGE_ONCE
        return None if s.has_cards(self.who) else NOTHING_TO_ARRANGE

    def rule_parameters(self, s: Evangelists, o: Option, rule: Rule) -> tuple[int, ...]:
        if rule is TOO_FEW_OCTAGONS:
            return (compute_action_cost(s, o), s.octagons)
        if rule is INTERVIEW_ONCE or rule is PILE_EMPTY:
            return (s.witness_at[s.pawn[self.who]],)
        return (s.pawn[self.who],)

    def options(self, s: Evangelists) -> list[Option]:
        # This method is called very often: it gives the same answers as `forbids` but checks each condition once.
        who = self.who
        actions = 0
        if s.octagons >= s.c.cost_weak:
            if not s.travelled:
                actions |= 1
            if forbids_tradition(s, who) is None:
                actions |= 1 << (TRADITION - TRAVEL)
            if forbids_interview(s, who) is None:
                actions |= 1 << (INTERVIEW - TRAVEL)
            if not s.rearranged and s.has_cards(who):
                actions |= 1 << (REARRANGE - TRAVEL)
            if s.octagons >= s.c.cost_strong:
                actions |= (actions & DECLARED_WEAK) << 1
        if forbids_boat(s, who) is None:
            actions |= 1 << (BOAT - TRAVEL)
        return MENU[actions]

    def apply(self, s: Evangelists, o: Option) -> None:
        if o == END:
            s.emit(TURN_ENDED, self.who, (s.octagons,), "AE-2.5")
            s.octagons = 0
            return
        s.stack.append(self)  # AE-2.5: the turn continues after the action while octagons are left.
        if o == BOAT:
            sail_boat(s, self.who)
            return
        s.octagons -= compute_action_cost(s, o)
        if o < TRADITION:
            begin_travel(s, self.who, o == TRAVEL + 1)
        elif o == TRADITION:
            take_tradition(s, self.who, s.pawn[self.who])
        elif o == INTERVIEW:
            interview_witness(s, self.who, s.pawn[self.who])
        else:
            rearrange_leaves(s, self.who, o == REARRANGE + 1)


def compute_action_cost(s: Evangelists, o: Option) -> int:
    """AE-2.3, AE-R16  Return the price in octagons. Only Travel and Rearrange can be declared strong at once."""
    return s.c.cost_strong if o == TRAVEL + 1 or o == REARRANGE + 1 else s.c.cost_weak


def forbids_tradition(s: Evangelists, who: Seat) -> Rule | None:
    """AE-2.7, AE-6.1, AE-R15  Return the rule against a Tradition, or None.

    It needs a city whose box was not opened this turn and still has a card.
    """
    city = s.pawn[who]
    if city >= s.c.cities:
        return NOT_IN_CITY
    if (s.opened_boxes >> city) & 1:
        return TRADITION_ONCE
    return None if s.list_occupied_places(city) else BOX_EMPTY


def forbids_interview(s: Evangelists, who: Seat) -> Rule | None:
    """AE-7.1, AE-R18  Return the rule against an Interview, or None.

    It needs a city, a witness not yet interviewed by the player, and a card left in the pile.
    """
    city = s.pawn[who]
    if city >= s.c.cities:
        return NO_CITY_NO_WITNESS
    witness = s.witness_at[city]
    if (s.interviews[who] >> witness) & 1:
        return INTERVIEW_ONCE
    return None if s.piles[witness] else PILE_EMPTY


def forbids_boat(s: Evangelists, who: Seat) -> Rule | None:
    """AE-2.5, AE-2.7, AE-5.1  Return the rule against a boat ride, or None.

    It needs a city with a boat, once a turn, before the last octagon is spent (AE-R9).
    """
    if not s.octagons and not s.boat_after_last_octagon:
        return TURN_IS_OVER
    if s.sailed:
        return BOAT_ONCE
    return None if (s.boats >> s.pawn[who]) & 1 else NO_BOAT


class EndRound(Step[Evangelists]):
    """AE-10.1, AE-10.3  The end of a round.

    The marker advances, the white cubes return to the bag, one of them leaves the match, and leaves are added.
    """

    id: ClassVar[str] = "EndRound"

    def __init__(self) -> None:
        super().__init__(NOBODY)

    def run(self, s: Evangelists) -> None:
        s.marker += 1
        back = s.alive.bit_count()
        s.bag_white += back
        s.alive = 0  # AE-10.2: black cubes stay on their discs.
        gone = min(s.c.white_removed, s.bag_white)  # AE-R19
        s.bag_white -= gone
        s.emit(ROUND_ENDED, NOBODY, (back, gone, s.bag_white, s.bag_black), "AE-10.1")
        if s.marker == s.c.track_end:
            s.emit(MATCH_ENDED, NOBODY, (), "AE-10.3")
            return
        s.stack.append(NewRound())
        if s.c.track_leaf[s.marker]:
            for i in range(s.seats - 1, -1, -1):
                s.stack.append(AddLeaf((s.stenographer + i) % s.seats))


SIDES: Final = [LEFT, RIGHT]


class AddLeaf(Step[Evangelists]):
    """AE-10.1, AE-R35  The choice of the side, left or right, where the gospel gets an empty leaf."""

    id: ClassVar[str] = "AddLeaf"
    action: ClassVar[Action | None] = stages.NEW_LEAF
    question: ClassVar[str] = "On which side do you add the new leaf?"

    def candidates(self, s: Evangelists) -> list[Option]:
        return [LEFT, RIGHT]

    def options(self, s: Evangelists) -> list[Option]:
        return SIDES

    def forced_option(self, s: Evangelists, legal: list[Option]) -> Option:
        return ASK if s.has_cards(self.who) else RIGHT  # AE-D17: without cards both sides are alike.

    def apply(self, s: Evangelists, o: Option) -> None:
        leaf = (EMPTY,) * s.c.slots_per_leaf
        slots = s.slots[self.who]
        s.slots[self.who] = leaf + slots if o == LEFT else slots + leaf
        s.emit(LEAF_ADDED, self.who, (int(o == RIGHT),), "AE-10.1")
