"""For authors of games: what holds for every game at every moment of any match, checked for yours.

>>> from triclinium.testing import check_game  # in a test of yours: check_game(GAME, conserved=..., slow_scores=...)
"""

from triclinium.testing.contract import check_game
from triclinium.testing.random_matches import GameCase, SampleSizes, list_cases

__all__ = ["GameCase", "SampleSizes", "check_game", "list_cases"]
