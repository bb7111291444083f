"""What sections are worth at the end of the match: the measures that evaluation and plans share."""

from typing import Final

from triclinium.titles.testoftime.actions.reverse import Past, PayForMark
from triclinium.titles.testoftime.state import NONE, Slot, TestOfTime, visible

FOLLOWER: Final = 5.0  # points per round left: people are what everything else is made with
SHAMAN: Final = 10.0
UPKEEP: Final = 0.6  # how much of a section's worth its preservation in this round saves: there may be time later
RIVAL: Final = 0.6  # a point lost by a rival


def final_age(s: TestOfTime, slot: Slot) -> int:
    """TT-13.1  The age that the Testament on a slot, or the one being created there, has at the end."""
    return s.rounds - (s.round if s.making[slot] != NONE else s.since[slot])


def average(s: TestOfTime, slot: Slot) -> float:
    """The points of a section of the Testament, on average."""
    kind = s.kind[slot]
    return s.c.dots[kind][-1] * final_age(s, slot) / s.c.size[kind]


def sections_worth(s: TestOfTime, slot: Slot, seen: float) -> float:
    """Points of so many visible sections at the end; a part of a section counts in part."""
    if seen <= 0.0:
        return 0.0
    dots = s.c.dots[s.kind[slot]]
    whole = int(seen)
    here = float(dots[whole])
    if whole + 1 < len(dots):
        here += (seen - whole) * (dots[whole + 1] - here)
    return here * final_age(s, slot)


def standing_now(s: TestOfTime, slot: Slot) -> int:
    """Visible sections; of a Testament whose past is being rewritten, by the records as they are by now."""
    if s.stack:
        step = s.stack[-1]
        if isinstance(step, Past) and step.slot == slot:
            return visible(s.c.size[s.kind[slot]], s.past[slot])
        if isinstance(step, PayForMark) and step.past.slot == slot:
            return visible(s.c.size[s.kind[slot]], s.past[slot])
    return s.seen[slot]


def expected_strips(s: TestOfTime, slot: Slot, more: float) -> float:
    """Strips by the attacks on a Testament, with so much more strength; the owner may still cover a part of them."""
    if more == 0.0 and not s.attackers[slot]:
        return 0.0
    uncovered = s.uncovered(slot) + more
    if uncovered <= 0.0:
        return 0.0
    cover = 0.4 * min(uncovered, float(s.worth(slot // s.c.spaces)))
    return min(float(s.seen[slot]), uncovered - cover)
