"""Card effects on the congregations of a hand: one more, one visited, or an exchange (LM-8)."""

from typing import ClassVar

from triclinium.engine.core.action import Action
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.missionnaires.rules import stages
from triclinium.games.missionnaires.rules.components import KEEP, SHOW, SLOT
from triclinium.games.missionnaires.rules.events import PUT_OPEN, PUT_UNDER, SHOWN, TOOK_CONGREGATION, TOOK_OPEN
from triclinium.games.missionnaires.rules.state import Missionnaires


def take_from_reserve(s: Missionnaires, who: Seat) -> None:
    """Move the top card of the reserve to a hand. Others keep their knowledge of the card."""
    card = s.reserve[-1]
    seen = s.reserve_seen[-1]
    s.add_slot(who, card, seen, s.reserve_ruled_out[-1])
    s.reserve = s.reserve[:-1]
    s.reserve_seen = s.reserve_seen[:-1]
    s.reserve_ruled_out = s.reserve_ruled_out[:-1]
    if s.hand_seen[who][-1] != seen:
        s.undo_barrier += 1
    if s.v.open_hands:
        s.emit(TOOK_OPEN, who, (card,), "LM-R2")
    else:
        s.emit(TOOK_CONGREGATION, who, (), "LM-R2", (card,), 1 << who)


def add_congregation(s: Missionnaires, who: Seat) -> None:
    """Give the player another congregation if two or more are unvisited; an empty reserve gives nothing (LM-R18)."""
    if len(s.hand[who]) >= s.c.at_stake and s.reserve:
        take_from_reserve(s, who)


def complete_congregation(s: Missionnaires, who: Seat) -> None:
    """Let the player choose a congregation that counts as visited, if two or more are unvisited."""
    if len(s.hand[who]) >= s.c.at_stake:
        s.push(CongDone(who))


class CongDone(Step[Missionnaires]):
    """The choice of the congregation card that is shown and counts as visited."""

    id: ClassVar[str] = "CongDone"
    action: ClassVar[Action | None] = stages.CARD
    question: ClassVar[str] = "Which of your congregations counts as visited?"

    def candidates(self, s: Missionnaires) -> list[Option]:
        return sorted([SHOW + card for card in s.hand[self.who]])

    def apply(self, s: Missionnaires, o: Option) -> None:
        s.visit_congregation(self.who, s.hand[self.who].index(o - SHOW))
        s.emit(SHOWN, self.who, (s.c.congregation_at[o - SHOW],), "LM-8.1")


def swap_congregation(s: Missionnaires, who: Seat) -> None:
    """Let the player put one unvisited card under the reserve and take the top card."""
    if s.hand[who] and s.reserve:
        s.push(Swap(who))


class Swap(Step[Missionnaires]):
    """LM-8.1, LM-R17  The choice of the card that goes face down under the reserve, or none.

    Only this player knows which card is there.
    """

    id: ClassVar[str] = "Swap"
    action: ClassVar[Action | None] = stages.CARD
    question: ClassVar[str] = "Which congregation do you put under the reserve, for its top card?"

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [KEEP] + [SLOT + slot for slot in range(len(s.hand[self.who]))]

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o == KEEP:
            return
        slot = o - SLOT
        s.reserve = (s.hand[self.who][slot], *s.reserve)
        s.reserve_seen = (s.hand_seen[self.who][slot], *s.reserve_seen)
        s.reserve_ruled_out = (s.hand_ruled_out[self.who][slot], *s.reserve_ruled_out)
        s.drop_slot(self.who, slot)
        card = s.reserve[0]
        if s.v.open_hands:
            s.emit(PUT_OPEN, self.who, (card, slot), "LM-R17")
        else:
            s.emit(PUT_UNDER, self.who, (slot,), "LM-R17", (card,), 1 << self.who)
        take_from_reserve(s, self.who)
