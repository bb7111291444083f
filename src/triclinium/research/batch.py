"""Batched play: many matches at once, with observations and options as arrays."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from triclinium.bots import create_bot
from triclinium.bots.seeds import derive_seed
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.lockstep import BatchRival, Lockstep
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.extras import name_extra
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.research.rivals import make_rival

with name_extra("research", "triclinium.research.batch"):
    import numpy as np
    from numpy.typing import NDArray

RIVAL_SEED_STREAM: Final = 1  # distinguishes this random stream from that of the match itself


class OptionPositions(NamedTuple):
    """The positions after all legal options of all matches, one row for each option, in the order of `Batch.options`.

    Rows that were not asked for are empty.
    """

    observations: NDArray[np.uint8]  # the position as the asked seat knows it
    features: NDArray[np.float32]  # by option, seat (the asked one first) and feature
    win_shares: NDArray[np.float32]  # the asked seat's share of the win, or -1 if the match goes on


class Batch(Lockstep):
    """A batch of matches: ``Batch("evangelists", seats=2, n=64, seed=1)``.

    `step`, `observe`, `asked_seats` and `legal_options` are compiled. Match number k has the seed ``derive_seed(seed,
    k)`` on every machine. A match that ends is replaced by the next one. `finished` lists the matches that ended in the
    last step, with each seat's share of the win. ``first`` and ``stride`` select a part of the matches, so that several
    processes can share one sequence.

    With ``rivals`` (bot names, separated by commas), only one seat of each match is asked: ``seat``, or a random one.
    Randomly chosen bots from this list play the other seats inside `step`. `own_seats` lists the asked seats. The bots
    that do not search are compiled.
    """

    def __init__(
        self,
        game: Game | str,
        seats: int,
        n: int,
        seed: int,
        variants: Mapping[str, object] | None = None,
        first: int = 0,
        stride: int = 1,
        rivals: str = "",
        seat: Seat = NOBODY,
    ) -> None:
        self.game = load_game(game) if isinstance(game, str) else game
        if n < 1:
            raise BadSetup(f"a batch has at least one match, not {n}")
        self.game.check_seats(seats)
        if not NOBODY <= seat < seats:
            raise BadSetup(f"seats are 0 to {seats - 1}; there is no seat {seat}")
        self.seats = seats
        self.n = n
        deal = partial(_deal_match, self.game, seats, seed, variants, first, stride)
        assign = None
        if rivals:
            pool = [make_rival(create_bot(name.strip(), self.game)) for name in rivals.split(",")]
            assign = partial(_assign_seats, pool, seats, seat, seed, first, stride)
        super().__init__(deal, self.game.required_observer, self.game.evaluator, n, assign)
        self._setup = (self.game, seats, n, seed, variants, first, stride, rivals, seat)

    def __deepcopy__(self, memo: object) -> "Batch":
        other = Batch(*self._setup)
        other.states = [s.clone() for s in self.states]
        other.deal_count = self.deal_count
        other.own_seats, other.match_numbers = list(self.own_seats), list(self.match_numbers)
        other.rivals = [list(rivals) for rivals in self.rivals]
        other.rival_rngs = [rng.copy() for rng in self.rival_rngs]
        other.played = [list(options) for options in self.played]
        other.finished = [(i, list(returns)) for i, returns in self.finished]
        other.final_states = [s.clone() for s in self.final_states]
        return other

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a batch is not pickled; deal it again from its seed, or pickle the environment")

    def assign_match_seats(self, k: int) -> tuple[Seat, list[BatchRival], Rng]:
        """Return the seat of match number k that is asked, the rival of each seat, and the rivals' random stream."""
        if self.assign_seats is None:
            raise BadSetup("this batch has no rivals")
        return self.assign_seats(k)

    def step(self, options: list[Option] | NDArray[Any]) -> None:
        """Choose one option in every match. Raise Refused at the first option that is not legal."""
        if len(options) != self.n:
            raise BadSetup(f"each of {self.n} matches needs an option, but {len(options)} were given")
        super().step(options if isinstance(options, list) else options.tolist())

    def observations(self) -> NDArray[np.uint8]:
        """Return the observations as n read-only rows, each as its asked seat knows the match."""
        return np.frombuffer(self.observe(), np.uint8).reshape(self.n, -1)

    def acting_seats(self) -> NDArray[np.uint8]:
        """Return the asked seat of each match."""
        return np.frombuffer(self.asked_seats(), np.uint8)

    def options(self) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
        """Return the end index of each match's options in the list of all options, and that list."""
        ends, options = self.legal_options()
        return np.frombuffer(ends, np.int32), np.frombuffer(options, np.int16)

    def positions_after(self, rng: Rng, observations: bool = True, features: bool = True) -> OptionPositions:
        """Return the positions after all legal options, as the asked seats imagine them.

        Each match is resampled for its asked seat, and all its options are tried in this possible world. What an
        option reveals is therefore only a guess, and no row depends on hidden information.
        """
        rows, numbers, shares = self.look_after_options(rng, observations, features)
        win_shares = np.frombuffer(shares, np.float32)
        count, size = len(win_shares), len(self.game.weights.values)
        return OptionPositions(
            np.frombuffer(rows, np.uint8).reshape(count if observations else 0, self.game.encoding.width(self.seats)),
            np.frombuffer(numbers, np.float32).reshape(count if features else 0, self.seats, size),
            win_shares,
        )

    def mask(self) -> NDArray[np.bool_]:
        """Return the legal options of each match as a row of flags."""
        return build_mask(*self.options(), self.game.notation.size)

    def packed_mask(self) -> NDArray[np.uint8]:
        """Return the mask as bits, for data sets: eight options in each byte, the first in bit 0."""
        return np.packbits(self.mask(), axis=1, bitorder="little")


def build_mask(ends: NDArray[Any], options: NDArray[Any], size: int) -> NDArray[np.bool_]:
    """Return lists of options as rows of flags."""
    counts = np.diff(ends, prepend=0)
    mask = np.zeros((len(ends), size), np.bool_)
    mask[np.repeat(np.arange(len(ends)), counts), options] = True
    return mask


def draw_options(ends: NDArray[Any], options: NDArray[Any], rng: np.random.Generator) -> list[int]:
    """Return a random legal option for each match. All are equally likely."""
    starts = np.empty_like(ends)
    starts[0] = 0
    starts[1:] = ends[:-1]
    picked: list[int] = options[(starts + rng.random(len(ends)) * (ends - starts)).astype(np.int64)].tolist()
    return picked


def _deal_match(
    game: Game, seats: int, seed: int, variants: Mapping[str, object] | None, first: int, stride: int, k: int
) -> State:
    return game.deal(seats, derive_seed(seed, first + stride * k), variants)


def _assign_seats(
    pool: Sequence[BatchRival], seats: int, seat: Seat, seed: int, first: int, stride: int, k: int
) -> tuple[Seat, list[BatchRival], Rng]:
    """Return the seat of a match that is asked, the rival of each seat, and the rivals' random stream."""
    rng = Rng(derive_seed(seed, first + stride * k, RIVAL_SEED_STREAM))
    own = rng.below(seats) if seat == NOBODY else seat
    return own, [pool[rng.below(len(pool))] for _ in range(seats)], rng
