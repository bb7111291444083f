"""What a game brings for its looks, from its own folder: a vignette, a sentence, a board, its rules.

All of it is optional. In its `ui` a game may have `board.svg.jinja` (the board), `table.html.jinja` (what the viewer
has before them), `seat.html.jinja` (what a seat's card tells besides its name), `option.html.jinja` (the face of an
option in the decision), `result.html.jinja` (the score sheet of the end), `named.jinja` (a component that the recap
names: small, and large), `gallery.jinja` (what lies in the box: `card`, `large`, `small`, `source`, `defs`, from what
``gallery(c)`` of `board.py` gives), `style.css`, `colours.css` (what seats look like whose players have colours of
their own, for the table and the review), pictures (`*.svg`, for ``<use href>``), `cover.png` (what messengers show of a
match where the house paints no result: the vignette, by `python -m bench.covers`), and `board.py`: ``draw(c, view)``
gives the templates their coordinates and lists. In its `data` lie `about.toml`, `credits.toml`, `guide.toml` and
`rules.en.md`. A small game may leave all of it beside its module.
"""

import importlib
import importlib.util
import re
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from markupsafe import Markup

from triclinium import boardkit
from triclinium.boardkit.kind_lookup import kinds_of
from triclinium.engine import registry
from triclinium.engine.core.text import Arg, Message, Name
from triclinium.engine.credits import Credits, credits_of
from triclinium.engine.game import Game
from triclinium.engine.view import View
from triclinium.server import plugin_errors
from triclinium.server.tables.time_bank import fits
from triclinium.web.generated_cover import generated_cover

BOARD = "board.svg.jinja"
TABLE = "table.html.jinja"
SEAT = "seat.html.jinja"
OPTION = "option.html.jinja"
RESULT = "result.html.jinja"
NAMED = "named.jinja"
GALLERY = "gallery.jinja"
STYLE = "style.css"
COLOURS = "colours.css"
OF_A_TABLE = (BOARD, TABLE, SEAT, OPTION, RESULT, NAMED, STYLE, COLOURS)
SIGNS = "signs.svg"
SIGN = re.compile(r'<symbol id="([^"]+)"')
VIGNETTE = "vignette.svg"
COVER = "cover.png"
KIT = Path(boardkit.__file__).parent
KIT_FILES = {name: KIT / name for name in ("kit.css", "kit.js")}
TITLES = 100  # of which something is kept: every game, and each on some edited files
USUAL_PACE = (15, 45)


folder = registry.folder
Draw: TypeAlias = Callable[[object, Any], dict[str, object]]


@dataclass(frozen=True, slots=True)
class About:
    """What the home page says of a game."""

    sentence: Arg
    minutes: str
    best: str
    pace: tuple[int, int]  # minutes of a live store, and free seconds


@lru_cache(TITLES)
def about(game: Game) -> About:
    """The game's about.toml; a game may have none."""
    path = folder(game, "data") / "about.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except ValueError as error:  # the home page shows all games: none may spoil it
        plugin_errors.note(game.id, "about.toml", error)
        data = {}
    given = str(data.get("sentence", ""))
    sentence = Name(given, "about") if given else _introduction(game)
    return About(sentence, str(data.get("minutes", "")), str(data.get("best", "")), _pace(data))


@lru_cache(TITLES)
def credits(game: Game) -> Credits:
    """Return who made a game, and what of it is reconstructed; a file that cannot be read says nothing."""
    try:
        return credits_of(game)
    except ValueError as error:
        plugin_errors.note(game.id, "credits.toml", error)
        return Credits()


def _introduction(game: Game) -> Message:
    """Return a sentence for a game that brings none."""
    if len(game.seats) == 1:
        return Message("A game for {0} players, from another package.", game.seats[0])
    return Message("A game for {0} to {1} players, from another package.", game.seats[0], game.seats[-1])


def _pace(data: dict[str, Any]) -> tuple[int, int]:
    """The live clock that a game proposes, if it is one."""
    match data.get("pace"):
        case [int(minutes), int(seconds)] if fits(minutes * 60, seconds):
            return minutes, seconds
    return USUAL_PACE


@lru_cache(TITLES)
def vignette(game: Game) -> Markup:
    """Return the picture of a game, to be put into a page: its own, or a generated cover."""
    path = folder(game) / VIGNETTE
    if not path.exists():
        return generated_cover(game)
    try:
        text = path.read_text(encoding="utf-8")
        inner = text[text.index(">") + 1 : text.rindex("</svg>")]
    except ValueError as error:
        plugin_errors.note(game.id, "vignette", error)
        return generated_cover(game)
    return Markup(inner)  # a package's own file, not somebody's input


def files(id: str, folder: Path) -> list[tuple[str, Path]]:
    """What a browser fetches once of a game: `style.css` as `portals.css`, `coast.svg` as `portals-coast.svg`."""
    named = ((f"{id}.css", folder / STYLE), (f"{id}-{COLOURS}", folder / COLOURS), (f"{id}-{COVER}", folder / COVER))
    style = [(name, path) for name, path in named if path.exists()]
    return style + [(f"{id}-{path.name}", path) for path in sorted(folder.glob("*.svg")) if path.name != VIGNETTE]


@lru_cache(TITLES)
def signs(game: Game) -> tuple[tuple[str, str, Arg], ...]:
    """The signs of a game that stand for a thing in its box: the kind, the id, the name."""
    path = folder(game) / SIGNS
    drawn = set(SIGN.findall(path.read_text(encoding="utf-8"))) if path.exists() else set()
    kinds = {kind: kinds_of(game)[kind] for kind in game.gallery}
    return tuple(
        (name, str(id), kind.names[n]) for name, kind in kinds.items() for n, id in enumerate(kind.ids) if id in drawn
    )


@lru_cache(TITLES)
def help_card(game: Game) -> tuple[tuple[str, Arg, str], ...]:
    """What the game's board.py says of its signs, a line each: the sign, what it means, its rule."""
    try:
        made = _of_board(game, "help_card")
        return () if made is None else tuple(made())
    except Exception as error:  # the table is shown without it
        plugin_errors.note(game.id, "drawing", error)
        return ()


@lru_cache(5 * TITLES)
def has(game: Game, name: str) -> bool:
    return (folder(game) / name).exists()


def components(game: Game) -> object:
    """What is printed, as the game's templates read it."""
    return vars(game).get("components")


def drawing(game: Game, view: View) -> dict[str, object]:
    """What the game's board.py makes of a view. It gets no state: what is not in the view cannot be drawn."""
    draw = drawer(game)
    drawn = {} if draw is None else draw(components(game), view)
    if isinstance(drawn, dict):
        return drawn
    raise TypeError(f"draw gives a dict, not {type(drawn).__name__}")


@lru_cache(TITLES)
def gallery_drawing(game: Game) -> dict[str, object]:
    """What the faces in the box need that is printed and never changes."""
    made = _of_board(game, "gallery")
    return {} if made is None else dict(made(components(game)))


@lru_cache(TITLES)
def drawer(game: Game) -> Draw | None:
    """The game's ``draw``; a game may have none."""
    draw: Draw | None = _of_board(game, "draw")
    return draw


def _of_board(game: Game, name: str) -> Any:
    """Something of the game's board.py; None: there is none."""
    module = sys.modules[type(game).__module__]
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    for path in (f"{package}.ui.board", f"{package}.board"):
        if package and _is_there(path):
            return getattr(importlib.import_module(path), name, None)
    return None


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package above it
        return False
