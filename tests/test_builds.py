"""Tests that the compiled and the interpreted build play the same matches.

The fast test compiles the engine, the bots and one game, and plays Figs and that game on both builds. It also
translates every other game to C, which finds code that cannot be compiled. The slow test compiles all games.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.matches import list_our_games, sample_cases
from tests.slow import slow
from tests.toy import TOY

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "triclinium"
NATIVE = ROOT / "out" / "native"
CARRIED = ("setup.py", "pyproject.toml", "README.md", "LICENSE")
SHARED = ["engine", "bots"]
LEFT = shutil.ignore_patterns("*.egg-info", "__pycache__", "*.so")
ONE = ("evangelists",)
ALL = tuple(game.id for game in list_our_games())

Build = Callable[[tuple[str, ...]], Path]
Facts = dict[str, object]


def copy_sources(work: Path) -> None:
    """Copy only the sources that have changed, so that the compiler keeps the others."""
    wanted = {Path(name) for name in CARRIED}
    wanted |= {path.relative_to(ROOT) for path in (ROOT / "src").rglob("*") if path.suffix in (".py", ".typed")}
    for old in [path for path in work.glob("src/**/*") if path.is_file() and path.relative_to(work) not in wanted]:
        old.unlink()
    for name in wanted:
        new, there = (ROOT / name).read_bytes(), work / name
        if not there.exists() or there.read_bytes() != new:
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(new)


def lay_out(folder: Path, compiled: Path, games: tuple[str, ...]) -> None:
    """Copy the whole package with the compiled modules of these games, without older results of the compiler."""
    shutil.copytree(PACKAGE, folder / "triclinium", ignore=LEFT)
    for found in compiled.rglob("*.so"):
        name = found.relative_to(compiled)
        if name.parent == Path():
            there = name.name.partition("__mypyc")[0] in (*SHARED, *games)
        else:
            wanted = name.parts[1] != "games" or name.parts[2] in games
            there = wanted and (folder / name.parent / f"{name.name.partition('.')[0]}.py").exists()
        if there:
            shutil.copy(found, folder / name)


def compile_in(work: Path, games: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run the compiler in a folder that keeps its results."""
    copy_sources(work)
    return subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", "lib"],
        cwd=work,
        env={**os.environ, "TRICLINIUM_NATIVE": "quick", "TRICLINIUM_UNITS": " ".join([*SHARED, *games])},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Return a function that compiles some games and returns the folder with the package."""
    made: dict[tuple[str, ...], Path] = {}

    def compiled(games: tuple[str, ...]) -> Path:
        if games not in made:
            assert shutil.which("gcc") or shutil.which("clang"), "compiling needs a C compiler: install gcc"
            tools = hashlib.sha256(f"{sys.version} {version('mypy')}".encode() + (ROOT / "setup.py").read_bytes())
            work = NATIVE / f"work-{tools.hexdigest()[:12]}"
            known = work.exists()
            done = compile_in(work, games)
            if done.returncode and known:  # mypyc can fail because of the cache of an earlier build
                shutil.rmtree(work)
                done = compile_in(work, games)
            assert done.returncode == 0, f"the compiled build fails:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
            folder = tmp_path_factory.mktemp("native")
            lay_out(folder, work / "lib", games)
            made[games] = folder
        return made[games]

    return compiled


@pytest.fixture(scope="session")
def compiled_build(builds: Build) -> Path:
    """Return the folder of a package in which the engine, the bots and one game are compiled."""
    return builds(ONE)


def trajectories(package: Path, games: tuple[str, ...]) -> tuple[str, Facts, Facts, Facts, Facts]:
    """Return the build of the package, its matches, study rows, copied environments and positions of rules."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.trajectories", TOY.id, *games],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    files = found["files"]
    assert [Path(file).is_relative_to(package) for file in files] == [True] * (1 + len(games)), files
    assert len(set(found["builds"])) == 1, files
    return found["builds"][0], found["matches"], found["studies"], found["copies"], found["positions"]


@pytest.mark.parametrize("games", [ONE, slow(ALL)], ids=["one", "all"])
def test_both_builds_play_the_same_matches(builds: Build, games: tuple[str, ...]) -> None:
    plain, expected, studied, copied, shown = trajectories(ROOT / "src", games)
    fast, played, as_well, copied_as_well, shown_as_well = trajectories(builds(games), games)
    assert (plain, fast) == ("interpreted", "compiled")
    compared = [TOY, *(game for game in list_our_games() if game.id in games)]
    assert set(expected) == {repr(case) for game in compared for case in sample_cases(game)}
    assert played == expected
    assert as_well == studied
    assert copied_as_well == copied  # environments copied and pickled in the middle of an episode
    assert sorted(studied) == sorted(copied) == sorted(shown) == sorted(games)
    assert shown_as_well == shown
    assert "False" not in str(shown)  # the digest after each option is that of the file
