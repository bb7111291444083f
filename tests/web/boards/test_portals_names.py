"""Test of the names on the map of Portals and Prophets."""

import pytest

from triclinium.boardkit.labels import ASCENT, boxes_overlap, clamp, compute_height, measure_lines
from triclinium.games.portals import GAME
from triclinium.games.portals.ui.board_layout import (
    HEIGHT,
    NAME_ROOM,
    NAME_SIZE,
    WIDTH,
    X0,
    Y0,
    build_board_map,
    place_names,
)
from triclinium.i18n.catalog import list_languages

C = GAME.components


@pytest.mark.parametrize("language", list_languages())
def test_every_place_has_a_name_next_to_pawns_and_flags(language: str) -> None:
    """Names of 19.5 units have 11 pixels on a map of 528, the smallest one that shows all of them."""
    board_map = build_board_map(C)
    names = place_names(C, language)
    assert set(names) == set(board_map.by_id)
    boxes = {}
    for id, name in names.items():
        width, height = measure_lines(name.lines, NAME_SIZE, bold=True)
        left = name.x - {"start": 0.0, "middle": width / 2, "end": width}[name.anchor]
        top = name.y - ASCENT * NAME_SIZE
        boxes[id] = (left, top, left + width, top + height)
        assert height == pytest.approx(compute_height(len(name.lines)) * NAME_SIZE)
    for id, box in boxes.items():
        assert box[0] >= X0 - 0.1
        assert box[1] >= Y0 - 0.1
        assert box[2] <= X0 + WIDTH + 0.1
        assert box[3] <= Y0 + HEIGHT + 0.1
        assert not [other for other in boxes if other != id and boxes_overlap(box, boxes[other])]
        for spot in board_map.spots:
            away_x = spot.x - clamp(spot.x, box[0], box[2])
            away_y = spot.y - clamp(spot.y, box[1], box[3])
            assert away_x**2 + away_y**2 > (NAME_ROOM - 0.2) ** 2, (id, spot.id)
            flag = (spot.flag_x - 5, spot.flag_y - 5, spot.flag_x + 5, spot.flag_y + 5)
            assert not boxes_overlap(box, flag), (id, spot.id)
