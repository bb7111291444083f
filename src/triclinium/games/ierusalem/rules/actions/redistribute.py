"""Redistribute: discard up to 3 cards of the board and lay the rest out anew (IE-4.9)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.actions.cards import put_away
from triclinium.games.ierusalem.rules.events import DROPPED, LAID_ANEW
from triclinium.games.ierusalem.rules.kinds import bit, card_at, members
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.verbs import DONE, DROP, LAY, SKIP


def on_board(s: Ierusalem, who: Seat) -> int:
    """The cards in a player's three columns, a mask."""
    mask = 0
    for column in range(who * 3, who * 3 + 3):
        for card in s.columns[column]:
            mask |= 1 << bit(card)
    return mask


class Redistribute(Step[Ierusalem]):
    """IE-R22  First discards, none to three; ``skip`` leaves the board as it is."""

    id: ClassVar[str] = "Redistribute"
    action: ClassVar[Action | None] = stages.REDISTRIBUTE
    question: ClassVar[str] = "Redistribute: discard a card of your board, or lay all out anew?"

    def __init__(self, who: Seat, dropped: int) -> None:
        super().__init__(who)
        self.dropped: Final = dropped

    def fields(self) -> tuple[int, ...]:
        return (self.dropped,)

    def candidates(self, s: Ierusalem) -> list[Option]:
        found = [DONE] if self.dropped else [SKIP, DONE]
        if self.dropped < s.c.redistribute_discards:
            colour = s.colours[self.who]
            for place in members(on_board(s, self.who), 0):
                found.append(DROP + card_at(place, colour))
        return found

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o == SKIP:
            return
        who = self.who
        if o >= DROP:
            card = o - DROP
            s.emit(DROPPED, who, (card,), "IE-4.9")
            for column in range(who * 3, who * 3 + 3):
                if card in s.columns[column]:
                    s.columns[column] = tuple([other for other in s.columns[column] if other != card])
            put_away(s, who, card)
            s.stack.append(Redistribute(who, self.dropped + 1))
            return
        loose = on_board(s, who)
        for column in range(who * 3, who * 3 + 3):
            s.columns[column] = ()
        if loose:
            s.stack.append(Lay(who, loose))


class Lay(Step[Ierusalem]):
    """IE-R22  Lay a card at the end of a column, until all lie again; the order of laying is the order that counts."""

    id: ClassVar[str] = "Lay"
    action: ClassVar[Action | None] = stages.REDISTRIBUTE
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Lay your cards out anew: which one next, into which column?"

    def __init__(self, who: Seat, loose: int) -> None:
        super().__init__(who)
        self.loose: Final = loose  # the cards still to lay, a mask

    def fields(self) -> tuple[int, ...]:
        return (self.loose,)

    def candidates(self, s: Ierusalem) -> list[Option]:
        found: list[Option] = []
        colour = s.colours[self.who]
        for place in members(self.loose, 0):
            first = LAY + card_at(place, colour) * 3
            found.append(first)
            found.append(first + 1)
            found.append(first + 2)
        return found

    def apply(self, s: Ierusalem, o: Option) -> None:
        card, column = divmod(o - LAY, 3)
        s.emit(LAID_ANEW, self.who, (card, column + 1), "IE-4.9")
        where = self.who * 3 + column
        s.columns[where] = (*s.columns[where], card)
        left = self.loose & ~(1 << bit(card))
        if left:
            s.stack.append(Lay(self.who, left))
