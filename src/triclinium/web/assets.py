"""What a game brings for its looks, from its own folder: a vignette, a sentence, a board, its rules.

All of it is optional. In its `ui` a game may have `board.svg.jinja` (the board), `table.html.jinja` (what the viewer
has before them), `seat.html.jinja` (what a seat's card tells besides its name), `option.html.jinja` (the face of an
option in the decision), `result.html.jinja` (the score sheet of the end), `mentioned_card.jinja` (a component that the
recap names: small, and large), `gallery.jinja` (what lies in the box: `card`, `large`, `small`, `source`, `defs`, from
what ``gallery(c)`` of `board.py` gives), `style.css`, `colours.css` (what seats look like whose players have colours of
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
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.engine import registry
from triclinium.engine.core.text import Arg, Message, Name
from triclinium.engine.credits import Credits, read_credits
from triclinium.engine.game import Game
from triclinium.engine.view import View
from triclinium.server import plugin_errors
from triclinium.server.tables.time_bank import is_valid_clock
from triclinium.web.generated_cover import generate_cover

BOARD_TEMPLATE = "board.svg.jinja"
TABLE_TEMPLATE = "table.html.jinja"
SEAT_TEMPLATE = "seat.html.jinja"
OPTION_TEMPLATE = "option.html.jinja"
RESULT_TEMPLATE = "result.html.jinja"
COMPONENT_TEMPLATE = "mentioned_card.jinja"
GALLERY_TEMPLATE = "gallery.jinja"
STYLE_FILE = "style.css"
COLOURS_FILE = "colours.css"
TABLE_FILES = (
    BOARD_TEMPLATE,
    TABLE_TEMPLATE,
    SEAT_TEMPLATE,
    OPTION_TEMPLATE,
    RESULT_TEMPLATE,
    COMPONENT_TEMPLATE,
    STYLE_FILE,
    COLOURS_FILE,
)
SYMBOLS_FILE = "signs.svg"
SYMBOL_ID = re.compile(r'<symbol id="([^"]+)"')
VIGNETTE_FILE = "vignette.svg"
COVER_FILE = "cover.png"
BOARDKIT_FOLDER = Path(boardkit.__file__).parent
BOARDKIT_FILES = {name: BOARDKIT_FOLDER / name for name in ("kit.css", "kit.js")}
MAX_CACHED_GAMES = 100  # of which something is kept: every game, and each on some edited files
DEFAULT_PACE = (15, 45)


game_folder = registry.find_game_folder
DrawFunction: TypeAlias = Callable[[object, Any], dict[str, object]]


@dataclass(frozen=True, slots=True)
class AboutGame:
    """What the home page says of a game."""

    sentence: Arg
    minutes: str
    best_player_count: str
    pace: tuple[int, int]  # minutes of a live store, and free seconds


@lru_cache(MAX_CACHED_GAMES)
def load_about(game: Game) -> AboutGame:
    """The game's about.toml; a game may have none."""
    path = game_folder(game, "data") / "about.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except ValueError as error:  # the home page shows all games: none may spoil it
        plugin_errors.log_once(game.id, "about.toml", error)
        data = {}
    text = str(data.get("sentence", ""))
    sentence = Name(text, "about") if text else _make_default_sentence(game)
    return AboutGame(sentence, str(data.get("minutes", "")), str(data.get("best", "")), _read_pace(data))


@lru_cache(MAX_CACHED_GAMES)
def load_credits(game: Game) -> Credits:
    """Return who made a game, and what of it is reconstructed; a file that cannot be read says nothing."""
    try:
        return read_credits(game)
    except ValueError as error:
        plugin_errors.log_once(game.id, "credits.toml", error)
        return Credits()


def _make_default_sentence(game: Game) -> Message:
    """Return a sentence for a game that brings none."""
    if len(game.seats) == 1:
        return Message("A game for {0} players, from another package.", game.seats[0])
    return Message("A game for {0} to {1} players, from another package.", game.seats[0], game.seats[-1])


def _read_pace(data: dict[str, Any]) -> tuple[int, int]:
    """The live clock that a game proposes, if it is one."""
    match data.get("pace"):
        case [int(minutes), int(seconds)] if is_valid_clock(minutes * 60, seconds):
            return minutes, seconds
    return DEFAULT_PACE


@lru_cache(MAX_CACHED_GAMES)
def load_vignette(game: Game) -> Markup:
    """Return the picture of a game, to be put into a page: its own, or a generated cover."""
    path = game_folder(game) / VIGNETTE_FILE
    if not path.exists():
        return generate_cover(game)
    try:
        text = path.read_text(encoding="utf-8")
        inner = text[text.index(">") + 1 : text.rindex("</svg>")]
    except ValueError as error:
        plugin_errors.log_once(game.id, "vignette", error)
        return generate_cover(game)
    return Markup(inner)  # a package's own file, not somebody's input


def list_static_files(id: str, folder: Path) -> list[tuple[str, Path]]:
    """What a browser fetches once of a game: `style.css` as `portals.css`, `coast.svg` as `portals-coast.svg`."""
    optional_files = (
        (f"{id}.css", folder / STYLE_FILE),
        (f"{id}-{COLOURS_FILE}", folder / COLOURS_FILE),
        (f"{id}-{COVER_FILE}", folder / COVER_FILE),
    )
    style = [(name, path) for name, path in optional_files if path.exists()]
    return style + [(f"{id}-{path.name}", path) for path in sorted(folder.glob("*.svg")) if path.name != VIGNETTE_FILE]


@lru_cache(MAX_CACHED_GAMES)
def list_symbols(game: Game) -> tuple[tuple[str, str, Arg], ...]:
    """The signs of a game that stand for a thing in its box: the kind, the id, the name."""
    path = game_folder(game) / SYMBOLS_FILE
    symbol_ids = set(SYMBOL_ID.findall(path.read_text(encoding="utf-8"))) if path.exists() else set()
    kinds = {kind: map_kinds_by_name(game)[kind] for kind in game.gallery}
    return tuple(
        (name, str(id), kind.names[n])
        for name, kind in kinds.items()
        for n, id in enumerate(kind.ids)
        if id in symbol_ids
    )


@lru_cache(MAX_CACHED_GAMES)
def load_help_card(game: Game) -> tuple[tuple[str, Arg, str], ...]:
    """What the game's board.py says of its signs, a line each: the sign, what it means, its rule."""
    try:
        make_card = _find_board_attribute(game, "help_card")
        return () if make_card is None else tuple(make_card())
    except Exception as error:  # the table is shown without it
        plugin_errors.log_once(game.id, "drawing", error)
        return ()


@lru_cache(5 * MAX_CACHED_GAMES)
def has_file(game: Game, name: str) -> bool:
    return (game_folder(game) / name).exists()


def build_printed_components(game: Game) -> object:
    """What is printed, as the game's templates read it."""
    return vars(game).get("components")


def draw_view(game: Game, view: View) -> dict[str, object]:
    """What the game's board.py makes of a view. It gets no state: what is not in the view cannot be drawn."""
    draw = find_draw_function(game)
    drawn_values = {} if draw is None else draw(build_printed_components(game), view)
    if isinstance(drawn_values, dict):
        return drawn_values
    raise TypeError(f"draw gives a dict, not {type(drawn_values).__name__}")


@lru_cache(MAX_CACHED_GAMES)
def draw_gallery(game: Game) -> dict[str, object]:
    """What the faces in the box need that is printed and never changes."""
    make_gallery = _find_board_attribute(game, "gallery")
    return {} if make_gallery is None else dict(make_gallery(build_printed_components(game)))


@lru_cache(MAX_CACHED_GAMES)
def find_draw_function(game: Game) -> DrawFunction | None:
    """The game's ``draw``; a game may have none."""
    draw: DrawFunction | None = _find_board_attribute(game, "draw")
    return draw


def _find_board_attribute(game: Game, name: str) -> Any:
    """Something of the game's board.py; None: there is none."""
    module = sys.modules[type(game).__module__]
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    for path in (f"{package}.ui.board", f"{package}.board"):
        if package and _has_module(path):
            return getattr(importlib.import_module(path), name, None)
    return None


def _has_module(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package above it
        return False
