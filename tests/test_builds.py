"""The compiled and the interpreted build play the same matches. This is the one slow test: it compiles."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.matches import TITLES, some_cases_of
from triclinium import games

ROOT = Path(__file__).parent.parent
NATIVE = ROOT / "out" / "native"
CARRIED = ("src", "setup.py", "pyproject.toml", "README.md", "LICENSE")


def fingerprint() -> str:
    """Of everything that is compiled or laid beside it."""
    whole = hashlib.sha256(sys.version.encode())
    for path in [ROOT / "setup.py", *sorted((ROOT / "src").rglob("*"))]:
        if path.suffix in (".py", ".toml"):
            whole.update(str(path.relative_to(ROOT)).encode())
            whole.update(path.read_bytes())
    return whole.hexdigest()[:12]


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled package, built when the sources have changed since the last time."""
    folder = NATIVE / fingerprint()
    if (folder / "triclinium").is_dir():
        return folder
    assert shutil.which("gcc") or shutil.which("clang"), "compiling needs a C compiler: install gcc"
    work = tmp_path_factory.mktemp("native")
    for name in CARRIED:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, work / name, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__", "*.so")
            )
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, work / name)
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "build", "--build-lib", "lib"],
        cwd=work,
        env={**os.environ, "TRICLINIUM_NATIVE": "quick"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"the compiled build fails:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    shutil.rmtree(NATIVE, ignore_errors=True)
    NATIVE.mkdir(parents=True)
    shutil.move(work / "lib", folder)
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
