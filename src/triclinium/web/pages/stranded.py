"""The page of a stranded table, whose moves cannot be replayed: its last snapshot, and the score sheet."""

from fastapi import Response

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Name
from triclinium.engine.visible_scores import VisibleScore
from triclinium.server.presenter import fallback_text
from triclinium.server.presenter.scores import score_lines
from triclinium.server.presenter.stranded import last_snapshot, log_of
from triclinium.server.sanitize import whole_number
from triclinium.server.tables.chat import said
from triclinium.server.tables.consent import asked_for, voters
from triclinium.server.tables.end_stranded import END
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Table
from triclinium.web.page_context import Reading


def stranded_page(reading: Reading, table: Table, at: Viewer, notice: str, status: int) -> Response:
    """Why it cannot go on, the last view of this reader's own seat, the log, and what the players can do."""
    assert table.stranded is not None
    language = reading.language
    seat = snapshot_seat(reading, at)
    known = last_snapshot(reading.server, table, seat)
    points = [] if known is None else known.points
    names = {} if known is None else known.names[language]
    why = reading.speech.reader.read(table.stranded.message)
    return reading.page(
        "stood.html.jinja",
        status,
        table=table,
        game=table.game_or_none,
        name=table.game_or_none.name if table.game_or_none is not None else Name(table.title_id),
        why=why[0].upper() + why[1:],
        notice=notice,
        seat=seat,
        mine=at.mine,
        names=table.names(),
        stood_after=None if known is None else known.moves,
        plain="" if known is None else fallback_text.facts(known.view or {}),
        log_lines=list(reversed(log_of(table, known, language))),
        points=points,
        score_lines=score_lines(points, names),
        score_notes=score_notes(reading, table, points),
        chat=said(reading.server, table, seated=bool(at.mine)),
        has_points=has_points(table),
        agreed=len(asked_for(reading.server, table).get(END, ())),
        needed=len(voters(table)),
        over=table.status == "over",
    )


def snapshot_seat(reading: Reading, at: Viewer) -> Seat | None:
    """The seat whose snapshot is shown: the reader's own, never another's; of several at one device the chosen one."""
    wanted = whole_number(reading.request.query_params.get("as", ""), 2)
    if wanted in at.mine:
        return wanted
    return at.mine[0] if len(at.mine) == 1 else None


def score_notes(reading: Reading, table: Table, points: list[VisibleScore]) -> list[str]:
    """What the signs on the score sheet mean that are no plain numbers."""
    notes: list[str] = []
    if any(score.is_reserved for score in points):
        notes.append(reading.speech("Without unseen cards: what you know is counted, the rest can change it."))
    if any(isinstance(score.told, tuple) for score in points):
        notes.append(reading.speech("Two numbers: the least and the most it can be, by what you can know."))
    if any((score.told if has_points(table) else score.rank) is None for score in points):
        notes.append(reading.speech("A question mark: that hangs on what you cannot know yet."))
    return notes


def has_points(table: Table) -> bool:
    """Whether the game counts points, or ranks alone."""
    return table.game_or_none is None or table.game_or_none.has_points
