"""Tests of studies with Figs: repeatable figures, reports, and interruptions."""

import itertools
import json
import math
import os
import pkgutil
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.slow import slow
from tests.toy import TOY, Figs
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents, BadSetup
from triclinium.engine.record import Record
from triclinium.lab.study import run, runner, timeline
from triclinium.lab.study.arrays import MatchMoments, load_arms
from triclinium.lab.study.compare import RISES, SAME, Difference, compare_editions
from triclinium.lab.study.comparison_plan import make_comparison_plan
from triclinium.lab.study.engine import LocalEngine, open_local_engine
from triclinium.lab.study.figures import measure_arms
from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.store import StudyFolder
from triclinium.lab.study.study_file import PART_DEALS, EditionRequest, Study
from triclinium.lab.study.summary import StudyResult
from triclinium.lab.study.worker import play_part

RICH = EditionRequest("rich", {"game.coins": 9})
STUDY = Study("figs", seats=3, bots=("greedy",), also=("random",), matches=30, editions=(RICH,), seed=7)

pytestmark = pytest.mark.usefixtures("figs")


def read_summary_without_time(path: Path) -> dict[str, object]:
    told: dict[str, object] = json.loads((path / run.SUMMARY_FILE).read_text(encoding="utf-8"))
    del told["time"]
    return told


class Stopped(Exception):
    """An exception in place of Ctrl-C."""


@cache
def play_cached_part(plan: StudyPlan, part: int) -> bytes:
    """Return a cached part of a study, for tests of other things than playing."""
    return play_part(plan, part)


class Brittle(LocalEngine):
    """A worker that is interrupted after a number of parts."""

    def __init__(self, lasts: int) -> None:
        super().__init__()
        self.lasts = lasts

    def play(self, plan: StudyPlan, parts: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        for part in parts:
            if not self.lasts:
                raise Stopped
            self.lasts -= 1
            yield part, play_cached_part(plan, part)


@pytest.fixture(scope="module")
def finished_study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyResult]:
    """Yield one study for several tests."""
    patch = pytest.MonkeyPatch()
    path = tmp_path_factory.mktemp("study")
    patch.setattr("triclinium.engine.registry._loaded", {"figs": TOY})
    yield run.run_study(STUDY, path / "rich", engine=nullcontext(Brittle(3)))
    patch.undo()


def test_figures_are_the_same_for_any_workers_and_after_interruptions(
    finished_study: StudyResult, tmp_path: Path
) -> None:
    """Except for the time, `summary.json` is equal byte for byte with any number of workers and after interruptions."""
    plan = run.make_plan(STUDY)
    folder = StudyFolder(tmp_path / "halted", plan)
    folder.open(STUDY)
    for lasts in (0, 1):
        with pytest.raises(Stopped):
            runner.play_study(folder, Brittle(lasts))
    assert folder.count_complete_deals() == PART_DEALS
    half = folder.path / "parts" / "0002.half"
    half.mkdir()
    (half / "matches.parquet").write_bytes(b"half")
    run.run_study(STUDY, folder.path, workers=2)
    assert read_summary_without_time(finished_study.folder) == read_summary_without_time(folder.path)
    assert (finished_study.folder / run.REPORT_FILE).read_text() == (folder.path / run.REPORT_FILE).read_text()
    assert not half.exists()


@pytest.mark.slow
def test_figures_are_the_same_for_five_workers(finished_study: StudyResult, tmp_path: Path) -> None:
    run.run_study(STUDY, tmp_path / "five", workers=5)
    assert read_summary_without_time(finished_study.folder) == read_summary_without_time(tmp_path / "five")


MOMENTS = (  # moments at which a study is interrupted: before the n-th call of a function
    ("triclinium.lab.study.worker.play_study_match", 5),  # The study stops while matches are played.
    ("triclinium.lab.study.store.StudyFolder.save_part", 2),  # The study stops between two parts.
    ("triclinium.lab.study.store.write_atomically", 4),  # while parts are joined to tables
    ("triclinium.lab.study.run.write_atomically", 2),  # while the report is written after the summary
)


@pytest.mark.usefixtures("default_sigint_handler")
def test_ctrl_c_at_any_moment_changes_nothing(
    finished_study: StudyResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a real signal at each moment the study can continue and gives the same result."""
    cut = tmp_path / "cut"
    folder = StudyFolder(cut, run.make_plan(STUDY))
    folder.open(STUDY)
    with pytest.raises(Stopped):
        runner.play_study(folder, Brittle(1))
    for where, call in MOMENTS:
        engine = open_local_engine(1) if where.endswith("play_study_match") else nullcontext(Brittle(3))
        with monkeypatch.context() as patch:
            patch.setattr(where, interrupt_call(pkgutil.resolve_name(where), call))
            with pytest.raises(KeyboardInterrupt):
                run.run_study(STUDY, cut, engine=engine)
        assert not (cut / run.REPORT_FILE).exists()
    run.run_study(STUDY, cut, engine=nullcontext(Brittle(0)))
    assert read_summary_without_time(cut) == read_summary_without_time(finished_study.folder)
    assert (cut / run.REPORT_FILE).read_text() == (finished_study.folder / run.REPORT_FILE).read_text()
    assert {path.name for path in cut.iterdir()} == {path.name for path in finished_study.folder.iterdir()}


def interrupt_call(real: Callable[..., object], call: int) -> Callable[..., object]:
    """Send a real Ctrl-C before a certain call of the function."""
    calls = itertools.count(1)

    def counted(*args: object) -> object:
        if next(calls) == call:
            signal.raise_signal(signal.SIGINT)
        return real(*args)

    return counted


def test_a_study_keeps_its_matches(finished_study: StudyResult) -> None:
    """The folder has study, editions, tables, summary and report, and no parts are left."""
    names = {path.name for path in finished_study.folder.iterdir()}
    tables = {f"{name}.parquet" for name in ("matches", "seats", "lines", "choices", "things", "moments")}
    assert names == {"study.toml", "editions", "summary.json", "report.html", *tables}
    matches = pl.read_parquet(finished_study.folder / "matches.parquet")
    assert len(matches) == finished_study.summary.matches == 120
    assert matches["digest"].n_unique() == 120
    seats = pl.read_parquet(finished_study.folder / "seats.parquet")
    assert seats.group_by("match").agg(pl.col("share").sum())["share"].to_list() == pytest.approx([1.0] * 120)
    choices = pl.read_parquet(finished_study.folder / "choices.parquet")
    assert int(choices["taken"].to_numpy().sum()) == int(seats["asked"].to_numpy().sum())
    assert int(choices["offered"].to_numpy().sum()) == int(seats["width"].to_numpy().sum())
    edited = [ComponentsFile(path.read_text(), path.name) for path in (finished_study.folder / "editions").iterdir()]
    assert sorted(int(str(sheet.value_at("game.coins"))) for sheet in edited) == [3, 9]


def test_a_changed_number_changes_the_result(finished_study: StudyResult) -> None:
    """TOY-5  Coins count: with six more each the winner's score rises, for both kinds of bots."""
    found = {one.figure: one for one in finished_study.summary.differences}
    assert (found["winner"].verdict, found["winner"].agrees) == (RISES, "both")
    assert found["winner"].family.low > 0
    assert [edition.changes for edition in finished_study.summary.editions] == [(), (("game.coins", 3, 9),)]


def test_a_match_of_a_study_is_a_record(finished_study: StudyResult) -> None:
    """`study record` writes a record that replays to the stored digest."""
    row = pl.read_parquet(finished_study.folder / "matches.parquet").row(17, named=True)
    plan = run.make_plan(STUDY)
    game = plan.load_edition_game(plan.arms[row["arm"]].edition)
    record = Record.loads(run.export_match(finished_study.folder, row["match"]))
    assert record.replay(game=game).digest() == row["digest"]
    with pytest.raises(BadSetup, match="no match 999999"):
        run.export_match(finished_study.folder, 999999)


def test_a_finished_study_is_reported_without_playing(finished_study: StudyResult) -> None:
    before = read_summary_without_time(finished_study.folder)
    page = (finished_study.folder / run.REPORT_FILE).read_text()
    run.rebuild_report(finished_study.folder)
    assert read_summary_without_time(finished_study.folder) == before
    assert (finished_study.folder / run.REPORT_FILE).read_text() == page


def test_the_page_is_one_small_file_in_every_language(finished_study: StudyResult) -> None:
    """The page needs no script and no network, and has less than 150 kB with texts in both languages."""
    page = (finished_study.folder / run.REPORT_FILE).read_text(encoding="utf-8")
    assert len(page.encode()) < 150_000
    for foreign in ("<script", "http://", "https://", "url(", "@import", "<img", "<link"):
        assert foreign not in page
    assert page.count(" lang=fr>") > 50
    assert "What does “rich” change?" in page
    assert "Que change « rich »" in page.replace("\u00a0", " ").replace("\u202f", " ")
    assert "{" not in page.partition("</style>")[2].replace("{path", "")


def test_text_of_a_designer_is_escaped(tmp_path: Path) -> None:
    """Question, names and values of an edition are escaped, on the page and in the quoted study file."""
    rich = EditionRequest("<i>rich</i>", {"game.coins": 4})
    study = replace(STUDY, editions=(rich,), bots=("random",), matches=4, also=(), question="<b>More</b> & “more”?")
    page = (run.run_study(study, tmp_path / "typed").folder / run.REPORT_FILE).read_text(encoding="utf-8")
    assert page.count("&lt;b&gt;More&lt;/b&gt; &amp; “more”?") == 2
    assert "&lt;i&gt;rich&lt;/i&gt;" in page
    assert "<b>More" not in page
    assert "<i>rich" not in page


def test_an_interrupted_study_has_a_partial_report(tmp_path: Path) -> None:
    folder = StudyFolder(tmp_path / "half", run.make_plan(STUDY))
    folder.open(STUDY)
    with pytest.raises(BadSetup, match="no deal that every edition"):
        run.rebuild_report(folder.path)
    with pytest.raises(Stopped):
        runner.play_study(folder, Brittle(1))
    told = run.rebuild_report(folder.path).summary
    assert (told.deals, told.interrupted) == (PART_DEALS, True)


# -- what may stop it -----------------------------------------------------------------------------------------------


def test_a_study_stops_when_everything_is_settled(tmp_path: Path) -> None:
    """Two equal editions do not differ at the first interim analysis, so no more is played."""
    same = EditionRequest("same", {"game.coins": 3})
    study = replace(STUDY, editions=(same,), bots=("random",), matches=100, also=())
    done = run.run_study(study, tmp_path / "same")
    assert (done.summary.deals, done.summary.stopped) == (20, True)
    assert {one.verdict for one in done.summary.differences} == {SAME}
    assert len(pl.read_parquet(done.folder / "matches.parquet")) == 40


def test_a_match_beyond_its_bound_stops_the_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names edition and seed, and finished parts are kept."""
    folder = StudyFolder(tmp_path / "endless", run.make_plan(STUDY))
    folder.open(STUDY)
    with pytest.raises(Stopped):
        runner.play_study(folder, Brittle(1))
    monkeypatch.setattr(Figs, "max_decisions", 3)
    with pytest.raises(BadSetup, match=r"'printed' with greedy bots is not over after 3 decisions, .* seed \d+"):
        runner.play_study(folder, LocalEngine())
    assert folder.count_complete_deals() == PART_DEALS


def test_a_folder_of_another_study_is_left_alone(tmp_path: Path) -> None:
    folder = StudyFolder(tmp_path / "mine", run.make_plan(STUDY))
    folder.open(STUDY)
    other = replace(STUDY, seed=8)
    with pytest.raises(BadSetup, match="contains another study"):
        run.run_study(other, folder.path)
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "mother.txt").write_text("dear")
    with pytest.raises(BadSetup, match="contains other files"):
        run.run_study(STUDY, tmp_path / "letters")
    with pytest.raises(BadSetup, match="is a file"):
        run.run_study(STUDY, tmp_path / "letters" / "mother.txt")


def test_a_damaged_part_is_played_again_and_a_damaged_table_is_named(tmp_path: Path) -> None:
    study = replace(STUDY, bots=("random",), also=(), editions=(), looks=1)
    folder = StudyFolder(tmp_path / "torn", run.make_plan(study))
    folder.open(study)
    runner.play_study(folder, LocalEngine())
    (folder.path / "parts" / "0001" / "seats.parquet").unlink()
    assert folder.find_missing_parts(range(3)) == [1]
    runner.play_study(folder, LocalEngine())
    torn = folder.path / "parts" / "0002" / "seats.parquet"
    torn.write_bytes(torn.read_bytes()[:-100])
    with pytest.raises(BadSetup, match=r"0002/seats.parquet is damaged"):
        load_arms(folder, 30)
    assert folder.find_missing_parts(range(3)) == [2]


def test_a_full_disk_gives_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = StudyFolder(tmp_path / "full", run.make_plan(STUDY))
    folder.open(STUDY)

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    packed = play_cached_part(folder.plan, 0)
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(BadSetup, match="cannot be written: No space left on device; finished parts are kept"):
        folder.save_part(0, packed)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (replace(STUDY, editions=(EditionRequest("x", {"game.coin": 1}),)), "did you mean 'coins'"),
        (replace(STUDY, editions=(EditionRequest("x", {"game.coins": "many"}),)), "must be a whole number"),
        (replace(STUDY, bots=("gredy",)), "did you mean 'greedy'"),
        (replace(STUDY, also=("nobody",)), "there is no bot"),
        (replace(STUDY, seats=9), "2 to 3 seats"),
        (replace(STUDY, variants={"gifts": "on"}), "no variant"),
        (replace(STUDY, detect=3.0), "between 0 and 1"),
        (replace(STUDY, detect=math.nan), "between 0 and 1"),
        (replace(STUDY, detect=1e-300), "detect must be at least 0.0001, not 1e-300"),
        (replace(STUDY, looks=9), "1 to 8 interim analyses"),
        (replace(STUDY, editions=(RICH, RICH)), "the same name"),
        (replace(STUDY, kind="survey"), "the kind of a study"),
        (replace(STUDY, bands={"winner": -1.0}), "must be more than 0"),
        (replace(STUDY, bands={"winner": math.nan}), "and a number, not nan"),
        (replace(STUDY, bands={"decisons": 1.0}), "no figure 'decisons'; did you mean 'decisions'"),
        (replace(STUDY, kind="screen"), "leave out other editions"),
    ],
)
def test_impossible_studies_are_refused_before_playing(wrong: Study, said: str, tmp_path: Path) -> None:
    """The error is one sentence, and nothing is written."""
    with pytest.raises((BadSetup, BadComponents), match=said):
        run.run_study(wrong, tmp_path / "never")
    assert not (tmp_path / "never").exists()


# -- what is said ---------------------------------------------------------------------------------------------------


def test_win_probabilities_are_calibrated(finished_study: StudyResult) -> None:
    """An overconfident value model is shrunk, which improves its predictions."""
    found = load_arms(StudyFolder(finished_study.folder, run.make_plan(STUDY)), 30)[0]
    raw = timeline.measure_calibration(found, timeline.stretch_chances(found, timeline.LogOddsStretch()))
    fitted = timeline.fit_stretch([found])
    true = timeline.measure_calibration(found, timeline.stretch_chances(found, fitted))
    assert true.error < raw.error
    assert measure_arms([found])[0].stretch == fitted


def test_the_course_of_a_match_follows_its_win_probabilities(finished_study: StudyResult) -> None:
    """In the first match the winner, seat 1, leads from the fourth moment and is certain from the fifth.

    In the second match seat 0 always leads and is certain from the second. Seat 2, out of the running, decides between
    the others.
    """
    chances = np.array(
        [[0.4, 0.3, 0.3], [0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.3, 0.6, 0.1], [0.1, 0.9, 0.0], [0, 1, 0]]
        + [[0.6, 0.35, 0.05], [0.9, 0.05, 0.05], [0.92, 0.03, 0.05], [1, 0, 0]]
    )
    progress = np.array([0.0, 0.2, 0.5, 0.6, 0.8, 1.0, 0.0, 0.4, 0.8, 1.0])
    moments = MatchMoments(np.array([0, 6, 10]), progress, np.array([0, 1, 0, 1, 0, -1, 2, 0, 1, -1]), chances)
    some = load_arms(StudyFolder(finished_study.folder, run.make_plan(STUDY)), 30)[0]
    share = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    told = timeline.measure_timeline(replace(some, share=share, moments=moments), chances)
    assert told["decided"].tolist() == pytest.approx([0.8, 0.4])
    assert told["changes"].tolist() == [1.0, 0.0]
    assert told["half"].tolist() == [0.0, 1.0]
    assert told["behind"].tolist() == [1.0, 0.0]
    assert told["kings"].tolist()[1] == 1.0
    assert np.isnan(told["kings"][0])
    assert told["drama"].tolist() == pytest.approx([np.sqrt([0.1, 0.2, 0.3]).mean(), 0.0])


@pytest.mark.parametrize(("seeds", "bound", "deals"), [(1, 0, 30), slow(200, 17, 200)])
def test_studies_without_an_effect_rarely_find_one(tmp_path: Path, seeds: int, bound: int, deals: int) -> None:
    """At most 17 of 200 studies of two equal editions on different deals report a difference."""
    assert sum(reports_difference(tmp_path, seed, deals) for seed in range(seeds)) <= bound


def reports_difference(path: Path, seed: int, matches: int) -> bool:
    """Return whether a study of Figs against itself on other deals reports a difference in five interim analyses."""
    study = Study(
        "figs",
        seats=3,
        bots=("random",),
        also=(),
        matches=matches,
        editions=(EditionRequest("twin"), EditionRequest("twins")),
    )
    arms = []
    for i in range(2):
        folder = StudyFolder(path / f"{seed}-{i}", make_comparison_plan(replace(study, seed=10_000 + 2 * seed + i)))
        folder.open(study)
        with open_local_engine(1) as engine:
            for part, packed in engine.play(folder.plan, range(len(folder.plan.parts))):
                folder.save_part(part, packed)
        arms.append(folder)
    for deals in runner.plan_interim_analyses(arms[0].plan):
        first, other = (load_arms(folder, deals)[i] for i, folder in enumerate(arms))
        found: list[Difference] = compare_editions(arms[0].plan, measure_arms([first, other]), deals)
        if any(one.verdict in ("rises", "falls") for one in found):
            break
    for folder in arms:
        shutil.rmtree(folder.path)
    return any(one.verdict in ("rises", "falls") for one in found)
