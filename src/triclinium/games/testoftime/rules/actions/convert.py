"""The move Convert: a follower of a rival changes sides because of a Temple (TT-8.1 to TT-8.5)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.testoftime.rules import stages
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.components import FROM, KIND_COUNT, TEMPLE
from triclinium.games.testoftime.rules.events import CONVERTS
from triclinium.games.testoftime.rules.refusals import (
    CONVERT_COST,
    CONVERT_LIMIT,
    CONVERT_ZONE_USED,
    NO_TEMPLE,
    NOBODY_TO_CONVERT,
    NOT_FROM_ONESELF,
    RIVAL_HAS_NONE,
)
from triclinium.games.testoftime.rules.state import TestOfTime, append_to_part


def forbids_convert(s: TestOfTime, who: Seat, worth: int) -> Rule | None:
    """TT-8.1 to TT-8.4  Return why the player cannot convert, or None.

    Converting needs a Temple, an unused zone, the payers, a rival's waiting follower, and room for it.
    """
    if s.standing_counts[who * KIND_COUNT + TEMPLE] == 0:
        return NO_TEMPLE
    if len(s.converts[who]) >= s.c.convert_zones:
        return CONVERT_ZONE_USED
    if worth < compute_convert_cost(s, who):
        return CONVERT_COST
    for rival in range(s.seats):
        if rival != who and s.waiting[rival] > 0:
            return CONVERT_LIMIT if s.followers[who] >= s.c.max_followers else None
    return NOBODY_TO_CONVERT


def begin_convert(s: TestOfTime, who: Seat) -> None:
    """TT-8.2, TT-8.3  Ask for a rival and the payment; the follower changes sides at once."""
    s.stack.append(ChooseRival(who))


def compute_convert_cost(s: TestOfTime, who: Seat) -> int:
    """TT-8.2  Return the cost of converting; every Temple after the first makes it cheaper."""
    return s.c.convert_cost[s.standing_counts[who * KIND_COUNT + TEMPLE]]


class ChooseRival(Step[TestOfTime]):
    """TT-8.3  The choice of a rival with at least one waiting follower; shamans cannot be converted."""

    id: ClassVar[str] = "ChooseRival"
    action: ClassVar[Action | None] = stages.CONVERT
    chained_verbs: ClassVar[tuple[str, ...]] = ("from",)
    question: ClassVar[str] = "Whose follower do you convert?"

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(FROM, FROM + s.seats))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        if o - FROM == self.who:
            return NOT_FROM_ONESELF
        return RIVAL_HAS_NONE if s.waiting[o - FROM] == 0 else None

    def apply(self, s: TestOfTime, o: Option) -> None:
        s.stack.append(
            PayForConvert(self.who, compute_convert_cost(s, self.who), s.get_shaman_power(self.who), o - FROM)
        )


class PayForConvert(Payment):
    """TT-8.3, TT-R24  Payment for a convert, who leaves the rival's pieces in play and joins the payers in the zone."""

    id: ClassVar[str] = "PayForConvert"
    action: ClassVar[Action | None] = stages.CONVERT
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "How many shamans help to convert? It takes {0}, and a shaman counts {1}."

    def __init__(self, who: Seat, cost: int, power: int, rival: Seat) -> None:
        super().__init__(who, cost, power)
        self.rival: Final = rival

    def fields(self) -> tuple[int, ...]:
        return (self.cost, self.power, self.rival)

    def apply_payment(self, s: TestOfTime, followers: int, shamans: int) -> None:
        placed = s.take_waiting(self.who, followers, shamans)
        s.converts = append_to_part(s.converts, self.who, (self.rival << 16) + placed)
        s.waiting[self.rival] -= 1
        s.followers[self.rival] -= 1
        s.followers[self.who] += 1
        s.emit(CONVERTS, self.who, (self.rival, placed), "TT-8.3")
