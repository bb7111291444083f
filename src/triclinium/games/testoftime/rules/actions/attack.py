"""The move Attack: unopposed pieces remove sections of a rival's Testament (TT-9.1 to TT-9.4)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.testoftime.rules import stages
from triclinium.games.testoftime.rules.components import AT, FOLLOWERS, MAX_SEATS, SHAMANS
from triclinium.games.testoftime.rules.events import ATTACKS
from triclinium.games.testoftime.rules.option_lists import ALL_OPTIONS
from triclinium.games.testoftime.rules.refusals import (
    ATTACK_WITH_ONE,
    ATTACKERS_WAIT,
    ATTACKS_MADE,
    NO_TARGET,
    NOT_ONES_OWN,
    NOT_YET_CREATED,
    NOTHING_TO_ATTACK,
)
from triclinium.games.testoftime.rules.state import NONE, Slot, TestOfTime, append_to_part


def forbids_attack(s: TestOfTime, who: Seat) -> Rule | None:
    """TT-9.1, TT-9.2, TT-14.5  Return why the player cannot attack, or None.

    An attack needs a rival's standing Testament, an attack left this round, and a waiting piece.
    """
    spaces = s.c.spaces
    own = who * spaces
    seen = s.visible
    for slot in range(len(seen)):
        if seen[slot] > 0 and not own <= slot < own + spaces:
            if s.waiting[who] == 0 and s.waiting_shamans[who] == 0:
                return ATTACK_WITH_ONE
            return None if s.has_attack_left(who) else ATTACKS_MADE
    return NO_TARGET


def begin_attack(s: TestOfTime, who: Seat) -> None:
    """TT-9.1 to TT-9.3, TT-R10  Ask for a Testament, then for the shamans and followers that join its attackers."""
    s.stack.append(CHOOSE_TARGET[who])


class ChooseTarget(Step[TestOfTime]):
    """TT-9.1  The choice of a rival's standing Testament, preserved this round or not."""

    id: ClassVar[str] = "ChooseTarget"
    action: ClassVar[Action | None] = stages.ATTACK
    chained_verbs: ClassVar[tuple[str, ...]] = ("at",)
    question: ClassVar[str] = "Which Testament do you attack?"

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(AT, AT + len(s.visible)))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        slot = o - AT
        if slot // s.c.spaces == self.who:
            return NOT_ONES_OWN
        if s.making[slot] != NONE:
            return NOT_YET_CREATED  # TT-R11; the rule of TT-9.1 would explain this less well.
        return NOTHING_TO_ATTACK if s.visible[slot] == 0 else None

    def options(self, s: TestOfTime) -> list[Option]:
        seen = s.visible
        spaces = s.c.spaces
        own = self.who * spaces
        return [AT + slot for slot in range(len(seen)) if seen[slot] > 0 and not own <= slot < own + spaces]

    def apply(self, s: TestOfTime, o: Option) -> None:
        s.stack.append(AttackWithShamans(self.who, o - AT))


CHOOSE_TARGET: Final = [ChooseTarget(seat) for seat in range(MAX_SEATS)]


class AttackWithShamans(Step[TestOfTime]):
    """TT-9.2  The choice of the number of attacking shamans; at least one if no follower waits."""

    id: ClassVar[str] = "AttackWithShamans"
    action: ClassVar[Action | None] = stages.ATTACK
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "How many shamans attack {0:kind} of {1:seat} on space {2}?"

    def __init__(self, who: Seat, slot: Slot) -> None:
        super().__init__(who)
        self.slot: Final = slot

    def fields(self) -> tuple[int, ...]:
        return (self.slot,)

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (s.kind[self.slot], self.slot // s.c.spaces, s.get_space_number(self.slot))

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(SHAMANS, SHAMANS + s.c.max_shamans + 1))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        if o - SHAMANS > s.waiting_shamans[self.who]:
            return ATTACKERS_WAIT
        return ATTACK_WITH_ONE if o == SHAMANS and s.waiting[self.who] == 0 else None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.waiting_shamans[self.who],)

    def options(self, s: TestOfTime) -> list[Option]:
        least = 1 if s.waiting[self.who] == 0 else 0
        return ALL_OPTIONS[SHAMANS + least : SHAMANS + s.waiting_shamans[self.who] + 1]

    def apply(self, s: TestOfTime, o: Option) -> None:
        s.stack.append(AttackWithFollowers(self.who, self.slot, o - SHAMANS))


class AttackWithFollowers(Step[TestOfTime]):
    """TT-9.2  The choice of the number of attacking followers, with at least one piece in all."""

    id: ClassVar[str] = "AttackWithFollowers"
    action: ClassVar[Action | None] = stages.ATTACK
    stage: ClassVar[int] = 3
    question: ClassVar[str] = (
        "How many followers attack {0:kind} of {1:seat} on space {3}, together with {2} {2:shaman|shamans}?"
    )
    question_without_shamans: ClassVar[str] = msgid("How many followers attack {0:kind} of {1:seat} on space {3}?")

    def __init__(self, who: Seat, slot: Slot, shamans: int) -> None:
        super().__init__(who)
        self.slot: Final = slot
        self.shamans: Final = shamans

    def fields(self) -> tuple[int, ...]:
        return (self.slot, self.shamans)

    def question_template(self, s: TestOfTime) -> str:
        return self.question if self.shamans else self.question_without_shamans

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (s.kind[self.slot], self.slot // s.c.spaces, self.shamans, s.get_space_number(self.slot))

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(FOLLOWERS, FOLLOWERS + s.c.max_followers + 1))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        if o - FOLLOWERS > s.waiting[self.who]:
            return ATTACKERS_WAIT
        return ATTACK_WITH_ONE if o == FOLLOWERS and self.shamans == 0 else None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.waiting[self.who],)

    def options(self, s: TestOfTime) -> list[Option]:
        least = 1 if self.shamans == 0 else 0
        return ALL_OPTIONS[FOLLOWERS + least : FOLLOWERS + s.waiting[self.who] + 1]

    def apply(self, s: TestOfTime, o: Option) -> None:
        placed = s.take_waiting(self.who, o - FOLLOWERS, self.shamans)
        s.attackers = append_to_part(s.attackers, self.slot, (self.who << 16) + placed)
        s.emit(
            ATTACKS,
            self.who,
            (s.kind[self.slot], self.slot // s.c.spaces, placed, s.get_space_number(self.slot)),
            "TT-9.2",
        )
