"""Bots that fail, for the processes of a server: they are found by the environment variable TRICLINIUM_BOTS."""

import os
import sys
import time

from triclinium.bots import Bot, Budget, DecisionRequest
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name


class Clumsy(Bot):
    """Raises."""

    name = "clumsy"
    description = Name("stumbles", "trébuche")

    def choose(self, asked: DecisionRequest) -> Option:
        raise KeyError("dropped")


class Deadly(Bot):
    """Takes its process down."""

    name = "deadly"
    description = Name("falls", "tombe")

    def choose(self, asked: DecisionRequest) -> Option:
        os._exit(3)


class Sleepy(Bot):
    """Never comes back by itself."""

    name = "sleepy"
    description = Name("sleeps", "dort")
    budget = Budget(0.05)

    def choose(self, asked: DecisionRequest) -> Option:
        while True:
            time.sleep(0.01)


class Tardy(Bot):
    """Answers when the clock has run out."""

    name = "tardy"
    description = Name("dawdles", "traîne")
    budget = Budget(0.05)

    def choose(self, asked: DecisionRequest) -> Option:
        time.sleep(asked.budget.wall_limit + 0.1)
        return asked.world.legal[-1]


class Curious(Bot):
    """Does no wrong, but always chooses one and the same option of a game whose rules fail over it."""

    name = "curious"
    description = Name("peeks", "épie")

    def choose(self, asked: DecisionRequest) -> Option:
        peek = self.game.read("peek")
        return peek if peek in asked.world.legal else asked.world.legal[0]


BOTS = ",".join(f"tests.server.faulty_bots:{kind.__name__}" for kind in (Clumsy, Deadly, Sleepy, Tardy, Curious))


def has_read(module: str) -> bool:
    """Whether this process has imported it."""
    return module in sys.modules
