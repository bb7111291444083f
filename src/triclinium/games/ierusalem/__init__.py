"""Ierusalem: Anno Domini."""

from triclinium.games.ierusalem.game import GAME

__all__ = ["GAME"]
