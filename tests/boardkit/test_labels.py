"""Tests of the label engine: no overlaps, leader lines that reach, the same result every time, and the shipped font."""

import hashlib
import math
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from triclinium.boardkit.labels import (
    Box,
    Disc,
    MapLabel,
    PlacedLabel,
    _LabelSearch,
    boxes_overlap,
    clamp,
    leaders_clash,
    measure_lines,
    measure_text,
    place_labels,
    segment_meets_box,
)
from triclinium.web.static_files import StaticFile, StaticFiles

FRAME = (0.0, 0.0, 500.0, 320.0)
CARTOUCHE: Box = (360.0, 10.0, 490.0, 70.0)
GAP = 1.0


def make_labels(count: int, seed: int) -> list[MapLabel]:
    """Return names of random lengths at random places that do not touch each other."""
    chance = random.Random(seed)
    labels: list[MapLabel] = []
    while len(labels) < count:
        x, y = round(chance.uniform(10, 490), 1), round(chance.uniform(10, 310), 1)
        free = not boxes_overlap((x - 6, y - 6, x + 6, y + 6), CARTOUCHE)
        if free and all(math.hypot(x - other.x, y - other.y) > 14 for other in labels):
            words = ["Aaron"[: chance.randint(2, 5)] * chance.randint(1, 2) for _ in range(chance.randint(1, 2))]
            sizes = [measure_lines([" ".join(words)], 11.0), measure_lines(words, 11.0)]
            labels.append(MapLabel(f"p{len(labels)}", x, y, 6.0, tuple(sizes), chance.randint(0, 2)))
    return labels


def place(labels: list[MapLabel]) -> dict[str, PlacedLabel]:
    return place_labels(labels, FRAME, obstacles=[CARTOUCHE], discs=[Disc(250.0, 160.0, 20.0)], gap=GAP)


def measure_distance(x: float, y: float, box: Box) -> float:
    return math.hypot(x - clamp(x, box[0], box[2]), y - clamp(y, box[1], box[3]))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("count", [10, 30, 60])
def test_names_cover_neither_each_other_nor_places_nor_obstacles(count: int, seed: int) -> None:
    labels = make_labels(count, seed)
    placed = place(labels)
    assert len(placed) > 0.8 * count
    for name in placed.values():
        left, top, right, bottom = name.box
        assert left >= FRAME[0]
        assert top >= FRAME[1]
        assert right <= FRAME[2]
        assert bottom <= FRAME[3]
        assert not boxes_overlap(name.box, CARTOUCHE)
        assert measure_distance(250.0, 160.0, name.box) >= 20.0
        for label in labels:
            assert measure_distance(label.x, label.y, name.box) >= label.radius, (name.id, label.id)
        for other in placed.values():
            if other is not name:
                assert not boxes_overlap(name.box, other.box), (name.id, other.id)
                assert not leaders_clash(name.box, name.leader, other.box, other.leader), (name.id, other.id)


@pytest.mark.parametrize("seed", range(2))
def test_leader_lines_reach_from_the_place_to_its_name(seed: int) -> None:
    labels = {label.id: label for label in make_labels(60, seed)}
    placed = place(list(labels.values()))
    drawn = [name for name in placed.values() if name.leader is not None]
    assert drawn
    for name in placed.values():
        label = labels[name.id]
        if name.leader is None:
            assert measure_distance(label.x, label.y, name.box) < label.radius + 14
            continue
        assert name.leader[0] == (label.x, label.y)
        assert measure_distance(*name.leader[1], name.box) == 0
        assert not segment_meets_box(name.leader, CARTOUCHE)


def test_the_same_places_give_the_same_names() -> None:
    labels = make_labels(60, 3)
    assert place(labels) == place(labels[:])


def test_the_lower_rank_keeps_its_name_where_room_is_short() -> None:
    size = (90.0, 12.0)
    labels = [MapLabel(f"p{n}", 50.0, 20.0 + 16 * n, 6.0, (size,), 1 + n % 2) for n in range(3)]
    placed = place_labels(labels, (0.0, 0.0, 160.0, 90.0), gap=GAP)
    assert {"p0", "p2"} <= set(placed)
    many = [MapLabel(f"q{n}", 20.0, 20.0, 6.0, (size,), n) for n in range(30)]
    assert 0 < len(place_labels(many, (0.0, 0.0, 160.0, 60.0), gap=GAP)) < 30
    assert "q0" in place_labels(many, (0.0, 0.0, 160.0, 60.0), gap=GAP)


def test_names_of_different_ranks_are_placed_with_few_tests_of_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that places the names of a position does not test all of their several hundred positions."""
    labels = [replace(label, rank=rank) for rank, label in enumerate(make_labels(12, 1))]
    build = _LabelSearch._build_candidate
    tested: list[int] = []

    def count(search: _LabelSearch, n: int, *arguments: Any) -> Any:
        tested.append(n)
        return build(search, n, *arguments)

    monkeypatch.setattr(_LabelSearch, "_build_candidate", count)
    assert len(place(labels)) == len(labels)
    assert len(tested) < 20 * len(labels)


def test_a_name_has_the_width_of_its_letters() -> None:
    assert measure_text("", 11) == 0
    assert measure_text("ii", 11) == pytest.approx(2 * measure_text("i", 11))
    assert measure_text("Thessaloniki", 11) < measure_text("Thessaloniki", 11, bold=True)
    assert measure_text("אבג", 10) == 27  # letters that the font lacks are taken to be wide
    width, height = measure_lines(["Palma de", "Mallorca"], 11)
    assert width == measure_text("Palma de", 11)
    assert 20 < height < 24


def test_the_font_is_small_and_has_the_address_in_the_style_sheet() -> None:
    files = StaticFiles({})
    font = (files.folder / "map-names.woff2").read_bytes()
    assert len(font) <= 40_000
    found = re.search(r"url\((/static/map-names\.woff2\?\w+)\)", (files.folder / "board.css").read_text())
    assert found is not None
    assert (
        found[1] == files.url("map-names.woff2") == f"/static/map-names.woff2?{hashlib.sha256(font).hexdigest()[:10]}"
    )
    assert StaticFile(files.folder / "map-names.woff2").media_type == "font/woff2"
