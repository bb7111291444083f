"""Tests that templates use only variables that their page provides, and only attributes that these have.

mypy does not check templates. These tests do, without rendering anything (see `template_checker`).
"""

import ast
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment

from tests.web.template_checker import UNKNOWN, Checker, Scope, read_attributes
from triclinium.engine.registry import list_games
from triclinium.web import pages
from triclinium.web.page_context import PageResources
from triclinium.web.pages.match_file import MatchFileVariables
from triclinium.web.pages.review import ReviewVariables
from triclinium.web.pages.shared_match import EmbedVariables, SharedMatchVariables
from triclinium.web.pages.table_page import (
    HandoverVariables,
    PreviewVariables,
    TablePage,
    TableVariables,
)

WEB = Path(str(pages.__file__)).parent.parent
# the dataclasses whose fields are the variables of a template
TYPED: dict[str, tuple[type[Any], ...]] = {
    "table.html.jinja": (TableVariables,),
    "shared_match.html.jinja": (TableVariables, SharedMatchVariables),
    "embed.html.jinja": (TableVariables, EmbedVariables),
    "handover.html.jinja": (HandoverVariables,),
    "table/preview.html.jinja": (PreviewVariables,),
    "match_file/position.html.jinja": (TableVariables,),
    "print_board.html.jinja": (TableVariables,),
    "match_file/body.html.jinja": (TableVariables, MatchFileVariables),
    "review/seat.html.jinja": (TableVariables, ReviewVariables),
    "review.html.jinja": (TableVariables, ReviewVariables),
}
RENDERERS = ("render_page", "render_text", "render_in_thread", "render_gallery_page", "render")


@cache
def environment() -> Environment:
    return PageResources().templates


def typed_variables(template: str) -> Scope:
    hints: Scope = {}
    for each in TYPED[template]:
        hints |= {field.name: read_attributes(each)[field.name] for field in fields(each)}
    # Each game has its own types of these variables.
    return {name: UNKNOWN if name in ("view", "c", "drawing") else hint for name, hint in hints.items()}


class Rendering(NamedTuple):
    """A call that renders a template: its module, the template, and the variables that it passes."""

    module: str
    template: str
    variables: frozenset[str]


def renderings() -> Iterator[Rendering]:
    """Yield every call in `web` that renders a template by its name, except those with typed variables."""
    for path in sorted(WEB.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = {
            node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        for function in functions.values():
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and get_called_name(call) in RENDERERS:
                    for template in template_names(call, function):
                        if template not in TYPED:
                            passed = frozenset(iterate_passed_names(call, function, functions))
                            yield Rendering(path.stem, template, passed)


def get_called_name(call: ast.Call) -> str:
    return (
        call.func.attr
        if isinstance(call.func, ast.Attribute)
        else call.func.id
        if isinstance(call.func, ast.Name)
        else ""
    )


def template_names(call: ast.Call, function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Return the templates that a call names, or that the variable can name which it passes."""
    nodes: list[ast.AST] = [call.func, *call.args]
    names = {arg.id for arg in call.args if isinstance(arg, ast.Name)}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id in names for each in node.targets
        ):
            nodes.append(node.value)
    constants = (each.value for node in nodes for each in ast.walk(node) if isinstance(each, ast.Constant))
    return [text for text in constants if isinstance(text, str) and text.endswith(".jinja")]


def iterate_passed_names(
    call: ast.Call,
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef],
) -> Iterator[str]:
    """Yield the variables that a call passes; of a dict that it unpacks, all keys that its function writes."""
    yield from (each.arg for each in call.keywords if each.arg is not None)
    sources: list[ast.AST] = []
    for each in call.keywords:
        if each.arg is None:
            sources.append(function)
            sources += [
                functions[name.id]
                for name in ast.walk(each.value)
                if isinstance(name, ast.Name) and name.id in functions
            ]
    own = functions.get(get_called_name(call))
    if own is not None:  # a function of the module that passes more
        sources.append(own)
        for inner in ast.walk(own):
            if isinstance(inner, ast.Call) and get_called_name(inner) in RENDERERS:
                yield from (each.arg for each in inner.keywords if each.arg is not None)
    for source in sources:
        for node in ast.walk(source):
            keys = node.keys if isinstance(node, ast.Dict) else [node.slice] if isinstance(node, ast.Subscript) else []
            yield from (key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str))


@pytest.mark.parametrize("template", TYPED)
def test_templates_of_the_table_use_what_their_page_provides(template: str) -> None:
    for game_id in list_games():
        assert Checker(environment(), game_id).check_page(template, typed_variables(template)) == []


def test_other_pages_provide_what_their_templates_use() -> None:
    passed: dict[tuple[str, str], set[str]] = {}  # a module can show one template in several states
    for each in renderings():
        passed.setdefault((each.module, each.template), set()).update(each.variables)
    assert {template for _, template in passed} >= {"home.html.jinja", "tables.html.jinja", "box_item.html.jinja"}
    gallery = passed["component_gallery", "box_item.html.jinja"]
    passed["print_game", "print_game.html.jinja"] |= gallery  # drawn by the same function in another module
    for (_, template), variables in passed.items():
        assert Checker(environment()).check_page(template, dict.fromkeys(variables, UNKNOWN)) == []


def test_every_template_with_typed_variables_is_rendered_with_them() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (WEB / "pages").glob("*.py"))
    for template, types in TYPED.items():
        assert f'"{template}"' in text
        assert all(f"{each.__name__}(" in text for each in types)


@pytest.mark.parametrize(
    ("planted", "reported"),
    [
        ("{{ pages.own_seats }}", "the page has no variable `pages`"),
        ("{{ page.own_seat }}", "TablePage has no attribute `own_seat`"),
        ("{{ page.decision.hint.best.percents }}", "HintMark has no attribute `percents`"),
        ("{% for line in page.log.lines %}{{ line.txt }}{% endfor %}", "LogLine has no attribute `txt`"),
        ("{% for seat, vote in page.absence.removal_votes.items() %}{{ vote.waits }}{% endfor %}", "SeatVote has no"),
        ("{{ page.absence.substitute_votes.get(who).waits }}", "SeatVote has no attribute `waits`"),
        ("{{ page.absence.requests['pause'].topic }}", "PendingRequest has no attribute `topic`"),
        ("{{ page.scores.points | sort(attribute='rnk') | list }}", "VisibleScore has no attribute `rnk`"),
        ("{% macro m(note) %}{{ note.origins }}{% endmacro %}{{ m(page.notes) }}", "MatchNotes has no attribute"),
        ("{% set news = page.log.news %}{{ news.sinces }}", "News has no attribute `sinces`"),
        ("{% for group in page.decision.question.arranged.groups %}{{ group.verbs }}{% endfor %}", "has no attribute"),
        ("{{ table.sealled }}", "Table has no attribute `sealled`"),
        ("{% import 'page_parts.html.jinja' as p with context %}{{ p.icons('x') }}", "has no `icons`"),
    ],
)
def test_a_wrong_name_is_found(planted: str, reported: str) -> None:
    good = environment()
    assert good.loader is not None
    changed = good.overlay(loader=ChoiceLoader([DictLoader({"planted.jinja": planted}), good.loader]))
    problems = Checker(changed, list_games()[0]).check_page("planted.jinja", typed_variables("table.html.jinja"))
    assert len(problems) == 1
    assert reported in problems[0]


def test_every_part_of_the_page_has_a_type_that_is_followed() -> None:
    hints = read_attributes(TablePage)
    assert [field.name for field in fields(TablePage) if hints[field.name] is UNKNOWN] == []
