"""Les Missionnaires: two to four proclaimers travel round the Mediterranean, from the Bethel and back."""

from triclinium.games.missionnaires.game import GAME

__all__ = ["GAME"]
