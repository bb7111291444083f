"""Registry of the installed games, found through the entry point group ``triclinium.games``.

A game is loaded at its first use. A game that fails to load is reported and left out, and the others still work. The
result is cached for the most recent values of ``sys.path``, because scanning all installed packages takes longer than
serving a page.
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

PATH_CACHE_SIZE = 2  # number of cached paths; code may extend ``sys.path`` for a while

_loaded: dict[str, Game] = {}


def list_games() -> list[str]:
    """Return the ids of all games that load."""
    faults = _find_load_errors(tuple(sys.path))
    return [name for name in _find_entry_points(tuple(sys.path)) if name not in faults]


def list_broken_games() -> dict[str, str]:
    """Return the ids of the games that do not load, with the reasons."""
    return dict(_find_load_errors(tuple(sys.path)))


@lru_cache(PATH_CACHE_SIZE)
def _find_entry_points(path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Return the entry points that a search of this path finds, sorted by name."""
    points: dict[str, EntryPoint] = {}
    # uses the given path, because another thread may change ``sys.path`` meanwhile
    for package in distributions(path=list(path)):
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
    """Return a game by its id, on its own or an edited components file.

    Raise BadSetup if there is no such game or it does not load.
    """
    if name not in _loaded:
        points = _find_entry_points(tuple(sys.path))
        if name not in points:
            raise BadSetup(f"there is no game {name!r}; {suggest_names(name, points)}")
        try:
            loaded = points[name].load()
        except Exception as error:  # a third-party package must not stop the other games
            raise BadSetup(f"the game {name!r} does not load: {type(error).__name__}: {error}") from error
        if not isinstance(loaded, Game):
            raise BadSetup(f"the game {name!r} does not load: {points[name].value} is not a Game")
        _loaded[name] = loaded
    default = _loaded[name]
    return default if components is None else default.with_components(read_components(Path(components)))


def find_game_folder(game: Game, part: str = "ui") -> Path:
    """Return the folder of a game's user interface (`ui`) or data (`data`), or the game's own folder if it has none."""
    file = sys.modules[type(game).__module__].__file__
    assert file is not None
    own = Path(file).parent
    return own / part if (own / part).is_dir() else own
