"""Following an action (AE-3): the offer to an opponent, and its price."""

from typing import ClassVar, Final

from triclinium.engine.core.action import FREE, NO_PRICE, Price
from triclinium.engine.core.state import MATCH, ROUND, TURN, Option, Seat, Step
from triclinium.games.evangelists.rules import stages
from triclinium.games.evangelists.rules.events import PAID
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.rules.verbs import DECLINE, FOLLOW

FOLLOW_OR_DECLINE: Final = [FOLLOW, DECLINE]


class Follow(Step[Evangelists]):
    """AE-3.1  An offer to an opponent to follow an action once.

    A weak action costs a follow token (AE-3.2), a strong one nothing (AE-3.3).
    """

    id: ClassVar[str] = "Follow"
    free_question: ClassVar[str] = ""  # The question for an action that is free to follow.
    auto_reply_spans: ClassVar[tuple[str, ...]] = (TURN, ROUND, MATCH)

    def __init__(self, who: Seat, price: int) -> None:
        super().__init__(who)
        self.price = price

    def fields(self) -> tuple[int, ...]:
        return (self.price,)

    def applies(self, s: Evangelists) -> bool:
        """AE-R12  Return whether the opponent can pay. Subclasses add that following must have an effect."""
        return s.tokens[self.who] >= self.price

    def question_template(self, s: Evangelists) -> str:
        return self.question if self.price else self.free_question

    def question_parameters(self, s: Evangelists) -> tuple[int, ...]:
        """Return the price of following, and the seat that performs the action."""
        return (self.price, s.turn)

    def option_price(self, s: Evangelists, o: Option) -> Price:
        if o == DECLINE:
            return NO_PRICE
        return (stages.TOKENS, (self.price,)) if self.price else FREE

    def auto_reply_option(self, s: Evangelists) -> Option:
        return DECLINE


def compute_follow_price(s: Evangelists, strong: bool) -> int:
    """AE-3.2, AE-3.3  Return the follow tokens that a weak or a strong action costs."""
    return s.c.follow_strong if strong else s.c.follow_weak


def pay_tokens(s: Evangelists, who: Seat, price: int) -> None:
    """AE-3.2  Hand tokens to the active player, who cannot refuse them."""
    if price:
        tokens = s.tokens[:]
        tokens[who] -= price
        tokens[s.turn] += price
        s.tokens = tokens
        s.emit(PAID, who, (s.turn, price), "AE-3.2")
