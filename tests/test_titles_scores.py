"""The running scores of every title: whatever is told is true, and tells nothing that the viewer does not know."""

import json

import pytest

from tests.matches import CASES, MATCHES, TITLES, Case, cases_of, viewers
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import Seat, State
from triclinium.engine.game import Title
from triclinium.engine.visible import Known, VisibleScore, greatest, least

POSITIONS = 10_000 if MATCHES > 1 else 2_000  # over all cases
WORLDS = 24
HIDING = [title for title in TITLES if title.secrets and not title.open_scores]

every_case = pytest.mark.parametrize("case", CASES, ids=repr)


def looks(case: Case) -> int:
    """At how many moments of each walk of a case the positions are taken; short matches are made up for."""
    return 1 + POSITIONS // (len(CASES) * len(case.walks()))


def holds(value: Known, truth: int) -> bool:
    """Whether what is told of a number is true."""
    return value is None or least(value) <= truth <= greatest(value)


def check_true(told: VisibleScore, truth: Score, told_to: str) -> None:
    """Numbers equal the truth, bounds hold it, and a rank that is told is the rank."""
    assert told.seat == truth.seat
    assert told.rank in (None, truth.rank), f"{told_to}: rank {told.rank}, but it is {truth.rank}"
    if truth.total is not None:
        assert holds(told.total, truth.total), f"{told_to}: total {told.total}, but it is {truth.total}"
    for name, value in told.lines.items():
        points = sum(line.points for line in truth.lines if line.name == name)
        assert holds(value, points), f"{told_to}: {name} {value}, but it is {points}"


def as_text(title: Title, s: State, viewer: Seat) -> str:
    return json.dumps([score.to_json() for score in title.scores_for(s, viewer)])


@every_case
def test_what_is_told_of_the_scores_is_true(case: Case) -> None:
    for s in case.glance(looks(case)):
        truth = case.title.scores(s)
        for viewer in viewers(s):
            told = case.title.scores_for(s, viewer)
            assert len(told) == s.seats
            for seat in range(s.seats):
                check_true(told[seat], truth[seat], f"{s.asked}, seat {seat} as {viewer} sees it")


@every_case
def test_what_is_told_of_the_scores_is_the_same_and_true_in_every_world(case: Case) -> None:
    rng = Rng(9)
    for s in case.glance(looks(case)):
        before = s.digest()
        for viewer in viewers(s):
            told = case.title.scores_for(s, viewer)
            world = s.resample(viewer, rng)
            assert as_text(case.title, world, viewer) == as_text(case.title, s, viewer), f"{s.asked}, told {viewer}"
            truth = case.title.scores(world)
            for seat in range(s.seats):
                check_true(told[seat], truth[seat], f"another world, seat {seat} as {viewer} sees it")
        assert s.digest() == before


@every_case
def test_all_is_told_once_the_match_is_over(case: Case) -> None:
    for seed in case.walks():
        for s in case.walk(seed):
            if s.over:
                for viewer in viewers(s):
                    told = case.title.scores_for(s, viewer)
                    assert [(one.rank, one.total) for one in told] == [
                        (one.rank, one.total) for one in case.title.scores(s)
                    ]
                    assert not [value for one in told for value in one.lines.values() if not isinstance(value, int)]


@pytest.mark.parametrize("title", HIDING, ids=lambda title: title.id)
def test_bounds_are_not_much_wider_than_what_can_be(title: Title) -> None:
    """Few worlds seldom meet the extremes, so that twice what they span is near."""
    rng = Rng(10)
    told_width = found_width = 0
    for case in cases_of(title):
        for s in case.glance(2):
            for viewer in viewers(s):
                told = title.scores_for(s, viewer)
                worlds = [case.title.scores(s.resample(viewer, rng)) for _ in range(WORLDS)]
                for seat in range(s.seats):
                    total = told[seat].total
                    assert total is not None, "a title of the house knows something of every score"
                    totals = [scores[seat].points for scores in worlds]
                    told_width += greatest(total) - least(total)
                    found_width += max(totals) - min(totals)
    assert 0 < told_width <= 2 * found_width
