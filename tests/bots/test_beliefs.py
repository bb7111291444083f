"""Tests of `bench.beliefs`: worlds with exchanged cards, and what the weights of worlds say."""

import math

import pytest

from bench.beliefs import Moment, exchange_cards, list_hidden_places, measure_bits, open_hands, weigh_worlds
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.state import State
from triclinium.engine.registry import load_game

GAMES = pytest.mark.parametrize("id", ["portals", "missionnaires"])


def play(id: str, options: int) -> tuple[State, State]:
    """Return a position of a match, and a later one."""
    s, rng = load_game(id).deal(3, 5), Rng(6)
    rollout(s, rng, options)
    before = s.clone()
    while s.who == before.who:
        rollout(s, rng, 1)
    return before, s


@GAMES
@pytest.mark.parametrize("options", [5, 25, 60])
def test_a_world_of_now_gives_a_world_of_then(id: str, options: int) -> None:
    """In an earlier position, the exchanged cards change nothing that the seat saw, but the hands of its rivals."""
    game = load_game(id)
    before, now = play(id, options)
    seat = now.who
    deal = list_hidden_places(now.resample(seat, Rng(7)), seat)
    cards = dict(zip(list_hidden_places(now, seat), deal, strict=True))
    assert sorted(cards) == sorted(cards.values())
    then = exchange_cards(before, seat, cards)
    assert then.who == before.who
    assert game.observe(then, seat) == game.observe(before, seat)
    assert game.observe(then, before.who) != game.observe(before, before.who)
    assert exchange_cards(now, seat, {}).digest() == now.digest()


@GAMES
def test_open_hands_show_what_the_rivals_hold(id: str) -> None:
    """A possible world keeps the hands that the seat has seen."""
    _, s = play(id, 25)
    rivals = [seat for seat in range(s.seats) if seat != s.who]
    game, world = load_game(id), open_hands(s).resample(s.who, Rng(8))
    hidden = s.resample(s.who, Rng(8))
    for rival in rivals:
        assert game.evaluator.features(world, rival) == game.evaluator.features(open_hands(s), rival)
    assert any(game.observe(hidden, rival) != game.observe(s, rival) for rival in rivals)


def test_bits_compare_the_true_world_with_all() -> None:
    assert measure_bits([0.0] * 8, 1.0) == pytest.approx((0.0, 1.0))
    assert measure_bits([0.0, -50.0, -50.0, -50.0], 1.0) == pytest.approx((2.0, 0.25))
    assert measure_bits([0.0, -50.0, -50.0, -50.0], 0.0) == pytest.approx((0.0, 1.0))
    assert measure_bits([-2.0, 0.0], 1.0)[0] == pytest.approx(math.log2(2 / (1 + math.exp(2))))


def test_a_world_in_which_the_choice_was_best_weighs_more() -> None:
    """The rival took its second option, which is best in the first world and does not exist in the third."""
    moment = Moment([[[0.0, 4.0], [4.0, 0.0], [1.0]]], [[1, 1, -1]])
    first, second, third = weigh_worlds(moment, 2.0)
    assert first - second == pytest.approx(2.0)
    assert third < second
