"""Places of the board: how often players choose each of them, in each edition.

Options name places by the axes of their verbs. Most games have a map with a layout. In a game whose players have lands
with numbered spaces, `Game.land_space` returns the space of an option, and the spaces form a grid.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import dist

import numpy as np
import polars as pl

from triclinium.engine.component_kinds import Layout
from triclinium.engine.core.text import Arg
from triclinium.engine.game import Game
from triclinium.engine.option_components import map_axis_words
from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import Numbers, make_arm_filter
from triclinium.lab.study.choices import MIN_DEALS
from triclinium.lab.study.clusters import make_deal_expression
from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.statistics import Contrast, Estimate, estimate_mean
from triclinium.lab.study.store import StudyFolder, collect_rows

LAND = "land"  # table of the spaces of lands; their ids are land and space, such as ``0 1`` for the first own space
CELL_WIDTH, CELL_HEIGHT = 200.0, 120.0  # distances of the spaces in a grid of lands

PlaceKey = tuple[str, str]  # table and id of a place


@dataclass(frozen=True)
class PlaceReport:
    """A place of the board over all matches with recorded choices of the main bots."""

    table: str
    id: str
    times: Sequence[Estimate]  # mean number of times that a match chooses it, for the first and the compared edition
    # Compared edition minus first edition, with an interval for the whole list; None with too few deals
    difference: Estimate | None = None

    @property
    def key(self) -> PlaceKey:
        return self.table, self.id

    @property
    def is_clear(self) -> bool:
        """Return whether the editions clearly differ here."""
        return self.difference is not None and self.difference.excludes_zero


@dataclass(frozen=True)
class DrawnPlace:
    """A place as it is drawn: its position in the units of the window, and its name, empty for a space of a land."""

    key: PlaceKey
    x: float
    y: float
    name: Arg = ""


@dataclass(frozen=True)
class PlaceBoard:
    """The board of a game as a drawing: its places, the lines between them, and the ground below them."""

    window: tuple[float, float, float, float]  # left, top, width, height
    places: Sequence[DrawnPlace]
    lines: Sequence[tuple[int, int]] = ()  # numbers of neighbouring places
    ground: str = ""  # file and id of the shape below the places, such as ``coast.svg#coast``

    @property
    def spacing(self) -> float:
        """Return the median distance from a place to the nearest other one."""
        points = [(place.x, place.y) for place in self.places]
        nearest = [min((dist(a, b) for b in points if b != a), default=self.window[2]) for a in points]
        return sorted(nearest)[len(nearest) // 2]


@lru_cache(16)
def make_place_board(game: Game, seats: int) -> PlaceBoard | None:
    """Return the board of a game, or None if it has neither a map nor lands."""
    kinds = [
        (table, kind.layout, kind.names)
        for table, kind in game.kinds().items()
        if kind.shape == "place" and kind.layout is not None and table in game.ids
    ]
    if not kinds:
        return _make_land_grid(game, seats)
    kinds.sort(key=lambda item: -len(item[1].points))  # the places of a smaller kind are drawn on the larger one
    places = [
        DrawnPlace((table, str(id)), x, y, name)
        for table, layout, names in kinds
        for id, name, (x, y) in zip(game.ids[table], names, layout.points, strict=True)
    ]
    first: Layout = kinds[0][1]
    return PlaceBoard(first.window, places, first.lines, first.ground)


def _make_land_grid(game: Game, seats: int) -> PlaceBoard | None:
    """Return the spaces of all lands as a grid with a row for each land."""
    options = [verb.format_option(o) for verb in game.verbs for o in range(verb.first, verb.first + verb.size)]
    named = {space for option in options for seat in range(seats) if (space := game.land_space(option, seat, seats))}
    if not named:
        return None
    places = [
        DrawnPlace((LAND, f"{land} {space}"), (space - 0.5) * CELL_WIDTH, (land + 0.5) * CELL_HEIGHT)
        for land, space in sorted(named)
    ]
    lands, spaces = (1 + max(land for land, _ in named)), max(space for _, space in named)
    lines = [(n, n + 1) for n, (a, b) in enumerate(pairwise(sorted(named))) if a[0] == b[0]]
    return PlaceBoard((0.0, 0.0, spaces * CELL_WIDTH, lands * CELL_HEIGHT), places, lines)


def find_chosen_places(game: Game, option: str, seat: int, seats: int) -> Iterator[PlaceKey]:
    """Yield the places that an option of a seat names."""
    word, *names = option.split()
    for meant, name in zip(_map_axes(game)[word], names, strict=True):
        if name in meant:
            table, n = meant[name]
            yield table, str(game.ids[table][n])
    space = game.land_space(option, seat, seats)
    if space is not None:
        yield LAND, f"{space[0]} {space[1]}"


@lru_cache(16)
def _map_axes(game: Game) -> Mapping[str, Sequence[Mapping[str, tuple[str, int]]]]:
    return map_axis_words(game.verbs, game.ids)


def analyze_places(folder: StudyFolder, deals: int) -> list[PlaceReport]:
    """Return the places of the board, the most chosen first, for the first two editions with the main bots."""
    plan = folder.plan
    game = plan.load_edition_game(0)
    board = make_place_board(game, plan.seats)
    if board is None:
        return []
    arms = [i for i, arm in enumerate(plan.arms) if arm.is_main and arm.edition < 2]
    recorded = [deal for deal in range(deals) if all(_records(plan, arm, deal) for arm in arms)]
    counts = [_count_places(folder, deals, arm, recorded) for arm in arms]
    none = np.zeros(len(recorded))
    reports: list[PlaceReport] = []
    contrasts: list[Contrast | None] = []
    for place in board.places:
        values = [count.get(place.key, none) for count in counts]
        reports.append(PlaceReport(*place.key, [estimate_mean([float(v) for v in each]) for each in values]))
        contrasts.append(_compare(values[0], values[1]) if len(values) > 1 else None)
    adjusted = iter(statistics.adjust_contrasts([contrast for contrast in contrasts if contrast is not None]))
    reports = [
        report if contrast is None else PlaceReport(*report.key, report.times, next(adjusted).family)
        for report, contrast in zip(reports, contrasts, strict=True)
    ]
    order = {place.key: n for n, place in enumerate(board.places)}
    return sorted(reports, key=lambda report: (-report.times[0].value, order[report.key]))


def _records(plan: StudyPlan, arm: int, deal: int) -> bool:
    return deal < plan.arms[arm].deals and plan.arms[arm].records_choices(deal)


def _count_places(folder: StudyFolder, deals: int, arm: int, recorded: Sequence[int]) -> dict[PlaceKey, Numbers]:
    """Return for each chosen place how often a match of each recorded deal chooses it."""
    plan = folder.plan
    game = plan.load_edition_game(plan.arms[arm].edition)
    rows = (
        folder.scan_table("choices", deals)
        .filter(make_arm_filter(folder, arm) & (pl.col("taken") > 0))
        .group_by(make_deal_expression(folder).alias("deal"), "seat", "option")
        .agg(pl.col("taken").cast(pl.Int64).sum())
    )
    index = {deal: n for n, deal in enumerate(recorded)}
    counts: dict[PlaceKey, Numbers] = {}
    for deal, seat, option, taken in collect_rows(rows, folder).iter_rows():
        if deal in index:
            for key in find_chosen_places(game, option, seat, plan.seats):
                counts.setdefault(key, np.zeros(len(recorded)))[index[deal]] += taken
    return {key: times / plan.arms[arm].rotations for key, times in counts.items()}


def _compare(first: Numbers, other: Numbers) -> Contrast | None:
    """Return the difference of two editions, or None if too few deals choose the place in either."""
    informative = int(((first > 0) | (other > 0)).sum())
    if informative < MIN_DEALS:
        return None
    estimate = estimate_mean([float(value) for value in other - first])
    return Contrast(estimate.value, estimate.error, len(first), informative)
