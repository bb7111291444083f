"""Tests of Reverse Time (TT-11.1 to TT-11.11)."""

import pytest

from tests.games.testoftime.table import (
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
from triclinium.games.testoftime.rules.actions.reverse import (
    ChooseMark,
    ChooseReversed,
    ChooseRounds,
    DefendPastWithFollowers,
    DefendPastWithShamans,
)
from triclinium.games.testoftime.rules.refusals import (
    BUILT_OVER,
    NO_PAST,
    NO_SHAMAN_WAITS,
    NO_TESTAMENT,
    NOT_HOSTILE,
    NOT_SO_OLD,
    NOTHING_TO_REVERSE,
    PAST_DEFENDERS_WAIT,
    PAST_SUPERFLUOUS,
    RIVAL_BURIED,
    TOO_FEW_SHAMANS,
)
from triclinium.games.testoftime.rules.turn import Move

OLD = ((NO, 0),)


def test_targets() -> None:
    """TT-11.1  A player may reverse the past of own Testaments, and of rivals' standing ones.

    A space with a pending Create is not offered.
    """
    s = table(
        shamans=(2, 2),
        testaments={
            A: [Testament("tools", OLD), Testament("tools", ((NO, 4),)), "art"],
            B: [Testament("art", OLD), Testament("tools", seen=0), None],
        },
    )
    play(s, "create", "build tools", "shamans 0", "pass", "reverse")  # The new Tools will cover the buried ones.
    assert get_asked_step(s) == ChooseReversed(A)
    assert options(s) == ["at 0 1", "at 1 1"]
    refused(s, "at 0 2", BUILT_OVER)
    refused(s, "at 0 3", NO_PAST)
    refused(s, "at 1 2", RIVAL_BURIED)
    refused(s, "at 1 3", NO_TESTAMENT)


def test_reversing_needs_a_shaman_and_a_past() -> None:
    """TT-11.1, TT-11.2  Reversing needs a waiting shaman and a Testament that is at least one round old."""
    s = table(testaments={A: [Testament("tools", OLD)]})
    refused(s, "reverse", NO_SHAMAN_WAITS)
    s = table(shamans=(1, 0), testaments={A: ["tools"]})
    refused(s, "reverse", NOTHING_TO_REVERSE)


def test_only_ones_own_past_without_hostile_reverse() -> None:
    """TT-14.2  The table option forbids rivals' Testaments."""
    s = table(
        shamans=(1, 0),
        testaments={A: [Testament("tools", OLD), Testament("art", OLD)], B: [Testament("tools", OLD)]},
        variants={"hostile_reverse": False},
    )
    play(s, "reverse")
    refused(s, "at 1 1", NOT_HOSTILE)
    s = table(shamans=(1, 0), testaments={B: [Testament("tools", OLD)]}, variants={"hostile_reverse": False})
    refused(s, "reverse", NOT_HOSTILE)


def test_rounds_by_shamans_and_power() -> None:
    """TT-11.2, TT-11.3  A shaman of power 2 reverses two rounds, and an unused half is lost."""
    s = table(
        followers=(0, 20),
        shamans=(2, 0),
        testaments={A: ["monument", Testament("tools", ((NO, 0), (NO, 0), (NO, 0), (NO, 0), (NO, 0)))]},
    )
    play(s, "reverse")
    assert get_asked_step(s) == ChooseRounds(A, 1)
    assert options(s) == ["rounds 1", "rounds 2", "rounds 3", "rounds 4"]
    refused(s, "rounds 5", TOO_FEW_SHAMANS)
    play(s, "rounds 3")
    assert (s.shamans[A], s.waiting_shamans[A]) == (0, 0)
    assert get_asked_step(s) == Move(B)


def test_no_more_rounds_than_the_testament_has_existed() -> None:
    """TT-11.2  The number of rounds cannot exceed the age of the Testament, whatever the number of shamans is."""
    s = table(shamans=(5, 0), testaments={A: [Testament("art", ((NO, 0), (NO, 0)))]})
    play(s, "reverse")
    assert options(s) == ["rounds 1", "rounds 2"]
    refused(s, "rounds 3", NOT_SO_OLD)


def test_burial_sites_never_save_reversing_shamans() -> None:
    """TT-11.3, TT-R14  Burial Sites never save the shamans of a reversal, who die at once."""
    s = table(followers=(0, 20), shamans=(1, 0), testaments={A: ["burial", "burial", Testament("tools", OLD)]})
    play(s, "reverse")
    assert s.shamans[A] == 0


def test_scenario_9_an_own_testament() -> None:
    """Scenario 9, TT-11.3 to TT-11.10  Two preserved rounds and one covered attack leave 7 sections and 15 dots."""
    s = table(
        followers=(9, 20),
        shamans=(3, 0),
        testaments={A: [Testament("temple", ((NO, 0), (YES, 0), (NO, 4))), "tools"]},
    )
    assert (count_visible_sections(s, A, 1), dots(s, A, 1)) == (4, 9)
    play(s, "reverse", "rounds 3")
    assert s.shamans[A] == 0
    assert get_asked_step(s) == ChooseMark(A, 0, 0, 1, 0, 4, 0)
    play(s, "mend")
    assert get_asked_step(s) == ChooseMark(A, 0, 2, 1, 0, 4, 0)
    play(s, "mend")
    assert isinstance(get_asked_step(s), DefendPastWithFollowers)
    assert options(s) == ["followers 0", "followers 1"]
    play(s, "followers 1")
    assert past(s, A, 1) == [(YES, 0), (YES, 0), (YES, 3)]
    assert (count_visible_sections(s, A, 1), dots(s, A, 1)) == (7, 15)
    assert (s.followers[A], s.waiting[A]) == (8, 0)
    end_round(s)
    assert s.waiting[A] == 8


def test_scenario_10_hostile_reversal() -> None:
    """Scenario 10, TT-11.7, TT-11.10, TT-R19  A spoiled preservation buries B's Tools at once."""
    s = table(
        followers=(2, 20),
        shamans=(1, 0),
        testaments={
            A: ["monument"],
            B: [Testament("tools", ((NO, 1), (NO, 0), (YES, 0), (YES, 0))), "art"],
        },
    )
    assert count_visible_sections(s, B, 1) == 1
    play(s, "reverse", "rounds 2", "keep", "spoil")
    assert past(s, B, 1)[-2:] == [(YES, 0), (NO, 0)]
    assert count_visible_sections(s, B, 1) == 0
    assert (s.shamans[A], s.waiting[A]) == (0, 0)
    play(s, "preserve")  # Art at full price: the Tools are buried
    assert s.waiting[B] == 16
    play(s, "create")
    assert options(s) == ["on 1", "on 3"]


def test_scenario_11_debt_of_a_buried_testament() -> None:
    """Scenario 11, TT-R17, TT-R18  With two preserved rounds the Art stays buried. With three it shows a section."""
    records = ((NO, 5), (NO, 0), (NO, 0))
    s = table(followers=(12, 20), shamans=(3, 0), testaments={A: [Testament("art", records)]})
    play(s, "reverse", "rounds 2", "mend", "shamans 0", "mend", "shamans 0")
    assert count_visible_sections(s, A, 1) == 0
    s = table(followers=(12, 20), shamans=(3, 0), testaments={A: [Testament("art", records)]})
    play(s, "reverse", "rounds 3", "mend", "followers 0", "mend", "mend")
    assert (count_visible_sections(s, A, 1), dots(s, A, 1)) == (1, 2)


def test_a_reversal_that_replaces_nothing_is_legal() -> None:
    """TT-11.4, TT-R13  Records that are not replaced return unchanged."""
    records = ((NO, 1), (YES, 2))
    s = table(shamans=(3, 0), testaments={A: [Testament("temple", records)]})
    play(s, "reverse", "rounds 2", "keep", "shamans 0", "followers 0", "shamans 0", "followers 0")
    assert past(s, A, 1) == list(records)
    assert (s.shamans[A], s.waiting[A]) == (1, 20)


def test_values_are_fixed_at_declaration() -> None:
    """TT-11.3a  Values are fixed when the move is declared. The Tools were buried then, so both rounds cost 2."""
    s = table(shamans=(2, 0), testaments={A: [Testament("tools", ((NO, 3), (NO, 0)))]})
    play(s, "reverse", "rounds 2", "mend", "followers 0", "mend")
    assert s.waiting[A] == 16
    assert count_visible_sections(s, A, 1) == 1
    play(s, "pass", "preserve")
    assert s.waiting[A] == 15  # the standing Tools halve their own upkeep


def test_defenders_of_the_past_are_not_superfluous() -> None:
    """TT-11.6  Against two strips a player may use at most two followers, one shaman of power 2, or one of each."""
    s = table(shamans=(3, 0), testaments={A: [Testament("temple", ((YES, 2),)), "monument"]})
    play(s, "reverse")
    assert get_asked_step(s) == DefendPastWithShamans(A, 0, 0, 2, 0, 8, 0)
    assert options(s) == ["shamans 0", "shamans 1"]
    refused(s, "shamans 2", PAST_SUPERFLUOUS)
    play(s, "shamans 0")
    assert options(s) == ["followers 0", "followers 1", "followers 2"]
    refused(s, "followers 3", PAST_SUPERFLUOUS)
    play(s, "followers 2")
    assert past(s, A, 1) == [(YES, 0)]


def test_only_waiting_pieces_defend_the_past() -> None:
    """TT-11.6, TT-11.8  The shaman that died for the reversal cannot defend in the past."""
    s = table(followers=(3, 20), shamans=(3, 0), testaments={A: [Testament("temple", ((YES, 8),))]})
    play(s, "reverse")
    assert options(s) == ["shamans 0", "shamans 1", "shamans 2"]
    refused(s, "shamans 3", PAST_DEFENDERS_WAIT)
    play(s, "shamans 2")
    assert options(s) == [f"followers {n}" for n in range(4)]
    refused(s, "followers 4", PAST_DEFENDERS_WAIT)


def test_defenders_of_the_past_die_when_it_is_over() -> None:
    """TT-11.9, TT-R22  Burial Sites save some defenders once for the whole reversal.

    The dead can then be sired again.
    """
    s = table(
        followers=(30, 20),
        shamans=(2, 0),
        testaments={A: [Testament("temple", ((YES, 2), (YES, 1))), "burial"]},
    )
    play(s, "reverse", "rounds 2", "followers 2", "followers 1")
    assert (s.followers[A], s.waiting[A]) == (28, 27)
    play(s, "pass", "sire")
    assert s.followers[A] == 29
    end_round(s)
    assert s.waiting[A] == 29


def test_shamans_defending_the_past_live() -> None:
    """TT-11.9  Shamans that defend in the past go home at the end of the round."""
    s = table(followers=(0, 20), shamans=(2, 0), testaments={A: [Testament("temple", ((YES, 1),)), "monument"]})
    play(s, "reverse", "shamans 1")
    assert past(s, A, 1) == [(YES, 0)]
    assert (s.shamans[A], s.waiting_shamans[A]) == (1, 0)
    end_round(s)
    assert s.waiting_shamans[A] == 1


def test_a_piece_serves_one_record_only() -> None:
    """TT-11.8  With 4 followers only one of two rounds can be preserved, and the second is not offered."""
    s = table(followers=(4, 20), shamans=(2, 0), testaments={A: [Testament("art", ((NO, 0), (NO, 0)))]})
    play(s, "reverse", "rounds 2", "mend")
    assert get_asked_step(s) == Move(B)
    assert past(s, A, 1) == [(YES, 0), (NO, 0)]
    assert count_visible_sections(s, A, 1) == 5


def test_shamans_pay_for_the_past_too() -> None:
    """TT-3.1, TT-11.5  Shamans may pay for a mark, like any other cost."""
    s = table(followers=(3, 20), shamans=(3, 0), testaments={A: [Testament("art", ((NO, 0),))]})
    play(s, "reverse", "mend")
    assert options(s) == ["shamans 1", "shamans 2"]
    play(s, "shamans 2")
    assert (s.waiting[A], s.waiting_shamans[A]) == (1, 0)


def test_raised_testaments_take_effect_at_once() -> None:
    """TT-11.10, TT-R19, TT-R26  A Monument raised during a round strengthens shamans at once, and may be attacked."""
    size = 12
    s = table(shamans=(3, 0), testaments={A: [Testament("monument", ((NO, size - 1),))]})
    assert s.get_shaman_power(A) == 1
    play(s, "reverse", "mend", "shamans 0", "shamans 0", "followers 0")
    assert (count_visible_sections(s, A, 1), s.get_shaman_power(A)) == (1, 2)
    play(s, "attack")
    assert s.asked.fields()[0] == 0


def test_age_and_pending_moves_do_not_change() -> None:
    """TT-11.11  Pieces placed on the Testament stay during a reversal in the middle of a round."""
    s = table(shamans=(1, 0), testaments={A: [Testament("temple", ((NO, 0), (NO, 0)))]}, turn=B)
    play(s, "attack", "followers 2", "reverse", "mend")
    assert len(past(s, A, 1)) == 2
    assert s.compute_attack_strength(0) == 2
    end_round(s)
    assert past(s, A, 1) == [(NO, 0), (YES, 0), (NO, 2)]


def test_buried_in_mid_round() -> None:
    """TT-R19, TT-12.3  Attackers and preservers of a Testament that is buried during a round go home.

    The record is normal decay.
    """
    s = table(
        seats=3,
        shamans=(0, 0, 1),
        testaments={A: [Testament("tools", ((NO, 2), (YES, 0)))]},
        turn=A,
    )
    play(s, "preserve", "attack", "followers 1", "reverse", "spoil")
    assert count_visible_sections(s, A, 1) == 0
    end_round(s)
    assert past(s, A, 1) == [(NO, 2), (NO, 0), (NO, 0)]
    assert s.followers == [20, 20, 20]


def test_buried_and_raised_in_the_same_round() -> None:
    """TT-R25  The pieces on a Testament that is buried and raised in the same round count again."""
    s = table(
        seats=3,
        shamans=(1, 0, 1),
        testaments={A: [Testament("tools", ((NO, 2), (YES, 0)))]},
        turn=A,
    )
    play(s, "preserve", "shamans 0", "attack", "followers 1", "reverse", "spoil")
    play(s, "reverse", "mend")
    assert count_visible_sections(s, A, 1) == 1
    play(s, "pass", "pass")
    assert "preserve" not in options(s)
    end_round(s)
    assert past(s, A, 1) == [(NO, 2), (YES, 0), (YES, 1)]


def test_power_that_changes_within_the_round() -> None:
    """TT-R26  An attacking shaman loses strength when its owner's Monument is buried."""
    s = table(
        seats=2,
        shamans=(1, 2),
        testaments={A: ["art"], B: [Testament("monument", ((NO, 10), (YES, 0)))]},
        turn=B,
    )
    play(s, "attack", "shamans 1", "followers 0")
    assert s.compute_attack_strength(0) == 2
    play(s, "reverse", "spoil")
    assert s.compute_attack_strength(0) == 1


@pytest.mark.parametrize("waiting", [0, 1])
def test_decisions_that_are_not_possible_are_not_asked(waiting: int) -> None:
    """TT-11.5, TT-11.6  Marks that cannot be paid for, and defences without a waiting piece, are not asked."""
    s = table(followers=(waiting, 20), shamans=(1, 0), testaments={A: [Testament("art", ((NO, 1),))]})
    play(s, "reverse")
    if waiting:
        play(s, "followers 0")
    assert get_asked_step(s) == Move(B)
