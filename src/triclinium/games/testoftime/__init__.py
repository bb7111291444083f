"""Test of Time."""

from triclinium.games.testoftime.game import GAME

__all__ = ["GAME"]
