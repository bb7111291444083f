"""Tests that batched matches equal single matches."""

from typing import Any

import numpy as np
import pytest

from tests.research.sampled_worlds import GAMES
from tests.slow import slow
from triclinium.bots.seeds import derive_seed
from triclinium.engine.core.errors import BadSetup, Refused
from triclinium.engine.game import Game
from triclinium.research.batch import Batch, draw_options
from triclinium.research.worker_pool import WorkerPool


@pytest.mark.parametrize("steps", [60, slow(1000)])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_batch_plays_what_single_matches_play(game: Game, steps: int) -> None:
    """Rows, asked seats, options, ends and next deals have the same digests at every step."""
    seats, n = game.seats[0], 3
    batch, rng = Batch(game, seats, n, seed=5), np.random.default_rng(5)
    single = [game.deal(seats, derive_seed(5, k)) for k in range(n)]
    dealt = n
    for _ in range(steps):
        rows, mask = batch.observations(), batch.mask()
        ends, options = batch.options()
        packed = np.unpackbits(batch.packed_mask(), axis=1, bitorder="little")[:, : mask.shape[1]]
        assert np.array_equal(packed, mask)
        for i, s in enumerate(single):
            assert bytes(rows[i]) == game.observe(s, s.who)
            assert np.flatnonzero(mask[i]).tolist() == s.legal
        assert batch.acting_seats().tolist() == [s.who for s in single]
        chosen = draw_options(ends, options, rng)
        batch.step(chosen)
        ended = []
        for i, o in enumerate(chosen):
            single[i].play(o)
            if single[i].over:
                ended.append((i, game.returns(single[i])))
                single[i] = game.deal(seats, derive_seed(5, dealt))
                dealt += 1
        assert batch.finished == ended
    assert [s.digest() for s in batch.states] == [s.digest() for s in single]


def test_illegal_options_are_refused_with_their_rule() -> None:
    batch = Batch("evangelists", 2, 2, seed=1)
    with pytest.raises(Refused):
        batch.step([293, 293])


@pytest.mark.parametrize(("processes", "steps"), [(1, 60), slow(3, 1000)])
def test_a_worker_pool_is_a_batch_in_several_processes(processes: int, steps: int) -> None:
    """Several processes play the same matches as one batch, in the same rows, and report their errors."""
    n = 4
    alone = [Batch("evangelists", 2, n, 9, first=p, stride=processes) for p in range(processes)]
    rng = np.random.default_rng(9)
    with WorkerPool("evangelists", 2, n, 9, processes=processes) as farm:
        for _ in range(steps):
            assert np.array_equal(farm.observations(), np.concatenate([batch.observations() for batch in alone]))
            assert np.array_equal(farm.mask(), np.concatenate([batch.mask() for batch in alone]))
            assert farm.acting_seats().tolist() == [s.who for batch in alone for s in batch.states]
            chosen = draw_options(*farm.options(), rng)
            farm.step(chosen)
            for p, batch in enumerate(alone):
                batch.step(chosen[p * n : (p + 1) * n])
            assert [one for _, one in farm.ended] == [one for batch in alone for _, one in batch.finished]
        every = processes * n
        with pytest.raises(BadSetup, match=f"each of {every} matches needs an option, but 1 were given"):
            farm.step([1])
        before = farm.observations().copy()
        with pytest.raises(Refused, match=r"option 293: .* \(K-1\)"):
            farm.step([293] * every)
        assert np.array_equal(farm.observations(), before)
        farm.step(np.array(draw_options(*farm.options(), rng)))  # it continues, and accepts arrays too
        assert not np.array_equal(farm.observations(), before)


def test_an_impossible_worker_pool_is_refused() -> None:
    """A worker pool with wrong arguments is refused before any process starts."""
    given: dict[str, Any] = {"game": "evangelists", "seats": 2, "n": 1, "seed": 1, "processes": 1}
    wrongs: list[dict[str, Any]] = [{"seats": 9}, {"n": 0}, {"processes": 0}, {"variants": {"memory": True}}]
    for wrong in wrongs:
        with pytest.raises(BadSetup, match=r"9 \(AE-2\.1\)|at least one match|did you mean 'memory_aid'"):
            WorkerPool(**given | wrong)


def test_a_batch_is_given_an_option_for_each_match() -> None:
    with pytest.raises(BadSetup, match="a batch has at least one match, not 0"):
        Batch("evangelists", 2, 0, 1)
    batch = Batch("evangelists", 2, 2, 1)
    with pytest.raises(BadSetup, match="each of 2 matches needs an option, but 1 were given"):
        batch.step([1])
    batch.step(batch.options()[1][:1].repeat(2))  # An array is accepted too.
