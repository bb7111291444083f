"""Tests of the Judgments of the Sanhedrin (IE-5)."""

import pytest

from tests.games.ierusalem.table import ANA, BEN, CEM, DIA, list_earned, play, table
from triclinium.games.ierusalem.rules.state import FROM_JUDGMENTS

ORDER = ("parable", "offering", "goods", "call", "favor", "supper")


@pytest.mark.parametrize(
    ("tile", "points"),
    [
        ("parable", [3, 1, 0, 2]),  # IE-5.2
        ("offering", [4, 2, 1, 0]),  # IE-5.3
        ("goods", [7, 2, 0, 1]),  # IE-5.4
        ("call", [5, 2, 1, 1]),  # IE-5.5
        ("favor", [2, 3, 0, 1]),  # IE-5.6
        ("supper", [3, 1, 2, 0]),  # IE-5.8
    ],
)
def test_the_mover_scores_in_full_the_others_half(tile: str, points: list[int]) -> None:
    """IE-5.1 to IE-5.8  The player who moves the marker scores in full and the others half, rounded down.

    The state on arrival counts, and nothing is spent (IE-R11).
    """
    s = table(
        hands={ANA: "r09"},
        marker=2,
        tiles=(tile, *[other for other in ORDER if other != tile]),
        parables={ANA: 3, BEN: 2, CEM: 1, DIA: 5},
        offerings={ANA: 4, BEN: 5, CEM: 3, DIA: 1},
        goods={ANA: (3, 2, 2), BEN: (2, 2, 1), CEM: (0, 1, 0), DIA: (1, 1, 1)},
        at={ANA: (2, 2, 1), BEN: (1, 2, 2), CEM: (1, 1, 1), DIA: (2, 0, 0)},
        favors={ANA: 2, BEN: 6, CEM: 1, DIA: 3},
        supper={ANA: "tl u1c1 u2c1", BEN: "tr u1c2", CEM: "bl d1c1 d2c1 d3c1 d1c2", DIA: "br"},
    )
    play(s, "play r09", "column 1", "done", "skip")
    assert s.marker == 3
    assert list_earned(s, FROM_JUDGMENTS) == points


def test_without_a_tile_there_is_no_judgment() -> None:
    """IE-4.10  On spaces without a tile nothing scores."""
    s = table(hands={ANA: "r09"}, marker=3)
    play(s, "play r09", "column 1", "done", "skip")
    assert s.marker == 4
    assert list_earned(s, FROM_JUDGMENTS) == [0, 0, 0, 0]


def test_the_marker_stays_on_the_last_space() -> None:
    """IE-R10  Further moves of the marker in that turn do nothing."""
    s = table(hands={ANA: "ad02"}, marker=23)
    play(s, "play ad02", "column 1", "skip", "move tl", "onto u3c2")
    assert s.marker == 24
