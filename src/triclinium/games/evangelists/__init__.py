"""The Acts of the Evangelists."""

from triclinium.games.evangelists.game import TITLE

__all__ = ["TITLE"]
