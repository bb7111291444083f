"""Snapshots: the last views of a match, readable even if its moves can no longer be replayed.

Views, scores and log lines are stored as finished texts, so that showing them needs no code of the game. A snapshot
contains the views of all seats; `read` returns that of one seat only.

To keep moves fast, snapshots are usually at least a minute apart. They contain only the views of owned seats and
spectators, and log lines in English and in languages that someone reads at this table.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import Reader
from triclinium.engine.match import Match
from triclinium.engine.record import Result, build_result
from triclinium.engine.view import to_json
from triclinium.engine.visible_scores import VisibleScore
from triclinium.i18n.catalog import list_languages
from triclinium.server import fallback_text, plugin_errors, server_time
from triclinium.server.seat_ids import nobody_to_none
from triclinium.server.storage.schema import snapshot_logs, snapshots
from triclinium.server.storage.statements import PreparedStatement
from triclinium.server.tables.table import LockedTable, LogLine, Table
from triclinium.server.tables.visible_state import get_view_or_base

MOVES_BETWEEN, MAX_MOVES_BETWEEN = (
    20,
    100,
)  # moves between two snapshots if the last is not recent, and the maximum number of moves
MIN_SECONDS_BETWEEN = 60.0  # minimum time between two snapshots
SEAT_MARK = "\x1f"  # encloses the number of a seat in place of a name; neither names nor texts of games contain it
StoredLine: TypeAlias = "str | list[str | int] | None"
_JSON = json.JSONEncoder(check_circular=False, separators=(",", ":"))

_INSERT = PreparedStatement(insert(snapshots))
_UPDATE = PreparedStatement(
    update(snapshots)
    .where(snapshots.c.table == bindparam("b_table"))
    .values(moves=bindparam("b_moves"), text=bindparam("b_text"))
)
_INSERT_LOG = PreparedStatement(insert(snapshot_logs))


@dataclass(frozen=True)
class Snapshot:
    """The view of a match for one viewer, after a number of moves."""

    moves: int
    view: dict[str, object] | None  # None: the seat had no owner then
    points: list[VisibleScore]
    names: dict[str, dict[str, str]]  # names of the lines of the score sheet, by language
    log: dict[str, list[LogLine]]  # game log, by language


class PendingSnapshot:
    """A snapshot of a match, to be stored in the same commit as the move that caused it."""

    def __init__(self, table: LockedTable, match: Match) -> None:
        self.table = table
        self.match = match
        self.moves = len(match.record.options)
        snapshot_at = -1 if table.snapshot_at is None else table.snapshot_at
        self.has_stored = table.snapshot_at is not None  # True if an older snapshot is in the database
        self.is_rewrite = self.moves < snapshot_at  # True if moves of the last snapshot were undone
        self.first_move = 0 if self.is_rewrite else snapshot_at + 1
        self.position_json = self.log_json = ""
        try:
            self.position_json, self.log_json = (
                _JSON.encode(self._build_position_facts()),
                _JSON.encode(self._build_log_facts()),
            )
        except Exception as error:  # an error in the game's code must not prevent a move
            plugin_errors.log_once(table.game_id, "snapshot", error)

    def write(self, connection: Connection) -> None:
        """Store the snapshot. This runs on the writer's thread, so everything was computed before."""
        if not self.log_json:
            return
        id = self.table.id
        if self.has_stored:
            _UPDATE.run(connection, {"b_table": id, "b_moves": self.moves, "b_text": self.position_json})
        else:
            _INSERT.run(connection, {"table": id, "moves": self.moves, "text": self.position_json})
        if self.is_rewrite:
            connection.execute(delete(snapshot_logs).where(snapshot_logs.c.table == id))
        if self.moves >= self.first_move:
            _INSERT_LOG.run(connection, {"table": id, "moves": self.moves, "text": self.log_json})

    @property
    def snapshot_at(self) -> int | None:
        """The number of moves at the last snapshot, once this one is stored."""
        return self.moves if self.log_json else self.table.snapshot_at

    def mark_stored(self) -> None:
        """Record that the snapshot is stored."""
        self.table.set_snapshot_move(self.snapshot_at)

    def _build_position_facts(self) -> dict[str, object]:
        game, state = self.match.game, self.match.state
        seats = [NOBODY, *(occupant.seat for occupant in self.table.occupants if occupant.is_owned)]
        scores = game.scores(state)
        same = game.has_open_scores or not game.has_secrets or state.over
        points = {seat: game.visible_scores(state, seat) for seat in ([NOBODY] if same else seats)}
        lines = dict.fromkeys(name for score in points[NOBODY] for name in score.lines)
        return {
            "scores": build_result(scores),
            "views": {seat: to_json(get_view_or_base(game, state, nobody_to_none(seat)), game.ids) for seat in seats},
            "points": {seat: [score.to_json() for score in visible_scores] for seat, visible_scores in points.items()},
            "names": {
                language: {
                    name: fallback_text.format_score_line(game, name, game.words.reader(language)) for name in lines
                }
                for language in list_languages()
            },
        }

    def _build_log_facts(self) -> dict[str, list[list[object]]]:
        """Return the log lines since the last snapshot. Lines that differ by seat have a text for each."""
        languages = dict.fromkeys(("en", *(language for language, _ in self.table.caches.logs)))
        marks = tuple(f"{SEAT_MARK}{seat}{SEAT_MARK}" for seat in range(self.match.state.seats))
        readers = {language: self.match.game.words.reader(language, marks) for language in languages}
        lines_by_language: dict[str, list[list[object]]] = {language: [] for language in languages}
        for n in range(self.first_move, self.moves + 1):
            for event in self.match.events[n]:
                for language, reader in readers.items():
                    lines_by_language[language] += self._build_event_lines(n, event, reader)
        return lines_by_language

    def _build_event_lines(self, n: int, event: Event, reader: Reader) -> list[list[object]]:
        game = self.match.game
        common = fallback_text.format_event(game, event, NOBODY, reader)
        if event.secrets:
            knowing = [seat for seat in range(self.match.state.seats) if event.readers >> seat & 1]
            own = {seat: fallback_text.format_event(game, event, seat, reader) for seat in knowing}
            if any(text != common for text in own.values()):
                texts = {seat: split_seats(text) for seat, text in own.items()}
                return [[n, event.seat, split_seats(common), event.rule, texts]]
        return [] if common is None else [[n, event.seat, split_seats(common), event.rule]]


def split_seats(text: str | None) -> StoredLine:
    """Return a line in its stored form: texts alternate with the numbers of seats.

    A line without seats stays a text.
    """
    parts: list[str | int] = list((text or "").split(SEAT_MARK))
    parts[1::2] = map(int, parts[1::2])
    return parts if len(parts) > 1 else text


def fill_names(line: StoredLine, names: Sequence[str]) -> str | None:
    """Return a stored line as text, with the current names of the seats."""
    if not isinstance(line, list):
        return line
    return "".join(names[part] if isinstance(part, int) else part for part in line)


def is_due(table: Table, match: Match) -> bool:
    """Return whether a snapshot is due: every twenty moves, at the end, and after an undo past the last one.

    If bots make twenty moves in less than a minute, the snapshot waits until a minute or a hundred moves have passed.
    """
    since = _count_moves_since_snapshot(table, match)
    if match.state.over or not 0 <= since < MAX_MOVES_BETWEEN:
        return True
    return since >= MOVES_BETWEEN and server_time.now() - _find_last_snapshot_time(table) >= MIN_SECONDS_BETWEEN


def is_long(table: Table, match: Match) -> bool:
    """Return whether a snapshot needs a long log, because it is the first or follows an undo past the last one."""
    return not 0 <= _count_moves_since_snapshot(table, match) <= MOVES_BETWEEN


def _count_moves_since_snapshot(table: Table, match: Match) -> int:
    """Return the number of moves since the last snapshot. A negative number means that there is no usable one."""
    return -1 if table.snapshot_at is None else len(match.record.options) - table.snapshot_at


def _find_last_snapshot_time(table: Table) -> float:
    """Return the time of the last snapshot's move. Without a snapshot, return the time of the first move."""
    return table.history[max(0, (table.snapshot_at or 0) - 1)].at if table.history else server_time.now()


def load_snapshot_move(connection: Connection, id: str) -> int | None:
    """Return the number of moves at the last snapshot of a table, or None."""
    return connection.execute(select(snapshots.c.moves).where(snapshots.c.table == id)).scalar_one_or_none()


def read(connection: Connection, id: str, seat: Seat, names: Sequence[str]) -> Snapshot | None:
    """Return the last snapshot for a seat, or for spectators with NOBODY. Return None if there is none.

    ``names`` are the current names of the seats.
    """
    row = connection.execute(select(snapshots).where(snapshots.c.table == id)).one_or_none()
    if row is None:
        return None
    position = json.loads(row.text)
    points = position["points"].get(str(seat)) or position["points"][str(NOBODY)]
    log: dict[str, list[LogLine]] = {language: [] for language in list_languages()}
    pieces = select(snapshot_logs.c.text).where(snapshot_logs.c.table == id).order_by(snapshot_logs.c.moves)
    for piece in connection.execute(pieces):
        stored = json.loads(piece.text)
        for language in list_languages():
            log[language] += _build_lines_for_seat(stored.get(language, stored["en"]), seat, names)
    return Snapshot(
        row.moves,
        position["views"].get(str(seat)),
        [_parse_score(stored) for stored in points],
        position["names"],
        log,
    )


def _parse_score(stored: dict[str, Any]) -> VisibleScore:
    """Return a score from its stored form, with bounds in place of numbers that the seat did not know."""
    total = tuple(stored["total_bounds"]) if stored["total_bounds"] else stored["total"]
    bounds = {name: tuple(ends) for name, ends in stored["line_bounds"].items()}
    return VisibleScore(stored["seat"], stored["rank"], total, {**stored["lines"], **bounds}, stored.get("known_lines"))


def _build_lines_for_seat(lines: list[list[Any]], seat: Seat, names: Sequence[str]) -> list[LogLine]:
    """Return the stored lines as one viewer may read them."""
    log_lines: list[LogLine] = []
    for n, who, common, rule, *own in lines:
        own_texts = own[0] if own else {}
        assert isinstance(own_texts, dict)
        assert isinstance(n, int)
        assert isinstance(who, int)
        text = fill_names(own_texts.get(str(seat), common), names)
        if text is not None:
            log_lines.append(LogLine(n, nobody_to_none(who), text, str(rule)))
    return log_lines


def scores(connection: Connection, id: str) -> Result:
    """Return the rank and total of each seat at the last snapshot, including hidden cards, or [] if there is none."""
    text = connection.execute(select(snapshots.c.text).where(snapshots.c.table == id)).scalar_one_or_none()
    return [] if text is None else [(rank, total) for rank, total in json.loads(text)["scores"]]
