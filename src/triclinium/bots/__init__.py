"""Bots: players that choose options with search and the games' evaluations."""

from triclinium.bots.base import Bot, BotAnswer, DecisionRequest, ask_bot, choose_option, play_out
from triclinium.bots.budget import Budget
from triclinium.bots.levels import LEVELS
from triclinium.bots.registry import assign_bots, create_bot, list_bots
from triclinium.bots.seeds import derive_seed

__all__ = [
    "LEVELS",
    "Bot",
    "BotAnswer",
    "Budget",
    "DecisionRequest",
    "ask_bot",
    "assign_bots",
    "choose_option",
    "create_bot",
    "derive_seed",
    "list_bots",
    "play_out",
]
