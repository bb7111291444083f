"""The pages of a printed game: sheets of pieces with mirrored backs, boards as tiles, and the pages of the rules.

All lengths are millimetres. The template part named after ``content`` draws the page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from triclinium.boardkit.parts import Track
from triclinium.boardkit.print_list import PrintedBoard, PrintedPiece, PrintedPieces, PrintedSheet, PrintPart

PAPERS: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
SHEET_MARGIN: Final = 7.0  # minimum distance of pieces from the edge of the paper
TILE_MARGIN: Final = 10.0
OVERLAP: Final = 10.0  # width of the strip that neighbouring tiles of a board share
MARK_DISTANCE: Final = 3.0  # distance of crop marks from the pieces
MARK_LENGTH: Final = 3.5
MARK_MARGIN: Final = 4.0  # minimum distance of crop marks from the edge of the paper
SHEET_FRAME: Final = 32.0  # heights of a sheet's margins and heading, and of a row's heading
ROW_HEADING: Final = 11.0
TIGHT: Final = 10.0  # in a smaller margin, marks are shorter, and the block moves up to leave room for the footer
SHIFT: Final = 1.5

Line = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Page:
    """One side of a sheet of paper."""

    content: str  # cover, blank, pieces, tile, sheet or rules
    parts: tuple[str, ...] = ()  # ids of the parts on it
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class PiecesPage(Page):
    """Rows of pieces of one size that touch each other. The style sheet mirrors the rows of a back page."""

    rows: tuple[tuple[PrintedPiece | None, ...], ...] = ()
    millimetres: tuple[float, float] = (0.0, 0.0)
    marks: tuple[Line, ...] = ()
    is_tight: bool = False


@dataclass(frozen=True, slots=True)
class TilePage(Page):
    """A part of a board: its rectangle in the turned board, and its place among the tiles."""

    board: PrintedBoard | None = None
    window: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    turned_by: float = 0.0  # height of a board that is printed sideways; 0: it is upright
    place: tuple[int, int] = (0, 0)  # row and column


@dataclass(frozen=True, slots=True)
class SheetPage(Page):
    """A sheet with tracks and spaces, or a part of it."""

    sheet: PrintedSheet | None = None
    rows: tuple[Track, ...] = ()


@dataclass(frozen=True, slots=True)
class RulesPage(Page):
    """Two pages of the rules next to each other; 0 is an empty page."""

    left: int = 0
    right: int = 0


def lay_out(
    parts: Sequence[PrintPart], heights: dict[str, float], paper: str, has_backs: bool, rules_pages: int
) -> list[Page]:
    """Return all pages. With backs, every sheet has two sides, so that all can be printed in one run.

    ``heights`` has the height of each board by its id.
    """
    fronts_and_backs: list[tuple[Page, Page]] = [(Page("cover"), Page("blank", is_back=True))]
    by_size: dict[tuple[float, float], list[PrintedPieces]] = {}
    for part in parts:
        if isinstance(part, PrintedPieces):
            by_size.setdefault(part.millimetres, []).append(part)
    for millimetres, groups in by_size.items():
        fronts_and_backs += _lay_out_pieces(groups, millimetres, PAPERS[paper])
    for part in parts:
        blank = Page("blank", (part.id,), True)
        if isinstance(part, PrintedBoard):
            fronts_and_backs += [(tile, blank) for tile in _cut_board(part, heights[part.id], PAPERS[paper])]
        elif isinstance(part, PrintedSheet):
            sheet_pages = [
                SheetPage("sheet", (part.id,), sheet=part, rows=rows) for rows in _split_sheet(part, PAPERS[paper])
            ]
            fronts_and_backs += [(page, blank) for page in sheet_pages] * part.count
    pages = [page for sheet in fronts_and_backs for page in sheet[: 1 + has_backs]]
    return pages + (_impose_rules(rules_pages) if has_backs else _pair_rules(rules_pages))


def fit(length: float, room: float) -> int:
    """Return how many pieces of a length fit next to each other, despite inexact sums."""
    return int((room + 0.001) / length)


def _lay_out_pieces(
    parts: Sequence[PrintedPieces], millimetres: tuple[float, float], paper: tuple[float, float]
) -> list[tuple[Page, Page]]:
    """Return sheets with the pieces of several parts in order. Each sheet has a front and a back."""
    pieces = [(part.id, piece) for part in parts for piece in part.pieces]
    across = max(1, fit(millimetres[0], paper[0] - 2 * SHEET_MARGIN))
    down = max(1, fit(millimetres[1], paper[1] - 2 * SHEET_MARGIN))
    sheets: list[tuple[Page, Page]] = []
    for first in range(0, len(pieces), across * down):
        on_sheet = pieces[first : first + across * down]
        ids = tuple(dict.fromkeys(id for id, _ in on_sheet))
        padded = [piece for _, piece in on_sheet] + [None] * (-len(on_sheet) % across)
        rows = tuple(tuple(padded[nth : nth + across]) for nth in range(0, len(padded), across))
        is_tight = (paper[1] - len(rows) * millimetres[1]) / 2 < TIGHT
        marks = tuple(_mark_cuts(across, len(rows), millimetres, paper, SHIFT if is_tight else 0.0))
        front = PiecesPage("pieces", ids, False, rows, millimetres, marks, is_tight)
        has_back = any(piece.back for _, piece in on_sheet)
        back = PiecesPage("pieces", ids, True, rows, millimetres, marks, is_tight)
        sheets.append((front, back if has_back else Page("blank", ids, True)))
    return sheets


def _mark_cuts(
    across: int, down: int, millimetres: tuple[float, float], paper: tuple[float, float], shift: float
) -> list[Line]:
    """Return crop marks outside a block of pieces, at every cut."""
    left = (paper[0] - across * millimetres[0]) / 2
    top = (paper[1] - down * millimetres[1]) / 2 - shift
    right, bottom = left + across * millimetres[0], top + down * millimetres[1]

    def find_ends(margin: float) -> tuple[float, float]:
        """Return the distances of the near and the far end of a mark from the pieces."""
        near = min(MARK_DISTANCE, max(0.5, (margin - MARK_MARGIN) / 3))
        return near, min(near + MARK_LENGTH, max(near + 0.5, margin - MARK_MARGIN))

    marks: list[Line] = []
    near, far = find_ends(min(top, paper[1] - bottom))
    for x in (left + nth * millimetres[0] for nth in range(across + 1)):
        marks += [(x, top - far, x, top - near), (x, bottom + near, x, bottom + far)]
    near, far = find_ends(left)
    for y in (top + nth * millimetres[1] for nth in range(down + 1)):
        marks += [(left - far, y, left - near, y), (right + near, y, right + far, y)]
    return [(round(x1, 2), round(y1, 2), round(x2, 2), round(y2, 2)) for x1, y1, x2, y2 in marks]


def _cut_board(board: PrintedBoard, height: float, paper: tuple[float, float]) -> list[Page]:
    """Return the tiles of a board, upright or sideways: the orientation that needs fewer tiles."""
    room = paper[0] - 2 * TILE_MARGIN, paper[1] - 2 * TILE_MARGIN

    def count(width: float, height: float) -> tuple[int, int]:
        return tuple(
            max(1, ceil((length - OVERLAP - 0.001) / (side - OVERLAP)))
            for length, side in zip((height, width), (room[1], room[0]), strict=True)
        )  # type: ignore[return-value]  # two numbers for two sides

    upright, turned = count(board.width, height), count(height, board.width)
    is_turned = turned[0] * turned[1] < upright[0] * upright[1]
    down, across = turned if is_turned else upright
    step = room[0] - OVERLAP, room[1] - OVERLAP
    return [
        TilePage(
            "tile",
            (board.id,),
            board=board,
            window=(round(column * step[0], 2), round(row * step[1], 2), round(room[0], 2), round(room[1], 2)),
            turned_by=height if is_turned else 0.0,
            place=(row + 1, column + 1),
        )
        for row in range(down)
        for column in range(across)
    ]


def _split_sheet(sheet: PrintedSheet, paper: tuple[float, float]) -> Iterator[tuple[Track, ...]]:
    """Yield the rows of each page of a sheet. A row that is too long for the rest of a page is continued."""
    rows: list[Track] = []
    room = paper[1] - SHEET_FRAME
    for row in sheet.rows:
        across = max(1, fit(row.millimetres[0], paper[0] - 2 * SHEET_MARGIN - 4.0))
        spaces = row.spaces
        while spaces:
            down = fit(row.millimetres[1], room - ROW_HEADING)
            if down < 1 and rows:
                yield tuple(rows)
                rows, room = [], paper[1] - SHEET_FRAME
                continue
            taken = spaces[: max(1, down) * across]
            rows.append(replace(row, spaces=taken))
            room -= ROW_HEADING + ceil(len(taken) / across) * row.millimetres[1]
            spaces = spaces[len(taken) :]
    yield tuple(rows)


def _impose_rules(pages: int) -> list[Page]:
    """Return the sides of a booklet: sheets on top of each other, folded in the middle."""
    last = pages + -pages % 4

    def number(n: int) -> int:
        return n if n <= pages else 0

    sides: list[Page] = []
    for nth in range(1, last // 2, 2):
        sides.append(RulesPage("rules", ("rules",), left=number(last + 1 - nth), right=nth))
        sides.append(RulesPage("rules", ("rules",), True, left=nth + 1, right=number(last - nth)))
    return sides


def _pair_rules(pages: int) -> list[Page]:
    """Return the pages of the rules in reading order, two on each sheet."""
    return [RulesPage("rules", ("rules",), left=n, right=n + 1 if n < pages else 0) for n in range(1, pages + 1, 2)]
