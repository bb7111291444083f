"""The move Preserve: a paid upkeep protects a Testament from the decay of one round (TT-5.1 to TT-5.6)."""

from typing import ClassVar, Final

from mypy_extensions import i64

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import copy_with_item
from triclinium.engine.core.state import ASK, Option, Seat, Step
from triclinium.games.testoftime.rules import stages
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.components import KIND_COUNT, MAX_SEATS, ON, TOOLS
from triclinium.games.testoftime.rules.events import PRESERVES
from triclinium.games.testoftime.rules.option_lists import SPACE_OPTIONS
from triclinium.games.testoftime.rules.refusals import (
    ALL_PRESERVED,
    NOT_STANDING,
    NOTHING_STANDS,
    PRESERVE_COST,
    PRESERVED_ALREADY,
)
from triclinium.games.testoftime.rules.state import Slot, TestOfTime


def forbids_preserve(s: TestOfTime, who: Seat, worth: int) -> Rule | None:
    """TT-5.1, TT-5.2  Return why the player cannot preserve, or None.

    Preserving needs a standing Testament, not preserved this round, whose upkeep can be paid.
    """
    spaces = s.c.spaces
    seen = s.visible
    keepers = s.keepers
    tools = s.standing_counts[who * KIND_COUNT + TOOLS]
    rule = NOTHING_STANDS
    for slot in range(who * spaces, (who + 1) * spaces):
        if seen[slot] > 0:
            if keepers[slot] == 0:
                if s.c.preserve_cost[s.kind[slot]][tools] <= worth:
                    return None
                rule = PRESERVE_COST
            elif rule is NOTHING_STANDS:
                rule = ALL_PRESERVED
    return rule


def begin_preserve(s: TestOfTime, who: Seat) -> None:
    """TT-5.1, TT-5.2  Ask for a Testament and the payment; the pieces go home at the end of the round (TT-5.3)."""
    s.stack.append(CHOOSE_PRESERVED[who])


def compute_preserve_cost(s: TestOfTime, slot: Slot) -> int:
    """TT-5.2  Return the upkeep of a Testament; its owner's Tools make it cheaper, even for Tools."""
    return s.c.preserve_cost[s.kind[slot]][s.standing_counts[slot // s.c.spaces * KIND_COUNT + TOOLS]]


def find_cheapest_preserve_cost(s: TestOfTime, who: Seat) -> int:
    """Return the cost of the cheapest Testament not preserved yet; there must be one."""
    spaces = s.c.spaces
    slots = range(who * spaces, (who + 1) * spaces)
    return min([compute_preserve_cost(s, slot) for slot in slots if s.visible[slot] > 0 and s.keepers[slot] == 0])


def list_unpaid_upkeep(s: TestOfTime, who: Seat) -> list[int]:
    """TT-5.2  Return the cost of each standing Testament of a player that is not preserved this round."""
    slots = range(who * s.c.spaces, (who + 1) * s.c.spaces)
    return [compute_preserve_cost(s, slot) for slot in slots if s.visible[slot] > 0 and s.keepers[slot] == 0]


class ChoosePreserved(Step[TestOfTime]):
    """TT-5.1  The choice of one's own standing Testament to preserve, each at most once a round."""

    id: ClassVar[str] = "ChoosePreserved"
    action: ClassVar[Action | None] = stages.PRESERVE
    chained_verbs: ClassVar[tuple[str, ...]] = ("on",)
    completed_verbs: ClassVar[tuple[str, ...]] = ("on",)
    completed_text: ClassVar[str] = "Choose who pays …"
    question: ClassVar[str] = "Which Testament do you preserve?"

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(ON, ON + s.c.spaces))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        slot = self.who * s.c.spaces + o - ON
        if s.visible[slot] == 0:
            return NOT_STANDING
        if s.keepers[slot] > 0:
            return PRESERVED_ALREADY
        return PRESERVE_COST if compute_preserve_cost(s, slot) > s.compute_waiting_worth(self.who) else None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        if rule is PRESERVE_COST:
            return (compute_preserve_cost(s, self.who * s.c.spaces + o - ON), s.compute_waiting_worth(self.who))
        return (o - ON + 1,)

    def options(self, s: TestOfTime) -> list[Option]:
        first = self.who * s.c.spaces
        worth = s.compute_waiting_worth(self.who)
        space_mask: i64 = 0  # one bit for each space
        for space in range(s.c.spaces):
            slot = first + space
            if s.visible[slot] > 0 and s.keepers[slot] == 0 and compute_preserve_cost(s, slot) <= worth:
                space_mask |= 1 << space
        return SPACE_OPTIONS[space_mask]

    def plan_option(self, s: TestOfTime, plan: str) -> Option:
        return s.legal[0] if "preserve" in plan else ASK

    def apply(self, s: TestOfTime, o: Option) -> None:
        slot = self.who * s.c.spaces + o - ON
        s.stack.append(PayForPreserve(self.who, compute_preserve_cost(s, slot), s.get_shaman_power(self.who), slot))


CHOOSE_PRESERVED: Final = [ChoosePreserved(seat) for seat in range(MAX_SEATS)]


class PayForPreserve(Payment):
    """TT-5.3  The payment of upkeep; the payers stay with the Testament and do not defend it (TT-R9)."""

    id: ClassVar[str] = "PayForPreserve"
    plan: ClassVar[str] = "preserve"
    action: ClassVar[Action | None] = stages.PRESERVE
    stage: ClassVar[int] = 2
    question: ClassVar[str] = (
        "How many shamans help to preserve {0:kind} on space {3}? It takes {1}, and a shaman counts {2}."
    )

    def __init__(self, who: Seat, cost: int, power: int, slot: Slot) -> None:
        super().__init__(who, cost, power)
        self.slot: Final = slot

    def fields(self) -> tuple[int, ...]:
        return (self.cost, self.power, self.slot)

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (s.kind[self.slot], self.cost, self.power, s.get_space_number(self.slot))

    def apply_payment(self, s: TestOfTime, followers: int, shamans: int) -> None:
        placed = s.take_waiting(self.who, followers, shamans)
        s.keepers = copy_with_item(s.keepers, self.slot, placed)
        s.emit(PRESERVES, self.who, (s.kind[self.slot], s.get_space_number(self.slot), placed), "TT-5.3")
