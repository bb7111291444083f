"""Tests of paying with pieces, and of Create (TT-3.1 to TT-4.6)."""

import pytest

from tests.games.testoftime.table import (
    NO,
    YES,
    A,
    B,
    C,
    Testament,
    count_visible_sections,
    end_round,
    get_asked_step,
    kind,
    options,
    past,
    play,
    refused,
    table,
)
from triclinium.games.testoftime.rules.actions.create import ChooseKind, PayForCreate
from triclinium.games.testoftime.rules.refusals import (
    CREATE_COST,
    NO_SPACE,
    PAYERS_WAIT,
    SPACE_STANDS,
    SPACE_TAKEN,
    SUPERFLUOUS_SHAMAN,
    TOO_FEW_FOLLOWERS,
)
from triclinium.games.testoftime.rules.turn import Move


def test_power_grows_with_monuments() -> None:
    """TT-3.2, E0b  A shaman counts 1, and 2, 3 or 4 with one, two or three standing Monuments."""
    for monuments in range(4):
        s = table(testaments={A: ["monument"] * monuments})
        assert s.get_shaman_power(A) == 1 + monuments


def test_buried_testaments_give_no_effect() -> None:
    """TT-3.4, TT-R6  Buried Monuments, Burial Sites and Art have no effect."""
    s = table(testaments={A: [Testament("monument", seen=0), Testament("burial", seen=0), Testament("art", seen=0)]})
    assert s.get_shaman_power(A) == 1
    assert s.count_deaths_saved(A) == 0
    play(s, "create", "on 1")
    play(s, "build monument")
    assert s.waiting[A] == 0


def test_shamans_may_stand_in() -> None:
    """TT-3.1, TT-3.3  Any number of waiting shamans may pay, and followers pay the rest."""
    s = table(followers=(3, 20), shamans=(2, 0))
    play(s, "create", "on 1")  # Tools, the only kind that 5 can pay
    assert get_asked_step(s) == PayForCreate(A, 4, 1, 0, 0)
    assert options(s) == ["shamans 1", "shamans 2"]
    refused(s, "shamans 0", TOO_FEW_FOLLOWERS)
    refused(s, "shamans 3", PAYERS_WAIT)
    play(s, "shamans 2")
    assert (s.waiting[A], s.waiting_shamans[A]) == (1, 0)


def test_scenario_7_payment_limited_by_power() -> None:
    """Scenario 7, TT-3.3, TT-R5  With power 2, one follower and three shamans, a cost of 3 takes one or two shamans."""
    s = table(followers=(1, 20), shamans=(3, 0), testaments={A: ["tools", "burial", "monument"]})
    play(s, "preserve", "on 2")
    assert options(s) == ["shamans 1", "shamans 2"]
    refused(s, "shamans 0", TOO_FEW_FOLLOWERS)
    refused(s, "shamans 3", SUPERFLUOUS_SHAMAN)
    play(s, "shamans 2")
    assert (s.waiting[A], s.waiting_shamans[A]) == (1, 1)


def test_costs_multiply_and_are_rounded_up_once() -> None:
    """TT-3.5, TT-4.2, TT-5.2, TT-R7  The factors of several cards are multiplied and rounded up once.

    A cost is never below 1.
    """
    assert [C.create_cost[k][2] for k in range(5)] == [3, 5, 7, 9, 12]
    assert [C.preserve_cost[k][3] for k in range(5)] == [1, 1, 1, 1, 2]


def test_scenario_1_create_and_deaths() -> None:
    """Scenario 1, TT-4.3, TT-4.4, TT-12.5  After a Temple and two Sires 18 of 20 followers are left.

    The Temple has ten sections and age 0.
    """
    s = table(round_=1)
    play(s, "create", "on 1", "build temple", "pass", "sire", "pass", "sire")
    assert s.waiting[A] == 0
    assert kind(s, A, 1) is None
    play(s, "pass")  # A has no waiting piece and passes automatically
    assert s.round == 2
    assert s.followers[A] == s.waiting[A] == 18
    assert (kind(s, A, 1), count_visible_sections(s, A, 1), past(s, A, 1)) == ("temple", 10, [])


@pytest.mark.parametrize(("arts", "cost"), [(1, 15), (2, 12)])
def test_scenario_2_art_makes_creating_cheaper(arts: int, cost: int) -> None:
    """TT-4.2, TT-4.4  A Monument costs 15 with one Art and 12 with two, but 5 pieces die in any case."""
    s = table(testaments={A: ["art"] * arts})
    play(s, "create", *["on 3"][: 2 - arts], "build monument")
    assert s.waiting[A] == 20 - cost
    end_round(s)
    assert s.followers[A] == 15


def test_kinds_that_cannot_be_paid_are_refused() -> None:
    """TT-4.2  A kind that the player cannot pay is refused, with its cost and the waiting pieces."""
    s = table(followers=(11, 20))
    play(s, "create", "on 1")
    assert get_asked_step(s) == ChooseKind(A, 0)
    assert options(s) == ["build tools", "build art"]
    refused(s, "build burial", CREATE_COST)
    s = table(followers=(3, 20))
    refused(s, "create", CREATE_COST)


def test_a_space_must_be_free() -> None:
    """TT-4.1, TT-R8  A standing Testament is never removed for a new one."""
    s = table(testaments={A: ["tools", "art", Testament("tools", seen=0)]})
    play(s, "create", "build tools", "pass")  # only space 3 is open
    refused(s, "create", NO_SPACE)
    s = table(testaments={A: ["tools", None, Testament("tools", seen=0)]})
    play(s, "create")
    assert options(s) == ["on 2", "on 3"]
    refused(s, "on 1", SPACE_STANDS)


def test_a_pending_create_takes_its_space() -> None:
    """TT-4.1, TT-4.5  Two Creates of a round need two spaces."""
    s = table(testaments={A: [Testament("tools", seen=0), Testament("tools", seen=0)]})
    play(s, "create", "on 1", "build tools", "pass", "create")
    refused(s, "on 1", SPACE_TAKEN)
    play(s, "on 2", "build tools", "pass")
    end_round(s)
    assert [kind(s, A, space) for space in (1, 2, 3)] == ["tools", "tools", None]
    assert s.followers[A] == 18


def test_building_over_removes_the_buried_one_for_good() -> None:
    """TT-4.6, TT-12.5  When the round ends the buried card leaves for good, and the new one has no past."""
    s = table(testaments={A: [Testament("tools", past=[(NO, 1), (YES, 0), (NO, 2)])]})
    play(s, "create", "on 1", "build art", "pass")
    assert kind(s, A, 1) == "tools"
    end_round(s)
    assert (kind(s, A, 1), past(s, A, 1), count_visible_sections(s, A, 1)) == ("art", [], 6)
    assert s.since[0] == 10


def test_a_new_testament_does_not_decay_in_its_first_round() -> None:
    """TT-12.5, TT-R11  A new Testament loses no section in its first round and one in the next."""
    s = table()
    play(s, "create", "on 1", "build tools", "pass")
    end_round(s)
    assert (count_visible_sections(s, A, 1), past(s, A, 1)) == (4, [])
    end_round(s)
    assert (count_visible_sections(s, A, 1), past(s, A, 1)) == (3, [(NO, 0)])


def test_doomed_pieces_count_until_the_round_ends() -> None:
    """TT-R3, TT-R22  The builders that will die are in play until then."""
    s = table(followers=(30, 20))
    play(s, "create", "on 1", "build monument", "pass")
    assert s.followers[A] == 30
    assert "sire" not in options(s)
    end_round(s)
    assert s.followers[A] == 25
    assert get_asked_step(s) == Move(B)


def test_shamans_among_the_builders_die_last() -> None:
    """TT-R15, TT-12.6  Followers die first, then shamans, and never more pieces than were placed."""
    s = table(followers=(1, 20), shamans=(8, 0), testaments={A: ["monument"]})
    play(s, "create", "on 2", "build burial")  # 12 by six shamans of power 2, unasked: three of them die
    end_round(s)
    assert (s.followers[A], s.shamans[A]) == (1, 5)
    s = table(followers=(2, 20), shamans=(8, 0), testaments={A: ["monument"]})
    play(s, "create", "on 2", "build burial", "shamans 5")  # Two followers die first.
    end_round(s)
    assert (s.followers[A], s.shamans[A]) == (0, 7)


def test_burial_sites_save_builders() -> None:
    """TT-4.4, TT-R14  Each standing Burial Site saves one builder."""
    s = table(testaments={A: ["burial", "burial"]})
    play(s, "create", "build tools")
    end_round(s)
    assert s.followers[A] == 20
