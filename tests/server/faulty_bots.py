"""Bots that fail in a server's bot processes. The environment variable TRICLINIUM_BOTS names them."""

import os
import sys
import time

from triclinium.bots import Bot, Budget, DecisionRequest
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name


class Clumsy(Bot):
    """A bot that raises an error."""

    name = "clumsy"
    description = Name("stumbles", "trébuche")

    def choose(self, asked: DecisionRequest) -> Option:
        raise KeyError("dropped")


class Deadly(Bot):
    """A bot that kills its process."""

    name = "deadly"
    description = Name("falls", "tombe")

    def choose(self, asked: DecisionRequest) -> Option:
        os._exit(3)


class Sleepy(Bot):
    """A bot that never answers."""

    name = "sleepy"
    description = Name("sleeps", "dort")
    budget = Budget(0.05)

    def choose(self, asked: DecisionRequest) -> Option:
        while True:
            time.sleep(0.01)


class Tardy(Bot):
    """A bot that answers after the deadline."""

    name = "tardy"
    description = Name("dawdles", "traîne")
    budget = Budget(0.05)

    def choose(self, asked: DecisionRequest) -> Option:
        time.sleep(asked.budget.wall_limit + 0.1)
        return asked.world.legal[-1]


class Curious(Bot):
    """A bot that always chooses the same option, for which the game's rules fail."""

    name = "curious"
    description = Name("peeks", "épie")

    def choose(self, asked: DecisionRequest) -> Option:
        peek = self.game.read("peek")
        return peek if peek in asked.world.legal else asked.world.legal[0]


BOTS = ",".join(f"tests.server.faulty_bots:{kind.__name__}" for kind in (Clumsy, Deadly, Sleepy, Tardy, Curious))


def has_read(module: str) -> bool:
    """Return whether this process has imported this module."""
    return module in sys.modules
