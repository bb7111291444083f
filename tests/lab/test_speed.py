"""Tests that the speed measurement returns plausible figures and reports the build."""

import pytest

from tests.toy import TOY, Toy, Turn
from triclinium.engine.build_info import is_compiled
from triclinium.lab.report import format_comparison, format_speed
from triclinium.lab.speed import SpeedReport, choose_seat_count, measure_speed, sample_states
from triclinium.lab.state_size import measure_state_bytes


@pytest.mark.usefixtures("figs")
def test_a_measurement_has_every_figure() -> None:
    told: list[str] = []
    measured = measure_speed(["figs"], seconds=0.05, on_game=told.append)
    (speed,) = measured["games"]
    assert told == ["figs"]
    assert measured["compiled"] is is_compiled()
    assert (speed["game"], speed["seats"], speed["compiled"]) == ("figs", 3, False)
    assert speed["decisions_per_second"] > 1000
    assert speed["matches_per_second"] * speed["decisions_per_match"] == pytest.approx(
        speed["decisions_per_second"], rel=0.01
    )
    assert 0 < speed["clone_us"] < speed["resample_us"]
    assert speed["digest_us"] > 0
    assert 500 < speed["state_bytes"] < 20_000
    assert speed["iterations_per_second"] > 10
    assert speed["nodes_per_second"] > 10
    assert 0 < speed["resampling"] < 1
    assert "TAG" in format_speed(measured)
    assert "iterations/s" in format_speed(measured)


def test_the_sampled_states_are_in_the_middle_of_matches() -> None:
    states = sample_states(TOY, 3)
    assert len(states) == 40
    assert len({s.digest() for s in states}) > 30
    assert all(not s.over for s in states)


def test_the_size_of_a_state_excludes_the_components() -> None:
    s = TOY.deal(3, 1)
    light = measure_state_bytes(TOY, s)
    t = s.clone()
    assert isinstance(t, Toy)
    t.push(*(Turn(seat) for seat in range(20)))
    assert measure_state_bytes(TOY, t) > light + 20 * 40
    t.stack = []
    assert measure_state_bytes(TOY, t) < light
    assert light < 5000


def test_a_comparison_prints_the_gain() -> None:
    plain: SpeedReport = {"python": "3.11.7", "compiled": False, "seconds": 1.0, "games": []}
    for game_id in ("figs",):
        plain["games"].append(
            {
                "game": game_id,
                "seats": 3,
                "compiled": False,
                "decisions_per_second": 100_000,
                "matches_per_second": 1000.0,
                "decisions_per_match": 100.0,
                "clone_us": 10.0,
                "resample_us": 30.0,
                "digest_us": 40.0,
                "state_bytes": 2000,
                "iterations_per_second": 1000,
                "nodes_per_second": 9000,
                "resampling": 0.125,
            }
        )
    native: SpeedReport = {
        **plain,
        "compiled": True,
        "games": [{**plain["games"][0], "compiled": True, "clone_us": 2.0}],
    }
    native["games"][0]["decisions_per_second"] = 700_000
    text = format_comparison(plain, native)
    assert "7.0 x" in text
    assert "5.0 x" in text
    assert "12.5 %" in text
    assert "interpreted" in text


def test_games_are_measured_at_their_customary_seats() -> None:
    assert choose_seat_count(TOY) == 3
