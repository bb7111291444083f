"""The Last Supper: going, invitations, changing places and swaps (IE-4.2 to IE-4.4, IE-4.7, IE-2.10)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import FREE, NO_PRICE, Action, Price
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.actions.reward import TakeOffering, apply_reward
from triclinium.games.ierusalem.rules.constants import OptionBlock, list_members
from triclinium.games.ierusalem.rules.events import CHANGED_PLACES, LEFT, SWAPPED, WENT
from triclinium.games.ierusalem.rules.impossible_actions import (
    NO_OBSTACLE,
    NOBODY_OUT,
    SUPPER_FULL,
    SUPPER_TOO_EXPENSIVE,
)
from triclinium.games.ierusalem.rules.refusals import ANOTHER_SPACE, LEAVE_MOST, PRICE, TAKEN, UNUSED_STAYS
from triclinium.games.ierusalem.rules.state import FROM_PLACES, Ierusalem
from triclinium.games.ierusalem.rules.verbs import GO, LEAVE, MOVE, ONTO, SKIP, SWAP, WITH

_GO_OPTIONS: Final = OptionBlock(GO, MOVE - GO)
_CHANGE_OPTIONS: Final = OptionBlock(ONTO, SWAP - ONTO)


def find_affordable_spaces(s: Ierusalem, who: Seat) -> int:
    """IE-R28  Return a bitmask of the spaces whose cost the player can pay in the exact goods."""
    c = s.c
    three = who * 3
    stone = s.goods[three]
    bread = s.goods[three + 1]
    fish = s.goods[three + 2]
    mask = 0
    for i in range(len(c.cost_spaces)):
        if stone >= c.cost_stone[i] and bread >= c.cost_bread[i] and fish >= c.cost_fish[i]:
            mask |= c.cost_spaces[i]
    return mask


def find_going_obstacle(s: Ierusalem, who: Seat, free: bool) -> int:
    """IE-4.2, IE-4.4  Return the reason why no Follower can go to the Last Supper, or NO_OBSTACLE."""
    three = who * 3
    at = s.at_location
    if at[three] == 0 and at[three + 1] == 0 and at[three + 2] == 0:
        return NOBODY_OUT
    if s.free_spaces == 0:
        return SUPPER_FULL
    return SUPPER_TOO_EXPENSIVE if not free and s.free_spaces & find_affordable_spaces(s, who) == 0 else NO_OBSTACLE


def leave_for_supper(s: Ierusalem, who: Seat, free: bool) -> Step[Ierusalem] | None:
    """IE-4.2, IE-4.4  Return the first step of a Follower's way to the Supper, or None if it is impossible.

    The Follower leaves the Location with most of the player's Followers; the player breaks a tie.
    """
    if find_going_obstacle(s, who, free) != NO_OBSTACLE:
        return None
    three = who * 3
    desert = s.at_location[three]
    mountain = s.at_location[three + 1]
    lake = s.at_location[three + 2]
    most = max(desert, max(mountain, lake))
    tied = int(desert == most) + int(mountain == most) + int(lake == most)
    if tied > 1:
        return Leave(who, free)
    return Go(who, 0 if desert == most else 1 if mountain == most else 2, free)


class Leave(Step[Ierusalem]):
    """IE-4.2  The choice of the Location that the Follower leaves, among those with most Followers."""

    id: ClassVar[str] = "Leave"
    action: ClassVar[Action | None] = stages.SUPPER
    question: ClassVar[str] = (
        "Your Follower goes to the Last Supper from the Location where you have most. It’s a tie: which one?"
    )

    def __init__(self, who: Seat, free: bool) -> None:
        super().__init__(who)
        self.free: Final = free

    def fields(self) -> tuple[int, ...]:
        return (int(self.free),)

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [SKIP, LEAVE, LEAVE + 1, LEAVE + 2]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        if o == SKIP:
            return None
        three = self.who * 3
        most = max(s.at_location[three], s.at_location[three + 1], s.at_location[three + 2])
        return LEAVE_MOST if s.at_location[three + o - LEAVE] < most else None

    def options(self, s: Ierusalem) -> list[Option]:
        three = self.who * 3
        at = s.at_location
        most = max(at[three], max(at[three + 1], at[three + 2]))
        legal = [SKIP]
        for place in range(3):
            if at[three + place] == most:
                legal.append(LEAVE + place)
        return legal

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o != SKIP:
            if s.events is not None:
                s.emit(LEFT, self.who, (o - LEAVE,), "IE-4.2")
            s.stack.append(Go(self.who, o - LEAVE, self.free))


class Go(Step[Ierusalem]):
    """IE-4.2  The choice of an empty space for the Follower, at its row and column cost; free when invited (IE-4.4)."""

    id: ClassVar[str] = "Go"
    action: ClassVar[Action | None] = stages.SUPPER
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Which space at the Last Supper does your Follower from the {0:location} take?"
    invited_question: ClassVar[str] = msgid("Invited: which space does your Follower from the {0:location} take, free?")

    def __init__(self, who: Seat, place: int, free: bool) -> None:
        super().__init__(who)
        self.place: Final = place
        self.free: Final = free

    def fields(self) -> tuple[int, ...]:
        return (self.place, int(self.free))

    def question_template(self, s: Ierusalem) -> str:
        return self.invited_question if self.free else self.question

    def question_parameters(self, s: Ierusalem) -> tuple[int, ...]:
        return (self.place,)

    def option_price(self, s: Ierusalem, o: Option) -> Price:
        return FREE if self.free and o != SKIP else NO_PRICE

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [SKIP, *range(GO, GO + len(s.c.space_ids))]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        if o == SKIP:
            return None
        if not (s.free_spaces >> (o - GO)) & 1:
            return TAKEN
        return PRICE if not self.free and self._find_missing_good(s, o - GO) >= 0 else None

    def _find_missing_good(self, s: Ierusalem, space: int) -> int:
        for good in range(3):
            if s.goods[self.who * 3 + good] < s.c.space_cost[space][good]:
                return good
        return -1

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        if rule is not PRICE:
            return ()
        good = self._find_missing_good(s, o - GO)
        return (s.c.space_cost[o - GO][good], good, s.goods[self.who * 3 + good])

    def options(self, s: Ierusalem) -> list[Option]:
        legal = [SKIP]
        _GO_OPTIONS.add_options(
            legal, s.free_spaces if self.free else s.free_spaces & find_affordable_spaces(s, self.who)
        )
        return legal

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o == SKIP:
            return
        who = self.who
        space = o - GO
        if s.events is not None:
            s.emit(WENT, who, (space,), "IE-4.2")
        if not self.free:
            cost = s.c.space_cost[space]
            for good in range(3):
                s.goods[who * 3 + good] -= cost[good]
        s.at_location[who * 3 + self.place] -= 1
        s.empty_squares[self.place] += 1
        s.stack.append(TakeOffering(who))
        arrive_at_space(s, who, space)


def arrive_at_space(s: Ierusalem, who: Seat, space: int) -> None:
    """IE-4.3, IE-R12  Put a Follower on a space. A Meeting there must be held; a reward can be taken."""
    s.supper = replace_item(s.supper, who, s.supper[who] | (1 << space))
    s.free_spaces &= ~(1 << space)
    step = apply_reward(s, who, s.c.space_reward[space], s.c.space_amount[space], FROM_PLACES, "IE-4.3")
    if step is not None:
        s.stack.append(step)


class ChangePlaces(Step[Ierusalem]):
    """IE-4.7  The choice of the player's Follower at the Supper that moves, free of charge."""

    id: ClassVar[str] = "ChangePlaces"
    action: ClassVar[Action | None] = stages.CHANGE_PLACES
    question: ClassVar[str] = "Which of your Followers changes places?"

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [SKIP, *list_members(s.supper[self.who], MOVE)]

    def options(self, s: Ierusalem) -> list[Option]:
        return self.candidates(s)

    def applies(self, s: Ierusalem) -> bool:
        return s.free_spaces != 0

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o != SKIP:
            s.stack.append(ChangeTo(self.who, o - MOVE))


class ChangeTo(Step[Ierusalem]):
    """IE-4.7  Choice of the empty space. Its Meeting must be held and its reward can be used; there is no Offering."""

    id: ClassVar[str] = "ChangeTo"
    action: ClassVar[Action | None] = stages.CHANGE_PLACES
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Which empty space does your Follower move to?"

    def __init__(self, who: Seat, space: int) -> None:
        super().__init__(who)
        self.space: Final = space

    def fields(self) -> tuple[int, ...]:
        return (self.space,)

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [*range(ONTO, ONTO + len(s.c.space_ids))]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        return None if (s.free_spaces >> (o - ONTO)) & 1 else ANOTHER_SPACE

    def options(self, s: Ierusalem) -> list[Option]:
        legal: list[Option] = []
        _CHANGE_OPTIONS.add_options(legal, s.free_spaces)
        return legal

    def apply(self, s: Ierusalem, o: Option) -> None:
        s.emit(CHANGED_PLACES, self.who, (o - ONTO, self.space), "IE-4.7")
        s.supper = replace_item(s.supper, self.who, s.supper[self.who] & ~(1 << self.space))
        s.free_spaces |= 1 << self.space
        arrive_at_space(s, self.who, o - ONTO)


def can_swap(s: Ierusalem, who: Seat) -> bool:
    """Return whether a Follower of the player and one of another player are at the Supper."""
    others = 0
    for other in range(s.seats):
        if other != who:
            others |= s.supper[other]
    return s.supper[who] != 0 and others != 0


class Swap(Step[Ierusalem]):
    """IE-2.10  The choice of the player's Follower for a swap, by a white Apostle.

    Neither Follower counts as arriving (IE-R43).
    """

    id: ClassVar[str] = "Swap"
    action: ClassVar[Action | None] = stages.SWAP
    question: ClassVar[str] = "Which of your Followers do you swap?"

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [SKIP, *list_members(s.supper[self.who], SWAP)]

    def applies(self, s: Ierusalem) -> bool:
        return can_swap(s, self.who)

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o != SKIP:
            s.stack.append(SwapWith(self.who, o - SWAP))


class SwapWith(Step[Ierusalem]):
    """IE-2.10  The choice of another player's Follower for a swap, by a white Apostle."""

    id: ClassVar[str] = "SwapWith"
    action: ClassVar[Action | None] = stages.SWAP
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "With whose Follower do you swap?"

    def __init__(self, who: Seat, space: int) -> None:
        super().__init__(who)
        self.space: Final = space

    def fields(self) -> tuple[int, ...]:
        return (self.space,)

    def candidates(self, s: Ierusalem) -> list[Option]:
        return list_members(s.c.all_spaces & ~s.free_spaces & ~s.supper[self.who], WITH)

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        return UNUSED_STAYS if (s.supper[s.seats] >> (o - WITH)) & 1 else None

    def apply(self, s: Ierusalem, o: Option) -> None:
        space = o - WITH
        both = (1 << self.space) | (1 << space)
        for other in range(s.seats):
            if other != self.who and s.supper[other] & both:
                s.emit(SWAPPED, self.who, (space, other, self.space), "IE-2.10")
                s.supper = replace_item(s.supper, other, s.supper[other] ^ both)
                break
        s.supper = replace_item(s.supper, self.who, s.supper[self.who] ^ both)
