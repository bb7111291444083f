"""The page of a stranded table, whose moves cannot be replayed: its last snapshot, and the score sheet."""

from fastapi import Response

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Name
from triclinium.engine.visible_scores import VisibleScore
from triclinium.server import fallback_text
from triclinium.server.presenter.scores import build_score_lines
from triclinium.server.presenter.stranded_match import build_stranded_log, load_last_snapshot
from triclinium.server.sanitize import parse_whole_number
from triclinium.server.tables.chat import load_messages
from triclinium.server.tables.consent import list_voters, load_pending_votes
from triclinium.server.tables.end_stranded import END_VOTE
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Table
from triclinium.web.page_context import PageContext


def render_stranded_page(context: PageContext, table: Table, viewer: Viewer, notice: str, status: int) -> Response:
    """Return the page: why the match cannot continue, the reader's last view, the log, and what players can do."""
    assert table.stranded is not None
    language = context.language
    seat = choose_snapshot_seat(context, viewer)
    snapshot = load_last_snapshot(context.services.store, table, seat)
    points = [] if snapshot is None else snapshot.points
    names = {} if snapshot is None else snapshot.names[language]
    why = context.localize.reader.read(table.stranded.message)
    return context.render_page(
        "stranded_match.html.jinja",
        status,
        table=table,
        game=table.game_or_none,
        name=table.game_or_none.name if table.game_or_none is not None else Name(table.game_id),
        why=why[0].upper() + why[1:],
        notice=notice,
        seat=seat,
        mine=viewer.own_seats,
        names=table.names(),
        stood_after=None if snapshot is None else snapshot.moves,
        plain="" if snapshot is None else fallback_text.format_facts(snapshot.view or {}),
        log_lines=list(reversed(build_stranded_log(table, snapshot, language))),
        points=points,
        score_lines=build_score_lines(points, names),
        score_notes=explain_score_signs(context, table, points),
        chat=load_messages(context.services.store, table, seated=bool(viewer.own_seats)),
        has_points=has_points(table),
        agreed=len(load_pending_votes(context.services.store, table).get(END_VOTE, ())),
        needed=len(list_voters(table)),
        over=table.status == "over",
    )


def choose_snapshot_seat(context: PageContext, viewer: Viewer) -> Seat | None:
    """Return the seat whose snapshot is shown: the reader's own, or the chosen one of several at this device."""
    requested = parse_whole_number(context.request.query_params.get("as", ""), 2)
    if requested in viewer.own_seats:
        return requested
    return viewer.own_seats[0] if len(viewer.own_seats) == 1 else None


def explain_score_signs(context: PageContext, table: Table, points: list[VisibleScore]) -> list[str]:
    """Return explanations of the signs on the score sheet that are not plain numbers."""
    notes: list[str] = []
    if any(score.is_provisional for score in points):
        notes.append(context.localize("This score leaves out cards you have not seen, which can still change it."))
    if any(isinstance(score.shown_total, tuple) for score in points):
        notes.append(
            context.localize("Two numbers give the lowest and the highest possible score, as far as you can know.")
        )
    if any((score.shown_total if has_points(table) else score.rank) is None for score in points):
        notes.append(
            context.localize("A question mark means that the score depends on information you do not have yet.")
        )
    return notes


def has_points(table: Table) -> bool:
    """Return whether the game counts points, in addition to ranks."""
    return table.game_or_none is None or table.game_or_none.has_points
