"""Tests of the cubes of The Acts of the Evangelists, a chance event that a researcher may decide (AE-7.2)."""

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import CHANCE
from triclinium.engine.registry import load_game
from triclinium.games.evangelists.rules.actions.interview import BLACK, WHITE, AskAfter
from triclinium.games.evangelists.rules.state import Evangelists

GAME = load_game("evangelists")


def set_up_draw(seed: int) -> Evangelists:
    """Return a match that waits for a cube."""
    s, rng = GAME.deal(2, seed, chance=True), Rng(seed)
    while s.who != CHANCE:
        s.choose(rng.pick(s.legal))
    assert isinstance(s, Evangelists)
    return s


def test_a_cube_is_drawn_at_a_chance_step() -> None:
    """AE-7.2  White and black have the probabilities of the bag. The witness lives or dies, and the match continues."""
    s = set_up_draw(3)
    step = s.asked
    assert isinstance(step, AskAfter)
    assert GAME.outcomes(s) == [(WHITE, s.bag_white), (BLACK, s.bag_black)]
    for cube in (WHITE, BLACK):
        t = s.clone()
        t.choose(cube)
        assert (t.alive >> step.witness) & 1 == int(cube == WHITE)
        assert (t.dead >> step.witness) & 1 == int(cube == BLACK)
        assert t.who >= 0
        assert (t.bag_white, t.undo_barrier) == (s.bag_white - int(cube == WHITE), s.undo_barrier + 1)


def test_an_empty_half_of_the_bag_is_no_outcome() -> None:
    """AE-R19  White cubes leave the game from round to round."""
    s = set_up_draw(3)
    s.bag_white = 0
    assert GAME.outcomes(s) == [(BLACK, s.bag_black)]


def test_the_generator_gives_the_same_draws_as_before() -> None:
    """Records do not store outcomes. A number below the count of white cubes means white."""
    s = set_up_draw(3)
    step = s.asked
    assert isinstance(step, AskAfter)
    for seed in range(20):
        s.rng, same = Rng(seed), Rng(seed)
        white = same.below(s.bag_white + s.bag_black) < s.bag_white
        assert step.draw(s) == (WHITE if white else BLACK)
        assert s.rng.state_key() == same.state_key()
