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

from triclinium.engine.core.components import FILE_CACHE_SIZE, ComponentsTable, read_components
from triclinium.engine.core.text import Name
from triclinium.games.missionnaires.rules.components import BETHEL, CONGREGATION, KINDS, SEA, Components
from triclinium.games.missionnaires.ui.translations import find_second_name, get_reader
from triclinium.i18n.catalog import ENGLISH

Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom

WIDTH, HEIGHT = 850.0, 564.0
LINE_HEIGHT = 11.5  # from one line of a name to the next
MAX_LINE_LETTERS = 12  # in a line of a name that nobody has laid out
LETTER_WIDTH = 6.1  # how wide a letter of a name is, about
NAME_SCALES: Final = (("v2", 1.32), ("v1", 1.65), ("v0", 2.2))  # how much larger names stand on ever smaller boards
DISTANCE_LETTERS: Final = 3  # letters of a distance
EDGE_MARGIN: Final = 25.0  # names end before the edge of the sheet
ZOOM_LEVELS: Final = ("v0", "v1", "v2", "v3", "far")  # how near the map must be for a name, see `levels`
OTHER_SPACES_RANK: Final = 2  # the rank of a space that is neither the Bethel nor a congregation
MIRRORED_ANCHORS: Final = {"start": "end", "end": "start", "middle": "middle"}
VOUCHER_PREFIX: Final = re.compile(r"^BON\s*:\s*")
KIND_NAMES = (
    Name("Bethel", "space kind"),
    Name("congregation", "space kind"),
    Name("gendarmerie", "space kind"),
    Name("green town", "space kind"),
    Name("sea point", "space kind"),
)
SPACE_SYMBOLS = ("bethel", "hall", "barracks", "green", "sea")  # the symbols of symbols.svg.jinja, by kind


class MapMarkup(str):
    """Markup made once, of what is printed: the templates do not escape it again."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


class SpaceLabel:
    """The name of a space in one language: where it stands from the space, with an anchor for a port."""

    def __init__(self, entry: ComponentsTable, lines: list[str], side: int = 1) -> None:
        """``side``: -1 to have it on the other side of the space than the sheet has."""
        self.entry = entry
        self.lines = lines
        self.x = side * entry.number("x")
        self.y = entry.number("y")
        anchor = entry.text("at")
        self.anchor = anchor if side > 0 else MIRRORED_ANCHORS[anchor]  # the side of the text that is held fast
        self.zoomed_only = entry.has("far") and entry.flag("far")  # there is room for it only on a map that is zoomed
        self.leader_svg = ""
        if entry.has("leader"):
            leader = entry.row("leader")
            (a, b), (d, e) = leader.pair("from"), leader.pair("to")
            self.leader_svg += f'<path class="leader" d="M{side * a} {b}L{side * d} {e}"/>'
        if entry.has("port"):
            a, b = entry.pair("port")
            self.leader_svg += f'<use href="#lm-anchor" transform="translate({side * a} {b})"/>'

    def to_svg(self, level: str, distance: str = "") -> str:
        """The name as it is drawn; of one's own congregations it ends with how far they are."""
        lines = [escape(line) for line in self.lines]
        if distance:
            lines[-1] += f' <tspan class="away">{distance}</tspan>'
        start = f'text-anchor="{self.anchor}" x="{self.x}" y="{self.y}"'
        # A space of no width, for those who read or copy the name: `Mer de Cilicie`.
        further_lines = [
            f'<tspan font-size="0"> </tspan><tspan x="{self.x}" dy="{LINE_HEIGHT}">{line}</tspan>' for line in lines[1:]
        ]
        if not self.leader_svg:
            return f'<text class="n {level}" {start}>{lines[0]}{"".join(further_lines)}</text>'
        return f'<g class="n {level}">{self.leader_svg}<text {start}>{lines[0]}{"".join(further_lines)}</text></g>'

    def compute_bounding_box(self, x: float, y: float, scale: float, extra_letters: int = 0) -> Box:
        """What the name, and so many letters ``extra_letters``, covers of the sheet when it stands so much larger."""
        width = LETTER_WIDTH * (max(len(line) for line in self.lines) + extra_letters)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        bottom = self.y + LINE_HEIGHT * (len(self.lines) - 1) + 2.5
        return (x + left * scale, y + (self.y - 8.5) * scale, x + (left + width) * scale, y + bottom * scale)


class MapSpace:
    """A space as it is printed."""

    def __init__(self, c: Components, number: int, entry: ComponentsTable) -> None:
        self.number = number
        self.id = c.ids[number]
        self.x = entry.number("x")
        self.y = entry.number("y")
        self.kind = KINDS[c.kind[number]]
        self.sign = SPACE_SYMBOLS[c.kind[number]]
        self.name = c.space_names[number]
        self.grid = c.grids[number]
        self.transform = f'transform="translate({self.x} {self.y})"'
        self.label_entries = entry.row("label")  # where its name stands, by language
        self._components = c
        self._texts: dict[str, SpaceText] = {}

    def text_in(self, language: str) -> "SpaceText":
        """What is read of it in a language, made when somebody first does."""
        text = self._texts.get(language)
        if text is None:
            text = self._texts[language] = SpaceText(self._components, self, language)
        return text


class SpaceText:
    """What is read of a space in one language: on the sheet, and when it is pointed at."""

    def __init__(self, c: Components, space: MapSpace, language: str) -> None:
        self.short_name = drop_brackets(get_reader(language).format_arg(space.name))
        self.description = describe_space(c, space.number, language)
        self.label = place_label(self.short_name, drop_brackets(space.name.text), space.label_entries, language)
        self.own_label = self._fit_on_sheet(space)  # its name, when mine

    def _fit_on_sheet(self, space: MapSpace) -> SpaceLabel:
        """The name on that side where it stays on the sheet on a small screen too, with its distance."""
        label = self.label
        scale = NAME_SCALES[1][1]
        left, _, right, _ = label.compute_bounding_box(space.x, space.y, scale, DISTANCE_LETTERS)
        if left > EDGE_MARGIN and right < WIDTH - EDGE_MARGIN:
            return label
        if label.anchor != "middle":
            return SpaceLabel(label.entry, label.lines, -1)
        shifted_label = SpaceLabel(label.entry, label.lines)  # it has no other side: it moves as far as it must
        shifted_label.x += (max(0.0, EDGE_MARGIN - left) - max(0.0, right - WIDTH + EDGE_MARGIN)) / scale
        shifted_label.x = round(shifted_label.x, 1)
        return shifted_label


def place_label(name: str, english: str, labels: ComponentsTable, language: str) -> SpaceLabel:
    """The name where the sheet has it in this language; else where the English stands, in lines of its own."""
    has_layout = labels.has(language)
    entry = labels.row(language if has_layout else ENGLISH)
    if has_layout or name == english:
        return SpaceLabel(entry, entry.texts("lines"))
    return SpaceLabel(entry, wrap(name, MAX_LINE_LETTERS, break_long_words=False))


def drop_brackets(name: str) -> str:
    """A name without what stands in brackets."""
    return name.split(" (")[0]


def describe_space(c: Components, number: int, language: str) -> str:
    """``Genoa · Gênes · Italy · congregation, port · B4``: the name, that beside it, then everything printed."""
    translator = get_reader(language)
    name = translator.format_arg(c.space_names[number])
    second_title = find_second_name(c.space_names[number], name)
    parts = [name, second_title] if second_title else [name]
    if c.kind[number] != SEA:
        parts.append(translator.format_arg(c.countries[number]))
    kind = translator.format_arg(KIND_NAMES[c.kind[number]])
    return " · ".join([*parts, f"{kind}, {translator.translate('port')}" if c.port[number] else kind, c.grids[number]])


@lru_cache(FILE_CACHE_SIZE)
def list_spaces_by_number(c: Components) -> list[MapSpace]:
    """Every space where the sheet has it, by number."""
    layout = read_components(Path(__file__).parents[1] / "data" / "layout.toml")
    entries = {entry.text("id"): entry for entry in layout.rows("spaces")}
    return [MapSpace(c, number, entries[c.ids[number]]) for number in range(c.spaces)]


@lru_cache(FILE_CACHE_SIZE)
def map_spaces_by_id(c: Components) -> dict[str, MapSpace]:
    """Every space by its id, as options name it."""
    return {space.id: space for space in list_spaces_by_number(c)}


# -- which names have room ----------------------------------------------------------------------------------------


@lru_cache(100)
def assign_name_levels(c: Components, language: str) -> list[str]:
    """How near the map must be for a name: `v3` where names stand in their own size, `far` nearer than that. Where they
    must stand larger than they were placed for, those with room stay, on a laptop's board all kinds: `v2`; on smaller
    ones the Bethel and congregations: `v1`, on a phone `v0`."""
    levels_by_space = [
        "far" if space.text_in(language).label.zoomed_only else "v3" for space in list_spaces_by_number(c)
    ]
    candidates = sorted(
        (space for space in list_spaces_by_number(c) if levels_by_space[space.number] == "v3"), key=rank_name
    )
    for level, scale in NAME_SCALES:
        used_boxes: list[Box] = []
        for space in candidates:
            box = space.text_in(language).label.compute_bounding_box(space.x, space.y, scale)
            inside = box[0] > EDGE_MARGIN and box[2] < WIDTH - EDGE_MARGIN
            if inside and not any(boxes_overlap(box, other) for other in used_boxes):
                used_boxes.append(box)
                levels_by_space[space.number] = level
        candidates = [
            space
            for space in candidates
            if levels_by_space[space.number] == level and rank_name(space)[0] < OTHER_SPACES_RANK
        ]
    return levels_by_space


@lru_cache(10_000)
def find_covered_names(c: Components, language: str, number: int) -> dict[int, str]:
    """The names that a plate with this congregation's name and distance would cover, and how near they stand then."""
    mine = list_spaces_by_number(c)[number]
    covered_levels: dict[int, str] = {}
    for scale, level in ((2.2, "v1"), (1.65, "v2"), (1.32, "v3"), (1.0, "far")):
        plate = mine.text_in(language).own_label.compute_bounding_box(mine.x, mine.y, scale, DISTANCE_LETTERS)
        for space in list_spaces_by_number(c):
            if space is not mine and boxes_overlap(
                plate, space.text_in(language).label.compute_bounding_box(space.x, space.y, scale)
            ):
                covered_levels[space.number] = level
    return covered_levels


def rank_name(space: MapSpace) -> tuple[int, int]:
    """The Bethel comes first, then the congregations as the rulebook lists them, then the others."""
    return ({KINDS[BETHEL]: 0, KINDS[CONGREGATION]: 1}.get(space.kind, OTHER_SPACES_RANK), space.number)


def boxes_overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


# -- ways ---------------------------------------------------------------------------------------------------------


@lru_cache(FILE_CACHE_SIZE)
def map_edge_paths(c: Components) -> dict[frozenset[int], str]:
    """The drawn line of every road and lane, by its two ends: each is a piece of a path of `ground.svg`."""
    ends = {(space.x, space.y): space.number for space in list_spaces_by_number(c)}
    ground = (Path(__file__).parent / "ground.svg").read_text(encoding="utf-8")
    paths: dict[frozenset[int], str] = {}
    for path in re.findall(r'id="lm-(?:roads|later|lanes)" d="([^"]*)"', ground):
        for piece in path.split("M")[1:]:
            figures = [float(figure) for figure in re.findall(r"-?\d+(?:\.\d+)?", piece)]
            paths[frozenset((ends[figures[0], figures[1]], ends[figures[-2], figures[-1]]))] = f"M{piece}"
    return paths


@lru_cache(FILE_CACHE_SIZE)
def has_later_roads(c: Components) -> bool:
    """Whether this edition has the roads that the second one laid to the Bethel."""
    ids = {c.ids[town] for town in c.roads[c.bethel]}
    return {"gre", "nim", "bay"} <= ids


@dataclass(slots=True)
class ShortestPath:
    """A shortest way between two spaces: its drawn line, and whether it goes by sea."""

    svg_path: str
    by_sea: bool


@lru_cache(4_000)
def find_shortest_path(c: Components, start: int, goal: int) -> ShortestPath:
    """The shortest way; by road rather than by sea where both are as short."""
    edges = list(pairwise(list_shortest_path_spaces(c, start, goal)))
    edge_lines = [map_edge_paths(c)[frozenset(edge)] for edge in edges]
    return ShortestPath("".join(edge_lines), any(c.is_lane(here, there) for here, there in edges))


@lru_cache(4_000)
def list_shortest_path_spaces(c: Components, start: int, goal: int) -> tuple[int, ...]:
    """The spaces of a shortest way."""
    path_spaces = [start]
    while path_spaces[-1] != goal:
        here = path_spaces[-1]
        closer = [space for space in c.near[here] if c.distance[space][goal] < c.distance[here][goal]]
        path_spaces.append(min(closer, key=lambda space: (c.is_lane(here, space), space)))
    return tuple(path_spaces)


@lru_cache(100)
def draw_shortest_paths(c: Components, start: int) -> MapMarkup:
    """Every road and lane on a shortest way from here, each once, with the spaces to which it leads."""
    goals: dict[frozenset[int], list[str]] = {}
    for goal in range(c.spaces):
        for edge in pairwise(list_shortest_path_spaces(c, start, goal)):
            goals.setdefault(frozenset(edge), []).append(c.ids[goal])
    return MapMarkup(
        "".join(
            f'<path class="way" data-shown="{" ".join(ids)}" d="{map_edge_paths(c)[edge]}"/>'
            for edge, ids in goals.items()
        )
    )


@lru_cache(200)
def draw_journey(c: Components, route: tuple[int, ...]) -> str:
    """The drawn line of a whole journey; straight where no road or lane leads."""
    journey_lines: list[str] = []
    for here, there in pairwise(route):
        a, b = list_spaces_by_number(c)[here], list_spaces_by_number(c)[there]
        line = map_edge_paths(c).get(frozenset((here, there))) if there in c.near[here] else None
        journey_lines.append(line or f"M{a.x} {a.y}L{b.x} {b.y}")
    return "".join(journey_lines)


@lru_cache(200)
def compute_road_distances(c: Components, start: int) -> dict[int, int]:
    """How far each space is for a proclaimer who never sails; islands are missing."""
    distances = {start: 0}
    frontier = [start]
    while frontier:
        frontier = list(dict.fromkeys(town for here in frontier for town in c.roads[here] if town not in distances))
        steps = max(distances.values()) + 1
        distances.update(dict.fromkeys(frontier, steps))
    return distances


# -- cards --------------------------------------------------------------------------------------------------------


class DeckCard:
    """A territory or sea card."""

    def __init__(self, c: Components, number: int) -> None:
        self.number = number
        self.id = c.card_ids[number]
        self.name = c.card_names[number]
        self.text = c.card_texts[number]
        self.bon = c.bon[number]
        self.is_territory = number < c.territories
        self.sign = "terr" if self.is_territory else "seac"
        self.key = (self.id, self.text.text)  # the same card may say something else in another edition

    def short_title(self, language: str) -> str:
        """The title, of a voucher without the word that its stub bears."""
        return VOUCHER_PREFIX.sub("", get_reader(language).format_arg(self.name))

    def second_title(self, language: str) -> str:
        """The title that stands beside it: as it was printed, or in English."""
        return VOUCHER_PREFIX.sub("", find_second_name(self.name, get_reader(language).format_arg(self.name)))


@lru_cache(FILE_CACHE_SIZE)
def list_cards_by_number(c: Components) -> list[DeckCard]:
    """Both decks, by number."""
    return [DeckCard(c, number) for number in range(len(c.card_ids))]


@lru_cache(FILE_CACHE_SIZE)
def map_cards_by_id(c: Components) -> dict[str, DeckCard]:
    """Every card by its id, as options name it."""
    return {card.id: card for card in list_cards_by_number(c)}
