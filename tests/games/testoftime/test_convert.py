"""Tests of Convert (TT-8.1 to TT-8.5)."""

import pytest

from tests.games.testoftime.table import CC, A, B, Testament, end_round, get_asked_step, options, play, refused, table
from triclinium.games.testoftime.rules.actions.convert import ChooseRival
from triclinium.games.testoftime.rules.refusals import (
    CONVERT_COST,
    CONVERT_LIMIT,
    CONVERT_ZONE_USED,
    NO_TEMPLE,
    NOBODY_TO_CONVERT,
    NOT_FROM_ONESELF,
    RIVAL_HAS_NONE,
)


def test_convert_needs_a_standing_temple() -> None:
    """TT-8.1, TT-R6  A buried Temple does not allow Convert."""
    s = table(testaments={A: [Testament("temple", seen=0)]})
    refused(s, "convert", NO_TEMPLE)


def test_convert_once_a_round() -> None:
    """TT-8.1  A player may convert once a round, because there is only one zone."""
    s = table(testaments={A: ["temple"]})
    play(s, "convert", "pass")
    refused(s, "convert", CONVERT_ZONE_USED)


@pytest.mark.parametrize(("temples", "cost"), [(1, 4), (2, 2), (3, 1)])
def test_further_temples_halve_the_cost(temples: int, cost: int) -> None:
    """TT-8.2  The cost is 4 with one Temple, 2 with two and 1 with three."""
    s = table(testaments={A: ["temple"] * temples})
    play(s, "convert")
    assert s.waiting[A] == 20 - cost


def test_convert_must_be_paid() -> None:
    """TT-8.2  A player who cannot pay is refused, with the numbers."""
    s = table(followers=(3, 20), testaments={A: ["temple"]})
    refused(s, "convert", CONVERT_COST)


def test_scenario_8_convert() -> None:
    """Scenario 8, TT-8.3, TT-8.5, TT-R24  The last waiting follower changes sides at once.

    Shamans cannot be converted.
    """
    s = table(followers=(20, 1), shamans=(0, 2), testaments={A: ["temple", "temple"], B: ["temple"]})
    s.waiting[A] = 5
    s.reversers[A] = 15 << 8
    play(s, "convert")
    assert (s.waiting[B], s.followers[B], s.waiting[A]) == (0, 0, 3)
    play(s, "pass")
    refused(s, "convert", CONVERT_ZONE_USED)
    end_round(s)
    assert (s.waiting[A], s.followers[A], s.shamans[B]) == (21, 21, 2)


def test_convert_needs_a_waiting_follower() -> None:
    """TT-8.3  The chosen rival must have a waiting follower."""
    s = table(followers=(20, 0), testaments={A: ["temple"]})
    refused(s, "convert", NOBODY_TO_CONVERT)
    s = table(seats=4, followers=(20, 0, 3, 3), testaments={A: ["temple"]})
    play(s, "convert")
    assert get_asked_step(s) == ChooseRival(A)
    assert options(s) == ["from 2", "from 3"]
    refused(s, "from 1", RIVAL_HAS_NONE)
    refused(s, "from 0", NOT_FROM_ONESELF)
    play(s, "from 2")
    assert s.followers[CC] == 2


def test_convert_is_refused_above_the_limit() -> None:
    """TT-8.4, TT-R3  A player with 30 followers in play cannot convert another."""
    s = table(followers=(30, 20), testaments={A: ["temple"]})
    refused(s, "convert", CONVERT_LIMIT)


def test_the_rival_may_sire_again() -> None:
    """TT-R24  A rival who loses a follower may sire another, because the supply grows."""
    s = table(followers=(20, 30), testaments={A: ["temple"]})
    play(s, "convert", "sire")
    assert s.followers[B] == 30
