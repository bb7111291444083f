"""The Market: a Mahane card or trade (IE-3.1)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.ierusalem.rules import impossible_actions, stages
from triclinium.games.ierusalem.rules.actions.cards import TakeMahane, has_mahane
from triclinium.games.ierusalem.rules.events import BOUGHT, PAID_MAHANE, SOLD
from triclinium.games.ierusalem.rules.refusals import (
    BOUGHT_THIS,
    CANNOT_PAY,
    MAHANE_PRICE,
    NO_MAHANE,
    NOTHING_TO_SELL,
    NOTHING_TO_TRADE,
    SOLD_THIS,
)
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.verbs import BUY, DONE, MAHANE, SELL, SKIP, TRADE


class Market(Step[Ierusalem]):
    """IE-3.1  The choice to pay 1 Denarius for a Mahane card, to buy and sell goods, or to skip the Market."""

    id: ClassVar[str] = "Market"
    action: ClassVar[Action | None] = stages.MARKET
    question: ClassVar[str] = "The Market: trade, draw a Mahane card, or skip?"

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [SKIP, TRADE, MAHANE]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        who = self.who
        if o == MAHANE:
            if not has_mahane(s):
                return NO_MAHANE
            if s.denarii[who] < s.c.market_price:
                return MAHANE_PRICE
        elif o == TRADE and s.count_goods(who) == 0 and s.denarii[who] < s.c.least_price:
            return NOTHING_TO_TRADE
        return None

    def options(self, s: Ierusalem) -> list[Option]:
        who = self.who
        money = s.denarii[who]
        trades = money >= s.c.least_price or s.count_goods(who) > 0
        legal = [SKIP, TRADE] if trades else [SKIP]
        if money >= s.c.market_price and has_mahane(s):
            legal.append(MAHANE)
        return legal

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.c.market_price, s.denarii[self.who]) if rule is MAHANE_PRICE else ()

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o == TRADE:
            s.stack.append(Trade(self.who, 0, 0))
        elif o == MAHANE:
            s.emit(PAID_MAHANE, self.who, (s.c.market_price,), "IE-3.1")
            s.denarii[self.who] -= s.c.market_price
            s.stack.append(TakeMahane(self.who, 0, False))


class Trade(Step[Ierusalem]):
    """IE-3.1, IE-R21  Purchases and sales, one good at a time in any order.

    No kind is both bought and sold, and money never falls below 0.
    """

    id: ClassVar[str] = "Trade"
    action: ClassVar[Action | None] = stages.MARKET
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "The Market: buy and sell. You have {0} {0:Denarius|Denarii}."

    def __init__(self, who: Seat, sold: int, bought: int) -> None:
        super().__init__(who)
        self.sold: Final = sold  # bitmask of the kinds sold in this action
        self.bought: Final = bought  # bitmask of the kinds bought in this action

    def fields(self) -> tuple[int, ...]:
        return (self.sold, self.bought)

    def question_parameters(self, s: Ierusalem) -> tuple[int, ...]:
        return (s.denarii[self.who],)

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [DONE, SELL, SELL + 1, SELL + 2, BUY, BUY + 1, BUY + 2]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        if o == DONE:
            return None
        if o < BUY:
            if (self.bought >> (o - SELL)) & 1:
                return BOUGHT_THIS
            return NOTHING_TO_SELL if s.goods[self.who * 3 + o - SELL] == 0 else None
        good = o - BUY
        if (self.sold >> good) & 1:
            return SOLD_THIS
        return CANNOT_PAY if s.denarii[self.who] < s.c.price[good] else None

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        if o < BUY:
            return (o - SELL,)
        return (o - BUY, s.c.price[o - BUY], s.denarii[self.who])

    def options(self, s: Ierusalem) -> list[Option]:
        who = self.who
        legal = [DONE]
        for good in range(3):
            if s.goods[who * 3 + good] > 0 and not (self.bought >> good) & 1:
                legal.append(SELL + good)
        money = s.denarii[who]
        if money >= s.c.least_price:
            for good in range(3):
                if money >= s.c.price[good] and not (self.sold >> good) & 1:
                    legal.append(BUY + good)
        return legal

    def apply(self, s: Ierusalem, o: Option) -> None:
        who = self.who
        if o == DONE:
            return
        if o < BUY:
            good = o - SELL
            if s.events is not None:
                s.emit(SOLD, who, (good, s.c.price[good]), "IE-3.1")
            s.goods[who * 3 + good] -= 1
            s.denarii[who] += s.c.price[good]
            s.stack.append(Trade(who, self.sold | (1 << good), self.bought))
        else:
            good = o - BUY
            if s.events is not None:
                s.emit(BOUGHT, who, (good, s.c.price[good]), "IE-3.1")
            s.goods[who * 3 + good] += 1
            s.denarii[who] -= s.c.price[good]
            s.stack.append(Trade(who, self.sold, self.bought | (1 << good)))


def find_trading_obstacle(s: Ierusalem, who: Seat) -> int:
    """IE-3.1  Return the reason why no card and no good can be bought or sold, or NO_OBSTACLE."""
    if s.count_goods(who) > 0 or s.denarii[who] >= s.c.least_price:
        return impossible_actions.NO_OBSTACLE
    if s.denarii[who] < s.c.market_price:
        return impossible_actions.NOTHING_TO_OFFER
    return impossible_actions.NO_OBSTACLE if has_mahane(s) else impossible_actions.NO_MAHANE


def go_to_market(s: Ierusalem, who: Seat) -> Step[Ierusalem] | None:
    """IE-3.1  Return the choice at the Market, or None without money and goods."""
    if s.denarii[who] < s.c.market_price and s.count_goods(who) == 0:
        return None
    return Market(who)
