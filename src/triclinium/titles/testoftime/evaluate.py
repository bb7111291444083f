"""What a bot looks at (specification, section 9), as numbers in points of the final score or close to them.

A state in the middle of a move is worth what the move will make of it: `plans.py` tells that part.
"""

from typing import Final

from triclinium.kernel.state import Seat
from triclinium.titles.testoftime.components import KIND_COUNT, TOOLS
from triclinium.titles.testoftime.plans import plan
from triclinium.titles.testoftime.state import NONE, TestOfTime, followers_of, shamans_of
from triclinium.titles.testoftime.worth import (
    OWN_COVER,
    RIVAL_COVERS,
    average,
    expected_strips,
    final_age,
    people,
    sections_worth,
    standing_now,
)

FEATURES: Final = (
    "testaments",  # visible dots x final age, strips by the attacks of this round taken off
    "decay",  # what the natural decay of this round still threatens to take
    "wear",  # what later decay will take, as far as the people cannot pay all upkeep
    "danger",  # what rivals could strip with pieces that the own waiting ones do not match
    "followers",  # that live on, the worth of their number x rounds left
    "shamans",  # that live on, x rounds left
    "at_home",  # waiting pieces: they deter
    "rival",  # the strongest rival's Testaments; half with more than two seats
    "rivals",  # the rivals' people x rounds left
    "tie_break",  # shamans in play at the end
    "plan",  # what the pending decisions of this seat will bring
)


def features(s: TestOfTime, seat: Seat) -> list[float]:
    """One number for each name in FEATURES."""
    left = float(s.rounds - s.round)
    strongest = 0.0
    theirs = 0.0
    for rival in range(s.seats):
        if rival != seat:
            followers = living(s, rival)
            shamans = living_shamans(s, rival)
            worn = wear(s, rival, followers, shamans)
            strength = testaments(s, rival, RIVAL_COVERS) - 0.6 * decay(s, rival) - 0.5 * worn
            strongest = max(strongest, strength)
            theirs += followers + 2.0 * shamans
    followers = living(s, seat)
    shamans = living_shamans(s, seat)
    return [
        testaments(s, seat, OWN_COVER),
        decay(s, seat),
        wear(s, seat, followers, shamans),
        danger(s, seat),
        people(followers) * left,
        shamans * left,
        float(s.worth(seat)),
        strongest if s.seats == 2 else 0.5 * strongest,
        theirs * left / (s.seats - 1),
        float(s.shamans[seat]),
        plan(s, seat),
    ]


def progress(s: TestOfTime) -> float:
    """By rounds."""
    return s.round / s.rounds


def testaments(s: TestOfTime, seat: Seat, covering: float) -> float:
    """Dots that would be visible after the attacks as they stand, times the age at the end; also what is being made."""
    spaces = s.c.spaces
    sum_ = 0.0
    for slot in range(seat * spaces, (seat + 1) * spaces):
        if s.making[slot] != NONE:
            sum_ += s.c.dots[s.making[slot]][-1] * (s.rounds - s.round)
        elif s.kind[slot] != NONE:
            sum_ += sections_worth(s, slot, standing_now(s, slot) - expected_strips(s, slot, 0.0, covering))
    return sum_


def decay(s: TestOfTime, seat: Seat) -> float:
    """The section that each Testament not preserved loses when the round ends: at least its average worth."""
    spaces = s.c.spaces
    sum_ = 0.0
    for slot in range(seat * spaces, (seat + 1) * spaces):
        if s.seen[slot] > 0 and s.keepers[slot] == 0:
            sum_ += average(s, slot)
    return sum_


def wear(s: TestOfTime, seat: Seat, followers: float, shamans: float) -> float:
    """Rounds of upkeep that so many people cannot pay, in sections of average worth."""
    spaces = s.c.spaces
    upkeep = 0
    sections = 0.0
    tools = s.standing[seat * KIND_COUNT + TOOLS]
    for slot in range(seat * spaces, (seat + 1) * spaces):
        kind = s.making[slot] if s.making[slot] != NONE else s.kind[slot]
        if kind != NONE and (s.seen[slot] > 0 or s.making[slot] != NONE):
            if s.making[slot] == TOOLS and tools < spaces:
                tools += 1
            upkeep += s.c.preserve_cost[kind][tools]
            sections += s.c.dots[kind][-1] * final_age(s, slot) / s.c.size[kind]
    free = 0.6 * (followers + shamans * s.power(seat))
    if upkeep <= free:
        return 0.0
    rounds = min(6.0, float(s.rounds - s.round))
    return (1.0 - free / upkeep) * rounds * sections


def danger(s: TestOfTime, seat: Seat) -> float:
    """Half of what the strongest rival's waiting pieces, less the own, would strip off the best Testament."""
    threat = 0
    for rival in range(s.seats):
        if rival != seat and s.worth(rival) > threat:
            threat = s.worth(rival)
    threat -= s.worth(seat)
    if threat <= 0:
        return 0.0
    spaces = s.c.spaces
    worst = 0.0
    for slot in range(seat * spaces, (seat + 1) * spaces):
        if s.seen[slot] > 0:
            worst = max(worst, min(threat, s.seen[slot]) * average(s, slot))
    return 0.5 * worst


def living(s: TestOfTime, seat: Seat) -> float:
    """Followers in play without those that are bound to die when the round ends, as things stand."""
    spaces = s.c.spaces
    saved = s.saved(seat)
    doomed = 0.0
    for slot in range(seat * spaces, (seat + 1) * spaces):
        if s.making[slot] != NONE:
            doomed += min(max(0, s.c.deaths[s.making[slot]] - saved), followers_of(s.makers[slot]))
        if s.defenders[slot]:
            doomed += max(0, followers_of(s.defenders[slot]) - saved)
    for slot in range(len(s.attackers)):
        if s.attackers[slot] and slot // spaces != seat:
            doomed += fallen(s, slot, seat, saved)
    for parents in s.shaman_sires[seat]:
        doomed += min(max(0, s.c.sire_shaman_deaths - saved), followers_of(parents))
    return s.followers[seat] - doomed


def fallen(s: TestOfTime, slot: int, seat: Seat, saved: int) -> float:
    """Attacking followers of a seat that meet a defender, and half of those its owner could still meet."""
    followers = 0
    for force in s.attackers[slot]:
        if force >> 16 == seat:
            followers += followers_of(force)
    met = min(float(followers), s.defence_of(slot) + 0.5 * s.worth(slot // s.c.spaces))
    return max(0.0, met - saved)


def living_shamans(s: TestOfTime, seat: Seat) -> float:
    """Shamans in play without those that die as parents or builders for want of followers beside them."""
    spaces = s.c.spaces
    saved = s.saved(seat)
    doomed = 0
    for slot in range(seat * spaces, (seat + 1) * spaces):
        if s.making[slot] != NONE and shamans_of(s.makers[slot]) > 0:
            left = s.c.deaths[s.making[slot]] - saved - followers_of(s.makers[slot])
            doomed += min(max(0, left), shamans_of(s.makers[slot]))
    for parents in s.shaman_sires[seat]:
        if shamans_of(parents) > 0:
            doomed += min(max(0, s.c.sire_shaman_deaths - saved - followers_of(parents)), shamans_of(parents))
    return float(s.shamans[seat] - doomed)
