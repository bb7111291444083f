"""Tests that public names do not change unnoticed. `docs/stability.md` says what is public.

`public_names.txt` lists all public names: Python, commands, environments, and the HTTP API. New lines may be added with
``python -m tests.test_public_names --write``. After 1.0.0 a line may only change or disappear if the changelog has
announced it one release before.
"""

import argparse
import ast
import importlib
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import gymnasium
import pytest

from triclinium.cli.parser import build_parser
from triclinium.research import gymnasium as environments
from triclinium.server.app import render_openapi
from triclinium.testing.reference import PAGES

ROOT = Path(__file__).parents[1]
FILE = Path(__file__).parent / "public_names.txt"
PACKAGES = ("", ".author", ".bots", ".lab", ".lab.study", ".testing")  # their `__all__` is public
SHOWN = 12  # differences that a failure lists


def list_exports() -> Iterator[str]:
    """Yield the names that packages export."""
    for package in PACKAGES:
        module = importlib.import_module(f"triclinium{package}")
        yield from (f"python triclinium{package}.{name}" for name in module.__all__)


@cache
def parse_module(module: str) -> ast.Module:
    path = ROOT / "src" / "triclinium" / module.replace(".", "/")
    return ast.parse(path.with_suffix(".py").read_text(encoding="utf-8"))


def format_parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return the names of the parameters; a star marks those that are passed by name."""
    args = node.args
    names = [arg.arg for arg in (*args.posonlyargs, *args.args) if arg.arg not in ("self", "cls")]
    names += [f"*{args.vararg.arg}"] if args.vararg else ["*"] if args.kwonlyargs else []
    return ", ".join([*names, *(arg.arg for arg in args.kwonlyargs)])


def list_reference_names() -> Iterator[str]:
    """Yield the classes and functions of the API reference with their parameters, methods and attributes."""
    for page in PAGES:
        for address in (name for names in page.sections.values() for name in names):
            module, _, name = address.partition(":")
            found = [node for node in parse_module(module).body if getattr(node, "name", "") == name]
            assert len(found) == 1, address
            node = found[0]
            if not isinstance(node, ast.ClassDef):
                assert isinstance(node, ast.FunctionDef), address
                yield f"python triclinium.{module}.{name}({format_parameters(node)})"
                continue
            yield f"python triclinium.{module}.{name}"
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                    yield f"python triclinium.{module}.{name}.{member.name}({format_parameters(member)})"
                elif isinstance(member, ast.FunctionDef) and member.name == "__init__":
                    yield f"python triclinium.{module}.{name}({format_parameters(member)})"
                elif isinstance(member, ast.AnnAssign) and not ast.unparse(member.target).startswith("_"):
                    yield f"python triclinium.{module}.{name}.{ast.unparse(member.target)}"


def list_commands(parser: argparse.ArgumentParser, name: str = "triclinium") -> Iterator[str]:
    """Yield each command with its arguments and options."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, child in action.choices.items():
                yield from list_commands(child, f"{name} {word}")
        elif action.dest != "help":
            yield from (f"command {name} {option}" for option in action.option_strings or [action.dest.upper()])


def list_routes() -> Iterator[str]:
    """Yield the routes of the HTTP API."""
    for path, methods in json.loads(render_openapi())["paths"].items():
        yield from (f"http {method.upper()} {path}" for method in methods)


def list_environments() -> Iterator[str]:
    """Yield the ids of the environments of our games."""
    assert environments.PENALTY < 0  # the import has registered them
    yield from (f"environment {id}" for id in gymnasium.registry if id.startswith("triclinium/"))


def list_public_names() -> list[str]:
    found = {*list_exports(), *list_reference_names(), *list_commands(build_parser()), *list_routes()}
    return sorted(found | {*list_environments()})


def test_public_names_do_not_change_unnoticed() -> None:
    listed, found = set(FILE.read_text(encoding="utf-8").splitlines()), set(list_public_names())
    gone, new = sorted(listed - found), sorted(found - listed)
    assert not gone, f"{len(gone)} public names are gone; announce this as docs/stability.md says: {gone[:SHOWN]}"
    assert not new, f"new public names; run `python -m tests.test_public_names --write`: {new[:SHOWN]}"


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_has_every_name_that_it_exports(package: str) -> None:
    module = importlib.import_module(f"triclinium{package}")
    assert sorted(module.__all__) == sorted(set(module.__all__))
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_the_page_on_stability_names_every_public_package() -> None:
    page = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
    assert [package for package in PACKAGES if f"`triclinium{package}`" not in page] == []


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        raise SystemExit("usage: python -m tests.test_public_names --write")
    FILE.write_text("\n".join(list_public_names()) + "\n", encoding="utf-8")
