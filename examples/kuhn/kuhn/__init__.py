"""Kuhn poker, a complete game for Triclinium.

rules.py holds its rules, game.py all the parts above them, and data/locale its French translation.
"""

from kuhn.game import GAME

__all__ = ["GAME"]
