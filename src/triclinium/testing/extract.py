"""Extraction of all translatable messages from Python code, templates and data files of games."""

import ast
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from triclinium.engine.core.components import name_context
from triclinium.engine.credits import RECONSTRUCTED
from triclinium.engine.extras import name_extra
from triclinium.engine.generated_rules import RULE_TEXT, parse_numbered_sentences
from triclinium.engine.variant import VALUE_CONTEXT, VARIANT_NAME_CONTEXT
from triclinium.engine.view import FIELD
from triclinium.i18n.po import unwrap_text

with name_extra("web", "triclinium.testing.extract"):
    from jinja2 import Environment, nodes


class SourceText(NamedTuple):
    """An English text and its translation context."""

    context: str
    text: str


class SourceLiteral(NamedTuple):
    """A text, and the literal of a Python file that contains it."""

    text: SourceText
    node: ast.Constant


# Position of the message among the arguments of each function. -1 marks calls with messages only in keyword arguments.
TEXT_ARGUMENTS = {
    "Message": 0,
    "msgid": 0,
    "localize": 0,
    "_": 0,
    "plural_text": 0,
    "translate": 0,
    "Rule": 1,
    "EventType": 1,
    "Verb": -1,
    "check": 3,
    "check_printed": 3,
}
TEMPLATE_FUNCTIONS = {"_", "plural_text"}
TEXT_KEYWORDS = {"secret", "label", "to_target"}
TEXT_FIELDS = {
    "question",
    "auto_reply_text",
    "completed_text",
    "plan_texts",
    "score_lines",
    "short_labels",
    "feature_words",
    "verbs",
    "folded",
}
ERROR_CLASSES = {
    "IncompatibleVariants",
    "RequestError",
    "Stranded",
    "NotFound",
    "NotAllowed",
    "Conflict",
    "StaleVersion",
    "LimitExceeded",
    "NotStored",
    "GameCodeError",
}
DATA_FILE_KEYS = {"guide.toml": {"heading": "guide heading", "text": "guide"}, "about.toml": {"sentence": "about"}}
CREDITS_FILE = "credits.toml"
ALWAYS_TRANSLATED = ("name",)  # the key of components files that is translated in every game


def find_literals(node: ast.expr | None) -> Iterator[ast.Constant]:
    """Yield the possible string literals of an expression: itself, both sides of a condition, or all values in it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    elif isinstance(node, ast.IfExp):
        yield from find_literals(node.body)
        yield from find_literals(node.orelse)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from find_literals(value)
    elif isinstance(node, ast.Tuple | ast.List):
        for value in node.elts:
            yield from find_literals(value)


def find_strings(node: ast.expr | None) -> Iterator[str]:
    """Yield the values of the literals that `find_literals` yields."""
    for literal in find_literals(node):
        yield str(literal.value)


def get_called_name(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def iterate_literals(node: ast.expr | None, context: str = "") -> Iterator[SourceLiteral]:
    """Yield the possible literals of an expression, as texts of one context."""
    for literal in find_literals(node):
        yield SourceLiteral(SourceText(context, str(literal.value)), literal)


def extract_variant(node: ast.Call) -> Iterator[SourceLiteral]:
    """Yield the name of a variant and its word values.

    Values with explicit names are left out, because their `Name` objects are extracted separately.
    """
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    value_names = keywords.get("value_names")
    known = (
        [word for key in value_names.keys for word in find_strings(key)] if isinstance(value_names, ast.Dict) else []
    )
    for name in find_literals(node.args[0]) if "label" not in keywords else ():
        yield SourceLiteral(SourceText(VARIANT_NAME_CONTEXT, str(name.value).replace("_", " ").capitalize()), name)
    for value in find_literals(node.args[1]) if len(node.args) > 1 else ():
        if value.value not in known:
            yield SourceLiteral(SourceText(VALUE_CONTEXT, str(value.value).replace("_", " ")), value)


def extract_call(node: ast.Call) -> Iterator[SourceLiteral]:
    name = get_called_name(node)
    if name in ("Variant", "number_variant") and any(
        isinstance(argument, ast.Call) and get_called_name(argument) == "Name" for argument in node.args
    ):
        yield from extract_variant(node)
        return
    if name == "Name" and len(node.args) == 2:
        for context in find_strings(node.args[1]):
            yield from iterate_literals(node.args[0], context)
        return
    if name == "Label" and node.args:
        yield from iterate_literals(node.args[0], FIELD)
        return
    if name == "Action" and node.args:
        yield from iterate_literals(node.args[0])
        for stage in node.args[1:]:
            if isinstance(stage, ast.Tuple):
                yield from iterate_literals(stage.elts[0])
        return
    place = 0 if name in ERROR_CLASSES else TEXT_ARGUMENTS.get(name, -1)
    if 0 <= place < len(node.args):
        yield from iterate_literals(node.args[place])
    if name in TEXT_ARGUMENTS:
        for keyword in node.keywords:
            if keyword.arg in TEXT_KEYWORDS:
                yield from iterate_literals(keyword.value)


def extract_literals(tree: ast.AST) -> Iterator[SourceLiteral]:
    """Yield the translatable literals of a parsed Python file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from extract_call(node)
        elif isinstance(node, ast.ClassDef):
            for line in node.body:
                target = line.target if isinstance(line, ast.AnnAssign) else None
                if isinstance(line, ast.Assign):
                    target = line.targets[0] if isinstance(line.targets[0], ast.Name) else None
                if isinstance(target, ast.Name) and target.id in TEXT_FIELDS:
                    assert isinstance(line, ast.Assign | ast.AnnAssign)
                    yield from iterate_literals(line.value)


def extract_python(source: str) -> Iterator[SourceText]:
    for literal in extract_literals(ast.parse(source)):
        yield literal.text


def extract_template(source: str) -> Iterator[SourceText]:
    for call in Environment().parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in TEMPLATE_FUNCTIONS and call.args:
            yield from (SourceText("", unwrap_text(text)) for text in _iterate_constants(call.args[0]))


def _iterate_constants(node: nodes.Expr | None) -> Iterator[str]:
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, nodes.CondExpr):
        yield from _iterate_constants(node.expr1)
        yield from _iterate_constants(node.expr2)


def extract_tables(data: object, keys: Mapping[str, str] | Iterable[str], table: str = "") -> Iterator[SourceText]:
    """Yield the texts of a data file at these keys.

    A mapping gives the context of each key. Otherwise the context is that of the table.
    """
    if isinstance(data, list):
        for entry in data:
            yield from extract_tables(entry, keys, table)
    elif isinstance(data, dict):
        for key, value in data.items():
            words = [value] if isinstance(value, str) else value if isinstance(value, list) else []
            if key in keys and words and all(isinstance(word, str) for word in words):
                context = keys[key] if isinstance(keys, Mapping) else name_context(table, key)
                yield from (SourceText(context, word) for word in words)
            elif not isinstance(value, str):
                yield from extract_tables(value, keys, key)


def extract_numbers(form: Mapping[str, object]) -> Iterator[SourceText]:
    """Yield the names of groups and numbers in a `numbers.toml`."""
    for text in extract_tables({key: form[key] for key in ("group", "number") if key in form}, ALWAYS_TRANSLATED):
        yield SourceText("", text.text)


def extract_docstring(source: str) -> Iterator[SourceText]:
    """Yield the numbered rules in a module's docstring, which the rules page of a game without a rules text shows."""
    docstring = ast.get_docstring(ast.parse(source), clean=False) or ""
    yield from (SourceText(RULE_TEXT, text) for _, text in parse_numbered_sentences(docstring))


def extract_file(path: Path) -> Iterator[SourceText]:
    """Yield the messages of one file of any supported type."""
    if path.suffix == ".py":
        yield from extract_python(path.read_text(encoding="utf-8"))
    elif path.suffix == ".jinja":
        yield from extract_template(path.read_text(encoding="utf-8"))
    elif path.name in DATA_FILE_KEYS:
        yield from extract_tables(tomllib.loads(path.read_text(encoding="utf-8")), DATA_FILE_KEYS[path.name])
    elif path.name == CREDITS_FILE:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        texts = (data.get("reconstructed", ""), *data.get("box", {}).values())
        yield from (SourceText(RECONSTRUCTED, text) for text in texts)
    elif path.name == "numbers.toml":
        yield from extract_numbers(tomllib.loads(path.read_text(encoding="utf-8")))
    elif path.name == "components.toml" or (path.suffix == ".toml" and path.parent.name == "old"):
        data_folder = path.parent.parent if path.parent.name == "old" else path.parent
        numbers = data_folder / "numbers.toml"
        form = tomllib.loads(numbers.read_text(encoding="utf-8")) if numbers.exists() else {}
        keys = (*ALWAYS_TRANSLATED, *form.get("translated", ()))
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        yield from extract_tables(data, keys)


def extract_texts(folders: Iterable[Path]) -> list[SourceText]:
    """Return all messages in these folders without duplicates, in the order of their files."""
    texts: dict[SourceText, None] = {}
    for folder in folders:
        has_rules_text = (folder / "data" / "rules.en.md").exists()
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                texts.update((text, None) for text in extract_file(path) if text.text)
                if path.suffix == ".py" and not has_rules_text:
                    texts.update((text, None) for text in extract_docstring(path.read_text(encoding="utf-8")))
    return list(texts)
