"""What a move that is under way will bring, in points: so that a bot that looks one step ahead sees what it starts."""

from triclinium.engine.core.state import Seat
from triclinium.games.testoftime.ai.section_values import (
    OWN_COVER_SHARE,
    RIVAL_COVER_SHARE,
    RIVAL_LOSS_VALUE,
    SHAMAN_VALUE,
    SPOILED_PAST_FACTOR,
    UPKEEP_SHARE,
    average_section_value,
    death_cost,
    expected_strips,
    followers_value,
    sections_value,
)
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans, ChooseTarget
from triclinium.games.testoftime.rules.actions.convert import ChooseRival, PayForConvert
from triclinium.games.testoftime.rules.actions.create import ChooseKind, ChooseSpace, PayForCreate, create_cost
from triclinium.games.testoftime.rules.actions.defend import ChooseDefended, DefendWithFollowers, DefendWithShamans
from triclinium.games.testoftime.rules.actions.preserve import ChoosePreserved, PayForPreserve, preserve_cost
from triclinium.games.testoftime.rules.actions.reverse import (
    ChooseReversed,
    ChooseRounds,
    Past,
    PayForMark,
    forbids_target,
    shamans_for,
)
from triclinium.games.testoftime.rules.actions.sire import PayForSire, PayForSireShaman
from triclinium.games.testoftime.rules.components import KIND_COUNT
from triclinium.games.testoftime.rules.state import Kind, Slot, TestOfTime, is_preserved, strips_by_attack


def pending_gain(s: TestOfTime, seat: Seat) -> float:
    """The gain that the pending decision of this seat leads to if it goes on sensibly; 0 for any other."""
    if not s.stack:
        return 0.0
    step = s.stack[-1]
    if step.who != seat:
        return 0.0
    left = s.rounds - s.round
    if isinstance(step, (ChooseSpace, ChooseKind)):
        worth = s.waiting_worth(seat)
        return max([gain_of_kind(s, seat, k) for k in range(KIND_COUNT) if create_cost(s, seat, k) <= worth])
    if isinstance(step, PayForCreate):
        return gain_of_kind(s, seat, step.kind)
    if isinstance(step, (ChoosePreserved, PayForPreserve)):
        return gain_of_upkeep(s, seat, step.slot if isinstance(step, PayForPreserve) else -1)
    if isinstance(step, PayForSire):
        return left * (followers_value(s.followers[seat] + 1.0) - followers_value(s.followers[seat]))
    if isinstance(step, PayForSireShaman):
        return SHAMAN_VALUE * left + 0.5 - death_cost(s, seat, s.c.sire_shaman_deaths - s.deaths_saved(seat))
    if isinstance(step, (ChooseRival, PayForConvert)):
        return left * (followers_value(s.followers[seat] + 1.0) - followers_value(s.followers[seat]) + 0.2)
    if isinstance(step, ChooseTarget):
        return best_attack_gain(s, seat)
    if isinstance(step, AttackWithShamans):
        return gain_of_attack(s, step.slot, float(s.waiting_worth(seat)))
    if isinstance(step, AttackWithFollowers):
        return gain_of_attack(s, step.slot, float(step.shamans * s.shaman_power(seat) + s.waiting[seat]))
    if isinstance(step, ChooseDefended):
        spaces = s.c.spaces
        return max([gain_of_defence(s, slot, seat, 0) for slot in range(seat * spaces, (seat + 1) * spaces)])
    if isinstance(step, DefendWithShamans):
        return gain_of_defence(s, step.slot, seat, 0)
    if isinstance(step, DefendWithFollowers):
        return gain_of_defence(s, step.slot, seat, step.shamans)
    if isinstance(step, ChooseReversed):
        return best_reversal_gain(s, seat)
    if isinstance(step, ChooseRounds):
        return gain_of_reversal(s, seat, step.slot)
    if isinstance(step, PayForMark):
        past = step.past
        price = next_mark_price(s, past.price, past.is_own(s))
        rest = gain_of_past(s, seat, past.slot, past.index + 1, price, s.waiting_worth(seat) - past.price)
        return (1.0 if past.is_own(s) else SPOILED_PAST_FACTOR * RIVAL_LOSS_VALUE) * average_section_value(
            s, past.slot
        ) + rest
    if isinstance(step, Past):
        return gain_of_past(s, seat, step.slot, step.index, step.price, s.waiting_worth(seat))
    return 0.0


def gain_of_kind(s: TestOfTime, seat: Seat, kind: Kind) -> float:
    """A Testament created now: its dots until the end, less the dead."""
    return s.c.dots[kind][-1] * (s.rounds - s.round) - death_cost(s, seat, s.c.deaths[kind] - s.deaths_saved(seat))


def gain_of_upkeep(s: TestOfTime, seat: Seat, only: Slot) -> float:
    """The dearest section that can be kept this round."""
    spaces = s.c.spaces
    best = 0.0
    for slot in range(seat * spaces, (seat + 1) * spaces):
        if (
            s.visible[slot] > 0
            and s.keepers[slot] == 0
            and (only in (-1, slot))
            and preserve_cost(s, slot) <= s.waiting_worth(seat)
        ):
            best = max(best, UPKEEP_SHARE * average_section_value(s, slot))
    return best


def best_attack_gain(s: TestOfTime, seat: Seat) -> float:
    """The rival's Testament that suffers most."""
    best = 0.0
    for slot in range(len(s.visible)):
        if s.visible[slot] > 0 and slot // s.c.spaces != seat:
            best = max(best, gain_of_attack(s, slot, float(s.waiting_worth(seat))))
    return best


def gain_of_attack(s: TestOfTime, slot: Slot, strength: float) -> float:
    """What the owner loses by so much strength more."""
    seen = s.visible[slot]
    before = sections_value(s, slot, seen - expected_strips(s, slot, 0.0, RIVAL_COVER_SHARE))
    after = sections_value(s, slot, seen - expected_strips(s, slot, strength, RIVAL_COVER_SHARE))
    return (RIVAL_LOSS_VALUE if s.seats == 2 else 0.5 * RIVAL_LOSS_VALUE) * (before - after)


def gain_of_defence(s: TestOfTime, slot: Slot, seat: Seat, shamans: int) -> float:
    """What is kept by covering all that can be covered, less the followers who die for it."""
    uncovered = s.uncovered_attack(slot)
    if uncovered <= 0:
        return 0.0
    covered = (
        min(uncovered, shamans * s.shaman_power(seat) + s.waiting[seat])
        if shamans
        else min(uncovered, s.waiting_worth(seat))
    )
    seen = s.visible[slot]
    before = sections_value(s, slot, seen - expected_strips(s, slot, 0.0, OWN_COVER_SHARE))
    after = sections_value(s, slot, seen - expected_strips(s, slot, -float(covered), OWN_COVER_SHARE))
    followers = max(0, min(s.waiting[seat], covered - shamans * s.shaman_power(seat)) - s.deaths_saved(seat))
    return after - before - death_cost(s, seat, followers)


def best_reversal_gain(s: TestOfTime, seat: Seat) -> float:
    """The Testament whose past is best rewritten."""
    best = -1000.0
    for slot in range(len(s.kind)):
        if s.past[slot] and forbids_target(s, seat, slot) is None:
            best = max(best, gain_of_reversal(s, seat, slot))
    return best


def gain_of_reversal(s: TestOfTime, seat: Seat, slot: Slot) -> float:
    """The best number of rounds to reverse, less the shamans that die for it."""
    power = s.shaman_power(seat)
    past = len(s.past[slot])
    own = slot // s.c.spaces == seat
    price = preserve_cost(s, slot) if own else s.c.preserve[s.kind[slot]]
    most = min(past, s.waiting_shamans[seat] * power)
    best = -1000.0
    for n in range(1, most + 1):
        dead = shamans_for(n, power)
        gain = gain_of_past(s, seat, slot, past - n, price, s.waiting_worth(seat) - dead * power)
        best = max(best, gain - dead * (SHAMAN_VALUE * (s.rounds - s.round) + 0.5))
    return best


def gain_of_past(s: TestOfTime, seat: Seat, slot: Slot, first_record: int, price: int, worth: int) -> float:
    """What the records from this one on would give for pieces of so much worth."""
    own = slot // s.c.spaces == seat
    changed = 0
    saved = 0
    for i in range(first_record, len(s.past[slot])):
        record = s.past[slot][i]
        if is_preserved(record) != own and worth >= price:
            worth -= price
            price = next_mark_price(s, price, own)
            changed += 1
        if own and strips_by_attack(record) > 0:
            covered = min(worth, strips_by_attack(record))
            worth -= covered
            saved += covered
    each = average_section_value(s, slot)
    if not own:
        return (
            SPOILED_PAST_FACTOR
            * (RIVAL_LOSS_VALUE if s.seats == 2 else 0.5 * RIVAL_LOSS_VALUE)
            * each
            * min(changed, s.visible[slot])
        )
    return (changed + saved) * each - death_cost(s, seat, saved - s.deaths_saved(seat))


def next_mark_price(s: TestOfTime, price: int, own: bool) -> int:
    """Return the price of the next mark: the same again, or nothing for a rival who has paid for all (TT-14.6)."""
    return 0 if s.one_payment and not own else price
