"""Plain English: counts of banned words and openings, which may only fall.

`tests/plain_english_limits.toml` holds the limit of every package and kind of text. A count above its limit is an
error, and so is a limit above its count. This command lowers the limits to the counts:

    python -m tests.test_plain_english --write
"""

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from babel.messages.pofile import read_po

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = ROOT / "src" / "triclinium"
OTHER_SOURCES: Final = (ROOT / "tests", ROOT / "bench", ROOT / "examples")
LIMITS_FILE: Final = Path(__file__).parent / "plain_english_limits.toml"
HEADER: Final = """\
# The number of banned words and openings that each package may still have. See tests/test_plain_english.py.
# `python -m tests.test_plain_english --write` lowers the limits. Nothing raises them.
"""

DOCSTRING_OPENINGS: Final = "docstring openings"
COMMENT_OPENINGS: Final = "comment openings"
DOCSTRING_WORDS: Final = "docstring words"
COMMENT_WORDS: Final = "comment words"
LITERAL_WORDS: Final = "literal words"
MESSAGE_WORDS: Final = "message words"
PAGE_WORDS: Final = "page words"
KINDS: Final = (
    DOCSTRING_OPENINGS,
    COMMENT_OPENINGS,
    DOCSTRING_WORDS,
    COMMENT_WORDS,
    LITERAL_WORDS,
    MESSAGE_WORDS,
    PAGE_WORDS,
)

# A docstring starts with a verb or a noun phrase, after the numbers of its rules or a term in italics.
DOCSTRING_OPENING: Final = re.compile(r"(?:What|How|Whether|Who|Whoever|Whom|Whose|Where|That|Of|As)\b")
DOCSTRING_PREFIX: Final = re.compile(r"(?:\s*(?:[A-Z]+-[A-Z]?[\d.]+[,;:]?|\*[^*]+\*)\s+)+")

# A comment does not begin in the middle of a sentence. "Whether" is fine for a flag.
COMMENT_OPENING: Final = re.compile(
    r"(?:of|as|what|who|whoever|whom|whose|how|that|which|(?:by|for|from|in|of|to|with) (?:which|whom|what))\b",
    re.IGNORECASE,
)
COMMENT_DIRECTIVE: Final = re.compile(r"#\s*(?:noqa|type:|pragma|fmt:|ruff|!)")

# Banned words, with the words to use instead.
WORDS: Final[Mapping[str, str]] = {
    r"houses?|house's": "server, or on pages: this server",
    r"anew": "again",
    r"somebody(?:'s)?": "a player, someone",
    r"whoever|whomever": "a player who, anyone who",
    r"(?:is|are|be|been|being|was|were) told(?! apart)": "sees, gets, is notified",
    r"beside": "next to",
    r"dearest": "costliest",
    r"stand-ins?": "substitute bot",
    r"sits? in(?! (?:(?:a|the|this|that|another) )?(?:seat|chair|place))": "take over",
    r"take back|takes back|taking back|taken back|took back": "undo",
    r"broken off|break off|breaks off|broke off": "abandoned",
    r"look(?:s|ed|ing)? back upon": "review",
    r"asked? back": "request an undo",
    r"vot(?:e|es|ed|ing) out": "vote to replace",
    r"restraints?": "ban, mute",
    r"rankers?": "ranking network",
    r"standings": "leaderboard",
    r"lifelines?|doorsteps?": "child process, entry",
}
PATTERNS: Final = {word: re.compile(rf"(?<![\w-])(?:{word})(?![\w-])", re.IGNORECASE) for word in WORDS}

# In games this phrase comes from the rulebooks. Elsewhere the word is undo.
GAME_WORDS: Final = frozenset({r"take back|takes back|taking back|taken back|took back"})

# Phrases that the rulebooks and the cards print. They stay as they are.
RULEBOOK_PHRASES: Final = (
    "beside an Apostle",
    "Cornelius's house",
    "house of Jesse",
    "the king's house",
    "Mary's house",
    "Micah's house",
    "Peter's house",
)

CODE_SPAN: Final = re.compile(r"`+[^`]*`+")
CODE_BLOCK: Final = re.compile(r"^```.*?^```|^~~~.*?^~~~|<!--.*?-->", re.DOTALL | re.MULTILINE)
LINK_TARGET: Final = re.compile(r"\]\([^)]*\)")


class Finding(NamedTuple):
    """A banned word or opening: its package, the kind of text, its place and the text."""

    package: str
    kind: str
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


# -- the rules -------------------------------------------------------------------------------------------------------


def find_words(text: str, in_game: bool = False) -> list[str]:
    """Return the banned words in a text. Code between backticks does not count."""
    plain = CODE_SPAN.sub("", text).replace("’", "'")
    for phrase in RULEBOOK_PHRASES:
        plain = plain.replace(phrase, "")
    return [
        match.group()
        for word, pattern in PATTERNS.items()
        if not (in_game and word in GAME_WORDS)
        for match in pattern.finditer(plain)
    ]


def find_docstring_opening(docstring: str) -> str:
    """Return the banned word that opens a docstring, or ""."""
    match = DOCSTRING_OPENING.match(DOCSTRING_PREFIX.sub("", docstring, count=1).lstrip())
    return match.group() if match else ""


def find_comment_opening(comment: str) -> str:
    """Return the word with which a comment begins in the middle of a sentence, or ""."""
    match = COMMENT_OPENING.match(comment)
    return match.group() if match else ""


# -- the texts -------------------------------------------------------------------------------------------------------


def list_docstrings(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every docstring."""
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node)
            if docstring is not None:
                yield node.body[0].lineno, docstring


def list_comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every comment. A block of comment lines is one comment."""
    block: list[str] = []
    first = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or COMMENT_DIRECTIVE.match(token.string):
            continue
        text = token.string.lstrip("#").strip()
        row = token.start[0]
        is_whole_line = not token.line[: token.start[1]].strip()
        if block and is_whole_line and row == last + 1:
            block.append(text)
        else:
            if block:
                yield first, " ".join(block)
            block, first = [text], row
        last = row if is_whole_line else 0
    if block:
        yield first, " ".join(block)


def list_literals(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every string of several words, such as an error or a log line. Skip docstrings."""
    docstrings: set[int] = set()  # a walk visits a statement before its expression
    for node in nodes:
        if isinstance(node, ast.Expr):
            docstrings.add(id(node.value))
        if (
            id(node) not in docstrings
            and isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and " " in node.value.strip()
        ):
            yield node.lineno, node.value


def list_messages(folder: Path) -> list[str]:
    """Return the English messages of all catalogues in a folder, translated or not."""
    messages: set[str] = set()
    for path in folder.glob("*.po"):
        with path.open("rb") as file:
            messages.update(str(message.id) for message in read_po(file, locale=path.stem) if message.id)
    return sorted(messages)


def name_package(path: Path) -> str:
    """Return the package of a source file: the first folder, and for a game its own folder.

    Outside the package, return the folder of the file: `tests/server`, `bench`.
    """
    if not path.is_relative_to(SOURCES):
        return path.parent.relative_to(ROOT).as_posix()
    parts = path.relative_to(SOURCES).parts
    return "/".join(parts[: 2 if parts[0] == "games" else 1]) if len(parts) > 1 else "triclinium"


def check_sources() -> Iterator[Finding]:
    for path in sorted(path for folder in (SOURCES, *OTHER_SOURCES) for path in folder.rglob("*.py")):
        package, source = name_package(path), path.read_text(encoding="utf-8")
        in_game = package.startswith(("games/", "tests/games/"))
        place = path.relative_to(ROOT)
        nodes = list(ast.walk(ast.parse(source)))
        for line, text in list_docstrings(nodes):
            if opening := find_docstring_opening(text):
                yield Finding(package, DOCSTRING_OPENINGS, f"{place}:{line}", f"{opening} ...")
            for word in find_words(text, in_game):
                yield Finding(package, DOCSTRING_WORDS, f"{place}:{line}", word)
        for line, text in list_comments(source):
            if opening := find_comment_opening(text):
                yield Finding(package, COMMENT_OPENINGS, f"{place}:{line}", f"{opening} ...")
            for word in find_words(text, in_game):
                yield Finding(package, COMMENT_WORDS, f"{place}:{line}", word)
        if path.is_relative_to(SOURCES):
            for line, text in list_literals(nodes):
                for word in find_words(text, in_game):
                    yield Finding(package, LITERAL_WORDS, f"{place}:{line}", word)


def check_messages() -> Iterator[Finding]:
    for folder in sorted({path.parent for path in SOURCES.rglob("locale/*.po")}):
        package = name_package(folder / "messages")
        for message in list_messages(folder):
            for word in find_words(message, package.startswith("games/")):
                yield Finding(package, MESSAGE_WORDS, str(folder.relative_to(ROOT)), f"{word} in {message!r}")


def check_pages() -> Iterator[Finding]:
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))):
        name = str(path.relative_to(ROOT))
        text = CODE_BLOCK.sub(lambda match: "\n" * match.group().count("\n"), path.read_text(encoding="utf-8"))
        for number, line in enumerate(text.split("\n"), start=1):
            for word in find_words(LINK_TARGET.sub("]", line)):
                yield Finding(name, PAGE_WORDS, f"{name}:{number}", word)


def find_all() -> list[Finding]:
    return [*check_sources(), *check_messages(), *check_pages()]


# -- the limits ------------------------------------------------------------------------------------------------------

Table = dict[str, dict[str, int]]


def count_findings(findings: Iterable[Finding]) -> Table:
    """Return the number of findings by kind and package."""
    table: Table = {kind: {} for kind in KINDS}
    for finding in findings:
        table[finding.kind][finding.package] = table[finding.kind].get(finding.package, 0) + 1
    return table


def read_limits(path: Path = LIMITS_FILE) -> Table:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {kind: {str(package): int(limit) for package, limit in data.get(kind, {}).items()} for kind in KINDS}


def format_limits(limits: Table) -> str:
    """Return the limits as TOML, without those of 0."""
    parts = [HEADER]
    for kind in KINDS:
        lines = [f'"{package}" = {limit}\n' for package, limit in sorted(limits[kind].items()) if limit]
        parts.append(f'["{kind}"]\n{"".join(lines)}')
    return "\n".join(parts)


def lower_limits(limits: Table, counts: Table) -> Table:
    """Return the limits lowered to the counts. No limit rises, and a package without a limit gets none."""
    return {
        kind: {package: min(limit, counts[kind].get(package, 0)) for package, limit in limits[kind].items()}
        for kind in KINDS
    }


@pytest.fixture(scope="module")
def findings() -> list[Finding]:
    return find_all()


@pytest.mark.parametrize("kind", KINDS)
def test_no_count_exceeds_its_limit(findings: list[Finding], kind: str) -> None:
    limits, counts = read_limits()[kind], count_findings(findings)[kind]
    rising = {package for package, count in counts.items() if count > limits.get(package, 0)}
    listed = [str(finding) for finding in findings if finding.kind == kind and finding.package in rising]
    sums = [f"{package}: {counts[package]}, limit {limits.get(package, 0)}" for package in sorted(rising)]
    assert not rising, "\n".join([f"{kind}: rewrite what you have added", *sums, *listed])


def test_no_limit_exceeds_its_count(findings: list[Finding]) -> None:
    limits, counts = read_limits(), count_findings(findings)
    loose = [
        f"{kind}, {package}: {counts[kind].get(package, 0)}, limit {limit}"
        for kind in KINDS
        for package, limit in limits[kind].items()
        if limit > counts[kind].get(package, 0)
    ]
    assert not loose, "\n".join(["lower these limits: `python -m tests.test_plain_english --write`", *loose])


# -- the checks themselves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The house is told anew.", ["house", "anew", "is told"]),
        ("Somebody sits in, whoever asks.", ["Somebody", "whoever", "sits in"]),
        ("A household besides `house.db`, told apart by it.", []),
        ("The player sits in seat 2 and in another chair.", []),
        ("The dearest decision was taken back.", ["dearest", "taken back"]),
        ("Peter's house is not a house.", ["house"]),
    ],
)
def test_banned_words_are_found(text: str, words: list[str]) -> None:
    assert sorted(find_words(text)) == sorted(words)


def test_games_may_take_back() -> None:
    assert find_words("The follower is taken back.", in_game=True) == []


@pytest.mark.parametrize(
    ("docstring", "opening"),
    [
        ("What the seat knows.", "What"),
        ("Of people who play.", "Of"),
        ("IE-R8, IE-4.1  How far the ship sails.", "How"),
        ("*displace* Where he is moved.", "Where"),
        ("Return what the seat knows.", ""),
        ("Offer a table.", ""),
        ("PP-R12  Return the limits.", ""),
    ],
)
def test_openings_of_docstrings_are_found(docstring: str, opening: str) -> None:
    assert find_docstring_opening(docstring) == opening


@pytest.mark.parametrize(
    ("comment", "opening"),
    [
        ("of several verbs", "of"),
        ("in which it was made", "in which"),
        ("What is wrong comes first.", "What"),
        ("whether the seat is asked", ""),
        ("offered to all seats", ""),
    ],
)
def test_openings_of_comments_are_found(comment: str, opening: str) -> None:
    assert find_comment_opening(comment) == opening


def test_comments_of_several_lines_are_read_as_one() -> None:
    source = "x = 1  # of one\n# The first line\n# of two.\ny = 2  # noqa: F401\n"
    assert list(list_comments(source)) == [(1, "of one"), (2, "The first line of two.")]


def test_limits_only_fall(tmp_path: Path) -> None:
    limits = {kind: {"bots": 3, "web": 1} for kind in KINDS}
    counts = {kind: {"bots": 2, "web": 5, "lab": 4} for kind in KINDS}
    lowered = lower_limits(limits, counts)
    assert all(lowered[kind] == {"bots": 2, "web": 1} for kind in KINDS)
    path = tmp_path / "limits.toml"
    path.write_text(format_limits(lowered), encoding="utf-8")
    assert read_limits(path) == lowered


def main(arguments: list[str]) -> int:
    """Print the counts above 0, or lower the limits with ``--write``."""
    counts = count_findings(find_all())
    if arguments == ["--write"]:
        LIMITS_FILE.write_text(format_limits(lower_limits(read_limits(), counts)), encoding="utf-8")
        return 0
    if arguments:
        sys.stderr.write("usage: python -m tests.test_plain_english [--write]\n")
        return 2
    sys.stdout.write(format_limits(counts))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
