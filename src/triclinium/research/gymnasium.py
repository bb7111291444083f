"""Gymnasium environments for one seat of any game. Bots play the other seats.

Importing this module registers an environment for every game and number of seats:

    import triclinium.research.gymnasium
    env = gymnasium.make("triclinium/Evangelists-2-v0", rivals="steady")
    many = gymnasium.make_vec("triclinium/Evangelists-2-v0", num_envs=64, rivals="greedy")
"""

from collections.abc import Callable, Mapping
from typing import Any

from triclinium.boardkit.text_table import format_game_table
from triclinium.bots import Bot, choose_option, create_bot
from triclinium.engine.core.errors import BadNotation, BadSetup, Refused
from triclinium.engine.core.rng import SEED_LIMIT, Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.extras import name_extra
from triclinium.engine.game import Game
from triclinium.engine.registry import list_games as games
from triclinium.engine.registry import load_game
from triclinium.research.episodes import Episode, check_reset_options

with name_extra("research", "triclinium.research.gymnasium"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray

PENALTY = -0.01  # reward for an option that a rule refuses
NOT_RESET = "no match has been dealt yet; call reset before the first step"


class SingleSeatEnv(Episode, gymnasium.Env[NDArray[np.uint8], Any]):
    """An environment for a random seat against random opponents from ``rivals`` (bot names, separated by commas).

    Actions are options with seats numbered from the learner's seat. ``info["legal"]`` lists them. A refused option has
    a small negative reward and changes nothing, and ``info["refused"]`` gives the reason. The reward at the end is the
    share of the win minus the share of an average seat.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  # the type that Gymnasium declares

    def __init__(
        self,
        game: Game | str,
        seats: int,
        rivals: str = "greedy",
        variants: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = load_game(game) if isinstance(game, str) else game
        self.game.check_seats(seats)
        self.seats = seats
        self.variants = variants
        self.render_mode = render_mode
        self._pool: list[Bot] = [create_bot(name.strip(), self.game) for name in rivals.split(",")]
        self.action_space = spaces.Discrete(self.game.notation.size)
        self.observation_space = spaces.Box(0, 255, (self.game.encoding.width(seats),), np.uint8)
        self.seat: Seat = NOBODY

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        super().reset(seed=seed)
        generator = self.np_random
        seat, wanted = int(generator.integers(self.seats)), read_seat_option(options or {}, self.seats)
        self.seat = seat if wanted == NOBODY else wanted
        self._rivals = [self._pool[int(generator.integers(len(self._pool)))] for _ in range(self.seats)]
        self._rng = Rng(int(generator.integers(SEED_LIMIT)))
        variants = (options or {}).get("variants", self.variants)
        self.deal_match(int(generator.integers(SEED_LIMIT)), variants)
        self._let_rivals_play()
        return self._build_observation(), self._build_info()

    def step(self, action: Any) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        if self.seat == NOBODY:
            raise BadSetup(NOT_RESET)
        s = self.match
        refused = try_action(self.game, s, self.play_option, int(action))
        if refused:
            return self._build_observation(), PENALTY, False, False, self._build_info() | {"refused": refused}
        self._let_rivals_play()
        reward = self.game.returns(s)[self.seat] - 1 / self.seats if s.over else 0.0
        return self._build_observation(), reward, s.over, False, self._build_info()

    def render(self) -> str:
        """Return the table as plain text, as the seat sees it."""
        return format_game_table(self.game, self.game.view(self.match, self.seat), self.game.words.reader())

    def _let_rivals_play(self) -> None:
        s = self.match
        while not s.over and s.who != self.seat:
            self.play_option(choose_option(self._rivals[s.who], s, self._rng))

    def _build_observation(self) -> NDArray[np.uint8]:
        return np.frombuffer(bytearray(self.game.observe(self.match, self.seat)), np.uint8)

    def _build_info(self) -> dict[str, Any]:
        turn = self.game.notation.rotate_option
        return {"legal": [turn(o, self.seat, self.seats) for o in self.match.legal]}


def read_seat_option(options: Mapping[str, Any], seats: int) -> Seat:
    """Return the seat that the options of a reset name, or NOBODY. Raise BadSetup if an option does not exist."""
    check_reset_options(options, ("seat", "variants"))
    seat = options.get("seat")
    if seat is not None and (seat != int(seat) or not 0 <= seat < seats):
        raise BadSetup(f"seats are 0 to {seats - 1}; there is no seat {seat}")
    return NOBODY if seat is None else int(seat)


def try_action(game: Game, s: State, play: Callable[[Option], object], action: int) -> str:
    """Play an option that numbers seats from the asked one. Return "" or the reason for a refusal."""
    try:
        game.notation.verb_of(action)
        play(game.notation.rotate_option_back(action, s.who, s.seats))
    except Refused as refused:
        return game.words.format_refusal(refused, game.words.reader())
    except BadNotation as unknown:
        return str(unknown)
    return ""


def register_environments(game: Game) -> None:
    """Register ``triclinium/Evangelists-2-v0`` and the like for every number of seats of a game."""
    for seats in game.seats:
        gymnasium.register(
            f"triclinium/{game.id.capitalize()}-{seats}-v0",
            entry_point="triclinium.research.gymnasium:SingleSeatEnv",
            vector_entry_point="triclinium.research.vector_env:SingleSeatVectorEnv",
            kwargs={"game": game.id, "seats": seats},
            disable_env_checker=True,
            order_enforce=False,
        )


for _id in games():
    register_environments(load_game(_id))
