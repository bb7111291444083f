"""Tests of final scoring (AE-11)."""

from collections.abc import Sequence

import pytest

from tests.games.evangelists.table import C, table
from triclinium.engine.core.score import Score
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.rules.components import TRACKS
from triclinium.games.evangelists.rules.state import Evangelists

TRACK = {"inclusio": 0, "emphasis": 1, "chiasm": 2, "chronology": 3}


def cards(theme: str, matching: int, others: int) -> list[int]:
    """Return a gospel of ten slots with this many cards that match a theme and this many that do not."""
    number = C.theme_ids.index(theme)
    match = [c + 1 for c in range(36) if (C.themes[c] >> number) & 1][:matching]
    rest = [c + 1 for c in range(36) if not (C.themes[c] >> number) & 1][:others]
    return (match + rest + [0] * 10)[:10]


def score_table(
    levels: Sequence[Sequence[int]],
    tally: Sequence[int] = (),
    matching: Sequence[tuple[int, int]] = (),
    **variants: object,
) -> list[Score]:
    """Return the scores of a table with these tracks, tally marks, and (matching, all) cards of each player's theme."""
    seats = len(levels)
    themes = C.theme_ids[:seats]
    gospels = {seat: cards(themes[seat], match, of - match) for seat, (match, of) in enumerate(matching)}
    s = table(seats=seats, themes=themes, gospels=gospels, tally=tally or None, variants=variants)
    return GAME.scores(place_cubes(s, levels))


def place_cubes(s: Evangelists, levels: Sequence[Sequence[int]]) -> Evangelists:
    """Return the table with the cubes placed on these spaces."""
    for seat, row in enumerate(levels):
        s.levels[seat * TRACKS : (seat + 1) * TRACKS] = row
    return s


def score_track(track: str, levels: Sequence[int]) -> list[Score]:
    """Return the scores of a table with cubes on one track only."""
    return score_table([[level if i == TRACK[track] else 0 for i in range(TRACKS)] for level in levels])


def test_tally_marks_are_points() -> None:
    """AE-E5, AE-11.1  37 tally marks are 37 points."""
    score = score_table([[0] * 4] * 2, tally=[37, 0])[0]
    assert score.line_points("tally") == 37
    assert score.total == 37


def test_chronology_example() -> None:
    """AE-E2, AE-11.2  Levels 8, 8, 7 and 5 on the chronology track score 15, 15, 11 and 6."""
    scores = score_track("chronology", [8, 8, 7, 5])
    assert [score.line_points("chronology") for score in scores] == [15, 15, 11, 6]


def test_levels_behind_the_leader() -> None:
    """AE-E2, AE-11.2, AE-R26  Behind a leader on 8, the levels 7 to 3 score 11, 8, 6, 4 and 2.

    A player six spaces behind scores nothing.
    """
    assert [score.line_points("chronology") for score in score_track("chronology", [8, 7, 6, 5, 4])] == [
        15,
        11,
        8,
        6,
        4,
    ]
    assert [score.line_points("chronology") for score in score_track("chronology", [8, 3])] == [15, 2]
    assert [score.line_points("chronology") for score in score_track("chronology", [9, 3])] == [15, 0]
    assert [score.line_points("chronology") for score in score_track("chronology", [10, 3])] == [15, 0]


@pytest.mark.parametrize("track", list(TRACK))
def test_each_track_is_scored_by_itself(track: str) -> None:
    """AE-11.2  Four equal tracks give equal lines of the score sheet."""
    scores = score_track(track, [3, 1])
    assert [score.line_points(track) for score in scores] == [15, 8]
    for other in TRACK:
        if other != track:
            assert [score.line_points(other) for score in scores] == [0, 0]


def test_only_cubes_on_a_track_score() -> None:
    """AE-11.2, AE-R27  Level 0 has no cube and scores nothing. A single cube scores 15."""
    assert [score.line_points("emphasis") for score in score_track("emphasis", [1, 0, 0])] == [15, 0, 0]
    assert [score.line_points("emphasis") for score in score_track("emphasis", [0, 0])] == [0, 0]


def test_ties_example() -> None:
    """AE-E3, AE-11.5  The two players on level 8 of the chronology example lose one point each."""
    scores = score_track("chronology", [8, 8, 7, 5])
    assert [score.line_points("ties") for score in scores] == [-1, -1, 0, 0]


def test_ties_count_cubes() -> None:
    """AE-R30  Three level cubes cost each player 2. Without a cube there is no tie, and theme ties cost nothing."""
    assert [score.line_points("ties") for score in score_track("chiasm", [2, 2, 2, 1])] == [-2, -2, -2, 0]
    assert [score.line_points("ties") for score in score_track("chiasm", [0, 0, 0])] == [0, 0, 0]
    scores = score_table([[0] * 4] * 2, matching=[(3, 6), (3, 6)])
    assert [score.line_points("ties") for score in scores] == [0, 0]


def test_ties_add_up_over_the_tracks() -> None:
    """AE-11.5  A player who shares spaces with one opponent on three tracks loses three points."""
    scores = score_table([[1, 2, 3, 4], [1, 2, 3, 5]])
    assert [score.line_points("ties") for score in scores] == [-3, -3]


def test_theme_example() -> None:
    """AE-E4, AE-11.3, AE-11.4  6, 4, 4 and 1 matching cards score 15, 8, 8 and 2. Six of ten cards earn the bonus."""
    scores = score_table([[0] * 4] * 4, matching=[(6, 10), (4, 10), (4, 9), (1, 10)])
    assert [score.line_points("theme") for score in scores] == [15, 8, 8, 2]
    assert [score.line_points("bonus") for score in scores] == [5, 0, 0, 0]


def test_the_bonus_needs_half() -> None:
    """AE-11.4, AE-R29  Exactly half of the cards is enough for the bonus. A gospel without cards gets none."""
    scores = score_table([[0] * 4] * 4, matching=[(4, 8), (4, 9), (1, 1), (0, 0)])
    assert [score.line_points("bonus") for score in scores] == [5, 0, 5, 0]


def test_both_themes_of_a_card_count() -> None:
    """AE-R3  Both the leading and the second theme count."""
    s = table(seats=2, themes=["human", "outcast"], gospels={0: [2, 0, 0, 0, 0, 0], 1: [2, 0, 0, 0, 0, 0]})
    assert [score.line_points("theme") for score in GAME.scores(s)] == [15, 15]  # card 2: human, then outcast
    t = table(seats=2, themes=["messiah", "son"], gospels={0: [1, 0, 0, 0, 0, 0], 1: [1, 0, 0, 0, 0, 0]})
    assert [score.line_points("theme") for score in GAME.scores(t)] == [15, 11]  # card 1: messiah alone


def test_no_match_scores_by_distance() -> None:
    """AE-R28  A player four matches behind the leader scores 4, and six or more score nothing.

    If nobody has a match, nobody scores.
    """
    assert [score.line_points("theme") for score in score_table([[0] * 4] * 2, matching=[(4, 6), (0, 6)])] == [15, 4]
    assert [score.line_points("theme") for score in score_table([[0] * 4] * 2, matching=[(6, 6), (0, 6)])] == [15, 0]
    assert [score.line_points("theme") for score in score_table([[0] * 4] * 2, matching=[(0, 6), (0, 6)])] == [0, 0]


def test_a_theme_may_need_a_match() -> None:
    """AE-R28  With the option a gospel without a match scores nothing for its theme."""
    scores = score_table([[0] * 4] * 3, matching=[(4, 6), (0, 6), (1, 6)], theme_needs_match=True)
    assert [score.line_points("theme") for score in scores] == [15, 0, 6]


LEVELS_S12 = [[2, 2, 3, 5], [1, 2, 3, 0], [0, 3, 1, 6], [2, 0, 3, 3]]
CARDS_S12 = [(5, 10), (4, 9), (3, 10), (0, 8)]


def test_a_full_scoring() -> None:
    """AE-S12, AE-11.6  The four players score 116, 100, 87 and 95, each line as on the sheet, and the first wins."""
    scores = score_table(LEVELS_S12, tally=[48, 55, 41, 60], matching=CARDS_S12)
    names = ["tally", "inclusio", "emphasis", "chiasm", "chronology", "theme", "bonus", "ties"]
    assert [line.name for line in scores[0].lines] == names
    assert [[score.line_points(name) for name in names] for score in scores] == [
        [48, 15, 11, 15, 11, 15, 5, -4],
        [55, 11, 11, 15, 0, 11, 0, -3],
        [41, 0, 15, 8, 15, 8, 0, 0],
        [60, 15, 0, 15, 6, 2, 0, -3],
    ]
    assert [score.total for score in scores] == [116, 100, 87, 95]
    assert [score.rank for score in scores] == [1, 2, 4, 3]


def test_a_full_scoring_where_the_theme_needs_a_match() -> None:
    """AE-S12, AE-R28  With the option, the player without a match gets 0 for the theme."""
    scores = score_table(LEVELS_S12, tally=[48, 55, 41, 60], matching=CARDS_S12, theme_needs_match=True)
    assert [score.total for score in scores] == [116, 100, 87, 93]


def test_tied_more_tally_marks_win() -> None:
    """AE-11.7  The totals are equal, with 15 points of one player from a track."""
    scores = score_table([[0, 0, 0, 0], [0, 0, 1, 0]], tally=[20, 5])
    assert [score.total for score in scores] == [20, 20]
    assert [score.rank for score in scores] == [1, 2]


def test_still_tied_the_victory_is_shared() -> None:
    """AE-R31  With equal scores and equal tally marks the victory is shared, and the next rank is the third."""
    scores = score_table([[0] * 4] * 3, tally=[20, 20, 5])
    assert [score.rank for score in scores] == [1, 1, 3]
