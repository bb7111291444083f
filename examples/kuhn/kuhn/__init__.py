"""Kuhn poker, a whole game for Triclinium: all of it is in game.py, its French in data/locale."""

from kuhn.game import GAME

__all__ = ["GAME"]
