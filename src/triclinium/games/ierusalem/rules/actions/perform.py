"""The actions of a card: its Location, then its bottom actions from left to right (IE-2.4, IE-3.2, IE-4.8)."""

from typing import ClassVar, Final

from triclinium.engine.core.state import NOBODY, Seat, Step
from triclinium.games.ierusalem.rules import impossible_actions
from triclinium.games.ierusalem.rules.actions.cards import DrawXxxiii, draw_mahane, find_mahane_obstacle
from triclinium.games.ierusalem.rules.actions.favor import do_favor
from triclinium.games.ierusalem.rules.actions.followers import (
    CallFollower,
    Send,
    find_calling_obstacle,
    find_sending_obstacle,
)
from triclinium.games.ierusalem.rules.actions.market import find_trading_obstacle, go_to_market
from triclinium.games.ierusalem.rules.actions.parable import begin_listening, find_listening_obstacle
from triclinium.games.ierusalem.rules.actions.redistribute import Rearrange
from triclinium.games.ierusalem.rules.actions.sanhedrin import hold_meeting
from triclinium.games.ierusalem.rules.actions.supper import ChangePlaces, find_going_obstacle, leave_for_supper
from triclinium.games.ierusalem.rules.constants import (
    CALL_FOLLOWER,
    CHANGE_PLACES,
    DENARIUS,
    DO_FAVOR,
    DRAW_MAHANE,
    DRAW_XXXIII,
    GATHER,
    GO_MARKET,
    GO_SUPPER,
    GO_TEMPLE,
    INVITED,
    MEETING,
    PARABLE,
    REDISTRIBUTE,
    STONE,
    VP3,
)
from triclinium.games.ierusalem.rules.state import FROM_ACTIONS, Ierusalem


class Perform(Step[Ierusalem]):
    """IE-2.4  The rest of a card's actions, in order. Each can be skipped except the Meeting."""

    id: ClassVar[str] = "Perform"

    def __init__(self, seat: Seat, card: int, begin: int) -> None:
        super().__init__(NOBODY)
        self.seat: Final = seat
        self.card: Final = card
        self.begin: Final = begin

    def fields(self) -> tuple[int, ...]:
        return (self.seat, self.card, self.begin)

    def run(self, s: Ierusalem) -> None:
        perform_from(s, self.seat, self.card, self.begin)


def perform_from(s: Ierusalem, who: Seat, card: int, begin: int) -> None:
    """IE-2.4  Perform the actions of a card up to the first question. The rest waits on the stack for its answer."""
    actions = s.c.card_all_actions[card]
    i = begin
    while i < len(actions):
        step = perform_action(s, who, actions[i])
        i += 1
        if step is not None:
            if i < len(actions):
                s.stack.append(Perform(who, card, i))
            s.stack.append(step)
            return


def find_obstacle(s: Ierusalem, who: Seat, action: int) -> int:
    """Return the public reason why an action can do nothing now, or NO_OBSTACLE."""
    if action >= GATHER:
        return (
            impossible_actions.NO_OBSTACLE
            if s.at_location[who * 3 + action - GATHER] > 0
            else impossible_actions.NOBODY_GATHERS
        )
    if action == GO_SUPPER:
        return find_going_obstacle(s, who, False)
    if action == INVITED:
        return find_going_obstacle(s, who, True)
    if action == PARABLE:
        return find_listening_obstacle(s, who)
    if action == DO_FAVOR:
        return impossible_actions.NO_OBSTACLE if s.markers[who] else impossible_actions.NO_MARKER
    if action == GO_MARKET:
        return find_trading_obstacle(s, who)
    if action == GO_TEMPLE:
        return find_sending_obstacle(s, who)
    if action == MEETING:
        return impossible_actions.NO_OBSTACLE if s.marker < s.c.last else impossible_actions.MEETINGS_OVER
    if action == DRAW_MAHANE:
        return find_mahane_obstacle(s)
    if action == DRAW_XXXIII:
        return impossible_actions.NO_OBSTACLE if s.xxxiii else impossible_actions.NO_XXXIII
    if action == CALL_FOLLOWER:
        return find_calling_obstacle(s, who)
    if action == CHANGE_PLACES and s.free_spaces == 0:
        return impossible_actions.NO_EMPTY_SPACE
    return impossible_actions.NO_OBSTACLE


def is_idle(s: Ierusalem, who: Seat, card: int) -> bool:
    """Return whether no action of a card can do anything now.

    An action never makes a later action of the same card possible.
    """
    for action in s.c.card_all_actions[card]:
        if find_obstacle(s, who, action) == impossible_actions.NO_OBSTACLE:
            return False
    return True


def perform_action(s: Ierusalem, who: Seat, action: int) -> Step[Ierusalem] | None:
    """Perform an action without questions, or return its first step. Gains that never hurt are automatic (IE-R46)."""
    if s.events is not None and action != MEETING:  # A Meeting emits an event of its own.
        impossible_actions.emit_obstacle(s, who, find_obstacle(s, who, action))
    if action >= GATHER:
        place = action - GATHER
        n = s.at_location[who * 3 + place]
        if n > 0:
            s.obtain_goods(who, place, n, "IE-3.2")
    elif action == GO_SUPPER:
        return leave_for_supper(s, who, False)
    elif action == INVITED:
        return leave_for_supper(s, who, True)
    elif action == PARABLE:
        return begin_listening(s, who)
    elif action == DO_FAVOR:
        return do_favor(s, who)
    elif action == GO_MARKET:
        return go_to_market(s, who)
    elif action == GO_TEMPLE:
        return Send(who)
    elif action == MEETING:
        hold_meeting(s, who)
    elif action < DENARIUS:
        s.obtain_goods(who, action - STONE, 1, "IE-4.8")
    elif action == DENARIUS:
        s.receive_denarii(who, 1, "IE-4.8")
    elif action == VP3:
        s.score_points(who, s.c.vp3, FROM_ACTIONS, "IE-4.8")
    elif action == DRAW_MAHANE:
        return draw_mahane(s, who)
    elif action == DRAW_XXXIII:
        return DrawXxxiii(who) if s.xxxiii else None
    elif action == CALL_FOLLOWER:
        return CallFollower(who)
    elif action == REDISTRIBUTE:
        return Rearrange(who, 0, 0)
    elif action == CHANGE_PLACES:
        return ChangePlaces(who)
    return None
