"""Tests of the minimal installation: everything but the server works with only mypy_extensions and librt."""

import os
import shlex
import shutil
import subprocess
import sys
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest

from triclinium.engine.commitment import compute_seal
from triclinium.engine.core.rng import Rng
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.engine.registry import load_game

ROOT = Path(__file__).parent.parent
# This code runs before the command and hides all modules that are neither Python's nor ours.
BARE = """
import sys
from importlib.abc import MetaPathFinder

class Bare(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        root = name.partition(".")[0]
        known = sys.stdlib_module_names | {"triclinium", "mypy_extensions", "librt"}
        if root not in known and not root.startswith("_") and not root.endswith("__mypyc"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

sys.meta_path.insert(0, Bare())
from triclinium.cli.main import main
"""
ONE = f"{BARE}raise SystemExit(main(sys.argv[1:]))"
SEVERAL = f"""{BARE}
for line in sys.argv[1:]:
    code = main(line.split())
    if code:
        raise SystemExit(f"{{line}} ends with {{code}}")
"""


def run_bare_command(*words: str, folder: Path, said: str = "", program: str = ONE) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder as if no other package were installed."""
    paths = os.pathsep.join(str(ROOT / each) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each)
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        input=said,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )


def play_sealed_match() -> Record:
    """Return a complete match with a shuffle commitment."""
    portals, rng = load_game("portals"), Rng(1)
    match = Match(portals, 2, 7)
    while not match.state.over:
        match.play(portals.format_option(rng.pick(match.state.options())))
    match.record.salt = "5a" * 16
    match.record.seal = compute_seal(match.record.format_seed(), match.record.salt)
    return match.record


def test_commands_without_extras_work_in_a_bare_install(tmp_path: Path) -> None:
    """Playing, saving, simulating, replaying and verifying need no other package."""
    played = run_bare_command(
        "play", "portals", "--seats", "2", "--seed", "7", said="1\nsave match.rec\nquit\n", folder=tmp_path
    )
    assert (played.returncode, played.stderr) == (0, "")
    (tmp_path / "sealed.rec").write_text(play_sealed_match().dumps(), encoding="utf-8")
    commands = (
        "games --json",
        "simulate portals --matches 1 --bots steady --json",
        "replay match.rec --json",
        "verify sealed.rec",
    )
    done = run_bare_command(*commands, folder=tmp_path, program=SEVERAL)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.parametrize(
    ("words", "doing", "extra"),
    [
        (["serve", "--no-browser"], "serving", "web"),
        (["learn", "portals", "--target", "weights"], "learning", "learn"),
        (["learn", "portals", "--out", "learnt"], "learning", "learn"),
        (["study", "portals"], "a study", "lab"),
        (["arena", "portals", "--bots", "greedy,random", "--matches", "2"], "an arena", "lab"),
    ],
)
def test_commands_that_need_an_extra_name_it(words: list[str], doing: str, extra: str, tmp_path: Path) -> None:
    done = run_bare_command(*words, folder=tmp_path)
    command = shlex.join([sys.executable, "-m", "pip", "install", f"{ROOT}[{extra}]"])
    needed = f"{doing} needs triclinium[{extra}]; install it with {command}"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"triclinium: {needed}\n")


IMPORTS = f"""{BARE}
import importlib
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as missing:
        print(missing)
"""
EXTRA_OF_MODULE = {
    "triclinium.lab.learn": "learn",
    "triclinium.lab.ratings": "lab",
    "triclinium.lab.study": "lab",
    "triclinium.research.batch": "research",
    "triclinium.research.gymnasium": "research",
    "triclinium.research.network_inputs": "research",
    "triclinium.research.openspiel": "openspiel",
    "triclinium.research.pettingzoo": "research",
    "triclinium.research.vector_env": "research",
    "triclinium.research.worker_pool": "research",
    "triclinium.server": "web",
    "triclinium.testing.messages": "web",
    "triclinium.web": "web",
}


def test_an_import_that_needs_an_extra_names_it(tmp_path: Path) -> None:
    done = run_bare_command(*EXTRA_OF_MODULE, folder=tmp_path, program=IMPORTS)
    assert done.returncode == 0, done.stderr
    install = shlex.join([sys.executable, "-m", "pip", "install"])
    for line, (module, extra) in zip(done.stdout.splitlines(), EXTRA_OF_MODULE.items(), strict=True):
        # a module that it imports can be the first that lacks something
        assert line.startswith(module.rpartition(".")[0])
        assert line.endswith(f" needs triclinium[{extra}]; install it with {install} {shlex.quote(f'{ROOT}[{extra}]')}")


# Play a match of each game with random bots and observations, and import every module without dependencies.
MATCHES = """
import importlib, pkgutil
import triclinium
from triclinium.bots import choose_option, create_bot

for id in triclinium.list_games():
    game, rng = triclinium.load_game(id), triclinium.Rng(1)
    s, random = game.deal(game.seats[0], 1), create_bot("random", game)
    while not s.over:
        game.observe(s, s.who)
        s.play(choose_option(random, s, rng))
    print(id, sum(game.returns(s)))
for room in ("i18n", "engine", "games", "boardkit", "bots"):
    path = importlib.import_module(f"triclinium.{room}").__path__
    for found in pkgutil.walk_packages(path, f"triclinium.{room}."):
        importlib.import_module(found.name)
"""
NEEDED = ("librt", "mypy_extensions")


def empty_environment(folder: Path) -> Path:
    """Return an environment with only the wheel and copies of its two dependencies, because no package index is
    available."""
    tree = folder / "tree"
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "*.so"))
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    run([*pip, "wheel", "--no-build-isolation", "--no-deps", "-w", str(folder), str(tree)])
    venv.create(folder / "empty", with_pip=False)
    python = folder / "empty" / "bin" / "python"
    site = next((folder / "empty" / "lib").glob("python*/site-packages"))
    for name in NEEDED:
        for file in distribution(name).files or []:
            there = site / file
            if ".." not in file.parts:
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), there)
    wheel = next(folder.glob("*.whl"))
    # fails if another package is needed
    run([*pip, "--python", str(python), "install", "--no-index", "--no-compile", str(wheel)])
    return python


def run(words: list[str], paths: str = "") -> str:
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": paths}
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_the_bare_install_plays_every_game() -> None:
    """No game imports a package that only an extra installs."""
    hook, _, _ = BARE.partition("from triclinium")
    said = run([sys.executable, "-c", hook + MATCHES], os.environ.get("PYTHONPATH", "")).split()
    assert said[1::2] == ["1.0"] * 5


@pytest.mark.slow
def test_the_wheel_plays_every_game_in_an_empty_environment(tmp_path: Path) -> None:
    said = run([str(empty_environment(tmp_path)), "-I", "-c", MATCHES]).split()
    assert said[1::2] == ["1.0"] * 5
