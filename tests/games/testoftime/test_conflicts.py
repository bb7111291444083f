"""Tests of the choice of a space, the followers met in defence, spoiling, and limits."""

import pytest

from tests.games.testoftime.table import (
    CC,
    NO,
    YES,
    A,
    B,
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
from triclinium.boardkit.text_table import format_game_table
from triclinium.engine.auto_replies import create_auto_reply, find_auto_reply, list_available_spans
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import ASK, ATTACKED, ROUND
from triclinium.engine.match import Match
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.rules.actions.meet import Meet
from triclinium.games.testoftime.rules.actions.reverse import ChooseMark
from triclinium.games.testoftime.rules.refusals import ATTACKS_MADE, NOT_ONES_TO_MEND, TOO_FEW_MET, TOO_MANY_MET
from triclinium.games.testoftime.rules.state import TestOfTime as Position  # a name that pytest does not collect
from triclinium.games.testoftime.rules.turn import Move

DD, EE = 3, 4


# -- TT-4.1 -------------------------------------------------------------------------------------------------------


def test_a_player_builds_on_any_free_space() -> None:
    """TT-4.1, L36  A player may build on any vacant or buried space, in any order."""
    s = table(testaments={A: [None, None, Testament("art", seen=0)]})
    play(s, "create")
    assert options(s) == ["on 1", "on 2", "on 3"]
    play(s, "on 2", "build tools", "pass", "create")
    assert options(s) == ["on 1", "on 3"]
    play(s, "on 3", "build art")
    end_round(s)
    assert [kind(s, A, space) for space in (1, 2, 3)] == [None, "tools", "art"]


# -- TT-12.2, TT-R10, TT-14.4 ---------------------------------------------------------------------------------------


def contest(seats: int = 3, owner: int = A, defence: int = 3, variants: dict[str, object] | None = None) -> Position:
    """Return a table where all have passed but the last player.

    The owner's Temple is attacked by the next two seats with three followers each, and some are met.
    """
    s = table(seats=seats, testaments={owner: ["temple"]}, turn=(owner + 1) % seats, variants=variants)
    play(s, "attack", "followers 3", "attack", "followers 3", *["pass"] * (seats - 3))
    if defence:
        play(s, "defend", f"followers {defence}")
    play(s, *["pass"] * (seats - 1))
    assert s.round == 10
    return s


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_owner_divides_the_met_attackers(seats: int) -> None:
    """TT-12.2, L48  The owner divides three defenders between two attackers with three followers each."""
    for met in range(4):
        s = contest(seats)
        play(s, "pass")
        assert get_asked_step(s) == Meet(A, 0, B, 3)
        assert options(s) == [f"followers {n}" for n in range(4)]
        refused(s, "followers 4", TOO_MANY_MET)
        play(s, f"followers {met}")
        assert s.round == 11
        assert s.followers[:3] == [17, 20 - met, 17 + met]
        assert past(s, A, 1) == [(NO, 3)]


@pytest.mark.parametrize(("defence", "deaths"), [(0, (0, 0)), (6, (3, 3))])
def test_nobody_is_asked_when_all_followers_are_met_or_none(defence: int, deaths: tuple[int, int]) -> None:
    """TT-12.2  The owner is not asked if the defenders meet all followers or none."""
    s = contest(defence=defence)
    play(s, "pass")
    assert get_asked_step(s) == Move(CC)
    assert (s.round, 20 - s.followers[B], 20 - s.followers[CC]) == (11, *deaths)


def test_nobody_is_asked_about_one_attacking_player() -> None:
    """TT-12.2  The owner is not asked about a single attacking player, whatever the number of moves is."""
    s = table(seats=3, testaments={A: ["temple"]}, turn=B)
    play(s, "attack", "followers 2", "pass", "pass", "attack", "followers 3", "pass", "defend", "followers 3")
    end_round(s)
    assert s.followers == [17, 17, 20]


def test_nobody_is_asked_when_the_other_attackers_are_shamans() -> None:
    """TT-12.2  The owner is not asked if the other attackers are shamans, which are met last and never die."""
    s = table(seats=3, shamans=(0, 0, 2), testaments={A: ["temple"]}, turn=B)
    play(s, "attack", "followers 3", "attack", "shamans 2", "followers 0", "defend", "followers 2")
    end_round(s)
    assert (s.followers, s.shamans) == ([18, 18, 20], [0, 0, 2])
    assert past(s, A, 1) == [(NO, 3)]


def test_shamans_are_met_last() -> None:
    """TT-12.2  Next to C's shaman are two followers, so four defenders meet followers only, of the owner's choice."""
    s = table(seats=3, shamans=(0, 0, 1), testaments={A: ["temple"], CC: ["monument"]}, turn=B)
    play(s, "attack", "at 0 1", "followers 3", "attack", "shamans 1", "followers 2", "defend", "followers 4")
    play(s, "pass", "pass", "pass")
    assert get_asked_step(s) == Meet(A, 0, B, 4)
    assert options(s) == ["followers 2", "followers 3"]  # Player C has two followers there.
    refused(s, "followers 1", TOO_FEW_MET)
    play(s, "followers 2")
    assert (s.followers, s.shamans[CC]) == ([16, 18, 18], 1)
    assert past(s, A, 1) == [(NO, 3)]


def test_all_moves_of_a_player_are_one_force() -> None:
    """TT-R10, TT-R14  The followers of several moves are met together, and Burial Sites save once for all."""
    s = table(seats=3, testaments={A: ["temple"], B: ["burial"]}, turn=B)
    play(s, "attack", "followers 1", "attack", "at 0 1", "followers 2", "pass")
    play(s, "attack", "followers 2", "pass", "defend", "followers 3", "pass", "pass", "pass")
    assert get_asked_step(s) == Meet(A, 0, B, 3)
    assert options(s) == ["followers 1", "followers 2", "followers 3"]
    play(s, "followers 3")
    assert s.followers == [17, 18, 20]


def test_among_three_attackers_the_last_has_what_is_left() -> None:
    """TT-12.2  The question goes clockwise from the owner. A forced answer is not asked."""
    s = table(seats=4, testaments={A: ["temple"]}, turn=B)
    play(s, *["attack", "followers 2"] * 3, "defend", "followers 3", "pass", "pass", "pass", "pass")
    assert get_asked_step(s) == Meet(A, 0, B, 3)
    assert options(s) == ["followers 0", "followers 1", "followers 2"]
    t = s.clone()
    play(s, "followers 1")
    assert get_asked_step(s) == Meet(A, 0, CC, 2)
    play(s, "followers 0")
    assert s.followers == [17, 19, 20, 18]
    play(t, "followers 0")
    assert options(t) == ["followers 1", "followers 2"]
    play(t, "followers 1")
    assert t.followers == [17, 20, 19, 18]


def test_several_owners_divide_in_turn_order() -> None:
    """TT-12.2  Several owners are asked clockwise from the starting player, and space by space."""
    s = table(
        seats=5,
        testaments={A: ["temple"], DD: ["temple", "temple"]},
        turn=B,
    )
    play(s, "attack", "at 0 1", "followers 2", "attack", "at 0 1", "followers 2")  # B and C on A
    play(s, "pass", "attack", "at 3 1", "followers 2", "defend", "followers 1")  # E on D, A defends
    play(s, "attack", "at 3 1", "followers 2", "attack", "at 3 2", "followers 2")  # B and C on D
    play(s, "defend", "on 1", "followers 1", "attack", "at 3 2", "followers 2", "pass", "pass", "pass")
    play(s, "defend", "on 2", "followers 1", *["pass"] * 5)
    assert get_asked_step(s) == Meet(DD, 9, EE, 1)
    play(s, "followers 1")
    assert get_asked_step(s) == Meet(DD, 10, EE, 1)
    play(s, "followers 0")
    assert get_asked_step(s) == Meet(A, 0, B, 1)
    play(s, "followers 0")
    assert s.followers == [19, 20, 20 - 2, 18, 19]


def test_a_buried_testament_has_nothing_to_divide() -> None:
    """TT-R19  Pieces on a buried Testament go home, so nothing is divided."""
    s = table(seats=4, shamans=(0, 0, 0, 1), testaments={A: [Testament("art", ((NO, 3), (YES, 0)))]}, turn=B)
    play(s, "attack", "followers 1", "attack", "followers 1", "pass", "defend", "followers 1", "pass", "pass")
    play(s, "reverse", "spoil")
    assert count_visible_sections(s, A, 1) == 1
    play(s, "pass", "pass", "pass", "pass")
    assert isinstance(get_asked_step(s), Meet)
    s = table(seats=4, shamans=(0, 0, 0, 1), testaments={A: [Testament("art", ((NO, 4), (YES, 0)))]}, turn=B)
    play(s, "attack", "followers 1", "attack", "followers 1", "pass", "defend", "followers 1", "pass", "pass")
    play(s, "reverse", "spoil", "pass", "pass", "pass", "pass")
    assert (s.round, s.followers) == (11, [20, 20, 20, 20])


def test_the_order_of_placement() -> None:
    """TT-R10, TT-14.4  With `defenders_choose` off, the defenders meet the pieces that were placed first."""
    s = contest(variants={"defenders_choose": False})
    play(s, "pass")
    assert (s.round, s.followers) == (11, [17, 17, 20])


# -- TT-11.7, TT-R13 ------------------------------------------------------------------------------------------------


def set_up_kept_art(followers: int, shamans: int = 3, *, once: bool = False) -> Position:
    """Return a table with B's Art, preserved in three rounds of four.

    A has this number of followers, and pays once or each time.
    """
    return table(
        followers=(followers, 20),
        shamans=(shamans, 0),
        testaments={B: [Testament("art", ((YES, 0), (NO, 0), (YES, 0), (YES, 0)))], A: ["monument", "monument"]},
        variants={"one_payment": once},
    )


def test_every_spoiled_record_is_paid() -> None:
    """TT-11.7, TT-11.8, L52  Each spoiled record costs the printed amount.

    A record that cannot be paid for is not offered.
    """
    s = set_up_kept_art(followers=9, shamans=2)
    play(s, "reverse", "rounds 4")
    assert get_asked_step(s) == ChooseMark(A, 3, 0, 3, 0, 4, 0)
    play(s, "spoil")
    assert s.waiting[A] == 5
    assert get_asked_step(s) == ChooseMark(A, 3, 2, 3, 0, 4, 0)
    play(s, "spoil")
    assert (past(s, B, 1), s.waiting[A]) == ([(NO, 0), (NO, 0), (NO, 0), (YES, 0)], 1)
    assert get_asked_step(s) == Move(B)
    end_round(s)
    assert s.waiting[A] == 9


def test_a_record_that_is_left_costs_nothing() -> None:
    """TT-11.7, TT-11.4  With enough for two of three records, A keeps the first and spoils the others."""
    s = set_up_kept_art(followers=8, shamans=2)
    play(s, "reverse", "rounds 4", "keep", "spoil", "spoil")
    assert (past(s, B, 1), s.waiting[A]) == ([(YES, 0), (NO, 0), (NO, 0), (NO, 0)], 0)


def test_spoiling_pays_once() -> None:
    """TT-14.6  With `one_payment` the first spoiled record costs the printed amount and the others nothing."""
    s = set_up_kept_art(followers=4, shamans=2, once=True)
    play(s, "reverse", "rounds 4")
    assert get_asked_step(s) == ChooseMark(A, 3, 0, 3, 0, 4, 0)
    play(s, "spoil")
    assert s.waiting[A] == 0
    assert get_asked_step(s) == ChooseMark(A, 3, 2, 3, 0, 0, 0)
    play(s, "keep")
    assert get_asked_step(s) == ChooseMark(A, 3, 3, 3, 0, 0, 0)
    play(s, "spoil")
    assert past(s, B, 1) == [(NO, 0), (NO, 0), (YES, 0), (NO, 0)]
    assert (count_visible_sections(s, B, 1), s.waiting[A], s.shamans[A]) == (3, 0, 0)
    end_round(s)
    assert s.waiting[A] == 4


def test_one_payment_covers_all_spoiled_records() -> None:
    """TT-14.6  With `one_payment` a kept record costs nothing, and the first spoiled record costs the whole price."""
    s = set_up_kept_art(followers=9, once=True)
    play(s, "reverse", "rounds 4", "keep", "spoil", "shamans 0")
    assert s.waiting[A] == 5
    play(s, "spoil")
    assert (past(s, B, 1)[2:], s.waiting[A]) == ([(NO, 0), (NO, 0)], 5)


def test_a_second_reversal_costs_again() -> None:
    """TT-14.6  With `one_payment` a second reversal costs the price again."""
    s = set_up_kept_art(followers=9, once=True)
    play(s, "reverse", "rounds 1", "spoil", "shamans 0", "pass", "reverse", "rounds 2")
    assert get_asked_step(s) == ChooseMark(A, 3, 2, 3, 0, 4, 0)


def test_mending_costs_every_time() -> None:
    """TT-11.5  The owner pays for each record that is mended, and no other player may mend (TT-R13)."""
    s = table(shamans=(2, 0), testaments={A: [Testament("art", ((NO, 0), (NO, 0)))]})
    play(s, "reverse", "rounds 2", "mend", "mend")
    assert s.waiting[A] == 20 - 8
    s = table(shamans=(2, 0), testaments={B: [Testament("art", ((NO, 0), (YES, 0)))]})
    play(s, "reverse", "rounds 2")
    assert options(s) == ["keep", "spoil"]
    assert get_asked_step(s) == ChooseMark(A, 3, 1, 1, 0, 4, 0)
    refused(s, "mend", NOT_ONES_TO_MEND)


def test_more_is_spoiled_than_there_is() -> None:
    """TT-12.4, TT-11.10  If more sections are spoiled than are left, the Testament is buried at once, with a debt."""
    art = Testament("art", ((NO, 4), (YES, 0), (YES, 0)))
    s = table(shamans=(2, 0), testaments={B: [art]})
    play(s, "reverse", "rounds 2", "spoil", "spoil")
    assert (count_visible_sections(s, B, 1), past(s, B, 1)[1:]) == (0, [(NO, 0), (NO, 0)])


def list_option_labels(s: Position, *texts: str) -> list[str]:
    """Return the texts of this decision's options after these choices."""
    play(s, *texts)
    reader = GAME.words.reader("en", ("Ana", "Ben", "Cem"))
    return [reader.read(GAME.words.label(s, o)) for o in s.legal]


def test_targets_and_rounds_show_the_possible_gain() -> None:
    """TT-11.7, TT-R13  A target shows what a reversal can change, and warns if it can change nothing."""
    s = table(
        followers=(4, 20),
        shamans=(2, 0),
        testaments={
            A: [Testament("art", ((NO, 2), (YES, 0))), Testament("tools", ((YES, 0),)), None],
            B: [Testament("art", ((NO, 0), (NO, 0))), Testament("tools", ((YES, 1), (NO, 0)))],
        },
    )
    assert [label.split("; ")[-1] for label in list_option_labels(s, "reverse")] == [
        "from 3 up to 6 sections",
        "nothing can be changed there",
        "nothing can be changed there",
        "from 2 down to 1 section",
    ]
    assert list_option_labels(s, "at 0 1") == [
        "1 round, for 1 shaman: nothing can be changed there",
        "2 rounds, for 2 shamans: from 3 up to 6 sections",
    ]


@pytest.mark.parametrize(("followers", "reach"), [(0, "from 8 up to 9 sections"), (1, "from 8 up to 10 sections")])
def test_excess_strength_of_a_shaman_is_not_counted(followers: int, reach: str) -> None:
    """TT-11.8, TT-R13  A shaman of power 2 covers the loss of one round only, so no more is promised."""
    temple = Testament("temple", ((YES, 1), (YES, 1)))
    s = table(followers=(followers, 20), shamans=(2, 0), testaments={A: [temple, "monument"]})
    assert list_option_labels(s, "reverse")[1].endswith(f": {reach}")
    play(s, "rounds 2", "shamans 1", *["followers 1"] * followers)
    assert count_visible_sections(s, A, 1) == 9 + followers


@pytest.mark.parametrize(("once", "reach"), [(False, "from 4 down to 3 sections"), (True, "from 4 down to 2 sections")])
def test_a_promise_counts_each_payment(once: bool, reach: str) -> None:
    """TT-11.7, TT-14.6, TT-R13  Four followers can spoil one preservation of B's Art, or both with one payment."""
    art = Testament("art", ((NO, 1), (YES, 0), (YES, 0)))
    s = table(followers=(4, 20), shamans=(2, 0), testaments={B: [art]}, variants={"one_payment": once})
    assert list_option_labels(s, "reverse")[-1].endswith(f": {reach}")


REVERSE = "Reverse Time"
WARNED = "Reverse Time: nothing can be changed, and shamans die for it"


@pytest.mark.parametrize(
    ("testaments", "followers", "label"),
    [
        ({A: [Testament("art", ((YES, 0),))]}, 20, WARNED),  # the player's own record cannot be improved
        ({A: [Testament("art", ((NO, 0),))]}, 3, WARNED),  # the player cannot pay the upkeep of 4
        ({A: [Testament("temple", ((YES, 0), (YES, 0), (YES, 0)))]}, 20, WARNED),  # every record is preserved
        ({B: [Testament("art", ((NO, 0), (NO, 2)))]}, 20, WARNED),  # a rival's decay cannot be increased
        ({A: [Testament("art", ((NO, 0),))]}, 4, REVERSE),
        ({A: [Testament("temple", ((YES, 0), (YES, 1)))]}, 20, REVERSE),
        ({B: [Testament("art", ((NO, 0), (YES, 0)))]}, 20, REVERSE),
        ({A: [Testament("art", ((YES, 0),)), Testament("tools", ((NO, 0),))]}, 20, REVERSE),
    ],
)
def test_reverse_time_warns_if_nothing_can_change(
    testaments: dict[int, list[Testament]], followers: int, label: str
) -> None:
    """TT-R13  If the target and the rounds are forced and change nothing, the move itself has the warning."""
    s = table(followers=(followers, 20), shamans=(1, 0), testaments=testaments)
    assert [one for one in list_option_labels(s) if one.startswith(REVERSE)] == [label]
    before = list(s.past)
    play(s, "reverse")
    if label == WARNED:
        assert (get_asked_step(s), s.shamans[A], s.past) == (Move(B), 0, before)
    else:
        assert s.who == A


def test_the_warning_counts_only_what_can_be_reached() -> None:
    """TT-11.2, TT-R13  An older record that could change does not count if the shamans cannot reach it.

    Two shamans reach it.
    """
    art = Testament("art", ((NO, 0), (YES, 0)))
    for shamans, label in ((1, WARNED), (2, REVERSE)):
        s = table(shamans=(shamans, 0), testaments={A: [art]})
        assert [one for one in list_option_labels(s) if one.startswith(REVERSE)] == [label]


def test_the_warning_is_read_in_french() -> None:
    """TT-R13  The warning is translated into French."""
    s = table(shamans=(1, 0), testaments={A: [Testament("art", ((YES, 0),))]})
    label = GAME.words.label(s, GAME.read("reverse"))
    warned = "Remonter le temps\u00a0: rien ne peut être changé, et des chamanes mourront"
    assert GAME.words.reader("fr").read(label) == warned


def test_the_options_say_what_stays_or_can_be_buried() -> None:
    """TT-11.10, TT-R17  The reversal says what stays buried and what it can bury."""
    art = Testament("art", ((NO, 6), (NO, 0), (NO, 0)))
    s = table(followers=(4, 20), shamans=(1, 0), testaments={A: [art], B: [Testament("tools", ((NO, 2), (YES, 0)))]})
    assert [label.split("; ")[-1] for label in list_option_labels(s, "reverse")] == [
        "it stays buried",
        "it can be buried",
    ]


# -- TT-14.5 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 2, 3])
def test_attacks_per_round(most: int) -> None:
    """TT-14.5  The limit is for each player and round, for any Testaments. Defending is not limited."""
    s = table(testaments={A: ["temple"], B: ["art", "temple"]}, variants={"attacks_per_round": most})
    for i in range(most):
        play(s, "attack", f"at 1 {1 + i % 2}", "followers 1", "attack" if i == 0 else "pass")
        if i == 0:
            play(s, "followers 1")
    refused(s, "attack", ATTACKS_MADE)
    assert f"Attacks this round: {most} of {most}." in format_game_table(GAME, GAME.view(s, A), GAME.words.reader())
    assert "defend" in options(s)
    end_round(s)
    assert "attack" in options(s)


def test_attacks_are_unlimited_by_default() -> None:
    """TT-9.3, TT-14.5, L48  By default a player may attack any number of times."""
    s = table(testaments={B: ["temple"]})
    for _ in range(12):
        play(s, "attack", "followers 1", "pass")
    assert "attack" in options(s)
    with pytest.raises(BadSetup, match="attacks_per_round is unlimited or 1 or 2 or 3, not 0"):
        GAME.deal(2, 1, {"attacks_per_round": 0})


def test_options_are_part_of_the_state() -> None:
    """TT-14.4 to TT-14.6  The options of the table are part of the state's digest."""
    chosen: list[dict[str, object]] = [{}, {"defenders_choose": False}, {"attacks_per_round": 1}, {"one_payment": True}]
    states = [GAME.deal(3, 5, variants) for variants in chosen]
    assert len({s.digest() for s in states}) == 4
    assert len({s.clone().digest() for s in states}) == 4
    assert len({s.resample(0, Rng(1)).digest() for s in states}) == 4


# -- auto-replies -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("until", "asked"), [(ATTACKED, A), (ROUND, B)])
def test_passing_until_attacked_and_for_the_round(until: str, asked: int) -> None:
    """TT-2.2  A player who passes until attacked is asked when an answer is possible.

    One who passes for the round is not.
    """
    match = Match(GAME, 2, 3)
    match.state = table(testaments={A: ["temple"]})
    wish = create_auto_reply(match.state, until)
    wishes = {(wish.seat, wish.step): wish}
    assert list_available_spans(match.state) == (ATTACKED, ROUND)
    play(match.state, "pass", "sire")
    assert GAME.format_option(find_auto_reply(match, wishes)) == "pass"
    play(match.state, "pass", "attack", "followers 2")
    assert (find_auto_reply(match, wishes) == ASK) == (asked == A)
    assert list_available_spans(match.state) == (ROUND,)
    play(match.state, "defend", "followers 2", "sire")
    assert GAME.format_option(find_auto_reply(match, wishes)) == "pass"
    play(match.state, "pass", "pass", "pass")
    assert match.state.period()[0] == 11
    assert find_auto_reply(match, wishes) == ASK
