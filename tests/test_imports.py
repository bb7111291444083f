"""Tests of the import graph: allowed directions, no cycles, and imports at module level only."""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parent.parent / "src" / "triclinium"

# The packages that each of our packages may import. The two top-level modules may import everything.
ALLOWED: dict[str, set[str]] = {
    "i18n": {"i18n"},
    "engine": {"i18n", "engine"},
    "boardkit": {"engine", "boardkit"},
    "games": {"i18n", "engine", "games", "boardkit"},  # boardkit: only the boards in `ui`
    "bots": {"engine", "games", "bots"},
    "lab": {"i18n", "engine", "games", "bots", "lab"},
    "server": {"i18n", "engine", "boardkit", "games", "bots", "server"},
    "web": {"i18n", "engine", "boardkit", "games", "bots", "server", "web"},
    "cli": {"i18n", "engine", "boardkit", "games", "bots", "lab", "author", "cli"},
    "research": {"engine", "boardkit", "games", "bots", "research"},
    "testing": {"i18n", "engine", "boardkit", "testing"},  # only for authors of games
    "author": {"engine", "testing"},  # the names that a game is written with
}
RULES = ("engine", "games")
COMPILED = ("core", "rules", "ai")
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")  # fields of a statement that hold other statements
CHANCE = {"random", "secrets", "time", "datetime", "os", "uuid", "locale", "socket", "threading", "asyncio"}
SERVER = {
    "fastapi",
    "starlette",
    "sqlalchemy",
    "alembic",
    "uvicorn",
    "uvloop",
    "httptools",
    "pydantic",
    "platformdirs",
    "openskill",
    "mnemonic",
    "webauthn",
    "apprise",
    "cryptography",
    "py_vapid",
    "pywebpush",
}
PAGES = {"babel", "jinja2", "markupsafe", "markdown_it", "python_multipart"}
# The external packages that each package may import in addition to Python. Extras of pyproject.toml install them.
LIBRARIES: dict[str, set[str]] = {
    "i18n": set(),
    "engine": {"mypy_extensions", "librt"},
    "boardkit": set(),
    "games": {"mypy_extensions", "librt"},
    "bots": {"mypy_extensions", "librt"},
    "lab": {"openskill", "cma", "jinja2", "markupsafe", "numpy", "polars", "ray"},
    "server": SERVER | {"ifaddr", "segno", "resvg_py", "font_source_serif_pro", "prometheus_client"},
    "web": SERVER | PAGES | {"segno"},
    "cli": set(),
    "research": {"numpy", "gymnasium", "pettingzoo", "pyspiel", "open_spiel"},
    "testing": {"pytest", "babel", "jinja2"},
}


class Module(NamedTuple):
    """A module: its name, its source, and its imports by full name, at module level and inside functions."""

    name: str
    path: Path
    tree: ast.Module
    top: frozenset[str]
    below: frozenset[str]

    @property
    def package(self) -> str:
        """Return the name of the top-level package, or "" for a top-level module."""
        parts = self.path.relative_to(SOURCE).parts
        return parts[0] if len(parts) > 1 else ""

    @property
    def is_compiled(self) -> bool:
        folders = self.path.relative_to(SOURCE).parts[:-1]
        return any(folder in COMPILED for folder in folders)

    @property
    def imports(self) -> frozenset[str]:
        return self.top | self.below


def name_module(path: Path) -> str:
    parts = ("triclinium", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def names() -> frozenset[str]:
    return frozenset(name_module(path) for path in SOURCE.rglob("*.py"))


def list_imported(node: ast.AST) -> Iterator[str]:
    """Return the modules that one statement imports.

    ``from a import b`` gives ``a.b`` if that is one of our modules.
    """
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"a relative import of {node.module}"
        full = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (each if each in names() else str(node.module) for each in full)


def iterate_imports(module: ast.Module) -> Iterator[tuple[str, bool]]:
    """Yield the imports in a module, and whether each is inside a function.

    Only statements are searched, because expressions hold no imports and take most of the time.
    """
    blocks: list[tuple[ast.AST, bool]] = [(module, False)]
    while blocks:
        node, below = blocks.pop()
        inside = below or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for field in BLOCKS:
            for child in getattr(node, field, ()):
                yield from ((name, inside) for name in list_imported(child))
                blocks.append((child, inside))


@cache
def modules() -> tuple[Module, ...]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        pairs = set(iterate_imports(tree))
        top = frozenset(name for name, below in pairs if not below)
        found.append(Module(name_module(path), path, tree, top, frozenset(name for name, below in pairs if below)))
    return tuple(found)


def filter_our_modules(names: frozenset[str]) -> list[str]:
    return sorted(name for name in names if name.split(".")[0] == "triclinium")


def circles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the groups of nodes that reach each other: Tarjan's strongly connected components of several nodes."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in graph.get(name, []):
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1 or name in graph.get(name, []):
                found.append(sorted(group))

    for name in graph:
        if name not in order:
            visit(name)
    return found


def test_packages_import_only_allowed_packages() -> None:
    for each in modules():
        for name in filter_our_modules(each.imports) if each.package else []:
            there = name.split(".")[1] if "." in name else ""
            if there == "":
                assert each.package not in RULES, f"{each.name} may not import {name}"
            else:
                assert there in ALLOWED[each.package], f"{each.name} may not import {name}"


def test_only_the_boards_of_games_use_the_board_kit() -> None:
    for each in modules():
        uses_kit = any(name.startswith("triclinium.boardkit") for name in each.imports)
        assert each.package != "games" or not uses_kit or ".ui." in each.name, each.name


def test_a_game_imports_no_other_game() -> None:
    for each in modules():
        own = each.name.split(".")[:3]
        if each.package == "games" and len(own) == 3:
            others = [name for name in filter_our_modules(each.imports) if name.split(".")[1] == "games"]
            assert [name for name in others if name.split(".")[:3] != own] == [], each.name


def test_there_are_no_circular_imports() -> None:
    assert circles({each.name: filter_our_modules(each.imports) for each in modules()}) == []


def check_no_circles(package: str, container: str = "") -> None:
    """Fail if sub-packages of a package import each other in a circle.

    Other modules count as nodes of their own. ``container`` is a module that is left out, because it combines the
    sub-packages and their functions name its type.
    """
    graph: dict[str, set[str]] = {}
    for each in modules():
        if each.package == package:
            here = sub_package(each.name)
            graph.setdefault(here, set()).update(
                sub_package(name)
                for name in filter_our_modules(each.imports)
                if name.startswith(f"triclinium.{package}.") and sub_package(name) not in (here, container)
            )
    assert circles(graph) == []


def sub_package(name: str) -> str:
    """Return ``triclinium.web.pages`` for a module inside of it."""
    return ".".join(name.split(".")[:3])


def test_sub_packages_of_web_do_not_import_each_other_in_a_circle() -> None:
    check_no_circles("web")


def test_sub_packages_of_server_do_not_import_each_other_in_a_circle() -> None:
    check_no_circles("server", container="triclinium.server.services")


def test_sub_packages_of_lab_do_not_import_each_other_in_a_circle() -> None:
    check_no_circles("lab")


STUDY = "triclinium.lab.study"
# The modules of lab/study from the bottom to the top: each may import those before it.
STUDY_ORDER = (
    *("statistics", "study_file", "plan", "editions", "comparison_plan", "bans_and_ladders"),
    *("schema", "final_holdings", "match_tables", "worker", "engine", "ray_engine"),
    *("store", "refit", "arrays", "timeline", "figures", "compare", "runner"),
    *("clusters", "choices", "components", "places", "deal_luck", "bans", "screening_deals", "screening"),
    *("summary", "csv_output", "json_output", "labels", "report_text", "charts", "place_maps", "report"),
    *("sections", "page", "console", "balance", "run"),
)


def find_package_of_lab(module: str) -> str:
    """Return ``lab``, ``lab.learn``, ``lab.study`` or ``lab.benchmark`` for a module of one of them, else ""."""
    parts = module.split(".")[1:]
    if parts[:1] != ["lab"]:
        return ""
    return ".".join(parts[:2]) if parts[1:2] in (["learn"], ["study"], ["benchmark"]) else "lab"


def test_modules_of_a_study_import_those_before_them() -> None:
    places = {f"{STUDY}.{name}": place for place, name in enumerate(STUDY_ORDER)}
    imports = {each.name: filter_our_modules(each.imports) for each in modules() if each.name.startswith(f"{STUDY}.")}
    assert set(imports) == set(places), "give every module of lab/study its place in STUDY_ORDER"
    later = [
        (name, other)
        for name, others in imports.items()
        for other in others
        if other == STUDY or places.get(other, -1) > places[name]
    ]
    assert later == []


def test_packages_of_the_lab_have_no_circle() -> None:
    """Each package may import those before it."""
    order = ["lab", "lab.learn", "lab.study", "lab.benchmark"]
    arrows = {
        (package, find_package_of_lab(name))
        for each in modules()
        if (package := find_package_of_lab(each.name))
        for name in filter_our_modules(each.imports)
    }
    assert [pair for pair in arrows if pair[1] and order.index(pair[1]) > order.index(pair[0])] == []


def test_nothing_is_imported_below_module_level() -> None:
    assert [(each.name, *each.below) for each in modules() if each.below] == []


def test_compiled_modules_import_only_compiled_modules() -> None:
    compiled = {each.name for each in modules() if each.is_compiled}
    for each in modules():
        if each.is_compiled:
            assert set(filter_our_modules(each.imports)) - compiled == set(), each.name


def test_pages_do_not_use_states() -> None:
    """Pages are built from the presenter's output only, so they cannot leak hidden information."""
    for each in modules():
        if each.package == "web":
            taken = {
                alias.name for node in ast.walk(each.tree) if isinstance(node, ast.ImportFrom) for alias in node.names
            }
            assert taken & {"State", "Match", "Option", "NOBODY"} == set(), each.name
            used = [node for node in ast.walk(each.tree) if isinstance(node, ast.Attribute)]
            reached = [ast.unparse(node) for node in used if node.attr in ("state", "current_match", "position")]
            assert [text for text in reached if not text.endswith("app.state")] == [], each.name


def test_libraries_are_used_where_their_extra_is_installed() -> None:
    for each in modules():
        for name in each.imports:
            root = name.split(".")[0]
            if root != "triclinium" and root not in sys.stdlib_module_names:
                assert root in LIBRARIES.get(each.package, set()), f"{each.name} may not import {name}"


def test_only_the_plugin_needs_pytest() -> None:
    """A function call that checks a game does not need pytest."""
    assert {each.name for each in modules() if "pytest" in each.imports} == {"triclinium.testing.pytest_plugin"}


def test_rules_use_no_chance_clock_or_environment() -> None:
    for each in modules():
        if each.package in RULES:
            assert {name.split(".")[0] for name in each.imports} & CHANCE == set(), each.name


def test_modules_are_described_and_named_for_what_they_do() -> None:
    for each in modules():
        text = each.path.read_text(encoding="utf-8")
        assert each.path.stem not in ("utils", "helpers", "manager", "common"), each.name
        if each.path.stem != "__init__" or text:
            assert ast.get_docstring(each.tree), f"say in one sentence what {each.name} is"


BAN = "triclinium.bots.core.restriction"  # restricted play, which only studies use


def test_only_trusted_modules_read_the_true_state() -> None:
    """`Game.option_components` reveals hidden cards, so only games define it and only studies call it."""
    asking = {each.name for each in modules() for node in ast.walk(each.tree) if _calls(node, "option_components")}
    allowed = ("triclinium.engine.game", "triclinium.games.", "triclinium.lab.", "triclinium.bots.review", BAN)
    for each in modules():
        if not each.name.startswith(("triclinium.lab.", "triclinium.bots.base")):
            assert "forbidden_components" not in each.path.read_text(encoding="utf-8"), each.name
    assert asking
    assert {name for name in asking if not name.startswith(allowed)} == set()


def _calls(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name
