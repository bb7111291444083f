"""The review of a finished match: what whose decisions cost, what chance did, and each seat's course as a line."""

from dataclasses import dataclass
from itertools import pairwise

from fastapi import APIRouter, Request, Response

from triclinium.bots.review import Review
from triclinium.engine.core.state import Seat
from triclinium.server.bots import analysis
from triclinium.server.bots.jobs import Progress
from triclinium.server.http.auth import count, viewer_of
from triclinium.server.presenter.review import Told, told
from triclinium.server.presenter.table_view import Shown
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Table
from triclinium.web import assets
from triclinium.web.i18n import Speech
from triclinium.web.page_context import Reading
from triclinium.web.pages.table_page import wished_seat

router = APIRouter(include_in_schema=False, prefix="/t/{id}")

WIDTH, HEIGHT = 1000, 100  # of the drawing's own space, which the page stretches
ROWS = 24  # of the table beside the drawing
NEAR = 9.0  # percent of the drawing's width: two flags would touch on a phone


@router.get("/review")
async def get_review(request: Request, id: str) -> Response:
    """What decided a finished match. Made when first asked for; until then the page tells how far it is."""
    count(request, "post")
    reading = Reading(request)
    table = await reading.server.table(id)
    at = viewer_of(request, table)
    found = await analysis.review(reading.server, table)
    async with table.lock:
        await reading.server.load_match(table)
        if isinstance(found, Progress):
            return await reading.server.in_thread(making_page, reading, table, at, found)
        return await reading.server.in_thread(review_page, reading, table, at, found)


def making_page(reading: Reading, table: Table, at: Viewer, making: Progress) -> Response:
    """How far it is."""
    return reading.page("review.html.jinja", 200, **_common(reading, table, at), making=making)


def review_page(reading: Reading, table: Table, at: Viewer, found: Review) -> Response:
    """What it says. The table's lock is held."""
    facts = _common(reading, table, at)
    seat = _whose(reading, table, at)
    of_seat = told(table, found, seat, reading.language)
    return reading.page(
        "review.html.jinja",
        200,
        **facts,
        making=None,
        seat=seat,
        told=of_seat,
        flags=flags(table, found, of_seat, seat),
        lines=[line(found, one) for one in range(len(table.occupants))],
        won=[score.seat for score in _shown(reading, table, at).points if score.rank == 1],
        rows=rows(found, of_seat),
        ticks=ticks(table.moves),
        settled=found.settled if found.settled < table.moves else None,
    )


def _whose(reading: Reading, table: Table, at: Viewer) -> Seat:
    """Whose decisions are told: those of the seat in the address, or the reader's own, or the first seat's."""
    wished = wished_seat(reading)
    if wished is not None and 0 <= wished < len(table.occupants):
        return wished
    return at.mine[0] if at.mine else 0


def _shown(reading: Reading, table: Table, at: Viewer) -> Shown:
    return Shown(table, at.mine, None, reading.language)


def _common(reading: Reading, table: Table, at: Viewer) -> dict[str, object]:
    game = table.game
    own = not reading.server.settings.plain_boards
    return {
        "_": Speech(reading.language, game.words),
        "table": table,
        "game": game,
        "names": table.names(),
        "mine": at.mine,
        "colours": game.colours(_shown(reading, table, at).view),
        "has_colours": own and assets.has(game, assets.COLOURS),
    }


# -- the drawing ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A seat's chances, drawn; and where its sign stands on the line, as shares of the drawing."""

    seat: Seat
    points: str
    sign_x: float
    sign_y: float


@dataclass
class Flag:
    """What is told below of a move, marked on the line of the seat that it is told of; numbers in percent."""

    id: str  # of what it leads to
    sign: str  # a number for a decision; the empty text: chance did it
    move: int
    x: float
    top: float
    bottom: float
    row: int = 0  # it stands higher where another stands near


def flags(table: Table, found: Review, of_seat: Told, seat: Seat) -> list[Flag]:
    """In the order of play."""
    marked = [(one.move, f"decision-{n}", str(n)) for n, one in enumerate(of_seat.dearest, start=1)]
    marked += [(one.move, f"luck-{n}", "") for n, one in enumerate(of_seat.luck, start=1)]
    made: list[Flag] = []
    for move, id, sign in sorted(marked):
        two = (found.chances[move][seat], found.chances[move + 1][seat])
        x = round(100 * (move + 0.5) / max(1, table.moves), 2)
        made.append(Flag(id, sign, move, x, round(100 * (1 - max(two)), 2), round(100 * (1 - min(two)), 2)))
    for before, flag in pairwise(made):
        flag.row = before.row + 1 if flag.x - before.x < NEAR else 0
    return made


def line(found: Review, seat: Seat) -> Line:
    """The line of one seat. Its sign stands where no other line is near, and each seat's in a part of its own."""
    course = [row[seat] for row in found.chances]
    last = max(1, len(course) - 1)
    points = " ".join(f"{round(n * WIDTH / last, 1):g},{round((1 - y) * HEIGHT, 2):g}" for n, y in thinned(course))
    seats = len(found.chances[0])
    first = last * (0.08 + 0.84 * seat / seats)
    part = range(int(first), max(int(first) + 1, int(first + last * 0.84 / seats * 0.9)))
    n = max(part, key=lambda n: min(abs(course[n] - row) for i, row in enumerate(found.chances[n]) if i != seat))
    return Line(seat, points, round(100 * n / last, 2), round(100 * (1 - course[n]), 2))


def thinned(course: list[float]) -> list[tuple[int, float]]:
    """The points of a line without those between two equal ones: a chance stands still for many moves."""
    kept = [0, *(n for n in range(1, len(course) - 1) if not course[n - 1] == course[n] == course[n + 1])]
    return [(n, course[n]) for n in dict.fromkeys([*kept, len(course) - 1])]


def rows(found: Review, of_seat: Told) -> list[tuple[int, list[int]]]:
    """The same for people who read a table: a few positions, evenly spread, and those around what is told."""
    last = len(found.chances) - 1
    some = {round(n * last / (ROWS - 1)) for n in range(ROWS)}
    told_of = [one.move for one in of_seat.dearest] + [one.move for one in of_seat.luck]
    some |= {n + after for n in told_of for after in (0, 1)}
    return [(n, [round(100 * chance) for chance in found.chances[n]]) for n in sorted(some)]


def ticks(moves: int) -> list[tuple[int, float]]:
    """Round numbers of moves along the lower edge, and where they stand."""
    step = next(step for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000, 10**6) if moves / step <= 6)
    marks = list(range(0, moves + 1, step))
    if marks and moves - marks[-1] < step * 0.45:
        marks.pop()
    found = [(n, round(100 * n / max(1, moves), 2)) for n in [*marks, moves]]
    assert all(a < b for (a, _), (b, _) in pairwise(found))
    return found
