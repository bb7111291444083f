"""Printed layout of the map and the cards: places, symbols and names of spaces, and the ways between them.

Nothing here depends on a match, so everything is computed once. `layout.toml` contains the places, `ground.svg` the
lines.
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
LINE_HEIGHT = 11.5  # distance between two lines of a name
MAX_LINE_LETTERS = 12  # maximum letters in a line of a name without a layout
LETTER_WIDTH = 6.1  # approximate width of a letter
NAME_SCALES: Final = (("v2", 1.32), ("v1", 1.65), ("v0", 2.2))  # enlargement of names on smaller and smaller boards
DISTANCE_LETTERS: Final = 3  # number of letters reserved for a distance
EDGE_MARGIN: Final = 25.0  # distance of names from the edge of the sheet
ZOOM_LEVELS: Final = ("v0", "v1", "v2", "v3", "far")  # zoom levels at which names appear, see `assign_name_levels`
OTHER_SPACES_RANK: Final = 2  # rank of spaces other than the Bethel and congregations
MIRRORED_ANCHORS: Final = {"start": "end", "end": "start", "middle": "middle"}
VOUCHER_PREFIX: Final = re.compile(r"^BON\s*:\s*")
KIND_NAMES = (
    Name("Bethel", "space kind"),
    Name("congregation", "space kind"),
    Name("gendarmerie", "space kind"),
    Name("green town", "space kind"),
    Name("sea point", "space kind"),
)
SPACE_SYMBOLS = ("bethel", "hall", "barracks", "green", "sea")  # symbol ids in symbols.svg.jinja, by kind


class MapMarkup(str):
    """Precomputed markup of printed parts, which templates do not escape again."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


class SpaceLabel:
    """Name of a space in one language, with its position relative to the space and an anchor symbol for a port."""

    def __init__(self, entry: ComponentsTable, lines: list[str], side: int = 1) -> None:
        """Create a label; ``side`` is -1 to put it on the side of the space opposite to the printed one."""
        self.entry = entry
        self.lines = lines
        self.x = side * entry.number("x")
        self.y = entry.number("y")
        anchor = entry.text("at")
        self.anchor = anchor if side > 0 else MIRRORED_ANCHORS[anchor]  # side of the text that stays in place
        # True if there is room for the name only on a zoomed map
        self.zoomed_only = entry.has("far") and entry.flag("far")
        self.leader_svg = ""
        if entry.has("leader"):
            leader = entry.row("leader")
            (a, b), (d, e) = leader.pair("from"), leader.pair("to")
            self.leader_svg += f'<path class="leader" d="M{side * a} {b}L{side * d} {e}"/>'
        if entry.has("port"):
            a, b = entry.pair("port")
            self.leader_svg += f'<use href="#lm-anchor" transform="translate({side * a} {b})"/>'

    def to_svg(self, level: str, distance: str = "") -> str:
        """Return the name as SVG; names of one's own congregations end with the distance."""
        lines = [escape(line) for line in self.lines]
        if distance:
            lines[-1] += f' <tspan class="away">{distance}</tspan>'
        start = f'text-anchor="{self.anchor}" x="{self.x}" y="{self.y}"'
        # A space of zero width separates the lines for screen readers and copied text, such as `Mer de Cilicie`.
        further_lines = [
            f'<tspan font-size="0"> </tspan><tspan x="{self.x}" dy="{LINE_HEIGHT}">{line}</tspan>' for line in lines[1:]
        ]
        if not self.leader_svg:
            return f'<text class="n {level}" {start}>{lines[0]}{"".join(further_lines)}</text>'
        return f'<g class="n {level}">{self.leader_svg}<text {start}>{lines[0]}{"".join(further_lines)}</text></g>'

    def compute_bounding_box(self, x: float, y: float, scale: float, extra_letters: int = 0) -> Box:
        """Return the box that the enlarged name covers on the sheet, including ``extra_letters`` more letters."""
        width = LETTER_WIDTH * (max(len(line) for line in self.lines) + extra_letters)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        bottom = self.y + LINE_HEIGHT * (len(self.lines) - 1) + 2.5
        return (x + left * scale, y + (self.y - 8.5) * scale, x + (left + width) * scale, y + bottom * scale)


class MapSpace:
    """Printed space of the map."""

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
        self.label_entries = entry.row("label")  # positions of the name, by language
        self._components = c
        self._texts: dict[str, SpaceText] = {}

    def text_in(self, language: str) -> "SpaceText":
        """Return the texts of the space in a language, computed on first use."""
        text = self._texts.get(language)
        if text is None:
            text = self._texts[language] = SpaceText(self._components, self, language)
        return text


class SpaceText:
    """Texts of a space in one language: its name on the sheet and its description."""

    def __init__(self, c: Components, space: MapSpace, language: str) -> None:
        self.short_name = drop_brackets(get_reader(language).format_arg(space.name))
        self.description = describe_space(c, space.number, language)
        self.label = place_label(self.short_name, drop_brackets(space.name.text), space.label_entries, language)
        self.own_label = self._fit_on_sheet(space)  # label for the viewer's own congregations

    def _fit_on_sheet(self, space: MapSpace) -> SpaceLabel:
        """Return the label on the side where it stays on the sheet even on a small screen, with its distance."""
        label = self.label
        scale = NAME_SCALES[1][1]
        left, _, right, _ = label.compute_bounding_box(space.x, space.y, scale, DISTANCE_LETTERS)
        if left > EDGE_MARGIN and right < WIDTH - EDGE_MARGIN:
            return label
        if label.anchor != "middle":
            return SpaceLabel(label.entry, label.lines, -1)
        # A centred label has no other side, so it is shifted onto the sheet.
        shifted_label = SpaceLabel(label.entry, label.lines)
        shifted_label.x += (max(0.0, EDGE_MARGIN - left) - max(0.0, right - WIDTH + EDGE_MARGIN)) / scale
        shifted_label.x = round(shifted_label.x, 1)
        return shifted_label


def place_label(name: str, english: str, labels: ComponentsTable, language: str) -> SpaceLabel:
    """Return the label in its printed place for this language.

    If there is none, the label has the place of the English one and its own line breaks.
    """
    has_layout = labels.has(language)
    entry = labels.row(language if has_layout else ENGLISH)
    if has_layout or name == english:
        return SpaceLabel(entry, entry.texts("lines"))
    return SpaceLabel(entry, wrap(name, MAX_LINE_LETTERS, break_long_words=False))


def drop_brackets(name: str) -> str:
    """Return a name without the part in brackets."""
    return name.split(" (")[0]


def describe_space(c: Components, number: int, language: str) -> str:
    """Return a description such as ``Genoa · Gênes · Italy · congregation, port · B4``, with everything printed."""
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
    """Return all spaces of the map, by number."""
    layout = read_components(Path(__file__).parents[1] / "data" / "layout.toml")
    entries = {entry.text("id"): entry for entry in layout.rows("spaces")}
    return [MapSpace(c, number, entries[c.ids[number]]) for number in range(c.spaces)]


@lru_cache(FILE_CACHE_SIZE)
def map_spaces_by_id(c: Components) -> dict[str, MapSpace]:
    """Return all spaces by id, as options name them."""
    return {space.id: space for space in list_spaces_by_number(c)}


# -- room for names ----------------------------------------------------------------------------------------------------


@lru_cache(100)
def assign_name_levels(c: Components, language: str) -> list[str]:
    """Return the zoom level from which each name is shown.

    Names in their printed size appear at `v3`, or at `far` if there is no room for them. On smaller boards names are
    enlarged, and only those with room remain. On the board of a laptop (`v2`) all kinds may remain; on smaller boards
    (`v1`) and phones (`v0`) only the Bethel and congregations.
    """
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
    """Return the names that the plate of an own congregation would cover, with the zoom levels where they appear."""
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
    """Return the sort key of a name: the Bethel, then congregations in the order of the rulebook, then others."""
    return ({KINDS[BETHEL]: 0, KINDS[CONGREGATION]: 1}.get(space.kind, OTHER_SPACES_RANK), space.number)


def boxes_overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


# -- roads and lanes ---------------------------------------------------------------------------------------------------


@lru_cache(FILE_CACHE_SIZE)
def map_edge_paths(c: Components) -> dict[frozenset[int], str]:
    """Return the drawn line of every road and lane by its two ends, cut from the paths of `ground.svg`."""
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
    """Return whether this edition has the roads to the Bethel that the second edition added."""
    ids = {c.ids[town] for town in c.roads[c.bethel]}
    return {"gre", "nim", "bay"} <= ids


@dataclass(slots=True)
class ShortestPath:
    """Shortest path between two spaces: its drawn line, and whether it goes by sea."""

    svg_path: str
    by_sea: bool


@lru_cache(4_000)
def find_shortest_path(c: Components, start: int, goal: int) -> ShortestPath:
    """Return a shortest path, preferring roads to lanes of the same length."""
    edges = list(pairwise(list_shortest_path_spaces(c, start, goal)))
    edge_lines = [map_edge_paths(c)[frozenset(edge)] for edge in edges]
    return ShortestPath("".join(edge_lines), any(c.is_lane(here, there) for here, there in edges))


@lru_cache(4_000)
def list_shortest_path_spaces(c: Components, start: int, goal: int) -> tuple[int, ...]:
    """Return the spaces of a shortest path."""
    path_spaces = [start]
    while path_spaces[-1] != goal:
        here = path_spaces[-1]
        closer = [space for space in c.near[here] if c.distance[space][goal] < c.distance[here][goal]]
        path_spaces.append(min(closer, key=lambda space: (c.is_lane(here, space), space)))
    return tuple(path_spaces)


@lru_cache(100)
def draw_shortest_paths(c: Components, start: int) -> MapMarkup:
    """Return the roads and lanes of all shortest paths from a space, each once, with the ids of their goals."""
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
    """Return the drawn line of a journey, straight where there is no road or lane."""
    journey_lines: list[str] = []
    for here, there in pairwise(route):
        a, b = list_spaces_by_number(c)[here], list_spaces_by_number(c)[there]
        line = map_edge_paths(c).get(frozenset((here, there))) if there in c.near[here] else None
        journey_lines.append(line or f"M{a.x} {a.y}L{b.x} {b.y}")
    return "".join(journey_lines)


@lru_cache(200)
def compute_road_distances(c: Components, start: int) -> dict[int, int]:
    """Return the distance by road to each space; islands are missing."""
    distances = {start: 0}
    frontier = [start]
    while frontier:
        frontier = list(dict.fromkeys(town for here in frontier for town in c.roads[here] if town not in distances))
        steps = max(distances.values()) + 1
        distances.update(dict.fromkeys(frontier, steps))
    return distances


# -- cards --------------------------------------------------------------------------------------------------------


class DeckCard:
    """Territory or sea card."""

    def __init__(self, c: Components, number: int) -> None:
        self.number = number
        self.id = c.card_ids[number]
        self.name = c.card_names[number]
        self.text = c.card_texts[number]
        self.bon = c.bon[number]
        self.is_territory = number < c.territories
        self.sign = "terr" if self.is_territory else "seac"
        self.key = (self.id, self.text.text)  # cache key; a card may have another text in another edition

    def short_title(self, language: str) -> str:
        """Return the title, without the prefix of a voucher."""
        return VOUCHER_PREFIX.sub("", get_reader(language).format_arg(self.name))

    def second_title(self, language: str) -> str:
        """Return the second title: the printed one, or English if that is the same as the first."""
        return VOUCHER_PREFIX.sub("", find_second_name(self.name, get_reader(language).format_arg(self.name)))


@lru_cache(FILE_CACHE_SIZE)
def list_cards_by_number(c: Components) -> list[DeckCard]:
    """Return the cards of both decks, by number."""
    return [DeckCard(c, number) for number in range(len(c.card_ids))]


@lru_cache(FILE_CACHE_SIZE)
def map_cards_by_id(c: Components) -> dict[str, DeckCard]:
    """Return all cards by id, as options name them."""
    return {card.id: card for card in list_cards_by_number(c)}
