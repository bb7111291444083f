"""Tests of the names of modules, classes and functions."""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src/triclinium"
TESTS = ROOT / "tests"
BENCHMARKS = ROOT / "bench"
EXAMPLES = ROOT / "examples"

# Nouns that end in -ing. Any other module name with this ending is a gerund.
NOUNS_IN_ING = {"drawing", "encoding", "evening", "rating", "scoring", "screening", "seating", "testing", "timekeeping"}

# Participles and other single words that do not say what a function does.
NOT_VERB_TEXT = """
    asked awaited banned begun broken brought built called changed chosen counted cut dealt described done drawn ended
    expected fallen filled finished found given gone gained grown heard held hidden hinted joined kept known labelled
    laid learnt left listed lost made marked met moved named noted offered opened ordered paid picked played posted
    printed put_down read_out received refused rejoined replayed reviewed said seated seen sent settled shared shown
    sorted spared spoken started stored taken taught thought told tried turned used visited waited wanted wished worn
    written about above after again alone also along among apart around aside at away back before behind beside
    besides between beyond by down for from here how in into later never of off on onwards other otherwise out over
    somewhere then there through to together under until up upon what when where whether who whole whose why with
    within without one ones some somebody something thing things all every each none this that these those
    """
NOT_VERBS = frozenset(NOT_VERB_TEXT.split())

# Words that the project has replaced: the old one, and what to write instead.
REPLACED_WORDS = {
    "anew": "again",
    "beside": "next_to or combined",
    "dearest": "costliest",
    "doorstep": "entry",
    "door": "network_access",
    "expelled": "removed",
    "foretelling": "prediction",
    "glance": "leaf_evaluation",
    "hearing": "listener",
    "house": "server",
    "judge": "value_model",
    "lessons": "training_data",
    "lifeline": "recovery",
    "nursery": "forked_servers",
    "programs": "bot_accounts",
    "ranker": "ranking_network",
    "reach": "reachability or a distance",
    "restraint": "ban or mute",
    "rests": "paused_time",
    "standings": "leaderboard",
    "takeback": "undo",
    "telling": "notifications",
    "told": "notifications or events",
    "whereabouts": "location",
    "whoever": "a person or a player",
    "wish": "preference or auto_reply",
    "wishes": "preferences",
}
# The rulebook's words, and words that mean something else here.
RULEBOOK_NAMES = {"describe_reversal_reach"}

# Class names that several games may use outside their rules; steps of the rules are named by the rulebooks.
SHARED_CLASS_NAMES = {"Player"}


@dataclass(frozen=True)
class DefinedName:
    """A module, class, function or method, and where it is defined."""

    kind: str
    module: str
    qualified_name: str

    @property
    def name(self) -> str:
        """Return the last part of the name."""
        return (self.qualified_name or self.module).rpartition(".")[2]

    @property
    def words(self) -> list[str]:
        """Return the name in lower-case words."""
        spaced = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in self.name)
        return [word for word in spaced.split("_") if word]

    def __str__(self) -> str:
        return f"{self.module}:{self.qualified_name}" if self.qualified_name else self.module


def list_names(folder: Path) -> list[DefinedName]:
    """Return every name that a folder's Python files define."""
    names = []
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        names.append(DefinedName("module", module, ""))
        names += iterate_definitions(ast.parse(path.read_text(encoding="utf-8")), module, "", False)
    return names


def iterate_definitions(parent: ast.AST, module: str, prefix: str, in_class: bool) -> Iterator[DefinedName]:
    """Yield the classes and functions below a node, also nested ones."""
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.ClassDef):
            yield DefinedName("class", module, prefix + node.name)
            yield from iterate_definitions(node, module, f"{prefix}{node.name}.", True)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
            is_property = any(word.endswith(("property", ".setter")) for word in decorators)
            if not is_property and not (node.name.startswith("__") and node.name.endswith("__")):
                yield DefinedName("method" if in_class else "function", module, prefix + node.name)
            yield from iterate_definitions(node, module, f"{prefix}{node.name}.", False)
        elif isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            yield from iterate_definitions(node, module, prefix, in_class)


def find_gerund_modules(names: list[DefinedName]) -> list[str]:
    """Return the modules whose last word is a gerund."""
    return [
        str(name)
        for name in names
        if name.kind == "module" and name.words[-1].endswith("ing") and name.words[-1] not in NOUNS_IN_ING
    ]


def find_functions_without_verb(names: list[DefinedName]) -> list[str]:
    """Return the functions that are called by a bare participle, preposition or pronoun."""
    functions = [name for name in names if name.kind in ("function", "method")]
    return [str(name) for name in functions if name.name.strip("_") in NOT_VERBS]


def find_replaced_words(names: list[DefinedName]) -> list[str]:
    """Return the names that hold a word which the project has replaced, each with the word to write."""
    return [
        f"{name} ({word}: write {REPLACED_WORDS[word]})"
        for name in names
        if name.name not in RULEBOOK_NAMES
        for word in name.words
        if word in REPLACED_WORDS
    ]


def find_shared_class_names(names: list[DefinedName]) -> list[str]:
    """Return the class names that several modules define, outside the rules of games."""
    modules = defaultdict(list)
    for name in names:
        in_rules = ".games." in name.module and ".rules." in name.module
        if name.kind == "class" and "." not in name.qualified_name and not in_rules:
            modules[name.name].append(name.module)
    return [
        f"{name} in {', '.join(where)}"
        for name, where in modules.items()
        if len(where) > 1 and name not in SHARED_CLASS_NAMES
    ]


@pytest.fixture(scope="module")
def source_names() -> list[DefinedName]:
    return list_names(SOURCES)


@pytest.fixture(scope="module")
def tool_names() -> list[DefinedName]:
    """Return the names in benchmarks and examples, without tests of examples."""
    return drop_tests(list_names(BENCHMARKS) + list_names(EXAMPLES))


@pytest.fixture(scope="module")
def helper_names(tool_names: list[DefinedName]) -> list[DefinedName]:
    """Return the names in tests, benchmarks and examples, without the tests."""
    return drop_tests(list_names(TESTS)) + tool_names


def drop_tests(names: list[DefinedName]) -> list[DefinedName]:
    """Return the names without those of tests, which are sentences."""
    return [name for name in names if name.kind == "module" or "test_" not in name.qualified_name]


def test_modules_are_nouns(source_names: list[DefinedName], helper_names: list[DefinedName]) -> None:
    found = find_gerund_modules(source_names + helper_names)
    assert not found, (
        f"{', '.join(found)}: a module is named by a noun of its subject, such as `invitations`, not by a gerund. "
        "Rename it, or add a true noun to NOUNS_IN_ING."
    )


def test_functions_are_verbs(source_names: list[DefinedName], tool_names: list[DefinedName]) -> None:
    found = find_functions_without_verb(source_names + tool_names)
    assert not found, (
        f"{', '.join(found)}: a function is named by a verb and its object, such as `load_table`, and a predicate "
        "begins with is_, has_ or can_. Rename it."
    )


def test_names_use_the_words_of_the_field(source_names: list[DefinedName], helper_names: list[DefinedName]) -> None:
    found = find_replaced_words(source_names + helper_names)
    assert not found, (
        f"{', '.join(found)}. Rename them; a word of a rulebook may be added to RULEBOOK_NAMES with the name it is in."
    )


def test_class_names_are_unique(source_names: list[DefinedName], tool_names: list[DefinedName]) -> None:
    benchmarks = [name for name in tool_names if name.module.startswith("bench")]  # examples define games of their own
    found = find_shared_class_names(source_names + benchmarks)
    assert not found, (
        f"{'; '.join(found)}: a class name is used once outside the rules of games. Put the subject before it, "
        "such as `LeaderboardRow`, or add it to SHARED_CLASS_NAMES if every game must have one."
    )


@pytest.mark.parametrize(
    ("name", "find"),
    [
        (DefinedName("module", "a.telling", ""), find_gerund_modules),
        (DefinedName("function", "a.b", "Table._told"), find_functions_without_verb),
        (DefinedName("function", "a.b", "at"), find_functions_without_verb),
        (DefinedName("class", "a.b", "OpenHouse"), find_replaced_words),
        (DefinedName("module", "a.test_wishes", ""), find_replaced_words),
    ],
)
def test_a_bad_name_is_found(name: DefinedName, find: Callable[[list[DefinedName]], list[str]]) -> None:
    assert find([name])


def test_a_class_name_in_two_modules_is_found() -> None:
    twice = [DefinedName("class", module, "Line") for module in ("triclinium.a", "triclinium.b")]
    assert find_shared_class_names(twice) == ["Line in triclinium.a, triclinium.b"]
