"""Replacement of messages in the source language, in all files at once, which keeps their translations:

    python -m triclinium.testing.rekey MAPPING.toml ...

A mapping is a list of tables:

    [[message]]
    old = "{0} resigns"          # the English text as the source has it now
    new = "{0} resigns."         # the English text that replaces it; may be left out if only translations change
    fr = "{0} abandonne."        # optional: the translation into the language of this key
    context = ""                 # optional: the gettext context
    part = "web"                 # optional: only in the files of one catalogue: engine, web, lab, cli or a game

The command replaces a text wherever `triclinium.testing.extract` finds it: in string literals of Python, also those
that are concatenated over several lines, in templates and in data files. Catalogues keep their translations under the
new text. Quotations of whole sentences in tests and documentation, in English or translated, are also replaced. All
replacements are made in one pass, and a second run changes nothing.
"""

import argparse
import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment

from triclinium.i18n.po import unwrap_text
from triclinium.testing.extract import (
    TEMPLATE_FUNCTIONS,
    SourceText,
    extract_file,
    extract_literals,
)
from triclinium.testing.messages import (
    CatalogPart,
    format_catalogue,
    list_package_parts,
    list_required_texts,
    make_game_part,
    read_catalogue,
)
from triclinium.testing.typography import fix_typography

LINE_LENGTH = 120
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u00a0": "\\u00a0", "\u202f": "\\u202f"}
MINIMUM_QUOTED_LENGTH = 12  # characters of the shortest sentence that is replaced inside a longer text


class BadMapping(ValueError):
    """Error for a mapping that cannot be applied. The message says why."""


class Replacement(NamedTuple):
    """A replacement of one message: its old and new text, its new translations, and the part that it is limited to."""

    old: SourceText
    new: str
    translations: Mapping[str, str]
    part: str = ""


def read_mapping(path: Path) -> list[Replacement]:
    """Return the replacements of a mapping file. Raise `BadMapping` if an entry has unknown keys."""
    replacements = []
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("message", []):
        texts = dict(entry)
        old = texts.pop("old", "")
        new = texts.pop("new", old)
        context, part = texts.pop("context", ""), texts.pop("part", "")
        unknown = [key for key in texts if not re.fullmatch(r"[a-z]{2,3}(_[A-Z]{2})?", key)]
        if not old or unknown:
            raise BadMapping(f"{path.name}: cannot read {entry!r}")
        replacements.append(Replacement(SourceText(context, old), new, texts, part))
    return replacements


def check_mapping(replacements: Iterable[Replacement]) -> None:
    """Raise `BadMapping` if one text has two replacements, or if a new text is also an old text."""
    new_texts: dict[tuple[SourceText, str], str] = {}
    for replacement in replacements:
        known = new_texts.setdefault((replacement.old, replacement.part), replacement.new)
        if known != replacement.new:
            raise BadMapping(f"{replacement.old.text!r} becomes both {known!r} and {replacement.new!r}")
    for (old, part), new in new_texts.items():
        if new == old.text:
            continue
        for other_part in {part, ""} if part else {other for _, other in new_texts}:
            further = new_texts.get((SourceText(old.context, new), other_part), new)
            if further != new:
                raise BadMapping(f"{old.text!r} becomes {new!r}, which becomes {further!r}")


# Literals


def quote_text(text: str) -> str:
    """Return the text as a literal with double quotes, which is valid in Python and TOML."""
    return '"' + "".join(ESCAPES.get(letter, letter) for letter in text) + '"'


def split_text(text: str, width: int) -> list[str]:
    """Split a text after spaces into pieces whose literals are at most `width` wide. Longer words are not split."""
    pieces: list[str] = []
    for word in re.findall(r"\S*\s*", text):
        if pieces and len(quote_text(pieces[-1] + word)) <= width:
            pieces[-1] += word
        elif word:
            pieces.append(word)
    return pieces or [""]


def write_literal(text: str, column: int) -> str:
    """Return a Python literal, split into several pieces if it does not fit into a line that begins at `column`."""
    width = LINE_LENGTH - column - 3
    if len(quote_text(text)) <= width:
        return quote_text(text)
    return " ".join(quote_text(piece) for piece in split_text(text, width))


@dataclass(frozen=True)
class PythonEditor:
    """An editor for a Python file, which replaces expressions at their positions."""

    source: str
    edits: dict[tuple[int, int], str] = field(default_factory=dict)

    @cached_property
    def lines(self) -> list[bytes]:
        return self.source.encode().splitlines(keepends=True)

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        return starts

    def find_span(self, node: ast.expr) -> tuple[int, int]:
        """Return the first and the last position of an expression, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.line_starts[node.lineno - 1] + node.col_offset,
            self.line_starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def read_span(self, node: ast.expr) -> str:
        start, end = self.find_span(node)
        return self.source.encode()[start:end].decode()

    def replace(self, node: ast.expr, code: str) -> None:
        self.edits[self.find_span(node)] = code

    def replace_literal(self, node: ast.Constant, text: str) -> None:
        line = self.lines[node.lineno - 1]
        indentation = len(line) - len(line.lstrip())
        self.replace(node, write_literal(text, min(node.col_offset, indentation + 8)))

    def finish(self) -> str:
        """Return the file with all replacements made."""
        source = self.source.encode()
        for (start, end), code in sorted(self.edits.items(), reverse=True):
            source = source[:start] + code.encode() + source[end:]
        return source.decode()


def rewrite_python(source: str, new_texts: Mapping[SourceText, str], missed: list[str]) -> str:
    """Return a Python file with its messages replaced. Texts made from identifiers are added to `missed`."""
    editor = PythonEditor(source)
    tree = ast.parse(source)
    inside = {
        id(node): joined for joined in ast.walk(tree) if isinstance(joined, ast.JoinedStr) for node in ast.walk(joined)
    }
    for literal in extract_literals(tree):
        new = new_texts.get(literal.text)
        if new is None:
            continue
        if id(literal.node) in inside:  # before Python 3.12, the position of a literal in an f-string is unknown
            joined = inside[id(literal.node)]
            code = editor.edits.get(editor.find_span(joined), editor.read_span(joined))
            for quote in ("'", '"'):
                code = code.replace(f"{quote}{literal.text.text}{quote}", f"{quote}{new}{quote}")
            editor.replace(joined, code)
        elif literal.node.value != literal.text.text:
            missed.append(f"{literal.text.text!r} is made from the identifier {literal.node.value!r}")
        else:
            editor.replace_literal(literal.node, new)
    return editor.finish()


# Templates


class TemplateString(NamedTuple):
    """A string literal of a template: its position and its text."""

    start: int
    end: int
    text: str


def iterate_template_strings(source: str) -> Iterator[TemplateString]:
    """Yield the string literals in the first arguments of translation calls."""
    position, depth, name, previous = 0, 0, "", ""
    last: TemplateString | None = None
    depths: list[int] = []  # bracket depth of the arguments of each open translation call
    for _, kind, value in Environment(keep_trailing_newline=True).lex(source):
        start = source.index(value, position)
        position = start + len(value)
        if kind == "whitespace":
            continue
        if kind == "operator":
            if value in "([{":
                depth += 1
                if value == "(" and name in TEMPLATE_FUNCTIONS:
                    depths.append(depth)
            elif value in ")]}":
                if depths and depths[-1] == depth:
                    depths.pop()
                depth -= 1
            elif value == "," and depths and depths[-1] == depth:
                depths.pop()
        elif kind == "string" and depths and depths[-1] == depth and name not in ("==", "!="):
            text = value[1:-1].encode("ascii", "backslashreplace").decode("unicode-escape")
            if last and previous == "string":
                last = TemplateString(last.start, position, last.text + text)
            else:
                last = TemplateString(start, position, text)
        if kind != "string" and last:
            yield last._replace(text=unwrap_text(last.text))
            last = None
        name, previous = value, kind


def write_template_string(text: str, source: str, start: int, wraps: bool) -> str:
    """Return a string literal for a template. With `wraps`, break it into lines that are short enough."""
    quote = "'" if '"' in text and "'" not in text else "'" if source[start] == "'" and "'" not in text else '"'
    literal = quote + text.replace("\\", "\\\\").replace(quote, f"\\{quote}") + quote
    line_start = source.rfind("\n", 0, start) + 1
    column = start - line_start
    if not wraps or column + len(literal) + 4 <= LINE_LENGTH:
        return literal
    line = source[line_start:start]
    indentation = " " * (len(line) - len(line.lstrip()) + 2)
    wrapped = [""]
    for word in literal.split(" "):
        width = LINE_LENGTH - (column if len(wrapped) == 1 else len(indentation)) - 4
        if wrapped[-1] and len(wrapped[-1]) + len(word) + 1 > width:
            wrapped.append(word)
        else:
            wrapped[-1] = f"{wrapped[-1]} {word}" if wrapped[-1] else word
    return f"\n{indentation}".join(wrapped)


def rewrite_template(source: str, new_texts: Mapping[SourceText, str]) -> str:
    """Return a template with its messages replaced."""
    pieces, position = [], 0
    for string in iterate_template_strings(source):
        new = new_texts.get(SourceText("", string.text))
        if new is not None:
            wraps = "\n" in source[string.start : string.end]
            literal = write_template_string(new, source, string.start, wraps)
            pieces += [source[position : string.start], literal]
            position = string.end
    return "".join([*pieces, source[position:]])


def rewrite_data(source: str, texts: Iterable[SourceText], new_texts: Mapping[SourceText, str]) -> str:
    """Return a data file with its messages replaced. Messages over several lines stay the same."""
    for text in texts:
        if text in new_texts:
            source = source.replace(quote_text(text.text), quote_text(new_texts[text]))
    return source


def rewrite_source(path: Path, new_texts: Mapping[SourceText, str], missed: list[str]) -> str:
    """Return the text of a source file with its messages replaced."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return rewrite_python(source, new_texts, missed)
    if path.suffix == ".jinja":
        return rewrite_template(source, new_texts)
    return rewrite_data(source, extract_file(path), new_texts)


# Catalogues


def rewrite_catalogue(
    part: CatalogPart, path: Path, replacements: Iterable[Replacement], required: Iterable[SourceText] | None = None
) -> tuple[str, dict[str, str]]:
    """Return a catalogue with the messages replaced, and a mapping of old to new translations.

    If files still use the old text of a message, the catalogue has both the old and the new text.
    """
    catalogue = read_catalogue(path)
    known = {SourceText(message.context or "", str(message.id)): message for message in catalogue if message.id}
    kept = set(required or ())
    quotations: dict[str, str] = {}
    renamed: dict[SourceText, tuple[SourceText, str]] = {}
    for replacement in replacements:
        message = known.get(replacement.old) or known.get(SourceText(replacement.old.context, replacement.new))
        if message is None:
            continue
        translation = str(message.string or "")
        better = fix_typography(replacement.translations.get(path.stem, translation), path.stem)
        if translation and better != translation:
            quotations[translation] = better
        renamed[SourceText(message.context or "", str(message.id))] = (
            SourceText(replacement.old.context, replacement.new),
            better,
        )
    result = type(catalogue)(locale=path.stem, fuzzy=False, charset="utf-8")
    for text, message in known.items():
        new, translation = renamed.get(text, (text, str(message.string or "")))
        if new != text and text in kept:
            result.add(text.text, message.string, context=text.context or None, flags=message.flags)
        if new == text or (new not in renamed and (new not in known or new in kept)):
            result.add(new.text, translation, context=new.context or None, flags=message.flags)
    return format_catalogue(result), quotations


# Quotations in tests and documentation


def find_choices(placeholder: str) -> list[str]:
    """Return the words among which a placeholder chooses by a number, or an empty list."""
    _, separator, form = placeholder.partition(":")
    return form.split("|") if separator and "|" in form else []


def compile_filled(text: str) -> re.Pattern[str]:
    """Return a pattern that matches a message with filled placeholders."""
    pieces, position = [], 0
    for number, placeholder in enumerate(PLACEHOLDER.finditer(text)):
        choices = find_choices(placeholder[1])
        inner = "|".join(map(re.escape, [*choices, placeholder[0]])) if choices else ".+?"
        pieces += [re.escape(text[position : placeholder.start()]), f"(?P<p{number}>{inner})"]
        position = placeholder.end()
    return re.compile("".join([*pieces, re.escape(text[position:])]), re.DOTALL)


def fill_like(match: re.Match[str], old: str, new: str) -> str | None:
    """Return the new message with the values of the old one in a match, or None if a value is unknown."""
    values: dict[str, str] = {}
    chosen: dict[str, int] = {}
    for number, placeholder in enumerate(PLACEHOLDER.finditer(old)):
        key = placeholder[1].partition(":")[0]
        choices = find_choices(placeholder[1])
        value = match[f"p{number}"]
        if value == placeholder[0]:
            return None if match[0] != old else new
        if choices:
            chosen[key] = choices.index(value)
        else:
            values[key] = value

    def fill(placeholder: re.Match[str]) -> str:
        key = placeholder[1].partition(":")[0]
        choices = find_choices(placeholder[1])
        if not choices:
            return values[key]
        number = chosen.get(key)
        if number is None:
            number = 0 if values[key] == "1" else 1
        return choices[min(number, len(choices) - 1)]

    try:
        return PLACEHOLDER.sub(fill, new)
    except KeyError:
        return None


BEFORE_QUOTATION = re.compile(r"(?:^|[>:] |[\"'“«*`])\Z")  # text that may precede a message with a small letter


MARKED = re.compile(r"(?<!\*)([*`\"])(\w[^*`\"\n]*[^*`\"\s])\1(?!\*)")  # text in italics, code or quotes in Markdown


class Quotations:
    """The old and new sentences, for replacing quotations in tests and documentation."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        self.whole = {old: new for old, new in sentences.items() if " " in old and new != old}
        self.words = {old: new for old, new in sentences.items() if " " not in old and new != old}
        fixed = {old: PLACEHOLDER.sub("", old) for old in self.whole}
        self.filled = [
            (compile_filled(old), old, new)
            for old, new in self.whole.items()
            if "{" in old and len(fixed[old].strip()) >= MINIMUM_QUOTED_LENGTH and " " in fixed[old].strip()
        ]
        inside = {
            old: new
            for old, new in self.whole.items()
            if "{" not in old and len(old) >= MINIMUM_QUOTED_LENGTH and old.count(" ") > 1
        }
        inside |= {escape(old): escape(new) for old, new in inside.items() if escape(old) != old}
        self.inside = inside
        alternatives = "|".join(re.escape(old) for old in sorted(inside, key=len, reverse=True))
        self.pattern = re.compile(rf"(?<![\w])(?:{alternatives})(?![\w])") if inside else None

    def replace_inside(self, text: str, write: Callable[[str], str] = lambda new: new) -> str:
        """Return a text in which the old sentences are replaced."""
        if self.pattern is None:
            return text

        def replace(match: re.Match[str]) -> str:
            new = self.inside[match[0]]
            if match[0][0].islower() and not BEFORE_QUOTATION.search(text, 0, match.start()):
                return match[0]  # the words are part of another sentence
            following = text[match.end() : match.end() + 1]
            if new[-1:] == "." and following in (".", ",", ":", ";") and match[0][-1:] != ".":
                new = new[:-1]
            return write(new)

        return self.pattern.sub(replace, text)

    def replace_marked(self, text: str) -> str:
        """Return a Markdown text in which the old sentences are replaced if they are marked as quotations."""
        return MARKED.sub(lambda match: match[1] + self.whole.get(match[2], match[2]) + match[1], text)

    def replace(self, text: str) -> str:
        """Return the text of a literal in which the old sentences are replaced, also those with filled placeholders."""
        if text in self.whole:
            return self.whole[text]
        for pattern, old, new in self.filled:
            match = pattern.fullmatch(text)
            filled = fill_like(match, old, new) if match else None
            if filled is not None:
                return filled
        return self.replace_inside(text)


def rewrite_test(source: str, quotations: Quotations) -> str:
    """Return a Python file in which the old sentences in literals are replaced."""
    editor = PythonEditor(source)
    tree = ast.parse(source)
    pieces: set[int] = set()
    patterns: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "match":
            patterns.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            pieces.update(id(value) for value in ast.walk(node) if value is not node)
            code = editor.read_span(node)
            new = quotations.replace_inside(code, lambda text: text.replace('"', '\\"'))
            if new != code:
                editor.replace(node, new)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces:
            text = quotations.replace(node.value)
            if id(node) in patterns and text.endswith(".") and not node.value.endswith("."):
                text = text[:-1]  # the text is a regular expression, which may match the beginning of a message
            if text != node.value:
                code = editor.read_span(node)
                if not code.lstrip("rRuU").startswith(('"""', "'''")):
                    editor.replace_literal(node, text)
    return editor.finish()


# The whole replacement


def write_file(path: Path, text: str, changed: list[Path]) -> None:
    if text != path.read_text(encoding="utf-8"):
        path.write_text(text, encoding="utf-8")
        changed.append(path)


def rekey_part(part: CatalogPart, replacements: Sequence[Replacement], report: "Report") -> None:
    """Rewrite the source files and the catalogues of one part."""
    own = [replacement for replacement in replacements if replacement.part in ("", part.name)]
    own.sort(key=lambda replacement: bool(replacement.part))  # replacements for this part override general ones
    new_texts = {replacement.old: replacement.new for replacement in own if replacement.new != replacement.old.text}
    for folder in part.folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".jinja", ".toml") and path.is_file():
                texts = set(extract_file(path))
                report.found.update(texts)
                if not new_texts.keys().isdisjoint(texts):
                    write_file(path, rewrite_source(path, new_texts, report.missed), report.changed)
    for path in sorted(part.locale.glob("*.po")):
        known = read_catalogue(path)
        text, quotations = rewrite_catalogue(part, path, own, list_required_texts(part, path.stem, known))
        for old, new in quotations.items():
            report.quotations.setdefault(old, set()).add(new)
        write_file(path, text, report.changed)


@dataclass
class Report:
    """The found messages, changed files and problems of a run, and the quoted sentences with their replacements."""

    found: set[SourceText] = field(default_factory=set)
    changed: list[Path] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    quotations: dict[str, set[str]] = field(default_factory=dict)


def rekey(replacements: Sequence[Replacement], parts: Iterable[CatalogPart], quoting: Iterable[Path]) -> Report:
    """Apply replacements to the parts, and to the files and folders in `quoting`, which quote their messages."""
    check_mapping(replacements)
    report = Report()
    for part in parts:
        rekey_part(part, replacements, report)
    for replacement in replacements:
        new = SourceText(replacement.old.context, replacement.new)
        if report.found.isdisjoint({replacement.old, new}):
            report.missed.append(f"no file says {replacement.old.text!r}")
        report.quotations.setdefault(replacement.old.text, set()).add(replacement.new)
    quotations = Quotations({old: min(new) for old, new in report.quotations.items() if len(new) == 1})
    for place in quoting:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.suffix == ".py":
                write_file(path, rewrite_test(path.read_text(encoding="utf-8"), quotations), report.changed)
            elif path.suffix == ".md":
                write_file(path, quotations.replace_marked(path.read_text(encoding="utf-8")), report.changed)
    return report


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m triclinium.testing.rekey", description=__doc__)
    parser.add_argument("mappings", nargs="+", type=Path, help="mapping files")
    parser.add_argument("--game", action="append", type=Path, default=[], help="folder of a game (default: all parts)")
    parser.add_argument(
        "--quoting", action="append", type=Path, default=[], help="file or folder that quotes messages, such as tests"
    )
    chosen = parser.parse_args(arguments)
    parts = [make_game_part(path) for path in chosen.game] or list_package_parts()
    replacements = [replacement for path in chosen.mappings for replacement in read_mapping(path)]
    try:
        report = rekey(replacements, parts, chosen.quoting)
    except BadMapping as error:
        sys.stderr.write(f"{error}\n")
        return 1
    python = [str(path) for path in report.changed if path.suffix == ".py"]
    if python:
        subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", *python], check=False)
    sys.stdout.writelines(f"{line}\n" for line in [*sorted(set(report.missed)), f"{len(report.changed)} files changed"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
