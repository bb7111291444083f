"""Tests of the screenshots of named positions: no layout faults, and no blank images."""

import zlib
from pathlib import Path

import pytest

from bench.layout_checks import Window
from bench.screenshots import POSITIONS, ScreenshotPlan, take_all, truncate_to_position
from tests.browser.page_actions import match
from tests.event_loop import run_coroutine
from triclinium.engine.registry import list_games


def pixels(file: Path) -> tuple[int, int, bytes]:
    """Return width, height and the decompressed rows of a PNG."""
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    packed = b""
    at = 8
    while at < len(data):
        length = int.from_bytes(data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24]), zlib.decompress(packed)


@pytest.mark.parametrize("id", list_games())
def test_a_position_is_a_decision_of_the_first_seat(id: str) -> None:
    whole = match(id, 3)
    for name in ("start", "middle", "late"):
        s = truncate_to_position(whole, POSITIONS[name]).replay()
        assert s.who == 0
        assert not s.over
    assert truncate_to_position(whole, POSITIONS["end"]).replay().over


def test_the_pictures_show_something(tmp_path: Path) -> None:
    window = Window(844, 390, touch=True)
    wanted = ScreenshotPlan(["evangelists"], ["middle"], [window], ["en"])
    taken = run_coroutine(take_all(tmp_path, wanted, light=True, match=match))
    assert not taken.faults
    assert [file.name for file in taken.files] == [
        f"{what}-en-844x390-{theme}.png"
        for what in ("home", "evangelists-middle-2", "evangelists-middle-5")
        for theme in ("light", "dark")
    ]
    for file in taken.files:
        width, height, rows = pixels(file)
        assert (width, height) == (844, 390)
        drawn = sum(byte != 0 for byte in rows)  # rows are stored as differences, so a plain area is zero
        assert drawn > len(rows) / 100, "the picture is blank"
