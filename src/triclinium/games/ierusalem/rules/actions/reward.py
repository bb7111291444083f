"""Rewards of Supper spaces, of the Parable track and of Favors (IE-4.1, IE-4.3, IE-4.5)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import MATCH, TURN, Option, Seat, Step
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.actions.cards import draw_mahane, find_mahane_obstacle
from triclinium.games.ierusalem.rules.actions.followers import CallFollower, find_calling_obstacle
from triclinium.games.ierusalem.rules.actions.sanhedrin import hold_meeting
from triclinium.games.ierusalem.rules.constants import (
    GIVES_CALL,
    GIVES_DENARII,
    GIVES_MAHANE,
    GIVES_MEETING,
    GIVES_OFFERING,
    GIVES_VP,
)
from triclinium.games.ierusalem.rules.events import TOOK_OFFERING
from triclinium.games.ierusalem.rules.impossible_actions import emit_obstacle
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.verbs import OFFERING, SKIP

_OFFERING_OPTIONS: Final = [SKIP, OFFERING]


class TakeOffering(Step[Ierusalem]):
    """IE-4.3  The choice to take 1 Offering into the Camp, where it stays, or to refuse it."""

    id: ClassVar[str] = "TakeOffering"
    action: ClassVar[Action | None] = stages.SUPPER
    stage: ClassVar[int] = 3
    question: ClassVar[str] = "Take an Offering into your Camp?"
    auto_reply_text: ClassVar[str] = "Take no Offering"
    auto_reply_spans: ClassVar[tuple[str, ...]] = (TURN, MATCH)

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [SKIP, OFFERING]

    def options(self, s: Ierusalem) -> list[Option]:
        return _OFFERING_OPTIONS

    def auto_reply_option(self, s: Ierusalem) -> Option:
        """IE-4.3  Return the refusal, which does no harm; an Offering once taken stays."""
        return SKIP

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o == OFFERING:
            s.emit(TOOK_OFFERING, self.who, (), "IE-4.3")
            s.offerings = replace_item(s.offerings, self.who, s.offerings[self.who] + 1)


def apply_reward(s: Ierusalem, who: Seat, kind: int, amount: int, source: int, rule: str) -> Step[Ierusalem] | None:
    """Apply a reward, or return the step that asks about it.

    Gains that never hurt are automatic (IE-R46), and a Meeting must be held.
    """
    if kind < GIVES_DENARII:
        s.obtain_goods(who, kind, amount, rule)
    elif kind == GIVES_DENARII:
        s.receive_denarii(who, amount, rule)
    elif kind == GIVES_VP:
        s.score_points(who, amount, source, rule)
    elif kind == GIVES_MEETING:
        hold_meeting(s, who)
    elif kind == GIVES_MAHANE:
        emit_obstacle(s, who, find_mahane_obstacle(s))
        return draw_mahane(s, who)
    elif kind == GIVES_CALL:
        emit_obstacle(s, who, find_calling_obstacle(s, who))
        return CallFollower(who)
    elif kind == GIVES_OFFERING:
        return TakeOffering(who)
    return None
