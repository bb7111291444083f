"""Tests of Attack, Defend and the end of a round (TT-9.1 to TT-10.4, TT-12.1 to TT-12.8)."""

import pytest

from tests.games.testoftime.table import (
    CC,
    NO,
    YES,
    A,
    B,
    Testament,
    count_visible_sections,
    dots,
    end_round,
    get_asked_step,
    options,
    past,
    play,
    refused,
    table,
)
from triclinium.games.testoftime.rules.actions.attack import AttackWithFollowers, AttackWithShamans, ChooseTarget
from triclinium.games.testoftime.rules.actions.defend import ChooseDefended, DefendWithFollowers, DefendWithShamans
from triclinium.games.testoftime.rules.refusals import (
    ATTACK_WITH_ONE,
    ATTACKERS_WAIT,
    COVERED,
    DEFEND_WITH_ONE,
    DEFENDERS_WAIT,
    NO_TARGET,
    NOBODY_ATTACKS,
    NOT_ATTACKED,
    NOT_ONES_OWN,
    NOT_YET_CREATED,
    NOTHING_TO_ATTACK,
    NOTHING_TO_DEFEND,
    SUPERFLUOUS_DEFENDER,
)
from triclinium.games.testoftime.rules.turn import Move


def test_only_rivals_standing_testaments_are_attacked() -> None:
    """TT-9.1  A player cannot attack vacant spaces, buried Testaments or their own."""
    s = table(testaments={A: ["tools"], B: [Testament("tools", seen=0)]})
    refused(s, "attack", NO_TARGET)
    s = table(testaments={A: ["tools"], B: ["tools", "art", Testament("art", seen=0)]})
    play(s, "attack")
    assert get_asked_step(s) == ChooseTarget(A)
    assert options(s) == ["at 1 1", "at 1 2"]
    refused(s, "at 1 3", NOTHING_TO_ATTACK)
    refused(s, "at 0 1", NOT_ONES_OWN)


def test_a_testament_being_created_is_not_attacked() -> None:
    """TT-9.4, TT-R11  A Testament cannot be attacked in the round of its creation."""
    s = table(testaments={B: ["tools", "tools"]}, turn=B)
    play(s, "create", "build art", "attack")
    refused(s, "at 1 3", NOT_YET_CREATED)


def test_an_attack_takes_at_least_one_piece() -> None:
    """TT-9.2  An attack takes any number of waiting pieces, but at least one."""
    s = table(followers=(3, 20), shamans=(2, 0), testaments={B: ["art"]})
    play(s, "attack")
    assert get_asked_step(s) == AttackWithShamans(A, 3)
    assert options(s) == ["shamans 0", "shamans 1", "shamans 2"]
    play(s, "shamans 0")
    assert get_asked_step(s) == AttackWithFollowers(A, 3, 0)
    assert options(s) == ["followers 1", "followers 2", "followers 3"]
    refused(s, "followers 0", ATTACK_WITH_ONE)


def test_only_waiting_pieces_attack() -> None:
    """TT-9.2  Placed pieces and children cannot attack."""
    s = table(followers=(5, 20), shamans=(2, 0), testaments={B: ["art"]})
    play(s, "sire", "shamans 0", "pass", "attack")
    refused(s, "shamans 3", ATTACKERS_WAIT)
    play(s, "shamans 2")
    assert options(s) == [f"followers {n}" for n in range(4)]
    refused(s, "followers 4", ATTACKERS_WAIT)


def test_an_attack_by_shamans_alone() -> None:
    """TT-9.2  Without a waiting follower at least one shaman attacks. With a chosen shaman no follower is needed."""
    s = table(followers=(0, 20), shamans=(2, 0), testaments={B: ["art"]})
    play(s, "attack")
    refused(s, "shamans 0", ATTACK_WITH_ONE)
    play(s, "shamans 2")
    assert s.waiting_shamans[A] == 0
    end_round(s)
    assert past(s, B, 1) == [(NO, 2)]


def test_scenario_4_preserved_and_attacked() -> None:
    """Scenario 4, TT-9.1, TT-R9  An attack that nobody covers takes sections from a preserved Testament too."""
    s = table(testaments={A: ["art"]})
    play(s, "preserve", "attack", "followers 3", "pass")
    end_round(s)
    assert (past(s, A, 1), count_visible_sections(s, A, 1), dots(s, A, 1)) == ([(YES, 3)], 3, 4)
    assert s.followers[B] == 20


def test_scenario_5_reinforced_attack() -> None:
    """Scenario 5, TT-9.3, TT-10.4, TT-R10, TT-12.2  Attacks of 4 and 3 against 4 take three sections.

    The decay takes one more.
    """
    s = table(followers=(6, 20), testaments={A: ["burial"]}, turn=B)
    play(s, "attack", "followers 4", "defend", "followers 4", "attack", "followers 3", "pass", "pass")
    assert s.round == 11
    assert (past(s, A, 1), count_visible_sections(s, A, 1), dots(s, A, 1)) == ([(NO, 3)], 4, 6)
    assert (s.followers[B], s.followers[A]) == (16, 3)


def test_scenario_6_two_attackers() -> None:
    """Scenario 6, TT-9.3, TT-10.2, TT-12.2, TT-14.4  The forces of two attackers add up.

    With the older value of the option, followers die in the order of placement, and shamans never die.
    """
    s = table(
        seats=3,
        shamans=(0, 1, 0),
        testaments={B: ["monument"], CC: ["monument"]},
        turn=CC,
        variants={"defenders_choose": False},
    )
    play(s, "preserve", "attack", "at 2 1", "followers 2", "attack", "shamans 1", "followers 2")
    assert s.compute_attack_strength(6) == 6
    play(s, "defend", "followers 3")
    end_round(s)
    assert (past(s, CC, 1), count_visible_sections(s, CC, 1), dots(s, CC, 1)) == ([(YES, 3)], 9, 24)
    assert s.followers == [18, 19, 17]
    assert s.shamans[B] == 1


@pytest.mark.parametrize(("met", "left"), [(1, [19, 18, 17]), (2, [18, 19, 17])])
def test_scenario_6_where_the_owner_chooses(met: int, left: list[int]) -> None:
    """Scenario 6, TT-12.2, TT-R10, TT-14.4  By default C chooses the two followers that are met."""
    s = table(seats=3, shamans=(0, 1, 0), testaments={B: ["monument"], CC: ["monument"]}, turn=CC)
    play(s, "preserve", "attack", "at 2 1", "followers 2", "attack", "shamans 1", "followers 2")
    play(s, "defend", "followers 3", "pass", "pass", "pass")
    assert options(s) == ["followers 1", "followers 2"]
    play(s, f"followers {met}")
    assert (past(s, CC, 1), s.followers, s.shamans[B]) == ([(YES, 3)], left, 1)


def test_burial_sites_pool_all_attacks_of_a_player() -> None:
    """TT-R14, TT-12.2  All attacks of a player are one action for Burial Sites: one of two dead followers is saved."""
    s = table(testaments={A: ["art"], B: ["burial"]}, turn=B)
    play(s, "attack", "followers 1", "pass", "attack", "followers 1", "defend", "followers 2")
    end_round(s)
    assert s.followers == [18, 19]


def test_only_uncovered_attacks_are_defended() -> None:
    """TT-10.1  A player can only defend a Testament with an attack that is not covered."""
    s = table(testaments={A: ["art", "tools", Testament("tools", seen=0)], B: ["tools"]}, turn=B)
    play(s, "pass")
    refused(s, "defend", NOT_ATTACKED)
    s = table(testaments={A: ["art", "tools", Testament("tools", seen=0)]}, turn=B)
    play(s, "attack", "at 0 1", "followers 2", "pass", "attack", "at 0 2", "followers 1", "defend")
    assert get_asked_step(s) == ChooseDefended(A)
    assert options(s) == ["on 1", "on 2"]
    refused(s, "on 3", NOTHING_TO_DEFEND)
    s = table(testaments={A: ["art", "tools", "tools"]}, turn=B)
    play(s, "attack", "at 0 1", "followers 2", "pass", "attack", "at 0 2", "followers 1", "defend")
    refused(s, "on 3", NOBODY_ATTACKS)


def test_a_covered_attack_needs_no_more() -> None:
    """TT-10.1  A fully covered attack needs no further defenders, and the refusal names both strengths."""
    s = table(testaments={A: ["art", "tools", "tools"]}, turn=B)
    play(s, "attack", "at 0 1", "followers 1", "pass", "attack", "at 0 2", "followers 1", "pass")
    play(s, "attack", "at 0 3", "followers 1", "defend", "on 1", "pass", "defend")
    refused(s, "on 1", COVERED)


def test_superfluous_defenders_are_refused() -> None:
    """TT-10.3, TT-R12  Against a strength of 3 a player may use up to three followers, or two shamans of power 2."""
    s = table(shamans=(3, 0), testaments={A: ["monument"]}, turn=B)
    play(s, "attack", "followers 3", "defend")
    assert get_asked_step(s) == DefendWithShamans(A, 0)
    assert options(s) == ["shamans 0", "shamans 1", "shamans 2"]
    refused(s, "shamans 3", SUPERFLUOUS_DEFENDER)
    play(s, "shamans 1")
    assert get_asked_step(s) == DefendWithFollowers(A, 0, 1)
    assert options(s) == ["followers 0", "followers 1"]
    refused(s, "followers 2", SUPERFLUOUS_DEFENDER)
    play(s, "followers 1")
    assert s.compute_uncovered_attack(0) == 0


def test_a_defence_takes_at_least_one_piece() -> None:
    """TT-10.3  A defence needs at least one piece."""
    s = table(followers=(5, 20), testaments={A: ["art"]}, turn=B)
    play(s, "attack", "followers 2", "defend")
    refused(s, "followers 0", DEFEND_WITH_ONE)
    s = table(followers=(0, 20), shamans=(2, 0), testaments={A: ["art"]}, turn=B)
    play(s, "attack", "followers 2", "defend")
    refused(s, "shamans 0", DEFEND_WITH_ONE)


def test_only_waiting_pieces_defend() -> None:
    """TT-10.3  Only waiting pieces can defend, whatever the strength of the attack is."""
    s = table(followers=(3, 20), shamans=(1, 0), testaments={A: ["art"]}, turn=B)
    play(s, "attack", "followers 9", "defend")
    assert options(s) == ["shamans 0", "shamans 1"]
    refused(s, "shamans 2", DEFENDERS_WAIT)
    play(s, "shamans 1")
    assert options(s) == [f"followers {n}" for n in range(4)]
    refused(s, "followers 4", DEFENDERS_WAIT)


def test_a_partly_covered_shaman() -> None:
    """TT-R16  A shaman of power 3 against two defenders takes one section, and survives."""
    s = table(shamans=(0, 1), testaments={A: ["temple"], B: ["monument", "monument"]}, turn=B)
    play(s, "attack", "shamans 1", "followers 0", "defend", "followers 2")
    end_round(s)
    assert (past(s, A, 1), s.shamans[B], s.followers[A]) == ([(NO, 1)], 1, 18)


def test_more_strips_than_sections() -> None:
    """TT-R17, TT-12.2  The rest is lost, and the record keeps the number of visible sections."""
    s = table(testaments={A: ["tools"]}, turn=B)
    play(s, "attack", "followers 9")
    end_round(s)
    assert (past(s, A, 1), count_visible_sections(s, A, 1)) == ([(NO, 4)], 0)


def test_visible_sections_follow_from_the_records() -> None:
    """TT-12.4  The visible sections follow from the records of all rounds.

    Each attack takes its strips, and each round without preservation one section.
    """
    s = table(followers=(20, 20), testaments={A: [Testament("art", [(YES, 0), (NO, 1)])]})
    assert count_visible_sections(s, A, 1) == 6 - 2
    play(s, "preserve", "attack", "followers 1")
    end_round(s)
    assert count_visible_sections(s, A, 1) == 6 - 2 - 1
    play(s, "attack", "followers 2", "pass")
    end_round(s)
    assert (past(s, A, 1)[2:], count_visible_sections(s, A, 1)) == ([(YES, 1), (NO, 2)], 6 - 2 - 1 - 3)
    end_round(s)
    assert count_visible_sections(s, A, 1) == 0


def test_buried_testaments_go_on_ageing() -> None:
    """TT-R18, TT-12.3  Buried Testaments continue to decay invisibly."""
    s = table(testaments={A: [Testament("tools", past=[(NO, 4)])]})
    end_round(s)
    end_round(s)
    assert (past(s, A, 1), count_visible_sections(s, A, 1)) == ([(NO, 4), (NO, 0), (NO, 0)], 0)


def test_values_are_frozen_for_all() -> None:
    """TT-12.1  Monuments that fall in this round still count in it, for both sides."""
    s = table(
        shamans=(1, 1),
        testaments={A: [Testament("monument", seen=1)], B: [Testament("monument", seen=1), "art"]},
    )
    play(s, "attack", "at 1 2", "shamans 1", "followers 0")  # 2 strips by a power that decays this round
    play(s, "attack", "shamans 1", "followers 0")
    end_round(s)
    assert past(s, B, 2) == [(NO, 2)]
    assert past(s, A, 1)[-1] == (NO, 1)
    assert s.get_shaman_power(A) == s.get_shaman_power(B) == 1


def test_all_pieces_go_home_after_the_round() -> None:
    """TT-12.7  At the end of a round the zones are empty, and all survivors wait."""
    s = table(seats=2, shamans=(4, 0), testaments={A: ["temple", "art"], B: ["art"]}, followers=(20, 20))
    play(s, "sire", "shamans 1", "pass", "sire_shaman", "shamans 0", "pass", "convert", "shamans 2", "pass")
    play(s, "preserve", "on 2", "shamans 0", "attack", "at 0 1", "followers 2", "defend", "shamans 1", "followers 1")
    play(s, "pass")
    end_round(s)
    assert s.waiting == s.followers
    assert s.waiting_shamans == s.shamans == [5, 0]
    assert s.sires == s.shaman_sires == s.converts == [(), ()]
    assert not any(s.makers + s.keepers + s.defenders + s.reversers)
    assert not any(s.attackers)
    assert s.followers == [20 + 1 + 1 - 2 - 1, 20 - 1 - 2]


def test_an_attack_can_always_be_answered() -> None:
    """TT-R4  After the last attack every other player gets a turn, even one who has passed before."""
    s = table(seats=5, testaments={A: ["art"]})
    play(s, *["pass"] * 4, "attack", "followers 1")
    assert get_asked_step(s) == Move(A)
    assert "defend" in options(s)
