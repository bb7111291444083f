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

STATIC_FOLDER = Path(__file__).parent / "static"
CSS_BLOCK = re.compile(r"([^{}]+)\{([^{}]*)\}")
CSS_TOKEN = re.compile(r"(--[\w-]+)\s*:\s*([^;]+);")
CSS_VAR = re.compile(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)")
CSS_LIGHT_DARK = re.compile(r"light-dark\(\s*([^(),]+|rgb\([^()]*\))\s*,\s*(?:[^(),]+|rgb\([^()]*\))\s*\)")
CSS_COLOR_MIX = re.compile(r"color-mix\(in srgb,\s*([^\s(),]+)(?:\s+([\d.]+)%)?,\s*([^\s(),]+)(?:\s+([\d.]+)%)?\)")
CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
FONT_TOKENS = {"--font-display": "serif", "--font-text": "serif"}  # of the picture's own
MAX_DEPTH = 8  # functions inside functions
NAMED_COLOURS = {"black": "#000000", "white": "#ffffff", "transparent": "#00000000"}


@lru_cache(1)
def _read_styles() -> str:
    return CSS_COMMENT.sub(
        "", "".join((STATIC_FOLDER / name).read_text(encoding="utf-8") for name in ("tokens.css", "base.css"))
    )


@lru_cache(assets.MAX_CACHED_GAMES)
def read_css_tokens(game_id: str) -> Mapping[str, str]:
    """The house's colours on the pages of a game, by day."""
    values: dict[str, str] = {}
    selectors = (":root", ":root, [data-game]", ".vig", f'[data-game="{game_id}"]')
    for selector in selectors:
        for block_selector, inner in CSS_BLOCK.findall(_read_styles()):
            if " ".join(block_selector.split()) == selector:
                values.update({name: " ".join(value.split()) for name, value in CSS_TOKEN.findall(inner)})
    return values | FONT_TOKENS


def resolve_css(text: str, css_tokens: Mapping[str, str]) -> str:
    """The text without functions of CSS; raises ValueError where one is left."""
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
    """So much of one colour and the rest of another."""
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
    """A game's picture in plain colours."""
    return Markup(resolve_css(str(assets.load_vignette(game)), read_css_tokens(game.id)))  # a package's own file


def render_cover(game: Game) -> str:
    """A game's picture alone, in the shape that messengers show."""
    inner = f'<g transform="translate(0 -60) scale(3.75)">{resolve_vignette(game)}</g>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">{inner}</svg>'


def resolve_colour(game: Game, token: str) -> str:
    """One of the house's colours on a game's pages."""
    return resolve_css(f"var({token})", read_css_tokens(game.id))


def fit_text(text: str, size: float, width: float, min_size: float) -> tuple[str, float]:
    """A text and the size at which it has room, shortened where that would be too small to read."""
    letter_width = 0.51  # of the size, for a letter
    fitting_size = min(size, width / (letter_width * max(1, len(text))))
    if fitting_size >= min_size:
        return text, round(fitting_size, 1)
    return text[: max(1, int(width / (letter_width * min_size)) - 1)].rstrip() + "…", min_size
