"""The bots that search."""

from triclinium.bots.base import Bot, BotTimeout, DecisionRequest
from triclinium.bots.budget import Budget
from triclinium.bots.core.restriction import Restriction
from triclinium.bots.core.tree import MAX_ROLLOUT_POSITIONS, SearchTree
from triclinium.bots.parallel import search_on_cores
from triclinium.bots.time_slices import Sliced, TaskClock, run_to_end
from triclinium.engine.build_info import is_compiled
from triclinium.engine.core.state import NOBODY, Option, Seat
from triclinium.engine.core.text import Name
from triclinium.engine.game import Game

ALL_CORES = 64  # more than a machine has: as many as the process may use
# Positions that a busy machine finishes actions in: a walk keeps to them.
POSITIONS_PER_SECOND = 100_000 if is_compiled() else 10_000
RESERVED_TIME_SHARE = 0.04  # of a time budget is left for what comes after the search


class SearchBot(Bot):
    """Tries the options again and again in worlds that its seat cannot tell from the true one (tree.py)."""

    sensible_only = True
    exploration = 3.0  # how much a prior counts against what was found, in deviations of what was found
    worlds = 12  # that the priors of the decision itself are averaged over, at most
    expand_after = 2  # visits after which a leaf grows

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.last_tree: SearchTree | None = None  # the tree of the last decision
        # Where that decision stood: its seat, the undo barrier, the options played before it.
        self.last_position: tuple[Seat, int, tuple[Option, ...]] = (NOBODY, 0, ())
        self.last_restriction: Restriction | None = None  # what was banned in that search

    def __getstate__(self) -> dict[str, object]:
        """Copy and pickle without the tree of the last decision: it only saves time."""
        return {**self.__dict__, "last_tree": None}

    def choose(self, request: DecisionRequest) -> Option:
        tree = self.search(request)
        return tree.rank_nodes(request.world.legal)[0].option

    def choose_in_slices(self, request: DecisionRequest) -> Sliced[Option]:
        if type(self).choose is not SearchBot.choose:  # a subclass chooses from the tree in its own way
            return (yield from super().choose_in_slices(request))
        tree = yield from self.search_in_slices(request)
        return tree.rank_nodes(request.world.legal)[0].option

    def search(self, request: DecisionRequest) -> SearchTree:
        """Return the tree after the whole budget."""
        return run_to_end(self.search_in_slices(request))

    def search_in_slices(self, request: DecisionRequest) -> Sliced[SearchTree]:
        """Return the tree after the whole budget; each of several cores grows its own, and the visits are added up."""
        tree = self.get_tree(request)
        self.last_tree = None
        try:
            if request.budget.iterations or request.budget.cores == 1:
                yield from self.grow_tree(tree, request)
            else:
                yield from search_on_cores(tree, request, self.grow_tree)
        except BotTimeout:
            if not tree.root.children:
                raise  # not even a first look came to its end
            return tree  # the walk that was stuck counts for nothing; what was found before does
        self.last_tree = tree
        self.last_position = (request.seat, request.world.undo_barrier, tuple(request.played))
        self.last_restriction = request.restriction
        return tree

    def grow_tree(self, tree: SearchTree, request: DecisionRequest) -> Sliced[None]:
        """Iterate until the budget is spent, or its bound on the wall's clock is reached."""
        clock, wall_limit = TaskClock(), request.budget.wall_limit
        end = request.budget.seconds * (1.0 - RESERVED_TIME_SHARE)
        tree.prepare_root(request.world, request.rng)
        if request.budget.iterations:
            while tree.root.visits < request.budget.iterations and clock.measure_wall_seconds() < wall_limit:
                tree.iterate(request.world)
                if clock.is_slice_over():
                    yield from clock.suspend()
            return
        tree.rollout_limit = min(MAX_ROLLOUT_POSITIONS, int(request.budget.seconds * POSITIONS_PER_SECOND))
        now = clock.measure_processor_seconds()
        took = 0.0
        # None begins that would end too late, if it takes as long as the one before.
        while now + took < end and clock.measure_wall_seconds() < wall_limit:
            tree.iterate(request.world)
            took = clock.measure_processor_seconds() - now
            now += took
            if clock.is_slice_over():
                yield from clock.suspend()

    def get_tree(self, request: DecisionRequest) -> SearchTree:
        """The part of the last tree that is still ahead, if nothing was learnt since; else a new one."""
        seat, barrier, played = self.last_position
        is_same_decision = (
            seat == request.seat
            and barrier == request.world.undo_barrier
            and self.last_restriction == request.restriction
        )
        if self.last_tree is not None and is_same_decision:
            now = tuple(request.played)
            since = len(now) - len(played)
            # A tree of the seat alone knows nothing of what rivals chose since.
            is_in_tree = since == 1 if self.game.weights.solo_turns else since > 0
            if is_in_tree and now[: len(played)] == played and self.last_tree.advance_root(list(now[len(played) :])):
                return self.last_tree
        game = self.game
        parameters = (self.exploration, self.worlds, self.expand_after)
        network = self.get_ranking_network(request.world)
        return SearchTree(
            request.seat, game.evaluator, game.weights, game.has_secrets, *parameters, request.restriction, network
        )


class Strong(SearchBot):
    """One second a decision."""

    name = "strong"
    description = Name("thinks ahead for about a second", "bot")
    budget = Budget(1.0)


class Master(SearchBot):
    """Several seconds a decision, on the cores it may use."""

    name = "master"
    description = Name("thinks ahead for several seconds", "bot")
    uses_network = True
    budget = Budget(5.0, cores=ALL_CORES)
