"""Information-set Monte Carlo tree search for any number of seats. Compiled with the kernel.

Each iteration plays in a world of its own, resampled for the searching seat. The tree holds what the seats do, not the
worlds: a node is a sequence of options, and each seat on the way maximises its own share of the win. An option is
tried the more, the better it did and the better the title's evaluation likes it (its prior).
"""

from math import sqrt

from triclinium.bots.judge import best_option, finish, shares, value
from triclinium.kernel.rng import Rng
from triclinium.kernel.state import NOBODY, Option, Seat, State


class Node:
    """What is known of one option at one point of the tree."""

    option: Option
    chooser: Seat  # the seat that chose it; results are that seat's
    prior: float
    visits: int
    total: float
    children: list["Node"]

    def __init__(self, option: Option, chooser: Seat, prior: float) -> None:
        self.option = option
        self.chooser = chooser
        self.prior = prior
        self.visits = 0
        self.total = 0.0
        self.children = []

    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0

    def child(self, option: Option, chooser: Seat) -> "Node | None":
        for node in self.children:
            if node.option == option and node.chooser == chooser:
                return node
        return None


class Tree:
    """One search: a seat, its world, the title's weights."""

    seat: Seat
    weights: list[float]
    scale: float
    secrets: bool
    explore: float
    depth: int
    root: Node
    iterations: int
    nodes: int

    def __init__(
        self, seat: Seat, weights: list[float], scale: float, secrets: bool, explore: float, depth: int
    ) -> None:
        self.seat = seat
        self.weights = weights
        self.scale = scale
        self.secrets = secrets
        self.explore = explore
        self.depth = depth
        self.root = Node(-1, NOBODY, 1.0)
        self.iterations = 0
        self.nodes = 1

    def iterate(self, world: State, rng: Rng) -> None:
        """One walk down the tree in a world of its own, one look beyond it, and the result carried back."""
        s = world.resample(self.seat, rng) if self.secrets else world.clone()
        node = self.root
        path = [node]
        while s.who != NOBODY:
            if not node.children:
                self.expand(node, s)
                if node is not self.root:
                    break
            node = self.select(node, s)
            s.choose(node.option)
            path.append(node)
        self.look_beyond(s, rng)
        results = shares(s, self.weights, self.scale)
        for step in path:
            step.visits += 1
            if step.chooser != NOBODY:
                step.total += results[step.chooser]
        self.iterations += 1

    def expand(self, node: Node, s: State) -> None:
        """Give the node a child for each legal option, with the evaluation's opinion of it as its prior."""
        legal = s.legal
        chooser = s.who
        if len(legal) == 1:
            node.children.append(Node(legal[0], chooser, 1.0))
            self.nodes += 1
            return
        worth: list[float] = []
        for o in legal:
            after = s.clone()
            after.choose(o)
            if node is self.root:
                finish(after, chooser, self.weights)
            worth.append(value(after, chooser, self.weights))
        top = max(worth)
        odds = [2.718281828459045 ** ((w - top) / self.scale * 4.0) for w in worth]
        total = sum(odds)
        for i in range(len(legal)):
            node.children.append(Node(legal[i], chooser, odds[i] / total))
            self.nodes += 1

    def select(self, node: Node, s: State) -> Node:
        """The legal option that promises most; one that no earlier world allowed joins as a child."""
        chooser = s.who
        spread = self.explore * sqrt(node.visits + 1.0)
        expected = self.first_guess(node, chooser)
        best: Node | None = None
        most = -1.0
        for o in s.legal:
            child = node.child(o, chooser)
            if child is None:
                child = Node(o, chooser, 1.0 / len(s.legal))
                node.children.append(child)
                self.nodes += 1
            mean = child.total / child.visits if child.visits else expected
            promise = mean + spread * child.prior / (1.0 + child.visits)
            if promise > most:
                most = promise
                best = child
        assert best is not None
        return best

    def first_guess(self, node: Node, chooser: Seat) -> float:
        """What an option that was never tried is taken for: a little less than its tried siblings."""
        visits = 0
        total = 0.0
        for child in node.children:
            if child.chooser == chooser:
                visits += child.visits
                total += child.total
        return total / visits - 0.05 if visits else 0.5

    def look_beyond(self, s: State, rng: Rng) -> None:
        """Play on a little, and at least until no action is half done: some at random, most as it looks best."""
        made = 0
        while s.who != NOBODY and made < self.depth:
            legal = s.legal
            s.choose(legal[rng.below(len(legal))])
            made += 1
        while s.who != NOBODY and made < self.depth + 20 and not s.quiet():
            s.choose(best_option(s, s.who, self.weights))
            made += 1

    def best(self) -> Option:
        """The option tried most."""
        best = self.root.children[0]
        for child in self.root.children:
            if child.visits > best.visits:
                best = child
        return best.option
