"""The review of a finished match: costliest mistakes, luck, and the win probability of each seat as a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from fastapi import APIRouter, Request, Response

from triclinium.bots.review import SEARCHED_PER_SEAT, SWING_COUNT, Review
from triclinium.engine.core.state import Seat
from triclinium.server.bots.jobs import ReviewProgress
from triclinium.server.http.auth import check_rate_limit, get_current_viewer
from triclinium.server.presenter.review import SeatReview, build_seat_review
from triclinium.server.presenter.table_view import Seats, TableView
from triclinium.server.tables import analysis
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Table
from triclinium.web import assets
from triclinium.web.page_context import PageContext
from triclinium.web.pages.table_page import (
    build_table_variables,
    read_requested_seat,
    render_table_template,
    render_table_text,
)

router = APIRouter(include_in_schema=False, prefix="/tables/{id}")

SEARCH_FACTOR = 2.5  # duration of a search in budgets: half of it again for the played option, and the explanation
SECONDS_PER_POSITION = 0.02
WIDTH, HEIGHT = 1000, 100  # the size of the chart in its own units; the page stretches it
TABLE_ROWS = 24  # the number of rows in the table next to the chart
MIN_FLAG_DISTANCE = 9.0  # percent of the chart's width: closer flags would touch on a phone


@dataclass(frozen=True)
class WinProbabilityLine:
    """The win probability of a seat as a line, and the place of its badge as shares of the chart's size."""

    seat: Seat
    points: str
    sign_x: float
    sign_y: float


@dataclass
class ReviewFlag:
    """A flag on the line of the seat at a move that is explained below the chart; positions in percent."""

    id: str  # id of the explanation that the flag belongs to
    label: str  # a number for a decision; empty for a lucky event
    move: int
    x: float
    top: float
    bottom: float
    row: int = 0  # a flag near another one is in a higher row


@dataclass(frozen=True)
class ReviewVariables:
    """The variables of a review in addition to those of the table."""

    mine: Seats  # the seats that the reader played
    colours: list[str]  # the colour of each seat
    has_colours: bool
    making: ReviewProgress | None = None  # progress of the analysis; None if the review is finished
    minutes: int = 0  # duration of a review in progress
    told: SeatReview | None = None  # the review of the shown seat; None if the analysis is in progress
    flags: Sequence[ReviewFlag] = ()
    lines: Sequence[WinProbabilityLine] = ()
    won: Sequence[Seat] = ()
    rows: Sequence[tuple[int, list[int]]] = ()
    ticks: Sequence[tuple[int, float]] = ()
    settled: int | None = None


@router.get("/review")
async def get_review(request: Request, id: str) -> Response:
    """Return the review of a finished match.

    The first request starts it; until it is done the page shows the progress.
    """
    check_rate_limit(request, "post")
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    viewer = get_current_viewer(request, table)
    result = await analysis.request_review(context.services, table)
    async with context.services.tables.locked(table) as table:
        if isinstance(result, ReviewProgress):
            return await context.services.runtime.run_in_thread(render_progress_page, context, table, viewer, result)
        return await context.services.runtime.run_in_thread(render_review_page, context, table, viewer, result)


def render_progress_page(context: PageContext, table: Table, viewer: Viewer, progress: ReviewProgress) -> Response:
    """Return the page that shows the progress of a review."""
    minutes = estimate_minutes(progress, len(table.occupants), context.services.settings.hint_budget.seconds)
    return _render_page(context, table, viewer, None, making=progress, minutes=minutes)


def render_review_page(context: PageContext, table: Table, viewer: Viewer, review: Review) -> Response:
    """Return the page of a finished review."""
    seat = _choose_seat(context, table, viewer)
    return _render_page(context, table, viewer, seat, **describe_review(table, review, seat, context.language))


def render_seat_review(context: PageContext, table: Table, viewer: Viewer, review: Review, seat: Seat) -> str:
    """Return the part of a finished review about one seat, to be included in another page."""
    table_view = TableView(table, viewer.own_seats, seat, context.language)
    variables = build_table_variables(context, table_view, viewer)
    parts = describe_review(table, review, seat, context.language)
    review_variables = _build_review_variables(context, table_view, **parts)
    return render_table_text(context, table_view, variables, "review/seat.html.jinja", **vars(review_variables))


def describe_review(table: Table, review: Review, seat: Seat, language: str) -> dict[str, Any]:
    """Return the fields of `ReviewVariables` that describe a finished review."""
    seat_review = build_seat_review(table, review, seat, language)
    return {
        "told": seat_review,
        "flags": build_flags(table, review, seat_review, seat),
        "lines": [build_line(review, seat_number) for seat_number in range(len(table.occupants))],
        "won": [score.seat for score in TableView(table, (), None, language).points if score.rank == 1],
        "rows": build_table_rows(review, seat_review),
        "ticks": build_ticks(table.moves),
        "settled": review.settled if review.settled < table.moves else None,
    }


def _render_page(context: PageContext, table: Table, viewer: Viewer, seat: Seat | None, **parts: Any) -> Response:
    """Return the page with these parts of its `ReviewVariables`; the cards need the variables of the table."""
    table_view = TableView(table, viewer.own_seats, seat, context.language)
    review = _build_review_variables(context, table_view, **parts)
    variables = build_table_variables(context, table_view, viewer)
    return render_table_template(context, table_view, variables, "review.html.jinja", **vars(review))


def _build_review_variables(context: PageContext, table_view: TableView, **parts: Any) -> ReviewVariables:
    game = table_view.game
    has_colours = not context.services.settings.plain_boards and assets.has_file(game, assets.COLOURS_FILE)
    return ReviewVariables(table_view.own_seats, game.seat_colours(table_view.view), has_colours, **parts)


def estimate_minutes(progress: ReviewProgress, seats: int, seconds: float) -> int:
    """Return about how many minutes a whole review takes if the search of one decision takes this long."""
    decisions = progress.decisions or SEARCHED_PER_SEAT * seats + SWING_COUNT
    return max(1, round((decisions * SEARCH_FACTOR * seconds + progress.positions * SECONDS_PER_POSITION) / 60))


def _choose_seat(context: PageContext, table: Table, viewer: Viewer) -> Seat:
    """Return the seat whose decisions are shown: the one in the address, or the reader's own, or the first."""
    requested = read_requested_seat(context)
    if requested is not None and 0 <= requested < len(table.occupants):
        return requested
    return viewer.own_seats[0] if viewer.own_seats else 0


# -- the drawing ------------------------------------------------------------------------------------------------------


def build_flags(table: Table, review: Review, seat_review: SeatReview, seat: Seat) -> list[ReviewFlag]:
    """Return the flags in the order of the moves."""
    marked = [(entry.move, f"decision-{n}", str(n)) for n, entry in enumerate(seat_review.costliest, start=1)]
    marked += [(entry.move, f"luck-{n}", "") for n, entry in enumerate(seat_review.luck, start=1)]
    new_flags: list[ReviewFlag] = []
    for move, id, label in sorted(marked):
        both_chances = (review.chances[move][seat], review.chances[move + 1][seat])
        x = round(100 * (move + 0.5) / max(1, table.moves), 2)
        new_flags.append(
            ReviewFlag(
                id, label, move, x, round(100 * (1 - max(both_chances)), 2), round(100 * (1 - min(both_chances)), 2)
            )
        )
    for before, flag in pairwise(new_flags):
        flag.row = before.row + 1 if flag.x - before.x < MIN_FLAG_DISTANCE else 0
    return new_flags


def build_line(review: Review, seat: Seat) -> WinProbabilityLine:
    """Return the line of one seat. Its badge is in a section of its own, far from other lines."""
    chances = [row[seat] for row in review.chances]
    last = max(1, len(chances) - 1)
    points = " ".join(
        f"{round(n * WIDTH / last, 1):g},{round((1 - y) * HEIGHT, 2):g}" for n, y in drop_repeated_points(chances)
    )
    seats = len(review.chances[0])
    first = last * (0.08 + 0.84 * seat / seats)
    part = range(int(first), max(int(first) + 1, int(first + last * 0.84 / seats * 0.9)))
    n = max(part, key=lambda n: min(abs(chances[n] - row) for i, row in enumerate(review.chances[n]) if i != seat))
    return WinProbabilityLine(seat, points, round(100 * n / last, 2), round(100 * (1 - chances[n]), 2))


def drop_repeated_points(chances: list[float]) -> list[tuple[int, float]]:
    """Return the points of a line without repeated values: a probability often stays the same for many moves."""
    indices = [0, *(n for n in range(1, len(chances) - 1) if not chances[n - 1] == chances[n] == chances[n + 1])]
    return [(n, chances[n]) for n in dict.fromkeys([*indices, len(chances) - 1])]


def build_table_rows(review: Review, seat_review: SeatReview) -> list[tuple[int, list[int]]]:
    """Return the same data for a table: some evenly spread positions, and those around the explained moves."""
    last = len(review.chances) - 1
    moves = {round(n * last / (TABLE_ROWS - 1)) for n in range(TABLE_ROWS)}
    reviewed_moves = [entry.move for entry in seat_review.costliest] + [entry.move for entry in seat_review.luck]
    moves |= {n + after for n in reviewed_moves for after in (0, 1)}
    return [(n, [round(100 * chance) for chance in review.chances[n]]) for n in sorted(moves)]


def build_ticks(moves: int) -> list[tuple[int, float]]:
    """Return round numbers of moves along the lower edge, with their positions."""
    step = next(step for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000, 10**6) if moves / step <= 6)
    marks = list(range(0, moves + 1, step))
    if marks and moves - marks[-1] < step * 0.45:
        marks.pop()
    positions = [(n, round(100 * n / max(1, moves), 2)) for n in [*marks, moves]]
    assert all(a < b for (a, _), (b, _) in pairwise(positions))
    return positions
