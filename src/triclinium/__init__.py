"""One table for board games of the ancient world: rules, records, bots and a place to play."""

import triclinium.titles  # noqa: F401  # first, or loading a title would put the package in place of the function below
from triclinium.kernel.errors import BadComponents, BadNotation, BadRecord, BadSetup, Refused, TricliniumError
from triclinium.kernel.match import Match
from triclinium.kernel.record import Record
from triclinium.kernel.registry import title, titles
from triclinium.kernel.rng import Rng

__all__ = [
    "BadComponents",
    "BadNotation",
    "BadRecord",
    "BadSetup",
    "Match",
    "Record",
    "Refused",
    "Rng",
    "TricliniumError",
    "title",
    "titles",
]
