"""Levels of bots: the strengths that tables offer, and the data with which each game adjusts them.

A game offers a level only if it wins clearly more often than the level below. `python -m bench.levels` measures this,
and the result is in the game's ``ai/levels.toml``.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from triclinium.engine.core.errors import BadComponents
from triclinium.engine.game import Game
from triclinium.engine.registry import find_game_folder

LEVELS = ("novice", "casual", "steady", "strong", "master")  # the weakest first
LEVELS_FILE = "levels.toml"  # in the game's folder `ai`
NOVICE_TEMPERATURE, CASUAL_TEMPERATURE = 0.15, 0.1  # for games without a file


@dataclass(frozen=True)
class GameLevels:
    """The levels of one game."""

    offered: tuple[str, ...] = LEVELS  # the levels that tables offer, the weakest first
    # In units of the scale of the game's weights: one such unit between two options means odds of 2.7 to 1.
    novice_temperature: float = NOVICE_TEMPERATURE
    casual_temperature: float = CASUAL_TEMPERATURE

    def choose_offered_level(self, level: str) -> str:
        """Return the level itself if the game offers it, otherwise the strongest offered one below it.

        Bots of other packages are no levels and are returned unchanged.
        """
        if level not in LEVELS or level in self.offered:
            return level
        weaker = [name for name in self.offered if LEVELS.index(name) < LEVELS.index(level)]
        return weaker[-1] if weaker else self.offered[0]

    def find_next_level(self, level: str) -> str:
        """Return the next stronger offered level, or "" if there is none."""
        if level not in LEVELS:
            return ""
        return next((name for name in self.offered if LEVELS.index(name) > LEVELS.index(level)), "")


def load_levels(game: Game) -> GameLevels:
    """Return the levels of a game."""
    return _read_levels(find_game_folder(game, "ai") / LEVELS_FILE)


@cache
def _read_levels(path: Path) -> GameLevels:
    """Return the levels in a file. Raise BadComponents if it names an unknown level or is out of order."""
    if not path.exists():
        return GameLevels()
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    offered = tuple(data.get("offered", LEVELS))
    if not offered or list(offered) != [name for name in LEVELS if name in offered]:
        raise BadComponents(f"{path.name}: offered must be some of {', '.join(LEVELS)}, in this order")
    novice = float(data.get("novice_temperature", NOVICE_TEMPERATURE))
    return GameLevels(offered, novice, float(data.get("casual_temperature", CASUAL_TEMPERATURE)))
