"""Printed layout of the map and the cards: places and symbols of spaces, and the ways between them.

Nothing here depends on a match, so everything is computed once. `layout.toml` contains the places, `ground.svg` the
lines. `map_names.py` places the names.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from triclinium.engine.core.components import FILE_CACHE_SIZE, ComponentsTable, read_components
from triclinium.engine.core.text import Name
from triclinium.games.missionnaires.rules.components import KINDS, SEA, Components
from triclinium.games.missionnaires.ui.translations import find_second_name, get_reader

WIDTH, HEIGHT = 850.0, 564.0
KIND_NAMES = (
    Name("Bethel", "space kind"),
    Name("congregation", "space kind"),
    Name("gendarmerie", "space kind"),
    Name("green town", "space kind"),
    Name("sea point", "space kind"),
)


class MapMarkup(str):
    """Precomputed markup of printed parts, which templates do not escape again."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


class MapSpace:
    """A printed space of the map."""

    def __init__(self, c: Components, number: int, entry: ComponentsTable) -> None:
        self.number = number
        self.id = c.ids[number]
        self.x = entry.number("x")
        self.y = entry.number("y")
        self.kind = KINDS[c.kind[number]]
        self.name = c.space_names[number]
        self.grid = c.grids[number]
        self.transform = f'transform="translate({self.x} {self.y})"'
        self._components = c
        self._texts: dict[str, SpaceText] = {}

    def text_in(self, language: str) -> "SpaceText":
        """Return the texts of the space in a language, computed on first use."""
        text = self._texts.get(language)
        if text is None:
            text = self._texts[language] = SpaceText(self._components, self, language)
        return text


class SpaceText:
    """The texts of a space in one language: its name on the map and its description."""

    def __init__(self, c: Components, space: MapSpace, language: str) -> None:
        self.short_name = drop_brackets(get_reader(language).format_arg(space.name))
        self.description = describe_space(c, space.number, language)


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
    """The shortest path between two spaces: its drawn line, and whether it goes by sea."""

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
