"""Players that choose options: they know the engine and the games' evaluations."""

from triclinium.bots.base import Answer, Asked, Bot, ask, choice, play_out
from triclinium.bots.budget import Budget
from triclinium.bots.registry import LEVELS, bot, bots, seating
from triclinium.bots.seeds import derive

__all__ = [
    "LEVELS",
    "Answer",
    "Asked",
    "Bot",
    "Budget",
    "ask",
    "bot",
    "bots",
    "choice",
    "derive",
    "play_out",
    "seating",
]
