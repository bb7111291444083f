"""Ids never change, words may: what records, digests, views, the guide and catalogues know steps and events by.

`ids.txt` lists them all. A line may be added; one that is there stays, or stored matches, the API and catalogues break.
"""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.matches import our_titles
from triclinium.engine.core.event import EventType
from triclinium.engine.core.state import Step
from triclinium.engine.game import Game

LISTED = (Path(__file__).parent / "ids.txt").read_text(encoding="utf-8").splitlines()


def modules(title: Game) -> list[ModuleType]:
    """Everything in a title's package."""
    package = importlib.import_module(type(title).__module__.rpartition(".")[0])
    return [
        importlib.import_module(found.name) for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]


def steps(title: Game) -> list[type[Step]]:  # type: ignore[type-arg]  # of whatever state
    found: dict[str, type[Step]] = {}  # type: ignore[type-arg]
    for module in modules(title):
        for thing in vars(module).values():
            if isinstance(thing, type) and issubclass(thing, Step) and thing.__module__ == module.__name__:
                found[f"{thing.__module__}.{thing.__name__}"] = thing
    return list(found.values())


def events(title: Game) -> set[str]:
    """The kinds of events that a game's rules emit: those of its types, and those that are named where they happen."""
    named = {
        kind
        for module in modules(title)
        for kind in _told(Path(str(module.__file__)).with_suffix("").with_suffix(".py"))
    }
    own = [vars(module).values() for module in modules(title) if module.__name__.endswith(".rules.events")]
    return named | {thing.id for things in own for thing in things if isinstance(thing, EventType)}


def _told(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "emit"
            and node.args
        ):
            kinds = node.args[0]
            for part in ast.walk(kinds):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


@pytest.mark.parametrize("title", our_titles(), ids=lambda title: title.id)
def test_every_step_has_an_id_of_its_own(title: Game) -> None:
    found = steps(title)
    assert found
    assert all("id" in vars(step) for step in found), [step.__name__ for step in found if "id" not in vars(step)]
    ids = [step.id for step in found]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("title", our_titles(), ids=lambda title: title.id)
def test_ids_never_change(title: Game) -> None:
    now = {f"{title.id} step {step.id}" for step in steps(title)} | {
        f"{title.id} event {kind}" for kind in events(title)
    }
    assert now == {line for line in LISTED if line.startswith(f"{title.id} ")}
