"""The games at hand, found through the entry points of the group ``triclinium.games``.

A game is loaded when first asked for. One that breaks on loading is named and left out; the others work. What
was found is kept for the last paths in ``sys.path``: a scan of all installed packages takes longer than a page.
"""

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, distributions
from pathlib import Path

from triclinium.engine.core.components import read_components
from triclinium.engine.core.errors import BadSetup, TricliniumError, suggest_names
from triclinium.engine.game import Game

ENTRY_POINT_GROUP = "triclinium.games"

PATH_CACHE_SIZE = 2  # that are remembered: a path may be made longer for a while

_loaded: dict[str, Game] = {}


def list_games() -> list[str]:
    """The ids of all games that load."""
    faults = _find_load_errors(tuple(sys.path))
    return [name for name in _find_entry_points(tuple(sys.path)) if name not in faults]


def list_broken_games() -> dict[str, str]:
    """The ids of the games that do not load, and why."""
    return dict(_find_load_errors(tuple(sys.path)))


@lru_cache(PATH_CACHE_SIZE)
def _find_entry_points(path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """The entry points that a search along this path finds, by name in order."""
    points: dict[str, EntryPoint] = {}
    for package in distributions(path=list(path)):  # this one, though another thread may change the path meanwhile
        for point in package.entry_points:
            if point.group == ENTRY_POINT_GROUP:
                points.setdefault(point.name, point)
    return dict(sorted(points.items()))


@lru_cache(PATH_CACHE_SIZE)
def _find_load_errors(path: tuple[str, ...]) -> Mapping[str, str]:
    faults: dict[str, str] = {}
    for name in _find_entry_points(path):
        try:
            load_game(name)
        except TricliniumError as error:
            faults[name] = str(error)
    return faults


def load_game(name: str, components: str | Path | None = None) -> Game:
    """A game by its id, on its own components file or on an edited one."""
    if name not in _loaded:
        points = _find_entry_points(tuple(sys.path))
        if name not in points:
            raise BadSetup(f"there is no game {name!r}; {suggest_names(name, points)}")
        try:
            loaded = points[name].load()
        except Exception as error:  # somebody else's package: any fault of it must not stop the others
            raise BadSetup(f"the game {name!r} does not load: {type(error).__name__}: {error}") from error
        if not isinstance(loaded, Game):
            raise BadSetup(f"the game {name!r} does not load: {points[name].value} is no Game")
        _loaded[name] = loaded
    default = _loaded[name]
    return default if components is None else default.with_components(read_components(Path(components)))


def find_game_folder(game: Game, part: str = "ui") -> Path:
    """The folder of a game's looks (`ui`) or texts (`data`); its own where it has no such folder."""
    file = sys.modules[type(game).__module__].__file__
    assert file is not None
    own = Path(file).parent
    return own / part if (own / part).is_dir() else own
