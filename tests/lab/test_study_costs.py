"""Tests of the cost of studies: size of tables, time for recording, and size of a page for 10,000 matches."""

import time
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from tests.slow import slow
from triclinium.lab.study import Study, run, worker
from triclinium.lab.study.match_tables import MatchRecorder, TableBuilder
from triclinium.lab.study.plan import PlannedMatch, StudyPlan
from triclinium.lab.study.store import StudyFolder

STUDY = Study("evangelists", bots=("greedy",), also=(), matches=400, seed=7, looks=1, replays=0)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ["evangelists", "missionnaires", "portals"])
def test_the_tables_of_a_study_are_small(game_id: str, tmp_path: Path) -> None:
    """LAB-13  1,000 matches take 1 MB of Parquet, even in games with many questions and options."""
    done = run.run_study(replace(STUDY, game=game_id, seats=3), tmp_path / game_id, workers=2)
    size = sum(path.stat().st_size for path in done.folder.glob("*.parquet"))
    assert size / 400 * 1000 <= 1e6


class Blind(MatchRecorder):
    """A recorder that records nothing."""

    def add_decision(self, *told: object) -> None: ...
    def write_tables(self, *told: object) -> None: ...


def seconds(plan: StudyPlan, cell: PlannedMatch, watch: type[MatchRecorder], patch: pytest.MonkeyPatch) -> float:
    """Return the lowest processor time of a match, because other programs can only add to it."""
    patch.setattr(worker, "MatchRecorder", watch)
    found: list[float] = []
    for _ in range(3):
        began = time.process_time()
        worker.play_study_match(plan, cell, TableBuilder())
        found.append(time.process_time() - began)
    return min(found)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ["evangelists", "testoftime"])
def test_recording_slows_greedy_bots_little(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """LAB-13  By at most 15%. Matches with and without recording alternate, so a busy machine slows both."""
    plan = run.make_plan(replace(STUDY, game=game_id))
    cells = [cell for block in (0, 1) for cell in plan.list_part_matches(block)]
    noted = sum(seconds(plan, cell, MatchRecorder, monkeypatch) for cell in cells)
    blind = sum(seconds(plan, cell, Blind, monkeypatch) for cell in cells)
    notes = TableBuilder()
    monkeypatch.setattr(worker, "MatchRecorder", MatchRecorder)
    for cell in cells:
        worker.play_study_match(plan, cell, notes)
    packing: list[float] = []
    for _ in range(3):
        began = time.process_time()
        notes.pack_tables()
        packing.append(time.process_time() - began)
    assert noted + min(packing) < 1.15 * blind


def repeat_matches(folder: Path, study: Study, times: int, to: Path) -> None:
    """Repeat the matches of a study as if each repetition had other deals."""
    plan = run.make_plan(replace(study, matches=times * (study.matches or 0)))
    whole = StudyFolder(to, plan)
    whole.open(replace(study, matches=plan.deals))
    for name in reversed(whole.tables):
        rows = pl.read_parquet(folder / f"{name}.parquet")
        copies: list[pl.DataFrame] = []
        for k in range(times):
            shifted = rows.with_columns(match=(pl.col("match") + k * plan.matches // times).cast(pl.Int32))
            if name == "matches":
                deal = (pl.col("deal") + k * plan.deals // times).cast(pl.Int32)
                shifted = shifted.with_columns(deal=deal, digest=pl.col("digest") + k)
            copies.append(shifted)
        pl.concat(copies).write_parquet(to / f"{name}.parquet")


@pytest.mark.parametrize(("game_id", "matches", "times"), [("figs", 20, 10), slow("evangelists", 100, 100)])
def test_the_page_of_many_matches_is_small(game_id: str, matches: int, times: int, tmp_path: Path, figs: None) -> None:
    """LAB-13, LAB-11  The page of 10,000 matches is below 150 kB."""
    study = replace(STUDY, game=game_id, matches=matches, looks=5)
    done = run.run_study(study, tmp_path / "once")
    repeat_matches(done.folder, study, times, tmp_path / "many")
    told = run.rebuild_report(tmp_path / "many")
    assert told.summary.matches == times * done.summary.matches
    assert len(told.summary.looks) == 5
    assert (told.folder / run.REPORT_FILE).stat().st_size < 150_000
