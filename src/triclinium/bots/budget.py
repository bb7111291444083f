"""How long a bot may think: in processor time, or by counting, which gives the same choice on every machine.

Processor time, because a busy machine must not make a bot weaker: 300 ms are 300 ms of thinking, however long others
keep the processor from it. So that no match waits for ever, there is a bound on the wall's clock besides.
"""

import re
from dataclasses import dataclass

from triclinium.engine.core.errors import BadSetup

WALL_FACTOR = 10.0  # a search is ended by the wall's clock after this many times its budget
WALL_EXTRA_SECONDS = 2.0  # seconds that are added to that, so that a brief delay ends no short search
STUCK_GRACE_SECONDS = 3.0  # seconds after that in which a walk may come to its end; then a bot is taken for stuck

_BUDGET = re.compile(r"(?:(?P<ms>\d+)ms|(?P<s>\d+(?:\.\d+)?)s|(?P<times>\d+)x?)")


@dataclass(frozen=True)
class Budget:
    """For one decision: seconds of processor time or, if given, a number of iterations; and how many cores.

    With several cores each spends the seconds.
    """

    seconds: float
    iterations: int = 0  # 0: by processor time
    cores: int = 1

    @property
    def wall_limit(self) -> float:
        """Seconds on the wall's clock after which a search answers with its best so far."""
        return self.seconds * WALL_FACTOR + WALL_EXTRA_SECONDS

    @property
    def stuck_limit(self) -> float:
        """Seconds on the wall's clock after which a bot is taken for stuck."""
        return self.wall_limit + STUCK_GRACE_SECONDS

    @staticmethod
    def read(text: str) -> "Budget":
        """``300ms``, ``2s``, or ``500x``: so many iterations; raises BadSetup."""
        match = _BUDGET.fullmatch(text)
        if match is None:
            raise BadSetup(f"a budget is given as 300ms, 1.5s or 500x (iterations), not {text!r}")
        if match["times"]:
            return Budget(UNHURRIED_SECONDS, int(match["times"]))
        return Budget(int(match["ms"]) / 1000 if match["ms"] else float(match["s"]))


UNHURRIED_SECONDS = 60.0  # seconds of a bot that does not count them: it is taken for stuck after some ten minutes
