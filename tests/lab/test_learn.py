"""Tests of learning: self-play of the search, a ranking network, and its acceptance test."""

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pytest

from tests.toy import Figs
from triclinium.bots import derive_seed
from triclinium.bots.networks import read_network
from triclinium.cli.main import main
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.record import Record
from triclinium.lab.learn import reproducibility
from triclinium.lab.learn.acceptance import (
    DECISION_BOUND,
    AcceptanceTest,
    AcceptanceVerdict,
    deal_seed,
    play_test_match,
    run_acceptance_test,
    run_sequential_test,
)
from triclinium.lab.learn.network_fit import cross_entropy, fit_network, measure_top_choice_agreement, score_options
from triclinium.lab.learn.run import FIT_SEED_KEY, TRAINING_FILE, LearningPlan, run_learning
from triclinium.lab.learn.selfplay import SelfPlay, play_training_match, play_training_matches, read_training_matches
from triclinium.lab.learn.training_data import TrainingDecisions, extract_decisions

PLAY = SelfPlay("figs", (2, 3), 8, 16, 3)


def test_training_data_is_a_match_with_search_results(figs: Figs) -> None:
    lesson = play_training_match(PLAY, 1)
    assert lesson == play_training_match(PLAY, 1) == type(lesson).loads(lesson.dumps())
    record = Record.loads(lesson.record)
    s = record.deal(figs)
    found = {one.move: one for one in lesson.findings}
    assert found
    for move, text in enumerate(record.options):
        if move in found:
            finding = found[move]
            assert set(finding.options) <= set(s.legal)
            assert finding.chosen == figs.read(text)
            assert sum(finding.visits) >= PLAY.iterations
        s.play(figs.read(text))
    assert s.over
    assert record.seats == 3


def test_interrupted_matches_continue(figs: Figs, tmp_path: Path) -> None:
    whole = play_training_matches(PLAY, tmp_path / "whole", 1)
    text = (tmp_path / "whole").read_text().splitlines(keepends=True)
    part = tmp_path / "part"
    part.write_text("".join(text[:5]) + text[5][:30])  # The process was killed while it wrote the last line.
    assert len(read_training_matches(part)) == 5
    assert play_training_matches(PLAY, part, 1) == whole
    assert part.read_text() == (tmp_path / "whole").read_text()
    packed = tmp_path / "lessons.jsonl.gz"
    packed.write_bytes(gzip.compress(part.read_bytes()))
    assert list(read_training_matches(packed).values()) == whole


def make_training_data(decisions: int = 600) -> TrainingDecisions:
    """Return training data with three options each: the search prefers the second feature, which the evaluation
    ignores."""
    chance = np.random.default_rng(1)
    after = chance.normal(size=(3 * decisions, 2))
    liked = after[:, 1].reshape(-1, 3)
    wanted = np.where(liked == liked.max(axis=1, keepdims=True), 0.9, 0.05).ravel()
    return TrainingDecisions(
        np.arange(0, 3 * decisions, 3),
        np.arange(decisions),
        np.zeros((decisions, 2)),
        np.tile([1.0, 0.5, 2.0], (decisions, 1)),
        after,
        np.zeros(3 * decisions, dtype=np.int64),
        np.zeros(3 * decisions),
        wanted,
    )


def test_the_network_learns_the_choices_of_the_search() -> None:
    fitted = fit_network(make_training_data(), 1, 1, hidden=8, epochs=12)
    assert fitted.before == pytest.approx(math.log(3))
    assert fitted.entropy < fitted.after < 0.75 * fitted.before
    assert fitted.agreed > 0.85 > fitted.agreed_before
    assert fitted.held_out == 100
    again = fit_network(make_training_data(), 1, 1, hidden=8, epochs=12)
    assert all((fitted.weights[name] == again.weights[name]).all() for name in fitted.weights)


def test_a_feature_that_hardly_differs_gets_no_weight_that_a_file_cannot_hold() -> None:
    data = make_training_data(60)
    data.after[:, 0] *= 1e-9
    fitted = fit_network(data, 1, 1, hidden=4, epochs=2)
    assert max(abs(one).max() for one in fitted.weights.values()) < 65504  # the largest number that fits in two bytes


def test_an_untrained_network_is_zero() -> None:
    data = make_training_data(30)
    empty = fit_network(data, 1, 1, hidden=4, epochs=1)
    weights = {name: np.zeros_like(one) for name, one in empty.weights.items()} | {"change": np.zeros((2, 4))}
    said = score_options(weights, data, np.ones(2))
    assert (said == data.prior_scores).all()
    assert cross_entropy(data, said) == pytest.approx(math.log(3))
    assert measure_top_choice_agreement(data, data.visit_shares) == 1.0


def test_training_uses_only_searched_decisions(figs: Figs) -> None:
    lessons = [play_training_match(PLAY, number) for number in range(4)]
    data = extract_decisions(figs, lessons)
    searched = [one for lesson in lessons for one in lesson.findings if len(one.options) > 1]
    assert len(data.starts) == len(searched)
    assert data.sizes.sum() == len(data.verb) == sum(len(one.options) for one in searched)
    assert np.add.reduceat(data.visit_shares, data.starts) == pytest.approx(np.ones(len(searched)))
    few = data.select(np.arange(len(data.starts)) == 1)
    assert len(few.verb) == data.sizes[1]


def test_an_acceptance_test_stops_early() -> None:
    """The target is 55 of 100 with two seats: 11 wins for 9 losses, with an error rate of one in twenty."""
    won = run_sequential_test([1.0] * 800, 2)
    assert won.passed
    assert won.matches == 32  # the first even number above log 19 / log 1.1
    assert not run_sequential_test([0.0] * 800, 2).passed
    assert run_sequential_test([0.0] * 800, 2).matches < 32
    even = run_sequential_test([1.0, 0.0] * 400, 2)
    assert (even.matches, even.won, even.passed) == (586, 293.0, False)  # log 19 / -log 0.99 pairs
    assert run_sequential_test([1.0] * 800, 2, plays_all=True).matches == 800
    assert pytest.approx(math.log(19)) == DECISION_BOUND


def test_an_acceptance_test_uses_new_deals(figs: Figs) -> None:
    learnt = {Record.loads(play_training_match(PLAY, number).record).seed for number in range(4)}
    assert derive_seed(PLAY.seed, 0) in learnt
    assert learnt.isdisjoint(
        deal_seed(AcceptanceTest("figs", 2, "steady", "steady+plain", PLAY.seed), n) for n in range(8)
    )
    assert deal_seed(AcceptanceTest("figs", 2, "a", "b", 1), 0) == deal_seed(
        AcceptanceTest("figs", 2, "a", "b", 1), 1
    )  # The new bot plays each deal from every seat.


def test_an_acceptance_test_plays_every_deal_from_every_seat(figs: Figs) -> None:
    verdict = run_acceptance_test(AcceptanceTest("figs", 2, "greedy", "random", 1, max_matches=9, plays_all=True), 1)
    assert verdict.matches == 10
    same = run_acceptance_test(
        AcceptanceTest("figs", 2, "steady", "steady+plain", 1, max_matches=10, plays_all=True), 1
    )
    assert same.won == 5.0  # The network makes no difference.


def test_an_interrupted_acceptance_test_continues(figs: Figs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, file = (
        AcceptanceTest("figs", 2, "greedy", "random", 3, max_matches=6, plays_all=True),
        tmp_path / "master.gate",
    )
    whole = run_acceptance_test(gate, 1, results_file=file)
    assert whole == run_acceptance_test(gate, 1)
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == 6
    file.write_text("".join(lines[:4]) + "0.")
    asked: list[int] = []

    def counted(gate: AcceptanceTest, number: int) -> float:
        asked.append(number)
        return play_test_match(gate, number)

    monkeypatch.setattr("triclinium.lab.learn.acceptance.play_test_match", counted)
    assert run_acceptance_test(gate, 1, results_file=file) == whole
    assert asked == [4, 5]
    assert file.read_text() == "".join(lines)


def test_the_command_leaves_a_file_with_its_history(
    figs: Figs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same command writes the same file, also from matches played before."""
    told = "learn figs --matches 12 --seats 2,3 --iterations 8 --seed 3 --fit-seed 5"
    one, two = tmp_path / "one", tmp_path / "two"
    two.mkdir()
    names = []
    for folder in (one, two):
        assert main([*told.split(), "--gate", "steady", "--trials", "4", "--out", str(folder), "--json"]) == 0
        names.append(json.loads(capsys.readouterr().out)["file"])
        (two / TRAINING_FILE).write_bytes((one / TRAINING_FILE).read_bytes())
    assert names[0] == names[1]
    file = read_network(one / names[0])
    assert file.metadata["command"] == f"triclinium {told}"
    assert file.metadata[FIT_SEED_KEY] == "5"
    assert " of 4 (" in file.metadata["gate steady, 2 seats"]
    gates = {path.name.partition("-steady-")[2] for path in one.glob("*.gate")}
    assert gates == {"2.gate", "3.gate"}  # finished matches are kept, so an interrupted acceptance test can continue
    assert {path.name for path in one.iterdir() if path.suffix != ".gate"} == {TRAINING_FILE, "learn.json", names[0]}
    check_reproduced(one, capsys)


def test_the_fit_with_most_wins_is_kept(
    figs: Figs, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each fit plays on deals outside the acceptance test. The file has the choice, which is repeatable."""
    met: list[AcceptanceTest] = []

    def wins(gate: AcceptanceTest, workers: int, tell: object = None, kept: Path | None = None) -> AcceptanceVerdict:
        met.append(gate)
        return AcceptanceVerdict(
            10, 7.0 if len(met) in (3, 4) else 4.0, 0.0, 1.0, False
        )  # the second fit, with 2 and 3 seats

    monkeypatch.setattr("triclinium.lab.learn.run.run_acceptance_test", wins)
    report = run_learning(LearningPlan(SelfPlay("figs", (2, 3), 12, 8, 3), budget="", fits=3), tmp_path)
    assert len(met) == 3 * 2 + 2
    outings, gates = ({deal_seed(gate, n) for gate in some for n in range(6)} for some in (met[:6], met[6:]))
    assert outings.isdisjoint(gates)
    files = list(tmp_path.glob("net-*"))
    assert [path.name for path in files] == [report["file"]]
    told = read_network(files[0]).metadata
    assert told[FIT_SEED_KEY] == "4"
    assert told["command"].endswith("--seed 3 --fits 3")
    assert reproducibility.main([tmp_path]) == 0
    with pytest.raises(BadSetup, match="at least one fit"):
        run_learning(LearningPlan(PLAY, fits=0), tmp_path)


def check_reproduced(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Check that `make learn-check` reproduces the file bit for bit and notices other training data."""
    assert reproducibility.main([folder]) == 0
    assert "is reproduced exactly" in capsys.readouterr().out
    lessons = (folder / TRAINING_FILE).read_text().splitlines(keepends=True)
    (folder / TRAINING_FILE).write_text("".join(lessons[:-1]))
    with pytest.raises(BadSetup, match="does not contain the matches"):
        reproducibility.main([folder])
    first, second, *_ = lessons
    swapped = second.replace('"number":1', '"number":0'), first.replace('"number":0', '"number":1')
    (folder / TRAINING_FILE).write_text("".join([*swapped, *lessons[2:]]))
    assert reproducibility.main([folder]) == 1


def test_games_without_a_network_are_not_checked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRICLINIUM_NET", "off")
    assert reproducibility.main([]) == 0
    assert "nothing to check" in capsys.readouterr().out


def test_too_few_matches_are_refused(figs: Figs, tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match="too few to learn from"):
        run_learning(LearningPlan(SelfPlay("figs", (2,), 1, 8, 1)), tmp_path)
    with pytest.raises(BadSetup, match="at least one match"):
        run_learning(LearningPlan(SelfPlay("figs", (2,), 0, 8, 1)), tmp_path)
