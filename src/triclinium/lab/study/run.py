"""A study from its question to its report, for the command and for notebooks.

study = Study("evangelists", editions=(Wanted("fewer", {"follow_tokens.stenographer": 1}),))
done = conduct(study, Path("fewer"), workers=2)
done.summary.differences
"""

import json
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from triclinium.engine.core.errors import BadSetup, nearest
from triclinium.engine.game import Game
from triclinium.lab.study.bans_and_ladders import ban_plan, ladder_plan
from triclinium.lab.study.engine import Engine, local
from triclinium.lab.study.figures import KINDS
from triclinium.lab.study.json_output import to_json
from triclinium.lab.study.match_tables import Notes
from triclinium.lab.study.page import report_html
from triclinium.lab.study.plan import BAN, COMPARE, LADDER, SCREEN, Plan
from triclinium.lab.study.refit import Fitting, fit_bots
from triclinium.lab.study.runner import Tell, Trying, looks_of, pilot, play_study
from triclinium.lab.study.screening import Making, Screening, screen_plan, screening
from triclinium.lab.study.store import STUDY, Folder, hash_in, study_in, why_other, write
from triclinium.lab.study.study_file import Study
from triclinium.lab.study.summary import Summary, summarise
from triclinium.lab.study.worker import play_cell

REPORT, SUMMARY = "report.html", "summary.json"
MAKERS: dict[str, Callable[[Study], Plan]] = {
    COMPARE: Study.plan,
    BAN: ban_plan,
    LADDER: ladder_plan,
}


@dataclass(frozen=True)
class Conducted:
    """A study that was played: where it lies, and what came out."""

    folder: Path
    game: Game  # on the first edition
    summary: Summary
    screening: Screening | None = None


def plan_of(study: Study, making: Making | None = None) -> Plan:
    """What a study plays; raises BadSetup or BadComponents if it cannot. ``making`` hears how far a screening is."""
    if study.kind not in (*MAKERS, SCREEN):
        raise BadSetup(f"a study is of the kind {', '.join((*MAKERS, SCREEN))}, not {study.kind!r}")
    if study.refit and study.kind == SCREEN:
        raise BadSetup("a screening has too many editions to fit bots to each; leave --refit out")
    if study.editions and study.kind == SCREEN:
        raise BadSetup("a screening makes its own editions of the printed one; leave the others out")
    for figure in (*study.bands, *study.figures):
        if figure not in KINDS:
            raise BadSetup(f"there is no figure {figure!r}; {nearest(figure, KINDS)}")
    return screen_plan(study, making) if study.kind == SCREEN else MAKERS[study.kind](study)


def usual_folder(plan: Plan) -> Path:
    """The same for the same study, so that the same command goes on."""
    return Path(f"study-{plan.title}-{plan.hash[:8]}")


def conduct(
    study: Study,
    to: Path | None = None,
    workers: int = 1,
    tell: Tell | None = None,
    language: str = "en",
    engine: AbstractContextManager[Engine] | None = None,
    fitting: Fitting | None = None,
    plan: Plan | None = None,
) -> Conducted:
    """Play a study, or go on with it, and write its report; raises before anything is played if it cannot be.

    The plan of a large screening takes a while: whoever has it already gives it.
    """
    plan = plan or plan_of(study)
    folder = Folder(to or usual_folder(plan), plan)
    folder.open(study)
    fit_bots(folder, fitting)
    began = time.monotonic()
    with engine or local(workers) as ready:
        deals = play_study(folder, ready, tell)
        number = ready.workers
    folder.finish(deals)
    return publish(folder, study, deals, {"wall": time.monotonic() - began, "workers": float(number)}, language)


def publish(
    folder: Folder, study: Study, deals: int, spent: dict[str, float] | None = None, language: str = "en"
) -> Conducted:
    """Make figures and page of what has been played."""
    interrupted = not folder.finished and deals not in looks_of(folder.plan)
    summary = summarise(folder, deals, interrupted)
    found = screening(folder, study) if folder.plan.kind == SCREEN else None
    summary.time.update(spent or {})
    game = folder.plan.game(0)
    text = (folder.path / STUDY).read_text(encoding="utf-8")
    page = report_html(game, summary, text, language, found)
    said = to_json(summary, found)
    write(folder.path / SUMMARY, said.encode())
    write(folder.path / REPORT, page.encode())
    return Conducted(folder.path, game, summary, found)


def report(path: Path, language: str = "en", making: Making | None = None) -> Conducted:
    """The page anew, also of an interrupted study."""
    folder, study = reopened(path, making)
    deals = folder.whole_deals()
    if deals == 0:
        raise BadSetup(f"{path} has no whole deal yet")
    spent = old_time(path) if folder.finished else {}
    return publish(folder, study, deals, spent, language)


def reopened(path: Path, making: Making | None = None) -> tuple[Folder, Study]:
    """The study of a folder, as it was begun; raises BadSetup if this machine would play another."""
    study = study_in(path)
    folder = Folder(path, plan_of(study, making))
    if hash_in(path) != folder.plan.hash:
        raise BadSetup(f"{path} {why_other(path, folder.plan)}")
    folder.open(study)
    if folder.unfitted():
        raise BadSetup(f"{path}: bots have not been fitted to every edition yet; run the study first")
    return folder, study


def old_time(path: Path) -> dict[str, float]:
    """What a report that is made anew still knows of how long the matches took."""
    try:
        told: dict[str, float] = json.loads((path / SUMMARY).read_text(encoding="utf-8"))["time"]
    except (OSError, ValueError, KeyError, TypeError):  # none yet, or damaged: it is written anew
        return {}
    return {name: told[name] for name in ("wall", "workers") if name in told}


def record(path: Path, number: int, making: Making | None = None) -> str:
    """A match of a study as a record that can be replayed."""
    folder, _ = reopened(path, making)
    return play_cell(folder.plan, folder.plan.cell(number), Notes()).record().dumps()


def rehearse(
    study: Study,
    to: Path | None,
    engine: Engine,
    fitting: Fitting | None = None,
    plan: Plan | None = None,
    trying: Trying | None = None,
) -> tuple[Folder, float]:
    """Play the first deals, which are kept, and say how long all will take on these workers."""
    plan = plan or plan_of(study)
    folder = Folder(to or usual_folder(plan), plan)
    folder.open(study)
    fit_bots(folder, fitting)
    return folder, pilot(folder, engine, trying) / engine.workers


def usual_workers() -> int:
    """As many as this process may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
