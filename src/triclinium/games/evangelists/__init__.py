"""The Acts of the Evangelists."""

from triclinium.games.evangelists.game import GAME

__all__ = ["GAME"]
