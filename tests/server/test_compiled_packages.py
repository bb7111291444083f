"""Tests that bot processes use the compiled build only if it matches the running sources.

Otherwise a log line suggests it.
"""

import shutil
import sys
import sysconfig
from importlib import resources
from pathlib import Path

import pytest

from tests.event_loop import run_coroutine
from tests.test_builds import builds, compiled_build
from triclinium.bots import Budget
from triclinium.engine.build_info import is_compiled
from triclinium.engine.record import Record
from triclinium.server.bots import compiled_packages, worker
from triclinium.server.bots.pool import BotPool
from triclinium.server.bots.worker_queue import TaskOrigin

__all__ = ["builds", "compiled_build"]
ROOT = Path(__file__).parents[2]
ORIGIN = TaskOrigin("caller", 1, "table", "review")
MATCH = ROOT / "tests" / "records" / "evangelists" / "2-stenographer-1.rec"


def build(folder: Path) -> Path:
    """Create a folder like an environment with a build of a package of two modules."""
    core = compiled_packages.find_packages(folder) / "triclinium" / "engine" / "core"
    core.mkdir(parents=True)
    (core / f"state{sysconfig.get_config_var('EXT_SUFFIX')}").touch()
    (core / "state.py").write_text("STATE = 1\n")
    return core


@pytest.fixture
def source_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create the folder of the running sources."""
    folder = tmp_path / "src" / "triclinium"
    (folder / "engine" / "core").mkdir(parents=True)
    (folder / "engine" / "core" / "state.py").write_text("STATE = 1\n")
    monkeypatch.setattr(compiled_packages, "PACKAGE_ROOT", folder)
    return folder


def test_a_build_of_the_same_sources_is_used(source_folder: Path, tmp_path: Path) -> None:
    build(tmp_path / "native")
    packages, line = compiled_packages.choose_packages(str(tmp_path / "native"))
    assert (packages, line) == (str(compiled_packages.find_packages(tmp_path / "native")), compiled_packages.COMPILED)
    with compiled_packages.prefer_packages(packages):
        assert sys.path[0] == packages
    assert packages not in sys.path


def test_a_build_of_other_sources_is_not_used(source_folder: Path, tmp_path: Path) -> None:
    core = build(tmp_path / "native")
    (core / "state.py").write_text("STATE = 2\n")
    assert compiled_packages.choose_packages(str(tmp_path / "native")) == ("", compiled_packages.STALE_BUILD)
    (core / "state.py").write_text("STATE = 1\n")
    (source_folder / "more.toml").touch()
    assert compiled_packages.choose_packages(str(tmp_path / "native")) == ("", compiled_packages.STALE_BUILD)


def test_one_line_says_which_build_is_used(source_folder: Path, tmp_path: Path) -> None:
    assert compiled_packages.choose_packages(str(tmp_path / "native")) == ("", compiled_packages.NOT_COMPILED)
    core = build(tmp_path / "native")
    next(core.glob("*.so")).rename(core / "state.cpython-27-other.so")
    assert compiled_packages.choose_packages(str(tmp_path / "native")) == ("", compiled_packages.NOT_COMPILED)
    assert compiled_packages.choose_packages("") == ("", "")  # `triclinium serve` alone prints nothing
    shutil.copytree(core, source_folder / "engine" / "core", dirs_exist_ok=True)
    (source_folder / "engine" / "core" / f"state{sysconfig.get_config_var('EXT_SUFFIX')}").touch()
    assert compiled_packages.choose_packages("") == ("", compiled_packages.COMPILED)  # the server's own


def test_bot_processes_use_the_compiled_modules(tmp_path: Path) -> None:
    (tmp_path / "there").symlink_to(ROOT / "src")
    assert run_coroutine(place(str(tmp_path / "there"))) == tmp_path / "there" / "triclinium"


@pytest.mark.slow
def test_both_builds_give_the_same_hints_and_reviews(compiled_build: Path) -> None:
    assert compiled_packages.is_ready(compiled_build)
    assert compiled_packages.is_current(compiled_build)
    plain, fast = run_coroutine(compute_answers("")), run_coroutine(compute_answers(str(compiled_build)))
    assert (plain.pop(0), fast.pop(0)) == (False, True)
    assert plain == fast


async def place(packages: str) -> object:
    pool = BotPool(1, packages)
    try:
        return await pool.run(ORIGIN, resources.files, "triclinium")
    finally:
        pool.close()


async def compute_answers(packages: str) -> list[object]:
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
