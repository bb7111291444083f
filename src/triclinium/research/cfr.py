"""Small games between two, solved: CFR+ over the whole tree, and the exact best response to a strategy."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.state import CHANCE, Option, Seat, State
from triclinium.engine.game import Game
from triclinium.research.recall import Recall

MOST_NODES: Final = 1_000_000
Strategy: TypeAlias = Mapping[str, Mapping[Option, float]]  # of an information state: how likely each option is
Utility: TypeAlias = Callable[[Game, State], list[float]]


def points(game: Game, s: State) -> list[float]:
    """Points above the average seat's: what is won in a game for stakes."""
    totals = [score.points for score in game.scores(s)]
    mean = sum(totals) / len(totals)
    return [total - mean for total in totals]


@dataclass(slots=True)
class Node:
    """A position: its end, or its options with what follows."""

    who: Seat  # CHANCE too
    info: str = ""  # the information state of who is asked
    options: list[Option] = field(default_factory=list)
    likely: list[float] = field(default_factory=list)  # of outcomes
    children: list["Node"] = field(default_factory=list)
    worth: list[float] = field(default_factory=list)  # at the end


class Tree:
    """All of a game for two whose chance lies in `Draw` steps."""

    def __init__(self, game: Game, variants: Mapping[str, object] | None = None, utility: Utility = points) -> None:
        if 2 not in game.seats or (game.chance and not game.draws):
            raise BadSetup(f"{game.id} cannot be solved: it takes two seats, and outcomes of chance that can be listed")
        self.game = game
        self.utility = utility
        self.nodes = 0
        s = game.deal(2, 0, variants, chance=True)
        self.root = self._grow(s, Recall(game, s))

    def _grow(self, s: State, recall: Recall) -> Node:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise BadSetup(f"{self.game.id} has more than {MOST_NODES} positions")
        if s.over:
            return Node(s.who, worth=self.utility(self.game, s))
        node = Node(s.who, options=s.options())
        if s.who == CHANCE:
            weights = [weight for _, weight in self.game.outcomes(s)]
            node.likely = [weight / sum(weights) for weight in weights]
        else:
            node.info = recall.text(s.who)
        for o in node.options:
            t, told = s.clone(), recall.copy()
            t.events = []
            t.choose(o)
            told.push(t)
            node.children.append(self._grow(t, told))
        return node


class Solver:
    """CFR+ (Tammelin 2014): regrets never fall below 0, the average weighs later strategies more."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._regrets: dict[str, list[float]] = {}
        self._sums: dict[str, list[float]] = {}
        self._options: dict[str, list[Option]] = {}
        self._round = 0

    def run(self, rounds: int) -> None:
        """So many passes for each seat."""
        for _ in range(rounds):
            self._round += 1
            for seat in (0, 1):
                gained: dict[str, list[float]] = {}
                self._walk(self.tree.root, seat, 1.0, 1.0, gained)
                for info, more in gained.items():
                    kept = self._regrets[info]
                    for i, regret in enumerate(more):
                        kept[i] = max(0.0, kept[i] + regret)

    def _walk(self, node: Node, seat: Seat, own: float, others: float, gained: dict[str, list[float]]) -> float:
        """What the node is worth to the seat; ``own`` and ``others`` is how likely each side comes here."""
        if node.worth:
            return node.worth[seat]
        if node.who == CHANCE:
            pairs = zip(node.likely, node.children, strict=True)
            return sum(p * self._walk(child, seat, own, others * p, gained) for p, child in pairs)
        now = self._now(node)
        if node.who != seat:
            pairs = zip(now, node.children, strict=True)
            return sum(p * self._walk(child, seat, own, others * p, gained) for p, child in pairs)
        values = [self._walk(child, seat, own * p, others, gained) for p, child in zip(now, node.children, strict=True)]
        mean = sum(p * value for p, value in zip(now, values, strict=True))
        regrets = gained.setdefault(node.info, [0.0] * len(now))
        sums = self._sums[node.info]
        for i, value in enumerate(values):
            regrets[i] += others * (value - mean)
            sums[i] += self._round * own * now[i]
        return mean

    def _now(self, node: Node) -> list[float]:
        regrets = self._regrets.get(node.info)
        if regrets is None:
            size = len(node.options)
            regrets = self._regrets[node.info] = [0.0] * size
            self._sums[node.info] = [0.0] * size
            self._options[node.info] = node.options
        return shares_of(regrets)

    def strategy(self) -> Strategy:
        """The average so far, which is what converges."""
        return {info: dict(zip(self._options[info], shares_of(sums), strict=True)) for info, sums in self._sums.items()}


def shares_of(weights: list[float]) -> list[float]:
    """Weights as parts of 1; all alike where there are none."""
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights)] * len(weights)


def value(tree: Tree, strategy: Strategy) -> list[float]:
    """What each seat wins on average if both play so."""
    return [_value(tree.root, strategy, seat) for seat in (0, 1)]


def _value(node: Node, strategy: Strategy, seat: Seat) -> float:
    if node.worth:
        return node.worth[seat]
    likely = node.likely or [strategy[node.info][o] for o in node.options]
    return sum(p * _value(child, strategy, seat) for p, child in zip(likely, node.children, strict=True))


class BestResponse:
    """The most that a seat can win against a strategy, exactly."""

    def __init__(self, tree: Tree, strategy: Strategy, seat: Seat) -> None:
        self.strategy = strategy
        self.seat = seat
        self._there: dict[str, list[tuple[Node, float]]] = {}  # the positions of an information state
        self._chosen: dict[str, int] = {}
        self._spread(tree.root, 1.0)
        self.value = self._worth(tree.root)

    def _spread(self, node: Node, reached: float) -> None:
        if node.who == self.seat and not node.worth:
            self._there.setdefault(node.info, []).append((node, reached))
            likely = [1.0] * len(node.children)
        else:
            likely = node.likely or [self.strategy[node.info][o] for o in node.options]
        for p, child in zip(likely, node.children, strict=True):
            self._spread(child, reached * p)

    def _worth(self, node: Node) -> float:
        if node.worth:
            return node.worth[self.seat]
        if node.who == self.seat:
            return self._worth(node.children[self._best(node.info)])
        likely = node.likely or [self.strategy[node.info][o] for o in node.options]
        return sum(p * self._worth(child) for p, child in zip(likely, node.children, strict=True))

    def _best(self, info: str) -> int:
        """The option that is best on average over all positions that the seat cannot tell apart."""
        found = self._chosen.get(info)
        if found is None:
            there = self._there[info]
            options = range(len(there[0][0].children))
            values = [sum(reached * self._worth(node.children[i]) for node, reached in there) for i in options]
            found = self._chosen[info] = values.index(max(values))
        return found


def exploitability(tree: Tree, strategy: Strategy) -> float:
    """What two best responses win from a strategy, on average of the two seats: 0 in equilibrium."""
    return sum(BestResponse(tree, strategy, seat).value for seat in (0, 1)) / 2
