"""What a bot looks at (specification, section 9), as numbers in points of the final score or close to them.

A state in the middle of a move is worth what the move will make of it: `plans.py` tells that part.
"""

from typing import Final

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.testoftime.ai.plans import plan
from triclinium.games.testoftime.ai.worth import (
    OWN_COVER,
    RIVAL_COVERS,
    average,
    being_rewritten,
    expected_strips,
    people,
    sections_worth,
)
from triclinium.games.testoftime.rules.components import KIND_COUNT, TOOLS
from triclinium.games.testoftime.rules.scoring import scores
from triclinium.games.testoftime.rules.state import NONE, Slot, TestOfTime, followers_of, shamans_of, visible
from triclinium.games.testoftime.rules.turn import Move

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


class TestOfTimeEvaluator(Evaluator):
    """What bots ask of a position."""

    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, TestOfTime)
        return features(s, seat)

    def progress(self, s: State) -> float:
        assert isinstance(s, TestOfTime)
        return progress(s)

    def is_stable(self, s: State) -> bool:
        assert isinstance(s, TestOfTime)
        return is_stable(s)

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, TestOfTime)
        return scores(s)


def is_stable(s: TestOfTime) -> bool:
    """Between two rounds: before, attacks stand open and waiting pieces count for whoever moves last."""
    if s.who == NOBODY:
        return True
    if s.who != s.starter or s.passes != 0 or not isinstance(s.stack[-1], Move):
        return False
    return s.waiting == s.followers and s.waiting_shamans == s.shamans


def features(s: TestOfTime, seat: Seat) -> list[float]:
    """One number for each name in FEATURES."""
    left = float(s.rounds - s.round)
    followers = shamans = worn = 0.0  # people and wear count for the rounds to come: in the last one they stay nought
    fought = [slot for slot in range(len(s.attackers)) if s.attackers[slot]] if left else []
    strongest = 0.0
    theirs = 0.0
    for rival in range(s.seats):
        if rival != seat:
            points, decaying, upkeep, sections = testaments(s, rival, RIVAL_COVERS)
            strength = points - 0.6 * decaying
            if left:
                followers, shamans = living(s, rival, fought)
                strength -= 0.5 * wear(s, upkeep, sections, followers + shamans * s.power(rival))
                theirs += followers + 2.0 * shamans
            strongest = max(strongest, strength)
    points, decaying, upkeep, sections = testaments(s, seat, OWN_COVER)
    if left:
        followers, shamans = living(s, seat, fought)
        worn = wear(s, upkeep, sections, followers + shamans * s.power(seat))
    return [
        points,
        decaying,
        worn,
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


def testaments(s: TestOfTime, seat: Seat, covering: float) -> tuple[float, float, int, float]:
    """Four sums over a seat's Testaments, also those being made, in one pass because this is what bots ask most:

    the points at the end of what would be visible after the attacks as they stand; of that, what decays when the round
    ends unless it is preserved; the upkeep of a round; the points of an average section of each.
    """
    c = s.c
    rewritten = being_rewritten(s)
    tools = s.standing[seat * KIND_COUNT + TOOLS]
    points = decaying = sections = 0.0
    upkeep = 0
    for slot in range(seat * c.spaces, (seat + 1) * c.spaces):
        seen = s.seen[slot]
        kind = s.making[slot]
        if kind != NONE:
            age = s.rounds - s.round
            points += c.dots[kind][-1] * age
            if kind == TOOLS and tools < c.spaces:
                tools += 1
        else:
            if seen == 0 and slot != rewritten:
                continue
            kind = s.kind[slot]
            age = s.rounds - s.since[slot]
            if slot == rewritten:
                seen = visible(c.size[kind], s.past[slot])
            if s.attackers[slot]:
                points += sections_worth(s, slot, seen - expected_strips(s, slot, 0.0, covering))
            else:
                points += c.dots[kind][seen] * age
            if s.seen[slot] == 0:
                continue
            if s.keepers[slot] == 0:
                decaying += c.dots[kind][-1] * age / c.size[kind]
        upkeep += c.preserve_cost[kind][tools]
        sections += c.dots[kind][-1] * age / c.size[kind]
    return points, decaying, upkeep, sections


def wear(s: TestOfTime, upkeep: int, sections: float, pieces: float) -> float:
    """What decays in the next rounds because so many pieces cannot pay all upkeep."""
    free = 0.6 * pieces
    if upkeep <= free:
        return 0.0
    rounds = min(6.0, float(s.rounds - s.round))
    return (1.0 - free / upkeep) * rounds * sections


def danger(s: TestOfTime, seat: Seat) -> float:
    """Half of what the strongest rival's waiting pieces, less the own, would strip off the best Testament."""
    threat = 0
    for rival in range(s.seats):
        if rival != seat:
            threat = max(threat, s.worth(rival))
    threat -= s.worth(seat)
    if threat <= 0:
        return 0.0
    spaces = s.c.spaces
    worst = 0.0
    for slot in range(seat * spaces, (seat + 1) * spaces):
        if s.seen[slot] > 0:
            worst = max(worst, min(threat, s.seen[slot]) * average(s, slot))
    return 0.5 * worst


def living(s: TestOfTime, seat: Seat, fought: list[Slot]) -> tuple[float, float]:
    """Followers and shamans in play without those that are bound to die when the round ends, as things stand.

    Shamans die as builders or parents for want of followers beside them, never in a fight.
    """
    spaces = s.c.spaces
    saved = s.saved(seat)
    followers = float(s.followers[seat])
    shamans = s.shamans[seat]
    for slot in range(seat * spaces, (seat + 1) * spaces):
        if s.making[slot] != NONE:
            dead = max(0, s.c.deaths[s.making[slot]] - saved)
            fewer = min(dead, followers_of(s.makers[slot]))
            followers -= fewer
            shamans -= min(dead - fewer, shamans_of(s.makers[slot]))
        if s.defenders[slot]:
            followers -= max(0, followers_of(s.defenders[slot]) - saved)
    for slot in fought:
        followers -= fallen(s, slot, seat, saved)
    for parents in s.shaman_sires[seat]:
        dead = max(0, s.c.sire_shaman_deaths - saved)
        fewer = min(dead, followers_of(parents))
        followers -= fewer
        shamans -= min(dead - fewer, shamans_of(parents))
    return followers, float(shamans)


def fallen(s: TestOfTime, slot: int, seat: Seat, saved: int) -> float:
    """Attacking followers of a seat that meet a defender, and half of those its owner could still meet."""
    followers = 0
    for force in s.attackers[slot]:
        if force >> 16 == seat:
            followers += followers_of(force)
    if not followers:
        return 0.0
    met = min(float(followers), s.defence_of(slot) + 0.5 * s.worth(slot // s.c.spaces))
    return max(0.0, met - saved)
