"""What a title brings for its looks, from its own folder: a vignette, a sentence, a board, its rules.

All of it is optional. A title's folder may hold `board.svg.jinja` (the board), `table.html.jinja` (what the viewer has
before them), `seat.html.jinja` (what a seat's card tells besides its name), `option.html.jinja` (the face of an option
in the decision), `table.css`, pictures (`*.svg`, for ``<use href>``), and `drawing.py`: ``draw(c, view)`` gives the
templates their coordinates and lists.
"""

import importlib
import importlib.util
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeAlias

from markupsafe import Markup

from triclinium.kernel.message import Name
from triclinium.kernel.title import Title

BOARD = "board.svg.jinja"
TABLE = "table.html.jinja"
SEAT = "seat.html.jinja"
OPTION = "option.html.jinja"
STYLE = "table.css"
VIGNETTE = "vignette.svg"


Draw: TypeAlias = Callable[[object, dict[str, object]], dict[str, object]]


class About:
    """What the home page says of a title."""

    def __init__(self, sentence: Name, minutes: str, best: str) -> None:
        self.sentence = sentence
        self.minutes = minutes
        self.best = best


def folder(title: Title) -> Path:
    """The folder of a title's module."""
    file = sys.modules[type(title).__module__].__file__
    assert file is not None
    return Path(file).parent


@cache
def about(title: Title) -> About:
    """The title's about.toml; a title may have none."""
    path = folder(title) / "about.toml"
    if not path.exists():
        return About(Name(""), "", "")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    sentence = Name(str(data.get("sentence", "")), str(data.get("sentence_fr", "")))
    return About(sentence, str(data.get("minutes", "")), str(data.get("best", "")))


@cache
def vignette(title: Title) -> Markup:
    """The picture of a title, to be put into a page; it colours itself by the page's tokens."""
    path = folder(title) / VIGNETTE
    if not path.exists():
        return Markup('<rect width="320" height="200" fill="var(--tint)"/>')
    text = path.read_text(encoding="utf-8")
    inner = text[text.index(">") + 1 : text.rindex("</svg>")]
    return Markup(inner)  # our own package's file, not somebody's input


def files(id: str, folder: Path) -> list[tuple[str, Path]]:
    """What a browser fetches once of a title: `table.css` as `portals.css`, `coast.svg` as `portals-coast.svg`."""
    style = [(f"{id}.css", folder / STYLE)] if (folder / STYLE).exists() else []
    return style + [(f"{id}-{path.name}", path) for path in sorted(folder.glob("*.svg")) if path.name != VIGNETTE]


@cache
def has(title: Title, name: str) -> bool:
    return (folder(title) / name).exists()


def components(title: Title) -> object:
    """What is printed, as the title's templates read it."""
    return vars(title).get("components")


def drawing(title: Title, view: dict[str, object]) -> dict[str, object]:
    """What the title's drawing.py makes of a view. It gets no state: what is not in the view cannot be drawn."""
    draw = drawer(title)
    return {} if draw is None else draw(components(title), view)


@cache
def drawer(title: Title) -> Draw | None:
    """The title's ``draw``; a title may have none."""
    name = f"{type(title).__module__.rpartition('.')[0]}.drawing"
    if importlib.util.find_spec(name) is None:
        return None
    draw: Draw = importlib.import_module(name).draw
    return draw
