"""The rooms of the house: imports point one way, and the rules depend on nothing that could change under them."""

import ast
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "triclinium"
MODULES = sorted(SOURCE.rglob("*.py"))

# What each room may know. The command and its helpers at the top know everything.
KNOWS: dict[str, set[str]] = {
    "engine": {"engine"},
    "games": {"engine", "games"},
    "bots": {"engine", "games", "bots"},
    "lab": {"engine", "games", "bots", "lab"},
    "server": {"engine", "games", "bots", "server"},
    "cli": {"engine", "games", "bots", "lab", "server", "web", "cli"},
    "web": {"engine", "games", "bots", "server", "web"},
}
RULES = ("engine", "games")
CHANCE = {"random", "secrets", "time", "datetime", "os", "uuid", "locale", "socket", "threading", "asyncio"}


def room(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else ""


def imported(path: Path) -> list[str]:
    """The full names of all modules that a module imports, anywhere in it."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names.append(str(node.module))
    return names


every_module = pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))


@every_module
def test_imports_point_one_way(path: Path) -> None:
    here = room(path)
    if here == "":
        return
    for name in imported(path):
        package, _, rest = name.partition(".")
        if package == "triclinium":
            there = rest.split(".")[0]
            assert there in KNOWS[here] or (there == "" and here not in RULES), f"{here} may not know {name}"


@every_module
def test_a_title_knows_no_other_title(path: Path) -> None:
    if room(path) == "games" and path.parent != SOURCE / "games":
        own = path.relative_to(SOURCE / "games").parts[0]
        for name in imported(path):
            if name.startswith("triclinium.games."):
                assert name.split(".")[2] == own, name


@every_module
def test_the_rules_need_nothing_but_python(path: Path) -> None:
    if room(path) in RULES:
        for name in imported(path):
            package = name.split(".")[0]
            known = package in sys.stdlib_module_names or package in ("triclinium", "mypy_extensions")
            assert known, f"engine and games have no run-time dependency, and this is one: {name}"
            assert package not in CHANCE, f"chance, clocks and the environment stay outside: {name}"


@every_module
def test_a_module_is_short_and_named_for_who_lives_there(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, "split it by chapter"
    assert path.stem not in ("utils", "helpers", "manager", "common")
    if path.stem != "__init__" or path.stat().st_size:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), "say in one sentence what it is"
