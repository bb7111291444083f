"""Files in a game's own folder that pages use: the vignette, the description, the board and the rules.

All of them are optional. In its `ui` folder a game can have:

- `board.svg.jinja`: the board
- `table.html.jinja`: the viewer's own components
- `seat.html.jinja`: what the card of a seat shows in addition to the name; without it the board kit draws the panels
  that `draw` returns as ``seat_panels``
- `option.html.jinja`: the face of an option in the decision
- `mentioned_card.jinja`: a component that a sentence names, small and large; without it the board kit draws the card
  that ``mentioned`` of `draw` returns
- `gallery.jinja`: the components in the box (`card`, `large`, and if needed `small`, `source` and `defs`), drawn from
  the result of ``gallery(c)`` in `board.py`; without it the board kit draws them from the kinds
- `style.css`, and `colours.css` for seats whose players have colours of their own, on the table and in the review
- `*.svg`: pictures for ``<use href>``
- `cover.png`: the picture that messengers show of a match if the server draws none; `python -m bench.covers` makes it
  from the vignette
- `board.py`: ``draw(c, view)`` returns coordinates and lists for the templates, and ``print_list(c)`` the parts that
  readers can print. ``score_sheets`` and ``awards`` of `draw` are added to the result

Its `data` folder has `about.toml`, `credits.toml`, `guide.toml` and `rules.en.md`. A small game can have all these
files next to its module.
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
from triclinium.boardkit.print_list import PrintedPieces, PrintList, Unprinted, list_pieces
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
COMPONENT_TEMPLATE = "mentioned_card.jinja"
KIT_COMPONENT_TEMPLATE = "kit_mentions.jinja"  # the template of the board kit
GALLERY_TEMPLATE = "gallery.jinja"
STYLE_FILE = "style.css"
COLOURS_FILE = "colours.css"
SYMBOLS_FILE = "signs.svg"
SYMBOL_ID = re.compile(r'<symbol id="([^"]+)"')
VIGNETTE_FILE = "vignette.svg"
COVER_FILE = "cover.png"
BOARDKIT_FOLDER = Path(boardkit.__file__).parent
BOARDKIT_FILES = {name: BOARDKIT_FOLDER / name for name in ("kit.css", "kit.js")}
MAX_CACHED_GAMES = 100  # games for which something is cached; a game on an edited file counts as another one
DEFAULT_PACE = (15, 45)


game_folder = registry.find_game_folder
DrawFunction: TypeAlias = Callable[[object, Any], dict[str, object]]


@dataclass(frozen=True, slots=True)
class AboutGame:
    """The facts about a game on the home page."""

    sentence: Arg
    minutes: str
    best_player_count: str
    pace: tuple[int, int]  # minutes of thinking time in a live match, and free seconds per turn
    deal_share: tuple[int, int] | None  # percentage of a result that the deal decides, and its standard error


@lru_cache(MAX_CACHED_GAMES)
def load_about(game: Game) -> AboutGame:
    """Return the contents of the game's about.toml, or default values if there is none."""
    path = game_folder(game, "data") / "about.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except ValueError as error:  # the home page shows all games, so one broken file must not break it
        plugin_errors.log_once(game.id, "about.toml", error)
        data = {}
    text = str(data.get("sentence", ""))
    sentence = Name(text, "about") if text else _make_default_sentence(game)
    return AboutGame(
        sentence, str(data.get("minutes", "")), str(data.get("best", "")), _read_pace(data), _read_deal_share(data)
    )


@lru_cache(MAX_CACHED_GAMES)
def load_credits(game: Game) -> Credits:
    """Return the authors of a game, and its reconstructed parts. Return no credits if the file cannot be read."""
    try:
        return read_credits(game)
    except ValueError as error:
        plugin_errors.log_once(game.id, "credits.toml", error)
        return Credits()


def _make_default_sentence(game: Game) -> Message:
    """Return a sentence about a game that does not describe itself."""
    if len(game.seats) == 1:
        return Message("A game for {0} players, installed from another package.", game.seats[0])
    return Message("A game for {0} to {1} players, installed from another package.", game.seats[0], game.seats[-1])


def _read_pace(data: dict[str, Any]) -> tuple[int, int]:
    """Return the live clock that a game proposes, or the default if it proposes none."""
    match data.get("pace"):
        case [int(minutes), int(seconds)] if is_valid_clock(minutes * 60, seconds):
            return minutes, seconds
    return DEFAULT_PACE


def _read_deal_share(data: dict[str, Any]) -> tuple[int, int] | None:
    match data.get("deal_share"):
        case [int(share), int(error)]:
            return share, error
    return None


@lru_cache(MAX_CACHED_GAMES)
def load_vignette(game: Game) -> Markup:
    """Return the picture of a game for a page: its own, or a generated cover."""
    path = game_folder(game) / VIGNETTE_FILE
    if not path.exists():
        return generate_cover(game)
    try:
        text = path.read_text(encoding="utf-8")
        inner = text[text.index(">") + 1 : text.rindex("</svg>")]
    except ValueError as error:
        plugin_errors.log_once(game.id, "vignette", error)
        return generate_cover(game)
    return Markup(inner)  # safe: the file is part of a package, not input of a person


def list_static_files(id: str, folder: Path) -> list[tuple[str, Path]]:
    """Return the files that browsers cache: `style.css` of Portals as `portals.css`, `x.svg` as `portals-x.svg`."""
    optional_files = (
        (f"{id}.css", folder / STYLE_FILE),
        (f"{id}-{COLOURS_FILE}", folder / COLOURS_FILE),
        (f"{id}-{COVER_FILE}", folder / COVER_FILE),
    )
    style = [(name, path) for name, path in optional_files if path.exists()]
    return style + [(f"{id}-{path.name}", path) for path in sorted(folder.glob("*.svg")) if path.name != VIGNETTE_FILE]


@lru_cache(MAX_CACHED_GAMES)
def list_symbols(game: Game) -> tuple[tuple[str, str, Arg], ...]:
    """Return the symbols of a game that represent components: kind, id and name of each."""
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
    """Return the symbols that the game's board.py explains, each with its meaning and its rule."""
    try:
        make_card = _find_board_attribute(game, "help_card")
        return () if make_card is None else tuple(make_card())
    except Exception as error:  # the table works without the help card
        plugin_errors.log_once(game.id, "drawing", error)
        return ()


@lru_cache(5 * MAX_CACHED_GAMES)
def has_file(game: Game, name: str) -> bool:
    return (game_folder(game) / name).exists()


def build_printed_components(game: Game) -> object:
    """Return the printed components in the form that the game's templates use."""
    return vars(game).get("components")


def draw_view(game: Game, view: View) -> dict[str, object]:
    """Return the drawing that the game's board.py makes of a view. It gets no state, so it cannot draw hidden facts."""
    draw = find_draw_function(game)
    drawn_values = {} if draw is None else draw(build_printed_components(game), view)
    if isinstance(drawn_values, dict):
        return drawn_values
    raise TypeError(f"draw must return a dict, not {type(drawn_values).__name__}")


@lru_cache(MAX_CACHED_GAMES)
def draw_gallery(game: Game) -> dict[str, object]:
    """Return the printed facts that the templates of the component gallery need. They never change."""
    make_gallery = _find_board_attribute(game, "gallery")
    return {} if make_gallery is None else dict(make_gallery(build_printed_components(game)))


@lru_cache(MAX_CACHED_GAMES)
def load_print_list(game: Game) -> PrintList:
    """Return the parts of a game on paper."""
    make_list: Callable[[object], PrintList] | None = _find_board_attribute(game, "print_list")
    return make_default_list(game) if make_list is None else make_list(build_printed_components(game))


def make_default_list(game: Game) -> PrintList:
    """Return the parts of a game without a print list: one copy of each card."""
    kinds = {name: map_kinds_by_name(game)[name] for name in game.gallery}
    parts = [
        PrintedPieces(name, game.gallery[name], list_pieces(name, kind, range(len(kind.ids))), kind.millimetres)
        for name, kind in kinds.items()
        if kind.shape == "card"
    ]
    return PrintList(parts, [Unprinted(Message("Boards and pieces"), Message("This game has no list of them."))])


@lru_cache(MAX_CACHED_GAMES)
def find_draw_function(game: Game) -> DrawFunction | None:
    """Return the game's ``draw`` function, or None."""
    draw: DrawFunction | None = _find_board_attribute(game, "draw")
    return draw


def _find_board_attribute(game: Game, name: str) -> Any:
    """Return an attribute of the game's board.py, or None if there is none."""
    module = sys.modules[type(game).__module__]
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    for path in (f"{package}.ui.board", f"{package}.board"):
        if package and _has_module(path):
            return getattr(importlib.import_module(path), name, None)
    return None


def _has_module(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the parent package does not exist either
        return False
