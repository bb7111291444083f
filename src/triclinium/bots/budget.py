"""Thinking budgets of bots: processor time, or a number of iterations for choices that can be repeated exactly.

A budget uses processor time because a busy machine must not weaken a bot. A wall-clock limit exists in addition, so
that no match waits forever.
"""

import re
from dataclasses import dataclass

from triclinium.engine.core.errors import BadSetup

WALL_FACTOR = 10.0  # a search ends after this many times its budget in wall-clock time
WALL_EXTRA_SECONDS = 2.0  # extra seconds, so that a brief delay does not end a short search
STUCK_GRACE_SECONDS = 3.0  # grace period for the current iteration before a bot counts as stuck

_BUDGET = re.compile(r"(?:(?P<ms>\d+)ms|(?P<s>\d+(?:\.\d+)?)s|(?P<times>\d+)x)")


@dataclass(frozen=True)
class Budget:
    """The budget for one decision: seconds of processor time or a number of iterations, and the number of cores.

    With several cores, each of them may use the full time.
    """

    seconds: float
    iterations: int = 0  # 0: limited by processor time
    cores: int = 1

    @property
    def wall_limit(self) -> float:
        """The wall-clock seconds after which a search returns its best option so far."""
        return self.seconds * WALL_FACTOR + WALL_EXTRA_SECONDS

    @property
    def stuck_limit(self) -> float:
        """The wall-clock seconds after which a bot counts as stuck."""
        return self.wall_limit + STUCK_GRACE_SECONDS

    @staticmethod
    def read(text: str) -> "Budget":
        """Parse ``300ms``, ``2s``, or ``500x`` for 500 iterations. Raise BadSetup for other text."""
        match = _BUDGET.fullmatch(text)
        if match is None:
            raise BadSetup(f"a budget is given as 300ms, 1.5s or 500x (iterations), not {text!r}")
        if match["times"]:
            return Budget(UNHURRIED_SECONDS, int(match["times"]))
        return Budget(int(match["ms"]) / 1000 if match["ms"] else float(match["s"]))


UNHURRIED_SECONDS = 60.0  # time limit where the budget is not a time; a bot counts as stuck after about ten minutes
