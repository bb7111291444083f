"""Values of sections and pieces at the end of the match, shared by evaluation and pending gains."""

from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.games.testoftime.rules.actions.reverse import Past, PayForMark
from triclinium.games.testoftime.rules.state import NONE, Slot, TestOfTime

FEW_FOLLOWERS: Final = 12  # number of followers below which almost nothing can be done
ENOUGH_FOLLOWERS: Final = 20  # number of followers that is enough for growth, upkeep and defence
SHAMAN_VALUE: Final = 10.0  # points that a shaman is worth for each round left
# Share of a section's value that preserving it this round saves, because there may be time later
UPKEEP_SHARE: Final = 0.6
RIVAL_LOSS_VALUE: Final = 0.4  # value of a point lost by a rival
RIVAL_COVER_SHARE: Final = 0.8  # share of an attack that a rival with waiting pieces is expected to cover
# Value of a spoiled past relative to an attack of the same size, because it cannot be covered
SPOILED_PAST_FACTOR: Final = 2.5
# Share of an attack that the seat itself is expected to cover; low, or a bot would pass and defend later
OWN_COVER_SHARE: Final = 0.3


def estimate_followers(followers: float) -> float:
    """Return the points that followers are worth for each round left; few followers are worth more each than many."""
    few = min(followers, float(FEW_FOLLOWERS))
    some = min(max(0.0, followers - FEW_FOLLOWERS), float(ENOUGH_FOLLOWERS - FEW_FOLLOWERS))
    many = max(0.0, followers - ENOUGH_FOLLOWERS)
    return 8.0 * few + 4.0 * some + 1.5 * many


def estimate_death_cost(s: TestOfTime, seat: Seat, dead: float) -> float:
    """Return the points that the death of this many followers costs."""
    if dead <= 0.0:
        return 0.0
    followers = float(s.followers[seat])
    return (estimate_followers(followers) - estimate_followers(followers - dead)) * (s.rounds - s.round)


def compute_final_age(s: TestOfTime, slot: Slot) -> int:
    """TT-13.1  Return the final age of the Testament on a slot, or of the one being created there."""
    return s.rounds - (s.round if s.making[slot] != NONE else s.since[slot])


def average_section_value(s: TestOfTime, slot: Slot) -> float:
    """Return the average final points of a section of the Testament."""
    kind = s.kind[slot]
    return s.c.dots[kind][-1] * compute_final_age(s, slot) / s.c.size[kind]


def estimate_sections(s: TestOfTime, slot: Slot, seen: float) -> float:
    """Return the final points of this many visible sections; a fraction of a section counts in part."""
    if seen <= 0.0:
        return 0.0
    dots = s.c.dots[s.kind[slot]]
    whole = int(seen)
    dots_value = float(dots[whole])
    if whole + 1 < len(dots):
        dots_value += (seen - whole) * (dots[whole + 1] - dots_value)
    return dots_value * compute_final_age(s, slot)


def find_rewritten_slot(s: TestOfTime) -> Slot:
    """Return the slot of the Testament whose past is being rewritten, or NONE.

    Its records are already ahead of its visible sections.
    """
    if s.stack:
        step = s.stack[-1]
        if isinstance(step, Past):
            return step.slot
        if isinstance(step, PayForMark):
            return step.past.slot
    return NONE


def estimate_strips(s: TestOfTime, slot: Slot, more: float, covering: float) -> float:
    """Return the expected strips by attack on a Testament, with additional strength and the owner's expected cover."""
    if more == 0.0 and not s.attackers[slot]:
        return 0.0
    uncovered = s.compute_uncovered_attack(slot) + more
    if uncovered <= 0.0:
        return 0.0
    cover = covering * min(uncovered, float(s.compute_waiting_worth(slot // s.c.spaces)))
    return min(float(s.visible[slot]), uncovered - cover)
