"""Card draws: a drawn card is shown to all, cancelled or obeyed at once, or kept if it is a BON (LM-8.1 to LM-8.4)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import MATCH, NOBODY, TURN, Option, Seat, Step
from triclinium.games.missionnaires.rules import stages
from triclinium.games.missionnaires.rules.actions.effects import Obeyed, may_call, obey_card
from triclinium.games.missionnaires.rules.components import (
    CANCEL,
    DONE,
    GAIN,
    JOINS,
    OBEY,
    OFF,
    PLAY,
    REDRAW,
    TERRITORY,
    USE,
    VOYAGE,
)
from triclinium.games.missionnaires.rules.events import DREW, PLAYED, RESHUFFLED, RESHUFFLED_SEA, USED
from triclinium.games.missionnaires.rules.refusals import HANDS_FULL, IN_COMPANY, NO_WINDOW, NOT_CALLED_AWAY
from triclinium.games.missionnaires.rules.state import Missionnaires


def draw_card(s: Missionnaires, who: Seat, deck: int) -> None:
    """LM-8.1  Take the top card, show it, obey it and discard it; keep a BON (LM-8.2).

    The card is on the discard pile while it is obeyed, where all players can read it.
    """
    card = take_top(s, deck)
    if card == OFF:
        return
    s.undo_barrier += 1
    if s.events is not None:
        s.emit(DREW, who, (card,), "LM-4.5" if deck == TERRITORY else "LM-5.4")
    if s.c.bon[card]:
        s.bons = replace_item(s.bons, who, tuple(sorted([*s.bons[who], card])))
        effect = s.c.effect[card]
        if effect in (GAIN, JOINS):
            s.push(PlayAtOnce(who, card))
        return
    s.discard_card(card)
    if s.find_bon(who, CANCEL) != OFF or (deck == VOYAGE and s.find_bon(who, REDRAW) != OFF):
        s.push(Cancel(who, card))
    else:
        obey_card(s, who, card)


def take_top(s: Missionnaires, deck: int) -> int:
    """Take the top card of a deck, or return OFF if no card is available.

    The discards are shuffled into an empty deck first, except cards still being obeyed (LM-8.1, LM-R18). In an edition
    with few cards, all of them may be held or obeyed.
    """
    pile = s.deck if deck == TERRITORY else s.sea_deck
    if not pile:
        discards = s.discard if deck == TERRITORY else s.sea_discard
        obeyed = [step.card for step in s.stack if isinstance(step, Obeyed)]
        pile += [card for card in discards if card not in obeyed]
        if not pile:
            return OFF
        discards[:] = [card for card in discards if card in obeyed]
        s.shuffle_again(deck, pile)
        s.emit(RESHUFFLED if deck == TERRITORY else RESHUFFLED_SEA, NOBODY, (deck,), "LM-R18")
    return pile.pop()


class Cancel(Step[Missionnaires]):
    """LM-8.4  Choice to cancel one's own drawn card with a voucher, or to take another sea card in its place.

    A cancelled sea card becomes `none`.
    """

    id: ClassVar[str] = "Cancel"
    action: ClassVar[Action | None] = stages.DRAWN
    question: ClassVar[str] = "You drew {0:card}. Obey it, or use a voucher?"

    def __init__(self, who: Seat, card: int) -> None:
        super().__init__(who)
        self.card: Final = card

    def fields(self) -> tuple[int, ...]:
        return (self.card,)

    def candidates(self, s: Missionnaires) -> list[Option]:
        effects = (CANCEL, REDRAW) if self.card >= s.c.territories else (CANCEL,)
        vouchers = [s.find_bon(self.who, effect) for effect in effects]
        return [OBEY, *sorted([USE + voucher for voucher in vouchers if voucher != OFF])]

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (self.card,)

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o == OBEY:
            obey_card(s, self.who, self.card)
            return
        s.give_up_bon(self.who, o - USE)
        s.emit(USED, self.who, (o - USE,), "LM-8.4")
        if s.c.effect[o - USE] == REDRAW:
            draw_card(s, self.who, VOYAGE)


class TakeSeaCard(Step[Missionnaires]):
    """LM-5.4, LM-6.9  Sea card for the second dotted section of a leap, after the first card is obeyed."""

    id: ClassVar[str] = "TakeSeaCard"

    def run(self, s: Missionnaires) -> None:
        draw_card(s, s.turn, VOYAGE)


def forbids_gain_or_join(s: Missionnaires, who: Seat, card: int) -> Rule | None:
    """LM-8.5  Return why a *gain* or *join* voucher cannot have its effect now, or None."""
    effect = s.c.effect[card]
    if effect == GAIN:
        return HANDS_FULL if s.periodicals[who] >= s.c.periodicals_max else None
    if effect == JOINS:
        if s.find_overseer(who) != OFF:
            return IN_COMPANY
        return None if may_call(s, who, s.c.caller[card]) else NOT_CALLED_AWAY
    return NO_WINDOW


def play_bon(s: Missionnaires, who: Seat, card: int) -> None:
    """LM-8.2  Play a voucher for its effect."""
    s.give_up_bon(who, card)
    s.emit(PLAYED, who, (card,), "LM-8.2")
    obey_card(s, who, card)


class PlayAtOnce(Step[Missionnaires]):
    """LM-8.4  The choice to play a *gain* or *join* voucher as it is drawn, even in mid-move."""

    id: ClassVar[str] = "PlayAtOnce"
    action: ClassVar[Action | None] = stages.VOUCHER
    question: ClassVar[str] = "You drew {0:card}. Play it now, or keep it?"
    auto_reply_text: ClassVar[str] = "Keep every voucher that I draw"
    auto_reply_spans: ClassVar[tuple[str, ...]] = (TURN, MATCH)

    def __init__(self, who: Seat, card: int) -> None:
        super().__init__(who)
        self.card: Final = card

    def fields(self) -> tuple[int, ...]:
        return (self.card,)

    def applies(self, s: Missionnaires) -> bool:
        return forbids_gain_or_join(s, self.who, self.card) is None

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [DONE, PLAY + self.card]

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (self.card,)

    def auto_reply_option(self, s: Missionnaires) -> Option:
        return DONE

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o != DONE:
            play_bon(s, self.who, self.card)
