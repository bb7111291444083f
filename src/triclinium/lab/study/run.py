"""Study runner: plans a study, plays it and writes its report, for the command line and for notebooks.

study = Study("evangelists", editions=(EditionRequest("fewer", {"follow_tokens.stenographer": 1}),))
result = run_study(study, Path("fewer"), workers=2)
result.summary.differences
"""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from triclinium.engine.core.errors import BadSetup, suggest_names
from triclinium.lab.study.balance import FreeNumber, find_balanced_edition
from triclinium.lab.study.bans_and_ladders import make_ban_plan, make_ladder_plan
from triclinium.lab.study.comparison_plan import make_comparison_plan
from triclinium.lab.study.engine import StudyEngine, open_local_engine
from triclinium.lab.study.figures import FIGURE_KINDS
from triclinium.lab.study.json_output import to_json
from triclinium.lab.study.match_tables import TableBuilder
from triclinium.lab.study.page import render_report
from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.refit import FittingProgress, fit_bots
from triclinium.lab.study.runner import PilotProgress, StudyCallback, plan_interim_analyses, play_pilot, play_study
from triclinium.lab.study.screening import EditionProgress, analyze_screening, make_screening_plan
from triclinium.lab.study.store import (
    STUDY_FILE,
    StudyFolder,
    explain_mismatch,
    load_study,
    read_study_hash,
    write_atomically,
)
from triclinium.lab.study.study_file import BAN, COMPARE, LADDER, SCREEN, EditionRequest, Study
from triclinium.lab.study.summary import StudyResult, summarize_study
from triclinium.lab.study.worker import play_study_match

REPORT_FILE, SUMMARY_FILE = "report.html", "summary.json"
PLANNERS: dict[str, Callable[[Study], StudyPlan]] = {
    COMPARE: make_comparison_plan,
    BAN: make_ban_plan,
    LADDER: make_ladder_plan,
}


def make_plan(study: Study, on_edition: EditionProgress | None = None) -> StudyPlan:
    """Return the plan of a study. Raise BadSetup or BadComponents if it cannot be played.

    ``on_edition`` is called with the progress of a screening.
    """
    if study.kind not in (*PLANNERS, SCREEN):
        raise BadSetup(f"the kind of a study must be {', '.join((*PLANNERS, SCREEN))}, not {study.kind!r}")
    if study.refit and study.kind == SCREEN:
        raise BadSetup("a screening has too many editions to fit bots to each; leave out --refit")
    if study.editions and study.kind == SCREEN:
        raise BadSetup("a screening creates its own editions of the printed game; leave out other editions")
    for figure in (*study.bands, *study.figures, *([study.main] if study.main else [])):
        if figure not in FIGURE_KINDS:
            raise BadSetup(f"there is no figure {figure!r}; {suggest_names(figure, FIGURE_KINDS)}")
    return make_screening_plan(study, on_edition) if study.kind == SCREEN else PLANNERS[study.kind](study)


def choose_default_folder(plan: StudyPlan) -> Path:
    """Return a folder name that is the same for the same study, so that the same command continues it."""
    return Path(f"study-{plan.game}-{plan.hash[:8]}")


def run_study(
    study: Study,
    to: Path | None = None,
    workers: int = 1,
    on_progress: StudyCallback | None = None,
    language: str = "en",
    engine: AbstractContextManager[StudyEngine] | None = None,
    on_generation: FittingProgress | None = None,
    plan: StudyPlan | None = None,
) -> StudyResult:
    """Play a study, or continue it, and write its report.

    Raise BadSetup or BadComponents before the first match if the study cannot be played. Making the plan of a large
    screening takes a while, so a caller that has one already can pass it.
    """
    plan = plan or make_plan(study)
    folder = StudyFolder(to or choose_default_folder(plan), plan)
    folder.open(study)
    fit_bots(folder, on_generation)
    began = time.monotonic()
    with engine or open_local_engine(workers) as ready:
        deals = play_study(folder, ready, on_progress)
        number = ready.workers
    folder.merge_parts(deals)
    return write_report(folder, study, deals, {"wall": time.monotonic() - began, "workers": float(number)}, language)


def write_report(
    folder: StudyFolder, study: Study, deals: int, spent: dict[str, float] | None = None, language: str = "en"
) -> StudyResult:
    """Write the report and the summary of the deals played so far."""
    interrupted = not folder.finished and deals not in plan_interim_analyses(folder.plan)
    summary = summarize_study(folder, deals, interrupted)
    screening_result = analyze_screening(folder, study) if folder.plan.kind == SCREEN else None
    summary.time.update(spent or {})
    game = folder.plan.load_edition_game(0)
    text = (folder.path / STUDY_FILE).read_text(encoding="utf-8")
    page = render_report(game, summary, text, language, screening_result)
    json_text = to_json(summary, screening_result)
    write_atomically(folder.path / SUMMARY_FILE, json_text.encode())
    write_atomically(folder.path / REPORT_FILE, page.encode())
    return StudyResult(folder.path, game, summary, screening_result)


def rebuild_report(path: Path, language: str = "en", on_edition: EditionProgress | None = None) -> StudyResult:
    """Write the report of a folder again, even if the study was interrupted."""
    folder, study = reopen_study(path, on_edition)
    deals = folder.count_complete_deals()
    if deals == 0:
        raise BadSetup(f"{path} has no deal that every edition has played")
    spent = read_run_time(path) if folder.finished else {}
    return write_report(folder, study, deals, spent, language)


def reopen_study(path: Path, on_edition: EditionProgress | None = None) -> tuple[StudyFolder, Study]:
    """Return the folder and its study. Raise BadSetup if this machine would play another study."""
    study = load_study(path)
    folder = StudyFolder(path, make_plan(study, on_edition))
    if read_study_hash(path) != folder.plan.hash:
        raise BadSetup(f"{path} {explain_mismatch(path, folder.plan)}")
    folder.open(study)
    if folder.list_unfitted_editions():
        raise BadSetup(f"{path}: bots have not been fitted to every edition yet; run the study first")
    return folder, study


def read_run_time(path: Path) -> dict[str, float]:
    """Return the wall time and number of workers from the last summary, which a new report cannot measure."""
    try:
        times: dict[str, float] = json.loads((path / SUMMARY_FILE).read_text(encoding="utf-8"))["time"]
    # The summary is missing or damaged; the new report writes it again.
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return {name: times[name] for name in ("wall", "workers") if name in times}


def export_match(path: Path, number: int, on_edition: EditionProgress | None = None) -> str:
    """Replay a match of a study and return its record."""
    folder, _ = reopen_study(path, on_edition)
    return play_study_match(folder.plan, folder.plan.find_match(number), TableBuilder()).to_record().dumps()


def estimate_duration(
    study: Study,
    to: Path | None,
    engine: StudyEngine,
    on_generation: FittingProgress | None = None,
    plan: StudyPlan | None = None,
    on_match: PilotProgress | None = None,
) -> tuple[StudyFolder, float]:
    """Play and keep the pilot deals, and return the folder and the estimated seconds for all matches."""
    plan = plan or make_plan(study)
    folder = StudyFolder(to or choose_default_folder(plan), plan)
    folder.open(study)
    fit_bots(folder, on_generation)
    return folder, play_pilot(folder, engine, on_match) / engine.workers


def count_default_workers() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class BalanceResult:
    """The result of a balance search: the number of editions it tried, the best one, and the study that confirms it."""

    tried: int
    best: EditionRequest
    confirmed: StudyResult


def search_balance(
    study: Study,
    free: Sequence[FreeNumber],
    goal: Mapping[str, str],
    to: Path,
    engine: StudyEngine,
    on_progress: StudyCallback | None = None,
) -> BalanceResult:
    """Search for an edition that reaches a goal, and confirm the best one with a study of its own."""
    found = find_balanced_edition(study, free, goal, to, engine, on_progress)
    confirmed = run_study(found.study, to / "confirmed", on_progress=on_progress, engine=nullcontext(engine))
    return BalanceResult(found.tried, found.best, confirmed)
