"""Bots that use tree search."""

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

ALL_CORES = 64  # more than any machine has, so it means all cores that the process may use
# Positions for finishing actions that a slow machine evaluates in a second. They limit each iteration.
POSITIONS_PER_SECOND = 100_000 if is_compiled() else 10_000
RESERVED_TIME_SHARE = 0.04  # share of a time budget that is reserved for work after the search


class SearchBot(Bot):
    """A bot that uses information-set tree search (core/tree.py)."""

    sensible_only = True
    exploration = 3.0  # weight of a prior relative to the results, in standard deviations of the results
    worlds = 12  # maximum number of worlds for the priors of the first decision
    expand_after = 2  # visits after which a leaf is expanded

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.last_tree: SearchTree | None = None  # the tree of the last decision
        # The position of that decision: its seat, the undo barrier and the options played before it.
        self.last_position: tuple[Seat, int, tuple[Option, ...]] = (NOBODY, 0, ())
        self.last_restriction: Restriction | None = None  # the restriction in that search

    def __getstate__(self) -> dict[str, object]:
        """Copy and pickle without the tree of the last decision, which only saves time."""
        return {**self.__dict__, "last_tree": None}

    def choose(self, request: DecisionRequest) -> Option:
        tree = self.search(request)
        return tree.rank_nodes(request.world.legal)[0].option

    def choose_in_slices(self, request: DecisionRequest) -> Sliced[Option]:
        if type(self).choose is not SearchBot.choose:  # a subclass chooses from the tree in another way
            return (yield from super().choose_in_slices(request))
        tree = yield from self.search_in_slices(request)
        return tree.rank_nodes(request.world.legal)[0].option

    def search(self, request: DecisionRequest) -> SearchTree:
        """Return the tree after the whole budget is used."""
        return run_to_end(self.search_in_slices(request))

    def search_in_slices(self, request: DecisionRequest) -> Sliced[SearchTree]:
        """Return the tree after the whole budget is used, in slices. Each of several cores grows its own tree."""
        tree = self.get_tree(request)
        self.last_tree = None
        try:
            if request.budget.iterations or request.budget.cores == 1:
                yield from self.grow_tree(tree, request)
            else:
                yield from search_on_cores(tree, request, self.grow_tree)
        except BotTimeout:
            if not tree.root.children:
                raise  # not even the first evaluation was completed
            return tree  # the unfinished iteration is ignored, earlier ones count
        self.last_tree = tree
        self.last_position = (request.seat, request.world.undo_barrier, tuple(request.played))
        self.last_restriction = request.restriction
        return tree

    def grow_tree(self, tree: SearchTree, request: DecisionRequest) -> Sliced[None]:
        """Run iterations until the budget or the wall-clock limit is reached."""
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
        # Stop if another iteration of the same duration would exceed the budget.
        while now + took < end and clock.measure_wall_seconds() < wall_limit:
            tree.iterate(request.world)
            took = clock.measure_processor_seconds() - now
            now += took
            if clock.is_slice_over():
                yield from clock.suspend()

    def get_tree(self, request: DecisionRequest) -> SearchTree:
        """Return the remaining part of the last tree if no information was revealed since.

        Otherwise return a new tree.
        """
        seat, barrier, played = self.last_position
        is_same_decision = (
            seat == request.seat
            and barrier == request.world.undo_barrier
            and self.last_restriction == request.restriction
        )
        if self.last_tree is not None and is_same_decision:
            now = tuple(request.played)
            since = len(now) - len(played)
            # A tree with solo turns does not contain the rivals' choices.
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
    """A search bot with one second for each decision."""

    name = "strong"
    description = Name("thinks ahead for about a second", "bot")
    budget = Budget(1.0)


class Master(SearchBot):
    """A search bot with several seconds for each decision on all available cores."""

    name = "master"
    description = Name("thinks ahead for about five seconds", "bot")
    uses_network = True
    budget = Budget(5.0, cores=ALL_CORES)
