"""Payment of a cost with followers and shamans (TT-3.1 to TT-3.3)."""

from typing import ClassVar, Final

from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import ASK, MATCH, ROUND, Option, Seat, Step
from triclinium.games.testoftime.rules.components import SHAMANS
from triclinium.games.testoftime.rules.option_lists import ALL_OPTIONS, NO_SHAMANS
from triclinium.games.testoftime.rules.refusals import PAYERS_WAIT, SUPERFLUOUS_SHAMAN, TOO_FEW_FOLLOWERS
from triclinium.games.testoftime.rules.state import TestOfTime


class Payment(Step[TestOfTime]):
    """TT-3.3, TT-R5  The choice of the number of shamans in a payment. Followers pay the rest.

    Then `apply_payment` carries out what was paid for. One shaman whose power covers the cost pays alone (TT-6.3 says
    so for Sire).
    """

    id: ClassVar[str] = "Payment"
    plan: ClassVar[str] = ""  # the moves of the plans in which this payment is made
    auto_reply_text: ClassVar[str] = "Pay with as few shamans as possible"
    auto_reply_spans: ClassVar[tuple[str, ...]] = (ROUND, MATCH)

    def __init__(self, who: Seat, cost: int, power: int) -> None:
        super().__init__(who)
        self.cost: Final = cost
        self.power: Final = power

    def fields(self) -> tuple[int, ...]:
        return (self.cost, self.power)

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (self.cost, self.power)

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(SHAMANS, SHAMANS + s.c.max_shamans + 1))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        shamans = o - SHAMANS
        if shamans > s.waiting_shamans[self.who]:
            return PAYERS_WAIT
        if self.cost - shamans * self.power > s.waiting[self.who]:
            return TOO_FEW_FOLLOWERS
        if shamans > 0 and (shamans - 1) * self.power >= self.cost:
            return SUPERFLUOUS_SHAMAN
        return None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        shamans = o - SHAMANS
        if rule is PAYERS_WAIT:
            return (s.waiting_shamans[self.who],)
        if rule is TOO_FEW_FOLLOWERS:
            return (shamans, self.cost - shamans * self.power, s.waiting[self.who])
        return (shamans, self.cost)

    def options(self, s: TestOfTime) -> list[Option]:
        shamans = s.waiting_shamans[self.who]
        if shamans == 0:
            return NO_SHAMANS
        power = self.power
        missing = self.cost - s.waiting[self.who]
        least = (missing + power - 1) // power if missing > 0 else 0
        most = (self.cost + power - 1) // power
        if most > shamans:
            most = shamans
        return ALL_OPTIONS[SHAMANS + least : SHAMANS + most + 1]

    def auto_reply_option(self, s: TestOfTime) -> Option:
        """Return the smallest number of shamans, because they are needed for fights and for the past."""
        return self.options(s)[0]

    def plan_option(self, s: TestOfTime, plan: str) -> Option:
        return self.auto_reply_option(s) if self.plan and self.plan in plan else ASK

    def apply(self, s: TestOfTime, o: Option) -> None:
        shamans = o - SHAMANS
        followers = self.cost - shamans * self.power
        self.apply_payment(s, max(0, followers), shamans)

    def apply_payment(self, s: TestOfTime, followers: int, shamans: int) -> None:
        """Place the pieces and carry out what they pay for."""
        raise NotImplementedError
