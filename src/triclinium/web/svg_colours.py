"""Plain colours for the picture of a shared match, which is an SVG without a style sheet.

The program that rasterizes it supports no CSS functions. This module resolves the server's colour tokens and a game's
vignette in the colours of the light theme. Text that a person typed does not pass through here: it is added afterwards.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from triclinium.engine.game import Game
from triclinium.web import assets

STATIC_FOLDER = Path(__file__).parent / "static"
CSS_BLOCK = re.compile(r"([^{}]+)\{([^{}]*)\}")
CSS_TOKEN = re.compile(r"(--[\w-]+)\s*:\s*([^;]+);")
CSS_VAR = re.compile(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)")
CSS_LIGHT_DARK = re.compile(r"light-dark\(\s*([^(),]+|rgb\([^()]*\))\s*,\s*(?:[^(),]+|rgb\([^()]*\))\s*\)")
CSS_COLOR_MIX = re.compile(r"color-mix\(in srgb,\s*([^\s(),]+)(?:\s+([\d.]+)%)?,\s*([^\s(),]+)(?:\s+([\d.]+)%)?\)")
CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
FONT_TOKENS = {"--font-display": "serif", "--font-text": "serif"}  # fonts of the picture
MAX_DEPTH = 8  # the deepest nesting of functions
NAMED_COLOURS = {"black": "#000000", "white": "#ffffff", "transparent": "#00000000"}


@lru_cache(1)
def _read_styles() -> str:
    return CSS_COMMENT.sub(
        "", "".join((STATIC_FOLDER / name).read_text(encoding="utf-8") for name in ("tokens.css", "base.css"))
    )


@lru_cache(assets.MAX_CACHED_GAMES)
def read_css_tokens(game_id: str) -> Mapping[str, str]:
    """Return the colours of the server on the pages of a game, in the light theme."""
    values: dict[str, str] = {}
    selectors = (":root", ":root, [data-game]", ".vig", f'[data-game="{game_id}"]')
    for selector in selectors:
        for block_selector, inner in CSS_BLOCK.findall(_read_styles()):
            if " ".join(block_selector.split()) == selector:
                values.update({name: " ".join(value.split()) for name, value in CSS_TOKEN.findall(inner)})
    return values | FONT_TOKENS


def resolve_css(text: str, css_tokens: Mapping[str, str]) -> str:
    """Return the text without CSS functions. Raise `ValueError` if one cannot be resolved."""
    for _ in range(MAX_DEPTH):
        before = text
        text = CSS_VAR.sub(lambda m: css_tokens.get(m[1], m[2] or "none"), text)
        text = CSS_LIGHT_DARK.sub(lambda m: m[1].strip(), text)
        text = CSS_COLOR_MIX.sub(lambda m: _mix_colours(m[1], m[2], m[3], m[4]), text)
        if text == before:
            break
    if re.search(r"var\(|light-dark\(|color-mix\(", text):
        raise ValueError("a colour of the vignette cannot be resolved")
    return text


def _mix_colours(first: str, first_percent: str | None, second: str, second_percent: str | None) -> str:
    """Return a mix of two colours in these proportions."""
    share = float(first_percent) / 100 if first_percent else 1 - float(second_percent) / 100 if second_percent else 0.5
    a, b = _parse_rgba(first), _parse_rgba(second)
    mixed = [round(x * share + y * (1 - share)) for x, y in zip(a, b, strict=True)]
    return "#" + "".join(f"{value:02x}" for value in (mixed if mixed[3] < 255 else mixed[:3]))


def _parse_rgba(colour: str) -> list[int]:
    digits = NAMED_COLOURS.get(colour, colour).removeprefix("#")
    if len(digits) in (3, 4):
        digits = "".join(2 * digit for digit in digits)
    return [int((digits + "ff")[n : n + 2], 16) for n in (0, 2, 4, 6)]


@lru_cache(assets.MAX_CACHED_GAMES)
def resolve_vignette(game: Game) -> Markup:
    """Return a game's picture in plain colours."""
    return Markup(resolve_css(str(assets.load_vignette(game)), read_css_tokens(game.id)))  # safe: a package's own file


def render_cover(game: Game) -> str:
    """Return a game's picture in the shape that messengers show."""
    inner = f'<g transform="translate(0 -60) scale(3.75)">{resolve_vignette(game)}</g>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">{inner}</svg>'


def resolve_colour(game: Game, token: str) -> str:
    """Return one of the server's colours on a game's pages."""
    return resolve_css(f"var({token})", read_css_tokens(game.id))


def fit_text(text: str, size: float, width: float, min_size: float) -> tuple[str, float]:
    """Return a text with the size at which it fits, shortened if that size would be too small to read."""
    letter_width = 0.51  # average width of a letter, as a share of the font size
    fitting_size = min(size, width / (letter_width * max(1, len(text))))
    if fitting_size >= min_size:
        return text, round(fitting_size, 1)
    return text[: max(1, int(width / (letter_width * min_size)) - 1)].rstrip() + "…", min_size
