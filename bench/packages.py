"""Build and test of release packages. Each is tested in an empty environment outside the repository.

``python -m bench.packages build`` writes an sdist, a pure wheel and a compiled wheel to `dist`. Both wheels are built
from the unpacked sdist. ``python -m bench.packages check FILE...`` installs each file into new environments: first
without extras, then with them, and runs `bench/package_smoke.py` there. ``--pythons`` names the Python versions.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = (
    *("src", "examples", "docs", "pyproject.toml", "setup.py", "MANIFEST.in", "constraints.txt"),
    *("README.md", "CHANGELOG.md", "LICENSE"),
)
UNWANTED = shutil.ignore_patterns("*.egg-info", "__pycache__", "*.so", "build", "pictures", "studies")
EXTRAS = "web,lab,research"
PIP = ("-m", "pip", "-q", "--disable-pip-version-check")
# An author's script with one planted mistake: a type checker must find it and nothing else.
SCRIPT = """
from triclinium import Match, Record, Rng, list_games, load_game
from triclinium.bots import choose_option, create_bot

game = load_game("portals")
names: list[str] = list_games()
match = Match(game, seats=2, seed=7, variants={})
bot, rng = create_bot("greedy", game), Rng(1)
while not match.state.over:
    match.play(game.format_option(choose_option(bot, match.state, rng)))
totals: list[int | None] = [score.total for score in game.scores(match.state)]
digest: int = Record.loads(match.record.dumps()).replay().digest()
seats: str = match.state.seats  # the planted mistake
"""


def run(words: Sequence[str | Path], folder: Path, **environment: str) -> str:
    """Run a command and return its output. Raise SystemExit with the end of its errors if it fails."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))} fails:\n{done.stdout[-1000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


# -- building ---------------------------------------------------------------------------------------------------------


def build_sdist(target: Path) -> Path:
    """Write the sdist from a copy of the sources, so that it contains no other files of the working tree."""
    with tempfile.TemporaryDirectory() as work:
        tree = Path(work) / "tree"
        tree.mkdir()
        for name in SOURCES:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, tree / name, ignore=UNWANTED)
            else:
                shutil.copy(source, tree / name)
        run([sys.executable, "setup.py", "-q", "sdist", "-d", target.resolve()], tree)
    return next(target.glob("triclinium-*.tar.gz"))


def build_wheel(sdist: Path, target: Path, compiled: bool) -> Path:
    """Build one wheel from an unpacked sdist."""
    with tempfile.TemporaryDirectory() as work:
        with tarfile.open(sdist) as archive:
            archive.extractall(work, filter="data")
        tree = next(Path(work).iterdir())
        command = [sys.executable, *PIP, "wheel", "--no-build-isolation", "--no-deps", "-w", f"{work}/out", str(tree)]
        run(command, tree, TRICLINIUM_NATIVE="1" if compiled else "0")
        wheel = next((Path(work) / "out").glob("*.whl"))
        return Path(shutil.copy(wheel, target))


def build_packages(target: Path, compiled_wheel: Path | None, compiled: bool = True) -> list[Path]:
    """Write all packages to a folder and return their files. An existing compiled wheel is copied."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    sdist = build_sdist(target)
    built = [sdist, build_wheel(sdist, target, compiled=False)]
    if compiled_wheel is not None:
        built.append(Path(shutil.copy(compiled_wheel, target)))
    elif compiled:
        built.append(build_wheel(sdist, target, compiled=True))
    return built


# -- checking ---------------------------------------------------------------------------------------------------------


def fits(package: Path, python: str) -> bool:
    """Return whether a package can be installed for this Python. A compiled wheel needs one Python version."""
    tag = run([python, "-c", "import sys; print('cp%d%d' % sys.version_info[:2])"], ROOT).strip()
    return "cp3" not in package.name or f"-{tag}-" in package.name


def is_compiled_wheel(package: Path) -> bool:
    return package.suffix == ".whl" and "-none-any" not in package.name


def check_package(package: Path, python: str) -> None:
    """Install a package into new environments and run every check there. Raise SystemExit if one fails."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="triclinium-") as name:
        work = Path(name)
        program = Path(shutil.copy(ROOT / "bench" / "package_smoke.py", work))
        bare = create_environment(work / "bare", python, str(package.resolve()))
        empty = {"HOME": str(work / "home"), "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "", "XDG_DATA_HOME": ""}
        for folder in ("home", "here"):
            (work / folder).mkdir()
        run([bare, "-I", "-m", "triclinium", "simulate", "portals", "--matches", "2"], work / "here", **empty)
        full = create_environment(work / "full", python, f"{package.resolve()}[{EXTRAS}]", "mypy")
        flag = ["--compiled"] if is_compiled_wheel(package) else []
        said = run([full, "-I", program, *flag], work / "here", **empty)
        check_types(full, work / "here")
        count = len(
            run([bare, "-m", "pip", "--disable-pip-version-check", "list", "--format", "freeze"], work).splitlines()
        )
    version = run([python, "-c", "import platform; print(platform.python_version())"], ROOT).strip()
    passed = ", ".join(line.split()[0] for line in said.splitlines())
    say(
        f"{package.name} on Python {version}: {passed} and types passed in {time.monotonic() - began:.0f} s; "
        f"the bare installation has {count} packages with pip"
    )


def create_environment(folder: Path, python: str, *packages: str) -> Path:
    """Return the Python of a new environment with these packages, installed from the configured package index."""
    run([python, "-m", "venv", folder], ROOT)
    installed = folder / "bin" / "python"
    run([installed, *PIP, "install", *packages], folder, PYTHONPATH="")
    return installed


def check_types(python: Path, folder: Path) -> None:
    """Check with `mypy --strict` that a user's script and a new game see the types of the package."""
    script = folder / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [str(python), "-m", "mypy", "--strict", "--cache-dir", os.devnull, "--python-executable", str(python)]
    wanted = f"script.py:{len(SCRIPT.splitlines())}: error: Incompatible types in assignment"
    done = subprocess.run(
        [*command, script.name], cwd=folder, capture_output=True, text=True, check=False, env=strip_environment()
    )
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    if len(errors) != 1 or not errors[0].startswith(wanted):
        raise SystemExit(f"mypy finds something else than the planted mistake:\n{done.stdout}{done.stderr}")
    run([*command, "nim"], folder / "nim", PYTHONPATH="")


def strip_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="build the packages")
    build.add_argument("--to", type=Path, default=ROOT / "dist", help="folder (default: dist)")
    build.add_argument("--compiled-wheel", type=Path, help="compiled wheel that is copied instead of built")
    check = commands.add_parser("check", help="install and test packages")
    check.add_argument("packages", nargs="+", type=Path)
    check.add_argument("--pythons", nargs="+", default=[sys.executable], help="Python programs (default: this one)")
    args = parser.parse_args()
    if args.command == "build":
        for package in build_packages(args.to, args.compiled_wheel):
            say(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB")
        return 0
    for python in args.pythons:
        for package in args.packages:
            if fits(package, python):
                check_package(package, python)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
