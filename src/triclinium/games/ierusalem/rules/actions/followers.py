"""Followers leaving the Camp: the Temple and Call a Follower (IE-3.3 to IE-3.5, IE-4.6)."""

from typing import ClassVar

from triclinium.engine.core.action import FREE, NO_PRICE, Action, Price
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.events import CALLED, DISPLACED, SENT
from triclinium.games.ierusalem.rules.impossible_actions import (
    CAMP_EMPTY,
    NO_MONEY,
    NO_OBSTACLE,
    NO_SQUARE,
    NOBODY_TO_CALL,
    NOWHERE_TO_CALL,
)
from triclinium.games.ierusalem.rules.refusals import (
    LOCATION_FULL,
    NO_DISPLACING,
    NOBODY_THERE,
    NOT_FULL,
    REPLACE_PRICE,
    SEND_PRICE,
    THREE_AT_MOST,
)
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.verbs import CALL, DONE, REPLACE, SEND, SKIP


def place_follower(s: Ierusalem, who: Seat, place: int) -> None:
    """Move a Follower from the Camp to an empty square of a Location."""
    s.camp[who] -= 1
    s.at_location[who * 3 + place] += 1
    s.empty_squares[place] -= 1


class Send(Step[Ierusalem]):
    """IE-3.3  The choice to send Followers out, one at a time.

    In a full Location one replaces another player's (IE-3.4).
    """

    id: ClassVar[str] = "Send"
    action: ClassVar[Action | None] = stages.TEMPLE
    question: ClassVar[str] = "The Temple: send a Follower out? You have {0} {0:Denarius|Denarii}."

    def question_parameters(self, s: Ierusalem) -> tuple[int, ...]:
        return (s.denarii[self.who],)

    def candidates(self, s: Ierusalem) -> list[Option]:
        options = [DONE, SEND, SEND + 1, SEND + 2]
        for place in range(3):
            for other in range(s.seats):
                if other != self.who:
                    options.append(REPLACE + place * 4 + other)
        return options

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        if o == DONE:
            return None
        replacing = o >= REPLACE
        place = (o - REPLACE) // 4 if replacing else o - SEND
        if replacing:
            if s.empty_squares[place] > 0:
                return NOT_FULL
            if s.at_location[(o - REPLACE) % 4 * 3 + place] == 0:
                return NOBODY_THERE
        if s.at_location[self.who * 3 + place] >= s.c.max_per_location:
            return THREE_AT_MOST
        if not replacing and s.empty_squares[place] == 0:
            return LOCATION_FULL
        if s.denarii[self.who] < compute_send_price(s, o):
            return REPLACE_PRICE if replacing else SEND_PRICE
        return None

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        if rule is THREE_AT_MOST:
            return (s.c.max_per_location,)
        return (compute_send_price(s, o), s.denarii[self.who])

    def options(self, s: Ierusalem) -> list[Option]:
        legal = [DONE]
        who = self.who
        if s.camp[who] == 0:
            return legal
        c = s.c
        at = s.at_location
        money = s.denarii[who]
        full = 0
        for place in range(3):
            if s.empty_squares[place] == 0:
                full += 1
            elif money >= c.recruit_price[place] and at[who * 3 + place] < c.max_per_location:
                legal.append(SEND + place)
        if full == 0 or money < c.least_recruit_price + c.displace_fee:
            return legal
        for place in range(3):
            if (
                s.empty_squares[place] == 0
                and money >= c.recruit_price[place] + c.displace_fee
                and at[who * 3 + place] < c.max_per_location
            ):
                for other in range(s.seats):
                    if other != who and at[other * 3 + place] > 0:
                        legal.append(REPLACE + place * 4 + other)
        return legal

    def applies(self, s: Ierusalem) -> bool:
        return s.camp[self.who] > 0 and s.denarii[self.who] >= s.c.least_recruit_price

    def apply(self, s: Ierusalem, o: Option) -> None:
        who = self.who
        if o == DONE:
            return
        if o < REPLACE:
            place = o - SEND
            if s.events is not None:
                s.emit(SENT, who, (place, compute_send_price(s, o)), "IE-3.3")
            s.denarii[who] -= s.c.recruit_price[place]
        else:
            place, other = divmod(o - REPLACE, 4)
            if s.events is not None:
                s.emit(DISPLACED, who, (place, other, compute_send_price(s, o)), "IE-3.4")
            s.denarii[who] -= compute_send_price(s, o)
            s.denarii[other] += s.c.recruit_price[place]
            s.at_location[other * 3 + place] -= 1
            s.camp[other] += 1
            s.empty_squares[place] += 1
        place_follower(s, who, place)
        s.stack.append(Send(who))


def compute_send_price(s: Ierusalem, o: Option) -> int:
    """Return the total price of sending a Follower out."""
    if o < REPLACE:
        return s.c.recruit_price[o - SEND]
    return s.c.recruit_price[(o - REPLACE) // 4] + s.c.displace_fee


def can_call(s: Ierusalem, who: Seat) -> bool:
    """Return whether a player has a Follower in the Camp and a Location that can receive it."""
    return find_calling_obstacle(s, who) == NO_OBSTACLE


def find_sending_obstacle(s: Ierusalem, who: Seat) -> int:
    """IE-3.3  Return the reason why no Follower can be sent out, or NO_OBSTACLE."""
    if s.camp[who] == 0:
        return CAMP_EMPTY
    if len(Send(who).options(s)) > 1:
        return NO_OBSTACLE
    return NO_MONEY if s.denarii[who] < s.c.least_recruit_price else NO_SQUARE


def find_calling_obstacle(s: Ierusalem, who: Seat) -> int:
    """IE-4.6  Return the reason why no Follower can be called, or NO_OBSTACLE."""
    if s.camp[who] == 0:
        return NOBODY_TO_CALL
    return NO_OBSTACLE if len(CallFollower(who).options(s)) > 1 else NOWHERE_TO_CALL


class CallFollower(Step[Ierusalem]):
    """IE-4.6  Choice of the square for a Follower called from the Camp. It is free and displaces no other Follower."""

    id: ClassVar[str] = "CallFollower"
    action: ClassVar[Action | None] = stages.CALL
    question: ClassVar[str] = "Call a Follower: where to?"

    def option_price(self, s: Ierusalem, o: Option) -> Price:
        return NO_PRICE if o == SKIP else FREE

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [SKIP, CALL, CALL + 1, CALL + 2]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        if o == SKIP:
            return None
        if s.at_location[self.who * 3 + o - CALL] >= s.c.max_per_location:
            return THREE_AT_MOST
        return NO_DISPLACING if s.empty_squares[o - CALL] == 0 else None

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.c.max_per_location,) if rule is THREE_AT_MOST else ()

    def options(self, s: Ierusalem) -> list[Option]:
        legal = [SKIP]
        for place in range(3):
            if s.empty_squares[place] > 0 and s.at_location[self.who * 3 + place] < s.c.max_per_location:
                legal.append(CALL + place)
        return legal

    def applies(self, s: Ierusalem) -> bool:
        return s.camp[self.who] > 0

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o != SKIP:
            s.emit(CALLED, self.who, (o - CALL,), "IE-4.6")
            place_follower(s, self.who, o - CALL)


class FavorCall(CallFollower):
    """IE-R17  The benefit of a Favor: its receiver calls a Follower at once, or declines."""

    id: ClassVar[str] = "FavorCall"
    action: ClassVar[Action | None] = stages.FAVOR
    stage: ClassVar[int] = 3
    question: ClassVar[str] = "{0:seat} does you a Favor: call a Follower, where to?"

    def question_parameters(self, s: Ierusalem) -> tuple[int, ...]:
        return (s.active,)
