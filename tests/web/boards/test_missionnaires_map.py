"""Tests of the map of Les Missionnaires: spaces on the sheet, ways along the lines, and names without overlaps."""

import math
import random
from pathlib import Path

import pytest

from triclinium.boardkit.labels import boxes_overlap, clamp
from triclinium.games.missionnaires import GAME
from triclinium.games.missionnaires.rules.components import BETHEL
from triclinium.games.missionnaires.ui import board_layout
from triclinium.games.missionnaires.ui.board import PHONE_SIZE
from triclinium.games.missionnaires.ui.board_layout import (
    HEIGHT,
    WIDTH,
    compute_road_distances,
    find_shortest_path,
    list_spaces_by_number,
    map_edge_paths,
)
from triclinium.games.missionnaires.ui.map_drawing import MapDrawing
from triclinium.games.missionnaires.ui.map_names import (
    CARTOUCHE,
    FULL_LAYOUTS,
    LEGEND,
    ROOMY,
    SPARSE,
    ZOOM_BUTTONS,
    NameLayout,
    place_names,
    place_needed_names,
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


def test_paths_follow_the_printed_lines() -> None:
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


def test_roads_are_at_least_as_long_as_the_shortest_path() -> None:
    far = compute_road_distances(C, C.bethel)
    assert far[C.bethel] == 0
    assert all(steps >= C.distance[C.bethel][space] for space, steps in far.items())
    assert C.ids.index("mlt") not in far  # Malta is an island, which no road reaches.
    assert all(far[a] + 1 >= far[b] for a in far for b in C.roads[a])


@pytest.mark.parametrize("layout", FULL_LAYOUTS, ids=lambda layout: layout.id)
@pytest.mark.parametrize("language", list_languages())
def test_every_space_has_a_name_on_maps_of_laptops(language: str, layout: NameLayout) -> None:
    """No name covers another one, a space with a pawn, the title, the legend or the buttons."""
    names = place_names(C, language, layout)
    assert set(names) == set(range(C.spaces))
    assert layout.font_size / layout.scale >= 11  # pixels on the smallest map of the layout
    boxes = {number: name.placed.box for number, name in names.items()}
    for number, box in boxes.items():
        assert box[0] >= 20
        assert box[1] >= 20
        assert box[2] <= 841
        assert box[3] <= 555
        assert not any(boxes_overlap(box, obstacle) for obstacle in (CARTOUCHE, LEGEND, ZOOM_BUTTONS))
        for space in list_spaces_by_number(C):
            x, y = clamp(space.x, box[0], box[2]), clamp(space.y, box[1], box[3])
            assert math.hypot(x - space.x, y - space.y) >= layout.radius * layout.symbol_scale, (number, space.id)
        for other, other_box in boxes.items():
            assert number == other or not boxes_overlap(box, other_box), (number, other)
        name = names[number]
        leader = name.placed.leader
        assert leader is None or (leader[0] == (name.space.x, name.space.y) and " ".join(name.lines))
        assert " ".join(name.lines) == name.space.text_in(language).short_name


@pytest.mark.parametrize("language", list_languages())
def test_a_small_map_names_what_the_viewer_needs(language: str) -> None:
    """The space of the pawn and those of the options have names of at least 11 pixels, which do not touch."""
    s = GAME.deal(3, 23)
    chance = random.Random(23)
    for _ in range(30):
        drawing = MapDrawing(C, GAME.view(s, s.who))
        needed = drawing.list_needed_names()
        spots = [drawing.find_spot(option) for option in drawing.options]
        offered = {spot.space_number for spot in spots if spot is not None and spot.space_number is not None}
        assert offered <= set(needed)
        assert drawing.here in {-1, *needed}
        names = place_needed_names(C, language, tuple(needed))
        assert offered | ({drawing.here} - {-1}) <= set(names)
        boxes = [name.placed.box for name in names.values()]
        assert not any(boxes_overlap(a, b) for a in boxes for b in boxes if a is not b)
        s.choose(chance.choice(s.legal))


def test_the_style_sheet_has_the_sizes_of_the_layouts() -> None:
    style = (Path(board_layout.__file__).parent / "style.css").read_text(encoding="utf-8")
    for layout in (*FULL_LAYOUTS, SPARSE):
        rule = style.split(f".n.{layout.id} {{")[1].split("}")[0]
        assert f"{layout.font_size:.2f}".rstrip("0") + f"px * var(--{layout.id})" in rule
        scale = float(rule.split("var(--k) / ")[1].split(")")[0])
        assert scale == pytest.approx(layout.symbol_scale, abs=0.001)
    for layout in FULL_LAYOUTS:
        assert f"--{layout.id}: c" in style
        assert f"({layout.scale} - var(--e))" in style


def test_the_phone_shows_the_names_of_a_large_map() -> None:
    """The first part of the map that a phone shows is as large as on a laptop, unless the options are far apart."""
    units_per_pixel = PHONE_SIZE[0] / 320
    assert units_per_pixel < ROOMY.scale
