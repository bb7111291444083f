"""Hints and reviews as pages show them: chances in words, and the course of a match as a line for each seat."""

from dataclasses import dataclass
from itertools import pairwise

from fastapi import APIRouter, Request, Response

from triclinium.bots.analysis import Advice, Review, Swing, percent
from triclinium.bots.reasons import told
from triclinium.engine.core.state import Seat
from triclinium.server.auth import count, viewer_of
from triclinium.server.bots import analysis
from triclinium.server.bots.pending import Hint, Progress
from triclinium.server.presenter.decision import Offer, labels, question
from triclinium.server.presenter.shown import Shown
from triclinium.server.tables.seating import Viewer
from triclinium.server.tables.table import Table
from triclinium.web.i18n import Speech
from triclinium.web.render import Reading

router = APIRouter(include_in_schema=False, prefix="/t/{id}")

WIDTH, HEIGHT = 1000, 100  # of the drawing's own space, which the page stretches
ROWS = 24  # of the table beside the drawing
NEAR = 9.0  # percent of the drawing's width: two flags would touch on a phone
LESS = 0.06


@router.get("/review")
async def get_review(request: Request, id: str) -> Response:
    """What decided a finished match. Made when first asked for; until then the page tells how far it is."""
    count(request, "post")
    reading = Reading(request)
    table = await reading.server.table(id)
    at = viewer_of(request, table)
    found = await analysis.review(reading.server, table)
    if isinstance(found, Progress):
        return await reading.show("review.html.jinja", 200, **_common(reading, table, at), making=found)
    async with table.lock:
        await reading.server.load_match(table)
        return await reading.server.in_thread(_review, reading, table, at, found)


def _review(reading: Reading, table: Table, at: Viewer, found: Review) -> Response:
    turns = [Turn(table, n, swing, reading.language) for n, swing in enumerate(found.swings, start=1)]
    for before, turn in pairwise(turns):
        turn.row = before.row + 1 if turn.x - before.x < NEAR else 0
    points = Shown(table, at.mine, None, reading.language).points
    return reading.page(
        "review.html.jinja",
        200,
        **_common(reading, table, at),
        making=None,
        turns=turns,
        lines=[line(found, seat) for seat in range(len(table.occupants))],
        won=[score.seat for score in points if score.rank == 1],
        rows=rows(found),
        ticks=ticks(table.moves),
    )


def _common(reading: Reading, table: Table, at: Viewer) -> dict[str, object]:
    return {
        "_": Speech(reading.language, table.game.words),
        "table": table,
        "game": table.game,
        "names": table.names(),
        "mine": at.mine,
    }


# -- hints ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ranked:
    """One option of a hint."""

    option: str
    label: str
    percent: int
    verdict: str  # against the best, in words
    why: str  # what the best has that another has not; empty: it is told elsewhere


@dataclass(frozen=True)
class Advised:
    """A hint as the page shows it."""

    thinking: bool
    failed: bool
    ranked: list[Ranked]
    others: list[Offer]  # that it does not tell of


def advised(reading: Reading, given: Hint | None, shown: Shown) -> Advised | None:
    """The hint of a seat, in its player's language; only for that seat's eyes."""
    if given is None:
        return None
    offers = shown.offers
    best = [one for one in given.best if one.option in offers]
    whys = reasons(reading.speech, shown, best, given.mine)
    ranked = [
        Ranked(one.option, offers[one.option].label, percent(one.chance), verdict(reading.speech, best, one), why)
        for one, why in zip(best, whys, strict=True)
    ]
    others = [offer for offer in offers.values() if offer.allowed and not given.tells_of(offer.option)]
    return Advised(not given.done.is_set(), given.failed or (given.done.is_set() and not ranked), ranked, others)


def verdict(speech: Speech, best: list[Advice], one: Advice) -> str:
    """How an option compares, for somebody who does not count in percent."""
    if one is best[0]:
        return speech("the bot would choose this")
    if one.equal:
        return speech("equal, as far as the bot can tell")
    return speech("a little worse") if best[0].chance - one.chance < LESS else speech("clearly worse")


def reasons(speech: Speech, shown: Shown, best: list[Advice], mine: str) -> list[str]:
    """Beside the best option: why rather this than the reader's, or the second. Beside the others: why rather it."""
    if len(best) < 2 or shown.seat is None:
        return [""] * len(best)
    asked = next((n for n, one in enumerate(best) if one.option == mine), 1) or 1
    said = [_why(shown, one, shown.seat) for one in best]
    rest = [speech("With {0} instead: {1}", 1, text) if text else "" for text in said]
    rest[0] = speech("Rather than {0}: {1}", asked + 1, said[asked]) if said[asked] else ""
    rest[asked] = ""
    return rest


def _why(shown: Shown, one: Advice, seat: Seat) -> str:
    """What the best has that this one has not; of an equal one, if there is anything to tell."""
    return shown.reader.read(told(shown.game, one.reasons, seat)) if one.reasons or not one.equal else ""


# -- the review's drawing ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A seat's chances, drawn; and where its sign stands on the line, as shares of the drawing."""

    seat: Seat
    points: str
    sign_x: float
    sign_y: float


class Turn:
    """One of the largest swings."""

    def __init__(self, table: Table, number: int, swing: Swing, language: str) -> None:
        label = labels(table, swing.move, language)
        self.question = question(table, swing.move, language)
        self.number = number
        self.move = swing.move
        self.seat = swing.seat
        self.before = percent(swing.before)
        self.after = percent(swing.after)
        self.x = round(100 * (swing.move + 0.5) / max(1, table.moves), 2)
        self.y = round(100 * (1 - (swing.before + swing.after) / 2), 2)
        self.row = 0  # its flag stands higher where another stands near
        self.top = round(100 * (1 - max(swing.before, swing.after)), 2)
        self.bottom = round(100 * (1 - min(swing.before, swing.after)), 2)
        self.played = label(swing.played)
        self.same = bool(swing.better) and swing.better[0].option == swing.played
        self.better = [(label(one.option), percent(one.chance)) for one in swing.better if one.option != swing.played]
        self.rose = swing.after >= swing.before


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


def rows(found: Review) -> list[tuple[int, list[int]]]:
    """The same for people who read a table: a few positions, evenly spread, and those around the swings."""
    last = len(found.chances) - 1
    some = {round(n * last / (ROWS - 1)) for n in range(ROWS)}
    some |= {swing.move for swing in found.swings} | {swing.move + 1 for swing in found.swings}
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
