"""Tests of calibration: measuring probabilities, fitting curves, and the curves that games ship."""

import random
from pathlib import Path

import pytest

from tests.shell import Shell
from triclinium import list_games, load_game
from triclinium.bots import Budget
from triclinium.engine.calibration import (
    STAGES,
    Calibration,
    compute_relative_log_odds,
    compute_win_probability,
    match_stage,
    read_calibration,
)
from triclinium.engine.core.errors import BadComponents
from triclinium.lab.calibration import (
    CalibrationSample,
    CalibrationTrial,
    choose_stage_deviation,
    cross_validate,
    fit_calibration,
    format_calibration_toml,
    make_report,
    measure_reliability,
    split_folds,
)


def make_moments(matches: int, seats: int, offset: float, slope: float) -> list[CalibrationSample]:
    """Return four moments of each match, with results that follow a curve."""
    chance = random.Random(5)
    found = []
    for match in range(matches):
        lead = chance.gauss(0, 1.5)
        came = float(chance.random() < compute_win_probability(offset + slope * lead, seats))
        found += [
            CalibrationSample(match, seats, moment / 4, compute_win_probability(lead, seats), came)
            for moment in range(4)
        ]
    return found


def test_probabilities_convert_to_odds_and_back() -> None:
    for seats in (2, 3, 5):
        assert compute_relative_log_odds(1 / seats, seats) == pytest.approx(0.0)
        for chance in (0.01, 0.4, 0.97):
            assert compute_win_probability(compute_relative_log_odds(chance, seats), seats) == pytest.approx(chance)
        assert 0.0 < compute_win_probability(compute_relative_log_odds(1.2, seats), seats) < 1.0
    assert [match_stage(progress) for progress in (-0.1, 0.0, 0.34, 0.67, 1.0, 1.3)] == [0, 0, 1, 2, 2, 2]


def test_a_known_curve_is_fitted() -> None:
    lines = fit_calibration(make_moments(1500, 3, 0.2, 0.6)).lines
    assert list(lines) == [3]
    for offset, slope in lines[3]:
        assert offset == pytest.approx(0.2, abs=0.12)
        assert slope == pytest.approx(0.6, abs=0.08)


def test_smoothing_is_chosen_on_held_out_matches() -> None:
    """Stages with one curve stay close to it, and stages that differ are fitted freely."""
    alike = make_moments(300, 2, 0.1, 0.8)
    apart = [
        one
        if match_stage(one.progress)
        else one._replace(
            predicted=compute_win_probability(-2.0 * compute_relative_log_odds(one.predicted, 2), 2),
            match=one.match + 1000,
        )
        for one in alike
    ]
    assert choose_stage_deviation(alike) < choose_stage_deviation(apart)
    every = [one for _, rest in split_folds(alike, 3) for one in rest]
    assert sorted(every) == sorted(alike)
    assert all(
        not {one.match for one in fitted} & {one.match for one in rest} for fitted, rest in split_folds(alike, 3)
    )


def test_few_matches_hardly_change_a_curve() -> None:
    for offset, slope in fit_calibration(make_moments(2, 2, 0.5, 0.5)).lines[2]:
        assert abs(offset) < 0.6
        assert 0.5 < slope < 1.5


def test_overconfidence_is_measured_and_corrected() -> None:
    sure = make_moments(800, 2, 0.0, 0.5)
    found = measure_reliability(sure, lambda one: one.predicted)
    assert found["expected_error"] > 0.08
    assert not found["reaches_bar"]
    assert sum(each["samples"] for each in found["bins"]) == found["samples"] == 3200
    assert all(each["said"] > each["came"] for each in found["bins"] if each["said"] > 0.6)
    true = make_moments(400, 2, 0.0, 1.0)
    few = measure_reliability(true[:400], lambda one: one.outcome)
    # too few matches to claim that the bar is reached
    assert (few["expected_error"], few["reaches_bar"]) == (0.0, None)
    assert measure_reliability(make_moments(800, 2, 0.0, 1.0), lambda one: one.outcome)["reaches_bar"] is True
    mended = cross_validate(sure)
    assert mended["expected_error"] < 0.04
    assert mended["brier"] < found["brier"]


def test_calibration_keeps_the_order_of_probabilities() -> None:
    """After any fit a better position keeps the higher probability."""
    told = fit_calibration(make_moments(300, 2, 0.0, -1.0))
    chances = [told.calibrate(said / 20, 2, 0.5) for said in range(21)]
    assert chances == sorted(chances)


@pytest.mark.parametrize("id", list_games())
def test_shipped_curves_can_be_loaded(id: str) -> None:
    game = load_game(id)
    told = game.calibration
    assert set(told.lines) <= set(game.seats)
    for seats in game.seats:
        for progress in (0.1, 0.5, 0.9):
            chances = [told.calibrate(said / 20, seats, progress) for said in range(21)]
            assert chances == sorted(chances)
            assert all(0.0 <= chance <= 1.0 for chance in chances)


def test_without_a_curve_probabilities_are_unchanged(tmp_path: Path) -> None:
    assert Calibration().calibrate(0.37, 3, 0.5) == 0.37
    assert read_calibration(tmp_path).lines == {}


def test_a_file_is_written_and_read(tmp_path: Path) -> None:
    trial = CalibrationTrial("evangelists", (2, 3), 60, Budget(60, 1), 1)
    both = make_moments(200, 2, 0.1, 0.8) + [
        one._replace(match=one.match + 1) for one in make_moments(200, 3, 0.1, 0.8)
    ]
    made = make_report(trial, "1x", both, 60, True)
    (tmp_path / "calibration.toml").write_text(format_calibration_toml(made, "By a test."))
    lines = read_calibration(tmp_path).lines
    assert {seats: len(found) for seats, found in lines.items()} == {2: STAGES, 3: STAGES}
    assert [list(line) for line in lines[2]] == (made["lines"] or {})["2"]
    for wrong in ("[seats]\n2 = [[0.0, 1.0]]", "[seats]\n2 = [[0.0, 1.0], [0.0, -1.0], [0.0, 1.0]]"):
        (tmp_path / "calibration.toml").write_text(wrong)
        with pytest.raises(BadComponents, match="2 seats need 3 pairs"):
            read_calibration(tmp_path)


@pytest.mark.usefixtures("figs")
def test_the_command(shell: Shell, tmp_path: Path) -> None:
    out = tmp_path / "found.toml"
    words = ("lab", "calibration", "figs", "--matches", "2", "--seats", "2", "--budget", "1x", "--seed", "3")
    made = shell.run(*words, "--fit", "--out", str(out), "--json").json()
    assert made["played"] == 2
    assert "[seats]" in out.read_text()
    shell.run(*words, "--workers", "2")  # the result does not depend on the number of workers
    assert "chances as hints show them" in shell.out
    assert isinstance(made["found"], dict)
    assert f"Brier {made['found']['brier']:.4f}, expected error {made['found']['expected_error']:.3f}" in shell.out
    assert shell.refused(*words[:4], "none")
    assert shell.refused(*words[:8], "soon")
    assert shell.refused("lab")
