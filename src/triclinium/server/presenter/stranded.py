"""A stranded table, whose moves cannot be replayed: it is shown as it stood at its last snapshot."""

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Reader
from triclinium.engine.game_text import in_notation
from triclinium.i18n.catalog import catalog
from triclinium.server.presenter.log import marked
from triclinium.server.presenter.seat_ids import or_nobody
from triclinium.server.server import Server
from triclinium.server.tables import snapshots
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.snapshots import Snapshot
from triclinium.server.tables.table import LogLine, Table


def last_snapshot(server: Server, table: Table, seat: Seat | None) -> Snapshot | None:
    """The last snapshot for this seat or a spectator; None: the match began before snapshots were stored."""
    with server.store.reading() as connection:
        return snapshots.read(connection, table.id, or_nobody(seat), table.names())


def log_of(table: Table, known: Snapshot | None, language: str) -> list[LogLine]:
    """The log as it was told; what was decided after the snapshot in notation, as the record gives it to everybody."""
    lines = [] if known is None else known.log[language]
    reader = Reader(language, catalog(language).messages, table.names())
    first = 0 if known is None else known.moves
    for n, one in enumerate(table.history[first:], start=first + 1):
        lines.append(LogLine(n, one.seat, reader.read(in_notation(one.seat, one.option)), ""))
    return marked(table, reader) + lines


def facts(server: Server, table: Table, at: Viewer) -> dict[str, object]:
    """What a program is told: why the match cannot go on, and how it stood for its own seat. The lock is held."""
    seat = at.mine[0] if at.mine else None
    known = last_snapshot(server, table, seat)
    why = "" if table.stranded is None else Reader().read(table.stranded.message)
    told: dict[str, object] = {"stranded": why, "seat": seat}
    if known is not None:
        told["stood_after"] = known.moves
        told["view"] = known.view or {}
        field = "points" if table.game_or_none is None else table.game_or_none.result_field
        told[field] = [score.to_json() for score in known.points]
    return told
