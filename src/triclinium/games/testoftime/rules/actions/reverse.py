"""The move Reverse Time: shamans die, and the player changes the past of one Testament (TT-11.1 to TT-11.11, TT-R13).

The records of the last rounds are taken up one by one, the oldest first. The steps carry the values that are fixed when
the move is declared (TT-11.3a): the power of shamans, the deaths that Burial Sites save, and the price of a mark. They
also count the followers that defended in the past and die when the reversal is finished.
"""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import copy_with_item
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.testoftime.rules import stages
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.actions.preserve import compute_preserve_cost
from triclinium.games.testoftime.rules.components import AT, FOLLOWERS, KEEP, MEND, ROUNDS, SHAMANS, SPOIL
from triclinium.games.testoftime.rules.events import (
    COVERS,
    MENDS,
    PAST_DEAD,
    RETURNED,
    RETURNED_BURIED,
    RETURNED_SAME,
    REVERSES,
    SPOILS,
    SPOILS_MORE,
)
from triclinium.games.testoftime.rules.option_lists import ALL_OPTIONS
from triclinium.games.testoftime.rules.refusals import (
    BUILT_OVER,
    NO_PAST,
    NO_SHAMAN_WAITS,
    NO_TESTAMENT,
    NOT_HOSTILE,
    NOT_ONES_TO_MEND,
    NOT_SO_OLD,
    NOTHING_TO_REVERSE,
    PAST_DEFENDERS_WAIT,
    PAST_SUPERFLUOUS,
    RIVAL_BURIED,
    TOO_FEW_SHAMANS,
)
from triclinium.games.testoftime.rules.state import (
    NONE,
    Record,
    Slot,
    TestOfTime,
    count_strips_by_attack,
    count_visible,
    is_preserved,
)


def forbids_reverse(s: TestOfTime, who: Seat) -> Rule | None:
    """TT-11.1, TT-11.2  Return why the player cannot reverse time, or None; it needs a past and a waiting shaman."""
    if s.waiting_shamans[who] == 0:
        return NO_SHAMAN_WAITS  # this quick test comes first, because usually no shaman waits
    rule = NOTHING_TO_REVERSE
    for slot in range(len(s.kind)):
        if s.past[slot]:
            why = forbids_target(s, who, slot)
            if why is None:
                return None
            if why is NOT_HOSTILE:
                rule = why  # Only the variant of the table forbids it.
    return rule


def forbids_target(s: TestOfTime, who: Seat, slot: Slot) -> Rule | None:
    """TT-11.1, TT-14.2  Return why a Testament's past cannot be reversed, or None.

    It must have a past, and be one's own, standing or buried, or a rival's standing one.
    """
    if s.kind[slot] == NONE:
        return NO_TESTAMENT
    if not s.past[slot]:
        return NO_PAST
    if s.making[slot] != NONE:
        return BUILT_OVER
    if slot // s.c.spaces != who:
        if s.visible[slot] == 0:
            return RIVAL_BURIED
        if not s.hostile_reverse:
            return NOT_HOSTILE
    return None


def begin_reverse(s: TestOfTime, who: Seat) -> None:
    """TT-11.1, TT-11.2  Ask for a Testament and the number of rounds; `declare_reversal` does the rest."""
    s.stack.append(ChooseReversed(who))


class ChooseReversed(Step[TestOfTime]):
    """TT-11.1  The choice of the Testament whose past is taken up."""

    id: ClassVar[str] = "ChooseReversed"
    action: ClassVar[Action | None] = stages.REVERSE
    chained_verbs: ClassVar[tuple[str, ...]] = ("at",)
    question: ClassVar[str] = "Which Testament’s past do you change?"

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(AT, AT + len(s.kind)))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        return forbids_target(s, self.who, o - AT)

    def options(self, s: TestOfTime) -> list[Option]:
        return [AT + slot for slot in range(len(s.kind)) if forbids_target(s, self.who, slot) is None]

    def apply(self, s: TestOfTime, o: Option) -> None:
        s.stack.append(ChooseRounds(self.who, o - AT))


class ChooseRounds(Step[TestOfTime]):
    """TT-11.2  The choice of the number of rounds; a shaman's power is also the number of rounds it reverses."""

    id: ClassVar[str] = "ChooseRounds"
    action: ClassVar[Action | None] = stages.REVERSE
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "How many rounds do you reverse for {0:kind} of {1:seat} on space {2}?"

    def __init__(self, who: Seat, slot: Slot) -> None:
        super().__init__(who)
        self.slot: Final = slot

    def fields(self) -> tuple[int, ...]:
        return (self.slot,)

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (s.kind[self.slot], self.slot // s.c.spaces, s.get_space_number(self.slot))

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(ROUNDS + 1, ROUNDS + s.rounds + 1))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        if o - ROUNDS > len(s.past[self.slot]):
            return NOT_SO_OLD
        return TOO_FEW_SHAMANS if o - ROUNDS > s.waiting_shamans[self.who] * s.get_shaman_power(self.who) else None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        if rule is NOT_SO_OLD:
            return (len(s.past[self.slot]),)
        return (o - ROUNDS, count_shamans_for(o - ROUNDS, s.get_shaman_power(self.who)), s.waiting_shamans[self.who])

    def options(self, s: TestOfTime) -> list[Option]:
        most = min(len(s.past[self.slot]), s.waiting_shamans[self.who] * s.get_shaman_power(self.who))
        return ALL_OPTIONS[ROUNDS + 1 : ROUNDS + most + 1]

    def apply(self, s: TestOfTime, o: Option) -> None:
        declare_reversal(s, self.who, self.slot, o - ROUNDS)


def count_shamans_for(n: int, power: int) -> int:
    """TT-11.3  Return the number of shamans it costs to reverse n rounds."""
    return (n + power - 1) // power


def declare_reversal(s: TestOfTime, who: Seat, slot: Slot, n: int) -> None:
    """TT-11.3, TT-11.3a  Let the shamans die at once, and fix the values that the reversal uses.

    Burial Sites do not save these shamans (TT-R14).
    """
    power = s.get_shaman_power(who)
    dead = count_shamans_for(n, power)
    s.waiting_shamans[who] -= dead
    s.shamans[who] -= dead
    own = slot // s.c.spaces == who
    price = compute_preserve_cost(s, slot) if own else s.c.preserve[s.kind[slot]]
    s.emit(REVERSES, who, (s.kind[slot], slot // s.c.spaces, n, dead, s.get_space_number(slot)), "TT-11.3")
    take_up_record(s, Past(who, slot, len(s.past[slot]) - n, power, s.count_deaths_saved(who), price, 0))


class Past(Step[TestOfTime]):
    """The record being relived: the common data of its three decisions, and the values fixed at declaration."""

    id: ClassVar[str] = "Past"

    def __init__(self, who: Seat, slot: Slot, index: int, power: int, saved: int, price: int, doomed: int) -> None:
        super().__init__(who)
        self.slot: Final = slot
        self.index: Final = index  # index of the record in the past; the oldest is 0
        self.power: Final = power
        self.saved: Final = saved
        # Price of a mark: upkeep with the Tools at declaration, or the printed upkeep; 0: already paid
        self.price: Final = price
        self.doomed: Final = doomed  # number of followers that have defended in the past so far

    def fields(self) -> tuple[int, ...]:
        return (self.slot, self.index, self.power, self.saved, self.price, self.doomed)

    def is_own(self, s: TestOfTime) -> bool:
        return self.slot // s.c.spaces == self.who

    def get_record(self, s: TestOfTime) -> Record:
        return s.past[self.slot][self.index]

    def get_relived_round(self, s: TestOfTime) -> int:
        """Return the number of the relived round."""
        return s.since[self.slot] + self.index + 1

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (s.kind[self.slot], self.get_relived_round(s), count_strips_by_attack(self.get_record(s)))

    def rewrite_record(self, s: TestOfTime, record: Record) -> None:
        past = s.past[self.slot]
        s.past = copy_with_item(s.past, self.slot, (*past[: self.index], record, *past[self.index + 1 :]))


def take_up_record(s: TestOfTime, p: Past) -> None:
    """TT-11.4  Take up a record: first its mark, then its strips by attack, then the next record.

    TT-11.5, TT-11.7  A mark is offered if it can be changed and paid: the owner may preserve, a rival may spoil. A
    rival cannot mend the past of another player (TT-R13).
    """
    if p.index == len(s.past[p.slot]):
        return_to_present(s, p)
        return
    changeable = is_preserved(p.get_record(s)) != p.is_own(s)
    if changeable and s.waiting[p.who] + s.waiting_shamans[p.who] * p.power >= p.price:
        s.stack.append(ChooseMark(p.who, p.slot, p.index, p.power, p.saved, p.price, p.doomed))
    else:
        take_up_attack(s, p)


def take_up_attack(s: TestOfTime, p: Past) -> None:
    """TT-11.6  Ask for a defence in the past; only the owner defends, and only where attackers took sections."""
    waits = s.waiting[p.who] > 0 or s.waiting_shamans[p.who] > 0
    if p.is_own(s) and count_strips_by_attack(p.get_record(s)) > 0 and waits:
        s.stack.append(DefendPastWithShamans(p.who, p.slot, p.index, p.power, p.saved, p.price, p.doomed))
    else:
        take_up_record(s, Past(p.who, p.slot, p.index + 1, p.power, p.saved, p.price, p.doomed))


def return_to_present(s: TestOfTime, p: Past) -> None:
    """TT-11.9, TT-11.10  Let the defenders of the past die, and update the visible sections at once.

    The dead return to the supply (TT-R22). Pieces placed on the Testament stay (TT-11.11). They count if the Testament
    stands when the round ends, even if it was buried and raised in between (TT-R19, TT-R25).
    """
    dead = max(0, p.doomed - p.saved)
    s.reversers = copy_with_item(s.reversers, p.who, s.reversers[p.who] - (dead << 8))
    s.followers[p.who] -= dead
    before = s.visible[p.slot]
    after = count_visible(s.c.size[s.kind[p.slot]], s.past[p.slot])
    s.visible = copy_with_item(s.visible, p.slot, after)
    s.recount_standing()
    if dead > 0:
        s.emit(PAST_DEAD, p.who, (dead,), "TT-11.9")
    type = RETURNED_SAME if after == before else RETURNED if after > 0 else RETURNED_BURIED
    s.emit(type, p.who, (s.kind[p.slot], p.slot // s.c.spaces, before, after), "TT-11.10")


class ChooseMark(Past):
    """TT-11.5, TT-11.7  The choice to leave the mark of this round, or to pay for changing it.

    The owner may preserve, and a rival may spoil.
    """

    id: ClassVar[str] = "ChooseMark"
    action: ClassVar[Action | None] = stages.REVERSE
    stage: ClassVar[int] = 3
    question: ClassVar[str] = "Round {2} of {0:kind}: leave it, or preserve it after all for {3}?"
    spoil_question: ClassVar[str] = msgid(
        "Round {2} of {0:kind} of {1:seat}: leave it, or spoil its preservation for {3}?"
    )
    spoil_more_question: ClassVar[str] = msgid(
        "Round {2} of {0:kind} of {1:seat}: leave it, or spoil it too, for free?"
    )

    def question_template(self, s: TestOfTime) -> str:
        return self.question if self.is_own(s) else self.spoil_question if self.price else self.spoil_more_question

    def candidates(self, s: TestOfTime) -> list[Option]:
        return [KEEP, MEND] if self.is_own(s) else [KEEP, MEND, SPOIL]

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        return NOT_ONES_TO_MEND if o == MEND and not self.is_own(s) else None

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (s.kind[self.slot], self.slot // s.c.spaces, self.get_relived_round(s), self.price)

    def apply(self, s: TestOfTime, o: Option) -> None:
        if o == KEEP:
            take_up_attack(s, self)
        elif self.price == 0:
            spoil_further_record(s, self)
        else:
            s.stack.append(PayForMark(self))


def spoil_further_record(s: TestOfTime, p: Past) -> None:
    """TT-14.6  Spoil another record of the same reversal, which is already paid for."""
    p.rewrite_record(s, p.get_record(s) ^ 1)
    s.emit(SPOILS_MORE, p.who, (s.kind[p.slot], p.slot // s.c.spaces, p.get_relived_round(s)), "TT-14.6")
    take_up_attack(s, p)


class PayForMark(Payment):
    """TT-11.8  The payment for a mark; the payers are used up for the present round and go home at its end.

    TT-11.7  A rival pays for each spoiled record, or by the variant of TT-14.6 only for the first.
    """

    id: ClassVar[str] = "PayForMark"
    action: ClassVar[Action | None] = stages.REVERSE
    stage: ClassVar[int] = 4
    question: ClassVar[str] = (
        "How many shamans help to change round {2} of {0:kind} of {1:seat}? It takes {3}, and a shaman counts {4}."
    )

    def __init__(self, p: Past) -> None:
        super().__init__(p.who, p.price, p.power)
        self.past: Final = p

    def fields(self) -> tuple[int, ...]:
        return self.past.fields()

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        p = self.past
        return (s.kind[p.slot], p.slot // s.c.spaces, p.get_relived_round(s), self.cost, self.power)

    def apply_payment(self, s: TestOfTime, followers: int, shamans: int) -> None:
        p, placed = self.past, s.take_waiting(self.who, followers, shamans)
        s.reversers = copy_with_item(s.reversers, self.who, s.reversers[self.who] + placed)
        p.rewrite_record(s, p.get_record(s) ^ 1)
        if p.is_own(s):
            s.emit(MENDS, self.who, (s.kind[p.slot], p.get_relived_round(s), placed), "TT-11.8")
        else:
            s.emit(SPOILS, self.who, (s.kind[p.slot], p.slot // s.c.spaces, p.get_relived_round(s), placed), "TT-11.8")
            if s.one_payment:
                p = Past(p.who, p.slot, p.index, p.power, p.saved, 0, p.doomed)
        take_up_attack(s, p)


class DefendPastWithShamans(Past):
    """TT-11.6  The choice of the number of shamans who defend in that round.

    Without shamans and followers the round stays as it was.
    """

    id: ClassVar[str] = "DefendPastWithShamans"
    action: ClassVar[Action | None] = stages.REVERSE
    stage: ClassVar[int] = 5
    question: ClassVar[str] = "Round {1} of {0:kind}: attackers took {2} {2:section|sections}. How many shamans defend?"

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(SHAMANS, SHAMANS + s.c.max_shamans + 1))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        shamans = o - SHAMANS
        if shamans > s.waiting_shamans[self.who]:
            return PAST_DEFENDERS_WAIT
        strips = count_strips_by_attack(self.get_record(s))
        return PAST_SUPERFLUOUS if shamans > 0 and (shamans - 1) * self.power >= strips else None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        return (
            s.waiting_shamans[self.who] if rule is PAST_DEFENDERS_WAIT else count_strips_by_attack(self.get_record(s)),
        )

    def options(self, s: TestOfTime) -> list[Option]:
        strips = count_strips_by_attack(self.get_record(s))
        most = min(s.waiting_shamans[self.who], (strips + self.power - 1) // self.power)
        return ALL_OPTIONS[SHAMANS : SHAMANS + most + 1]

    def apply(self, s: TestOfTime, o: Option) -> None:
        s.stack.append(DefendPastWithFollowers(self, o - SHAMANS))


class DefendPastWithFollowers(Past):
    """TT-11.6  The choice of the number of followers who defend in that round; past attackers are not affected."""

    id: ClassVar[str] = "DefendPastWithFollowers"
    action: ClassVar[Action | None] = stages.REVERSE
    stage: ClassVar[int] = 5
    question: ClassVar[str] = (
        "Round {1} of {0:kind}: attackers took {2} {2:section|sections}. How many followers defend?"
    )

    def __init__(self, p: Past, shamans: int) -> None:
        super().__init__(p.who, p.slot, p.index, p.power, p.saved, p.price, p.doomed)
        self.shamans: Final = shamans

    def fields(self) -> tuple[int, ...]:
        return (self.slot, self.index, self.power, self.saved, self.price, self.doomed, self.shamans)

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(FOLLOWERS, FOLLOWERS + s.c.max_followers + 1))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        followers = o - FOLLOWERS
        if followers > s.waiting[self.who]:
            return PAST_DEFENDERS_WAIT
        added = self.shamans * self.power + followers
        return PAST_SUPERFLUOUS if followers > 0 and added - 1 >= count_strips_by_attack(self.get_record(s)) else None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.waiting[self.who] if rule is PAST_DEFENDERS_WAIT else count_strips_by_attack(self.get_record(s)),)

    def options(self, s: TestOfTime) -> list[Option]:
        strips = count_strips_by_attack(self.get_record(s))
        most = min(s.waiting[self.who], max(0, strips - self.shamans * self.power))
        return ALL_OPTIONS[FOLLOWERS : FOLLOWERS + most + 1]

    def apply(self, s: TestOfTime, o: Option) -> None:
        followers = o - FOLLOWERS
        record = self.get_record(s)
        strips = count_strips_by_attack(record)
        left = max(0, strips - self.shamans * self.power - followers)
        if left < strips:
            placed = s.take_waiting(self.who, followers, self.shamans)
            s.reversers = copy_with_item(s.reversers, self.who, s.reversers[self.who] + placed)
            attackers = record >> 8 if left > 0 else 0
            self.rewrite_record(s, (attackers << 8) + (left << 1) + (record & 1))
            s.emit(COVERS, self.who, (s.kind[self.slot], self.get_relived_round(s), strips - left, placed), "TT-11.6")
        doomed = self.doomed + followers
        take_up_record(s, Past(self.who, self.slot, self.index + 1, self.power, self.saved, self.price, doomed))
