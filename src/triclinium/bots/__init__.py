"""Players that choose options: they know the kernel and the titles' evaluations."""

from triclinium.bots.bot import Bot, choice, play_out
from triclinium.bots.registry import bot, bots, seating
from triclinium.bots.seeds import derive

__all__ = ["Bot", "bot", "bots", "choice", "derive", "play_out", "seating"]
