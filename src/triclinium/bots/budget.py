"""How long a bot may think: by the clock, or by counting, which gives the same choice on every machine."""

import re
from dataclasses import dataclass

from triclinium.kernel.errors import BadSetup

LATE = 2.0  # a bot is late after so many times its budget,
GRACE = 0.5  # and so many seconds: the machine may be busy

_BUDGET = re.compile(r"(?:(?P<ms>\d+)ms|(?P<s>\d+(?:\.\d+)?)s|(?P<times>\d+)x?)")


@dataclass(frozen=True)
class Budget:
    """For one decision: seconds on the clock or, if given, a number of iterations; and how many cores."""

    seconds: float
    iterations: int = 0  # 0: by the clock
    cores: int = 1

    @property
    def limit(self) -> float:
        """Seconds after which an answer comes too late."""
        return self.seconds * LATE + GRACE

    @staticmethod
    def read(text: str) -> "Budget":
        """``300ms``, ``2s``, or ``500x``: so many iterations; raises BadSetup."""
        found = _BUDGET.fullmatch(text)
        if found is None:
            raise BadSetup(f"a budget is given as 300ms, 1.5s or 500x (iterations), not {text!r}")
        if found["times"]:
            return Budget(UNHURRIED, int(found["times"]))
        return Budget(int(found["ms"]) / 1000 if found["ms"] else float(found["s"]))


UNHURRIED = 600.0  # seconds that a bot without a clock may take before it is taken for stuck
