"""Tests of Preserve, Sire and Sire Shaman (TT-5.1 to TT-7.3)."""

import pytest

from tests.games.testoftime.table import (
    NO,
    YES,
    A,
    B,
    Testament,
    count_visible_sections,
    end_round,
    options,
    past,
    play,
    refused,
    table,
)
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.rules.refusals import (
    ALL_PRESERVED,
    NO_FOLLOWER_LEFT,
    NO_SHAMAN_LEFT,
    NOT_STANDING,
    NOTHING_STANDS,
    PRESERVE_COST,
    PRESERVED_ALREADY,
    SHAMAN_ZONES_USED,
    SIRE_COST,
    SIRE_SHAMAN_COST,
    SIRE_ZONES_USED,
)
from triclinium.games.testoftime.ui.view import Testament as Card


def test_only_standing_testaments_are_preserved() -> None:
    """TT-5.1  Vacant spaces and buried Testaments cannot be preserved."""
    s = table(testaments={A: [Testament("tools", seen=0)]})
    refused(s, "preserve", NOTHING_STANDS)
    s = table(testaments={A: ["tools", Testament("tools", seen=0), "art"]})
    play(s, "preserve")
    assert options(s) == ["on 1", "on 3"]
    refused(s, "on 2", NOT_STANDING)


def test_preserved_once_a_round() -> None:
    """TT-5.1, TT-R9  A Testament is preserved once a round. If all are preserved, the move itself is refused."""
    s = table(testaments={A: ["tools", "art", "burial"]})
    play(s, "preserve", "on 1", "pass", "preserve")
    refused(s, "on 1", PRESERVED_ALREADY)
    play(s, "on 2", "pass", "preserve", "pass")
    refused(s, "preserve", ALL_PRESERVED)


def test_upkeep_must_be_paid() -> None:
    """TT-5.2  A refused upkeep names the cost and the waiting pieces, at the move and at the space."""
    s = table(followers=(9, 20), testaments={A: ["monument"]})
    refused(s, "preserve", PRESERVE_COST)
    s = table(followers=(4, 20), testaments={A: ["monument", "art", "art"]})
    play(s, "preserve")
    refused(s, "on 1", PRESERVE_COST)


@pytest.mark.parametrize(("tools", "cost"), [(0, 8), (1, 4), (2, 2)])
def test_tools_halve_upkeep(tools: int, cost: int) -> None:
    """TT-5.2  Each standing Tools halves the cost."""
    s = table(testaments={A: [*["tools"] * tools, "temple"]})
    play(s, "preserve", *([f"on {tools + 1}"] if tools else []))
    assert s.waiting[A] == 20 - cost


def test_tools_cheapen_their_own_upkeep() -> None:
    """TT-5.2  A single Tools costs 1 to preserve."""
    s = table(testaments={A: ["tools"]})
    play(s, "preserve")
    assert s.waiting[A] == 19


def test_preserved_testaments_keep_their_sections() -> None:
    """TT-5.3, TT-5.4  Preserving spares a Testament the decay of that round only, and nobody dies."""
    s = table(testaments={A: ["art"]})
    play(s, "preserve", "pass")
    end_round(s)
    assert (count_visible_sections(s, A, 1), past(s, A, 1), s.waiting[A]) == (6, [(YES, 0)], 20)
    end_round(s)
    assert (count_visible_sections(s, A, 1), past(s, A, 1)) == (5, [(YES, 0), (NO, 0)])


def test_strips_work_upward() -> None:
    """TT-5.5, TT-5.6  Each round without preservation covers the lowest visible section, and the top goes last."""
    s = table(testaments={A: ["tools"]})
    dots = []
    for _ in range(5):
        end_round(s)
        card = GAME.view(s, A).players[A].testaments[0]
        assert isinstance(card, Card)
        dots.append(card.dots)
    assert dots == [2, 1, 1, 0, 0]  # sections 1, 0, 1, 0 from the top


def test_sire_puts_a_child_beside_its_parents() -> None:
    """TT-6.1, TT-6.2, TT-6.4  Two parents and a child go home when the round ends."""
    s = table()
    play(s, "sire", "pass")
    assert (s.followers[A], s.waiting[A]) == (21, 18)
    end_round(s)
    assert (s.followers[A], s.waiting[A]) == (21, 21)


def test_three_sire_zones() -> None:
    """TT-6.1  Each Sire zone is used once a round and is empty in the next round."""
    s = table()
    play(s, "sire", "pass", "sire", "pass", "sire", "pass")
    refused(s, "sire", SIRE_ZONES_USED)
    end_round(s)
    play(s, "pass", "sire")
    assert s.followers[A] == 24


def test_siring_needs_parents_and_supply() -> None:
    """TT-6.1, TT-6.2, TT-R3, TT-R21  Siring needs parents worth two followers, and fewer than 30 followers in play."""
    s = table(followers=(1, 20), testaments={A: ["tools"], B: ["tools"]})
    refused(s, "sire", SIRE_COST)
    refused(s, "sire_shaman", SIRE_SHAMAN_COST)
    s = table(followers=(30, 20))
    refused(s, "sire", NO_FOLLOWER_LEFT)


def test_one_strong_shaman_sires_alone() -> None:
    """TT-6.3  One shaman of power 2 counts as both parents, and lives."""
    s = table(followers=(0, 20), shamans=(1, 0), testaments={A: ["monument"]})
    play(s, "sire")
    end_round(s)
    assert (s.followers[A], s.shamans[A]) == (1, 1)


def test_siring_a_shaman_costs_its_parents() -> None:
    """TT-7.1, TT-7.2, TT-7.3  The new shaman is in play at once, and its parents die when the round ends."""
    s = table()
    play(s, "sire_shaman", "pass")
    assert (s.followers[A], s.shamans[A], s.waiting_shamans[A]) == (20, 1, 0)
    end_round(s)
    assert (s.followers[A], s.waiting_shamans[A]) == (18, 1)


def test_two_sire_shaman_zones_and_ten_shamans() -> None:
    """TT-7.1, TT-7.2, TT-R3  A player may sire two shamans a round, and never has more than ten."""
    s = table()
    play(s, "sire_shaman", "pass", "sire_shaman", "pass")
    refused(s, "sire_shaman", SHAMAN_ZONES_USED)
    s = table(shamans=(10, 0))
    refused(s, "sire_shaman", NO_SHAMAN_LEFT)


@pytest.mark.parametrize(("burials", "left"), [(2, 10), (1, 8), (0, 6)])
def test_scenario_3_burial_sites_save_parents(burials: int, left: int) -> None:
    """Scenario 3, TT-7.3, TT-R14  With 0, 1 or 2 Burial Sites 2, 1 or 0 parents of each zone die."""
    s = table(followers=(10, 20), testaments={A: ["burial"] * burials})
    play(s, "sire_shaman", "pass", "sire_shaman", "pass")
    end_round(s)
    assert (s.followers[A], s.shamans[A]) == (left, 2)


@pytest.mark.parametrize(("burials", "shamans"), [(0, 1), (1, 1), (2, 2)])
def test_a_shaman_as_the_only_parent(burials: int, shamans: int) -> None:
    """TT-R15  Deaths are reduced first and then capped by the pieces: with none or one Burial Site it dies."""
    s = table(followers=(0, 20), shamans=(1, 0), testaments={A: ["monument", *["burial"] * burials]})
    play(s, "sire_shaman")
    end_round(s)
    assert s.shamans[A] == shamans
