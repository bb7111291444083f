"""Card effects, one function for each, in the order of the specification's table (LM-8).

Some effects start a move, an arrival or another coup. Their modules import this one, so these effects go through
`s.flow`.
"""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import NOBODY, Option, Seat, Step
from triclinium.games.missionnaires.rules import stages
from triclinium.games.missionnaires.rules.actions.congregations import (
    add_congregation,
    complete_congregation,
    swap_congregation,
)
from triclinium.games.missionnaires.rules.actions.displacement import (
    MoveRival,
    apply_storm,
    can_be_put,
    displace_pawn,
    end_move_on_pass,
    return_to_port,
)
from triclinium.games.missionnaires.rules.actions.obstacles import end_move
from triclinium.games.missionnaires.rules.components import (
    ADVANCE,
    BACK,
    CONG_ADD,
    CONG_DONE,
    DISPLACE,
    GAIN,
    GENDARME,
    GOTO,
    GUARD,
    HALT,
    JOINS,
    LEAVE,
    LOSE,
    MISS,
    OFF,
    PAY,
    PAY_OR_SKIP,
    PLACE,
    REPLAY,
    SEA,
    SKIP,
    STORM,
    SWAP,
    TO,
    WIND,
)
from triclinium.games.missionnaires.rules.events import (
    CALLED_AWAY,
    GAINED,
    JOINED,
    OVERSEER_AT,
    PAID,
    SENT_AWAY,
    SENT_GENDARME,
    STAYS,
    WILL_MISS,
)
from triclinium.games.missionnaires.rules.refusals import NOT_AT_SEA, NOT_EMPTY, NOT_THE_BETHEL, STUCK
from triclinium.games.missionnaires.rules.state import Missionnaires


def obey_card(s: Missionnaires, who: Seat, card: int) -> None:
    """LM-8.1  Apply the effect of a drawn or played card."""
    effect = s.c.effect[card]
    n = s.c.number[card]
    if effect == SKIP:
        skip_turns(s, who, n)
    elif effect == PAY_OR_SKIP:
        pay_or_skip(s, who, n)
    elif effect == GAIN:
        gain_periodicals(s, who, n)
    elif effect == LOSE:
        lose_periodicals(s, who, n)
    elif effect == ADVANCE:
        advance_by_bonus_move(s, who, n, card)
    elif effect == REPLAY:
        replay_coup(s)
    elif effect == JOINS:
        join_overseer(s, who, s.c.caller[card])
    elif effect == PLACE:
        place_overseer(s, who, s.c.caller[card], s.c.places[card])
    elif effect == LEAVE:
        leave_overseer(s, who, s.c.places[card])
    elif effect == GOTO:
        goto_space(s, who, s.c.target[card])
    elif effect == GENDARME:
        move_gendarme(s, who)
    elif effect == CONG_ADD:
        add_congregation(s, who)
    elif effect == CONG_DONE:
        complete_congregation(s, who)
    elif effect == SWAP:
        swap_congregation(s, who)
    elif effect == WIND:
        apply_wind(s, n)
    elif effect == HALT:
        stop_move(s, who)
    elif effect == STORM:
        apply_storm(s, who)
    elif effect == BACK:
        return_to_port(s, who)
    elif effect == DISPLACE:
        s.push(MoveRival(who))


def skip_turns(s: Missionnaires, who: Seat, n: int) -> None:
    """Make the player miss the next n turns; turns to miss add up (LM-R21)."""
    end_move_on_pass(s)
    s.missed[who] += n
    s.emit(WILL_MISS, who, (n,), "LM-2.1")


def pay_or_skip(s: Missionnaires, who: Seat, n: int) -> None:
    """Let the player hand in n periodicals or miss a turn; with fewer than n, make the player miss it."""
    if s.periodicals[who] >= n:
        s.push(PayOrSkip(who, n))
    else:
        skip_turns(s, who, 1)


class PayOrSkip(Step[Missionnaires]):
    """The choice to hand in the periodicals or miss the next turn."""

    id: ClassVar[str] = "PayOrSkip"
    action: ClassVar[Action | None] = stages.CARD
    question: ClassVar[str] = "Hand in {0} {0:periodical|periodicals}, or miss your next turn?"

    def __init__(self, who: Seat, n: int) -> None:
        super().__init__(who)
        self.n: Final = n

    def fields(self) -> tuple[int, ...]:
        return (self.n,)

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [PAY, MISS]

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (self.n,)

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o == PAY:
            lose_periodicals(s, self.who, self.n)
        else:
            skip_turns(s, self.who, 1)


def gain_periodicals(s: Missionnaires, who: Seat, n: int) -> None:
    """Give the player n periodicals, up to 8 in hand."""
    taken = s.take_periodicals(who, n)
    s.emit(GAINED, who, (taken,), "LM-9.6")


def lose_periodicals(s: Missionnaires, who: Seat, n: int) -> None:
    """Take n periodicals from the player, or all if there are fewer."""
    given = min(n, s.periodicals[who])
    s.periodicals[who] -= given
    s.emit(PAID, who, (given,), "LM-8.1")


def advance_by_bonus_move(s: Missionnaires, who: Seat, n: int, card: int) -> None:
    """Start a bonus move of up to n spaces, by road only and without speed fee."""
    end_move_on_pass(s)
    s.push(s.flow.begin_bonus_move(s, who, n), Obeyed(NOBODY, card))


class Obeyed(Step[Missionnaires]):
    """LM-8.1  Marker beneath a bonus move: its card is obeyed until the move is over, so a reshuffle leaves it out."""

    id: ClassVar[str] = "Obeyed"

    def __init__(self, who: Seat, card: int) -> None:
        super().__init__(who)
        self.card: Final = card

    def fields(self) -> tuple[int, ...]:
        return (self.card,)

    def run(self, s: Missionnaires) -> None:
        pass


def replay_coup(s: Missionnaires) -> None:
    """LM-2.5  Add a second coup to the same turn; a *replay* card has no effect in the second coup (LM-R19)."""
    s.flow.play_again(s)


def may_call(s: Missionnaires, who: Seat, overseer: int) -> bool:
    """LM-R6  Return whether a card may take this overseer from the place where he is."""
    return s.v.called_away or s.escort[overseer] == NOBODY or s.escort[overseer] == who


def join_overseer(s: Missionnaires, who: Seat, overseer: int) -> None:
    """Attach the overseer to the player, wherever he is, unless another one accompanies the player already (LM-R22)."""
    if s.find_overseer(who) == OFF and may_call(s, who, overseer):
        attach_overseer(s, who, overseer)


def attach_overseer(s: Missionnaires, who: Seat, overseer: int) -> None:
    """LM-7.3  Attach the overseer to the proclaimer; he helps from the next coup."""
    left = s.escort[overseer]
    s.overseer_space[overseer] = OFF
    s.escort[overseer] = who
    s.newly_joined |= 1 << overseer
    if left == NOBODY:
        s.emit(JOINED, who, (overseer,), "LM-7.3")
    else:
        s.emit(CALLED_AWAY, who, (overseer, left), "LM-7.3")


def place_overseer(s: Missionnaires, who: Seat, overseer: int, towns: tuple[int, ...]) -> None:
    """Move the overseer to the first empty town of the list."""
    if may_call(s, who, overseer):
        left = s.escort[overseer]
        s.overseer_space[overseer] = OFF
        put_first_empty(s, overseer, towns, NOBODY if left == who else left)


def put_first_empty(s: Missionnaires, overseer: int, towns: tuple[int, ...], left: Seat = NOBODY) -> None:
    """Put the overseer unattached on the first empty town, or on the Bethel if none is empty."""
    space = s.c.bethel
    for town in towns:
        if s.is_empty(town):
            space = town
            break
    set_down(s, overseer, space, left)


def set_down(s: Missionnaires, overseer: int, space: int, left: Seat = NOBODY) -> None:
    """Put an unattached overseer on a space.

    `left` is the seat that loses the overseer because of another player's card, if any.
    """
    s.escort[overseer] = NOBODY
    s.newly_joined &= ~(1 << overseer)
    s.overseer_space[overseer] = space
    if left == NOBODY:
        s.emit(OVERSEER_AT, NOBODY, (overseer, space), "LM-7.4")
    else:
        s.emit(SENT_AWAY, s.turn, (overseer, space, left), "LM-7.4")


def leave_overseer(s: Missionnaires, who: Seat, towns: tuple[int, ...]) -> None:
    """Send the overseer who accompanies the player, if any, to the first empty town of the list."""
    overseer = s.find_overseer(who)
    if overseer != OFF:
        put_first_empty(s, overseer, towns)


def goto_space(s: Missionnaires, who: Seat, space: int) -> None:
    """Put the pawn on a space if it is free; the arrival takes no territory card (LM-4.6)."""
    end_move_on_pass(s)
    if can_be_put(s, who, space):
        displace_pawn(s, who, space, 0)


def move_gendarme(s: Missionnaires, who: Seat) -> None:
    """Make the player move one gendarme along one road to an empty town, if any can move."""
    s.push(MoveGendarme(who))


def may_send(s: Missionnaires, town: int) -> bool:
    return town != s.c.bethel and s.is_empty(town)


class MoveGendarme(Step[Missionnaires]):
    """The choice of the gendarme to move."""

    id: ClassVar[str] = "MoveGendarme"
    action: ClassVar[Action | None] = stages.GENDARME
    question: ClassVar[str] = "Which gendarme do you move?"

    def applies(self, s: Missionnaires) -> bool:
        return len(self.options(s)) > 0

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [GUARD + i for i in range(len(s.gendarmes))]

    def forbids(self, s: Missionnaires, o: Option) -> Rule | None:
        for town in s.c.roads[s.gendarmes[o - GUARD]]:
            if may_send(s, town):
                return None
        return STUCK

    def apply(self, s: Missionnaires, o: Option) -> None:
        s.push(SendGendarme(self.who, o - GUARD))


class SendGendarme(Step[Missionnaires]):
    """The choice of the gendarme's new space: along one road, to an empty town that is not the Bethel."""

    id: ClassVar[str] = "SendGendarme"
    action: ClassVar[Action | None] = stages.GENDARME
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Where does the gendarme in {0:space} go?"

    def __init__(self, who: Seat, gendarme: int) -> None:
        super().__init__(who)
        self.gendarme: Final = gendarme

    def fields(self) -> tuple[int, ...]:
        return (self.gendarme,)

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [TO + town for town in s.c.near[s.gendarmes[self.gendarme]]]

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (s.gendarmes[self.gendarme],)

    def forbids(self, s: Missionnaires, o: Option) -> Rule | None:
        if s.c.kind[o - TO] == SEA:
            return NOT_AT_SEA
        if o - TO == s.c.bethel:
            return NOT_THE_BETHEL
        return None if s.is_empty(o - TO) else NOT_EMPTY

    def apply(self, s: Missionnaires, o: Option) -> None:
        s.emit(SENT_GENDARME, self.who, (self.gendarme, s.gendarmes[self.gendarme], o - TO), "LM-8.1")
        s.gendarmes[self.gendarme] = o - TO


def apply_wind(s: Missionnaires, n: int) -> None:
    """Apply fair wind: this move may total n spaces without speed fee."""
    s.flow.apply_fair_wind(s, n)


def stop_move(s: Missionnaires, who: Seat) -> None:
    """End the move before the step; a speed periodical already paid is lost."""
    end_move(s)
    s.emit(STAYS, who, (s.at[who],), "LM-8.1")
