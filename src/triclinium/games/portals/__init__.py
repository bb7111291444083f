"""Portals and Prophets: players witness the events of the Bible in the right place at the right time."""

from triclinium.games.portals.game import GAME

__all__ = ["GAME"]
