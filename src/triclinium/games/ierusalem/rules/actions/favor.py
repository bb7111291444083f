"""The action Do a Favor (IE-4.5)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import NOBODY, Option, Seat, Step
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.actions.cards import draw_xxxiii
from triclinium.games.ierusalem.rules.actions.followers import FavorCall, find_calling_obstacle
from triclinium.games.ierusalem.rules.actions.reward import apply_reward
from triclinium.games.ierusalem.rules.constants import GIVES_CALL, OptionBlock
from triclinium.games.ierusalem.rules.events import FAVORED, WAREHOUSE_OPENED
from triclinium.games.ierusalem.rules.impossible_actions import emit_obstacle
from triclinium.games.ierusalem.rules.refusals import FAVOR_GIVEN, TO_ANOTHER
from triclinium.games.ierusalem.rules.state import FROM_FAVORS, Ierusalem
from triclinium.games.ierusalem.rules.verbs import FAVOR, REPLACE, SKIP, TO

_FAVORS: Final = OptionBlock(FAVOR, REPLACE - FAVOR)


class DoFavor(Step[Ierusalem]):
    """IE-4.5  The choice of one of the remaining Favor markers, or none."""

    id: ClassVar[str] = "DoFavor"
    action: ClassVar[Action | None] = stages.FAVOR
    question: ClassVar[str] = "Which Favor do you do?"

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [SKIP, *range(FAVOR, FAVOR + len(s.c.marker_ids))]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        return FAVOR_GIVEN if o != SKIP and not (s.markers[self.who] >> (o - FAVOR)) & 1 else None

    def options(self, s: Ierusalem) -> list[Option]:
        legal = [SKIP]
        _FAVORS.add_options(legal, s.markers[self.who])
        return legal

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o != SKIP:
            s.stack.append(FavorTo(self.who, o - FAVOR))


class FavorTo(Step[Ierusalem]):
    """IE-4.5  The choice of the receiver, who gains the benefit first. Then the giver gets a card, a step and VP."""

    id: ClassVar[str] = "FavorTo"
    action: ClassVar[Action | None] = stages.FAVOR
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "To whom do you do the Favor {0:marker}?"

    def __init__(self, who: Seat, marker: int) -> None:
        super().__init__(who)
        self.marker: Final = marker

    def fields(self) -> tuple[int, ...]:
        return (self.marker,)

    def question_parameters(self, s: Ierusalem) -> tuple[int, ...]:
        return (self.marker,)

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [TO + seat for seat in range(s.seats)]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        return TO_ANOTHER if o - TO == self.who else None

    def options(self, s: Ierusalem) -> list[Option]:
        return [TO + seat for seat in range(s.seats) if seat != self.who]

    def apply(self, s: Ierusalem, o: Option) -> None:
        receiver = o - TO
        marker = self.marker
        s.markers = replace_item(s.markers, self.who, s.markers[self.who] & ~(1 << marker))
        s.received[receiver * 5 + s.c.marker_location[marker]] += 1
        if s.events is not None:
            s.emit(FAVORED, self.who, (marker, receiver), "IE-4.5")
        s.stack.append(FavorDone(self.who))
        for kind, amount in s.c.marker_benefit[marker]:
            if kind == GIVES_CALL:
                emit_obstacle(s, receiver, find_calling_obstacle(s, receiver))
                s.stack.append(FavorCall(receiver))
            else:
                apply_reward(s, receiver, kind, amount, FROM_FAVORS, "IE-4.5")


class FavorDone(Step[Ierusalem]):
    """IE-4.5  The gains of the player who gives a Favor: a XXXIII A.D. card, a step of the disk and VP.

    Spaces two and four give more."""

    id: ClassVar[str] = "FavorDone"

    def __init__(self, giver: Seat) -> None:
        super().__init__(NOBODY)
        self.giver: Final = giver

    def fields(self) -> tuple[int, ...]:
        return (self.giver,)

    def run(self, s: Ierusalem) -> None:
        c = s.c
        giver = self.giver
        draw_xxxiii(s, giver)
        step = s.favors[giver] + 1
        s.favors = replace_item(s.favors, giver, step)
        s.score_points(giver, c.favor_vp[step], FROM_FAVORS, "IE-4.5")
        if step == c.warehouse_space:
            s.emit(WAREHOUSE_OPENED, giver, (), "IE-4.5")
        if step == c.denarii_space:
            s.receive_denarii(giver, c.favor_denarii, "IE-4.5")


def do_favor(s: Ierusalem, who: Seat) -> Step[Ierusalem] | None:
    """IE-R17  Return the choice of a marker, or None without one."""
    return DoFavor(who) if s.markers[who] != 0 else None
