"""What a player must see (specification, section 8), as far as the drawing makes something of the view."""

from tests.titles.evangelists.table import C
from triclinium.titles.evangelists.drawing import Track

CHRONOLOGY = 3


def test_cubes_far_behind_stand_on_their_own_spaces() -> None:
    """AE-11.2, AE-11.5  Two cubes far behind the foremost share a space only if they are level."""
    track = Track(C, CHRONOLOGY, [9, 4, 3, 0, 4])
    assert [(space.label, space.seats) for space in track.spaces if space.seats] == [
        ("–", [3]),
        ("3", [2]),
        ("4", [1, 4]),
        ("9", [0]),
    ]
    assert track.points == [15, 2, 0, 0, 2]
