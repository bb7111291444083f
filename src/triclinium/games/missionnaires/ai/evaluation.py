"""Evaluation of positions, mainly by the travel that is left (specification, section 9)."""

from typing import Final

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.games.missionnaires.ai.ticket_home import find_ticket_home
from triclinium.games.missionnaires.rules.actions.cards import Cancel
from triclinium.games.missionnaires.rules.actions.effects import PayOrSkip
from triclinium.games.missionnaires.rules.actions.move import Main
from triclinium.games.missionnaires.rules.actions.obstacles import find_declared_space
from triclinium.games.missionnaires.rules.components import (
    ADVANCE,
    BACK,
    CONG_ADD,
    CONGREGATION,
    GAIN,
    GOTO,
    HALT,
    JOINS,
    LEAVE,
    LOSE,
    OBEY,
    OFF,
    PAY,
    PAY_OR_SKIP,
    SKIP,
    STORM,
)
from triclinium.games.missionnaires.rules.scoring import scores
from triclinium.games.missionnaires.rules.state import LAST_TURN, STOPPED, THIS_TURN, Missionnaires
from triclinium.games.missionnaires.rules.tours import measure_tour, measure_tour_with_return

FEATURES: Final = (
    # turns of travel through all unvisited congregations to the Bethel; a return for periodicals may shorten the travel
    "tour",
    "unvisited",
    "periodicals",  # periodicals that the remaining travel can use
    "spare_periodicals",
    "company",  # turns that an overseer saves until the next visit, where he stays behind
    "bons",  # BONS in hand, which must all be used or burnt before the end
    "tickets",  # BONS that help travel (a bonus move, periodicals, an overseer), unless little travel is left
    "missed",
    "home",
    "rank",
    "stopped",  # 1 if the match is over and this seat is not home
    "rivals_unvisited",
    "rivals_missed",
    "rivals_tour",
    "guarded",  # own congregations with a gendarme
    "idle",  # 1 if the turn was passed, because a bot that waits in order to avoid bad cards loses time
)

TURN_LENGTH: Final = 20.0  # length of travel in one turn, in units of the distance table

TICKET_EFFECTS: Final = (ADVANCE, GAIN, JOINS)

HARMFUL_EFFECTS: Final = (SKIP, PAY_OR_SKIP, LOSE, LEAVE, GOTO, CONG_ADD, HALT, STORM, BACK)

SHORT_TOUR: Final = 8.0  # turns of travel below which the value of BONS shrinks

MAX_USEFUL_TICKETS: Final = (
    4  # maximum number of BONS that count, so that a bot with more of them still takes the last steps home
)

FULL_TOUR: Final = 70.0  # turns of travel at the start of a match


class MissionnairesEvaluator(Evaluator):
    """The evaluation of positions for bots."""

    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, Missionnaires)
        return features(s, seat)

    def progress(self, s: State) -> float:
        assert isinstance(s, Missionnaires)
        return measure_progress(s)

    def is_stable(self, s: State) -> bool:
        assert isinstance(s, Missionnaires)
        return is_stable(s)

    def sensible_options(self, s: State) -> list[Option]:
        assert isinstance(s, Missionnaires)
        return list_sensible_options(s)

    def skip_turns(self, s: State, seat: Seat, turns: int) -> None:
        assert isinstance(s, Missionnaires)
        s.missed[seat] += turns  # LM-2.1

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, Missionnaires)
        return scores(s)


def list_sensible_options(s: Missionnaires) -> list[Option]:
    """Return the options worth considering.

    To pay periodicals is better than to miss a turn. A voucher that cancels a card is kept for harmful cards, and a
    voucher that brings the player to the Bethel is always played.
    """
    step = s.stack[-1]
    if isinstance(step, PayOrSkip) and s.periodicals[s.who] > step.n:
        return [PAY]
    if isinstance(step, Cancel) and s.c.effect[step.card] not in HARMFUL_EFFECTS:
        return [OBEY]
    home = find_ticket_home(s)
    return s.legal if home == OFF else [home]


def is_stable(s: Missionnaires) -> bool:
    """Return whether the position is before a main action or after the end."""
    return s.who == NOBODY or isinstance(s.stack[-1], Main)


def features(s: Missionnaires, seat: Seat) -> list[float]:
    """Return the features of one seat, in the order of FEATURES."""
    if s.rank[seat] > 0:
        return [0.0] * 8 + [1.0, float(s.rank[seat])] + [0.0] * 6
    if s.rank[seat] == STOPPED:
        return [0.0] * 10 + [1.0] + [0.0] * 5
    held = s.periodicals[seat]
    here = find_position_after_step(s, seat)
    way = measure_tour_with_return(s.c, here, s.hand[seat], held) / TURN_LENGTH
    usable = min(float(held), 0.5 * way)
    others = [other for other in range(s.seats) if other != seat and s.rank[other] == 0]
    rivals = max(1, len(others))
    tickets = min(MAX_USEFUL_TICKETS, sum([1 for card in s.bons[seat] if s.c.effect[card] in TICKET_EFFECTS]))
    return [
        way,
        float(len(s.hand[seat])),
        usable,
        held - usable,
        estimate_turns_saved(s, seat, here),
        float(len(s.bons[seat])),
        tickets * min(1.0, way / SHORT_TOUR),
        float(s.missed[seat]),
        0.0,
        0.0,
        1.0 if s.over else 0.0,
        sum([len(s.hand[other]) for other in others]) / rivals,
        sum([s.missed[other] for other in others]) / rivals,
        sum([measure_tour(s.c, s.at[other], s.hand[other]) for other in others]) / (rivals * TURN_LENGTH),
        float(count_guarded_congregations(s, seat)),
        1.0 if is_idle(s, seat) else 0.0,
    ]


def count_guarded_congregations(s: Missionnaires, seat: Seat) -> int:
    """Return the number of the seat's unvisited congregations that have a gendarme."""
    hand = s.hand[seat]
    guarded_count = 0
    for town in s.gendarmes:
        if s.c.kind[town] == CONGREGATION and s.c.card_of[town] in hand:
            guarded_count += 1
    return guarded_count


def is_idle(s: Missionnaires, seat: Seat) -> bool:
    """Return whether the player passed the turn.

    One pass for the single periodical that opens a barred way does not count (LM-R12).
    """
    if s.periodicals[seat] == s.c.relief:
        return s.passed[seat] == THIS_TURN | LAST_TURN
    return s.passed[seat] & THIS_TURN != 0


def measure_progress(s: Missionnaires) -> float:
    """Return the progress of the match, by the remaining travel of the player with the least."""
    least = FULL_TOUR
    for seat in range(s.seats):
        left = 0.0 if s.rank[seat] != 0 else measure_tour(s.c, s.at[seat], s.hand[seat]) / TURN_LENGTH
        least = min(least, left)
    return 1.0 - least / FULL_TOUR


def estimate_turns_saved(s: Missionnaires, seat: Seat, here: int) -> float:
    """LM-3.2, LM-4.3  Return half of the travel to the nearest unvisited congregation, or home if all are visited."""
    if s.find_overseer(seat) == OFF:
        return 0.0
    far = s.c.travel[here]
    nearest = far[s.c.bethel]
    if s.hand[seat]:
        nearest = min([far[s.c.congregation_at[card]] for card in s.hand[seat]])
    return 0.5 * nearest / TURN_LENGTH


def find_position_after_step(s: Missionnaires, seat: Seat) -> int:
    """Return the space of the pawn after the declared step, if there is one."""
    to = find_declared_space(s) if seat == s.turn else OFF
    return s.at[seat] if to == OFF else to
