"""The pen of the templates: signs, tokens of VP and coins, Location tiles, as markup.

A table holds many hundreds of them; written in Python they cost a tenth of what template macros cost.
"""

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Final

from triclinium.kernel.message import Name
from triclinium.titles.ierusalem.kinds import GOODS, SHADES

if TYPE_CHECKING:
    from triclinium.titles.ierusalem.drawing import Apostle, Chair, Face, Piece, Space

Say = Callable[[Name], str]  # a component's name in the reader's language
Speak = Callable[..., str]  # a sentence of the templates in the reader's language

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

    def spaces(
        self,
        spaces: "list[Space]",
        names: list[str],
        goods: dict[str, str],
        rewarded: Callable[[str, int], str],
        speak: Speak,
    ) -> Markup:
        """The spaces of the Supper; each tells its price, its reward and its worth at the end."""
        said: dict[tuple[object, ...], str] = {}
        costs, gives, nobody = escape(speak("costs")), escape(speak("gives")), speak("the unused colour")
        parts = []
        for one in spaces:
            taken = one.owner is not None
            lacks = bool(one.lacks) and not taken
            owner = "" if not taken else f": {escape(names[one.owner] if isinstance(one.owner, int) else nobody)}"
            key = (one.value, one.seat, one.low)
            if key not in said:
                if one.value is not None:
                    said[key] = escape(speak("{0} VP at the end", one.value))
                elif one.seat:
                    told = speak("seat {0} is open: {1} to {2} VP at the end", one.seat.upper(), one.low, one.high)
                    said[key] = escape(told)
                else:
                    said[key] = escape(speak("no VP at the end"))
            price = " + ".join(goods[good] for good in one.cost)
            reward = ""
            if one.gives and not taken:
                gift = (one.reward, one.amount)
                if gift not in said:
                    said[gift] = f", {gives} {escape(rewarded(*gift))}"
                reward = said[gift]
            parts.append(
                f'<g class="space{" lacks" if lacks else ""}" id="space-{one.id}"'
                f' transform="translate({one.x} {one.y})" data-shown="go {one.id} onto {one.id}"'
                f' tabindex="0" role="img" aria-label="{one.name}"'
                f' data-tip="{one.name}{owner}\n{costs} {price}{reward}\n{said[key]}">'
                f'<rect class="hit{f" b-{one.shade}" if one.shade else ""}" width="59" height="39" rx="3"/>'
                f"{self.inside(one)}{self.miss(one.lacks) if lacks else ''}</g>"
            )
        return Markup("".join(parts))

    def inside(self, one: "Space") -> str:
        """What a space shows: its reward while it is empty, and its worth at the end."""
        parts = []
        shows = one.gives and one.owner is None
        if shows:
            parts.append(self.gift(one.reward, one.amount, 19 if one.value is None else 8, 9, 21))
        if one.value is not None:
            parts.append(self.num("trin" if one.value < 0 else "tri", one.value, 35, 14, 21))
        elif one.seat and one.owner is None and not shows:
            said = f"{one.low}\N{HORIZONTAL ELLIPSIS}{one.high}".replace("-", "\N{MINUS SIGN}")
            parts.append(Markup(f'<text class="range" x="29.5" y="23">{said}</text>'))
        return f'<g class="what">{"".join(parts)}</g>' if parts else ""

    def miss(self, lacks: list[tuple[str, int]]) -> str:
        """The goods that are missing for a space."""
        parts = [
            f'<text x="{2 + 28 * nth}" y="36">+{n}</text>{self.use(good, 15 + 28 * nth, 26, 12)}'
            for nth, (good, n) in enumerate(lacks)
        ]
        return f'<g class="miss">{"".join(parts)}</g>'

    def chairs(self, chairs: "list[Chair]", names: list[str], shades: dict[str, str], speak: Speak) -> Markup:
        """The twelve seats; an open one tells what an Apostle of each colour there would be worth to whom."""
        parts = []
        is_open = speak("open seat")
        for one in chairs:
            about = number = ""
            if not one.taken:
                told = f"{one.name}: {is_open} (IE-6.2)"
                for who, values in one.worth:
                    worths = ", ".join(f"{shades[SHADES[i]]} {value}" for i, value in enumerate(values))
                    told += f"\n{names[who]}: {worths}"
                about = f" {self.tip(told)}"
                number = f'<text class="seatno" x="{one.x + 29.5}" y="{one.y + 23.5}">{one.name}</text>'
            parts.append(
                f'<g class="chair{"" if one.taken else " open"}" id="chair-{one.id}"{about}>'
                f'<rect class="cushion" x="{one.x + 3}" y="{one.y + 0.5}" width="53" height="38" rx="9"/>'
                f'<rect class="cushion2" x="{one.x + 7}" y="{one.y + 4.5}" width="45" height="30" rx="6"/>{number}</g>'
            )
        return Markup("".join(parts))

    def apostles(self, apostles: "list[Apostle]", say: Say, speak: Speak) -> Markup:
        """The twelve Apostles, at the table or waiting."""
        parts = []
        for one in apostles:
            name = say(one.name)
            where = one.chair.name if one.chair else speak("waits in column {0}", ROMAN[one.column + 1])
            told = f"{name}: {speak('{0} VP for a Follower right behind', one.value)}, {where} (IE-6.2)"
            value = str(one.value).replace("-", "\N{MINUS SIGN}")
            first = escape(name.split(" ")[0])
            if one.chair:
                drawn = f'<use href="{self.signs}#ap" x="-24" y="-17" width="48" height="34"/>'
                drawn += f'<text class="apv" y="7">{value}</text>'
                drawn += f'<text class="apn onlinen" y="{33 if one.chair.upper else -22}">{first}</text>'
            else:
                drawn = f'<use href="{self.signs}#ap" x="-18" y="-13" width="36" height="26"/>'
                drawn += f'<text class="apv small" y="5.5">{value}</text>'
                drawn += "" if one.crowded else f'<text class="apn" y="22">{first}</text>'
            parts.append(
                f'<g class="piece ap a-{one.shade}{" seated" if one.chair else ""}" id="ap-{one.id}"'
                f' transform="translate({one.x} {one.y})" {self.tip(told)}>{drawn}</g>'
            )
        return Markup("".join(parts))

    def followers(self, followers: "list[Piece]", names: list[str], lifted: object) -> Markup:
        """All Followers on the board."""
        parts = []
        for one in followers:
            kind = "unused" if one.seat < 0 else f"seat s{one.seat}"
            drawn = '<circle r="10"/>' if one.seat < 0 else self.body(one.seat, names[one.seat], 26)
            parts.append(
                f'<g class="piece fo {kind}{" lifted" if one.at == lifted else ""}" id="{one.id}"'
                f' transform="translate({one.x} {one.y})">{drawn}</g>'
            )
        return Markup("".join(parts))

    def large(self, face: "Face", say: Say, said: dict[str, str]) -> Markup:
        """Everything about a card, for the dialog; ``said`` holds the sentences that many cards share."""
        place = escape(say(face.place))
        rows = []
        for kind, name in zip(face.actions, face.told, strict=True):
            rule = RULES.get(kind, "IE-4.8")
            link = f'<a class="r" href="/rules/ierusalem#{rule.lower()}">{rule}</a>'
            rows.append(f"<li>{self.gives(kind, 1, 34)}<span>{escape(say(name))} {link}</span></li>")
        return Markup(
            f'<template id="c-{face.id}">'
            f'<div class="dhead"><h2>{place} <small class="soft">{face.name}</small></h2></div>'
            f'<div class="bigcard l-{face.location}"><header>{self.sign(face.location, 40)}<span>{place}</span>'
            f'{self.token("circ", face.vp, 40)}</header><ul>{"".join(rows)}</ul></div><dl class="plain">'
            f"<dt>{place}</dt><dd>{escape(said[face.location])}</dd>"
            f"<dt>{escape(said['then'])}</dt><dd>{escape(said['order'])}</dd>"
            f"<dt>{self.token('circ', face.vp, 20)}</dt><dd>{escape(said['column'])}</dd>"
            f"<dt>{face.name}</dt><dd>{escape(said[face.deck])}</dd></dl></template>"
        )

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
