"""Expected gains of pending moves in points.

With them, a bot that looks one step ahead sees the value of a whole move.
"""

from triclinium.engine.core.state import Seat
from triclinium.games.testoftime.ai.section_values import (
    OWN_COVER_SHARE,
    RIVAL_COVER_SHARE,
    RIVAL_LOSS_VALUE,
    SHAMAN_VALUE,
    SPOILED_PAST_FACTOR,
    UPKEEP_SHARE,
    average_section_value,
    estimate_death_cost,
    estimate_followers,
    estimate_sections,
    estimate_strips,
)
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans, ChooseTarget
from triclinium.games.testoftime.rules.actions.convert import ChooseRival, PayForConvert
from triclinium.games.testoftime.rules.actions.create import ChooseKind, ChooseSpace, PayForCreate, compute_create_cost
from triclinium.games.testoftime.rules.actions.defend import ChooseDefended, DefendWithFollowers, DefendWithShamans
from triclinium.games.testoftime.rules.actions.preserve import ChoosePreserved, PayForPreserve, compute_preserve_cost
from triclinium.games.testoftime.rules.actions.reverse import (
    ChooseReversed,
    ChooseRounds,
    Past,
    PayForMark,
    count_shamans_for,
    forbids_target,
)
from triclinium.games.testoftime.rules.actions.sire import PayForSire, PayForSireShaman
from triclinium.games.testoftime.rules.components import KIND_COUNT
from triclinium.games.testoftime.rules.state import Kind, Slot, TestOfTime, count_strips_by_attack, is_preserved


def estimate_pending_gain(s: TestOfTime, seat: Seat) -> float:
    """Return the expected gain of this seat's pending decision if it continues sensibly; 0 for other seats."""
    if not s.stack:
        return 0.0
    step = s.stack[-1]
    if step.who != seat:
        return 0.0
    left = s.rounds - s.round
    if isinstance(step, (ChooseSpace, ChooseKind)):
        worth = s.compute_waiting_worth(seat)
        return max([estimate_kind(s, seat, k) for k in range(KIND_COUNT) if compute_create_cost(s, seat, k) <= worth])
    if isinstance(step, PayForCreate):
        return estimate_kind(s, seat, step.kind)
    if isinstance(step, (ChoosePreserved, PayForPreserve)):
        return estimate_upkeep(s, seat, step.slot if isinstance(step, PayForPreserve) else -1)
    if isinstance(step, PayForSire):
        return left * (estimate_followers(s.followers[seat] + 1.0) - estimate_followers(s.followers[seat]))
    if isinstance(step, PayForSireShaman):
        return (
            SHAMAN_VALUE * left
            + 0.5
            - estimate_death_cost(s, seat, s.c.sire_shaman_deaths - s.count_deaths_saved(seat))
        )
    if isinstance(step, (ChooseRival, PayForConvert)):
        return left * (estimate_followers(s.followers[seat] + 1.0) - estimate_followers(s.followers[seat]) + 0.2)
    if isinstance(step, ChooseTarget):
        return estimate_best_attack(s, seat)
    if isinstance(step, AttackWithShamans):
        return estimate_attack(s, step.slot, float(s.compute_waiting_worth(seat)))
    if isinstance(step, AttackWithFollowers):
        return estimate_attack(s, step.slot, float(step.shamans * s.get_shaman_power(seat) + s.waiting[seat]))
    if isinstance(step, ChooseDefended):
        spaces = s.c.spaces
        return max([estimate_defence(s, slot, seat, 0) for slot in range(seat * spaces, (seat + 1) * spaces)])
    if isinstance(step, DefendWithShamans):
        return estimate_defence(s, step.slot, seat, 0)
    if isinstance(step, DefendWithFollowers):
        return estimate_defence(s, step.slot, seat, step.shamans)
    if isinstance(step, ChooseReversed):
        return estimate_best_reversal(s, seat)
    if isinstance(step, ChooseRounds):
        return estimate_reversal(s, seat, step.slot)
    if isinstance(step, PayForMark):
        past = step.past
        price = compute_next_mark_price(s, past.price, past.is_own(s))
        rest = estimate_past(s, seat, past.slot, past.index + 1, price, s.compute_waiting_worth(seat) - past.price)
        return (1.0 if past.is_own(s) else SPOILED_PAST_FACTOR * RIVAL_LOSS_VALUE) * average_section_value(
            s, past.slot
        ) + rest
    if isinstance(step, Past):
        return estimate_past(s, seat, step.slot, step.index, step.price, s.compute_waiting_worth(seat))
    return 0.0


def estimate_kind(s: TestOfTime, seat: Seat, kind: Kind) -> float:
    """Return the points of a Testament created now: its dots until the end, minus the cost of the dead."""
    return s.c.dots[kind][-1] * (s.rounds - s.round) - estimate_death_cost(
        s, seat, s.c.deaths[kind] - s.count_deaths_saved(seat)
    )


def estimate_upkeep(s: TestOfTime, seat: Seat, only: Slot) -> float:
    """Return the value of the most valuable section that can be preserved this round."""
    spaces = s.c.spaces
    best = 0.0
    for slot in range(seat * spaces, (seat + 1) * spaces):
        if (
            s.visible[slot] > 0
            and s.keepers[slot] == 0
            and (only in (-1, slot))
            and compute_preserve_cost(s, slot) <= s.compute_waiting_worth(seat)
        ):
            best = max(best, UPKEEP_SHARE * average_section_value(s, slot))
    return best


def estimate_best_attack(s: TestOfTime, seat: Seat) -> float:
    """Return the value of the best attack on a rival's Testament."""
    best = 0.0
    for slot in range(len(s.visible)):
        if s.visible[slot] > 0 and slot // s.c.spaces != seat:
            best = max(best, estimate_attack(s, slot, float(s.compute_waiting_worth(seat))))
    return best


def estimate_attack(s: TestOfTime, slot: Slot, strength: float) -> float:
    """Return the value of the owner's loss from so much additional strength."""
    seen = s.visible[slot]
    before = estimate_sections(s, slot, seen - estimate_strips(s, slot, 0.0, RIVAL_COVER_SHARE))
    after = estimate_sections(s, slot, seen - estimate_strips(s, slot, strength, RIVAL_COVER_SHARE))
    return (RIVAL_LOSS_VALUE if s.seats == 2 else 0.5 * RIVAL_LOSS_VALUE) * (before - after)


def estimate_defence(s: TestOfTime, slot: Slot, seat: Seat, shamans: int) -> float:
    """Return the points kept by the strongest possible defence, minus the followers who die for it."""
    uncovered = s.compute_uncovered_attack(slot)
    if uncovered <= 0:
        return 0.0
    covered = (
        min(uncovered, shamans * s.get_shaman_power(seat) + s.waiting[seat])
        if shamans
        else min(uncovered, s.compute_waiting_worth(seat))
    )
    seen = s.visible[slot]
    before = estimate_sections(s, slot, seen - estimate_strips(s, slot, 0.0, OWN_COVER_SHARE))
    after = estimate_sections(s, slot, seen - estimate_strips(s, slot, -float(covered), OWN_COVER_SHARE))
    followers = max(0, min(s.waiting[seat], covered - shamans * s.get_shaman_power(seat)) - s.count_deaths_saved(seat))
    return after - before - estimate_death_cost(s, seat, followers)


def estimate_best_reversal(s: TestOfTime, seat: Seat) -> float:
    """Return the value of the best reversal of any Testament."""
    best = -1000.0
    for slot in range(len(s.kind)):
        if s.past[slot] and forbids_target(s, seat, slot) is None:
            best = max(best, estimate_reversal(s, seat, slot))
    return best


def estimate_reversal(s: TestOfTime, seat: Seat, slot: Slot) -> float:
    """Return the value of the best number of rounds to reverse, minus the shamans that die."""
    power = s.get_shaman_power(seat)
    past = len(s.past[slot])
    own = slot // s.c.spaces == seat
    price = compute_preserve_cost(s, slot) if own else s.c.preserve[s.kind[slot]]
    most = min(past, s.waiting_shamans[seat] * power)
    best = -1000.0
    for n in range(1, most + 1):
        dead = count_shamans_for(n, power)
        gain = estimate_past(s, seat, slot, past - n, price, s.compute_waiting_worth(seat) - dead * power)
        best = max(best, gain - dead * (SHAMAN_VALUE * (s.rounds - s.round) + 0.5))
    return best


def estimate_past(s: TestOfTime, seat: Seat, slot: Slot, first_record: int, price: int, worth: int) -> float:
    """Return the value that pieces of this worth could gain from a record and all later ones."""
    own = slot // s.c.spaces == seat
    changed = 0
    saved = 0
    for i in range(first_record, len(s.past[slot])):
        record = s.past[slot][i]
        if is_preserved(record) != own and worth >= price:
            worth -= price
            price = compute_next_mark_price(s, price, own)
            changed += 1
        if own and count_strips_by_attack(record) > 0:
            covered = min(worth, count_strips_by_attack(record))
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
    return (changed + saved) * each - estimate_death_cost(s, seat, saved - s.count_deaths_saved(seat))


def compute_next_mark_price(s: TestOfTime, price: int, own: bool) -> int:
    """Return the price of the next mark: the same again, or 0 for a rival who has paid once for all (TT-14.6)."""
    return 0 if s.one_payment and not own else price
