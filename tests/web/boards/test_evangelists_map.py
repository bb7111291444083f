"""Tests of the map of The Acts of the Evangelists: plaques, boats and cubes are visible."""

import pytest

from triclinium.boardkit.labels import ASCENT, boxes_overlap, clamp, measure_lines
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.ui.board_layout import (
    BACK_WIDTH,
    BOAT_OFFSET,
    BOAT_SIZE,
    BOX_GAP,
    DISC_WIDTH,
    FACE_WIDTH,
    MAP_WINDOW,
    NAME_SIZE,
    NAMED_PAWNS,
    PLAQUE_HEIGHT,
    PLAQUE_MAX_WIDTH,
    PLAQUES,
    POSITIONS,
    TRUE_POSITIONS,
    CityPlaque,
    choose_phone_window,
    covers,
    list_map_places,
    list_pawn_positions,
    locate_plaque_corner,
    place_boats,
    place_cubes,
    place_waypoint_names,
)
from triclinium.games.evangelists.ui.view import BoxCard, City, Cube
from triclinium.i18n.catalog import list_languages

C = GAME.components


def draw_plaque(id: str, at: list[str | None], face_up: int = -1, cube: Cube | None = None) -> CityPlaque:
    """Return the plaque of a city with these backs in its box."""
    box = [
        None if back is None else BoxCard(C.theme_ids.index(back), nth == face_up, 0 if nth == face_up else None, [])
        for nth, back in enumerate(at)
    ]
    return CityPlaque(C, City(C.place_ids.index(id), C.witness_ids.index("peter"), cube, 4, box))


def test_nothing_on_the_map_covers_a_place() -> None:
    """No plaque overlaps another one, a place or the edge, however full the boxes are."""
    left, top, width, high = MAP_WINDOW
    widest = DISC_WIDTH + FACE_WIDTH + 3 * BACK_WIDTH + 4 * BOX_GAP + 2
    assert widest <= PLAQUE_MAX_WIDTH
    plaques = [draw_plaque(id, ["son"] * 4, face_up=1) for id in PLAQUES]
    for plaque in plaques:
        assert widest <= plaque.width <= PLAQUE_MAX_WIDTH
        assert left <= plaque.x
        assert plaque.x + plaque.width <= left + width
        assert top <= plaque.y
        assert plaque.y + PLAQUE_HEIGHT <= top + high
        for spot in list_map_places(C):
            clear = 12 if spot.is_city else 5
            dx = max(plaque.x - spot.x, 0, spot.x - plaque.x - plaque.width)
            dy = max(plaque.y - spot.y, 0, spot.y - plaque.y - PLAQUE_HEIGHT)
            assert max(dx, dy) >= clear - 5, (plaque.id, spot.id)
        for other in plaques:
            if other.id < plaque.id:
                beside = other.x >= plaque.x + plaque.width or plaque.x >= other.x + other.width
                assert beside or other.y >= plaque.y + PLAQUE_HEIGHT or plaque.y >= other.y + PLAQUE_HEIGHT, (
                    plaque.id,
                    other.id,
                )


def test_a_box_is_drawn_place_by_place() -> None:
    plaque = draw_plaque("rome", ["son", None, "human", "servant"], face_up=3)
    assert [tile.is_empty for tile in plaque.box] == [False, True, False, False]
    assert plaque.cards == 3
    for tile, after in zip(plaque.box, plaque.box[1:], strict=False):
        assert after.x == tile.x + tile.width + BOX_GAP


def test_pawns_are_next_to_the_plaques() -> None:
    """All five pawns have separate spots at any place, clear of the plaques, however full the box is."""
    for place in POSITIONS:
        for moored in (False, True):
            spots_there = list_pawn_positions(place, moored)[:5]
            assert len(set(spots_there)) == 5
            for city in PLAQUES:
                assert not any(
                    covers(spot, (*locate_plaque_corner(city, PLAQUE_MAX_WIDTH), PLAQUE_MAX_WIDTH, PLAQUE_HEIGHT))
                    for spot in spots_there
                )


def test_the_first_pawn_does_not_cover_a_boat() -> None:
    for city in PLAQUES:
        x, y = POSITIONS[city]
        assert not covers(
            list_pawn_positions(city, True)[0], (x + BOAT_OFFSET[0], y + BOAT_OFFSET[1], BOAT_SIZE, BOAT_SIZE)
        )


def test_a_boat_that_sails_glides() -> None:
    """Boats are identified by number, so a boat keeps its id when it sails."""
    before = {boat.nth: boat.place for boat in place_boats(["rome", "ephesus", "caesarea"])}
    after = {boat.nth: boat.place for boat in place_boats(["corinth", "ephesus", "caesarea"])}
    assert before == {0: "rome", 1: "ephesus", 2: "caesarea"}
    assert after == {0: "corinth", 1: "ephesus", 2: "caesarea"}


def test_a_cube_glides_from_the_bag_and_back() -> None:
    """A witness's cube is always on the page. Its position depends on its status."""
    in_bag = place_cubes([draw_plaque("rome", ["son"] * 4)])[0]
    on_disc = place_cubes([draw_plaque("rome", ["son"] * 4, cube="white")])[0]
    assert (in_bag.witness, in_bag.status) == ("peter", "")
    assert (on_disc.witness, on_disc.status) == ("peter", "alive")
    assert (in_bag.x, in_bag.y) != (on_disc.x, on_disc.y)


def test_a_phone_shows_the_own_pawn() -> None:
    left, top, width, high = MAP_WINDOW
    assert choose_phone_window(None) == ""
    for id, (at_x, at_y) in POSITIONS.items():
        x, y, w, h = (float(number) for number in choose_phone_window(id).split())
        assert left - 1 <= x <= at_x <= x + w <= left + width + 1
        assert top - 1 <= y <= at_y <= y + h <= top + high + 1


def test_displaced_places_mark_their_true_location() -> None:
    """Jerusalem, Gaza and Athens are shifted as the components say, with a leader line to the true spot."""
    rows = {row.text("id"): row for row in GAME.file.rows("place")}
    assert set(TRUE_POSITIONS) == {id for id, row in rows.items() if row.number("draw_dlat") or row.number("draw_dlon")}
    rome, east = rows["rome"], rows["alexandria"]  # two places that are not shifted
    wide = (POSITIONS["alexandria"][0] - POSITIONS["rome"][0]) / (east.number("lon") - rome.number("lon"))
    high = (POSITIONS["alexandria"][1] - POSITIONS["rome"][1]) / (east.number("lat") - rome.number("lat"))
    for id, (x, y) in TRUE_POSITIONS.items():
        assert abs(POSITIONS["rome"][0] + (rows[id].number("lon") - rome.number("lon")) * wide - x) < 1
        assert abs(POSITIONS["rome"][1] + (rows[id].number("lat") - rome.number("lat")) * high - y) < 1


@pytest.mark.parametrize("language", list_languages())
def test_waypoints_have_names_clear_of_plaques_places_and_pawns(language: str) -> None:
    """Names of 15 units have 11 pixels on a map of 640 pixels."""
    names = place_waypoint_names(C, language)
    waypoints = [spot for spot in list_map_places(C) if not spot.is_city]
    assert set(names) == {spot.id for spot in waypoints}
    boxes: dict[str, tuple[float, float, float, float]] = {}
    for spot in waypoints:
        name = names[spot.id]
        width, height = measure_lines([GAME.words.reader(language).format_arg(spot.name)], NAME_SIZE)
        left = name.x - {"start": 0.0, "middle": width / 2, "end": width}[name.anchor]
        top = name.y - ASCENT * NAME_SIZE
        boxes[spot.id] = (left, top, left + width, top + height)
    for id, box in boxes.items():
        assert not [other for other in boxes if other != id and boxes_overlap(box, boxes[other])]
        for city in PLAQUES:
            x, y = locate_plaque_corner(city, PLAQUE_MAX_WIDTH)
            assert not boxes_overlap(box, (x, y, x + PLAQUE_MAX_WIDTH, y + PLAQUE_HEIGHT)), (id, city)
        for spot in list_map_places(C):
            for x, y in [(spot.x, spot.y), *list_pawn_positions(spot.id, False)[:NAMED_PAWNS]]:
                away_x, away_y = x - clamp(x, box[0], box[2]), y - clamp(y, box[1], box[3])
                assert away_x**2 + away_y**2 > 6**2, (id, spot.id)
