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
from triclinium.bots.core.ranking_network import RankingNetwork, weigh_with_network
from triclinium.bots.core.restriction import Restriction
from triclinium.bots.core.value import (
    MAX_WEIGHED_POSITIONS,
    ValueModel,
    compute_weighted_sum,
    finish_action,
    list_plannable_options,
    softmax,
    weigh_options,
)
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.core.weights import Weights

MAX_ROLLOUT_OPTIONS = (
    1500  # options that a walk weighs, or hardly more, after leaving the tree: a round of five takes so many
)
MAX_ACTION_POSITIONS = 150  # positions, at most, that are looked at to finish one action of a walk
MAX_ROLLOUT_POSITIONS = 6000  # positions, at most, for all actions of a walk; after that options are weighed unfinished
MIN_PRIOR_WORLDS = 2  # that priors are averaged over at least, where chance can differ
POSITIONS_PER_ACTION = 24  # positions that finishing an action takes, about
MAX_NODES = 200_000  # of a tree, or hardly more: about 60 MB; then a walk leaves behind only where it left the tree
UNTRIED_PENALTY = 0.3  # an option never tried is taken for so many deviations less than what its siblings gave
WORLD_SEEDS = 1 << 30  # seeds of worlds
TIE_BREAK = 1e-12  # times one of these: a thousandth of a prior at most
MAX_SEATS: Final = 8
DEVIATION_WEIGHT, INITIAL_DEVIATION = (
    8.0,
    0.1,
)  # the deviation of results before there are any, and how many results it counts for


class SearchNode:
    """What is known of one option at one point of the tree."""

    option: Option
    chooser: Seat  # the seat that chose it; results are that seat's
    prior: float
    visits: int
    total: float
    children: dict[int, "SearchNode"]  # by `child_key`

    def __init__(self, option: Option, chooser: Seat, prior: float) -> None:
        self.option = option
        self.chooser = chooser
        self.prior = prior
        self.visits = 0
        self.total = 0.0
        self.children = {}

    def compute_mean(self) -> float:
        """The chooser's mean share of the win after this option."""
        return self.total / self.visits if self.visits else 0.0


class SearchTree:
    """One search: a seat, the game's weights, and all that was tried."""

    seat: Seat
    ai: Evaluator
    weights: list[float]
    model: ValueModel  # of positions where a walk ends
    prior: float  # points that make an option stand out
    secrets: bool  # False: nothing is hidden, and every iteration plays in the world that was given
    exploration: float
    worlds: int  # that the priors of the first decision are averaged over, at most
    expand_after: int  # visits after which a leaf grows
    horizon: int  # quiet moments after which every walk ends; 0: none
    own_turns: int  # of the searching seat, this one counted, after which every walk ends; 0: where it leaves the tree
    whole_actions: bool  # a prior is what an option is worth once its action is finished, not at once
    rollout_limit: int  # positions that a walk looks at to finish actions, or hardly more
    solo_turns: int  # turns after this one in which a walk follows the searching seat alone; 0: all seats play
    restriction: Restriction | None  # what the searching seat may not choose, now and in what it plans
    network: RankingNetwork | None  # what was learnt of finished actions: walks go by it, too
    baseline: Baseline | None  # of the worlds, where anything is hidden
    root: SearchNode
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
        exploration: float,
        worlds: int,
        expand_after: int,
        restriction: Restriction | None = None,
        network: RankingNetwork | None = None,
    ) -> None:
        self.seat = seat
        self.ai = ai
        self.weights = weights.values
        self.model = ValueModel(ai, weights)
        self.prior = weights.prior
        self.secrets = secrets
        self.exploration = exploration
        self.worlds = worlds if secrets else 1
        self.expand_after = expand_after if secrets else 1
        self.horizon = weights.horizon
        self.own_turns = weights.own_turns
        self.whole_actions = weights.whole_actions or network is not None  # what was learnt ranks finished actions
        self.rollout_limit = MAX_ROLLOUT_POSITIONS
        self.solo_turns = weights.solo_turns
        self.restriction = restriction
        self.network = network
        self.baseline = None
        self.root = SearchNode(-1, NOBODY, 1.0)
        self.sum = 0.0
        self.squares = 0.0
        self.deviation = INITIAL_DEVIATION
        self.iterations = 0
        self.nodes = 1

    def prepare_root(self, world: State, rng: Rng) -> None:
        """Before the first iteration: the options of the decision to be made, each weighed as well as can be."""
        if self.secrets:
            self.baseline = Baseline(world, self.seat, self.model, rng.below(WORLD_SEEDS))
        if not self.root.children:
            worlds = self.count_prior_worlds(len(world.legal))
            if self.network is None:
                worth = weigh_options(self.ai, world, self.seat, self.weights, worlds, rng, self.restriction)
            else:
                worth = weigh_with_network(
                    self.network, self.ai, world, self.seat, self.weights, worlds, rng, self.restriction
                )
            self.add_children(self.root, world.legal, self.seat, worth)
        if not self.secrets:
            self.break_ties(rng)

    def break_ties(self, rng: Rng) -> None:
        """Among equals chance decides: where nothing is drawn, two searches would play one match for ever."""
        for node in self.root.children.values():
            node.prior *= 1.0 + TIE_BREAK * float(rng.below(WORLD_SEEDS))

    def count_prior_worlds(self, options: int) -> int:
        """Chance weighs less in many worlds, as long as each option's action can be finished in all of them."""
        return min(self.worlds, max(MIN_PRIOR_WORLDS, MAX_WEIGHED_POSITIONS // (options * POSITIONS_PER_ACTION)))

    def iterate(self, world: State) -> None:
        """One walk down the tree, along the options that promise most."""
        self.run_iteration(self.select_child(self.root, world), world)

    def run_iteration(self, node: SearchNode, world: State) -> None:
        """A walk from this option of the first decision, a little beyond the tree, and the result carried back.

        It takes place in a world of its own.
        """
        path = [self.root, node]
        # The n-th try of every option meets the same world: luck does not decide between them.
        number = node.visits
        s = world.clone() if self.baseline is None else self.baseline.sample_world(number)
        self.defer_turns(s, True)
        s.choose(node.option)
        rollout_options = 0  # options weighed since the walk left the tree
        leaf_index = 0  # the place on its path where it did
        finish_positions = 0  # positions looked at to finish the actions of these options
        quiet_moments = 0  # moments
        own = True  # whether the searching seat was asked at the last of these
        turns = 0  # of that seat that are over
        while s.who != NOBODY:
            if self.ai.is_stable(s):
                quiet_moments += 1
                if own and s.who != self.seat:
                    turns += 1
                own = s.who == self.seat
                if self.is_rollout_end(s, node, quiet_moments, rollout_options, turns):
                    break
            elif rollout_options > MAX_ROLLOUT_OPTIONS:
                break
            if not node.children:
                if not rollout_options:
                    leaf_index = len(path)
                positions_seen = self.expand(node, s, self.whole_actions and finish_positions < self.rollout_limit)
                rollout_options += len(node.children)
                finish_positions += positions_seen - len(node.children)
            node = self.select_child(node, s)
            s.choose(node.option)
            path.append(node)
        self.defer_turns(s, False)
        results = self.model.predict_win_shares(s)
        if self.baseline is not None:
            results = self.baseline.subtract_baseline(number, results)
        for step in path:
            step.visits += 1
            if step.chooser != NOBODY:
                step.total += results[step.chooser]
        self.iterations += 1
        self.update_deviation(results[self.seat])
        if rollout_options and self.nodes > MAX_NODES:
            for step in path[leaf_index:]:
                self.nodes -= len(step.children)
                step.children = {}

    def is_rollout_end(self, s: State, node: SearchNode, quiet_moments: int, rollout_options: int, turns: int) -> bool:
        """Whether a walk is judged at this quiet moment."""
        if self.solo_turns:
            return s.who != self.seat  # all walks have come equally far
        if self.own_turns:
            return turns >= self.own_turns or rollout_options > MAX_ROLLOUT_OPTIONS  # likewise
        if rollout_options or quiet_moments == self.horizon:
            return True
        return not node.children and node.visits < self.expand_after  # a leaf is judged in a few worlds before it grows

    def defer_turns(self, s: State, rivals: bool) -> None:
        """Before a walk of the searching seat alone its rivals owe some turns; after it the seat owes them."""
        if self.solo_turns and s.who != NOBODY:
            for seat in range(s.seats):
                if (seat != self.seat) == rivals:
                    self.ai.skip_turns(s, seat, self.solo_turns)

    def update_deviation(self, result: float) -> None:
        """How far results lie apart: exploring is measured by it, so that no game needs a constant of its own."""
        self.sum += result
        self.squares += result * result
        around = self.squares - self.sum * self.sum / self.iterations
        self.deviation = sqrt(
            (DEVIATION_WEIGHT * INITIAL_DEVIATION * INITIAL_DEVIATION + max(0.0, around))
            / (DEVIATION_WEIGHT + self.iterations)
        )

    def expand(self, node: SearchNode, s: State, whole: bool) -> int:
        """Give the node a child for each legal option, with the evaluation's opinion of it as its prior.

        ``whole``: its opinion once the action is finished. Says how many positions were looked at.
        """
        restriction = self.restriction if s.who == self.seat else None
        legal = list_plannable_options(self.ai, s, restriction)
        positions_seen = len(legal)
        worth: list[float] = []
        if len(legal) == 1:
            worth.append(0.0)
        else:
            after: list[list[float]] = []
            for o in legal:
                tried = s.clone()
                tried.choose(o)
                if whole:
                    positions_seen += finish_action(
                        self.ai, tried, s.who, self.weights, MAX_ACTION_POSITIONS, restriction, quick=True
                    )
                numbers = self.ai.features(tried, s.who)
                worth.append(compute_weighted_sum(numbers, self.weights))
                after.append(numbers)
            if whole and self.network is not None:
                corrections = self.network.predict(
                    legal, self.ai.features(s, s.who), after, self.ai.progress(s), s.seats
                )
                for n in range(len(legal)):
                    worth[n] += corrections[n]
        self.add_children(node, legal, s.who, worth)
        return positions_seen

    def add_children(self, node: SearchNode, legal: list[Option], chooser: Seat, worth: list[float]) -> None:
        """Children with priors by what they are worth."""
        priors = softmax(worth, self.prior)
        for i in range(len(legal)):
            node.children[make_child_key(legal[i], chooser)] = SearchNode(legal[i], chooser, priors[i])
        self.nodes += len(legal)

    def select_child(self, node: SearchNode, s: State) -> SearchNode:
        """The legal option that promises most; one that no earlier world allowed joins as a child."""
        chooser = s.who
        legal = (
            s.legal
            if node is self.root
            else list_plannable_options(self.ai, s, self.restriction if chooser == self.seat else None)
        )
        children = node.children
        candidates: list[SearchNode] = []
        visits = 0
        total = 0.0
        for o in legal:
            child = children.get(make_child_key(o, chooser))
            if child is None:
                child = SearchNode(o, chooser, 1.0 / len(legal))
                children[make_child_key(o, chooser)] = child
                self.nodes += 1
            candidates.append(child)
            visits += child.visits
            total += child.total
        expected = total / visits - UNTRIED_PENALTY * self.deviation if visits else 0.5
        exploration_scale = self.exploration * self.deviation * sqrt(visits + 1.0)
        best = candidates[0]
        most = -1e30
        for child in candidates:
            tried = child.visits
            promise = (child.total / tried if tried else expected) + exploration_scale * child.prior / (1.0 + tried)
            if promise > most:
                most = promise
                best = child
        return best

    def advance_root(self, played: list[Option]) -> bool:
        """Make the node after these options the root; False if the search never came there."""
        node = self.root
        for o in played:
            after: SearchNode | None = None
            for child in node.children.values():
                if child.option == o and (after is None or child.visits > after.visits):
                    after = child
            if after is None:
                return False
            node = after
        self.root = node
        return bool(node.children)

    def add_visits(self, o: Option, visits: int, total: float) -> None:
        """Add what another search found of an option of the first decision."""
        node = self.root.children.get(make_child_key(o, self.seat))
        if node is not None:
            node.visits += visits
            node.total += total
            self.root.visits += visits

    def rank_nodes(self, legal: list[Option]) -> list[SearchNode]:
        """The legal options, the one tried most first."""
        children = self.root.children
        keys = [make_child_key(o, self.seat) for o in legal]
        nodes = [children[key] for key in keys if key in children]
        nodes.sort(key=make_node_sort_key, reverse=True)
        return nodes


def make_child_key(o: Option, chooser: Seat) -> int:
    """An option and the seat that chooses it as one int: compiled code looks up an int faster than a pair."""
    return o * MAX_SEATS + chooser


def make_node_sort_key(node: SearchNode) -> tuple[int, float, float]:
    return (node.visits, node.compute_mean(), node.prior)
