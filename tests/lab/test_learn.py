"""Learning: matches of search with itself, a ranker from them, and what it wins before anybody uses it."""

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pytest

from tests.toy import Figs
from triclinium.bots import derive
from triclinium.bots.networks import read_net
from triclinium.cli.main import main
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.record import Record
from triclinium.lab.learn import reproducibility
from triclinium.lab.learn.acceptance import CLEAR, Gate, Verdict, deal_of, decided, judge, share_of
from triclinium.lab.learn.network_fit import agreement, cross_entropy, fit, scores
from triclinium.lab.learn.run import FITTED, LESSONS, Learning, learn
from triclinium.lab.learn.selfplay import SelfPlay, play_lesson, play_lessons, read_lessons
from triclinium.lab.learn.training_data import Decisions, decisions_of

PLAY = SelfPlay("figs", (2, 3), 8, 16, 3)


def test_a_lesson_is_a_match_and_what_was_found_in_it(figs: Figs) -> None:
    lesson = play_lesson(PLAY, 1)
    assert lesson == play_lesson(PLAY, 1) == type(lesson).loads(lesson.dumps())
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


def test_matches_go_on_where_they_were_broken_off(figs: Figs, tmp_path: Path) -> None:
    whole = play_lessons(PLAY, tmp_path / "whole", 1)
    text = (tmp_path / "whole").read_text().splitlines(keepends=True)
    part = tmp_path / "part"
    part.write_text("".join(text[:5]) + text[5][:30])  # killed while it wrote
    assert len(read_lessons(part)) == 5
    assert play_lessons(PLAY, part, 1) == whole
    assert part.read_text() == (tmp_path / "whole").read_text()
    packed = tmp_path / "lessons.jsonl.gz"
    packed.write_bytes(gzip.compress(part.read_bytes()))
    assert list(read_lessons(packed).values()) == whole


def made_up(decisions: int = 600) -> Decisions:
    """Three options each: search wants the one with more of the second feature, to which the evaluation is blind."""
    chance = np.random.default_rng(1)
    after = chance.normal(size=(3 * decisions, 2))
    liked = after[:, 1].reshape(-1, 3)
    wanted = np.where(liked == liked.max(axis=1, keepdims=True), 0.9, 0.05).ravel()
    return Decisions(
        np.arange(0, 3 * decisions, 3),
        np.arange(decisions),
        np.zeros((decisions, 2)),
        np.tile([1.0, 0.5, 2.0], (decisions, 1)),
        after,
        np.zeros(3 * decisions, dtype=np.int64),
        np.zeros(3 * decisions),
        wanted,
    )


def test_what_search_wants_is_learnt() -> None:
    fitted = fit(made_up(), 1, 1, hidden=8, epochs=12)
    assert fitted.before == pytest.approx(math.log(3))
    assert fitted.entropy < fitted.after < 0.75 * fitted.before
    assert fitted.agreed > 0.85 > fitted.agreed_before
    assert fitted.held_out == 100
    again = fit(made_up(), 1, 1, hidden=8, epochs=12)
    assert all((fitted.weights[name] == again.weights[name]).all() for name in fitted.weights)


def test_a_feature_that_hardly_differs_gets_no_weight_that_a_file_cannot_hold() -> None:
    data = made_up(60)
    data.after[:, 0] *= 1e-9
    fitted = fit(data, 1, 1, hidden=4, epochs=2)
    assert max(abs(one).max() for one in fitted.weights.values()) < 65504  # the largest number of two bytes


def test_nothing_is_learnt_before_the_first_step() -> None:
    data = made_up(30)
    empty = fit(data, 1, 1, hidden=4, epochs=1)
    weights = {name: np.zeros_like(one) for name, one in empty.weights.items()} | {"change": np.zeros((2, 4))}
    said = scores(weights, data, np.ones(2))
    assert (said == data.worth).all()
    assert cross_entropy(data, said) == pytest.approx(math.log(3))
    assert agreement(data, data.wanted) == 1.0


def test_decisions_are_those_that_were_searched(figs: Figs) -> None:
    lessons = [play_lesson(PLAY, number) for number in range(4)]
    data = decisions_of(figs, lessons)
    searched = [one for lesson in lessons for one in lesson.findings if len(one.options) > 1]
    assert len(data.starts) == len(searched)
    assert data.sizes.sum() == len(data.verb) == sum(len(one.options) for one in searched)
    assert np.add.reduceat(data.wanted, data.starts) == pytest.approx(np.ones(len(searched)))
    few = data.of(np.arange(len(data.starts)) == 1)
    assert len(few.verb) == data.sizes[1]


def test_a_gate_ends_when_the_matches_have_spoken() -> None:
    """Of two seats 55 of 100 are hoped for: 11 wins for 9 losses, and an error of one in twenty."""
    won = decided([1.0] * 800, 2)
    assert won.passed
    assert won.matches == 32  # the first even number above log 19 / log 1.1
    assert not decided([0.0] * 800, 2).passed
    assert decided([0.0] * 800, 2).matches < 32
    even = decided([1.0, 0.0] * 400, 2)
    assert (even.matches, even.won, even.passed) == (586, 293.0, False)  # log 19 / -log 0.99 pairs
    assert decided([1.0] * 800, 2, whole=True).matches == 800
    assert pytest.approx(math.log(19)) == CLEAR


def test_a_gate_deals_what_was_not_learnt_from(figs: Figs) -> None:
    learnt = {Record.loads(play_lesson(PLAY, number).record).seed for number in range(4)}
    assert derive(PLAY.seed, 0) in learnt
    assert learnt.isdisjoint(deal_of(Gate("figs", 2, "steady", "steady+plain", PLAY.seed), n) for n in range(8))
    assert deal_of(Gate("figs", 2, "a", "b", 1), 0) == deal_of(Gate("figs", 2, "a", "b", 1), 1)  # from every seat


def test_a_gate_plays_every_deal_from_every_seat(figs: Figs) -> None:
    verdict = judge(Gate("figs", 2, "greedy", "random", 1, most=9, whole=True), 1)
    assert verdict.matches == 10
    same = judge(Gate("figs", 2, "steady", "steady+plain", 1, most=10, whole=True), 1)
    assert same.won == 5.0  # nothing was learnt


def test_a_gate_goes_on_where_it_was_broken_off(figs: Figs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, file = Gate("figs", 2, "greedy", "random", 3, most=6, whole=True), tmp_path / "master.gate"
    whole = judge(gate, 1, kept=file)
    assert whole == judge(gate, 1)
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == 6
    file.write_text("".join(lines[:4]) + "0.")
    asked: list[int] = []

    def counted(gate: Gate, number: int) -> float:
        asked.append(number)
        return share_of(gate, number)

    monkeypatch.setattr("triclinium.lab.learn.acceptance.share_of", counted)
    assert judge(gate, 1, kept=file) == whole
    assert asked == [4, 5]
    assert file.read_text() == "".join(lines)


def test_the_command_leaves_a_file_with_its_history(
    figs: Figs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same command makes the same file, also from matches that were played before."""
    told = "learn figs --matches 12 --seats 2,3 --iterations 8 --seed 3 --fit-seed 5"
    one, two = tmp_path / "one", tmp_path / "two"
    two.mkdir()
    names = []
    for folder in (one, two):
        assert main([*told.split(), "--gate", "steady", "--trials", "4", "--out", str(folder), "--json"]) == 0
        names.append(json.loads(capsys.readouterr().out)["file"])
        (two / LESSONS).write_bytes((one / LESSONS).read_bytes())
    assert names[0] == names[1]
    file = read_net(one / names[0])
    assert file.told["command"] == f"triclinium {told}"
    assert file.told[FITTED] == "5"
    assert " of 4 (" in file.told["gate steady, 2 seats"]
    gates = {path.name.partition("-steady-")[2] for path in one.glob("*.gate")}
    assert gates == {"2.gate", "3.gate"}  # what was played is kept: a gate that is interrupted goes on
    assert {path.name for path in one.iterdir() if path.suffix != ".gate"} == {LESSONS, "learn.json", names[0]}
    check_that_it_comes_again(one, capsys)


def test_of_several_fits_the_one_that_wins_most_is_kept(
    figs: Figs, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each plays on deals that the gate has not; the file tells which it was, and comes again."""
    met: list[Gate] = []

    def wins(gate: Gate, workers: int, tell: object = None, kept: Path | None = None) -> Verdict:
        met.append(gate)
        return Verdict(10, 7.0 if len(met) in (3, 4) else 4.0, 0.0, 1.0, False)  # the second fit, with 2 and 3 seats

    monkeypatch.setattr("triclinium.lab.learn.run.judge", wins)
    report = learn(Learning(SelfPlay("figs", (2, 3), 12, 8, 3), budget="", fits=3), tmp_path)
    assert len(met) == 3 * 2 + 2
    outings, gates = ({deal_of(gate, n) for gate in some for n in range(6)} for some in (met[:6], met[6:]))
    assert outings.isdisjoint(gates)
    files = list(tmp_path.glob("net-*"))
    assert [path.name for path in files] == [report["file"]]
    told = read_net(files[0]).told
    assert told[FITTED] == "4"
    assert told["command"].endswith("--seed 3 --fits 3")
    assert reproducibility.main([tmp_path]) == 0
    with pytest.raises(BadSetup, match="at least one fit"):
        learn(Learning(PLAY, fits=0), tmp_path)


def check_that_it_comes_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`make learn-check`: the file follows from the lessons bit for bit, and other lessons are noticed."""
    assert reproducibility.main([folder]) == 0
    assert "comes again bit for bit" in capsys.readouterr().out
    lessons = (folder / LESSONS).read_text().splitlines(keepends=True)
    (folder / LESSONS).write_text("".join(lessons[:-1]))
    with pytest.raises(BadSetup, match="does not hold the matches"):
        reproducibility.main([folder])
    first, second, *_ = lessons
    swapped = second.replace('"number":1', '"number":0'), first.replace('"number":0', '"number":1')
    (folder / LESSONS).write_text("".join([*swapped, *lessons[2:]]))
    assert reproducibility.main([folder]) == 1


def test_nothing_is_checked_where_nothing_is_shipped(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRICLINIUM_NET", "off")
    assert reproducibility.main([]) == 0
    assert "nothing to check" in capsys.readouterr().out


def test_too_little_is_said(figs: Figs, tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match="too few to learn from"):
        learn(Learning(SelfPlay("figs", (2,), 1, 8, 1)), tmp_path)
    with pytest.raises(BadSetup, match="at least one match"):
        learn(Learning(SelfPlay("figs", (2,), 0, 8, 1)), tmp_path)
