"""The Market: a Mahane card, or trade (IE-3.1)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.actions.cards import TakeMahane, has_mahane
from triclinium.games.ierusalem.rules.events import BOUGHT, PAID_MAHANE, SOLD
from triclinium.games.ierusalem.rules.refusals import (
    CANNOT_PAY,
    MAHANE_PRICE,
    NO_MAHANE,
    NOTHING_TO_SELL,
    NOTHING_TO_TRADE,
    SELL_FIRST,
    SOLD_THIS,
)
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.verbs import BUY, DONE, MAHANE, SELL, SKIP, TRADE


class Market(Step[Ierusalem]):
    """IE-3.1  Either pay 1 Denarius and draw a Mahane card, or buy and sell goods."""

    id: ClassVar[str] = "Market"
    action: ClassVar[Action | None] = stages.MARKET
    question: ClassVar[str] = "The Market: trade, draw a Mahane card, or skip?"

    def __init__(self, who: Seat) -> None:
        super().__init__(who)

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [SKIP, TRADE, MAHANE]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        who = self.who
        if o == MAHANE:
            if not has_mahane(s):
                return NO_MAHANE
            if s.denarii[who] < s.c.market_price:
                return MAHANE_PRICE
        elif o == TRADE and s.goods_of(who) == 0 and s.denarii[who] < min(s.c.price):
            return NOTHING_TO_TRADE
        return None

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.c.market_price, s.denarii[self.who]) if rule is MAHANE_PRICE else ()

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o == TRADE:
            s.push(Trade(self.who, 0, False))
        elif o == MAHANE:
            s.emit(PAID_MAHANE, self.who, (), "IE-3.1")
            s.denarii[self.who] -= s.c.market_price
            s.push(TakeMahane(self.who, 0, False))


class Trade(Step[Ierusalem]):
    """IE-3.1  Sell and buy, one good at a time: sell first, then buy, and no kind both ways (IE-R21)."""

    id: ClassVar[str] = "Trade"
    action: ClassVar[Action | None] = stages.MARKET
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "The Market: sell first, then buy. You have {0} {0:Denarius|Denarii}."

    def __init__(self, who: Seat, sold: int, buying: bool) -> None:
        super().__init__(who)
        self.sold: Final = sold  # kinds sold in this action, a mask
        self.buying: Final = buying

    def fields(self) -> tuple[int, ...]:
        return (self.sold, int(self.buying))

    def parameters(self, s: Ierusalem) -> tuple[int, ...]:
        return (s.denarii[self.who],)

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [DONE, SELL, SELL + 1, SELL + 2, BUY, BUY + 1, BUY + 2]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        if o == DONE:
            return None
        if o < BUY:
            if self.buying:
                return SELL_FIRST
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
        if not self.buying:
            for good in range(3):
                if s.goods[who * 3 + good] > 0:
                    legal.append(SELL + good)
        money = s.denarii[who]
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
            s.emit(SOLD, who, (good,), "IE-3.1")
            s.goods[who * 3 + good] -= 1
            s.denarii[who] += s.c.price[good]
            s.stack.append(Trade(who, self.sold | (1 << good), False))
        else:
            good = o - BUY
            s.emit(BOUGHT, who, (good,), "IE-3.1")
            s.goods[who * 3 + good] += 1
            s.denarii[who] -= s.c.price[good]
            s.stack.append(Trade(who, self.sold, True))


def go_to_market(s: Ierusalem, who: Seat) -> Step[Ierusalem] | None:
    """IE-3.1  Nothing to ask without money and goods."""
    if s.denarii[who] < s.c.market_price and s.goods_of(who) == 0:
        return None
    return Market(who)
