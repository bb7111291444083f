"""The pen of the templates: signs, tokens of VP and coins, Location tiles, as markup.

A table holds many hundreds of them; written in Python they cost a tenth of what template macros cost.
"""

from html import escape
from typing import Final

from triclinium.titles.ierusalem.kinds import GOODS

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
RULES: Final = {
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
    "market": "IE-3.1",
    "temple": "IE-3.3",
    "desert": "IE-3.2",
    "mountain": "IE-3.2",
    "lake": "IE-3.2",
}
NUMBERS: Final = {"pent": (17.6, 14.0), "circ": (17, 14), "tri": (19.6, 13.5), "trin": (15, 12.5), "coin": (17, 14)}
ROMAN: Final = ("0", "I", "II", "III", "IV", "V", "VI", "VII")


class Markup(str):
    """Text that a template takes as it is."""

    def __html__(self) -> str:
        return self


class Pen:
    """Draws with the title's signs and the house's seats, whose files' addresses the template knows."""

    roman = ROMAN
    rules = RULES

    def __init__(self, signs: str, seats: str) -> None:
        self.signs = signs
        self.seats = seats

    # -- in an SVG ---------------------------------------------------------------------------------------------------

    def use(self, id: str, x: float, y: float, size: float) -> Markup:
        sign = SIGNS.get(id, id)
        return Markup(f'<use href="{self.signs}#{sign}" x="{x}" y="{y}" width="{size}" height="{size}"/>')

    def num(self, kind: str, value: object, x: float, y: float, size: float = 20) -> Markup:
        """A number in its shape: pentagon at once, circle at a visit, triangle at the end, coin."""
        down, high = NUMBERS[kind]
        said = str(value).replace("-", "\N{MINUS SIGN}")
        return Markup(
            f'<g class="num n-{kind}" transform="translate({x} {y}) scale({size / 24:.3f})">'
            f'<use href="{self.signs}#{kind}" width="24" height="24"/>'
            f'<text x="12" y="{down}" font-size="{high}">{said}</text></g>'
        )

    def gift(self, kind: str, n: int, x: float, y: float, size: float = 20) -> Markup:
        """A reward or an action."""
        if kind in ("vp", "denarii"):
            return self.num("pent" if kind == "vp" else "coin", n, x, y, size)
        return self.use(kind, x, y, size)

    def loc(self, place: str, x: float, y: float, size: float = 24) -> Markup:
        return Markup(
            f'<g class="loc l-{place}"><rect x="{x}" y="{y}" width="{size}" height="{size}" rx="{size / 6:.1f}"/>'
            f"{self.use(place, x + round(size * 0.11, 1), y + round(size * 0.11, 1), round(size * 0.78, 1))}</g>"
        )

    def body(self, seat: int, name: str, size: float) -> Markup:
        """A Follower or a disk of a seat, about the origin."""
        down = size * (0.27 if seat == 2 else 0.16)
        return Markup(
            f'<use href="{self.seats}#seat-{seat}" x="{-size / 2}" y="{-size / 2}" width="{size}" height="{size}"/>'
            f'<text y="{down:.1f}" font-size="{size * 0.42:.1f}">{escape(name[:1].upper())}</text>'
        )

    def space(self, value: int | None, low: int, high: int, seat: str, reward: str, amount: int, taken: bool) -> Markup:
        """What a Supper space shows, from its corner: its reward while it is empty, and its worth at the end."""
        parts = []
        gives = not taken and reward not in ("none", "jesus")
        if gives:
            parts.append(self.gift(reward, amount, 19 if value is None else 8, 9, 21))
        if value is not None:
            parts.append(self.num("trin" if value < 0 else "tri", value, 35, 14, 21))
        elif seat and not taken and not gives:
            said = f"{low}\N{HORIZONTAL ELLIPSIS}{high}".replace("-", "\N{MINUS SIGN}")
            parts.append(f'<text class="range" x="29.5" y="23">{said}</text>')
        return Markup(f'<g class="what">{"".join(parts)}</g>') if parts else Markup("")

    def miss(self, lacks: list[tuple[str, int]]) -> Markup:
        """The goods that are missing for a space."""
        parts = [
            f'<text x="{2 + 28 * nth}" y="36">+{n}</text>{self.use(good, 15 + 28 * nth, 26, 12)}'
            for nth, (good, n) in enumerate(lacks)
        ]
        return Markup(f'<g class="miss">{"".join(parts)}</g>')

    def prices(self, columns: list[int], rows: list[tuple[str, str, float]]) -> Markup:
        """Column prices above and below the room, row prices at its sides."""
        parts = []
        for nth, good in enumerate(columns):
            for y in (91, 505):
                parts.append(f'<text class="hn" x="{251 + 61 * nth}" y="{y + 13}">{nth + 1}</text>')
                parts.append(self.use(GOODS[good], 256 + 61 * nth, y, 15))
        for row, goods, top in rows:
            for x in (182, 731):
                parts.append(f'<text class="hn" x="{x + 8}" y="{top + 24}">{row}</text>')
                parts.append(self.use(goods, x + 18, top + 11, 17))
        return Markup("".join(parts))

    def track(self, steps: list[tuple[int, float]], marker: int, last: int, end: str) -> Markup:
        """The spaces of the Sanhedrin."""
        parts = []
        for step, y in steps:
            past = " past" if step < marker else " last" if step == last else ""
            said = escape(end) if step == last else step
            parts.append(
                f'<g class="step{past}"><rect class="sq" x="817" y="{y - 10:.1f}" width="27" height="20" rx="3"/>'
                f'<text class="sn" x="830.5" y="{y + 4:.1f}">{said}</text></g>'
            )
        return Markup("".join(parts))

    # -- what anything can tell, as attributes; the house's macros do the same, slower -------------------------------

    def tip(self, text: str) -> Markup:
        said = escape(text)
        return Markup(f'tabindex="0" role="img" aria-label="{said}" data-tip="{said}"')

    def enlarge(self, id: str, text: str) -> Markup:
        said = escape(text)
        return Markup(f'tabindex="0" role="button" aria-label="{said}" data-tip="{said}" data-enlarge="{id}"')

    # -- in a page ---------------------------------------------------------------------------------------------------

    def sign(self, id: str, size: float = 16, kind: str = "") -> Markup:
        return Markup(
            f'<svg class="sg {kind}" width="{size}" height="{size}" aria-hidden="true">'
            f'<use href="{self.signs}#{SIGNS.get(id, id)}"/></svg>'
        )

    def token(self, kind: str, value: object, size: float = 20) -> Markup:
        down, high = NUMBERS[kind]
        said = str(value).replace("-", "\N{MINUS SIGN}")
        return Markup(
            f'<svg class="sg num n-{kind}" width="{size}" height="{size}" viewBox="0 0 24 24" aria-hidden="true">'
            f'<use href="{self.signs}#{kind}" width="24" height="24"/>'
            f'<text x="12" y="{down}" font-size="{high}">{said}</text></svg>'
        )

    def ends(self, value: int, size: float = 18) -> Markup:
        """What a place scores at the end: a triangle, or a shield if it costs."""
        return self.token("trin" if value < 0 else "tri", value, size)

    def gives(self, kind: str, n: int = 1, size: float = 18) -> Markup:
        """A reward or an action."""
        if kind in ("none", "jesus"):
            return Markup("")
        if kind in ("vp", "vp3"):
            return self.token("pent", 3 if kind == "vp3" else n, size)
        return self.token("coin", n, size) if kind == "denarii" else self.sign(kind, size)

    def lt(self, place: str, kind: str = "") -> Markup:
        """A Location's tile: square on a card, round on a Favor."""
        return Markup(f'<span class="lt l-{place} {kind}">{self.sign(place, 13)}</span>')
