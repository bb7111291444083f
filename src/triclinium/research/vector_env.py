"""Gymnasium vector environments for one seat in each of many matches, based on `Batch`. Bots play the other seats.

Gymnasium's `make_vec` creates one:

    import triclinium.research.gymnasium
    envs = gymnasium.make_vec("triclinium/Evangelists-2-v0", num_envs=64, rivals="greedy")
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Self

from triclinium.boardkit.text_table import format_game_table
from triclinium.bots import create_bot
from triclinium.bots.seeds import derive_seed
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import SEED_LIMIT
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

UNKNOWN_OPTION = -1  # the option of an action number that belongs to no option


class SingleSeatVectorEnv(VectorEnv):
    """A vector environment of ``num_envs`` matches with the rules of `SingleSeatEnv`.

    Every match has a random seat and random opponents. Actions number seats from the learner's seat.
    ``info["action_mask"]`` has a row of flags for each match, and ``info["seat"]`` has the learner's seats. A match
    that ends is replaced by the next one in the same step. Then ``info["final_obs"]`` is the last observation of the
    seat. The seed and k determine match k with its seat and its opponents.
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
        self.rivals = rivals
        for name in rivals.split(","):
            create_bot(name.strip(), self.game)  # raises errors here instead of in `reset`
        notation = self.game.notation
        # converts options of each seat to numbers of seats counted from it, and back
        self._relative_options = np.zeros((seats, notation.size), np.int16)
        self._absolute_options = np.full((seats, notation.size), UNKNOWN_OPTION, np.int64)
        for seat in range(seats):
            for o in notation.all_options():
                self._relative_options[seat, o] = notation.rotate_option(o, seat, seats)
                self._absolute_options[seat, self._relative_options[seat, o]] = o
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
        self.batch = self._deal_batch()
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
        asked = batch.own_seats.copy()
        chosen = np.asarray(actions, np.int64)
        known = (chosen >= 0) & (chosen < self.game.notation.size)
        options = np.where(known, self._absolute_options[asked, np.where(known, chosen, 0)], UNKNOWN_OPTION)
        for i in batch.step_legal(options.tolist()):
            rewards[i] = PENALTY
            reason = try_action(self.game, batch.states[i], batch.states[i].play, int(chosen[i]))
            self._add_info(more, {"refused": reason}, i)
        for (i, returns), final in zip(batch.finished, batch.final_states, strict=True):
            ended[i] = True
            rewards[i] = returns[asked[i]] - 1 / self.seats
            row = np.frombuffer(bytearray(self.game.observe(final, asked[i])), np.uint8)
            self._add_info(more, {"final_obs": row}, i)
        return self._build_observations(), rewards, ended, np.zeros(self.num_envs, np.bool_), self._build_info() | more

    def render(self) -> tuple[str, ...]:
        """Return every table as plain text, as its seat sees it."""
        reader = self.game.words.reader()
        views = [self.game.view(s, seat) for s, seat in zip(self.batch.states, self.batch.own_seats, strict=True)]
        return tuple(format_game_table(self.game, view, reader) for view in views)

    def _deal_batch(self) -> Batch:
        setup = (self.game, self.seats, self.num_envs, self.base_seed, self._dealt_variants)
        return Batch(*setup, rivals=self.rivals, seat=self._requested_seat)

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        other = type(self).__new__(type(self))
        memo[id(self)] = other
        other.__dict__.update({name: deepcopy(value, memo) for name, value in self.__dict__.items()})
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Pickle each match as its number and the options that were played."""
        state = {name: value for name, value in self.__dict__.items() if name != "batch"}
        if self.base_seed >= 0:
            batch = self.batch
            state["_matches"] = (batch.deal_count, batch.match_numbers, batch.played, batch.rival_rngs)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        matches = state.pop("_matches", None)
        self.__dict__.update(state)
        if matches is not None:
            batch = self.batch = self._deal_batch()
            batch.deal_count, batch.match_numbers, batch.played, rngs = matches
            for i, (number, options) in enumerate(zip(batch.match_numbers, batch.played, strict=True)):
                batch.own_seats[i], batch.rivals[i], _ = batch.assign_match_seats(number)
                batch.states[i] = replay_options(
                    self.game, self.seats, derive_seed(self.base_seed, number), self._dealt_variants, options
                )
            batch.rival_rngs = rngs

    def _build_observations(self) -> NDArray[np.uint8]:
        return self.batch.observations().copy()  # torch needs a writable array, and the batch's own array is read-only

    def _build_info(self) -> dict[str, Any]:
        ends, options = self.batch.options()
        seats = np.array(self.batch.own_seats)
        relative_options = self._relative_options[np.repeat(seats, np.diff(ends, prepend=0)), options]
        every = np.ones(self.num_envs, np.bool_)
        mask = build_mask(ends, relative_options, self.game.notation.size).astype(np.int8)
        return {"action_mask": mask, "_action_mask": every, "seat": seats, "_seat": every.copy()}
