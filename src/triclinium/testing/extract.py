"""Finds every sentence that catalogues translate: in Python, in templates, and in the data files of games."""

import ast
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, nodes

from triclinium.engine.core.components import name_context
from triclinium.engine.credits import RECONSTRUCTED
from triclinium.engine.generated_rules import RULE_TEXT, numbered_sentences
from triclinium.engine.variant import VALUE, VARIANT_NAME
from triclinium.engine.view import FIELD
from triclinium.i18n.po import unwrap


class Text(NamedTuple):
    """An English text and the context it is translated in."""

    context: str
    text: str


# Which argument of a call is a sentence, or which field of a class.
SAYS = {
    "Message": 0,
    "msgid": 0,
    "speech": 0,
    "_": 0,
    "counted": 0,
    "translate": 0,
    "Rule": 1,
    "EventType": 1,
    "Verb": -1,
    "check": 3,
    "check_printed": 3,
}
IN_TEMPLATES = {"_", "counted"}
KEYWORDS = {"secret", "label"}
FIELDS = {"question", "automatic", "score_lines", "short_labels", "feature_words", "verbs", "folded"}
ERRORS = {
    "Misfit",
    "RequestError",
    "Stranded",
    "NotFound",
    "NotAllowed",
    "Conflict",
    "Stale",
    "TooMuch",
    "NotStored",
    "Fault",
}
DATA = {"guide.toml": {"heading": "guide heading", "text": "guide"}, "about.toml": {"sentence": "about"}}
CREDITS = "credits.toml"
ALWAYS = ("name",)  # the key of components files that is translated in every game


def strings(node: ast.expr | None) -> Iterator[str]:
    """The texts that an expression may be: itself, either side of a condition, each value of a mapping."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from strings(node.body)
        yield from strings(node.orelse)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from strings(value)
    elif isinstance(node, ast.Tuple | ast.List):
        for value in node.elts:
            yield from strings(value)


def called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def of_variant(node: ast.Call) -> Iterator[Text]:
    """The name of a variant and the words among its values, as people read them; those it calls otherwise are Names."""
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    named = given.get("named")
    known = [word for key in named.keys for word in strings(key)] if isinstance(named, ast.Dict) else []
    for name in strings(node.args[0]) if "label" not in given else ():
        yield Text(VARIANT_NAME, name.replace("_", " ").capitalize())
    for value in strings(node.args[1]) if len(node.args) > 1 else ():
        if value not in known:
            yield Text(VALUE, value.replace("_", " "))


def of_call(node: ast.Call) -> Iterator[Text]:
    name = called(node)
    if name in ("Variant", "number_variant") and any(
        isinstance(one, ast.Call) and called(one) == "Name" for one in node.args
    ):
        yield from of_variant(node)
        return
    if name == "Name" and len(node.args) == 2:
        for context in strings(node.args[1]):
            yield from (Text(context, text) for text in strings(node.args[0]))
        return
    if name == "Label" and node.args:
        yield from (Text(FIELD, text) for text in strings(node.args[0]))
        return
    if name == "Action" and node.args:
        yield from (Text("", text) for text in strings(node.args[0]))
        for stage in node.args[1:]:
            if isinstance(stage, ast.Tuple):
                yield from (Text("", text) for text in strings(stage.elts[0]))
        return
    place = 0 if name in ERRORS else SAYS.get(name, -1)
    if 0 <= place < len(node.args):
        yield from (Text("", text) for text in strings(node.args[place]))
    if name in SAYS:
        for keyword in node.keywords:
            if keyword.arg in KEYWORDS:
                yield from (Text("", text) for text in strings(keyword.value))


def of_python(source: str) -> Iterator[Text]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield from of_call(node)
        elif isinstance(node, ast.ClassDef):
            for line in node.body:
                target = line.target if isinstance(line, ast.AnnAssign) else None
                if isinstance(line, ast.Assign):
                    target = line.targets[0] if isinstance(line.targets[0], ast.Name) else None
                if isinstance(target, ast.Name) and target.id in FIELDS:
                    assert isinstance(line, ast.Assign | ast.AnnAssign)
                    yield from (Text("", text) for text in strings(line.value))


def of_template(source: str) -> Iterator[Text]:
    for call in Environment().parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in IN_TEMPLATES and call.args:
            yield from (Text("", unwrap(text)) for text in _constants(call.args[0]))


def _constants(node: nodes.Expr | None) -> Iterator[str]:
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, nodes.CondExpr):
        yield from _constants(node.expr1)
        yield from _constants(node.expr2)


def of_tables(data: object, keys: Mapping[str, str] | Iterable[str], table: str = "") -> Iterator[Text]:
    """The words of a data file at these keys; a mapping says the context of each, else it is the table's."""
    if isinstance(data, list):
        for entry in data:
            yield from of_tables(entry, keys, table)
    elif isinstance(data, dict):
        for key, value in data.items():
            words = [value] if isinstance(value, str) else value if isinstance(value, list) else []
            if key in keys and words and all(isinstance(word, str) for word in words):
                context = keys[key] if isinstance(keys, Mapping) else name_context(table, key)
                yield from (Text(context, word) for word in words)
            elif not isinstance(value, str):
                yield from of_tables(value, keys, key)


def of_numbers(form: Mapping[str, object]) -> Iterator[Text]:
    """What groups of numbers and numbers are called, a form of a game's components."""
    for text in of_tables({key: form[key] for key in ("group", "number") if key in form}, ALWAYS):
        yield Text("", text.text)


def of_docstring(source: str) -> Iterator[Text]:
    """Yield the numbered rules that a module's docstring states; the page of a game without a rules text shows them."""
    docstring = ast.get_docstring(ast.parse(source), clean=False) or ""
    yield from (Text(RULE_TEXT, text) for _, text in numbered_sentences(docstring))


def of_file(path: Path) -> Iterator[Text]:
    """The sentences of one file, whatever it is."""
    if path.suffix == ".py":
        yield from of_python(path.read_text(encoding="utf-8"))
    elif path.suffix == ".jinja":
        yield from of_template(path.read_text(encoding="utf-8"))
    elif path.name in DATA:
        yield from of_tables(tomllib.loads(path.read_text(encoding="utf-8")), DATA[path.name])
    elif path.name == CREDITS:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        said = (data.get("reconstructed", ""), *data.get("box", {}).values())
        yield from (Text(RECONSTRUCTED, text) for text in said)
    elif path.name == "numbers.toml":
        yield from of_numbers(tomllib.loads(path.read_text(encoding="utf-8")))
    elif path.name == "components.toml" or (path.suffix == ".toml" and path.parent.name == "old"):
        data_folder = path.parent.parent if path.parent.name == "old" else path.parent
        numbers = data_folder / "numbers.toml"
        form = tomllib.loads(numbers.read_text(encoding="utf-8")) if numbers.exists() else {}
        keys = (*ALWAYS, *form.get("translated", ()))
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        yield from of_tables(data, keys)


def extract(folders: Iterable[Path]) -> list[Text]:
    """All sentences under these folders, each once, in the order of their files."""
    found: dict[Text, None] = {}
    for folder in folders:
        written = (folder / "data" / "rules.en.md").exists()
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                found.update((text, None) for text in of_file(path) if text.text)
                if path.suffix == ".py" and not written:
                    found.update((text, None) for text in of_docstring(path.read_text(encoding="utf-8")))
    return list(found)
