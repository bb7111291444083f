"""Tests of the positions after options in a batch, and of rivals inside it."""

import copy

import numpy as np
import pytest

from tests.matches import list_our_games
from tests.slow import slow
from triclinium.bots import choose_option, create_bot
from triclinium.bots.core.rivals import EvaluatingRival, RandomRival
from triclinium.bots.seeds import derive_seed
from triclinium.engine.core.errors import BadSetup, Refused
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.research.batch import RIVAL_SEED_STREAM, Batch, draw_options
from triclinium.research.rivals import BotRival, make_rival

GAMES = list_our_games()
QUICK = ("random", "novice", "casual", "greedy", "steady", "steady+plain")
FAST = {("missionnaires", "greedy"), ("evangelists", "steady"), ("testoftime", "casual")}
CASES = [
    (game, name) if (game.id, name) in FAST else slow(game, name, id=f"{game.id}-{name}")
    for game in GAMES
    for name in QUICK
]


@pytest.mark.parametrize(("game", "name"), CASES, ids=lambda value: getattr(value, "id", value))
def test_a_compiled_rival_chooses_as_its_bot(game: Game, name: str) -> None:
    """Both use the same number of random draws, even if a ruling decides or bots avoid an option."""
    bot = create_bot(name, game)
    rival = make_rival(bot)
    assert isinstance(rival, RandomRival if name == "random" else EvaluatingRival)
    s, first, second = game.deal(game.seats[0], 3), Rng(3), Rng(3)
    for _ in range(150):
        if s.over:
            break
        o = rival.choose(s, first)
        assert o == choose_option(bot, s, second)
        assert first.state_key() == second.state_key()
        s.choose(o)


def test_other_bots_are_rivals_too() -> None:
    game = GAMES[0]
    rival = make_rival(create_bot("strong@2x", game))
    assert isinstance(rival, BotRival)
    s = game.deal(game.seats[0], 1)
    assert rival.choose(s, Rng(1)) == choose_option(create_bot("strong@2x", game), s, Rng(1))


@pytest.mark.parametrize("seat", [-1, 1])
def test_a_batch_with_rivals_asks_one_seat(seat: int) -> None:
    """The batch plays the same matches as `choose_option` with the same streams, and lists every match that ends."""
    game, seed, n = GAMES[0], 4, 3
    seats = game.seats[0]
    batch, rng = Batch(game, seats, n, seed, rivals="greedy,random", seat=seat), np.random.default_rng(4)
    bots = [create_bot(name, game) for name in ("greedy", "random")]
    matches = [game.deal(seats, derive_seed(seed, k)) for k in range(n)]
    assigned = [batch.assign_match_seats(k) for k in range(n)]
    rngs = [Rng(derive_seed(seed, k, RIVAL_SEED_STREAM)) for k in range(n)]
    own, rivals = [], []
    for k in range(n):
        own.append(rngs[k].below(seats) if seat < 0 else seat)
        rivals.append([bots[rngs[k].below(2)] for _ in range(seats)])
    assert own == [one for one, _, _ in assigned] == batch.own_seats
    for i, o in enumerate(draw_options(*batch.options(), rng)):
        s = matches[i]
        while s.who != own[i]:
            s.choose(choose_option(rivals[i][s.who], s, rngs[i]))
        assert s.digest() == batch.states[i].digest()
        s.play(o)
        while s.who != own[i] and not s.over:
            s.choose(choose_option(rivals[i][s.who], s, rngs[i]))
    batch.step(draw_options(*batch.options(), np.random.default_rng(4)))
    assert [s.digest() for s in matches] == [s.digest() for s in batch.states]
    ended = 0
    for _ in range(300):
        batch.step(draw_options(*batch.options(), rng))
        ended += len(batch.finished)
        assert batch.acting_seats().tolist() == batch.own_seats
        assert all(sum(returns) == pytest.approx(1) for _, returns in batch.finished)
        assert all(s.over for s in batch.final_states)
    assert ended == batch.deal_count - n > 0
    assert sorted(batch.match_numbers) == sorted(set(batch.match_numbers))


def test_a_batch_with_rivals_is_copied() -> None:
    batch, rng = Batch("portals", 2, 3, 1, rivals="greedy"), np.random.default_rng(1)
    for _ in range(40):
        batch.step(draw_options(*batch.options(), rng))
    other = copy.deepcopy(batch)
    for _ in range(5):
        options = draw_options(*batch.options(), rng)
        batch.step(options)
        other.step(options)
    assert [s.digest() for s in other.states] == [s.digest() for s in batch.states]
    assert (other.own_seats, other.match_numbers, other.played) == (batch.own_seats, batch.match_numbers, batch.played)


def test_a_batch_refuses_options_and_seats_that_do_not_exist() -> None:
    with pytest.raises(BadSetup, match="seats are 0 to 1; there is no seat 2"):
        Batch("evangelists", 2, 1, 1, rivals="greedy", seat=2)
    with pytest.raises(BadSetup, match="there is no bot 'gredy'"):
        Batch("evangelists", 2, 1, 1, rivals="gredy")
    with pytest.raises(BadSetup, match="this batch has no rivals"):
        Batch("evangelists", 2, 1, 1).assign_match_seats(0)
    batch = Batch("evangelists", 2, 2, 1, rivals="random")
    before = [s.digest() for s in batch.states]
    assert batch.step_legal([293, 293]) == [0, 1]
    assert [s.digest() for s in batch.states] == before
    with pytest.raises(Refused):
        batch.step([293, 293])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_positions_after_options_are_those_of_a_possible_world(game: Game) -> None:
    """Each row describes a clone of the resampled match after that option."""
    seats = game.seats[0]
    batch, rng = Batch(game, seats, 2, seed=6), np.random.default_rng(6)
    for _ in range(25):
        batch.step(draw_options(*batch.options(), rng))
    found, stream, row = batch.positions_after(Rng(6)), Rng(6), 0
    for s in batch.states:
        world = s.resample(s.who, stream)
        for o in s.legal:
            after = world.clone()
            after.choose(o)
            assert bytes(found.observations[row]) == game.observe(after, s.who)
            expected = [game.evaluator.features(after, (s.who + k) % seats) for k in range(seats)]
            assert found.features[row] == pytest.approx(np.array(expected), rel=1e-6)
            assert found.win_shares[row] == (game.returns(after)[s.who] if after.over else -1)
            row += 1
    assert row == len(found.win_shares) == len(found.features) == len(found.observations) == batch.options()[0][-1]
    bare = batch.positions_after(Rng(6), features=False)
    assert np.array_equal(bare.observations, found.observations)
    assert len(bare.features) == 0
    assert len(batch.positions_after(Rng(6), observations=False).observations) == 0


def test_positions_after_options_include_the_end_of_a_match() -> None:
    batch, rng, worlds = Batch("testoftime", 2, 4, seed=2), np.random.default_rng(2), Rng(2)
    seen = 0
    while seen < 3:
        shares = batch.positions_after(worlds, observations=False, features=False).win_shares
        ends, options = batch.options()
        chosen = draw_options(ends, options, rng)
        starts = np.concatenate([[0], ends[:-1]])
        rows = [
            int(start + np.flatnonzero(options[start:end] == o)[0])
            for start, end, o in zip(starts, ends, chosen, strict=True)
        ]
        asked = batch.acting_seats().tolist()
        batch.step(chosen)
        told = {i: returns[asked[i]] for i, returns in batch.finished}
        assert {i: shares[row] for i, row in enumerate(rows) if shares[row] >= 0} == told
        seen += len(told)


@pytest.mark.parametrize("game", [game for game in GAMES if game.has_secrets], ids=lambda game: game.id)
def test_positions_after_options_hide_what_the_seat_cannot_know(game: Game) -> None:
    """Every row is the same in another possible world that the asked seat cannot distinguish."""
    batch, rng = Batch(game, game.seats[-1], 4, seed=8), np.random.default_rng(8)
    different = 0
    for step in range(30):
        batch.step(draw_options(*batch.options(), rng))
        other = copy.deepcopy(batch)
        other.states = [s.resample(s.who, Rng(step)) for s in batch.states]
        different += [s.digest() for s in other.states] != [s.digest() for s in batch.states]
        here, there = batch.positions_after(Rng(9)), other.positions_after(Rng(9))
        assert np.array_equal(here.observations, there.observations)
        assert np.array_equal(here.features, there.features)
        assert np.array_equal(here.win_shares, there.win_shares)
    assert different == 30
