"""Tests of the set-up and the course of a round (chapters SET UP and GAMEPLAY)."""

import pytest

from tests.games.testoftime.table import A, B, C, end_round, get_asked_step, kind, options, play, refused, table
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.engine.match import Match
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.rules.refusals import CREATE_COST
from triclinium.games.testoftime.rules.state import TestOfTime as Position  # a name that pytest does not collect
from triclinium.games.testoftime.rules.turn import Move


def deal_match(seats: int, seed: int) -> Position:
    s = GAME.deal(seats, seed)
    assert isinstance(s, Position)
    return s


def test_two_to_five_players() -> None:
    """TT-1.1, TT-R1, TT-14.1  A match is for two to five players."""
    for seats in (2, 3, 4, 5):
        assert deal_match(seats, 7).seats == seats
    for seats in (1, 6):
        with pytest.raises(BadSetup, match=r"TT-1\.1"):
            GAME.deal(seats, 7)


def test_everybody_starts_alike() -> None:
    """TT-1.2, TT-1.3, TT-1.4  Each player starts with three empty spaces, 20 waiting followers and no shaman."""
    s = deal_match(4, 3)
    assert s.waiting == s.followers == [20] * 4
    assert s.waiting_shamans == s.shamans == [0] * 4
    assert [kind(s, seat, space) for seat in range(4) for space in (1, 2, 3)] == [None] * 12
    assert s.round == 1


def test_the_first_starting_player_is_drawn() -> None:
    """TT-1.5, TT-R2  Over many seeds every seat starts once, and the same seed gives the same start."""
    starters = {deal_match(5, seed).starter for seed in range(60)}
    assert starters == {0, 1, 2, 3, 4}
    assert deal_match(5, 11).starter == deal_match(5, 11).starter
    assert deal_match(3, 4).who == deal_match(3, 4).starter


def test_the_log_begins_with_round_one() -> None:
    """TT-1.5, TT-2.1  The events of the deal say that round 1 begins, and who starts it."""
    match = Match(GAME, 3, 4)
    assert [(news.kind, news.seat, news.facts) for news in match.events[0]] == [("round", match.state.who, (1,))]


def test_the_next_seat_starts_the_next_round() -> None:
    """TT-1.5, TT-12.8  The start passes clockwise with each round."""
    s = table(seats=3, turn=1)
    assert s.starter == 1
    end_round(s)
    assert (s.round, s.starter, s.who) == (11, 2, 2)
    end_round(s)
    assert (s.starter, s.who) == (0, 0)


def test_one_move_a_turn_clockwise() -> None:
    """TT-2.1  After a move the next seat is asked."""
    s = table(seats=3, turn=2)
    play(s, "sire")
    assert get_asked_step(s) == Move(0)
    play(s, "pass")
    assert get_asked_step(s) == Move(1)


def test_a_pass_is_not_final() -> None:
    """TT-2.2, TT-R4  A player who passed may move at the next turn."""
    s = table()
    play(s, "pass", "sire", "sire")
    assert len(s.sires[A]) == 1
    assert s.passes == 0


def test_as_many_passes_as_players_end_the_round() -> None:
    """TT-2.3  Consecutive passes count, and a move resets the count."""
    s = table(seats=3)
    play(s, "pass", "pass", "sire", "pass", "pass")
    assert s.round == 10
    play(s, "pass")
    assert s.round == 11


def test_players_who_can_only_pass_are_not_asked() -> None:
    """TT-2.4  A seat without waiting pieces is not asked."""
    s = table(followers=(4, 0))
    play(s, "sire")
    assert get_asked_step(s) == Move(A)
    assert s.passes == 1
    play(s, "pass")
    assert s.round == 11


def test_pass_is_always_legal() -> None:
    """TT-2.5  A player may pass even if every other move is legal."""
    s = table(shamans=(2, 2), testaments={A: ["temple", "monument"], B: ["tools"]}, followers=(25, 25))
    play(s, "pass", "attack", "at 0 1", "shamans 0", "followers 1")
    assert options(s)[-1] == "pass"
    assert "defend" in options(s)


def test_placed_pieces_cannot_be_used_again() -> None:
    """TT-2.5  Placed pieces cannot be used again in the same round."""
    s = table(followers=(4, 20))
    play(s, "sire", "pass", "sire")
    assert s.waiting[A] == 0
    assert s.who == B
    play(s, "pass")
    assert s.round == 11
    assert s.waiting[A] == 6


def test_newly_sired_pieces_wait_for_the_next_round() -> None:
    """TT-2.6  A child cannot be used in the round of its birth."""
    s = table(followers=(5, 20))
    play(s, "sire", "pass")
    assert s.followers[A] == 6
    assert s.waiting[A] == 3
    refused(s, "create", CREATE_COST)
    end_round(s)
    assert s.waiting[A] == 6


def test_nothing_else_is_asked() -> None:
    """An option of another question is refused and changes nothing."""
    s = table()
    refused(s, "followers 3", NOT_ASKED)


def test_the_match_ends_after_the_last_round() -> None:
    """TT-12.8, TT-14.1, TT-R20  The match ends after 20 rounds by default, and after 15 or 10 by agreement."""
    for rounds in (20, 15, 10):
        s = GAME.deal(2, 5, {"rounds": rounds})
        assert isinstance(s, Position)
        passes = 0
        while not s.over:
            play(s, "pass")
            passes += 1
        assert passes == 2 * rounds
    with pytest.raises(BadSetup, match=r"TT-14\.1"):
        GAME.deal(2, 5, {"rounds": 12})


def test_mercy_fills_up_to_four_pieces() -> None:
    """TT-14.3, TT-R21  A player with fewer than four pieces receives followers when a round begins.

    Without mercy nothing is given.
    """
    s = table(followers=(20, 1), shamans=(0, 1), variants={"mercy": True})
    end_round(s)
    assert (s.followers[B], s.shamans[B], s.waiting[B]) == (3, 1, 3)
    assert s.followers[A] == 20
    s = table(followers=(20, 1))
    end_round(s)
    assert s.followers[B] == 1
    assert C.mercy_pieces == 4


def test_mercy_helps_every_player_below_four() -> None:
    """TT-14.3  All players below four get followers when the round begins. Players with four or more get none."""
    s = table(seats=5, followers=(0, 4, 3, 20, 2), shamans=(0, 0, 1, 0, 1), turn=3, variants={"mercy": True})
    assert s.followers == [0, 4, 3, 20, 2]
    end_round(s)
    assert (s.followers, s.waiting, s.shamans) == ([4, 4, 3, 20, 3], [4, 4, 3, 20, 3], [0, 0, 1, 0, 1])


def test_bots_judge_between_rounds() -> None:
    """TT-2.6, TT-12.7  Pieces are on the board within a round, so only positions between rounds are comparable."""
    s = deal_match(2, 3)
    assert GAME.evaluator.is_stable(s)
    play(s, "sire")
    assert not GAME.evaluator.is_stable(s)
    end_round(s)
    assert GAME.evaluator.is_stable(s)
    assert GAME.evaluator.progress(s) == 2 / 20
