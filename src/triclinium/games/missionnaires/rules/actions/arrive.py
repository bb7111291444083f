"""Arrival at the end of a move, in the order of LM-4.1 to LM-4.6."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.state import NOBODY, Option, Seat, Step
from triclinium.games.missionnaires.rules import stages
from triclinium.games.missionnaires.rules.actions.cards import draw_card
from triclinium.games.missionnaires.rules.actions.effects import attach_overseer, set_down
from triclinium.games.missionnaires.rules.components import ALONE, GREEN, JOIN, TERRITORY
from triclinium.games.missionnaires.rules.state import ACCOMPANIED, ON_HIS_OWN, Missionnaires

TAKEN: Final = 2


class Arrive(Step[Missionnaires]):
    """LM-4.1 to LM-4.6  The arrival at the end of a move that began at `start`; nothing happens if no step was made."""

    id: ClassVar[str] = "Arrive"

    def __init__(self, who: Seat, start: int, territory: int) -> None:
        super().__init__(who)
        self.start: Final = start
        # 0: no territory card; 1: a card is due; TAKEN + space: the card was taken there on the way
        self.territory: Final = territory

    def fields(self) -> tuple[int, ...]:
        return (self.start, self.territory)

    def run(self, s: Missionnaires) -> None:
        who = s.turn
        here = s.at[who]
        if here == self.start:
            return
        if here == s.c.bethel:
            s.push(BethelJoin(who), Refill(NOBODY))
            return
        if s.has_lone_overseer(here) and s.get_travel_mode(who) == ON_HIS_OWN:  # LM-4.1
            attach_overseer(s, who, s.overseer_space.index(here))
        visit_here(s, who)
        due = self.territory != 0 and self.territory != TAKEN + here
        if due and s.c.kind[here] == GREEN and s.territories < s.c.territories_a_turn:
            s.territories += 1
            draw_card(s, who, TERRITORY)  # LM-4.5


def visit_here(s: Missionnaires, who: Seat) -> None:
    """LM-3.6, LM-4.2, LM-4.3  Visit the congregation if the player holds its card; the overseer then stays there."""
    here = s.at[who]
    if s.try_visit(who, here) and not s.v.until_card and s.get_travel_mode(who) == ACCOMPANIED:
        set_down(s, s.find_overseer(who), here)


def record_card_taken(s: Missionnaires, space: int) -> None:
    """LM-R4  Record that a territory card was taken on the way, so that an arrival in the same town takes no other."""
    s.territories += 1
    i = len(s.stack) - 1
    while i >= 0:
        stop = s.stack[i]
        if isinstance(stop, Arrive):
            s.stack[i] = Arrive(NOBODY, stop.start, TAKEN + space)
            return
        i -= 1


class BethelJoin(Step[Missionnaires]):
    """LM-R10  The choice of an unattached overseer at the Bethel, or none, for a proclaimer alone."""

    id: ClassVar[str] = "BethelJoin"
    action: ClassVar[Action | None] = stages.AT_BETHEL
    question: ClassVar[str] = "Which overseer at the Bethel do you take along?"

    def applies(self, s: Missionnaires) -> bool:
        return s.has_lone_overseer(s.c.bethel) and s.get_travel_mode(self.who) == ON_HIS_OWN

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [ALONE] + [JOIN + x for x in range(len(s.overseer_space)) if s.overseer_space[x] == s.c.bethel]

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o != ALONE:
            attach_overseer(s, self.who, o - JOIN)


class Refill(Step[Missionnaires]):
    """LM-4.4  The refill of periodicals up to 8 at the Bethel."""

    id: ClassVar[str] = "Refill"

    def run(self, s: Missionnaires) -> None:
        s.refill_periodicals(s.turn)
