"""Tests of rounds, turns and their order in each game. The contract checks that they never decrease."""

import pytest

from tests.matches import list_our_games
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game


def walk_match(game: Game, seats: int, seed: int) -> list[tuple[int, int, int, int]]:
    """Return round, turn, asked seat and first seat at each decision and at the end of a random match."""
    s, rng, found = game.deal(seats, seed), Rng(seed), []
    while not s.over:
        found.append((game.round(s), game.turn(s), s.who, game.order(s)[0]))
        s.choose(s.legal[rng.below(len(s.legal))])
    return [*found, (game.round(s), game.turn(s), s.who, game.order(s)[0])]


@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_a_round_has_one_turn_for_every_seat(game: Game) -> None:
    found = walk_match(game, game.seats[-1], 5)
    turns = [(turn, who, first) for _, turn, who, first in found if turn > 0]
    assert turns[0][1] == turns[0][2], "the first seat in order begins"
    rounds = {number for number, *_ in found}
    assert rounds - {0} == set(range(1, max(rounds) + 1))
    assert max(turn for turn, *_ in turns) >= max(rounds)


def test_a_round_of_evangelists_has_a_turn_of_each_and_others_may_be_asked_in_it() -> None:
    """AE-2.1, AE-2.2  There are six rounds of three turns. Pawns are placed before the first round."""
    found = walk_match(load_game("evangelists"), 3, 5)
    assert found[0][:2] == (0, 0)
    assert found[-1][:2] == (6, 18)
    assert {turn for _, turn, _, _ in found} == set(range(19))
    asked = {turn: {who for _, other, who, _ in found if other == turn} for turn in range(1, 19)}
    assert any(len(seats) > 1 for seats in asked.values()), "an opponent follows in somebody's turn"


def test_a_move_of_test_of_time_is_a_turn_whatever_is_asked_in_it() -> None:
    """TT-2.1  A pass is a turn too, even an automatic one. The number stays while one move is answered in parts."""
    game = load_game("testoftime")
    s = game.deal(2, 1)
    before = game.turn(s)
    s.play(game.read("attack" if game.read("attack") in s.legal else "create"))
    assert game.turn(s) == before == 1
    while game.format_option(s.legal[0]).split()[0] not in ("create", "preserve", "sire", "pass"):
        s.play(s.legal[0])
    assert game.turn(s) == 2
    assert s.who != game.order(s)[0]


def test_attributes_that_no_rule_reads_are_not_in_the_digest() -> None:
    """Only studies use the counter of moves, so two states that differ in it are one position."""
    s: State = load_game("testoftime").deal(2, 1)
    digest = s.digest()
    other = s.clone()
    other.moves_begun = 99  # type: ignore[attr-defined]  # of Test of Time
    assert other.digest() == digest
    assert other.clone().moves_begun == 99  # type: ignore[attr-defined]
