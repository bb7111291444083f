"""Information-set Monte Carlo tree search for any number of seats.

Each iteration plays in its own determinization: a world resampled for the searching seat. The tree contains the seats'
options but no worlds. A node is a sequence of options, and each seat on the way maximises its own share of the win. An
option is visited more often if its results are better or if its prior from the game's evaluation is higher. An
iteration that leaves the tree continues by the priors until no action is half done, or for more turns if the game's
weights say so. Then the value model evaluates the position.

If the game's weights name a number of candidates, there is no tree. The options that look best are tried equally often
in the same worlds, and every seat then takes what looks best in that world. This suits turns with several draws, where
one tree would mix positions that have little in common.
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
    find_best_option,
    finish_action,
    list_plannable_options,
    softmax,
    weigh_options,
)
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.core.weights import Weights

# limit of options that a rollout evaluates outside the tree; a round with five players takes about as many
MAX_ROLLOUT_OPTIONS = 1500
MAX_ACTION_POSITIONS = 150  # limit of positions for finishing one action during an iteration
# limit of positions for all actions of one iteration; beyond it, options are evaluated without finishing the action
MAX_ROLLOUT_POSITIONS = 6000
MIN_PRIOR_WORLDS = 2  # minimum number of worlds for the priors in games with secrets
POSITIONS_PER_ACTION = 24  # typical number of positions for finishing an action
MAX_NODES = 200_000  # approximate limit for the nodes of a tree (about 60 MB); beyond it, iterations keep no new nodes
UNTRIED_PENALTY = 0.3  # an untried option is assumed to be this many deviations worse than its siblings
WORLD_SEEDS = 1 << 30  # number of seeds for worlds
TIE_BREAK = 1e-12  # times a random number below WORLD_SEEDS: at most a thousandth of a prior
MAX_SEATS: Final = 8
# assumed deviation of results before the first ones, and the number of results that this assumption counts for
DEVIATION_WEIGHT, INITIAL_DEVIATION = (
    8.0,
    0.1,
)


class SearchNode:
    """The statistics of one option at one point of the tree."""

    option: Option
    chooser: Seat  # the seat that chooses the option; `total` counts this seat's results
    prior: float
    visits: int
    total: float
    children: dict[int, "SearchNode"]  # children by `make_child_key`

    def __init__(self, option: Option, chooser: Seat, prior: float) -> None:
        self.option = option
        self.chooser = chooser
        self.prior = prior
        self.visits = 0
        self.total = 0.0
        self.children = {}

    def compute_mean(self) -> float:
        """Return the chooser's mean share of the win after this option."""
        return self.total / self.visits if self.visits else 0.0


class SearchTree:
    """One search with its settings and its statistics."""

    seat: Seat
    ai: Evaluator
    weights: list[float]
    model: ValueModel  # evaluates the positions at the end of iterations
    prior: float  # points by which an option must be better to have 2.7 times the prior
    secrets: bool  # False if nothing is hidden, so that every iteration plays in the given world
    exploration: float
    worlds: int  # maximum number of worlds for the priors of the first decision
    expand_after: int  # visits after which a leaf is expanded
    horizon: int  # stable positions after which every iteration ends; 0: no limit
    # own turns, this one included, after which every iteration ends; 0: it ends where it leaves the tree
    own_turns: int
    whole_actions: bool  # whether priors evaluate options after their action is finished
    rollout_limit: int  # approximate limit of positions for finishing actions in one iteration
    solo_turns: int  # turns after this one that the searching seat plays alone in an iteration; 0: all seats play
    candidates: int  # number of best-looking options that are compared without a tree; 0: tree search
    restriction: Restriction | None  # options that the searching seat must neither choose nor plan
    network: RankingNetwork | None  # corrects the priors of options with finished actions
    baseline: Baseline | None  # predictions of the worlds, if anything is hidden
    root: SearchNode
    sum: float  # sum of the results of the searching seat
    squares: float  # sum of the squares of these results
    deviation: float  # standard deviation of these results, the unit of exploration
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
        self.whole_actions = weights.whole_actions or network is not None  # the network was trained on finished actions
        self.rollout_limit = MAX_ROLLOUT_POSITIONS
        self.solo_turns = weights.solo_turns
        self.candidates = weights.candidates
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
        """Prepare the options of the decision with accurate priors. Call it before the first iteration."""
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
        """Change the priors slightly at random.

        Without chance, two searches would otherwise repeat one match forever.
        """
        for node in self.root.children.values():
            node.prior *= 1.0 + TIE_BREAK * float(rng.below(WORLD_SEEDS))

    def count_prior_worlds(self, options: int) -> int:
        """Return the number of worlds for the priors, such that each option's action can be finished in all of them."""
        return min(self.worlds, max(MIN_PRIOR_WORLDS, MAX_WEIGHED_POSITIONS // (options * POSITIONS_PER_ACTION)))

    def iterate(self, world: State) -> None:
        """Run one iteration, starting with the most promising option, or with the next candidate."""
        node = self.find_next_candidate(world) if self.candidates else self.select_child(self.root, world)
        self.run_iteration(node, world)

    def find_next_candidate(self, world: State) -> SearchNode:
        """Return the least visited one of the options of the first decision that look best."""
        nodes = [self.root.children[make_child_key(o, self.seat)] for o in world.legal]
        nodes.sort(key=get_prior, reverse=True)
        best = nodes[0]
        for node in nodes[1 : self.candidates]:
            if node.visits < best.visits:
                best = node
        return best

    def run_iteration(self, node: SearchNode, world: State) -> None:
        """Run one iteration from this option of the first decision, and propagate the result.

        Each iteration uses a separate world.
        """
        path = [self.root, node]
        # The n-th visit of every option uses the same world, so that luck does not decide between options.
        number = node.visits
        s = world.clone() if self.baseline is None else self.baseline.sample_world(number)
        self.defer_turns(s, True)
        s.choose(node.option)
        rollout_options = 0  # options evaluated since the iteration left the tree
        leaf_index = 0  # index in the path where the iteration left the tree
        finish_positions = 0  # positions evaluated to finish the actions of these options
        quiet_moments = 0  # number of stable positions
        own = True  # whether the searching seat was asked at the last stable position
        turns = 0  # number of finished turns of that seat
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
            if self.candidates:
                rollout_options += self.choose_best_looking(s)
                continue
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

    def choose_best_looking(self, s: State) -> int:
        """Choose the option that looks best to the asked seat. Return the number of options."""
        s.legal = self.ai.sensible_options(s)
        number = len(s.legal)
        restriction = self.restriction if s.who == self.seat else None
        s.choose(find_best_option(self.ai, s, s.who, self.weights, restriction))
        return number

    def is_rollout_end(self, s: State, node: SearchNode, quiet_moments: int, rollout_options: int, turns: int) -> bool:
        """Return whether an iteration ends at this stable position."""
        if self.solo_turns:
            return s.who != self.seat  # the same point in all iterations, so that their results are comparable
        if self.own_turns:
            # Every iteration ends at the same point, so that the results are comparable.
            return turns >= self.own_turns or rollout_options > MAX_ROLLOUT_OPTIONS
        if rollout_options or quiet_moments == self.horizon:
            return True
        # a leaf is evaluated in a few worlds before it is expanded
        return not node.children and node.visits < self.expand_after

    def defer_turns(self, s: State, rivals: bool) -> None:
        """Skip turns of the rivals before an iteration with solo turns, and turns of the seat after it."""
        if self.solo_turns and s.who != NOBODY:
            for seat in range(s.seats):
                if (seat != self.seat) == rivals:
                    self.ai.skip_turns(s, seat, self.solo_turns)

    def update_deviation(self, result: float) -> None:
        """Update the standard deviation of the results. It scales exploration, so no game needs its own constant."""
        self.sum += result
        self.squares += result * result
        around = self.squares - self.sum * self.sum / self.iterations
        self.deviation = sqrt(
            (DEVIATION_WEIGHT * INITIAL_DEVIATION * INITIAL_DEVIATION + max(0.0, around))
            / (DEVIATION_WEIGHT + self.iterations)
        )

    def expand(self, node: SearchNode, s: State, whole: bool) -> int:
        """Add a child for each legal option, with a prior from the evaluation.

        Return the number of evaluated positions.

        With ``whole``, evaluate each option after its action is finished.
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
        """Add children with priors in proportion to the evaluations."""
        priors = softmax(worth, self.prior)
        for i in range(len(legal)):
            node.children[make_child_key(legal[i], chooser)] = SearchNode(legal[i], chooser, priors[i])
        self.nodes += len(legal)

    def select_child(self, node: SearchNode, s: State) -> SearchNode:
        """Return the legal option with the best promise. Add a child for an option that is new in this world."""
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
        """Make the node after these options the root. Return False if the tree does not contain it."""
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
        """Add the results of another search for an option of the first decision."""
        node = self.root.children.get(make_child_key(o, self.seat))
        if node is not None:
            node.visits += visits
            node.total += total
            self.root.visits += visits

    def rank_nodes(self, legal: list[Option]) -> list[SearchNode]:
        """Return the nodes of the legal options, the most visited first, or the best results of candidates first."""
        children = self.root.children
        keys = [make_child_key(o, self.seat) for o in legal]
        nodes = [children[key] for key in keys if key in children]
        nodes.sort(key=make_candidate_sort_key if self.candidates else make_node_sort_key, reverse=True)
        return nodes


def make_child_key(o: Option, chooser: Seat) -> int:
    """Return the option and its seat as one integer, because compiled code looks up integers faster than pairs."""
    return o * MAX_SEATS + chooser


def get_prior(node: SearchNode) -> float:
    return node.prior


def make_node_sort_key(node: SearchNode) -> tuple[int, float, float]:
    return (node.visits, node.compute_mean(), node.prior)


def make_candidate_sort_key(node: SearchNode) -> tuple[bool, float, float]:
    return (node.visits > 0, node.compute_mean(), node.prior)
