"""Contract tests for authors of games: the requirements for every game at every moment of a match.

>>> from triclinium.testing import check_game  # call check_game(GAME, conserved=..., slow_scores=...) in your test
"""

from triclinium.testing.contract import check_game
from triclinium.testing.random_matches import GameCase, SampleSizes, list_cases

__all__ = ["GameCase", "SampleSizes", "check_game", "list_cases"]
