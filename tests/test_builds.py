"""The compiled and the interpreted build play the same matches. This is the one slow test: it compiles.

All titles are translated to C; the C compiler, which takes six times as long, gets the engine, the bots, the title of
the day and every title that has changed here since this test last passed. ``TRICLINIUM_SOAK`` compiles all of them.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.matches import our_games, some_cases_of
from tests.pace import QUIET, of_today
from tests.toy import TOY

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "triclinium"
NATIVE = ROOT / "out" / "native"
CARRIED = ("setup.py", "pyproject.toml", "README.md", "LICENSE")
SEEN = NATIVE / "seen.json"  # what each title was when both builds last agreed
SHARED = ["engine", "bots"]
LEFT = shutil.ignore_patterns("*.egg-info", "__pycache__", "*.so")


def fingerprint(*folders: Path) -> str:
    """Of everything in there that is compiled or laid beside it."""
    whole = hashlib.sha256(sys.version.encode())
    for path in [ROOT / "setup.py", *sorted(path for folder in folders for path in folder.rglob("*"))]:
        if path.suffix in (".py", ".toml"):
            whole.update(str(path.relative_to(ROOT)).encode())
            whole.update(path.read_bytes())
    return whole.hexdigest()[:12]


def titles_now() -> dict[str, str]:
    """The fingerprint of each title."""
    return {game.id: fingerprint(PACKAGE / "games" / game.id) for game in our_games()}


def to_compile(now: dict[str, str], seen: dict[str, str], turn: str, whole: bool) -> list[str]:
    """The titles that are compiled: whose turn it is, and what has changed since it was seen; or all."""
    return [id for id, mark in now.items() if whole or id == turn or seen.get(id, mark) != mark]


@cache
def titles() -> list[str]:
    """Those of this run."""
    now = titles_now()
    seen = json.loads(SEEN.read_text(encoding="utf-8")) if SEEN.exists() else {}
    return to_compile(now, seen, of_today(list(now)), QUIET)


def brought(work: Path) -> None:
    """The sources as they are now, and only what has changed anew: the compiler leaves alone what it knows."""
    wanted = {Path(name) for name in CARRIED}
    wanted |= {path.relative_to(ROOT) for path in (ROOT / "src").rglob("*") if path.suffix in (".py", ".typed")}
    for old in [path for path in work.glob("src/**/*") if path.is_file() and path.relative_to(work) not in wanted]:
        old.unlink()
    for name in wanted:
        new, there = (ROOT / name).read_bytes(), work / name
        if not there.exists() or there.read_bytes() != new:
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(new)


def laid_out(folder: Path, compiled: Path) -> None:
    """The whole package with what was compiled in it today; what was compiled from a module that is gone, and titles of
    other days, made for an engine that may have changed since, stay behind."""
    shutil.copytree(PACKAGE, folder / "triclinium", ignore=LEFT)
    for found in compiled.rglob("*.so"):
        name = found.relative_to(compiled)
        if name.parent == Path():
            there = name.name.partition("__mypyc")[0] in (*SHARED, *titles())
        else:
            wanted = name.parts[1] != "games" or name.parts[2] in titles()
            there = wanted and (folder / name.parent / f"{name.name.partition('.')[0]}.py").exists()
        if there:
            shutil.copy(found, folder / name)


def compiled_in(work: Path) -> subprocess.CompletedProcess[str]:
    brought(work)
    return subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", "lib"],
        cwd=work,
        env={**os.environ, "TRICLINIUM_NATIVE": "quick", "TRICLINIUM_UNITS": " ".join([*SHARED, *titles()])},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="session")
def native() -> Path:
    """The compiled package, built as far as the sources have changed since the last time; `make soak` builds all."""
    folder = NATIVE / "-".join([fingerprint(ROOT / "src"), *titles()])
    if (folder / "triclinium").is_dir() and not QUIET:
        return folder
    assert shutil.which("gcc") or shutil.which("clang"), "compiling needs a C compiler: install gcc"
    tools = hashlib.sha256(f"{sys.version} {version('mypy')}".encode() + (ROOT / "setup.py").read_bytes())
    work = NATIVE / f"work-{tools.hexdigest()[:12]}"
    for old in NATIVE.glob("*"):
        if old.is_dir() and (old != work or QUIET):
            shutil.rmtree(old)
    known = work.exists()
    done = compiled_in(work)
    if done.returncode and known:  # what mypyc remembers of an earlier build can make it fail in its own code
        shutil.rmtree(work)
        done = compiled_in(work)
    assert done.returncode == 0, f"the compiled build fails:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    laid_out(folder, work / "lib")
    return folder


def trajectories(package: Path) -> tuple[str, dict[str, object], dict[str, object], dict[str, object]]:
    """Which build of the package this is, and the matches it plays."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.trajectories", TOY.id, *titles()],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert [Path(file).is_relative_to(package) for file in found["files"]] == [True] * (1 + len(titles())), found[
        "files"
    ]
    assert len(set(found["builds"])) == 1, found["files"]
    return found["builds"][0], found["matches"], found["studies"], found["copies"]


def test_both_builds_play_the_same_matches(native: Path) -> None:
    plain, expected, studied, copied = trajectories(ROOT / "src")
    fast, played, as_well, copied_as_well = trajectories(native)
    assert (plain, fast) == ("interpreted", "compiled")
    compared = [TOY, *(game for game in our_games() if game.id in titles())]
    assert set(expected) == {repr(case) for game in compared for case in some_cases_of(game)}
    assert played == expected
    assert as_well == studied
    assert copied_as_well == copied  # environments that were copied and pickled in the middle of an episode
    assert sorted(studied) == sorted(copied) == sorted(titles())
    SEEN.write_text(json.dumps(titles_now()), encoding="utf-8")


def test_a_title_is_compiled_when_it_has_its_turn_and_when_it_has_changed() -> None:
    now = {"one": "a", "two": "b", "three": "c"}
    assert to_compile(now, {}, "two", whole=False) == ["two"]  # a fresh clone
    assert to_compile(now, {"one": "a", "two": "b", "three": "old"}, "two", whole=False) == ["two", "three"]
    assert to_compile(now, now, "one", whole=False) == ["one"]
    assert to_compile(now, now, "one", whole=True) == ["one", "two", "three"]
