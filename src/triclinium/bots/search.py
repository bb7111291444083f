"""The bots that search."""

import time

from triclinium.bots.bot import Bot
from triclinium.bots.tree import Tree
from triclinium.kernel.message import Name
from triclinium.kernel.rng import Rng
from triclinium.kernel.state import Option, Seat, State


class Strong(Bot):
    """Searches for a while, or for so many iterations."""

    name = "strong"
    how = Name("searches for about a second", "cherche pendant environ une seconde")
    seconds = 1.0
    iterations = 0
    explore = 1.0
    depth = 0
    scale = 12.0

    def choose(self, world: State, seat: Seat, rng: Rng) -> Option:
        tree = Tree(seat, self.title.weights, self.scale, self.title.secrets, self.explore, self.depth)
        if self.iterations:
            for _ in range(self.iterations):
                tree.iterate(world, rng)
        else:
            end = time.monotonic() + self.seconds
            while time.monotonic() < end:
                tree.iterate(world, rng)
        self.tree = tree
        return tree.best()
