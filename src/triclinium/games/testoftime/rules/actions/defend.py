"""The move Defend: pieces cover an attack on the player's own Testament (TT-10.1 to TT-10.4)."""

from typing import ClassVar, Final

from mypy_extensions import i64

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import copy_with_item
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.testoftime.rules import stages
from triclinium.games.testoftime.rules.components import FOLLOWERS, MAX_SEATS, ON, SHAMANS
from triclinium.games.testoftime.rules.events import DEFENDS
from triclinium.games.testoftime.rules.option_lists import ALL_OPTIONS, SPACE_OPTIONS
from triclinium.games.testoftime.rules.refusals import (
    COVERED,
    DEFEND_WITH_ONE,
    DEFENDERS_WAIT,
    NOBODY_ATTACKS,
    NOT_ATTACKED,
    NOTHING_TO_DEFEND,
    SUPERFLUOUS_DEFENDER,
)
from triclinium.games.testoftime.rules.state import Slot, TestOfTime


def forbids_defend(s: TestOfTime, who: Seat) -> Rule | None:
    """TT-10.1, TT-10.3  Return why the player cannot defend, or None.

    Defending needs a standing Testament with more attack than defence, and a waiting piece.
    """
    spaces = s.c.spaces
    attackers = s.attackers
    for slot in range(who * spaces, (who + 1) * spaces):
        if attackers[slot] and s.compute_uncovered_attack(slot) > 0:
            return DEFEND_WITH_ONE if s.waiting[who] == 0 and s.waiting_shamans[who] == 0 else None
    return NOT_ATTACKED


def begin_defend(s: TestOfTime, who: Seat) -> None:
    """TT-10.1, TT-10.3  Ask for a Testament, then for the shamans and followers that cover the attack."""
    s.stack.append(CHOOSE_DEFENDED[who])


class ChooseDefended(Step[TestOfTime]):
    """TT-10.1  The choice of one's own standing Testament whose attack strength exceeds its defence strength."""

    id: ClassVar[str] = "ChooseDefended"
    action: ClassVar[Action | None] = stages.DEFEND
    chained_verbs: ClassVar[tuple[str, ...]] = ("on",)
    question: ClassVar[str] = "Which Testament do you defend?"

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(ON, ON + s.c.spaces))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        slot = self.who * s.c.spaces + o - ON
        if s.visible[slot] == 0:
            return NOTHING_TO_DEFEND
        if not s.attackers[slot]:
            return NOBODY_ATTACKS
        return COVERED if s.compute_uncovered_attack(slot) <= 0 else None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        slot = self.who * s.c.spaces + o - ON
        return (o - ON + 1, s.compute_attack_strength(slot), s.compute_defence_strength(slot))

    def options(self, s: TestOfTime) -> list[Option]:
        first = self.who * s.c.spaces
        space_mask: i64 = 0  # one bit for each space
        for space in range(s.c.spaces):
            if s.compute_uncovered_attack(first + space) > 0:
                space_mask |= 1 << space
        return SPACE_OPTIONS[space_mask]

    def apply(self, s: TestOfTime, o: Option) -> None:
        s.stack.append(DefendWithShamans(self.who, self.who * s.c.spaces + o - ON))


CHOOSE_DEFENDED: Final = [ChooseDefended(seat) for seat in range(MAX_SEATS)]


class DefendWithShamans(Step[TestOfTime]):
    """TT-10.3  The choice of the number of defending shamans, without superfluous ones."""

    id: ClassVar[str] = "DefendWithShamans"
    action: ClassVar[Action | None] = stages.DEFEND
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "How many shamans defend {0:kind} on space {2}? Uncovered attack: {1}."

    def __init__(self, who: Seat, slot: Slot) -> None:
        super().__init__(who)
        self.slot: Final = slot

    def fields(self) -> tuple[int, ...]:
        return (self.slot,)

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (s.kind[self.slot], s.compute_uncovered_attack(self.slot), s.get_space_number(self.slot))

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(SHAMANS, SHAMANS + s.c.max_shamans + 1))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        shamans = o - SHAMANS
        if shamans > s.waiting_shamans[self.who]:
            return DEFENDERS_WAIT
        if shamans == 0:
            return DEFEND_WITH_ONE if s.waiting[self.who] == 0 else None
        return (
            SUPERFLUOUS_DEFENDER
            if (shamans - 1) * s.get_shaman_power(self.who) >= s.compute_uncovered_attack(self.slot)
            else None
        )

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.waiting_shamans[self.who] if rule is DEFENDERS_WAIT else s.compute_uncovered_attack(self.slot),)

    def options(self, s: TestOfTime) -> list[Option]:
        power = s.get_shaman_power(self.who)
        least = 1 if s.waiting[self.who] == 0 else 0
        most = min(s.waiting_shamans[self.who], (s.compute_uncovered_attack(self.slot) + power - 1) // power)
        return ALL_OPTIONS[SHAMANS + least : SHAMANS + most + 1]

    def apply(self, s: TestOfTime, o: Option) -> None:
        s.stack.append(DefendWithFollowers(self.who, self.slot, o - SHAMANS))


class DefendWithFollowers(Step[TestOfTime]):
    """TT-10.3  The choice of the number of defending followers; no piece may be superfluous (TT-R12)."""

    id: ClassVar[str] = "DefendWithFollowers"
    action: ClassVar[Action | None] = stages.DEFEND
    stage: ClassVar[int] = 3
    question: ClassVar[str] = (
        "How many followers defend {0:kind} on space {3}, together with {1} {1:shaman|shamans}? Uncovered attack: {2}."
    )
    question_without_shamans: ClassVar[str] = msgid(
        "How many followers defend {0:kind} on space {3}? Uncovered attack: {2}."
    )

    def __init__(self, who: Seat, slot: Slot, shamans: int) -> None:
        super().__init__(who)
        self.slot: Final = slot
        self.shamans: Final = shamans

    def fields(self) -> tuple[int, ...]:
        return (self.slot, self.shamans)

    def question_template(self, s: TestOfTime) -> str:
        return self.question if self.shamans else self.question_without_shamans

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (s.kind[self.slot], self.shamans, s.compute_uncovered_attack(self.slot), s.get_space_number(self.slot))

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(FOLLOWERS, FOLLOWERS + s.c.max_followers + 1))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        followers = o - FOLLOWERS
        if followers > s.waiting[self.who]:
            return DEFENDERS_WAIT
        if followers == 0:
            return DEFEND_WITH_ONE if self.shamans == 0 else None
        added = self.shamans * s.get_shaman_power(self.who) + followers
        return SUPERFLUOUS_DEFENDER if added - 1 >= s.compute_uncovered_attack(self.slot) else None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.waiting[self.who] if rule is DEFENDERS_WAIT else s.compute_uncovered_attack(self.slot),)

    def options(self, s: TestOfTime) -> list[Option]:
        least = 1 if self.shamans == 0 else 0
        most = min(
            s.waiting[self.who],
            max(0, s.compute_uncovered_attack(self.slot) - self.shamans * s.get_shaman_power(self.who)),
        )
        return ALL_OPTIONS[FOLLOWERS + least : FOLLOWERS + most + 1]

    def apply(self, s: TestOfTime, o: Option) -> None:
        placed = s.take_waiting(self.who, o - FOLLOWERS, self.shamans)
        s.defenders = copy_with_item(s.defenders, self.slot, s.defenders[self.slot] + placed)
        s.emit(DEFENDS, self.who, (s.kind[self.slot], placed, s.get_space_number(self.slot)), "TT-10.3")
