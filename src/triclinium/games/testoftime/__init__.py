"""Test of Time."""

from triclinium.games.testoftime.game import TITLE

__all__ = ["TITLE"]
