"""The pen of the templates: signs, numbers in their shapes, Location tiles, as markup.

A table shows many hundreds of them; a function that keeps what it has made costs a tenth of a template's macro.
"""

from functools import cache, lru_cache
from html import escape
from typing import Final

KEPT = 4_000  # pieces of markup

SIGNS: Final = {  # the signs that are not called like what they show
    "go_supper": "supper",
    "invited": "invite",
    "call_follower": "call",
    "change_places": "change",
    "go_market": "market",
    "go_temple": "temple",
    "draw_mahane": "mahane",
    "draw_xxxiii": "xxxiii",
}
RULES: Final = {  # where each action is explained
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
GAINS = "IE-4.8"  # the actions that only bring goods, money or VP
MIDDLE: Final = {"pent": 12.6, "circ": 12, "tri": 14.8, "trin": 10.5, "coin": 12}  # of each shape, in a box of 24
LETTERED = 18  # a smaller shape shows no letter: it could not be read
ROMAN: Final = ("0", "I", "II", "III", "IV", "V", "VI", "VII")


class Markup(str):
    """Text that a template takes as it is."""

    def __html__(self) -> str:
        return self


def signed(value: object) -> str:
    """A number with a real minus."""
    return str(value).replace("-", "\N{MINUS SIGN}")


def long(value: object) -> str:
    """The class of a number that its shape has hardly room for."""
    return " long" if len(str(value)) > 2 else ""


def short(name: str) -> str:
    """A name beside its neighbours: one of two who are called alike by what tells them apart, a long one cut as one
    abbreviates it, behind a consonant."""
    first, *more = name.split(" ")
    if len(more) > 1:
        return f"{first[0]}. {more[-1]}"
    return first if len(first) < 8 else f"{first[:5].rstrip('aeiouy')}."


class Pen:
    """Draws with the game's signs and the house's seats, whose files' addresses the template knows."""

    roman = ROMAN

    def __init__(self, signs: str, seats: str) -> None:
        self.signs = signs
        self.seats = seats
        self.use = lru_cache(KEPT)(self._use)
        self.num = lru_cache(KEPT)(self._num)
        self.loc = lru_cache(KEPT)(self._loc)
        self.body = lru_cache(KEPT)(self._body)
        self.sign = lru_cache(KEPT)(self._sign)
        self.token = lru_cache(KEPT)(self._token)
        self.lt = lru_cache(KEPT)(self._lt)
        self.signed = signed
        self.short = short

    def rule(self, kind: str) -> str:
        """The rule of an action."""
        return RULES.get(kind, GAINS)

    # -- in an SVG ---------------------------------------------------------------------------------------------------

    def _use(self, id: str, x: float, y: float, size: float) -> Markup:
        """A sign."""
        sign = SIGNS.get(id, id)
        return Markup(f'<use href="{self.signs}#{sign}" x="{x}" y="{y}" width="{size}" height="{size}"/>')

    def _num(self, kind: str, value: int, x: float, y: float, size: float = 20) -> Markup:
        """A number in its shape: pentagon at once, circle at a visit, triangle at the end, coin."""
        return Markup(
            f'<g class="num n-{kind}{long(value)}" transform="translate({x} {y}) scale({size / 24:.3f})">'
            f'<use href="{self.signs}#{kind}" width="24" height="24"/>'
            f'<text x="12" y="{MIDDLE[kind]}">{signed(value)}</text></g>'
        )

    def gift(self, kind: str, n: int, x: float, y: float, size: float = 20) -> Markup:
        """A reward or an action."""
        if kind in ("vp", "vp3", "denarii"):
            return self.num("coin" if kind == "denarii" else "pent", 3 if kind == "vp3" else n, x, y, size)
        return self.use(kind, x, y, size)

    def end(self, value: int, x: float, y: float, size: float = 20) -> Markup:
        """What a place scores at the end: a triangle, or a shield if it costs."""
        return self.num("trin" if value < 0 else "tri", value, x, y, size)

    def _loc(self, place: str, x: float, y: float, size: float = 24, kind: str = "") -> Markup:
        """A Location's tile: square on a card, round on a Favor."""
        inset = round(size * 0.11, 1)
        corner = size / (2 if kind else 6)
        return Markup(
            f'<g class="loc l-{place}"><rect x="{x}" y="{y}" width="{size}" height="{size}" rx="{corner:.1f}"/>'
            f"{self.use(place, x + inset, y + inset, round(size * 0.78, 1))}</g>"
        )

    def _body(self, seat: int, name: str, size: float) -> Markup:
        """A Follower or a disk of a seat, about the origin."""
        shape = f'<use href="{self.seats}#seat-{seat}" x="{-size / 2}" y="{-size / 2}" width="{size}" height="{size}"/>'
        if size < LETTERED:
            return Markup(shape)
        down = size * (0.12 if seat == 2 else 0)  # the triangle's letter stands lower
        return Markup(f'{shape}<text y="{down:.1f}">{escape(name[:1].upper())}</text>')

    # -- in a page ---------------------------------------------------------------------------------------------------

    def _sign(self, id: str, size: float = 16) -> Markup:
        """A sign."""
        return Markup(
            f'<svg class="sg" width="{size}" height="{size}" aria-hidden="true">'
            f'<use href="{self.signs}#{SIGNS.get(id, id)}"/></svg>'
        )

    def _token(self, kind: str, value: int, size: float = 20) -> Markup:
        """A number in its shape."""
        return Markup(
            f'<svg class="sg num n-{kind}{long(value)}" width="{size}" height="{size}" viewBox="0 0 24 24" '
            f'aria-hidden="true"><use href="{self.signs}#{kind}" width="24" height="24"/>'
            f'<text x="12" y="{MIDDLE[kind]}">{signed(value)}</text></svg>'
        )

    def ends(self, value: int, size: float = 18) -> Markup:
        """What a place scores at the end."""
        return self.token("trin" if value < 0 else "tri", value, size)

    def gives(self, kind: str, n: int = 1, size: float = 18) -> Markup:
        """A reward or an action."""
        if kind in ("none", "jesus"):
            return Markup("")
        if kind in ("vp", "vp3"):
            return self.token("pent", 3 if kind == "vp3" else n, size)
        return self.token("coin", n, size) if kind == "denarii" else self.sign(kind, size)

    def _lt(self, place: str, kind: str = "") -> Markup:
        """A Location's tile: square on a card, round on a Favor."""
        return Markup(f'<span class="lt l-{place} {kind}">{self.sign(place, 13)}</span>')


@cache
def pen(signs: str, seats: str) -> Pen:
    """The one for these files."""
    return Pen(signs, seats)
