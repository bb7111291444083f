"""The action Travel (AE-4)."""

from typing import ClassVar

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.evangelists.rules import stages
from triclinium.games.evangelists.rules.actions.follow import Follow, compute_follow_price, pay_tokens
from triclinium.games.evangelists.rules.events import MOVED
from triclinium.games.evangelists.rules.refusals import MUST_MOVE, ONE_SPACE, ONLY_CITIES, WITHIN_TWO
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.rules.verbs import DECLINE, TO


def begin_travel(s: Evangelists, who: Seat, strong: bool) -> None:
    """AE-4.1, AE-4.2  Let the player move one or two spaces, or to any city if strong; then let opponents follow."""
    s.travelled = True
    cost = compute_follow_price(s, strong)
    for seat in s.list_opponents_last_first():
        s.stack.append(FollowTravel(seat, cost))
    s.stack.append(TravelTo(who, strong))


class TravelTo(Step[Evangelists]):
    """AE-4.1, AE-4.2  The choice of the destination, which must be another space than the current one (AE-R8)."""

    id: ClassVar[str] = "TravelTo"
    action: ClassVar[Action | None] = stages.TRAVEL
    chained_verbs: ClassVar[tuple[str, ...]] = ("to",)
    question: ClassVar[str] = "Where do you travel?"

    def __init__(self, who: Seat, strong: bool) -> None:
        super().__init__(who)
        self.strong = strong

    def fields(self) -> tuple[int, ...]:
        return (int(self.strong),)

    def candidates(self, s: Evangelists) -> list[Option]:
        return [TO + place for place in range(len(s.c.place_ids))]

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        place = o - TO
        if place == s.pawn[self.who]:
            return MUST_MOVE
        if self.strong:
            return None if place < s.c.cities else ONLY_CITIES
        return None if s.c.distance[s.pawn[self.who]][place] <= s.c.reach_weak else WITHIN_TWO

    def rule_parameters(self, s: Evangelists, o: Option, rule: Rule) -> tuple[int, ...]:
        return (o - TO, s.c.distance[s.pawn[self.who]][o - TO])

    def options(self, s: Evangelists) -> list[Option]:
        here = s.pawn[self.who]
        if self.strong:
            return [TO + city for city in range(s.c.cities) if city != here]
        return [TO + place for place in s.c.travel_weak[here]]

    def apply(self, s: Evangelists, o: Option) -> None:
        move_pawn(s, self.who, o - TO, "AE-4.2" if self.strong else "AE-4.1")


class FollowTravel(Follow):
    """AE-4.3  An offer to follow a Travel by one space along a line."""

    id: ClassVar[str] = "FollowTravel"
    action: ClassVar[Action | None] = stages.TRAVEL
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "{1:seat} has travelled. You may move one space for {0} follow {0:token|tokens}."
    free_question: ClassVar[str] = msgid("{1:seat} has travelled. You may move one space for free.")
    auto_reply_text: ClassVar[str] = "Never follow a Travel"

    def candidates(self, s: Evangelists) -> list[Option]:
        return [*[TO + place for place in range(len(s.c.place_ids))], DECLINE]

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        if o == DECLINE:
            return None
        distance = s.c.distance[s.pawn[self.who]][o - TO]
        if distance == 0:
            return MUST_MOVE
        return None if distance <= s.c.reach_follow else ONE_SPACE

    def rule_parameters(self, s: Evangelists, o: Option, rule: Rule) -> tuple[int, ...]:
        return (o - TO, s.c.distance[s.pawn[self.who]][o - TO])

    def options(self, s: Evangelists) -> list[Option]:
        legal = [TO + place for place in s.c.travel_follow[s.pawn[self.who]]]
        legal.append(DECLINE)
        return legal

    def apply(self, s: Evangelists, o: Option) -> None:
        if o == DECLINE:
            return
        pay_tokens(s, self.who, self.price)
        move_pawn(s, self.who, o - TO, "AE-4.3")


def move_pawn(s: Evangelists, who: Seat, place: int, rule: str) -> None:
    """Move a pawn. Pawns may share any space (AE-R7)."""
    s.emit(MOVED, who, (s.pawn[who], place), rule)
    s.pawn[who] = place
