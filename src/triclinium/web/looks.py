"""What a title brings for its looks, from its own folder: a vignette, a sentence, a board, its rules."""

import sys
import tomllib
from functools import cache
from pathlib import Path

from markupsafe import Markup

from triclinium.kernel.message import Name
from triclinium.kernel.title import Title

BOARD = "board.svg.jinja"
TABLE = "table.html.jinja"


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
    path = folder(title) / "vignette.svg"
    if not path.exists():
        return Markup('<rect width="320" height="200" fill="var(--tint)"/>')
    text = path.read_text(encoding="utf-8")
    inner = text[text.index(">") + 1 : text.rindex("</svg>")]
    return Markup(inner)  # our own package's file, not somebody's input


def has(title: Title, name: str) -> bool:
    return (folder(title) / name).exists()
