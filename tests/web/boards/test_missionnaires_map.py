"""Tests of the map of Les Missionnaires: spaces on the sheet, ways along the lines, and names without overlaps."""

import pytest

from triclinium.games.missionnaires import GAME
from triclinium.games.missionnaires.rules.components import BETHEL, CONGREGATION
from triclinium.games.missionnaires.ui.board_layout import (
    DISTANCE_LETTERS,
    EDGE_MARGIN,
    HEIGHT,
    NAME_SCALES,
    WIDTH,
    ZOOM_LEVELS,
    assign_name_levels,
    boxes_overlap,
    compute_road_distances,
    find_covered_names,
    find_shortest_path,
    list_spaces_by_number,
    map_edge_paths,
    map_spaces_by_id,
)
from triclinium.i18n.catalog import list_languages

C = GAME.components


def test_the_atlas_has_every_space_on_the_sheet() -> None:
    sheet = list_spaces_by_number(C)
    assert [space.id for space in sheet] == C.ids
    assert all(20 < space.x < WIDTH - 8 and 20 < space.y < HEIGHT - 8 for space in sheet)
    assert sheet[C.kind.index(BETHEL)].grid == "A2"
    for a in sheet:
        for b in sheet:
            assert a is b or (a.x - b.x) ** 2 + (a.y - b.y) ** 2 > 17**2, (a.id, b.id)


def test_a_way_leads_along_the_printed_lines() -> None:
    """Every road and lane has a line, and a shortest way uses as many lines as its length."""
    assert len(map_edge_paths(C)) == sum(len(near) for near in C.near) // 2
    for goal in C.congregation_at:
        for start in (C.bethel, C.ids.index("mlt"), C.ids.index("s16")):
            found = find_shortest_path(C, start, goal)
            assert found.svg_path.count("M") == C.distance[start][goal]
    by_land, by_sea = (
        find_shortest_path(C, C.bethel, C.ids.index("rom")),
        find_shortest_path(C, C.ids.index("mlt"), C.ids.index("rom")),
    )
    assert not by_land.by_sea
    assert by_sea.by_sea


def test_a_road_is_never_shorter_than_the_shortest_way() -> None:
    far = compute_road_distances(C, C.bethel)
    assert far[C.bethel] == 0
    assert all(steps >= C.distance[C.bethel][space] for space, steps in far.items())
    assert C.ids.index("mlt") not in far  # an island
    assert all(far[a] + 1 >= far[b] for a in far for b in C.roads[a])


@pytest.mark.parametrize("language", list_languages())
def test_names_that_stand_on_a_small_screen_do_not_touch(language: str) -> None:
    found = assign_name_levels(C, language)
    assert set(found) == set(ZOOM_LEVELS)
    for level, scale in NAME_SCALES:
        stand = [
            space
            for space in list_spaces_by_number(C)
            if ZOOM_LEVELS.index(found[space.number]) <= ZOOM_LEVELS.index(level)
        ]
        boxes = [space.text_in(language).label.compute_bounding_box(space.x, space.y, scale) for space in stand]
        assert len(boxes) > 12
        assert not any(boxes_overlap(a, b) for a in boxes for b in boxes if a is not b)
        assert all(a[0] > 20 and a[2] < WIDTH - 8 for a in boxes)
    plate = map_spaces_by_id(C)["mlg"].text_in(language).own_label
    assert (
        plate.compute_bounding_box(map_spaces_by_id(C)["mlg"].x, 0, 1.65, 3)[0] > 20
    )  # Malaga would be cut off on the left


def test_a_plate_hides_what_it_covers() -> None:
    covered = find_covered_names(C, "en", C.ids.index("ven"))
    assert covered[C.ids.index("mil")] == "far"  # Milan's name ends at the plate of Venice
    assert C.ids.index("rom") not in covered


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_plate_is_cut_by_the_edge_of_the_sheet(language: str) -> None:
    """This includes small screens and plates with a distance. Damascus is near the edge."""
    for number, kind in enumerate(C.kind):
        if kind == CONGREGATION:
            space = list_spaces_by_number(C)[number]
            left, _, right, _ = space.text_in(language).own_label.compute_bounding_box(
                space.x, space.y, NAME_SCALES[1][1], DISTANCE_LETTERS
            )
            assert left > EDGE_MARGIN - 1, space.id
            assert right < WIDTH - EDGE_MARGIN + 1, space.id
