"""The bots that search."""

from triclinium.bots.base import Asked, Bot, Late
from triclinium.bots.budget import Budget
from triclinium.bots.core.restriction import Ban
from triclinium.bots.core.tree import WALK_MOST, Tree
from triclinium.bots.parallel import search_on_cores
from triclinium.bots.time_slices import Sliced, TaskClock, complete
from triclinium.engine.build import is_compiled
from triclinium.engine.core.state import NOBODY, Option, Seat
from triclinium.engine.core.text import Name
from triclinium.engine.game import Game

ALL_CORES = 64  # more than a machine has: as many as the process may use
# Positions that a busy machine finishes actions in: a walk keeps to them.
A_SECOND = 100_000 if is_compiled() else 10_000
SPARE = 0.04  # of a time budget is left for what comes after the search


class Search(Bot):
    """Tries the options again and again in worlds that its seat cannot tell from the true one (tree.py)."""

    sensible = True
    explore = 3.0  # how much a prior counts against what was found, in deviations of what was found
    worlds = 12  # that the priors of the decision itself are averaged over, at most
    ripe = 2  # visits after which a leaf grows

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.kept: Tree | None = None  # the tree of the last decision
        # Where that decision stood: its seat, the undo barrier, the options played before it.
        self.kept_at: tuple[Seat, int, tuple[Option, ...]] = (NOBODY, 0, ())
        self.kept_banned: Ban | None = None  # what was banned in that search

    def __getstate__(self) -> dict[str, object]:
        """Copy and pickle without the tree of the last decision: it only saves time."""
        return {**self.__dict__, "kept": None}

    def choose(self, asked: Asked) -> Option:
        tree = self.search(asked)
        return tree.ranked(asked.world.legal)[0].option

    def think(self, asked: Asked) -> Sliced[Option]:
        if type(self).choose is not Search.choose:  # a subclass chooses from the tree in its own way
            return (yield from super().think(asked))
        tree = yield from self.search_in_slices(asked)
        return tree.ranked(asked.world.legal)[0].option

    def search(self, asked: Asked) -> Tree:
        """Return the tree after the whole budget."""
        return complete(self.search_in_slices(asked))

    def search_in_slices(self, asked: Asked) -> Sliced[Tree]:
        """Return the tree after the whole budget; each of several cores grows its own, and the visits are added up."""
        tree = self.tree_for(asked)
        self.kept = None
        try:
            if asked.budget.iterations or asked.budget.cores == 1:
                yield from self.grow(tree, asked)
            else:
                yield from search_on_cores(tree, asked, self.grow)
        except Late:
            if not tree.root.children:
                raise  # not even a first look came to its end
            return tree  # the walk that was stuck counts for nothing; what was found before does
        self.kept = tree
        self.kept_at = (asked.seat, asked.world.undo_barrier, tuple(asked.played))
        self.kept_banned = asked.banned
        return tree

    def grow(self, tree: Tree, asked: Asked) -> Sliced[None]:
        """Iterate until the budget is spent, or its bound on the wall's clock is reached."""
        clock, bound = TaskClock(), asked.budget.bound
        end = asked.budget.seconds * (1.0 - SPARE)
        tree.open(asked.world, asked.rng)
        if asked.budget.iterations:
            while tree.root.visits < asked.budget.iterations and clock.wall() < bound:
                tree.iterate(asked.world)
                if clock.is_due():
                    yield from clock.suspend()
            return
        tree.walk_most = min(WALK_MOST, int(asked.budget.seconds * A_SECOND))
        now = clock.processor()
        took = 0.0
        # None begins that would end too late, if it takes as long as the one before.
        while now + took < end and clock.wall() < bound:
            tree.iterate(asked.world)
            took = clock.processor() - now
            now += took
            if clock.is_due():
                yield from clock.suspend()

    def tree_for(self, asked: Asked) -> Tree:
        """The part of the last tree that is still ahead, if nothing was learnt since; else a new one."""
        seat, barrier, played = self.kept_at
        same = seat == asked.seat and barrier == asked.world.undo_barrier and self.kept_banned == asked.banned
        if self.kept is not None and same:
            now = tuple(asked.played)
            since = len(now) - len(played)
            # A tree of the seat alone knows nothing of what rivals chose since.
            known = since == 1 if self.game.weights.solo_turns else since > 0
            if known and now[: len(played)] == played and self.kept.follow(list(now[len(played) :])):
                return self.kept
        game = self.game
        search = (self.explore, self.worlds, self.ripe)
        ranker = self.ranker_for(asked.world)
        return Tree(asked.seat, game.evaluator, game.weights, game.secrets, *search, asked.banned, ranker)


class Strong(Search):
    """One second a decision."""

    name = "strong"
    how = Name("thinks ahead for about a second", "bot")
    budget = Budget(1.0)


class Master(Search):
    """Several seconds a decision, on the cores it may use."""

    name = "master"
    how = Name("thinks ahead for several seconds", "bot")
    learns = True
    budget = Budget(5.0, cores=ALL_CORES)
