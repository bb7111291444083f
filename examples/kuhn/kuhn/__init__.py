"""Kuhn poker, a whole game for Triclinium: rules.py is its rulebook, game.py all above it, data/locale its French."""

from kuhn.game import GAME

__all__ = ["GAME"]
