"""The repository itself: which room may import which, examples that run, words that must not stand anywhere."""

import ast
import doctest
import os
import re
import shlex
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "triclinium"

# Imports point one way. The titles know nothing of each other.
MAY_IMPORT = {
    "kernel": {"kernel"},
    "titles": {"kernel"},
    "bots": {"kernel", "titles", "bots"},
    "lab": {"kernel", "titles", "bots", "lab"},
    "server": {"kernel", "titles", "bots", "server"},
    "web": {"kernel", "titles", "bots", "server", "web"},
    "__init__": {"kernel", "titles"},
}
# At the top lie the command line and what belongs to it: they may know every room.

MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


def imports_of(path: Path) -> set[str]:
    """The modules of this package that a file imports, wherever in the file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] == "triclinium"}


def room_of(module: str) -> str:
    """``triclinium.kernel.state`` lives in ``kernel``; what lies at the top is its own room."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_imports_point_one_way(path: Path) -> None:
    room = path.parts[0].removesuffix(".py")
    if room not in MAY_IMPORT:
        assert len(path.parts) == 1, f"{room} is a room that this test does not know"
        return
    rooms = {found.name.removesuffix(".py") for found in PACKAGE.iterdir()}
    for module in imports_of(PACKAGE / path):
        used = room_of(module)
        if used not in rooms and used in dir(sys.modules["triclinium"]):
            used = "kernel"  # a name that the package itself re-exports
        if room == "titles" and used == "titles" and len(path.parts) > 2:
            assert module == "triclinium.titles" or module.split(".")[2] == path.parts[1], f"{path} imports {module}"
            continue
        assert used in MAY_IMPORT[room], f"{path} imports {module}"


@pytest.mark.parametrize("path", [path for path in MODULES if path.parts[0] in ("kernel", "titles")], ids=str)
def test_rules_know_no_clock_and_no_foreign_chance(path: Path) -> None:
    """What a match does hangs on its seed and its options alone."""
    for node in ast.walk(ast.parse((PACKAGE / path).read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            assert name.split(".")[0] not in {"random", "secrets", "time", "datetime", "os", "uuid"}, f"{path}: {name}"


def tracked() -> list[Path]:
    """Every file that git keeps or would keep."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.splitlines() if (ROOT / name).is_file()]


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    places = re.compile(r"(?<![\w.{}])/(?:work|home|root|Users|opt|mnt)/\w")
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        assert places.findall(text) == [], f"{path.relative_to(ROOT)} names a place"


def test_no_compiled_module_lies_beside_its_source() -> None:
    assert [path for path in (ROOT / "src").rglob("*") if path.suffix in (".so", ".pyd")] == []


def test_every_package_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9_.\-]+==[\w.]+", line) for line in pinned)
    names = {re.split("==", line)[0].lower().replace("_", "-") for line in pinned}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    for requirement in needed:
        name = re.split(r"[\[<>=!~ ;]", requirement)[0].lower().replace("_", "-")
        assert name in names, f"{name} is not in constraints.txt"


def test_ci_runs_the_tests() -> None:
    run = ROOT / ".ci" / "run"
    assert run.stat().st_mode & stat.S_IXUSR
    assert "make test" in run.read_text()


def test_make_lists_its_targets() -> None:
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in ("setup", "play", "test", "check", "bench", "native", "soak", "clean"):
        assert f"make {target} " in listed


# -- examples ---------------------------------------------------------------------------------------------------------

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_examples_of_the_readme() -> None:
    test = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    assert len(test.examples) > 10
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=told.append)
    assert runner.failures == 0, "".join(told)


def console_examples() -> list[tuple[str, str]]:
    """Each command of a console block, and what it prints."""
    examples: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            examples.append((command, output))
    return examples


@pytest.mark.parametrize(("command", "output"), console_examples())
def test_the_commands_of_the_readme(command: str, output: str, tmp_path: Path) -> None:
    words = shlex.split(command)
    assert words[0] == "triclinium"
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert doctest.OutputChecker().check_output(output, done.stdout, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE), (
        done.stdout
    )


def test_the_readme_names_every_title_and_every_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for title in project["project"]["entry-points"]["triclinium.titles"]:
        assert f"| `{title}` |" in README
    for command in ("titles", "play", "simulate", "replay", "bench"):
        assert f"`triclinium {command}" in README
