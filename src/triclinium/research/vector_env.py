"""Gymnasium vector environments for one seat in each of many matches, based on `Batch`. Bots play the other seats.

Gymnasium's `make_vec` creates one:

    import triclinium.research.gymnasium
    envs = gymnasium.make_vec("triclinium/Evangelists-2-v0", num_envs=64, rivals="greedy")
"""

from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from typing import Any, Self

from triclinium.boardkit.text_table import format_game_table
from triclinium.bots import Bot, choose_option, create_bot
from triclinium.bots.seeds import derive_seed
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import SEED_LIMIT, Rng
from triclinium.engine.core.state import NOBODY, Option
from triclinium.engine.extras import name_extra
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.research.batch import Batch, build_mask
from triclinium.research.episodes import replay_options
from triclinium.research.gymnasium import NOT_RESET, PENALTY, read_seat_option, try_action

with name_extra("research", "triclinium.research.vector_env"):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

RIVAL_SEED_STREAM = 1  # distinguishes this random stream from that of the match itself


class SingleSeatVectorEnv(VectorEnv):
    """A vector environment of ``num_envs`` matches with the rules of `SingleSeatEnv`.

    Every match has a random seat and random opponents. Actions number seats from the own seat. ``info["action_mask"]``
    has a row of flags for each match, and ``info["seat"]`` has the own seats. A match that ends is replaced by the next
    one in the same step. Then ``info["final_obs"]`` is the last observation of the seat. The seed and k determine match
    k with its seat and its opponents.
    """

    # the type that Gymnasium declares
    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        seats: int,
        num_envs: int = 1,
        rivals: str = "greedy",
        variants: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = load_game(game) if isinstance(game, str) else game
        self.game.check_seats(seats)
        self.seats = seats
        self.num_envs = num_envs
        self.base_seed = -1  # the seed of all matches; -1 before the first deal
        self.variants = variants
        self.render_mode = render_mode
        self._pool: list[Bot] = [create_bot(name.strip(), self.game) for name in rivals.split(",")]
        notation = self.game.notation
        self._relative_options = np.zeros((seats, notation.size), np.int16)
        for seat in range(seats):
            for o in notation.all_options():
                self._relative_options[seat, o] = notation.rotate_option(o, seat, seats)
        self.single_action_space = spaces.Discrete(notation.size)
        self.single_observation_space = spaces.Box(0, 255, (self.game.encoding.width(seats),), np.uint8)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Deal all matches. ``options`` may name the ``seat`` for every match, and ``variants``."""
        super().reset(seed=seed)
        reset_options = options or {}
        self.base_seed = int(self.np_random.integers(SEED_LIMIT))
        self._requested_seat = read_seat_option(reset_options, self.seats)
        self._dealt_variants = reset_options.get("variants", self.variants)
        self.batch = Batch(self.game, self.seats, self.num_envs, self.base_seed, self._dealt_variants)
        self._seat = np.zeros(self.num_envs, np.int64)
        self._rivals: list[list[Bot]] = [[]] * self.num_envs
        self._rng = [Rng(0)] * self.num_envs
        self._match_numbers = list(range(self.num_envs))  # the number of each match in the sequence of all matches
        self._options: list[list[Option]] = [[] for _ in range(self.num_envs)]
        for i in range(self.num_envs):
            self._start_match(i, i)
        return self._build_observations(), self._build_info()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        if self.base_seed < 0:
            raise BadSetup(NOT_RESET)
        batch, more = self.batch, dict[str, Any]()
        rewards, ended = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        if len(actions) != self.num_envs:
            raise BadSetup(f"each of {self.num_envs} matches needs an action, but {len(actions)} were given")
        batch.finished, batch.final_states = [], []
        for i, action in enumerate(actions):
            before = len(batch.finished)
            refused = try_action(self.game, batch.states[i], partial(self._play_action, i), int(action))
            if refused:
                rewards[i] = PENALTY
                self._add_info(more, {"refused": refused}, i)
                continue
            self._let_rivals_play(i, before)
            if len(batch.finished) > before:
                ended[i] = True
                rewards[i] = batch.finished[before][1][self._seat[i]] - 1 / self.seats
                final = self.game.observe(batch.final_states[before], int(self._seat[i]))
                self._add_info(more, {"final_obs": np.frombuffer(bytearray(final), np.uint8)}, i)
                self._start_match(i, batch.deal_count - 1)
        return self._build_observations(), rewards, ended, np.zeros(self.num_envs, np.bool_), self._build_info() | more

    def render(self) -> tuple[str, ...]:
        """Return every table as plain text, as its seat sees it."""
        reader = self.game.words.reader()
        views = [self.game.view(s, int(seat)) for s, seat in zip(self.batch.states, self._seat, strict=True)]
        return tuple(format_game_table(self.game, view, reader) for view in views)

    def _start_match(self, i: int, k: int) -> None:
        """Draw the seat and the opponents of match number k at index i, and play until the seat is asked."""
        while True:
            rng = self._rng[i] = Rng(derive_seed(self.base_seed, k, RIVAL_SEED_STREAM))
            self._seat[i] = rng.below(self.seats) if self._requested_seat == NOBODY else self._requested_seat
            self._rivals[i] = [self._pool[rng.below(len(self._pool))] for _ in range(self.seats)]
            before = len(self.batch.finished)
            self._let_rivals_play(i, before)
            if len(self.batch.finished) == before:
                return
            k = self.batch.deal_count - 1  # The match ended before the seat was asked. Continue with the next match.

    def _let_rivals_play(self, i: int, ended: int) -> None:
        """Let the opponents play until the seat is asked or the match has ended."""
        batch, seat = self.batch, self._seat[i]
        while len(batch.finished) == ended and batch.states[i].who != seat:
            s = batch.states[i]
            self._play_action(i, choose_option(self._rivals[i][s.who], s, self._rng[i]))

    def _play_action(self, i: int, o: Option) -> None:
        if self.batch.choose_in_match(i, o):
            self._match_numbers[i], self._options[i] = self.batch.deal_count - 1, []
        else:
            self._options[i].append(o)

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        other = type(self).__new__(type(self))
        memo[id(self)] = other
        other.__dict__.update({name: deepcopy(value, memo) for name, value in self.__dict__.items()})
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Pickle each match as its number and the options that were played."""
        state = {name: value for name, value in self.__dict__.items() if name != "batch"}
        return state | {"_dealt": self.batch.deal_count} if self.base_seed >= 0 else state

    def __setstate__(self, state: dict[str, Any]) -> None:
        dealt = state.pop("_dealt", None)
        self.__dict__.update(state)
        if dealt is not None:
            self.batch = Batch(self.game, self.seats, self.num_envs, self.base_seed, self._dealt_variants)
            for i, (number, options) in enumerate(zip(self._match_numbers, self._options, strict=True)):
                self.batch.states[i] = replay_options(
                    self.game, self.seats, derive_seed(self.base_seed, number), self._dealt_variants, options
                )
            self.batch.deal_count = dealt

    def _build_observations(self) -> NDArray[np.uint8]:
        return self.batch.observations().copy()  # torch needs a writable array, and the batch's own array is read-only

    def _build_info(self) -> dict[str, Any]:
        ends, options = self.batch.options()
        relative_options = self._relative_options[np.repeat(self._seat, np.diff(ends, prepend=0)), options]
        every = np.ones(self.num_envs, np.bool_)
        mask = build_mask(ends, relative_options, self.game.notation.size).astype(np.int8)
        return {"action_mask": mask, "_action_mask": every, "seat": self._seat.copy(), "_seat": every.copy()}
