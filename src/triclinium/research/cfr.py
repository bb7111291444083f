"""Solver for small two-player games: CFR+ over the whole tree, and the exact best response to a strategy."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.state import CHANCE, Option, Seat, State
from triclinium.engine.game import Game
from triclinium.research.recall import Recall

MAX_NODES: Final = 1_000_000
Strategy: TypeAlias = Mapping[str, Mapping[Option, float]]  # the probability of each option in each information state
Utility: TypeAlias = Callable[[Game, State], list[float]]


def compute_points_above_mean(game: Game, s: State) -> list[float]:
    """Return each seat's points above the average seat, as winnings in a game for stakes."""
    totals = [score.points for score in game.scores(s)]
    mean = sum(totals) / len(totals)
    return [total - mean for total in totals]


@dataclass(slots=True)
class GameTreeNode:
    """A node of the game tree: the end of a match, or the options with their child nodes."""

    who: Seat  # the deciding seat, or CHANCE
    info: str = ""  # the information state of that seat
    options: list[Option] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)  # probabilities of random outcomes
    children: list["GameTreeNode"] = field(default_factory=list)
    payoffs: list[float] = field(default_factory=list)  # the payoff of each seat, only at the end of a match


class GameTree:
    """The complete tree of a two-player game whose random events are all `Draw` steps.

    Raise BadSetup if the game does not qualify or has too many positions.
    """

    def __init__(
        self, game: Game, variants: Mapping[str, object] | None = None, utility: Utility = compute_points_above_mean
    ) -> None:
        if 2 not in game.seats or (game.has_chance and not game.has_listed_chance):
            raise BadSetup(f"{game.id} cannot be solved: it needs two seats, and random events with listed outcomes")
        self.game = game
        self.utility = utility
        self.nodes = 0
        s = game.deal(2, 0, variants, chance=True)
        self.root = self._build_node(s, Recall(game, s))

    def _build_node(self, s: State, recall: Recall) -> GameTreeNode:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise BadSetup(f"{self.game.id} has more than {MAX_NODES} positions")
        if s.over:
            return GameTreeNode(s.who, payoffs=self.utility(self.game, s))
        node = GameTreeNode(s.who, options=s.options())
        if s.who == CHANCE:
            weights = [weight for _, weight in self.game.outcomes(s)]
            node.probabilities = [weight / sum(weights) for weight in weights]
        else:
            node.info = recall.information_state(s.who)
        for o in node.options:
            t, child_recall = s.clone(), recall.copy()
            t.events = []
            t.choose(o)
            child_recall.push(t)
            node.children.append(self._build_node(t, child_recall))
        return node


class CfrSolver:
    """CFR+ (Tammelin 2014): regrets never fall below 0, and later strategies have more weight in the average."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self._regrets: dict[str, list[float]] = {}
        self._sums: dict[str, list[float]] = {}
        self._options: dict[str, list[Option]] = {}
        self._iteration = 0

    def run(self, iterations: int) -> None:
        """Run this many iterations, each with one pass for each seat."""
        for _ in range(iterations):
            self._iteration += 1
            for seat in (0, 1):
                gained: dict[str, list[float]] = {}
                self._traverse(self.tree.root, seat, 1.0, 1.0, gained)
                for info, more in gained.items():
                    regrets = self._regrets[info]
                    for i, regret in enumerate(more):
                        regrets[i] = max(0.0, regrets[i] + regret)

    def _traverse(
        self, node: GameTreeNode, seat: Seat, own: float, others: float, gained: dict[str, list[float]]
    ) -> float:
        """Return the value of a node for the seat.

        ``own`` and ``others`` are the reach probabilities of the two sides.
        """
        if node.payoffs:
            return node.payoffs[seat]
        if node.who == CHANCE:
            pairs = zip(node.probabilities, node.children, strict=True)
            return sum(p * self._traverse(child, seat, own, others * p, gained) for p, child in pairs)
        strategy = self._compute_current_strategy(node)
        if node.who != seat:
            pairs = zip(strategy, node.children, strict=True)
            return sum(p * self._traverse(child, seat, own, others * p, gained) for p, child in pairs)
        values = [
            self._traverse(child, seat, own * p, others, gained)
            for p, child in zip(strategy, node.children, strict=True)
        ]
        mean = sum(p * value for p, value in zip(strategy, values, strict=True))
        regrets = gained.setdefault(node.info, [0.0] * len(strategy))
        sums = self._sums[node.info]
        for i, value in enumerate(values):
            regrets[i] += others * (value - mean)
            sums[i] += self._iteration * own * strategy[i]
        return mean

    def _compute_current_strategy(self, node: GameTreeNode) -> list[float]:
        regrets = self._regrets.get(node.info)
        if regrets is None:
            size = len(node.options)
            regrets = self._regrets[node.info] = [0.0] * size
            self._sums[node.info] = [0.0] * size
            self._options[node.info] = node.options
        return normalize_weights(regrets)

    def average_strategy(self) -> Strategy:
        """Return the average strategy so far, which converges to an equilibrium."""
        return {
            info: dict(zip(self._options[info], normalize_weights(sums), strict=True))
            for info, sums in self._sums.items()
        }


def normalize_weights(weights: list[float]) -> list[float]:
    """Return the weights scaled to the sum 1, or equal probabilities if all weights are 0."""
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights)] * len(weights)


def compute_expected_values(tree: GameTree, strategy: Strategy) -> list[float]:
    """Return the average payoff of each seat if both play this strategy."""
    return [_compute_expected_value(tree.root, strategy, seat) for seat in (0, 1)]


def _compute_expected_value(node: GameTreeNode, strategy: Strategy, seat: Seat) -> float:
    if node.payoffs:
        return node.payoffs[seat]
    probabilities = node.probabilities or [strategy[node.info][o] for o in node.options]
    return sum(
        p * _compute_expected_value(child, strategy, seat)
        for p, child in zip(probabilities, node.children, strict=True)
    )


class BestResponse:
    """The exact best response of a seat to a strategy. `value` is its expected payoff."""

    def __init__(self, tree: GameTree, strategy: Strategy, seat: Seat) -> None:
        self.strategy = strategy
        self.seat = seat
        # the positions of each information state with their reach probabilities
        self._info_nodes: dict[str, list[tuple[GameTreeNode, float]]] = {}
        self._best_options: dict[str, int] = {}
        self._collect_nodes(tree.root, 1.0)
        self.value = self._evaluate_node(tree.root)

    def _collect_nodes(self, node: GameTreeNode, reach_probability: float) -> None:
        if node.who == self.seat and not node.payoffs:
            self._info_nodes.setdefault(node.info, []).append((node, reach_probability))
            probabilities = [1.0] * len(node.children)
        else:
            probabilities = node.probabilities or [self.strategy[node.info][o] for o in node.options]
        for p, child in zip(probabilities, node.children, strict=True):
            self._collect_nodes(child, reach_probability * p)

    def _evaluate_node(self, node: GameTreeNode) -> float:
        if node.payoffs:
            return node.payoffs[self.seat]
        if node.who == self.seat:
            return self._evaluate_node(node.children[self._find_best_option(node.info)])
        probabilities = node.probabilities or [self.strategy[node.info][o] for o in node.options]
        return sum(p * self._evaluate_node(child) for p, child in zip(probabilities, node.children, strict=True))

    def _find_best_option(self, info: str) -> int:
        """Return the index of the best option on average over all positions that the seat cannot distinguish."""
        best_index = self._best_options.get(info)
        if best_index is None:
            reached_nodes = self._info_nodes[info]
            options = range(len(reached_nodes[0][0].children))
            values = [
                sum(
                    reach_probability * self._evaluate_node(node.children[i])
                    for node, reach_probability in reached_nodes
                )
                for i in options
            ]
            best_index = self._best_options[info] = values.index(max(values))
        return best_index


def exploitability(tree: GameTree, strategy: Strategy) -> float:
    """Return the exploitability: the mean payoff of the two best responses. It is 0 in equilibrium."""
    return sum(BestResponse(tree, strategy, seat).value for seat in (0, 1)) / 2
