"""The action Redistribute: rearrange the cards on the board and discard up to 3 of them (IE-4.9)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.actions.cards import discard_card
from triclinium.games.ierusalem.rules.constants import (
    CARD_MASK,
    ONE_CARD,
    CardOptionBlock,
    find_card,
    get_card_bit,
    list_members,
)
from triclinium.games.ierusalem.rules.events import DROPPED, LAID_ANEW
from triclinium.games.ierusalem.rules.refusals import DISCARDS_SPENT, LAID_ALREADY
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.verbs import DONE, DROP, LAY, SKIP

_DROPS: Final = CardOptionBlock(DROP, 1)
_LAYS: Final = CardOptionBlock(LAY, 3)  # one option for each card and each of three columns


def collect_board_cards(s: Ierusalem, who: Seat) -> int:
    """Return a bitmask of the cards in a player's three columns."""
    mask = 0
    for column in range(who * 3, who * 3 + 3):
        for card in s.columns[column]:
            mask |= CARD_MASK[card]
    return mask


def drop_card(s: Ierusalem, who: Seat, card: int) -> None:
    """IE-4.9  Discard a card from the board."""
    if s.events is not None:
        s.emit(DROPPED, who, (card,), "IE-4.9")
    remove_from_board(s, who, card)
    discard_card(s, who, card)


def remove_from_board(s: Ierusalem, who: Seat, card: int) -> None:
    """Remove a card from its column; the others keep their order."""
    for column in range(who * 3, who * 3 + 3):
        there = s.columns[column]
        for i in range(len(there)):
            if there[i] == card:
                s.columns[column] = there[:i] + there[i + 1 :]
                return


class Rearrange(Step[Ierusalem]):
    """IE-R22  The choice to move a card to the end of a column (once each), to discard one, or to leave the rest."""

    id: ClassVar[str] = "Rearrange"
    action: ClassVar[Action | None] = stages.REARRANGE
    question: ClassVar[str] = "Redistribute: lay a card at the end of a column, discard one, or leave the rest?"

    def __init__(self, who: Seat, dropped: int, laid: int) -> None:
        super().__init__(who)
        self.dropped: Final = dropped  # number of cards discarded so far
        self.laid: Final = laid  # bitmask of the cards moved so far

    def fields(self) -> tuple[int, ...]:
        return (self.dropped, self.laid)

    def display_rank(self, s: Ierusalem, o: Option) -> int:
        return int(o < LAY)

    def candidates(self, s: Ierusalem) -> list[Option]:
        options = [DONE] if self.dropped or self.laid else [SKIP]
        colour = s.colours[self.who]
        cards = [find_card(place, colour) for place in list_members(collect_board_cards(s, self.who), 0)]
        for card in cards:
            options.append(DROP + card)
        for card in cards:
            first = LAY + card * 3
            options.extend([first, first + 1, first + 2])
        return options

    def options(self, s: Ierusalem) -> list[Option]:
        legal = [DONE] if self.dropped or self.laid else [SKIP]
        colour = s.colours[self.who]
        cards = collect_board_cards(s, self.who)
        if self.dropped < s.c.redistribute_discards:
            _DROPS.add_options(legal, cards, colour)
        _LAYS.add_options(legal, cards & ~self.laid, colour)
        return legal

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        if o >= LAY:
            return LAID_ALREADY if (self.laid >> get_card_bit((o - LAY) // 3)) & 1 else None
        return DISCARDS_SPENT if o >= DROP and self.dropped >= s.c.redistribute_discards else None

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        return ((o - LAY) // 3,) if rule is LAID_ALREADY else (s.c.redistribute_discards,)

    def apply(self, s: Ierusalem, o: Option) -> None:
        who = self.who
        if o <= DONE:  # Skip and done both end the action.
            return
        if o < LAY:
            drop_card(s, who, o - DROP)
            s.stack.append(Rearrange(who, self.dropped + 1, self.laid))
            return
        card = (o - LAY) // 3
        column = (o - LAY) % 3
        if s.events is not None:
            s.emit(LAID_ANEW, who, (card, column + 1), "IE-4.9")
        remove_from_board(s, who, card)
        where = who * 3 + column
        s.columns[where] += ONE_CARD[card]
        s.stack.append(Rearrange(who, self.dropped, self.laid | CARD_MASK[card]))
