"""Every game with an observer as a game of OpenSpiel, by name, once this module is imported.

    import triclinium.research.openspiel
    game = pyspiel.load_game("triclinium_evangelists", {"players": 3})

OpenSpiel is told the truth: Test of Time has neither chance nor secrets, and Kuhn poker lists the outcomes of its
chance. The others begin with one node of 1,024 seeds, from which all else follows: exact best response and expectimax
mean nothing there, and search by information sets is given `resample`. ``variants`` is text: ``deals:1;...``.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import pyspiel

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import CHANCE, NOBODY
from triclinium.engine.core.state import State as Position
from triclinium.engine.game import Game as Rules
from triclinium.engine.registry import find_game, titles
from triclinium.research.cfr import points
from triclinium.research.recall import Recall

SEEDS: Final = 1024
WORLDS: Final = 1 << 30  # seeds of imagined worlds
WIN: Final = "win"  # the share of the win less an average seat's
POINTS: Final = "points"  # points above an average seat's
KNOWN: Final[dict[str, Rules]] = {}  # that are registered, by id
CHANCE_PLAYER: Final = int(pyspiel.PlayerId.CHANCE)
TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
MOST_POINTS: Final = 1000.0  # more than anybody can win


def type_of(rules: Rules) -> pyspiel.GameType:
    kind = pyspiel.GameType
    return kind(
        short_name=f"triclinium_{rules.id}",
        long_name=rules.words.reader().say(rules.name),
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if rules.chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if rules.secrets else kind.Information.PERFECT_INFORMATION,
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


class Setup:
    """What all states of a match share; copies of a state copy none of it."""

    def __init__(self, rules: Rules, given: dict[str, Any]) -> None:
        self.rules = rules
        self.given = given
        self.seats = int(given.get("players", min(rules.seats)))
        rules.check_seats(self.seats)
        utility = given.get("utility", WIN)
        if utility not in (WIN, POINTS):
            raise BadSetup(f"utility is {WIN!r} or {POINTS!r}, not {utility!r}")
        self.by_points = utility == POINTS
        self.variants = rules.read_variants(_pairs(given.get("variants", "")))
        self.by_seed = rules.chance and not rules.draws  # the first node draws a seed
        self.start = None if self.by_seed else self.deal(0)

    def deal(self, seed: int) -> Position:
        return self.rules.deal(self.seats, seed, self.variants, chance=self.rules.draws)

    def longest(self) -> int:
        """How many decisions a match of these seats and variants can ask."""
        return self.rules.longest(self.start or self.deal(0))

    def outcomes(self) -> int:
        """How many chance has at most, by its first node."""
        if self.start is None:
            return SEEDS
        return max(self.start.legal) + 1 if self.start.who == CHANCE else 0


def _pairs(text: str) -> dict[str, str]:
    """``deals:1;open:on`` by name; OpenSpiel's own form has no place for a comma or an equals sign."""
    found: dict[str, str] = {}
    for part in filter(None, text.split(";")):
        name, colon, value = part.partition(":")
        if not colon:
            raise BadSetup(f"variants are written NAME:VALUE with ; between them, not {part!r}")
        found[name.strip()] = value.strip()
    return found


class World(NamedTuple):
    """Where an imagined world begins: later actions are replayed from here, for the match's own deal is another."""

    s: Position
    told: Recall  # to every player, in the match that the world was imagined from
    played: int  # actions before it


class Line:
    """A position and the actions that led to it: copied as a clone, pickled as the actions."""

    def __init__(self, setup: Setup, s: Position | None, played: list[int], world: World | None = None) -> None:
        self.setup = setup
        self.s = s
        self.played = played
        self.world = world

    def __deepcopy__(self, memo: object) -> "Line":
        return Line(self.setup, None if self.s is None else self.s.clone(), self.played[:], self.world)

    def told(self, players: list[int]) -> Recall:
        """All that these players have been told, by a replay."""
        setup, world = self.setup, self.world
        if world is not None:
            s, recall, first = world.s.clone(), world.told.copy(), world.played
            s.events = []
        else:
            first = int(setup.by_seed)
            s = setup.deal(self.played[0] if setup.by_seed else 0)
            recall = Recall(setup.rules, s, players)
        for action in self.played[first:]:
            s.choose(action)
            recall.push(s)
        return recall

    def __reduce__(self) -> tuple[object, ...]:
        return (replayed, (self.setup.rules.id, self.setup.given, self.played))

    def choose(self, action: int) -> None:
        if self.s is None:
            self.s = self.setup.deal(action)
        else:
            self.s.choose(action)
        self.played.append(action)


def replayed(id: str, given: dict[str, Any], played: list[int]) -> Line:
    """The line of these actions."""
    setup = Setup(KNOWN[id], given)
    line = Line(setup, setup.start, [])
    for action in played:
        line.choose(action)
    return line


class Game(pyspiel.Game):
    """A game of ours with its number of players, what is won, and its variants."""

    rules: Rules
    kind: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.setup = Setup(self.rules, given)
        most = MOST_POINTS if self.setup.by_points else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.notation.size,
            max_chance_outcomes=self.setup.outcomes(),
            num_players=self.setup.seats,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.setup.longest(),
        )
        super().__init__(self.kind, info, given)

    def new_initial_state(self) -> "State":
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        return Observer(self, iig_obs_type)


class State(pyspiel.State):
    """A position. Before the seed is drawn there is none."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        start = game.setup.start
        self.line = Line(game.setup, None if start is None else start.clone(), [])

    def current_player(self) -> int:
        s = self.line.s
        if s is None or s.who == CHANCE:
            return CHANCE_PLAYER
        return TERMINAL if s.who == NOBODY else s.who

    def _legal_actions(self, player: int) -> list[int]:
        s = self.line.s
        return s.legal if s is not None and s.who == player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        s = self.line.s
        if s is None:
            return [(seed, 1 / SEEDS) for seed in range(SEEDS)]
        outcomes = self.line.setup.rules.outcomes(s)
        total = sum(weight for _, weight in outcomes)
        return [(outcome, weight / total) for outcome, weight in outcomes]

    def _apply_action(self, action: int) -> None:
        self.line.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        s = self.line.s
        if player != CHANCE_PLAYER:
            return self.line.setup.rules.say(action)
        return f"seed {action}" if s is None else f"{s.asked.id} {action}"

    def is_terminal(self) -> bool:
        s = self.line.s
        return s is not None and s.over

    def returns(self) -> list[float]:
        s, setup = self.line.s, self.line.setup
        if s is None or not s.over:
            return [0.0] * setup.seats
        if setup.by_points:
            return points(setup.rules, s)
        return [share - 1 / setup.seats for share in setup.rules.returns(s)]

    def __str__(self) -> str:
        return " ".join(str(action) for action in self.line.played)

    def recall(self, player: int) -> str:
        """The information state: all that the player has been told, by a replay of the match so far."""
        return "" if self.line.s is None else self.line.told([player]).text(player)

    def resample(self, player: int, seed: int) -> "State":
        """Another world of this player, for search by information sets; what led to it stays told as it was."""
        other = self.clone()
        assert isinstance(other, State)
        line = other.line
        if line.s is not None:
            told = line.told(list(range(line.setup.seats)))
            line.s = line.s.resample(player, Rng(seed))
            line.world = World(line.s.clone(), told, len(line.played))
        return other


def resampler(seed: int) -> Callable[[State, int], State]:
    """For its ISMCTS: ``bot.set_resampler(resampler(seed))``. Every world has chance of its own, from the seed."""
    rng = Rng(seed)
    return lambda state, player: state.resample(player, rng.below(WORLDS))


class Observer:
    """What OpenSpiel asks for an observation by: the bytes as numbers, or all that was told as text."""

    def __init__(self, game: Game, kind: Any) -> None:
        self.game = game
        self.perfect_recall = kind is not None and kind.perfect_recall
        self.tensor = np.zeros(game.rules.encoding.width(game.setup.seats), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: State, player: int) -> None:
        s = state.line.s
        if s is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = np.frombuffer(self.game.rules.observe(s, player), np.uint8)

    def string_from(self, state: State, player: int) -> str:
        if self.perfect_recall:
            return state.recall(player)
        s = state.line.s
        return "" if s is None else self.game.rules.observe(s, player).hex()


def register(rules: Rules) -> None:
    """Known to `pyspiel.load_game` as ``triclinium_<id>``."""
    KNOWN[rules.id] = rules
    kind = type_of(rules)
    pyspiel.register_game(kind, type(f"{rules.id.capitalize()}Game", (Game,), {"rules": rules, "kind": kind}))


for _id in titles():
    if find_game(_id).observer is not None:
        register(find_game(_id))
