"""What sections are worth at the end of the match: the measures that evaluation and plans share."""

from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.games.testoftime.rules.actions.reverse import Past, PayForMark
from triclinium.games.testoftime.rules.state import NONE, Slot, TestOfTime

FEW_FOLLOWERS: Final = 12  # followers without whom nothing can be done any more
ENOUGH_FOLLOWERS: Final = 20  # followers beyond whom there is enough for growth, upkeep and defence
SHAMAN_VALUE: Final = 10.0  # points per round left
UPKEEP_SHARE: Final = 0.6  # how much of a section's worth its preservation in this round saves: there may be time later
RIVAL_LOSS_VALUE: Final = 0.4  # a point lost by a rival
RIVAL_COVER_SHARE: Final = 0.8  # how much of an attack a rival with pieces waiting is expected to cover
SPOILED_PAST_FACTOR: Final = 2.5  # a spoiled past against an attack of the same size: nobody can cover it
OWN_COVER_SHARE: Final = 0.3  # one's own cover: low, or a bot would pass and leave it to later


def estimate_followers(followers: float) -> float:
    """Points per round left of so many followers: dear when they are few, cheap when they are many."""
    few = min(followers, float(FEW_FOLLOWERS))
    some = min(max(0.0, followers - FEW_FOLLOWERS), float(ENOUGH_FOLLOWERS - FEW_FOLLOWERS))
    many = max(0.0, followers - ENOUGH_FOLLOWERS)
    return 8.0 * few + 4.0 * some + 1.5 * many


def estimate_death_cost(s: TestOfTime, seat: Seat, dead: float) -> float:
    """Points that the death of so many followers costs."""
    if dead <= 0.0:
        return 0.0
    followers = float(s.followers[seat])
    return (estimate_followers(followers) - estimate_followers(followers - dead)) * (s.rounds - s.round)


def compute_final_age(s: TestOfTime, slot: Slot) -> int:
    """TT-13.1  The age that the Testament on a slot, or the one being created there, has at the end."""
    return s.rounds - (s.round if s.making[slot] != NONE else s.since[slot])


def average_section_value(s: TestOfTime, slot: Slot) -> float:
    """The points of a section of the Testament, on average."""
    kind = s.kind[slot]
    return s.c.dots[kind][-1] * compute_final_age(s, slot) / s.c.size[kind]


def estimate_sections(s: TestOfTime, slot: Slot, seen: float) -> float:
    """Points of so many visible sections at the end; a part of a section counts in part."""
    if seen <= 0.0:
        return 0.0
    dots = s.c.dots[s.kind[slot]]
    whole = int(seen)
    dots_value = float(dots[whole])
    if whole + 1 < len(dots):
        dots_value += (seen - whole) * (dots[whole + 1] - dots_value)
    return dots_value * compute_final_age(s, slot)


def find_rewritten_slot(s: TestOfTime) -> Slot:
    """The slot of the Testament whose past is being rewritten, whose records are ahead of what is seen; else NONE."""
    if s.stack:
        step = s.stack[-1]
        if isinstance(step, Past):
            return step.slot
        if isinstance(step, PayForMark):
            return step.past.slot
    return NONE


def estimate_strips(s: TestOfTime, slot: Slot, more: float, covering: float) -> float:
    """Strips by the attacks on a Testament, with so much more strength; the owner may still cover a part of them."""
    if more == 0.0 and not s.attackers[slot]:
        return 0.0
    uncovered = s.compute_uncovered_attack(slot) + more
    if uncovered <= 0.0:
        return 0.0
    cover = covering * min(uncovered, float(s.compute_waiting_worth(slot // s.c.spaces)))
    return min(float(s.visible[slot]), uncovered - cover)
