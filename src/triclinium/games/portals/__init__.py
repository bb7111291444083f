"""Portals and Prophets: witness the events of the Bible, in the right place and at the right time."""

from triclinium.games.portals.game import GAME

__all__ = ["GAME"]
