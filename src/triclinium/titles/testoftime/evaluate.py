"""What a bot looks at (specification, section 9), as numbers in points of the final score or close to them."""

from typing import Final

from triclinium.kernel.state import Seat
from triclinium.titles.testoftime.state import TestOfTime

FEATURES: Final = ("testaments", "decay", "danger", "people", "rival", "rivals", "plan")


def features(s: TestOfTime, seat: Seat) -> list[float]:
    """One number for each name in FEATURES."""
    return [0.0] * len(FEATURES)
