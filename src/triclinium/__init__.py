"""One table for board games of the ancient world: rules, records, bots and a place to play."""

import triclinium.games  # noqa: F401  # first, or loading a game would put the package in place of the function below
from triclinium.engine.core.errors import BadComponents, BadNotation, BadRecord, BadSetup, Refused, TricliniumError
from triclinium.engine.core.rng import Rng
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.engine.registry import list_games, load_game

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
    "list_games",
    "load_game",
]
