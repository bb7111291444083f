"""The label engine: it places the names of places on a map so that nothing overlaps.

A game gives the engine one `MapLabel` for each name, the boxes that no name may cover (title, legend, plaques), the
lines that names should rather not cover (roads), and the frame of the map. `place_labels` returns where each name goes:

- All lengths are in units of the map. A game calls the engine once for each layout, that is for each font size in units
  of the map, and caches the result by layout and language. At every enlargement between two layouts the drawing keeps
  its proportions, so nothing overlaps there either.
- Widths come from the letters of the font that pages load (`map-names.woff2`, family ``Triclinium Map``), so a name is
  as wide in the browser as it was here.
- The engine tries positions all around a place, then farther away with a leader line. A name takes the best position
  that is free. If none is free, it takes the one whose neighbours can move most easily, and these are placed again.
- A name without any position is left out. A lower rank prevails: name what must be readable with rank 0.
- If each name has its own rank, placing ten names takes 1 to 2 ms, because the engine only tests the best positions.
  Among names of the same rank it starts with the one that has the fewest positions, and tests all of them.
- The same input always gives the same result.
"""

import math
import tomllib
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]
Leader: TypeAlias = tuple[Point, Point]  # line from a place to its name
Box: TypeAlias = tuple[float, float, float, float]  # the left, top, right and bottom of a rectangle

FONT_FAMILY: Final = "Triclinium Map"
LINE_HEIGHT: Final = 1.05  # distance between two lines, in font sizes
ASCENT: Final = 0.8  # height of the first line above its baseline, in font sizes
LETTER_HEIGHT: Final = 0.95  # height of a line with ascenders and descenders, in font sizes
UNKNOWN_WIDTH: Final = 900  # width of a letter that the font lacks, in thousandths of the font size
DIRECTIONS: Final = 20  # directions from a place in which its name may be
DISTANCES: Final = (0.0, 0.4, 1.0, 1.7, 2.5, 3.4, 4.5, 6.0)  # gaps between a place and its name, in line heights
LEADER_FROM: Final = 0.9  # gap from which a leader line is drawn, in line heights
LEADER_COST, GAP_COST, LINE_COST, STRANGER_COST = 5.0, 3.0, 0.45, 3.0  # costs of a position
SIDE_COSTS: Final = (0.0, 1.0, 0.7, 1.4)  # costs of a name at the right, below, at the left, and above its place
SAMPLE_DISTANCE: Final = 3.0  # distance between the points of a line that names avoid
CELL: Final = 24.0  # size of the cells of the search grid
RIVAL_COST, MOVE_COST = 8.0, 4.0  # costs of a name that must move, and of each of its earlier moves
MAX_MOVES: Final = 40  # number of times that a name may be moved before it is left out


@dataclass(frozen=True, slots=True)
class MapLabel:
    """A name to place: its possible sizes, and the symbol of its place, a disc that names keep clear of.

    A name has several sizes if it may be broken into lines in several ways.
    """

    id: str
    x: float
    y: float
    radius: float
    sizes: tuple[tuple[float, float], ...]  # width and height
    rank: int = 1  # a label with a lower rank has priority; 0 is for names that must be readable


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """The position of a name: the centre of its box, and the ends of its leader line if it has one."""

    id: str
    x: float
    y: float
    width: float
    height: float
    leader: Leader | None = None
    size_index: int = 0  # index of its size among those of the label

    @property
    def box(self) -> Box:
        """Return the box that the name covers."""
        return make_box(self.x, self.y, self.width, self.height)


@dataclass(frozen=True, slots=True)
class Disc:
    """A symbol or spot that no name and no leader line may cover."""

    x: float
    y: float
    radius: float


# -- the size of a name ------------------------------------------------------------------------------------------------


@cache
def load_letter_widths(bold: bool) -> dict[str, int]:
    """Return the width of each letter of the font, in thousandths of the font size."""
    data = tomllib.loads((Path(__file__).parent / "letter_widths.toml").read_text(encoding="utf-8"))
    return dict(zip(" " + data["letters"], data["width_bold" if bold else "width_regular"], strict=True))


def measure_text(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line of text in the font of map names."""
    widths = load_letter_widths(bold)
    return size / 1000 * sum(widths.get(letter, UNKNOWN_WIDTH) for letter in text)


def measure_lines(lines: Sequence[str], size: float, bold: bool = False) -> tuple[float, float]:
    """Return the width and height of a name with these lines."""
    return max(measure_text(line, size, bold) for line in lines), size * compute_height(len(lines))


def list_line_breaks(name: str) -> list[tuple[str, ...]]:
    """Return the ways to write a name in one or two lines."""
    words = name.split(" ")
    return [(name,), *((" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words)))]


def compute_height(lines: int) -> float:
    """Return the height of a name with this number of lines, in font sizes."""
    return LETTER_HEIGHT + LINE_HEIGHT * (lines - 1)


# -- placing -----------------------------------------------------------------------------------------------------------


class _Position(NamedTuple):
    """A position of a name around any place."""

    cost: float  # least cost: of its distance and its side
    size_index: int
    dx: float  # direction from the place
    dy: float
    distance: float  # gap between the place and the name, in line heights


@cache
def _list_positions(sizes: int) -> list[_Position]:
    """Return the positions around any place of a name with a number of sizes, cheapest first."""
    right, below, left, above = SIDE_COSTS
    positions: list[_Position] = []
    for size_index in range(sizes):
        for step in range(DIRECTIONS):
            angle = 2 * math.pi * step / DIRECTIONS
            dx, dy = math.cos(angle), math.sin(angle)
            side_cost = (right if dx > 0 else left) * dx * dx + (below if dy > 0 else above) * dy * dy
            for distance in DISTANCES:
                cost = GAP_COST * distance + (LEADER_COST if distance >= LEADER_FROM else 0.0) + side_cost
                positions.append(_Position(cost, size_index, dx, dy, distance))
    return sorted(positions, key=lambda position: position.cost)


@dataclass(slots=True)
class _Candidate:
    """A possible position of a name."""

    owner: int
    cost: float
    placed: PlacedLabel
    box: Box
    leader: Leader | None
    cells: tuple[tuple[int, int], ...]


class _Candidates:
    """The possible positions of a name, cheapest first, each made when it is first needed."""

    def __init__(self, source: Iterator[_Candidate]) -> None:
        self.made: list[_Candidate] = []
        self.source = source

    def __iter__(self) -> Iterator[_Candidate]:
        yield from self.made
        for candidate in self.source:
            self.made.append(candidate)
            yield candidate


def place_labels(
    labels: Sequence[MapLabel],
    frame: Box,
    *,
    obstacles: Sequence[Box] = (),
    discs: Sequence[Disc] = (),
    lines: Iterable[Sequence[Point]] = (),
    gap: float = 1.5,
) -> dict[str, PlacedLabel]:
    """Return the position of each name by id, without those for which there is no room.

    `discs` are spots to keep clear in addition to the places of the labels, and `gap` is the least distance between
    anything.
    """
    return _LabelSearch(labels, frame, obstacles, discs, lines, gap).solve()


class _LabelSearch:
    """The search for positions of all names of a map."""

    def __init__(
        self,
        labels: Sequence[MapLabel],
        frame: Box,
        obstacles: Sequence[Box],
        discs: Sequence[Disc],
        lines: Iterable[Sequence[Point]],
        gap: float,
    ) -> None:
        self.labels = labels
        self.frame = frame
        self.gap = gap
        self.discs = [Disc(label.x, label.y, label.radius) for label in labels] + list(discs)
        self.obstacles = obstacles
        self.points_by_cell: dict[tuple[int, int], list[Point]] = {}
        for point in (point for line in lines for point in sample_line(line)):
            self.points_by_cell.setdefault((int(point[0] // CELL), int(point[1] // CELL)), []).append(point)
        self.candidates = [_Candidates(self._list_candidates(n)) for n in range(len(labels))]
        self.chosen: list[_Candidate | None] = [None] * len(labels)
        self.chosen_by_cell: dict[tuple[int, int], set[int]] = {}

    def solve(self) -> dict[str, PlacedLabel]:
        """Place the names with the fewest positions first; move others away where a name finds no room."""
        ranks = Counter(label.rank for label in self.labels)

        def find_priority(n: int) -> tuple[int, int, int]:
            rank = self.labels[n].rank
            return rank, len(list(self.candidates[n])) if ranks[rank] > 1 else 0, n

        order = sorted(range(len(self.labels)), key=find_priority)
        moves = [0] * len(order)
        queue = deque(order)
        while queue:
            n = queue.popleft()
            if moves[n] <= MAX_MOVES:
                queue.extend(self._settle(n, moves, drops=False))
        for n in order:  # Names that are still missing take the room of less important ones.
            if self.chosen[n] is None:
                self._settle(n, moves, drops=True)
        for _ in range(3):  # Take the room that others have left.
            moved = [self._improve(n) for n in order]
            if not any(moved):
                break
        return {each.placed.id: each.placed for each in self.chosen if each is not None}

    def _settle(self, n: int, moves: list[int], drops: bool) -> list[int]:
        """Give a name its best position, and return the names that lose theirs.

        With `drops`, only less important names may lose theirs.
        """
        best: tuple[_Candidate, list[int]] | None = None
        least = math.inf
        for candidate in self.candidates[n]:
            if candidate.cost >= least:  # Candidates are sorted by cost.
                break
            rivals = self._list_rivals(candidate)
            if drops and any(self.labels[rival].rank <= self.labels[n].rank for rival in rivals):
                continue
            cost = candidate.cost + sum(RIVAL_COST + MOVE_COST * moves[rival] for rival in rivals)
            if cost < least:
                best, least = (candidate, rivals), cost
            if not rivals:  # All later candidates cost more.
                break
        if best is None:
            return []
        for rival in best[1]:
            self._remove(rival)
            moves[rival] += 1
        self._put(best[0])
        return best[1]

    def _improve(self, n: int) -> bool:
        """Move a name to its best free position, and return whether it has moved."""
        current = self.chosen[n]
        if current is not None:
            self._remove(n)
        for candidate in self.candidates[n]:
            if current is not None and candidate.cost >= current.cost:
                break
            if not self._list_rivals(candidate):
                self._put(candidate)
                return True
        if current is not None:
            self._put(current)
        return False

    def _put(self, candidate: _Candidate) -> None:
        self.chosen[candidate.owner] = candidate
        for cell in candidate.cells:
            self.chosen_by_cell.setdefault(cell, set()).add(candidate.owner)

    def _remove(self, n: int) -> None:
        candidate = self.chosen[n]
        assert candidate is not None
        self.chosen[n] = None
        for cell in candidate.cells:
            self.chosen_by_cell[cell].discard(n)

    def _list_rivals(self, candidate: _Candidate) -> list[int]:
        """Return the placed names that overlap a position."""
        left, top, right, bottom = candidate.box
        leader = candidate.leader
        rivals: list[int] = []
        tested = {candidate.owner}
        for cell in candidate.cells:
            for n in self.chosen_by_cell.get(cell, ()):
                if n in tested:
                    continue
                tested.add(n)
                other = self.chosen[n]
                assert other is not None
                box = other.box
                overlaps = left < box[2] and box[0] < right and top < box[3] and box[1] < bottom
                if overlaps or leaders_clash(candidate.box, leader, box, other.leader):
                    rivals.append(n)
        return sorted(rivals)

    # -- positions of one name -----------------------------------------------------------------------------------------

    def _list_candidates(self, n: int) -> Iterator[_Candidate]:
        """Yield the positions of a name that are free of symbols and obstacles, cheapest first.

        Most names take one of the first, so the others are not tested.
        """
        label = self.labels[n]
        line_height = min(height for _, height in label.sizes)
        reach = label.radius + DISTANCES[-1] * line_height + max(width + height for width, height in label.sizes)
        discs = [
            disc
            for at, disc in enumerate(self.discs)
            if at != n and max(abs(disc.x - label.x), abs(disc.y - label.y)) < reach + disc.radius
        ]
        frame = self.frame
        waiting: list[tuple[float, int, _Candidate]] = []  # tested positions that may cost more than untested ones
        for index, at in enumerate(_list_positions(len(label.sizes))):
            while waiting and waiting[0][0] <= at.cost:
                yield heappop(waiting)[2]
            width, height = label.sizes[at.size_index]
            # The nearest point of the box has the wanted distance from the symbol in this direction.
            away = label.radius + self.gap + at.distance * line_height
            x = round(label.x + at.dx * away + clamp(4 * at.dx, -1.0, 1.0) * width / 2, 1)
            y = round(label.y + at.dy * away + clamp(4 * at.dy, -1.0, 1.0) * height / 2, 1)
            left, top, right, bottom = box = make_box(x, y, width, height)
            if left < frame[0] or top < frame[1] or right > frame[2] or bottom > frame[3]:
                continue
            candidate = self._build_candidate(n, at, x, y, box, discs)
            if candidate is not None:
                heappush(waiting, (candidate.cost, index, candidate))
        yield from (candidate for _, _, candidate in sorted(waiting))

    def _build_candidate(
        self, n: int, at: _Position, x: float, y: float, box: Box, discs: list[Disc]
    ) -> _Candidate | None:
        """Return a position with its cost, or None if it covers something."""
        label, gap = self.labels[n], self.gap
        left, top, right, bottom = wide = (box[0] - gap / 2, box[1] - gap / 2, box[2] + gap / 2, box[3] + gap / 2)
        if any(boxes_overlap(wide, obstacle) for obstacle in self.obstacles):
            return None
        needs_leader = at.distance >= LEADER_FROM
        own = math.hypot(label.x - clamp(label.x, box[0], box[2]), label.y - clamp(label.y, box[1], box[3]))
        cost = at.cost
        for disc in discs:
            dx = left - disc.x if disc.x < left else disc.x - right if disc.x > right else 0.0
            dy = top - disc.y if disc.y < top else disc.y - bottom if disc.y > bottom else 0.0
            if dx < own and dy < own:
                away = math.hypot(dx, dy)
                if away < disc.radius + gap / 2 - 0.01:
                    return None
                if away < own and not needs_leader:
                    cost += STRANGER_COST  # The name is nearer to another place than to its own.
            elif (
                dx < disc.radius + gap / 2 and dy < disc.radius + gap / 2 and math.hypot(dx, dy) < disc.radius + gap / 2
            ):
                return None
        leader: Leader | None = None
        if needs_leader:
            u, v = clamp(label.x, box[0], box[2]), clamp(label.y, box[1], box[3])
            leader = (label.x, label.y), (u, v)
            if any(segment_meets_box(leader, obstacle) for obstacle in self.obstacles):
                return None
            west, east = (u, label.x) if u < label.x else (label.x, u)
            north, south = (v, label.y) if v < label.y else (label.y, v)
            for disc in discs:
                reach = disc.radius / 2
                # Most discs are far from the line, which is quick to see.
                is_near = west - reach <= disc.x <= east + reach and north - reach <= disc.y <= south + reach
                if is_near and segment_meets_disc(leader, disc, -reach):
                    return None
        cells = list_cells(wide)
        for cell in cells:
            for u, v in self.points_by_cell.get(cell, ()):
                if left < u < right and top < v < bottom:
                    cost += LINE_COST * SAMPLE_DISTANCE / label.sizes[0][1]
        if leader is not None:
            cells = list(dict.fromkeys([*cells, *list_leader_cells(leader)]))
        placed = PlacedLabel(label.id, x, y, *label.sizes[at.size_index], leader, at.size_index)
        return _Candidate(n, cost, placed, wide, leader, tuple(cells))


# -- geometry ----------------------------------------------------------------------------------------------------------


def make_box(x: float, y: float, width: float, height: float) -> Box:
    """Return the box around a centre."""
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def boxes_overlap(a: Box, b: Box) -> bool:
    """Return whether two boxes share more than an edge."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def leaders_clash(box: Box, leader: Leader | None, other_box: Box, other_leader: Leader | None) -> bool:
    """Return whether the leader line of a name meets another name or its leader line."""
    if leader is not None and segment_meets_box(leader, other_box):
        return True
    if other_leader is not None and segment_meets_box(other_leader, box):
        return True
    return leader is not None and other_leader is not None and segments_cross(leader, other_leader)


def clamp(value: float, least: float, most: float) -> float:
    """Return the nearest value within a range."""
    return min(max(value, least), most)


def list_cells(box: Box) -> list[tuple[int, int]]:
    """Return the cells of the search grid that a box touches."""
    return [
        (column, row)
        for column in range(int(box[0] // CELL), int(box[2] // CELL) + 1)
        for row in range(int(box[1] // CELL), int(box[3] // CELL) + 1)
    ]


def list_leader_cells(leader: Leader) -> list[tuple[int, int]]:
    """Return the cells of the search grid around a leader line."""
    (a, b), (x, y) = leader
    return list_cells((min(a, x), min(b, y), max(a, x), max(b, y)))


def sample_line(line: Sequence[Point]) -> Iterator[Point]:
    """Yield points along a line."""
    for (a, b), (x, y) in pairwise(line):
        steps = max(1, round(math.hypot(x - a, y - b) / SAMPLE_DISTANCE))
        for step in range(steps):
            yield a + (x - a) * step / steps, b + (y - b) * step / steps


def segment_meets_disc(segment: Leader, disc: Disc, gap: float = 0.0) -> bool:
    """Return whether a line comes nearer to a disc than a gap."""
    (a, b), (x, y) = segment
    dx, dy = x - a, y - b
    square = dx * dx + dy * dy
    share = clamp(((disc.x - a) * dx + (disc.y - b) * dy) / square, 0.0, 1.0) if square else 0.0
    return math.hypot(a + share * dx - disc.x, b + share * dy - disc.y) < disc.radius + gap


def segment_meets_box(segment: Leader, box: Box) -> bool:
    """Return whether a line has a point inside a box."""
    (a, b), (x, y) = segment
    first, last = 0.0, 1.0
    for start, delta, least, most in ((a, x - a, box[0], box[2]), (b, y - b, box[1], box[3])):
        if delta == 0.0:
            if not least < start < most:
                return False
            continue
        enter, leave = sorted(((least - start) / delta, (most - start) / delta))
        first, last = max(first, enter), min(last, leave)
    return first < last


def segments_cross(one: Leader, other: Leader) -> bool:
    """Return whether two lines cross."""
    (a, b), (c, d) = one, other
    return _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0


def _turn(a: Point, b: Point, c: Point) -> float:
    """Return a number whose sign is the side of a line on which a point is."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
