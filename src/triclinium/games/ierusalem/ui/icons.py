"""Markup of icons, numbers in their shapes, and Location tiles, for the templates.

A table has many hundreds of them. A cached function takes a tenth of the time of a template macro.
"""

from functools import cache, lru_cache
from html import escape
from typing import Final

from triclinium.engine.component_kinds import Sign

CACHE_SIZE = 4_000  # maximum number of cached pieces of markup

ICON_NAMES: Final = {  # icons whose name differs from their action
    "go_supper": "supper",
    "invited": "invite",
    "call_follower": "call",
    "change_places": "change",
    "go_market": "market",
    "go_temple": "temple",
    "draw_mahane": "mahane",
    "draw_xxxiii": "xxxiii",
}
RULES: Final = {  # the rule that explains each action
    "go_supper": "IE-4.2",
    "invited": "IE-4.4",
    "parable": "IE-4.1",
    "favor": "IE-4.5",
    "meeting": "IE-4.10",
    "go_market": "IE-3.1",
    "go_temple": "IE-3.3",
    "draw_mahane": "IE-4.11",
    "draw_xxxiii": "IE-4.11",
    "call_follower": "IE-4.6",
    "redistribute": "IE-4.9",
    "change_places": "IE-4.7",
}
GAINS_RULE = "IE-4.8"  # the rule of actions that only give goods, money or VP
# y of the text in each shape, in a box of 24
TEXT_MIDDLE: Final = {"pent": 12.6, "circ": 12, "tri": 14.8, "trin": 10.5, "coin": 12}
LETTER_MIN_SIZE = 18  # size below which a shape shows no letter, because the letter would be unreadable
ROMAN: Final = ("0", "I", "II", "III", "IV", "V", "VI", "VII")


class IconMarkup(str):
    """Text that a template does not escape."""

    def __html__(self) -> str:
        return self


def format_signed(value: object) -> str:
    """Return a number with a real minus sign."""
    return str(value).replace("-", "\N{MINUS SIGN}")


def choose_length_class(value: object) -> str:
    """Return a CSS class for a number that is long for its shape."""
    return " long" if len(str(value)) > 2 else ""


def shorten_name(name: str) -> str:
    """Return a short form of a name.

    Three or more words become an initial and the last word, so that people with the same first name have different
    short names. A long first word is cut after a consonant.
    """
    first, *more = name.split(" ")
    if len(more) > 1:
        return f"{first[0]}. {more[-1]}"
    return first if len(first) < 8 else f"{first[:5].rstrip('aeiouy')}."


class IconDrawer:
    """The markup of icons.

    The template gives the URLs of the game's sprite file and of the shared sprite file of seats.
    """

    roman = ROMAN

    def __init__(self, signs: str, seats: str) -> None:
        self.signs = signs
        self.seats = seats
        self.icon_svg = lru_cache(CACHE_SIZE)(self._icon_svg)
        self.number_svg = lru_cache(CACHE_SIZE)(self._number_svg)
        self.tile_svg = lru_cache(CACHE_SIZE)(self._tile_svg)
        self.piece_svg = lru_cache(CACHE_SIZE)(self._piece_svg)
        self.icon_html = lru_cache(CACHE_SIZE)(self._icon_html)
        self.number_html = lru_cache(CACHE_SIZE)(self._number_html)
        self.tile_html = lru_cache(CACHE_SIZE)(self._tile_html)
        self.signed = format_signed
        self.short = shorten_name

    # -- inside an SVG -----------------------------------------------------------------------------------------------

    def _icon_svg(self, id: str, x: float, y: float, size: float) -> IconMarkup:
        sign = ICON_NAMES.get(id, id)
        return IconMarkup(f'<use href="{self.signs}#{sign}" x="{x}" y="{y}" width="{size}" height="{size}"/>')

    def _number_svg(self, kind: str, value: int | str, x: float, y: float, size: float = 20) -> IconMarkup:
        """Return a number in its shape: pentagon at once, circle at a visit, triangle at the end, or coin."""
        return IconMarkup(
            f'<g class="num n-{kind}{choose_length_class(value)}" '
            f'transform="translate({x} {y}) scale({size / 24:.3f})">'
            f'<use href="{self.signs}#{kind}" width="24" height="24"/>'
            f'<text x="12" y="{TEXT_MIDDLE[kind]}">{format_signed(value)}</text></g>'
        )

    def reward_svg(self, kind: str, n: int, x: float, y: float, size: float = 20) -> IconMarkup:
        """Return a reward or an action."""
        if kind in ("vp", "denarii"):
            return self.number_svg("coin" if kind == "denarii" else "pent", n, x, y, size)
        return self.icon_svg(kind, x, y, size)

    def sign_svg(self, sign: Sign, x: float, y: float, size: float = 20) -> IconMarkup:
        """Return a sign of a card."""
        if sign.number:
            return self.number_svg(sign.id, sign.number, x, y, size)
        return self.icon_svg(sign.id, x, y, size)

    def end_value_svg(self, value: int, x: float, y: float, size: float = 20) -> IconMarkup:
        """Return the final value of a space: a triangle, or a shield if it is negative."""
        return self.number_svg("trin" if value < 0 else "tri", value, x, y, size)

    def _tile_svg(self, place: str, x: float, y: float, size: float = 24, kind: str = "") -> IconMarkup:
        """Return a Location's tile: square on a card, round on a Favor."""
        inset = round(size * 0.11, 1)
        corner = size / (2 if kind else 6)
        return IconMarkup(
            f'<g class="loc l-{place}"><rect x="{x}" y="{y}" width="{size}" height="{size}" rx="{corner:.1f}"/>'
            f"{self.icon_svg(place, x + inset, y + inset, round(size * 0.78, 1))}</g>"
        )

    def _piece_svg(self, seat: int, name: str, size: float) -> IconMarkup:
        """Return a Follower or a disk of a seat, centred on the origin."""
        shape = f'<use href="{self.seats}#seat-{seat}" x="{-size / 2}" y="{-size / 2}" width="{size}" height="{size}"/>'
        if size < LETTER_MIN_SIZE:
            return IconMarkup(shape)
        down = size * (0.12 if seat == 2 else 0)  # The letter in a triangle is lower.
        return IconMarkup(f'{shape}<text y="{down:.1f}">{escape(name[:1].upper())}</text>')

    # -- in HTML -----------------------------------------------------------------------------------------------------

    def _icon_html(self, id: str, size: float = 16) -> IconMarkup:
        return IconMarkup(
            f'<svg class="sg" width="{size}" height="{size}" aria-hidden="true">'
            f'<use href="{self.signs}#{ICON_NAMES.get(id, id)}"/></svg>'
        )

    def _number_html(self, kind: str, value: int, size: float = 20) -> IconMarkup:
        """Return a number in its shape."""
        return IconMarkup(
            f'<svg class="sg num n-{kind}{choose_length_class(value)}" '
            f'width="{size}" height="{size}" viewBox="0 0 24 24" '
            f'aria-hidden="true"><use href="{self.signs}#{kind}" width="24" height="24"/>'
            f'<text x="12" y="{TEXT_MIDDLE[kind]}">{format_signed(value)}</text></svg>'
        )

    def end_value_html(self, value: int, size: float = 18) -> IconMarkup:
        """Return the final value of a space."""
        return self.number_html("trin" if value < 0 else "tri", value, size)

    def reward_html(self, kind: str, n: int = 1, size: float = 18) -> IconMarkup:
        """Return a reward or an action."""
        if kind in ("none", "jesus"):
            return IconMarkup("")
        if kind == "vp":
            return self.number_html("pent", n, size)
        return self.number_html("coin", n, size) if kind == "denarii" else self.icon_html(kind, size)

    def _tile_html(self, place: str, kind: str = "") -> IconMarkup:
        """Return a Location's tile: square on a card, round on a Favor."""
        return IconMarkup(f'<span class="lt l-{place} {kind}">{self.icon_html(place, 13)}</span>')


@cache
def get_icon_drawer(signs: str, seats: str) -> IconDrawer:
    """Return the cached drawer for these sprite files."""
    return IconDrawer(signs, seats)
