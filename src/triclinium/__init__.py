"""One table for board games of the ancient world: rules, records, bots and a place to play."""

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
