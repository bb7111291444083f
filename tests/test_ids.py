"""Tests that ids of steps and events never change. Records, digests, views, the guide and catalogues use them.

`ids.txt` lists all ids. New lines may be added. Changed or removed lines would break stored matches, the API or
catalogues.
"""

import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

from tests.matches import list_our_games
from triclinium.engine.core.event import EventType
from triclinium.engine.core.state import Step
from triclinium.engine.game import Game

LISTED = (Path(__file__).parent / "ids.txt").read_text(encoding="utf-8").splitlines()


def modules(game: Game) -> list[ModuleType]:
    """Return all modules of a game's package."""
    package = importlib.import_module(type(game).__module__.rpartition(".")[0])
    return [
        importlib.import_module(found.name) for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]


def steps(game: Game) -> list[type[Step]]:  # type: ignore[type-arg]  # of whatever state
    found: dict[str, type[Step]] = {}  # type: ignore[type-arg]
    for module in modules(game):
        for thing in vars(module).values():
            if isinstance(thing, type) and issubclass(thing, Step) and thing.__module__ == module.__name__:
                found[f"{thing.__module__}.{thing.__name__}"] = thing
    return list(found.values())


def events(game: Game) -> list[str]:
    """Return the ids of a game's events, from the constants of its rules/events.py."""
    module = importlib.import_module(f"{type(game).__module__.rpartition('.')[0]}.rules.events")
    return [thing.id for thing in vars(module).values() if isinstance(thing, EventType)]


@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_every_step_has_an_id_of_its_own(game: Game) -> None:
    found = steps(game)
    assert found
    assert all("id" in vars(step) for step in found), [step.__name__ for step in found if "id" not in vars(step)]
    ids = [step.id for step in found]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_ids_never_change(game: Game) -> None:
    now = {f"{game.id} step {step.id}" for step in steps(game)} | {f"{game.id} event {kind}" for kind in events(game)}
    assert len(set(events(game))) == len(events(game))
    assert now == {line for line in LISTED if line.startswith(f"{game.id} ")}
