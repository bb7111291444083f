"""Bots' processes from the compiled build, where it is of the sources that run here; else a line offers it."""

import shutil
import sys
import sysconfig
from importlib import resources
from pathlib import Path

import pytest

from tests.loop import alone
from tests.test_builds import build as builds
from tests.test_builds import native
from triclinium.bots import Budget
from triclinium.engine.build import is_compiled
from triclinium.engine.record import Record
from triclinium.server.bots import compiled, worker
from triclinium.server.bots.pool import BotPool
from triclinium.server.bots.worker_queue import Origin

__all__ = ["builds", "native"]
ROOT = Path(__file__).parents[2]
ORIGIN = Origin("caller", 1, "table", "review")
MATCH = ROOT / "tests" / "records" / "evangelists" / "2-stenographer-1.rec"


def build(folder: Path) -> Path:
    """As if an environment held a build of a package of two modules."""
    core = compiled.find_packages(folder) / "triclinium" / "engine" / "core"
    core.mkdir(parents=True)
    (core / f"state{sysconfig.get_config_var('EXT_SUFFIX')}").touch()
    (core / "state.py").write_text("STATE = 1\n")
    return core


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sources that run."""
    folder = tmp_path / "src" / "triclinium"
    (folder / "engine" / "core").mkdir(parents=True)
    (folder / "engine" / "core" / "state.py").write_text("STATE = 1\n")
    monkeypatch.setattr(compiled, "PACKAGE_ROOT", folder)
    return folder


def test_a_build_of_the_same_sources_is_taken(here: Path, tmp_path: Path) -> None:
    build(tmp_path / "native")
    packages, line = compiled.choose_packages(str(tmp_path / "native"))
    assert (packages, line) == (str(compiled.find_packages(tmp_path / "native")), "")
    with compiled.prefer_packages(packages):
        assert sys.path[0] == packages
    assert packages not in sys.path


def test_one_of_other_sources_is_not(here: Path, tmp_path: Path) -> None:
    core = build(tmp_path / "native")
    (core / "state.py").write_text("STATE = 2\n")
    assert compiled.choose_packages(str(tmp_path / "native")) == ("", compiled.STALE_BUILD)
    (core / "state.py").write_text("STATE = 1\n")
    (here / "more.toml").touch()
    assert compiled.choose_packages(str(tmp_path / "native")) == ("", compiled.STALE_BUILD)


def test_where_there_is_none_it_is_offered_in_a_line(here: Path, tmp_path: Path) -> None:
    assert compiled.choose_packages(str(tmp_path / "native")) == ("", compiled.NOT_COMPILED)
    core = build(tmp_path / "native")
    next(core.glob("*.so")).rename(core / "state.cpython-27-other.so")
    assert compiled.choose_packages(str(tmp_path / "native")) == ("", compiled.NOT_COMPILED)
    assert compiled.choose_packages("") == ("", "")  # `triclinium serve` alone says nothing
    shutil.copytree(core, here / "engine" / "core", dirs_exist_ok=True)
    (here / "engine" / "core" / f"state{sysconfig.get_config_var('EXT_SUFFIX')}").touch()
    assert compiled.choose_packages(str(tmp_path / "native")) == ("", "")  # this is one


def test_processes_take_their_modules_from_there(tmp_path: Path) -> None:
    (tmp_path / "there").symlink_to(ROOT / "src")
    assert alone(place(str(tmp_path / "there"))) == tmp_path / "there" / "triclinium"


@pytest.mark.slow
def test_both_builds_give_the_same_hints_and_reviews(native: Path) -> None:
    assert compiled.is_ready(native)
    assert compiled.is_current(native)
    plain, fast = alone(answers("")), alone(answers(str(native)))
    assert (plain.pop(0), fast.pop(0)) == (False, True)
    assert plain == fast


async def place(packages: str) -> object:
    pool = BotPool(1, packages)
    try:
        return await pool.run(ORIGIN, resources.files, "triclinium")
    finally:
        pool.close()


async def answers(packages: str) -> list[object]:
    text = MATCH.read_text(encoding="utf-8")
    whole, middle = worker.MatchInput(text), worker.MatchInput(Record.loads(text).truncate(30).dumps())
    pool = BotPool(1, packages)
    try:
        course = await pool.run_sliced(ORIGIN, worker.compute_timeline, whole, 0, [])
        return [
            await pool.run(ORIGIN, is_compiled),
            await pool.run_sliced(ORIGIN, worker.compute_hint, middle, Budget(60.0, 50), 7, ""),
            course[:3],
            await pool.run_sliced(ORIGIN, worker.find_settled_move, whole),
            await pool.run_sliced(ORIGIN, worker.compute_luck, whole, course, [3, 4, 5]),
            await pool.run_sliced(ORIGIN, worker.evaluate_decision, whole, 10, Budget(60.0, 50), 1),
        ]
    finally:
        pool.close()
