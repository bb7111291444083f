"""Presentation of a stranded match, whose moves can no longer be replayed. Pages show its last snapshot."""

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Reader
from triclinium.engine.game_text import build_notation_message
from triclinium.i18n.catalog import load_catalog
from triclinium.server.presenter.log import build_opening_lines
from triclinium.server.seat_ids import none_to_nobody
from triclinium.server.storage.store import Store
from triclinium.server.tables import snapshots
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.snapshots import Snapshot
from triclinium.server.tables.table import LogLine, Table


def load_last_snapshot(store: Store, table: Table, seat: Seat | None) -> Snapshot | None:
    """Return the last snapshot for a seat or a spectator, or None if the match began before snapshots were stored."""
    with store.read_connection() as connection:
        return snapshots.read(connection, table.id, none_to_nobody(seat), table.names())


def build_stranded_log(table: Table, snapshot: Snapshot | None, language: str) -> list[LogLine]:
    """Return the log of the snapshot, followed by the later moves in notation, which every viewer may read."""
    lines = [] if snapshot is None else snapshot.log[language]
    reader = Reader(language, load_catalog(language).messages, table.names())
    first = 0 if snapshot is None else snapshot.moves
    for n, row in enumerate(table.history[first:], start=first + 1):
        lines.append(LogLine(n, row.seat, reader.read(build_notation_message(row.seat, row.option)), ""))
    return build_opening_lines(table, reader) + lines


def build_stranded_json(store: Store, table: Table, viewer: Viewer) -> dict[str, object]:
    """Return the reason why the match cannot continue, and the position as the viewer's seat last saw it."""
    seat = viewer.own_seats[0] if viewer.own_seats else None
    snapshot = load_last_snapshot(store, table, seat)
    why = "" if table.stranded is None else Reader().read(table.stranded.message)
    result: dict[str, object] = {"stranded": why, "seat": seat}
    if snapshot is not None:
        result["snapshot_moves"] = snapshot.moves
        result["view"] = snapshot.view or {}
        field = "points" if table.game_or_none is None else table.game_or_none.result_field
        result[field] = [score.to_json() for score in snapshot.points]
    return result
