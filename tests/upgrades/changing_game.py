"""A game of an external package that changes between releases: Figs with its own components file."""

import importlib
import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.example import install
from triclinium.engine import registry
from triclinium.engine.game import Game

SOURCE = """
from pathlib import Path

from triclinium.engine.core.text import Name
from triclinium.engine.components_schema import ComponentsSchema
from tests import toy

SCHEMA = ComponentsSchema(Path(__file__).parent / "data")


class Changing(toy.Figs):
    id = "changing"
    name = Name("Changing", "Changeant")
    components_schema = SCHEMA
    versions = {versions}

    def read(self, text):
        if {fails}:
            raise RuntimeError("the innards broke")
        return super().read(text)


GAME = Changing(SCHEMA.printed)
"""

COMPONENTS = """
[game]
name = "Figs"
hand = 3
coins = 3
card_values = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
width = 4
"""

NUMBERS = """
number = [
  { path = "game.hand", low = 1, high = 4, rule = "TOY-1" },
  { path = "game.coins", low = 0, high = 9, rule = "TOY-1" },
  { path = "game.card_values.*", low = 1, high = 9, rule = "TOY-1" },
  { path = "game.width", low = 1, high = 9, rule = "layout" },
]
"""

_number = itertools.count()


@contextmanager
def make_release(
    folder: Path,
    versions: tuple[int, ...] = (1,),
    components: str = COMPONENTS,
    hashes: str = "",
    old: dict[str, str] | None = None,
    fails: bool = False,
) -> Iterator[Game]:
    """Yield one release of the game, installed inside the block."""
    package = f"changing_{next(_number)}"  # a new name, because imported modules and searched paths are cached
    folder = folder / f"with_{package}"
    data = folder / package / "data"
    (data / "old").mkdir(parents=True)
    (data.parent / "__init__.py").write_text("")
    (data.parent / "game.py").write_text(SOURCE.format(versions=versions, fails=fails))
    (data / "components.toml").write_text(components)
    (data / "numbers.toml").write_text(NUMBERS)
    (data / "hashes.toml").write_text(hashes)
    for hash, text in (old or {}).items():
        (data / "old" / f"{hash}.toml").write_text(text)
    install(folder, package, {"changing": f"{package}.game:GAME"})
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    registry._loaded.pop("changing", None)
    try:
        yield registry.load_game("changing")
    finally:
        sys.path.remove(str(folder))
        registry._loaded.pop("changing", None)
