"""Turns without a move: passing with its relief, and burning a voucher (LM-2.4, LM-8.7, LM-R12)."""

from typing import ClassVar

from triclinium.engine.core.state import NOBODY, Seat, Step
from triclinium.games.missionnaires.rules.components import CONGREGATION, SEA
from triclinium.games.missionnaires.rules.events import BURNT, PASSED, RELIEVED
from triclinium.games.missionnaires.rules.state import ON_HIS_OWN, THIS_TURN, Missionnaires


def burn_bon(s: Missionnaires, who: Seat, card: int) -> None:
    """LM-8.7  Discard a voucher without effect. On a congregation this counts as a pass for LM-R12."""
    s.give_up_bon(who, card)
    if s.c.kind[s.at[who]] == CONGREGATION:
        s.passed[who] |= THIS_TURN
    s.emit(BURNT, who, (card,), "LM-8.7")


def apply_pass(s: Missionnaires, who: Seat, berth: int) -> None:
    """LM-R12  Pass the turn. A proclaimer who cannot move takes a periodical at the end of the coup."""
    s.passed[who] |= THIS_TURN
    s.emit(PASSED, who, (), "LM-2.4")
    if gets_relief(s, who, berth):
        s.stack.insert(len(s.stack) - 1, Relief(NOBODY))  # the relief is placed beneath the second BON window


def gets_relief(s: Missionnaires, who: Seat, berth: int) -> bool:
    """LM-R12  Return whether a pass brings a periodical: the proclaimer is alone, without any, next to an obstacle."""
    poor = s.periodicals[who] == 0 and s.get_travel_mode(who) == ON_HIS_OWN
    return s.v.relief and poor and is_next_to_obstacle(s, who, berth)


def is_next_to_obstacle(s: Missionnaires, who: Seat, berth: int) -> bool:
    """Return whether an obstacle is on a neighbouring space; lanes count at sea or where the coup began."""
    here = s.at[who]
    reachable = s.c.near[here] if s.c.kind[here] == SEA or berth == here else s.c.roads[here]
    for space in reachable:
        if space != s.c.bethel and (
            s.has_gendarme(space) or s.has_lone_overseer(space) or s.is_barred_by_proclaimer(space)
        ):
            return True
    return False


class Relief(Step[Missionnaires]):
    """LM-R12  One periodical for a proclaimer who was shut in."""

    id: ClassVar[str] = "Relief"

    def run(self, s: Missionnaires) -> None:
        taken = s.take_periodicals(s.turn, s.c.relief)
        s.emit(RELIEVED, s.turn, (taken,), "LM-R12")
