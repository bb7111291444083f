"""PettingZoo environments (AEC) for all games.

    env = triclinium.research.pettingzoo.env("evangelists", seats=3)

No game has simultaneous decisions, so there is no parallel environment.
"""

from collections.abc import Mapping
from secrets import randbelow
from typing import Any

from triclinium.boardkit.text_table import format_game_table
from triclinium.bots.seeds import derive_seed
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import SEED_LIMIT
from triclinium.engine.extras import name_extra
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.research.episodes import Episode, check_reset_options

with name_extra("research", "triclinium.research.pettingzoo"):
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv

Observation = dict[str, NDArray[Any]]


def env(game: Game | str, seats: int | None = None, variants: Mapping[str, object] | None = None) -> "TurnBasedEnv":
    """Return an environment for a game. The default number of seats is the smallest."""
    loaded_game = load_game(game) if isinstance(game, str) else game
    return TurnBasedEnv(loaded_game, loaded_game.seats[0] if seats is None else seats, variants)


class TurnBasedEnv(Episode, AECEnv):
    """An AEC environment. Actions are options with seats numbered from the asked seat (`Notation.rotate_option`).

    An option that is not legal raises Refused. Rewards come at the end only: the share of the win minus the share of an
    average seat.
    """

    def __init__(self, game: Game, seats: int, variants: Mapping[str, object] | None) -> None:
        super().__init__()
        game.check_seats(seats)
        self.game = game
        self.seats = seats
        self.variants = variants
        self.metadata = {"name": f"triclinium_{game.id}_v0", "is_parallelizable": False, "render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        options, width = game.notation.size, game.encoding.width(seats)
        self._action_space = {agent: spaces.Discrete(options) for agent in self.possible_agents}
        self._observation_space = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, (width,), np.uint8),
                    "action_mask": spaces.Box(0, 1, (options,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._empty_mask = np.zeros(options, np.int8)
        self._names_seats = game.notation.names_seats
        self._seed = randbelow(SEED_LIMIT)
        self._deal_count = 0
        self.agent_selection = ""  # empty until a match is dealt

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_space[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_space[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a match. ``options={"variants": {...}}`` changes the variants.

        Without a seed, deal the next match of the previous seed.
        """
        if seed is not None:
            self._seed, self._deal_count = seed, 0
        check_reset_options(options or {}, ("variants", "options"))  # PettingZoo's own test passes "options"
        variants = (options or {}).get("variants", self.variants)
        self.deal_match(derive_seed(self._seed, self._deal_count), variants)
        self._deal_count += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.match.who]

    def observe(self, agent: str) -> Observation:
        seat, s = self._seat_of[agent], self.match
        mask = self._empty_mask.copy()
        if s.who == seat:
            mask[self._relative_options(s.legal, seat) if self._names_seats else s.legal] = 1
        return {"observation": np.frombuffer(bytearray(self.game.observe(s, seat)), np.uint8), "action_mask": mask}

    def _relative_options(self, legal: list[int], seat: int) -> list[int]:
        turn = self.game.notation.rotate_option
        return [turn(o, seat, self.seats) for o in legal]

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if not agent:
            raise BadSetup("no match has been dealt yet; call reset before the first step")
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        s = self.match
        o = int(action)
        self.play_option(self.game.notation.rotate_option_back(o, s.who, self.seats) if self._names_seats else o)
        self._cumulative_rewards[agent] = 0.0
        if not s.over:
            self.agent_selection = self.possible_agents[s.who]
            return
        for agent_name, share in zip(self.possible_agents, self.game.returns(s), strict=True):
            self.rewards[agent_name] = share - 1 / self.seats
            self._cumulative_rewards[agent_name] += self.rewards[agent_name]
            self.terminations[agent_name] = True
        self.agent_selection = self.possible_agents[0]

    def state(self) -> NDArray[Any]:
        """Return the joined observations of all seats, for critics that may see everything."""
        rows = b"".join(self.game.observe(self.match, seat) for seat in range(self.seats))
        return np.frombuffer(rows, np.uint8)

    def render(self) -> str:
        """Return the table as plain text, as a spectator sees it."""
        return format_game_table(self.game, self.game.view(self.match, None), self.game.words.reader())

    def close(self) -> None:
        """Do nothing, because no resources are open."""
