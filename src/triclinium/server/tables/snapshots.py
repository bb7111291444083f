"""The last that is known of a match: what stays readable of a table whose moves cannot be replayed any more.

Views, scores and log lines are stored as they were told, so that nothing of the game is needed to show them. What is
stored holds every seat's; `read` gives out one seat's, and never another's.

A move that pays for this pays for eight, so little is computed (views of the seats that somebody holds and of
spectators, and log lines in the languages that somebody reads here, each once for all who read the same), and seldom:
what a release might strand has stood for longer than a minute.
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
)  # moves: after so many one is due if it was not taken just now, and after so many in any case
MIN_SECONDS_BETWEEN = 60.0  # seconds
SEAT_MARK = "\x1f"  # around the number of a seat, in the place of a name; neither names nor games' texts hold it
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
    """What one viewer could see of a match after so many moves."""

    moves: int
    view: dict[str, object] | None  # None: nobody held this seat then
    points: list[VisibleScore]
    names: dict[str, dict[str, str]]  # of the lines of the score sheet, by language
    log: dict[str, list[LogLine]]  # by language


class PendingSnapshot:
    """A snapshot of a match, to be stored with the move that it belongs to."""

    def __init__(self, table: LockedTable, match: Match) -> None:
        self.table = table
        self.match = match
        self.moves = len(match.record.options)
        snapshot_at = -1 if table.snapshot_at is None else table.snapshot_at
        self.has_stored = table.snapshot_at is not None  # a snapshot is stored already
        self.is_rewrite = self.moves < snapshot_at  # something was taken back since
        self.first_move = 0 if self.is_rewrite else snapshot_at + 1
        self.position_json = self.log_json = ""
        try:
            self.position_json, self.log_json = (
                _JSON.encode(self._build_position_facts()),
                _JSON.encode(self._build_log_facts()),
            )
        except Exception as error:  # a fault of the game stops no move
            plugin_errors.log_once(table.game_id, "snapshot", error)

    def write(self, connection: Connection) -> None:
        """Write it, on the writer's thread: nothing is computed there that others wait for."""
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
        """After how many moves the last snapshot was taken, once this is on disk."""
        return self.moves if self.log_json else self.table.snapshot_at

    def mark_stored(self) -> None:
        """Note that the snapshot is stored."""
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
        """The lines since the last snapshot; a line for some alone names them."""
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
    """Return a line in which seats are marked as stored: alternating texts and numbers of seats, or one text."""
    parts: list[str | int] = list((text or "").split(SEAT_MARK))
    parts[1::2] = map(int, parts[1::2])
    return parts if len(parts) > 1 else text


def fill_names(line: StoredLine, names: Sequence[str]) -> str | None:
    """Return a stored line with the names that its seats have now."""
    if not isinstance(line, list):
        return line
    return "".join(names[part] if isinstance(part, int) else part for part in line)


def is_due(table: Table, match: Match) -> bool:
    """Whether a snapshot is stored with this move: with every twentieth, at the end, and when more is taken back.

    Where twenty moves are made in less than a minute, as programs do, it is not stored before the minute is over.
    """
    since = _count_moves_since_snapshot(table, match)
    if match.state.over or not 0 <= since < MAX_MOVES_BETWEEN:
        return True
    return since >= MOVES_BETWEEN and server_time.now() - _find_last_snapshot_time(table) >= MIN_SECONDS_BETWEEN


def is_long(table: Table, match: Match) -> bool:
    """Whether it tells more than a few moves: none is stored yet of this match, or it was taken back past the last."""
    return not 0 <= _count_moves_since_snapshot(table, match) <= MOVES_BETWEEN


def _count_moves_since_snapshot(table: Table, match: Match) -> int:
    """How many moves were made since the last snapshot; less than 0: it does not help."""
    return -1 if table.snapshot_at is None else len(match.record.options) - table.snapshot_at


def _find_last_snapshot_time(table: Table) -> float:
    """When the last snapshot was taken, by the move that it was stored with; of the deal, by the first."""
    return table.history[max(0, (table.snapshot_at or 0) - 1)].at if table.history else server_time.now()


def load_snapshot_move(connection: Connection, id: str) -> int | None:
    """After how many moves the last snapshot of a table was taken."""
    return connection.execute(select(snapshots.c.moves).where(snapshots.c.table == id)).scalar_one_or_none()


def read(connection: Connection, id: str, seat: Seat, names: Sequence[str]) -> Snapshot | None:
    """What is known for this seat (NOBODY: for spectators); None: nothing was stored. ``names``: of the seats."""
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
    """A score as it was told: a number or, beside it, its bounds."""
    total = tuple(stored["total_bounds"]) if stored["total_bounds"] else stored["total"]
    bounds = {name: tuple(ends) for name, ends in stored["line_bounds"].items()}
    return VisibleScore(stored["seat"], stored["rank"], total, {**stored["lines"], **bounds}, stored.get("known_lines"))


def _build_lines_for_seat(lines: list[list[Any]], seat: Seat, names: Sequence[str]) -> list[LogLine]:
    """Stored lines as one viewer was told them."""
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
    """Rank and total of each seat as the match stood, hidden cards counted; none: nothing was stored."""
    text = connection.execute(select(snapshots.c.text).where(snapshots.c.table == id)).scalar_one_or_none()
    return [] if text is None else [(rank, total) for rank, total in json.loads(text)["scores"]]
