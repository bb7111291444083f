"""Bots that fail, for the processes of a server: they are found by the environment variable TRICLINIUM_BOTS."""

import os
import sys
import time

from triclinium.bots import Asked, Bot, Budget
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name


class Clumsy(Bot):
    """Raises."""

    name = "clumsy"
    how = Name("stumbles", "trébuche")

    def choose(self, asked: Asked) -> Option:
        raise KeyError("dropped")


class Deadly(Bot):
    """Takes its process down."""

    name = "deadly"
    how = Name("falls", "tombe")

    def choose(self, asked: Asked) -> Option:
        os._exit(3)


class Sleepy(Bot):
    """Never comes back by itself."""

    name = "sleepy"
    how = Name("sleeps", "dort")
    budget = Budget(0.05)

    def choose(self, asked: Asked) -> Option:
        while True:
            time.sleep(0.01)


class Tardy(Bot):
    """Answers when the clock has run out."""

    name = "tardy"
    how = Name("dawdles", "traîne")
    budget = Budget(0.05)

    def choose(self, asked: Asked) -> Option:
        time.sleep(asked.budget.bound + 0.1)
        return asked.world.legal[-1]


class Curious(Bot):
    """Does no wrong, but always chooses one and the same option of a title whose rules fail over it."""

    name = "curious"
    how = Name("peeks", "épie")

    def choose(self, asked: Asked) -> Option:
        peek = self.game.read("peek")
        return peek if peek in asked.world.legal else asked.world.legal[0]


BOTS = ",".join(f"tests.server.faulty:{kind.__name__}" for kind in (Clumsy, Deadly, Sleepy, Tardy, Curious))


def has_read(module: str) -> bool:
    """Whether this process has imported it."""
    return module in sys.modules
