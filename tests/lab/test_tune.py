"""Tuning: it proposes, measures, and says whether the new weights are better."""

import json
from pathlib import Path

import pytest

from triclinium.cli import main
from triclinium.kernel.registry import title as find_title
from triclinium.kernel.sheet import read_weights
from triclinium.lab.tune import Search, fit_scale, margin, tune, with_weights

TITLE = find_title("evangelists")
SEARCH = Search(TITLE.id, TITLE.seats[0], "greedy", 0.0, 1, 2, 1)


def test_worse_weights_lose() -> None:
    """The evaluation turned upside down."""
    upside_down = [-weight for weight in TITLE.weights]
    assert margin(SEARCH, TITLE, upside_down, range(2)) < margin(SEARCH, TITLE, TITLE.weights, range(2))


def test_other_weights_leave_the_title_as_it_was() -> None:
    before = TITLE.weights[:]
    other = with_weights(TITLE, [0.0] * len(before))
    assert TITLE.weights == before
    assert other.id == TITLE.id


def test_without_time_the_weights_stay() -> None:
    report = tune(SEARCH)
    assert report["generations"] == 0
    assert list(report["weights"].values()) == pytest.approx(TITLE.weights, abs=1e-4)
    assert report["low"] <= report["share"] <= report["high"]


def test_a_scale_is_fitted() -> None:
    assert TITLE.scale / 9 < fit_scale(SEARCH, TITLE, 2) < TITLE.scale * 9


def test_the_command_writes_weights_that_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "weights.toml"
    arguments = ["--seconds", "1", "--deals", "1", "--trials", "2", "--bots", "greedy", "--seed", "3"]
    assert main(["tune", TITLE.id, *arguments, "--out", str(path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["generations"] >= 1
    assert report["weights"] != report["before"]
    weights = read_weights(path, TITLE.features)
    assert weights.each == list(report["weights"].values())
    assert weights.scale == report["scale"]
