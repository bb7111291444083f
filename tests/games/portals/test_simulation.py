"""Tests of whole matches by greedy bots against the figures of the specification."""

import pytest

from tests.slow import slow
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.games.portals.game import GAME
from triclinium.games.portals.rules.state import BY_THIRD_CARD, Portals

MATCHES = ((2, 2), (3, 3), (2, 3), (3, 2))  # seats and deal


@pytest.mark.parametrize("matches", [MATCHES[:2], slow(MATCHES)])
def test_greedy_matches_end_in_time_and_score_well(matches: tuple[tuple[int, int], ...]) -> None:
    """PP-10.1, PP-R19  The third card ends a match of greedy bots after about 15 rounds.

    Half of the points come at the end.
    """
    greedy = create_bot("greedy", GAME)
    totals: list[int] = []
    cards: list[int] = []
    for seats, deal in matches:
        rng = Rng(2)
        s = GAME.deal(seats, deal)
        assert isinstance(s, Portals)
        while not s.over:
            s.choose(choose_option(greedy, s, rng))
        assert s.ending == BY_THIRD_CARD
        assert 12 <= s.round <= 20
        assert min(len(played) for played in s.played) >= 6
        best = max(GAME.scores(s), key=lambda score: score.points)
        totals.append(best.points)
        cards.append(best.line_points("cards"))
    assert sum(totals) >= 70 * len(totals)
    assert 0.3 <= 1 - sum(cards) / sum(totals) <= 0.7
