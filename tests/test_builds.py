"""The compiled and the interpreted build play the same matches. This is the one slow test: it compiles."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.matches import TITLES, some_cases_of
from tests.pace import QUIET
from triclinium import games

ROOT = Path(__file__).parent.parent
NATIVE = ROOT / "out" / "native"
CARRIED = ("setup.py", "pyproject.toml", "README.md", "LICENSE")
LEFT = shutil.ignore_patterns("*.egg-info", "__pycache__", "*.so")


def fingerprint() -> str:
    """Of everything that is compiled or laid beside it."""
    whole = hashlib.sha256(sys.version.encode())
    for path in [ROOT / "setup.py", *sorted((ROOT / "src").rglob("*"))]:
        if path.suffix in (".py", ".toml"):
            whole.update(str(path.relative_to(ROOT)).encode())
            whole.update(path.read_bytes())
    return whole.hexdigest()[:12]


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
    """The whole package with what was compiled in it; what was compiled from a module that is gone stays behind."""
    shutil.copytree(ROOT / "src" / "triclinium", folder / "triclinium", ignore=LEFT)
    for found in compiled.rglob("*.so"):
        name = found.relative_to(compiled)
        if name.parent == Path() or (folder / name.parent / f"{name.name.partition('.')[0]}.py").exists():
            shutil.copy(found, folder / name)


@pytest.fixture(scope="session")
def native() -> Path:
    """The compiled package, built as far as the sources have changed since the last time; `make soak` builds all."""
    folder = NATIVE / fingerprint()
    if (folder / "triclinium").is_dir() and not QUIET:
        return folder
    assert shutil.which("gcc") or shutil.which("clang"), "compiling needs a C compiler: install gcc"
    tools = hashlib.sha256(f"{sys.version} {version('mypy')}".encode() + (ROOT / "setup.py").read_bytes())
    work = NATIVE / f"work-{tools.hexdigest()[:12]}"
    for old in NATIVE.glob("*"):
        if old != work or QUIET:
            shutil.rmtree(old)
    brought(work)
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", "lib"],
        cwd=work,
        env={**os.environ, "TRICLINIUM_NATIVE": "quick"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"the compiled build fails:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    laid_out(folder, work / "lib")
    return folder


def trajectories(package: Path) -> tuple[str, dict[str, object], dict[str, object]]:
    """Which build of the package this is, and the matches it plays."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.trajectories"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert Path(found["file"]).is_relative_to(package), f"{found['file']} was loaded instead of {package}"
    return found["build"], found["matches"], found["studies"]


def test_both_builds_play_the_same_matches(native: Path) -> None:
    plain, expected, studied = trajectories(ROOT / "src")
    fast, played, as_well = trajectories(native)
    assert (plain, fast) == ("interpreted", "compiled")
    assert set(expected) == {repr(case) for game in TITLES for case in some_cases_of(game)}
    assert played == expected
    assert as_well == studied
    assert len(studied) == len(games())
