"""The action Interview (AE-7)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import FREE, Action, Price
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import copy_with_item
from triclinium.engine.core.state import NOBODY, Draw, Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.evangelists.rules import stages
from triclinium.games.evangelists.rules.actions.follow import (
    FOLLOW_OR_DECLINE,
    Follow,
    compute_follow_price,
    pay_tokens,
)
from triclinium.games.evangelists.rules.events import (
    FOLLOWED_AND_RECORDED,
    FOUND_ALIVE,
    FOUND_DEAD,
    INTERVIEWED,
    RECORDED,
)
from triclinium.games.evangelists.rules.refusals import STRONG_COSTS
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.rules.verbs import DECLINE, FOLLOW, STRONG, WEAK

WHITE: Final = 0  # Outcomes of a draw from the bag: a white cube or a black one.
BLACK: Final = 1

CUBE: Final = 1  # purpose of a draw from the bag; its number is the marker's space times 64, plus the witness
ROUND_CUBES: Final = 64
WHOLE: Final = 1 << 30


def interview_witness(s: Evangelists, who: Seat, city: int) -> None:
    """AE-7.1  Take the witness's card, then push the steps that follow.

    They draw a cube if the disc has none, ask weak or strong, and let opponents follow.
    """
    witness = s.witness_at[city]
    s.piles = copy_with_item(s.piles, witness, s.piles[witness] - 1)
    s.interviews = copy_with_item(s.interviews, who, s.interviews[who] | 1 << witness)
    s.adjust_inclusio(who)  # AE-R20: the interview card alone can complete an inclusio.
    s.emit(INTERVIEWED, who, (witness, city), "AE-7.1")
    s.stack.append(HowStrong(who, witness))
    if not ((s.alive | s.dead) >> witness) & 1:
        s.stack.append(AskAfter(witness))


class AskAfter(Draw[Evangelists]):
    """AE-7.2 to AE-7.4  A draw of a status cube for a disc without one. A black cube is replaced from the supply."""

    id: ClassVar[str] = "AskAfter"

    def __init__(self, witness: int) -> None:
        super().__init__(NOBODY)
        self.witness: Final = witness

    def fields(self) -> tuple[int, ...]:
        return (self.witness,)

    def outcomes(self, s: Evangelists) -> list[tuple[int, int]]:
        cubes: list[tuple[int, int]] = []
        if s.bag_white > 0:
            cubes.append((WHITE, s.bag_white))
        if s.bag_black > 0:
            cubes.append((BLACK, s.bag_black))
        return cubes

    def draw(self, s: Evangelists) -> int:
        """Draw by witness and round: the same witness has the same fraction of luck with any bag."""
        luck = s.rng.of(CUBE, s.marker * ROUND_CUBES + self.witness).below(WHOLE)
        return WHITE if luck * (s.bag_white + s.bag_black) < s.bag_white * WHOLE else BLACK

    def apply(self, s: Evangelists, o: Option) -> None:
        witness = self.witness
        s.undo_barrier += 1
        if o == WHITE:
            s.bag_white -= 1
            s.alive |= 1 << witness
            s.emit(FOUND_ALIVE, s.turn, (witness,), "AE-7.2")
            return
        s.bag_black -= 1
        s.dead |= 1 << witness
        refill = min(s.supply, max(0, s.c.black_target - s.bag_black))  # AE-7.3, AE-R19
        s.supply -= refill
        s.bag_black += refill
        s.emit(FOUND_DEAD, s.turn, (witness,), "AE-7.2")


def count_interview_marks(s: Evangelists, who: Seat, witness: int, strong: bool) -> int:
    """AE-7.5, AE-7.6  Return the tally marks: a number for each card in the gospel with the witness's circle."""
    if (s.alive >> witness) & 1:
        each = s.c.strong_alive if strong else s.c.weak_alive
    else:
        each = s.c.strong_dead if strong else s.c.weak_dead
    return each * s.count_circles(who, witness)


def count_follow_marks(s: Evangelists, who: Seat, witness: int) -> int:
    """AE-7.7  Return the marks: two for holding the witness's card, and one for each card with the circle."""
    held = s.c.follow_holding if (s.interviews[who] >> witness) & 1 else 0
    return held + s.c.follow_card * s.count_circles(who, witness)


STRENGTHS: Final = [WEAK, STRONG]
WEAK_ALONE: Final = [WEAK]


class HowStrong(Step[Evangelists]):
    """AE-7.6  The choice of weak or strong after the cube is seen. A strong Interview costs one octagon more."""

    id: ClassVar[str] = "HowStrong"
    action: ClassVar[Action | None] = stages.INTERVIEW
    question: ClassVar[str] = "{0:witness}: the witness is alive. Weak or strong?"
    dead_question: ClassVar[str] = msgid("{0:witness}: the witness has died. Weak or strong?")

    def __init__(self, who: Seat, witness: int) -> None:
        super().__init__(who)
        self.witness = witness

    def fields(self) -> tuple[int, ...]:
        return (self.witness,)

    def candidates(self, s: Evangelists) -> list[Option]:
        return [WEAK, STRONG]

    def question_template(self, s: Evangelists) -> str:
        return self.question if (s.alive >> self.witness) & 1 else self.dead_question

    def question_parameters(self, s: Evangelists) -> tuple[int, ...]:
        return (self.witness,)

    def option_price(self, s: Evangelists, o: Option) -> Price:
        return (stages.OCTAGONS, (s.c.cost_strong - s.c.cost_weak,)) if o == STRONG else FREE

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        return STRONG_COSTS if o == STRONG and s.octagons < s.c.cost_strong - s.c.cost_weak else None

    def options(self, s: Evangelists) -> list[Option]:
        return STRENGTHS if s.octagons >= s.c.cost_strong - s.c.cost_weak else WEAK_ALONE

    def apply(self, s: Evangelists, o: Option) -> None:
        strong = o == STRONG
        if strong:
            s.octagons -= s.c.cost_strong - s.c.cost_weak
        gain = count_interview_marks(s, self.who, self.witness, strong)
        s.tally = copy_with_item(s.tally, self.who, s.tally[self.who] + gain)
        s.emit(RECORDED, self.who, (gain, self.witness, int(strong)), "AE-7.6" if strong else "AE-7.5")
        cost = compute_follow_price(s, strong)
        for seat in s.list_opponents_last_first():
            s.stack.append(FollowInterview(seat, cost, self.witness))


class FollowInterview(Follow):
    """AE-7.7  An offer to follow an Interview. A follower needs no place on the board and gets no card (AE-R13)."""

    id: ClassVar[str] = "FollowInterview"
    action: ClassVar[Action | None] = stages.INTERVIEW
    stage: ClassVar[int] = 2
    question: ClassVar[str] = (
        "{3:seat} has interviewed {1:witness}. You may get {2} tally {2:mark|marks} for {0} follow {0:token|tokens}."
    )
    free_question: ClassVar[str] = msgid(
        "{3:seat} has interviewed {1:witness}. You may get {2} tally {2:mark|marks} for free."
    )
    auto_reply_text: ClassVar[str] = "Never follow an Interview"

    def __init__(self, who: Seat, price: int, witness: int) -> None:
        super().__init__(who, price)
        self.witness = witness

    def fields(self) -> tuple[int, ...]:
        return (self.price, self.witness)

    def applies(self, s: Evangelists) -> bool:
        return s.tokens[self.who] >= self.price and count_follow_marks(s, self.who, self.witness) > 0

    def candidates(self, s: Evangelists) -> list[Option]:
        return [FOLLOW, DECLINE]

    def question_parameters(self, s: Evangelists) -> tuple[int, ...]:
        return (self.price, self.witness, count_follow_marks(s, self.who, self.witness), s.turn)

    def options(self, s: Evangelists) -> list[Option]:
        return FOLLOW_OR_DECLINE

    def apply(self, s: Evangelists, o: Option) -> None:
        if o == DECLINE:
            return
        pay_tokens(s, self.who, self.price)
        gain = count_follow_marks(s, self.who, self.witness)
        s.tally = copy_with_item(s.tally, self.who, s.tally[self.who] + gain)
        s.emit(FOLLOWED_AND_RECORDED, self.who, (gain, self.witness), "AE-7.7")
