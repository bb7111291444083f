"""The action Rearrange (AE-8)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.evangelists.rules import stages
from triclinium.games.evangelists.rules.actions.follow import (
    FOLLOW_OR_DECLINE,
    Follow,
    compute_follow_price,
    pay_tokens,
)
from triclinium.games.evangelists.rules.events import FLIPPED, REARRANGED, SHIFTED
from triclinium.games.evangelists.rules.refusals import AT_LEAST_ONE, EMPTY_LEAF, SAME_POSITION, WEAK_IS_ONE
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists
from triclinium.games.evangelists.rules.verbs import DECLINE, DONE, FLIP, FOLLOW, LEAF, LEAVES_MOST, POSITION


def rearrange_leaves(s: Evangelists, who: Seat, strong: bool) -> None:
    """AE-8.1, AE-8.2  Let the player rearrange one leaf, or several if strong; then let opponents follow."""
    s.rearranged = True
    cost = compute_follow_price(s, strong)
    for seat in s.list_opponents_last_first():
        s.stack.append(FollowRearrange(seat, cost))
    s.stack.append(ChooseLeaf(who, s.c.rearrange_most if strong else 1, 0))


# The options for choosing a leaf, indexed by the number of leaves.
LEAVES: Final = [[LEAF + leaf for leaf in range(leaves)] for leaves in range(LEAVES_MOST + 1)]
LEAVES_OR_DONE: Final = [[*legal, DONE] for legal in LEAVES]


class ChooseLeaf(Step[Evangelists]):
    """AE-8.1  The choice of the leaf to handle. In a strong Rearrange it repeats until the player is done (AE-R36)."""

    id: ClassVar[str] = "ChooseLeaf"
    action: ClassVar[Action | None] = stages.REARRANGE
    question: ClassVar[str] = "Choose the leaf to move or flip."

    def __init__(self, who: Seat, most: int, made: int) -> None:
        super().__init__(who)
        self.most = most
        self.made = made

    def fields(self) -> tuple[int, ...]:
        return (self.most, self.made)

    def candidates(self, s: Evangelists) -> list[Option]:
        leaves = len(s.slots[self.who]) // s.c.slots_per_leaf
        return [*[LEAF + leaf for leaf in range(leaves)], DONE]

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        if o != DONE or self.made:
            return None
        return WEAK_IS_ONE if self.most == 1 else AT_LEAST_ONE

    def options(self, s: Evangelists) -> list[Option]:
        leaves = len(s.slots[self.who]) // s.c.slots_per_leaf
        return LEAVES_OR_DONE[leaves] if self.made else LEAVES[leaves]

    def apply(self, s: Evangelists, o: Option) -> None:
        if o != DONE:
            s.stack.append(ChooseHow(self.who, o - LEAF, self.most, self.made))
        else:
            emit_rearrangement(s, self.who, self.made)


# The options for moving a leaf, indexed by the number of leaves and the leaf.
MOVES: Final = [
    [[POSITION + position for position in range(leaves) if position != leaf] for leaf in range(leaves)]
    for leaves in range(LEAVES_MOST + 1)
]
FLIP_AND_MOVES: Final = [[[FLIP, *legal] for legal in row] for row in MOVES]


class ChooseHow(Step[Evangelists]):
    """AE-8.1  Choice to flip the leaf or to move it to another place in the row, where the others close up (AE-R36)."""

    id: ClassVar[str] = "ChooseHow"
    action: ClassVar[Action | None] = stages.REARRANGE
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "What do you do with leaf {0}?"

    def __init__(self, who: Seat, leaf: int, most: int, made: int) -> None:
        super().__init__(who)
        self.leaf = leaf
        self.most = most
        self.made = made

    def fields(self) -> tuple[int, ...]:
        return (self.leaf, self.most, self.made)

    def candidates(self, s: Evangelists) -> list[Option]:
        leaves = len(s.slots[self.who]) // s.c.slots_per_leaf
        return [FLIP, *[POSITION + position for position in range(leaves)]]

    def question_parameters(self, s: Evangelists) -> tuple[int, ...]:
        return (self.leaf + 1,)

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        if o == FLIP:
            return EMPTY_LEAF if is_leaf_empty(s, self.who, self.leaf) else None
        return SAME_POSITION if o - POSITION == self.leaf else None

    def options(self, s: Evangelists) -> list[Option]:
        leaves = len(s.slots[self.who]) // s.c.slots_per_leaf
        options_table = MOVES if is_leaf_empty(s, self.who, self.leaf) else FLIP_AND_MOVES
        return options_table[leaves][self.leaf]

    def apply(self, s: Evangelists, o: Option) -> None:
        who = self.who
        slots = s.slots[who]
        leaves = len(slots) // s.c.slots_per_leaf
        order = s.c.flip_order[leaves][self.leaf] if o == FLIP else s.c.move_order[leaves][self.leaf][o - POSITION]
        s.slots[who] = tuple(slots[slot] for slot in order)
        s.adjust_tracks(who)
        if self.most == 1:
            self.emit_step(s, o)
        elif self.made + 1 < self.most:
            s.stack.append(ChooseLeaf(who, self.most, self.made + 1))
        else:
            emit_rearrangement(s, who, self.made + 1)

    def emit_step(self, s: Evangelists, o: Option) -> None:
        """Report one step of a weak Rearrange, or the step of a follower."""
        rule = "AE-8.1" if self.who == s.turn else "AE-8.3"
        if o == FLIP:
            s.emit(FLIPPED, self.who, (self.leaf + 1,), rule)
        else:
            s.emit(SHIFTED, self.who, (self.leaf + 1, o - POSITION + 1), rule)


def emit_rearrangement(s: Evangelists, who: Seat, steps: int) -> None:
    """AE-8.2  Report a strong Rearrange as one event: the number of steps, and the cards of all slots afterwards."""
    if s.events is not None:
        numbers = [0 if card == EMPTY else s.c.numbers[card] for card in s.slots[who]]
        s.emit(REARRANGED, who, (steps, *numbers), "AE-8.2")


def is_leaf_empty(s: Evangelists, who: Seat, leaf: int) -> bool:
    """Return whether flipping the leaf would do nothing (AE-R36)."""
    size = s.c.slots_per_leaf
    slots = s.slots[who]
    for slot in range(leaf * size, leaf * size + size):
        if slots[slot] != EMPTY:
            return False
    return True


class FollowRearrange(Follow):
    """AE-8.3  An offer to follow a Rearrange by one step."""

    id: ClassVar[str] = "FollowRearrange"
    action: ClassVar[Action | None] = stages.REARRANGE
    stage: ClassVar[int] = 3
    question: ClassVar[str] = (
        "{1:seat} has rearranged leaves. You may move or flip one leaf for {0} follow {0:token|tokens}."
    )
    free_question: ClassVar[str] = msgid("{1:seat} has rearranged leaves. You may move or flip one leaf for free.")
    auto_reply_text: ClassVar[str] = "Never follow a Rearrange"

    def applies(self, s: Evangelists) -> bool:
        return s.tokens[self.who] >= self.price and s.has_cards(self.who)

    def candidates(self, s: Evangelists) -> list[Option]:
        return [FOLLOW, DECLINE]

    def options(self, s: Evangelists) -> list[Option]:
        return FOLLOW_OR_DECLINE

    def apply(self, s: Evangelists, o: Option) -> None:
        if o == FOLLOW:
            pay_tokens(s, self.who, self.price)
            s.stack.append(ChooseLeaf(self.who, 1, 0))
