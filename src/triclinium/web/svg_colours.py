"""The picture of a shared match, for those who are sent its link: an SVG whose colours need no style sheet.

What makes pictures of it knows no functions of CSS, so the house's tokens and a game's vignette are resolved here, as
they look by day. Nothing that a person typed goes through this: it is put into the template afterwards.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from triclinium.engine.game import Game
from triclinium.web import assets

STATIC = Path(__file__).parent / "static"
BLOCK = re.compile(r"([^{}]+)\{([^{}]*)\}")
TOKEN = re.compile(r"(--[\w-]+)\s*:\s*([^;]+);")
VAR = re.compile(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)")
DAY = re.compile(r"light-dark\(\s*([^(),]+|rgb\([^()]*\))\s*,\s*(?:[^(),]+|rgb\([^()]*\))\s*\)")
MIX = re.compile(r"color-mix\(in srgb,\s*([^\s(),]+)(?:\s+([\d.]+)%)?,\s*([^\s(),]+)(?:\s+([\d.]+)%)?\)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
FONTS = {"--font-display": "serif", "--font-text": "serif"}  # of the picture's own
DEPTH = 8  # functions inside functions
NAMED = {"black": "#000000", "white": "#ffffff", "transparent": "#00000000"}


@lru_cache(1)
def _styles() -> str:
    return COMMENT.sub("", "".join((STATIC / name).read_text(encoding="utf-8") for name in ("tokens.css", "base.css")))


@lru_cache(assets.TITLES)
def tokens(title: str) -> Mapping[str, str]:
    """The house's colours on the pages of a game, by day."""
    found: dict[str, str] = {}
    wanted = (":root", ":root, [data-title]", ".vig", f'[data-title="{title}"]')
    for selector in wanted:
        for told, inner in BLOCK.findall(_styles()):
            if " ".join(told.split()) == selector:
                found.update({name: " ".join(value.split()) for name, value in TOKEN.findall(inner)})
    return found | FONTS


def resolved(text: str, known: Mapping[str, str]) -> str:
    """The text without functions of CSS; raises ValueError where one is left."""
    for _ in range(DEPTH):
        before = text
        text = VAR.sub(lambda m: known.get(m[1], m[2] or "none"), text)
        text = DAY.sub(lambda m: m[1].strip(), text)
        text = MIX.sub(lambda m: _mixed(m[1], m[2], m[3], m[4]), text)
        if text == before:
            break
    if re.search(r"var\(|light-dark\(|color-mix\(", text):
        raise ValueError("a colour of the vignette cannot be resolved")
    return text


def _mixed(one: str, much: str | None, other: str, more: str | None) -> str:
    """So much of one colour and the rest of another."""
    share = float(much) / 100 if much else 1 - float(more) / 100 if more else 0.5
    a, b = _channels(one), _channels(other)
    mixed = [round(x * share + y * (1 - share)) for x, y in zip(a, b, strict=True)]
    return "#" + "".join(f"{value:02x}" for value in (mixed if mixed[3] < 255 else mixed[:3]))


def _channels(colour: str) -> list[int]:
    digits = NAMED.get(colour, colour).removeprefix("#")
    if len(digits) in (3, 4):
        digits = "".join(2 * digit for digit in digits)
    return [int((digits + "ff")[n : n + 2], 16) for n in (0, 2, 4, 6)]


@lru_cache(assets.TITLES)
def vignette(game: Game) -> Markup:
    """A game's picture in plain colours."""
    return Markup(resolved(str(assets.vignette(game)), tokens(game.id)))  # a package's own file


def cover(game: Game) -> str:
    """A game's picture alone, in the shape that messengers show."""
    inner = f'<g transform="translate(0 -60) scale(3.75)">{vignette(game)}</g>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">{inner}</svg>'


def colour(game: Game, token: str) -> str:
    """One of the house's colours on a game's pages."""
    return resolved(f"var({token})", tokens(game.id))


def fitted(text: str, size: float, width: float, least: float) -> tuple[str, float]:
    """A text and the size at which it has room, shortened where that would be too small to read."""
    wide = 0.51  # of the size, for a letter
    fits = min(size, width / (wide * max(1, len(text))))
    if fits >= least:
        return text, round(fits, 1)
    return text[: max(1, int(width / (wide * least)) - 1)].rstrip() + "…", least
