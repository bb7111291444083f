"""Tests of `triclinium learn` with the targets weights and value model."""

import json
import math
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.slow import slow
from triclinium.bots.core.value import ValueModel
from triclinium.cli.main import main
from triclinium.engine.core.weights import Weights, read_weights
from triclinium.engine.registry import list_games, load_game
from triclinium.games.evangelists.game import GAME
from triclinium.lab.learn.evolution import WeightSearch, learn_weights, play_generation, scale_weights
from triclinium.lab.learn.value_model import (
    Dataset,
    build_dataset,
    fit_by_points,
    fit_by_wins,
    fit_conditional_logit,
    fit_scale,
)
from triclinium.lab.learn.weights import format_weights_toml, with_weights

SEARCH = WeightSearch(GAME.id, 2, "greedy", seconds=0.0, proposals=2, deals=1, trials=2, dataset_matches=3, seed=1)


def test_worse_weights_lose() -> None:
    """The worse weights are the negated evaluation."""
    upside_down = [-weight for weight in GAME.weights.values]
    results = play_generation(SEARCH, GAME, [upside_down, GAME.weights.values, GAME.weights.values, upside_down], 0)
    assert max(results[0], results[3]) < min(results[1], results[2])


def test_other_weights_leave_the_game_as_it_was() -> None:
    before = GAME.weights.values[:]
    other = with_weights(GAME, [0.0] * len(before))
    assert GAME.weights.values == before
    assert other.id == GAME.id
    kept = ["names", "scale", "prior", "horizon", "own_turns", "whole_actions", "solo_turns", "crowd_factor"]
    kept += ["candidates", "opening", "endgame", "turn"]
    assert [getattr(other.weights, name) for name in kept] == [getattr(GAME.weights, name) for name in kept]


def test_a_proposal_changes_the_ratios_of_weights_alone() -> None:
    assert scale_weights([1.0, -2.0], [0.3, 0.3]) == pytest.approx([1.0, -2.0])
    assert scale_weights([1.0, -2.0], [math.log(4), 0.0]) == pytest.approx([2.0, -1.0])


def test_without_time_the_weights_stay() -> None:
    report = learn_weights(replace(SEARCH, bot="random"))  # random matches are short; the command below uses greedy
    assert report["generations"] == 0
    assert list(report["weights"].values()) == pytest.approx(GAME.weights.values, abs=1e-4)
    assert report["low"] <= report["share"] <= report["high"]
    assert list(report["judge"]) == [*GAME.weights.names, "turn"]


@pytest.mark.parametrize("plays", [False, slow(True)])
@pytest.mark.parametrize("id", list_games())
def test_a_file_says_of_the_search_what_it_said_before(
    id: str, plays: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fast test fits to invented matches, the slow one plays its own."""
    game = load_game(id)
    if not plays:
        monkeypatch.setattr(
            "triclinium.lab.learn.value_model.build_dataset", lambda *_: make_matches(2, len(game.weights.names))
        )
    report = learn_weights(WeightSearch(id, game.seats[0], "random", seconds=0.0, trials=0, dataset_matches=2, seed=1))
    path = tmp_path / "weights.toml"
    path.write_text(format_weights_toml(report, "Tuned.", game.weights), encoding="utf-8")
    again = read_weights(path, game.weights.names)
    kept = ("horizon", "own_turns", "whole_actions", "solo_turns", "crowd_factor", "candidates")
    assert [getattr(again, name) for name in kept] == [getattr(game.weights, name) for name in kept]
    usual = game.weights.prior == game.weights.scale / 4
    assert again.prior == (again.scale / 4 if usual else game.weights.prior)


def make_matches(matches: int, kinds: int = len(GAME.weights.names)) -> Dataset:
    """Return matches of forty positions.

    The first feature's effect grows from two to six times in the odds of winning.
    """
    rng = np.random.default_rng(5)
    size = matches * 40
    features = np.zeros((size, 2, kinds))
    features[:, :, :2] = rng.normal(size=(size, 2, 2))
    progress = rng.random(size)
    ahead = (features[:, 0, 0] - features[:, 1, 0]) * (2 + 4 * progress)
    won = (rng.random(size) < 1 / (1 + np.exp(-ahead))).astype(float)
    shares, seats = np.stack([won, 1 - won], 1), np.full(size, 2)
    margins = np.stack([ahead, -ahead], 1) * 5 + rng.normal(size=(size, 1)) * [3, -3]
    return Dataset(features, seats, rng.integers(0, 2, size), progress, shares, np.arange(size) // 40, margins)


def test_the_value_model_finds_the_deciding_feature() -> None:
    """The fit recovers the law behind the results, and irrelevant features get no weight."""
    start = np.full(2 * len(GAME.weights.names) + 2, 0.25)
    early, late = fit_conditional_logit(make_matches(200), start, 1e-3).reshape(2, -1)
    assert early[0] == pytest.approx(2, abs=0.5)
    assert late[0] == pytest.approx(6, abs=1.2)
    assert max(abs(early[1]), abs(late[1]), abs(early[-1]), abs(late[-1])) < 0.3
    assert early[2] == late[2] == 0.25  # This feature was always the same.


def test_the_value_model_predicts_better_than_the_weights() -> None:
    learnt = make_matches(50)
    fit = fit_by_wins(GAME, learnt)
    assert fit.cross_entropy < 0.5 < fit.baseline_cross_entropy
    assert fit_scale(GAME, learnt) > 0


def test_a_value_model_of_points_finds_the_same_weights() -> None:
    """The weight is three times as large late, irrelevant features get none, and few matches are enough."""
    fit = fit_by_points(GAME, make_matches(10))
    names = GAME.weights.names
    early, late = fit.weights[names[0]]
    assert late / early == pytest.approx(3, abs=0.3)
    assert max(abs(weight) for weight in (*fit.weights[names[1]], *fit.weights["turn"])) < 0.1 * late
    assert fit.cross_entropy < 0.5 < fit.baseline_cross_entropy


def test_training_positions_are_stable() -> None:
    learnt = build_dataset(GAME, "random", 2, 4)
    assert set(learnt.match) == {0, 1}
    assert set(learnt.seats) == set(GAME.seats[:2])
    assert learnt.features.shape == (len(learnt.match), GAME.seats[-1], len(GAME.weights.names))
    assert not learnt.features[~learnt.occupied].any()
    assert np.allclose(learnt.shares.sum(axis=1), 1.0)
    assert learnt.compute_position_weights().sum() == pytest.approx(1.0)
    assert np.allclose(learnt.margins.sum(axis=1), 0.0)
    assert learnt.margins.any()
    again = build_dataset(GAME, "random", 2, 4)
    assert np.array_equal(again.features, learnt.features)


def make_turn_model(turn: list[float], crowd_factor: float = 1.0) -> ValueModel:
    """Return a model that only depends on whose turn it is."""
    names = GAME.weights.names
    weights = Weights(names, [0.0] * len(names), 1.0, crowd_factor=crowd_factor)
    weights.turn = turn
    return ValueModel(GAME.evaluator, weights)


def test_a_value_model_mixes_early_and_late_weights() -> None:
    s = GAME.deal(2, 3)
    assert make_turn_model([0.0, 0.0]).predict_win_shares(s) == [0.5, 0.5]
    sure = make_turn_model([9.0, 9.0]).predict_win_shares(s)
    assert sure[s.who] > 0.99
    early = make_turn_model([2.0, 0.0]).predict_win_shares(s)[s.who]
    assert math.log(early / (1 - early)) == pytest.approx(2 * (1 - GAME.evaluator.progress(s)))


def test_a_lead_counts_less_with_more_than_two_seats() -> None:
    for seats, said in ((2, 2.0), (3, 0.5)):
        s = GAME.deal(seats, 3)
        shares = make_turn_model([2.0, 2.0], 4.0).predict_win_shares(s)
        ahead = shares[s.who]
        behind = [share for seat, share in enumerate(shares) if seat != s.who]
        assert [math.log(ahead / share) for share in behind] == pytest.approx([said] * (seats - 1))


def test_the_command_writes_weights_that_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried = SimpleNamespace(monotonic=count(step=0.6).__next__)  # a clock whose second has time for two evaluations
    monkeypatch.setattr("triclinium.lab.learn.evolution.time", hurried)
    path = tmp_path / "weights.toml"
    arguments = ["--seconds", "1", "--proposals", "2", "--trials", "1", "--lessons", "2", "--bots", "greedy"]
    assert main(["learn", GAME.id, "--target", "weights", *arguments, "--seed", "3", "--out", str(path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["generations"] == 1
    assert report["weights"] != report["before"]
    weights = read_weights(path, GAME.weights.names)
    assert weights.values == list(report["weights"].values())
    assert weights.scale == report["scale"]
    assert [list(pair) for pair in zip(weights.opening, weights.endgame, strict=True)] == list(
        report["judge"].values()
    )[:-1]
    assert load_game(GAME.id).weights.values == GAME.weights.values


def test_a_value_model_is_fitted_to_the_weights_that_a_game_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fit without search time gives the same model, and the file differs only in its first line."""
    shared = ["--lessons", "3", "--bots", "random", "--seed", "3", "--json", "--points", "--out"]
    assert main(["learn", GAME.id, "--target", "value-model", *shared, str(tmp_path / "model.toml")]) == 0
    model = json.loads(capsys.readouterr().out)
    idle = ["--target", "weights", "--seconds", "0", "--trials", "0"]
    assert main(["learn", GAME.id, *idle, *shared, str(tmp_path / "weights.toml")]) == 0
    assert model.items() <= json.loads(capsys.readouterr().out).items()
    files = [(tmp_path / name).read_text(encoding="utf-8").splitlines() for name in ("model.toml", "weights.toml")]
    assert files[0][1:] == files[1][1:]
    assert files[0][0] == "# Value model fitted to 3 matches of random with varied weights."


def test_a_value_model_is_printed_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", GAME.id, "--target", "value-model", "--lessons", "2", "--bots", "random", "--seed", "3"]) == 0
    *rows, last = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows if row] == ["feature", *GAME.weights.names, "turn"]
    assert last.startswith(f"{GAME.id}: the value model learnt from 2 matches; on held-out matches its log loss is ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--target weights --lessons 0", "--lessons must be at least two matches"),
        ("--target value-model --seconds 3", "--seconds is an option of --target weights, not of value-model"),
        ("--points", "--points is an option of --target weights and value-model, not of ranking-network"),
        ("--target weights --fit-seed 3", "--fit-seed is an option of --target ranking-network, not of weights"),
        ("--matches 3", "--target ranking-network needs --out"),
        ("--target judge", "invalid choice: 'judge'"),
    ],
)
def test_options_that_do_not_fit_are_refused_before_anything_is_played(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["learn", GAME.id, *arguments.split()])
    except SystemExit as refused:  # The argument parser exits like this.
        status = int(str(refused.code))
    assert status == 2
    assert sentence in capsys.readouterr().err


def test_the_ratios_of_the_weights_can_be_kept() -> None:
    """Every feature then counts by one factor early and by another one late."""
    fit = fit_by_wins(GAME, make_matches(60), keep_ratios=True)
    factors = [
        [fit.weights[name][half] / weight for name, weight in zip(GAME.weights.names, GAME.weights.values, strict=True)]
        for half in (0, 1)
    ]
    assert math.isinf(fit.ridge)
    for of_half in factors:
        assert of_half == pytest.approx([of_half[0]] * len(of_half), rel=0.02)
    assert factors[0][0] != pytest.approx(factors[1][0], rel=0.1)
