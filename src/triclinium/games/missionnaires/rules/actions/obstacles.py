"""Obstacles on the entered space: gendarmes and overseers (LM-6.1 to LM-6.8)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import NOBODY, Option, Seat, Step
from triclinium.games.missionnaires.rules import stages
from triclinium.games.missionnaires.rules.components import JOIN, LAISSEZ_PASSER, OFF, PAY, PUSH, SEA, TO, USE
from triclinium.games.missionnaires.rules.events import (
    LEAPT,
    MOVED,
    PAID,
    PUSHED_GENDARME,
    PUSHED_OVERSEER,
    STAYS,
    USED,
)
from triclinium.games.missionnaires.rules.refusals import (
    GENDARME_UNPAID,
    NOT_AT_SEA,
    NOT_EMPTY,
    NOT_THE_BETHEL,
    OVERSEER_ROOM,
    OVERSEER_UNPAID,
)
from triclinium.games.missionnaires.rules.state import ACCOMPANIED, NEWLY_JOINED, ON_HIS_OWN, Missionnaires


class Onward(Step[Missionnaires]):
    """The rest of a move with all its values. It is on the stack beneath the steps for the entered space."""

    id: ClassVar[str] = "Onward"

    def __init__(
        self, who: Seat, start: int, via: int, used: int, limit: int, speed_free: int, road_only: int, no_sea_card: int
    ) -> None:
        super().__init__(who)
        self.start: Final = start  # space where the move began
        self.via: Final = via  # space passed through, or OFF
        self.used: Final = used  # spaces used so far
        self.limit: Final = limit  # maximum number of spaces
        self.speed_free: Final = speed_free  # 1: no speed fee (fair wind, bonus move)
        self.road_only: Final = road_only  # 1: by road only (bonus move)
        self.no_sea_card: Final = no_sea_card  # 1: no further sea card

    def fields(self) -> tuple[int, ...]:
        return (self.start, self.via, self.used, self.limit, self.speed_free, self.road_only, self.no_sea_card)


def has_entered(s: Missionnaires, move: Onward, space: int) -> bool:
    """LM-3.5  Return whether the move began on a space or has passed it; the trail holds spaces before `via`."""
    if space == move.start or space == move.via:
        return True
    if move.used > 2:  # A printed move never continues after three spaces.
        trail = s.trail[move.who]
        for i in range(len(trail) - 1, max(len(trail) - move.used, 0) - 1, -1):
            if trail[i] == move.start:
                break
            if trail[i] == space:
                return True
    return False


def may_be_leapt(s: Missionnaires, here: int, over: int) -> bool:
    """LM-6.9  Return whether a proclaimer's space can be leapt over: it is next to the pawn and not the Bethel."""
    return over != OFF and over != s.c.bethel and s.c.distance[here][over] == 1


def end_move(s: Missionnaires) -> None:
    """End the move on the pawn's space, and remove all pending steps of the move from the stack."""
    while not isinstance(s.stack.pop(), Onward):
        pass


class Enter(Step[Missionnaires]):
    """A step into a declared space, after the sea card is obeyed (LM-5.6)."""

    id: ClassVar[str] = "Enter"

    def __init__(self, who: Seat, to: int, leapt: Seat, over: int) -> None:
        super().__init__(who)
        self.to: Final = to
        self.leapt: Final = leapt  # proclaimer whom the step leaps over, or NOBODY
        self.over: Final = over  # the space of the proclaimer whom the step leaps over

    def fields(self) -> tuple[int, ...]:
        return (self.to, self.leapt, self.over)

    def run(self, s: Missionnaires) -> None:
        enter_space(s, s.turn, self.to, self.leapt, self.over)


def enter_space(s: Missionnaires, who: Seat, to: int, leapt: Seat, over: int) -> None:
    """Enter a space if its gendarme or overseer can be met, or pushed and paid for (LM-6.2, LM-6.6).

    A sea card may have taken the periodicals for a push. It may also have brought an overseer to a proclaimer who was
    about to meet the other overseer and must now pay. If the proclaimer cannot pay the fee, the move ends before the
    step (LM-R7).
    """
    occupied = to != s.c.bethel and (s.has_gendarme(to) or s.has_lone_overseer(to))
    if occupied and not can_enter(s, who, to):
        end_move(s)
        s.emit(STAYS, who, (s.at[who],), "LM-R7")
        return
    if leapt != NOBODY:
        s.emit(LEAPT, who, (leapt, over), "LM-6.9")
    if not occupied:
        land_on_space(s, who, to)
    elif s.has_lone_overseer(to) and s.get_travel_mode(who) == ON_HIS_OWN:
        s.push(Meet(who, to))
    else:
        begin_push(s, who, to)


def can_enter(s: Missionnaires, who: Seat, to: int) -> bool:
    """Return whether the space can be entered: a pawn to be pushed has room, and its fee can be paid."""
    return has_room(s, who, to) and (not needs_push_fee(s, who, to) or can_pay_push(s, who, 0))


def needs_push_fee(s: Missionnaires, who: Seat, to: int) -> bool:
    """LM-6.2, LM-6.6  Return whether entering the space costs a periodical or voucher.

    A proclaimer alone pays nothing at an overseer's space, because the overseer may join.
    """
    if to == s.c.bethel:
        return False
    if s.has_gendarme(to):
        return s.get_travel_mode(who) != ACCOMPANIED
    return s.has_lone_overseer(to) and s.get_travel_mode(who) == NEWLY_JOINED


def begin_push(s: Missionnaires, who: Seat, to: int) -> None:
    """LM-6.2, LM-6.5, LM-6.7  Queue the fee, unless the player is accompanied, then the push and the step.

    Every push has its fee, on the way and at the end.
    """
    if s.get_travel_mode(who) == ACCOMPANIED:
        s.push(PushTo(who, to), Land(NOBODY, to))
    else:
        s.push(Fee(who, to), PushTo(who, to), Land(NOBODY, to))


def can_pay_push(s: Missionnaires, who: Seat, spent: int) -> bool:
    """LM-6.2, LM-8.4  Return whether the push can be paid by a voucher, or by periodicals left after the speed fee."""
    return s.periodicals[who] - spent >= s.c.push_fee or s.find_bon(who, LAISSEZ_PASSER) != OFF


def has_room(s: Missionnaires, who: Seat, space: int) -> bool:
    """LM-6.4  Return whether a gendarme on the space could be pushed; an overseer always can (LM-6.8)."""
    if not s.has_gendarme(space):
        return True
    for town in s.c.roads[space]:
        if forbids_push(s, who, space, town) is None:
            return True
    return False


def forbids_push(s: Missionnaires, who: Seat, space: int, town: int) -> Rule | None:
    """LM-6.3, LM-6.8  Return why the pawn on a space cannot be pushed to a neighbouring space, or None."""
    gendarme = s.has_gendarme(space)
    if s.c.kind[town] == SEA:
        return NOT_AT_SEA
    if town == s.c.bethel:
        return NOT_THE_BETHEL if gendarme else None
    if town == s.at[who]:  # The two pawns change places (LM-R13).
        shared = s.has_lone_overseer(town) or s.at.count(town) > 1
    else:
        shared = not s.is_empty(town)
    if shared:
        return NOT_EMPTY if gendarme else OVERSEER_ROOM
    return None


class Meet(Step[Missionnaires]):
    """LM-6.6  The choice at an overseer's space: be joined and end the move, or push him for the fee."""

    id: ClassVar[str] = "Meet"
    action: ClassVar[Action | None] = stages.PUSHING
    question: ClassVar[str] = "The {1:overseer} is in {0:space}: travel with him, or push him aside?"

    def __init__(self, who: Seat, to: int) -> None:
        super().__init__(who)
        self.to: Final = to

    def fields(self) -> tuple[int, ...]:
        return (self.to,)

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [PUSH, JOIN + s.overseer_space.index(self.to)]

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (self.to, s.overseer_space.index(self.to))

    def forbids(self, s: Missionnaires, o: Option) -> Rule | None:
        return OVERSEER_UNPAID if o == PUSH and not can_pay_push(s, self.who, 0) else None

    def rule_parameters(self, s: Missionnaires, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.c.push_fee, s.periodicals[self.who])

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o == PUSH:
            begin_push(s, self.who, self.to)
        else:
            step_onto(s, self.who, self.to)
            end_move(s)


class Fee(Step[Missionnaires]):
    """LM-6.2, LM-6.6  The payment of a push: one periodical, or a voucher that allows it (LM-8.4)."""

    id: ClassVar[str] = "Fee"
    action: ClassVar[Action | None] = stages.PUSHING
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "How do you pay for the push in {0:space}?"

    def __init__(self, who: Seat, to: int) -> None:
        super().__init__(who)
        self.to: Final = to

    def fields(self) -> tuple[int, ...]:
        return (self.to,)

    def candidates(self, s: Missionnaires) -> list[Option]:
        card = s.find_bon(self.who, LAISSEZ_PASSER)
        return [PAY] if card == OFF else [PAY, USE + card]

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (self.to,)

    def forbids(self, s: Missionnaires, o: Option) -> Rule | None:
        if o == PAY and s.periodicals[self.who] < s.c.push_fee:
            return GENDARME_UNPAID if s.has_gendarme(self.to) else OVERSEER_UNPAID
        return None

    def rule_parameters(self, s: Missionnaires, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.c.push_fee, s.periodicals[self.who])

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o == PAY:
            s.periodicals[self.who] -= s.c.push_fee
            s.emit(PAID, self.who, (s.c.push_fee,), "LM-6.2" if s.has_gendarme(self.to) else "LM-6.6")
        else:
            s.give_up_bon(self.who, o - USE)
            s.emit(USED, self.who, (o - USE,), "LM-8.4")


class PushTo(Step[Missionnaires]):
    """LM-6.3, LM-6.8  The choice of the space for the pushed pawn; an overseer without room goes to the Bethel."""

    id: ClassVar[str] = "PushTo"
    action: ClassVar[Action | None] = stages.PUSHING
    stage: ClassVar[int] = 3
    question: ClassVar[str] = "Where do you push the pawn in {0:space}?"

    def __init__(self, who: Seat, space: int) -> None:
        super().__init__(who)
        self.space: Final = space

    def fields(self) -> tuple[int, ...]:
        return (self.space,)

    def candidates(self, s: Missionnaires) -> list[Option]:
        towns = [TO + town for town in s.c.near[self.space]]
        if not s.has_gendarme(self.space) and not self._has_room(s) and s.c.bethel not in s.c.roads[self.space]:
            towns.append(TO + s.c.bethel)
            towns.sort()
        return towns

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (self.space,)

    def _has_room(self, s: Missionnaires) -> bool:
        for town in s.c.roads[self.space]:
            if forbids_push(s, self.who, self.space, town) is None:
                return True
        return False

    def forbids(self, s: Missionnaires, o: Option) -> Rule | None:
        return forbids_push(s, self.who, self.space, o - TO)

    def apply(self, s: Missionnaires, o: Option) -> None:
        town = o - TO
        if s.has_gendarme(self.space):
            gendarme = s.gendarmes.index(self.space)
            s.gendarmes[gendarme] = town
            s.emit(PUSHED_GENDARME, self.who, (gendarme, self.space, town), "LM-6.3")
        else:
            overseer = s.overseer_space.index(self.space)
            s.overseer_space[overseer] = town
            s.emit(PUSHED_OVERSEER, self.who, (overseer, self.space, town), "LM-6.8")


class Land(Step[Missionnaires]):
    """A step of the proclaimer into the space of the pushed pawn."""

    id: ClassVar[str] = "Land"

    def __init__(self, who: Seat, to: int) -> None:
        super().__init__(who)
        self.to: Final = to

    def fields(self) -> tuple[int, ...]:
        return (self.to,)

    def run(self, s: Missionnaires) -> None:
        land_on_space(s, s.turn, self.to)


def land_on_space(s: Missionnaires, who: Seat, to: int) -> None:
    """Move the pawn to the new space; by variant (LM-R4) take the territory card if the move can continue."""
    step_onto(s, who, to)
    if s.v.card_on_pass:
        rest = s.stack[-1]
        if isinstance(rest, Onward) and rest.used < rest.limit:
            s.flow.draw_on_pass(s, who)


def step_onto(s: Missionnaires, who: Seat, to: int) -> None:
    """Move the pawn, with its overseer (LM-7.2); by variant visit a congregation that was passed."""
    if s.v.visit_on_pass:
        rest = s.stack[-1]
        if isinstance(rest, Onward) and s.at[who] != rest.start:
            s.try_visit(who, s.at[who])
    if s.events is not None:  # Build the event only if someone reads it, because steps are frequent.
        s.emit(MOVED, who, (s.at[who], to))
    s.place_pawn(who, to)


def find_declared_space(s: Missionnaires) -> int:
    """Return the space of the declared step that is not made yet, or OFF."""
    for i in range(len(s.stack) - 1, -1, -1):
        step = s.stack[i]
        if isinstance(step, (Enter, Land, Meet)):
            return step.to
        if isinstance(step, Onward):
            break
    return OFF
