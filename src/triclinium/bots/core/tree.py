"""Information-set Monte Carlo tree search for any number of seats.

Each iteration plays in a world of its own, resampled for the searching seat. The tree holds what the seats do, not the
worlds: a node is a sequence of options, and each seat on the way maximises its own share of the win. An option is
tried the more, the better it did and the better the game's evaluation likes it (its prior). A walk that leaves the
tree goes on as the priors say until no action is half done, or as many turns longer as the game asks for; there the
evaluation judges it.
"""

from math import sqrt
from typing import Final

from triclinium.bots.core.baseline import Baseline
from triclinium.bots.core.ranking_network import Ranker, weigh_learnt
from triclinium.bots.core.restriction import Ban
from triclinium.bots.core.value import WEIGH_MOST, ValueModel, finish, odds, thinkable, weigh, weighed
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.core.weights import Weights

BEYOND_MOST = 1500  # options that a walk weighs, or hardly more, after leaving the tree: a round of five takes so many
ACTION_MOST = 150  # positions, at most, that are looked at to finish one action of a walk
WALK_MOST = 6000  # positions, at most, for all actions of a walk; after that options are weighed unfinished
FEW_WORLDS = 2  # that priors are averaged over at least, where chance can differ
FINISHED = 24  # positions that finishing an action takes, about
NODES_MOST = 200_000  # of a tree, or hardly more: about 60 MB; then a walk leaves behind only where it left the tree
DOUBT = 0.3  # an option never tried is taken for so many deviations less than what its siblings gave
LUCKS = 1 << 30  # seeds of worlds
TIE = 1e-12  # times one of these: a thousandth of a prior at most
MOST_SEATS: Final = 8
GUESSED, DEVIATION = 8.0, 0.1  # the deviation of results before there are any, and how many results it counts for


class Node:
    """What is known of one option at one point of the tree."""

    option: Option
    chooser: Seat  # the seat that chose it; results are that seat's
    prior: float
    visits: int
    total: float
    children: dict[int, "Node"]  # by `child_key`

    def __init__(self, option: Option, chooser: Seat, prior: float) -> None:
        self.option = option
        self.chooser = chooser
        self.prior = prior
        self.visits = 0
        self.total = 0.0
        self.children = {}

    def mean(self) -> float:
        """The chooser's mean share of the win after this option."""
        return self.total / self.visits if self.visits else 0.0


class Tree:
    """One search: a seat, the game's weights, and all that was tried."""

    seat: Seat
    ai: Evaluator
    weights: list[float]
    model: ValueModel  # of positions where a walk ends
    prior: float  # points that make an option stand out
    secrets: bool  # False: nothing is hidden, and every iteration plays in the world that was given
    explore: float
    worlds: int  # that the priors of the first decision are averaged over, at most
    ripe: int  # visits after which a leaf grows
    horizon: int  # quiet moments after which every walk ends; 0: none
    own_turns: int  # of the searching seat, this one counted, after which every walk ends; 0: where it leaves the tree
    whole_actions: bool  # a prior is what an option is worth once its action is finished, not at once
    walk_most: int  # positions that a walk looks at to finish actions, or hardly more
    solo_turns: int  # turns after this one in which a walk follows the searching seat alone; 0: all seats play
    banned: Ban | None  # what the searching seat may not choose, now and in what it plans
    ranker: Ranker | None  # what was learnt of finished actions: walks go by it, too
    baseline: Baseline | None  # of the worlds, where anything is hidden
    root: Node
    sum: float  # of the results of the searching seat
    squares: float  # of the squares of these results
    deviation: float  # of those results: what counts as a difference
    iterations: int
    nodes: int

    def __init__(
        self,
        seat: Seat,
        ai: Evaluator,
        weights: Weights,
        secrets: bool,
        explore: float,
        worlds: int,
        ripe: int,
        banned: Ban | None = None,
        ranker: Ranker | None = None,
    ) -> None:
        self.seat = seat
        self.ai = ai
        self.weights = weights.each
        self.model = ValueModel(ai, weights)
        self.prior = weights.prior
        self.secrets = secrets
        self.explore = explore
        self.worlds = worlds if secrets else 1
        self.ripe = ripe if secrets else 1
        self.horizon = weights.horizon
        self.own_turns = weights.own_turns
        self.whole_actions = weights.whole_actions or ranker is not None  # what was learnt ranks finished actions
        self.walk_most = WALK_MOST
        self.solo_turns = weights.solo_turns
        self.banned = banned
        self.ranker = ranker
        self.baseline = None
        self.root = Node(-1, NOBODY, 1.0)
        self.sum = 0.0
        self.squares = 0.0
        self.deviation = DEVIATION
        self.iterations = 0
        self.nodes = 1

    def open(self, world: State, rng: Rng) -> None:
        """Before the first iteration: the options of the decision to be made, each weighed as well as can be."""
        if self.secrets:
            self.baseline = Baseline(world, self.seat, self.model, rng.below(LUCKS))
        if not self.root.children:
            worlds = self.worlds_for(len(world.legal))
            if self.ranker is None:
                worth = weigh(self.ai, world, self.seat, self.weights, worlds, rng, self.banned)
            else:
                worth = weigh_learnt(self.ranker, self.ai, world, self.seat, self.weights, worlds, rng, self.banned)
            self.add(self.root, world.legal, self.seat, worth)
        if not self.secrets:
            self.break_ties(rng)

    def break_ties(self, rng: Rng) -> None:
        """Among equals chance decides: where nothing is drawn, two searches would play one match for ever."""
        for node in self.root.children.values():
            node.prior *= 1.0 + TIE * float(rng.below(LUCKS))

    def worlds_for(self, options: int) -> int:
        """Chance weighs less in many worlds, as long as each option's action can be finished in all of them."""
        return min(self.worlds, max(FEW_WORLDS, WEIGH_MOST // (options * FINISHED)))

    def iterate(self, world: State) -> None:
        """One walk down the tree, along the options that promise most."""
        self.walk(self.select(self.root, world), world)

    def walk(self, node: Node, world: State) -> None:
        """A walk from this option of the first decision, a little beyond the tree, and the result carried back.

        It takes place in a world of its own.
        """
        path = [self.root, node]
        # The n-th try of every option meets the same world: luck does not decide between them.
        number = node.visits
        s = world.clone() if self.baseline is None else self.baseline.world(number)
        self.let_wait(s, True)
        s.choose(node.option)
        beyond = 0  # options weighed since the walk left the tree
        left = 0  # the place on its path where it did
        finished = 0  # positions looked at to finish the actions of these options
        quiet = 0  # moments
        own = True  # whether the searching seat was asked at the last of these
        turns = 0  # of that seat that are over
        while s.who != NOBODY:
            if self.ai.is_stable(s):
                quiet += 1
                if own and s.who != self.seat:
                    turns += 1
                own = s.who == self.seat
                if self.ends(s, node, quiet, beyond, turns):
                    break
            elif beyond > BEYOND_MOST:
                break
            if not node.children:
                if not beyond:
                    left = len(path)
                looked = self.expand(node, s, self.whole_actions and finished < self.walk_most)
                beyond += len(node.children)
                finished += looked - len(node.children)
            node = self.select(node, s)
            s.choose(node.option)
            path.append(node)
        self.let_wait(s, False)
        results = self.model.shares(s)
        if self.baseline is not None:
            results = self.baseline.without(number, results)
        for step in path:
            step.visits += 1
            if step.chooser != NOBODY:
                step.total += results[step.chooser]
        self.iterations += 1
        self.spread(results[self.seat])
        if beyond and self.nodes > NODES_MOST:
            for step in path[left:]:
                self.nodes -= len(step.children)
                step.children = {}

    def ends(self, s: State, node: Node, quiet: int, beyond: int, turns: int) -> bool:
        """Whether a walk is judged at this quiet moment."""
        if self.solo_turns:
            return s.who != self.seat  # all walks have come equally far
        if self.own_turns:
            return turns >= self.own_turns or beyond > BEYOND_MOST  # likewise
        if beyond or quiet == self.horizon:
            return True
        return not node.children and node.visits < self.ripe  # a leaf is judged in a few worlds before it grows

    def let_wait(self, s: State, rivals: bool) -> None:
        """Before a walk of the searching seat alone its rivals owe some turns; after it the seat owes them."""
        if self.solo_turns and s.who != NOBODY:
            for seat in range(s.seats):
                if (seat != self.seat) == rivals:
                    self.ai.skip_turns(s, seat, self.solo_turns)

    def spread(self, result: float) -> None:
        """How far results lie apart: exploring is measured by it, so that no game needs a constant of its own."""
        self.sum += result
        self.squares += result * result
        around = self.squares - self.sum * self.sum / self.iterations
        self.deviation = sqrt((GUESSED * DEVIATION * DEVIATION + max(0.0, around)) / (GUESSED + self.iterations))

    def expand(self, node: Node, s: State, whole: bool) -> int:
        """Give the node a child for each legal option, with the evaluation's opinion of it as its prior.

        ``whole``: its opinion once the action is finished. Says how many positions were looked at.
        """
        banned = self.banned if s.who == self.seat else None
        legal = thinkable(self.ai, s, banned)
        looked = len(legal)
        worth: list[float] = []
        if len(legal) == 1:
            worth.append(0.0)
        else:
            after: list[list[float]] = []
            for o in legal:
                tried = s.clone()
                tried.choose(o)
                if whole:
                    looked += finish(self.ai, tried, s.who, self.weights, ACTION_MOST, banned, quick=True)
                numbers = self.ai.features(tried, s.who)
                worth.append(weighed(numbers, self.weights))
                after.append(numbers)
            if whole and self.ranker is not None:
                learnt = self.ranker.says(legal, self.ai.features(s, s.who), after, self.ai.progress(s), s.seats)
                for n in range(len(legal)):
                    worth[n] += learnt[n]
        self.add(node, legal, s.who, worth)
        return looked

    def add(self, node: Node, legal: list[Option], chooser: Seat, worth: list[float]) -> None:
        """Children with priors by what they are worth."""
        priors = odds(worth, self.prior)
        for i in range(len(legal)):
            node.children[child_key(legal[i], chooser)] = Node(legal[i], chooser, priors[i])
        self.nodes += len(legal)

    def select(self, node: Node, s: State) -> Node:
        """The legal option that promises most; one that no earlier world allowed joins as a child."""
        chooser = s.who
        legal = s.legal if node is self.root else thinkable(self.ai, s, self.banned if chooser == self.seat else None)
        children = node.children
        found: list[Node] = []
        visits = 0
        total = 0.0
        for o in legal:
            child = children.get(child_key(o, chooser))
            if child is None:
                child = Node(o, chooser, 1.0 / len(legal))
                children[child_key(o, chooser)] = child
                self.nodes += 1
            found.append(child)
            visits += child.visits
            total += child.total
        expected = total / visits - DOUBT * self.deviation if visits else 0.5
        spread = self.explore * self.deviation * sqrt(visits + 1.0)
        best = found[0]
        most = -1e30
        for child in found:
            tried = child.visits
            promise = (child.total / tried if tried else expected) + spread * child.prior / (1.0 + tried)
            if promise > most:
                most = promise
                best = child
        return best

    def follow(self, played: list[Option]) -> bool:
        """Make the node after these options the root; False if the search never came there."""
        node = self.root
        for o in played:
            after: Node | None = None
            for child in node.children.values():
                if child.option == o and (after is None or child.visits > after.visits):
                    after = child
            if after is None:
                return False
            node = after
        self.root = node
        return bool(node.children)

    def credit(self, o: Option, visits: int, total: float) -> None:
        """Add what another search found of an option of the first decision."""
        node = self.root.children.get(child_key(o, self.seat))
        if node is not None:
            node.visits += visits
            node.total += total
            self.root.visits += visits

    def ranked(self, legal: list[Option]) -> list[Node]:
        """The legal options, the one tried most first."""
        children = self.root.children
        keys = [child_key(o, self.seat) for o in legal]
        found = [children[key] for key in keys if key in children]
        found.sort(key=weight_of_node, reverse=True)
        return found


def child_key(o: Option, chooser: Seat) -> int:
    """An option and the seat that chooses it as one int: compiled code looks up an int faster than a pair."""
    return o * MOST_SEATS + chooser


def weight_of_node(node: Node) -> tuple[int, float, float]:
    return (node.visits, node.mean(), node.prior)
