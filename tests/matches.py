"""Our games, the settings in tests/games/<id>/checks.py, and the cases of tests for all games."""

import importlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

import triclinium
from tests import toy, toy_checks
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.variant import Choice
from triclinium.testing import GameCase, random_matches

RECORDS = Path(__file__).parent / "records"
SHORT = {  # variants for the shortest match of each game
    "ierusalem": {"stall_round": "20"},
    "missionnaires": {"round_limit": "100", "play_on": "never"},
    "portals": {"round_limit": "13"},
    "testoftime": {"rounds": "10"},
}


class Checks:
    """The settings of a game in its checks.py."""

    def __init__(self, module: ModuleType) -> None:
        self.variants: list[dict[str, Choice]] = module.VARIANTS
        self.conserved: Callable[[State], None] = module.check_conserved
        self.slow_scores: Callable[[State], list[int]] = module.slow_scores
        self.derived: tuple[str, ...] = getattr(module, "DERIVED", ())  # attributes that need not be in facts


@cache
def load_checks(name: str) -> Checks:
    return Checks(toy_checks if name == toy.TOY.id else importlib.import_module(f"tests.games.{name}.checks"))


def list_our_games() -> list[Game]:
    """Return the games of this package. Installed games of other packages are not included."""
    found = [triclinium.load_game(name) for name in triclinium.list_games()]
    return [game for game in found if type(game).__module__.startswith("triclinium.games.")]


def list_cases(game: Game) -> list[GameCase]:
    """Return every number of seats with every listed choice of variants that fits it."""
    return random_matches.list_cases(game, load_checks(game.id).variants)


def sample_cases(game: Game) -> list[GameCase]:
    """Return cases in which every number of seats and every choice occurs once."""
    return random_matches.select_covering_cases(list_cases(game))


ALL_GAMES = [toy.TOY, *list_our_games()]
