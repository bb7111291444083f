"""Lists of options, made once. A list of options is never changed, so decisions that offer the same can share it."""

from typing import Final

from triclinium.engine.core.state import Option
from triclinium.games.testoftime.rules.components import BUILD, CREATE, KIND_COUNT, ON, PASS, SHAMANS, SPOIL


def subsets(first: Option, count: int) -> list[list[Option]]:
    """Every choice among so many options from the first on, ascending; found by a mask: bit 0 is the first."""
    return [[first + i for i in range(count) if mask >> i & 1] for mask in range(1 << count)]


EVERY: Final = list(range(SPOIL + 1))  # what options there are; slices of it list numbers from one to another
NO_SHAMANS: Final = [SHAMANS]
MOVES_AND_PASS: Final = [[*moves, PASS] for moves in subsets(CREATE, PASS - CREATE)]
SPACES: Final = subsets(ON, BUILD - ON)
KINDS_TO_BUILD: Final = subsets(BUILD, KIND_COUNT)
