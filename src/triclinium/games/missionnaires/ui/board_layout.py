"""What is printed: where every space lies, its sign and name, the way between two spaces; and the cards of both decks.

Nothing here depends on a match, so all of it is made once: `layout.toml` holds the places, `ground.svg` the lines.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import pairwise
from pathlib import Path
from textwrap import wrap
from typing import Final, TypeAlias

from triclinium.engine.core.components import FILES_KEPT, Table, read_components
from triclinium.engine.core.text import Name
from triclinium.games.missionnaires.rules.components import BETHEL, CONGREGATION, KINDS, SEA, Components
from triclinium.games.missionnaires.ui.translations import name_beside, reader
from triclinium.i18n.catalog import ENGLISH

Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom

WIDTH, HEIGHT = 850.0, 564.0
LINE = 11.5  # from one line of a name to the next
LINE_LETTERS = 12  # in a line of a name that nobody has laid out
LETTER = 6.1  # how wide a letter of a name is, about
CROWDED: Final = (("v2", 1.32), ("v1", 1.65), ("v0", 2.2))  # how much larger names stand on ever smaller boards
AWAY: Final = 3  # letters of a distance
EDGE: Final = 25.0  # names end before the edge of the sheet
ORDER: Final = ("v0", "v1", "v2", "v3", "far")  # how near the map must be for a name, see `levels`
OTHERS: Final = 2  # the rank of a space that is neither the Bethel nor a congregation
OTHER_SIDE: Final = {"start": "end", "end": "start", "middle": "middle"}
STUB: Final = re.compile(r"^BON\s*:\s*")
KIND_NAMES = (
    Name("Bethel", "space kind"),
    Name("congregation", "space kind"),
    Name("gendarmerie", "space kind"),
    Name("green town", "space kind"),
    Name("sea point", "space kind"),
)
SIGNS = ("bethel", "hall", "barracks", "green", "sea")  # the symbols of symbols.svg.jinja, by kind


class Art(str):
    """Markup made once, of what is printed: the templates do not escape it again."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


class Label:
    """The name of a space in one language: where it stands from the space, with an anchor for a port."""

    def __init__(self, entry: Table, lines: list[str], side: int = 1) -> None:
        """``side``: -1 to have it on the other side of the space than the sheet has."""
        self.entry = entry
        self.lines = lines
        self.x = side * entry.number("x")
        self.y = entry.number("y")
        at = entry.text("at")
        self.at = at if side > 0 else OTHER_SIDE[at]  # the side of the text that is held fast
        self.far = entry.has("far") and entry.flag("far")  # there is room for it only on a map that is zoomed
        self.before = ""
        if entry.has("leader"):
            leader = entry.row("leader")
            (a, b), (d, e) = leader.pair("from"), leader.pair("to")
            self.before += f'<path class="leader" d="M{side * a} {b}L{side * d} {e}"/>'
        if entry.has("port"):
            a, b = entry.pair("port")
            self.before += f'<use href="#lm-anchor" transform="translate({side * a} {b})"/>'

    def art(self, level: str, away: str = "") -> str:
        """The name as it is drawn; of one's own congregations it ends with how far they are."""
        lines = [escape(line) for line in self.lines]
        if away:
            lines[-1] += f' <tspan class="away">{away}</tspan>'
        start = f'text-anchor="{self.at}" x="{self.x}" y="{self.y}"'
        # A space of no width, for those who read or copy the name: `Mer de Cilicie`.
        more = [f'<tspan font-size="0"> </tspan><tspan x="{self.x}" dy="{LINE}">{line}</tspan>' for line in lines[1:]]
        if not self.before:
            return f'<text class="n {level}" {start}>{lines[0]}{"".join(more)}</text>'
        return f'<g class="n {level}">{self.before}<text {start}>{lines[0]}{"".join(more)}</text></g>'

    def box(self, x: float, y: float, scale: float, more: int = 0) -> Box:
        """What the name, and so many letters ``more``, covers of the sheet when it stands so much larger."""
        width = LETTER * (max(len(line) for line in self.lines) + more)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.at]
        bottom = self.y + LINE * (len(self.lines) - 1) + 2.5
        return (x + left * scale, y + (self.y - 8.5) * scale, x + (left + width) * scale, y + bottom * scale)


class Space:
    """A space as it is printed."""

    def __init__(self, c: Components, number: int, entry: Table) -> None:
        self.number = number
        self.id = c.ids[number]
        self.x = entry.number("x")
        self.y = entry.number("y")
        self.kind = KINDS[c.kind[number]]
        self.sign = SIGNS[c.kind[number]]
        self.name = c.space_names[number]
        self.grid = c.grids[number]
        self.where = f'transform="translate({self.x} {self.y})"'
        self.labels = entry.row("label")  # where its name stands, by language
        self._components = c
        self._words: dict[str, SpaceWords] = {}

    def words(self, language: str) -> "SpaceWords":
        """What is read of it in a language, made when somebody first does."""
        found = self._words.get(language)
        if found is None:
            found = self._words[language] = SpaceWords(self._components, self, language)
        return found


class SpaceWords:
    """What is read of a space in one language: on the sheet, and when it is pointed at."""

    def __init__(self, c: Components, space: Space, language: str) -> None:
        self.short = short(reader(language).say(space.name))
        self.about = about(c, space.number, language)
        self.label = placed(self.short, short(space.name.text), space.labels, language)
        self.plate = self._inside(space)  # its name, when mine

    def _inside(self, space: Space) -> Label:
        """The name on that side where it stays on the sheet on a small screen too, with its distance."""
        label = self.label
        scale = CROWDED[1][1]
        left, _, right, _ = label.box(space.x, space.y, scale, AWAY)
        if left > EDGE and right < WIDTH - EDGE:
            return label
        if label.at != "middle":
            return Label(label.entry, label.lines, -1)
        found = Label(label.entry, label.lines)  # it has no other side: it moves as far as it must
        found.x += (max(0.0, EDGE - left) - max(0.0, right - WIDTH + EDGE)) / scale
        found.x = round(found.x, 1)
        return found


def placed(name: str, english: str, labels: Table, language: str) -> Label:
    """The name where the sheet has it in this language; else where the English stands, in lines of its own."""
    laid_out = labels.has(language)
    entry = labels.row(language if laid_out else ENGLISH)
    if laid_out or name == english:
        return Label(entry, entry.texts("lines"))
    return Label(entry, wrap(name, LINE_LETTERS, break_long_words=False))


def short(name: str) -> str:
    """A name without what stands in brackets."""
    return name.split(" (")[0]


def about(c: Components, number: int, language: str) -> str:
    """``Genoa · Gênes · Italy · congregation, port · B4``: the name, that beside it, then everything printed."""
    heard = reader(language)
    name = heard.say(c.space_names[number])
    beside = name_beside(c.space_names[number], name)
    parts = [name, beside] if beside else [name]
    if c.kind[number] != SEA:
        parts.append(heard.say(c.countries[number]))
    kind = heard.say(KIND_NAMES[c.kind[number]])
    return " · ".join([*parts, f"{kind}, {heard.translate('port')}" if c.port[number] else kind, c.grids[number]])


@lru_cache(FILES_KEPT)
def atlas(c: Components) -> list[Space]:
    """Every space where the sheet has it, by number."""
    layout = read_components(Path(__file__).parents[1] / "data" / "layout.toml")
    entries = {entry.text("id"): entry for entry in layout.rows("spaces")}
    return [Space(c, number, entries[c.ids[number]]) for number in range(c.spaces)]


@lru_cache(FILES_KEPT)
def spaces(c: Components) -> dict[str, Space]:
    """Every space by its id, as options name it."""
    return {space.id: space for space in atlas(c)}


# -- which names have room ----------------------------------------------------------------------------------------


@lru_cache(100)
def levels(c: Components, language: str) -> list[str]:
    """How near the map must be for a name: `v3` where names stand in their own size, `far` nearer than that. Where they
    must stand larger than they were placed for, those with room stay, on a laptop's board all kinds: `v2`; on smaller
    ones the Bethel and congregations: `v1`, on a phone `v0`."""
    found = ["far" if space.words(language).label.far else "v3" for space in atlas(c)]
    left = sorted((space for space in atlas(c) if found[space.number] == "v3"), key=rank)
    for level, scale in CROWDED:
        taken: list[Box] = []
        for space in left:
            box = space.words(language).label.box(space.x, space.y, scale)
            inside = box[0] > EDGE and box[2] < WIDTH - EDGE
            if inside and not any(overlap(box, other) for other in taken):
                taken.append(box)
                found[space.number] = level
        left = [space for space in left if found[space.number] == level and rank(space)[0] < OTHERS]
    return found


@lru_cache(10_000)
def yields(c: Components, language: str, number: int) -> dict[int, str]:
    """The names that a plate with this congregation's name and distance would cover, and how near they stand then."""
    mine = atlas(c)[number]
    found: dict[int, str] = {}
    for scale, level in ((2.2, "v1"), (1.65, "v2"), (1.32, "v3"), (1.0, "far")):
        plate = mine.words(language).plate.box(mine.x, mine.y, scale, AWAY)
        for space in atlas(c):
            if space is not mine and overlap(plate, space.words(language).label.box(space.x, space.y, scale)):
                found[space.number] = level
    return found


def rank(space: Space) -> tuple[int, int]:
    """The Bethel comes first, then the congregations as the rulebook lists them, then the others."""
    return ({KINDS[BETHEL]: 0, KINDS[CONGREGATION]: 1}.get(space.kind, OTHERS), space.number)


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


# -- ways ---------------------------------------------------------------------------------------------------------


@lru_cache(FILES_KEPT)
def lines(c: Components) -> dict[frozenset[int], str]:
    """The drawn line of every road and lane, by its two ends: each is a piece of a path of `ground.svg`."""
    ends = {(space.x, space.y): space.number for space in atlas(c)}
    ground = (Path(__file__).parent / "ground.svg").read_text(encoding="utf-8")
    found: dict[frozenset[int], str] = {}
    for path in re.findall(r'id="lm-(?:roads|later|lanes)" d="([^"]*)"', ground):
        for piece in path.split("M")[1:]:
            figures = [float(figure) for figure in re.findall(r"-?\d+(?:\.\d+)?", piece)]
            found[frozenset((ends[figures[0], figures[1]], ends[figures[-2], figures[-1]]))] = f"M{piece}"
    return found


@lru_cache(FILES_KEPT)
def later_roads(c: Components) -> bool:
    """Whether this edition has the roads that the second one laid to the Bethel."""
    ids = {c.ids[town] for town in c.roads[c.bethel]}
    return {"gre", "nim", "bay"} <= ids


@dataclass(slots=True)
class Way:
    """A shortest way between two spaces: its drawn line, and whether it goes by sea."""

    path: str
    sails: bool


@lru_cache(4_000)
def way(c: Components, start: int, goal: int) -> Way:
    """The shortest way; by road rather than by sea where both are as short."""
    edges = list(pairwise(stages(c, start, goal)))
    drawn = [lines(c)[frozenset(edge)] for edge in edges]
    return Way("".join(drawn), any(c.is_lane(here, there) for here, there in edges))


@lru_cache(4_000)
def stages(c: Components, start: int, goal: int) -> tuple[int, ...]:
    """The spaces of a shortest way."""
    found = [start]
    while found[-1] != goal:
        here = found[-1]
        closer = [space for space in c.near[here] if c.distance[space][goal] < c.distance[here][goal]]
        found.append(min(closer, key=lambda space: (c.is_lane(here, space), space)))
    return tuple(found)


@lru_cache(100)
def sections(c: Components, start: int) -> Art:
    """Every road and lane on a shortest way from here, each once, with the spaces to which it leads."""
    goals: dict[frozenset[int], list[str]] = {}
    for goal in range(c.spaces):
        for edge in pairwise(stages(c, start, goal)):
            goals.setdefault(frozenset(edge), []).append(c.ids[goal])
    return Art(
        "".join(f'<path class="way" data-shown="{" ".join(ids)}" d="{lines(c)[edge]}"/>' for edge, ids in goals.items())
    )


@lru_cache(200)
def travelled(c: Components, route: tuple[int, ...]) -> str:
    """The drawn line of a whole journey; straight where no road or lane leads."""
    drawn: list[str] = []
    for here, there in pairwise(route):
        a, b = atlas(c)[here], atlas(c)[there]
        line = lines(c).get(frozenset((here, there))) if there in c.near[here] else None
        drawn.append(line or f"M{a.x} {a.y}L{b.x} {b.y}")
    return "".join(drawn)


@lru_cache(200)
def by_road(c: Components, start: int) -> dict[int, int]:
    """How far each space is for a proclaimer who never sails; islands are missing."""
    far = {start: 0}
    edge = [start]
    while edge:
        edge = list(dict.fromkeys(town for here in edge for town in c.roads[here] if town not in far))
        steps = max(far.values()) + 1
        far.update(dict.fromkeys(edge, steps))
    return far


# -- cards --------------------------------------------------------------------------------------------------------


class Card:
    """A territory or sea card."""

    def __init__(self, c: Components, number: int) -> None:
        self.number = number
        self.id = c.card_ids[number]
        self.name = c.card_names[number]
        self.text = c.card_texts[number]
        self.bon = c.bon[number]
        self.land = number < c.territories
        self.sign = "terr" if self.land else "seac"
        self.key = (self.id, self.text.text)  # the same card may say something else in another edition

    def bare(self, language: str) -> str:
        """The title, of a voucher without the word that its stub bears."""
        return STUB.sub("", reader(language).say(self.name))

    def beside(self, language: str) -> str:
        """The title that stands beside it: as it was printed, or in English."""
        return STUB.sub("", name_beside(self.name, reader(language).say(self.name)))


@lru_cache(FILES_KEPT)
def pack(c: Components) -> list[Card]:
    """Both decks, by number."""
    return [Card(c, number) for number in range(len(c.card_ids))]


@lru_cache(FILES_KEPT)
def cards(c: Components) -> dict[str, Card]:
    """Every card by its id, as options name it."""
    return {card.id: card for card in pack(c)}
