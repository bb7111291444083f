"""BON windows before and after the main action (LM-8.4, LM-8.5)."""

from typing import ClassVar

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import ASK, MATCH, TURN, Option, Seat, Step
from triclinium.games.missionnaires.rules import stages
from triclinium.games.missionnaires.rules.actions.cards import forbids_gain_or_join, play_bon
from triclinium.games.missionnaires.rules.actions.move import forbids_step, list_steps, make_bonus_move
from triclinium.games.missionnaires.rules.components import ADVANCE, DONE, OFF, PLAY
from triclinium.games.missionnaires.rules.events import LAID_DOWN
from triclinium.games.missionnaires.rules.refusals import NO_ROAD
from triclinium.games.missionnaires.rules.state import Missionnaires


class BonWindow(Step[Missionnaires]):
    """LM-8.4  A window for *advance*, *gain* and *join* vouchers, one after another."""

    id: ClassVar[str] = "BonWindow"
    action: ClassVar[Action | None] = stages.COUP
    chained_verbs: ClassVar[tuple[str, ...]] = ("done",)  # A click on a town goes there without a voucher being played.
    combined_verbs: ClassVar[tuple[str, ...]] = ("done",)  # The vouchers are shown next to the steps.
    question: ClassVar[str] = "Do you play a voucher?"
    auto_reply_text: ClassVar[str] = "Play no vouchers before or after my move"
    auto_reply_spans: ClassVar[tuple[str, ...]] = (TURN, MATCH)

    def applies(self, s: Missionnaires) -> bool:
        for card in s.bons[self.who]:
            if forbids_bon(s, self.who, card) is None:
                return True
        return len(s.bons[self.who]) > 0 and may_lay_down(s, self.who)

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [DONE, *[PLAY + card for card in s.bons[self.who]]]

    def forbids(self, s: Missionnaires, o: Option) -> Rule | None:
        if o == DONE or may_lay_down(s, self.who):
            return None
        return forbids_bon(s, self.who, o - PLAY)

    def rule_parameters(self, s: Missionnaires, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.periodicals[self.who],)

    def auto_reply_option(self, s: Missionnaires) -> Option:
        """LM-8.5  Return the automatic answer, or ASK where keeping vouchers would cost turns."""
        return ASK if may_lay_down(s, self.who) else DONE

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o == DONE:
            return
        s.push(BonWindow(self.who))
        if forbids_bon(s, self.who, o - PLAY) is None:
            play_bon(s, self.who, o - PLAY)
        else:
            s.give_up_bon(self.who, o - PLAY)
            s.emit(LAID_DOWN, self.who, (o - PLAY,), "LM-8.5")


def may_lay_down(s: Missionnaires, who: Seat) -> bool:
    """LM-8.5  Return whether a voucher without effect may be laid down: at the Bethel with everything visited."""
    return s.at[who] == s.c.bethel and not s.hand[who]


def forbids_bon(s: Missionnaires, who: Seat, card: int) -> Rule | None:
    """LM-8.5  Return why a voucher cannot have its effect now, or None."""
    if s.c.effect[card] != ADVANCE:
        return forbids_gain_or_join(s, who, card)
    bonus = make_bonus_move(s, who, s.c.number[card])
    for o in list_steps(s, who):
        if forbids_step(s, o, bonus, OFF) is None:
            return None
    return NO_ROAD
