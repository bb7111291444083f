"""Ierusalem: Anno Domini."""

from triclinium.games.ierusalem.game import TITLE

__all__ = ["TITLE"]
