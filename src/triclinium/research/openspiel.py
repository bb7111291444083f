"""OpenSpiel games: importing this module registers every game that has an observer.

    import triclinium.research.openspiel
    game = pyspiel.load_game("triclinium_evangelists", {"players": 3})

Test of Time has neither chance nor secrets, and Kuhn poker lists its random outcomes. Both are exact in OpenSpiel. All
other games begin with one chance node of 1,024 seeds that determine everything else. Exact best response and expectimax
are meaningless for them. Search by information sets uses `resample` instead. ``variants`` is text such as
``deals:1;...``.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import CHANCE, NOBODY
from triclinium.engine.core.state import State as Position
from triclinium.engine.extras import name_extra
from triclinium.engine.game import Game as Rules
from triclinium.engine.registry import list_games, load_game
from triclinium.research.cfr import compute_points_above_mean
from triclinium.research.recall import Recall

with name_extra("openspiel", "triclinium.research.openspiel"):
    import numpy as np
    import pyspiel

SEEDS: Final = 1024
WORLD_SEEDS: Final = 1 << 30  # number of seeds for possible worlds
WIN: Final = "win"  # utility: share of the win minus the share of an average seat
POINTS: Final = "points"  # utility: points above those of an average seat
REGISTERED_GAMES: Final[dict[str, Rules]] = {}  # registered games by id
CHANCE_PLAYER: Final = int(pyspiel.PlayerId.CHANCE)
TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
MAX_POINTS: Final = 1000.0  # an upper limit for the points of any match


def make_game_type(rules: Rules) -> pyspiel.GameType:
    kind = pyspiel.GameType
    return kind(
        short_name=f"triclinium_{rules.id}",
        long_name=rules.words.reader().format_arg(rules.name),
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if rules.has_chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION
        if rules.has_secrets
        else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(rules.seats),
        min_num_players=min(rules.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": min(rules.seats), "utility": WIN, "variants": ""},
    )


class MatchSetup:
    """The settings of a match. All its states share them, and copies of a state do not copy them."""

    def __init__(self, rules: Rules, params: dict[str, Any]) -> None:
        self.rules = rules
        self.params = params
        self.seats = int(params.get("players", min(rules.seats)))
        rules.check_seats(self.seats)
        utility = params.get("utility", WIN)
        if utility not in (WIN, POINTS):
            raise BadSetup(f"utility is {WIN!r} or {POINTS!r}, not {utility!r}")
        self.by_points = utility == POINTS
        self.variants = rules.read_variants(_parse_variants(params.get("variants", "")))
        self.starts_with_seed = rules.has_chance and not rules.has_listed_chance  # the first node draws a seed
        self.start = None if self.starts_with_seed else self.deal(0)

    def deal(self, seed: int) -> Position:
        return self.rules.deal(self.seats, seed, self.variants, chance=self.rules.has_listed_chance)

    def compute_max_game_length(self) -> int:
        """Return the maximum number of decisions in a match with these seats and variants."""
        return self.rules.max_match_decisions(self.start or self.deal(0))

    def count_max_chance_outcomes(self) -> int:
        """Return the maximum number of outcomes of a chance node, taken from the first node."""
        if self.start is None:
            return SEEDS
        return max(self.start.legal) + 1 if self.start.who == CHANCE else 0


def _parse_variants(text: str) -> dict[str, str]:
    """Return variants by name from ``deals:1;open:on``.

    OpenSpiel's parameters allow neither commas nor equals signs.
    """
    variants: dict[str, str] = {}
    for part in filter(None, text.split(";")):
        name, colon, value = part.partition(":")
        if not colon:
            raise BadSetup(f"variants are written NAME:VALUE with ; between them, not {part!r}")
        variants[name.strip()] = value.strip()
    return variants


class Determinization(NamedTuple):
    """The start of a resampled world. Later actions are replayed from here instead of from the original deal."""

    s: Position
    recall: Recall  # all events that the players have seen in the original match
    action_count: int  # number of actions before the world was sampled


class ActionHistory:
    """A position and the actions that led to it. A copy clones the position, and a pickle stores the actions."""

    def __init__(
        self, setup: MatchSetup, s: Position | None, actions: list[int], world: Determinization | None = None
    ) -> None:
        self.setup = setup
        self.s = s
        self.actions = actions
        self.world = world

    def __deepcopy__(self, memo: object) -> "ActionHistory":
        return ActionHistory(self.setup, None if self.s is None else self.s.clone(), self.actions[:], self.world)

    def replay_recall(self, players: list[int]) -> Recall:
        """Return everything that these players have seen, by a replay."""
        setup, world = self.setup, self.world
        if world is not None:
            s, recall, first = world.s.clone(), world.recall.copy(), world.action_count
            s.events = []
        else:
            first = int(setup.starts_with_seed)
            s = setup.deal(self.actions[0] if setup.starts_with_seed else 0)
            recall = Recall(setup.rules, s, players)
        for action in self.actions[first:]:
            s.choose(action)
            recall.push(s)
        return recall

    def __reduce__(self) -> tuple[object, ...]:
        return (replay_actions, (self.setup.rules.id, self.setup.params, self.actions))

    def choose(self, action: int) -> None:
        if self.s is None:
            self.s = self.setup.deal(action)
        else:
            self.s.choose(action)
        self.actions.append(action)


def replay_actions(id: str, params: dict[str, Any], actions: list[int]) -> ActionHistory:
    """Return the history of these actions."""
    setup = MatchSetup(REGISTERED_GAMES[id], params)
    history = ActionHistory(setup, setup.start, [])
    for action in actions:
        history.choose(action)
    return history


class OpenSpielGame(pyspiel.Game):
    """An OpenSpiel game with its number of players, its utility and its variants."""

    rules: Rules
    kind: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = params or {}
        self.setup = MatchSetup(self.rules, parameters)
        most = MAX_POINTS if self.setup.by_points else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.notation.size,
            max_chance_outcomes=self.setup.count_max_chance_outcomes(),
            num_players=self.setup.seats,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.setup.compute_max_game_length(),
        )
        super().__init__(self.kind, info, parameters)

    def new_initial_state(self) -> "OpenSpielState":
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "OpenSpielObserver":
        return OpenSpielObserver(self, iig_obs_type)


class OpenSpielState(pyspiel.State):
    """An OpenSpiel state. It has no position before the seed is drawn."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        start = game.setup.start
        self.action_history = ActionHistory(game.setup, None if start is None else start.clone(), [])

    def current_player(self) -> int:
        s = self.action_history.s
        if s is None or s.who == CHANCE:
            return CHANCE_PLAYER
        return TERMINAL if s.who == NOBODY else s.who

    def _legal_actions(self, player: int) -> list[int]:
        s = self.action_history.s
        return s.legal if s is not None and s.who == player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        s = self.action_history.s
        if s is None:
            return [(seed, 1 / SEEDS) for seed in range(SEEDS)]
        outcomes = self.action_history.setup.rules.outcomes(s)
        total = sum(weight for _, weight in outcomes)
        return [(outcome, weight / total) for outcome, weight in outcomes]

    def _apply_action(self, action: int) -> None:
        self.action_history.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        s = self.action_history.s
        if player != CHANCE_PLAYER:
            return self.action_history.setup.rules.format_option(action)
        return f"seed {action}" if s is None else f"{s.asked.id} {action}"

    def is_terminal(self) -> bool:
        s = self.action_history.s
        return s is not None and s.over

    def returns(self) -> list[float]:
        s, setup = self.action_history.s, self.action_history.setup
        if s is None or not s.over:
            return [0.0] * setup.seats
        if setup.by_points:
            return compute_points_above_mean(setup.rules, s)
        return [share - 1 / setup.seats for share in setup.rules.returns(s)]

    def __str__(self) -> str:
        return " ".join(str(action) for action in self.action_history.actions)

    def information_state_text(self, player: int) -> str:
        """Return the information state: everything that the player has seen, by a replay of the match."""
        return (
            ""
            if self.action_history.s is None
            else self.action_history.replay_recall([player]).information_state(player)
        )

    def resample(self, player: int, seed: int) -> "OpenSpielState":
        """Return another possible world of this player, for search by information sets. Past events stay the same."""
        other = self.clone()
        assert isinstance(other, OpenSpielState)
        history = other.action_history
        if history.s is not None:
            recall = history.replay_recall(list(range(history.setup.seats)))
            history.s = history.s.resample(player, Rng(seed))
            history.world = Determinization(history.s.clone(), recall, len(history.actions))
        return other


def make_resampler(seed: int) -> Callable[[OpenSpielState, int], OpenSpielState]:
    """Return a resampler for OpenSpiel's ISMCTS: ``bot.set_resampler(make_resampler(seed))``.

    Every world gets its own random stream, derived from the seed.
    """
    rng = Rng(seed)
    return lambda state, player: state.resample(player, rng.below(WORLD_SEEDS))


class OpenSpielObserver:
    """An observer with OpenSpiel's interface: the observation as numbers, or all visible events as text."""

    def __init__(self, game: OpenSpielGame, kind: Any) -> None:
        self.game = game
        self.perfect_recall = kind is not None and kind.perfect_recall
        self.tensor = np.zeros(game.rules.encoding.width(game.setup.seats), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write the observation into the tensor. Raise BadSetup for an information state, which exists as text only."""
        if self.perfect_recall:
            raise BadSetup("there is no information_state_tensor; use observation_tensor or information_state_string")
        s = state.action_history.s
        if s is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = np.frombuffer(self.game.rules.observe(s, player), np.uint8)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        if self.perfect_recall:
            return state.information_state_text(player)
        s = state.action_history.s
        return "" if s is None else self.game.rules.observe(s, player).hex()


def register_games(rules: Rules) -> None:
    """Register a game in `pyspiel.load_game` as ``triclinium_<id>``."""
    REGISTERED_GAMES[rules.id] = rules
    kind = make_game_type(rules)
    pyspiel.register_game(kind, type(f"{rules.id.capitalize()}Game", (OpenSpielGame,), {"rules": rules, "kind": kind}))


for _id in list_games():
    if load_game(_id).observer is not None:
        register_games(load_game(_id))
