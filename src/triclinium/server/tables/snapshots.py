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
from triclinium.engine.record import Result, result_of
from triclinium.engine.view import to_json
from triclinium.engine.visible_scores import VisibleScore
from triclinium.i18n.catalog import languages
from triclinium.server import plugin_errors, server_time
from triclinium.server.presenter import fallback_text
from triclinium.server.presenter.seat_ids import or_none
from triclinium.server.presenter.visible_state import view_or_base
from triclinium.server.storage.schema import snapshot_logs, snapshots
from triclinium.server.storage.statements import Prepared
from triclinium.server.tables.table import LogLine, Table

EVERY, MOST = 20, 100  # moves: after so many one is due if it was not taken just now, and after so many in any case
JUST_NOW = 60.0  # seconds
MARK = "\x1f"  # around the number of a seat, in the place of a name; neither names nor games' texts hold it
Line: TypeAlias = "str | list[str | int] | None"
_JSON = json.JSONEncoder(check_circular=False, separators=(",", ":"))

_INSERT = Prepared(insert(snapshots))
_UPDATE = Prepared(
    update(snapshots)
    .where(snapshots.c.table == bindparam("b_table"))
    .values(moves=bindparam("b_moves"), text=bindparam("b_text"))
)
_INSERT_LOG = Prepared(insert(snapshot_logs))


@dataclass(frozen=True)
class Snapshot:
    """What one viewer could see of a match after so many moves."""

    moves: int
    view: dict[str, object] | None  # None: nobody held this seat then
    points: list[VisibleScore]
    names: dict[str, dict[str, str]]  # of the lines of the score sheet, by language
    log: dict[str, list[LogLine]]  # by language


class Taken:
    """A snapshot of a match, to be stored with the move that it belongs to."""

    def __init__(self, table: Table, match: Match) -> None:
        self.table = table
        self.match = match
        self.moves = len(match.record.options)
        kept_at = -1 if table.kept_at is None else table.kept_at
        self.known = table.kept_at is not None  # a snapshot is stored already
        self.anew = self.moves < kept_at  # something was taken back since
        self.first = 0 if self.anew else kept_at + 1
        self.stands = self.told = ""
        try:
            self.stands, self.told = _JSON.encode(self._stands()), _JSON.encode(self._log())
        except Exception as error:  # a fault of the game stops no move
            plugin_errors.note(table.title_id, "snapshot", error)

    def write(self, connection: Connection) -> None:
        """Write it, on the writer's thread: nothing is computed there that others wait for."""
        if not self.told:
            return
        id = self.table.id
        if self.known:
            _UPDATE.run(connection, {"b_table": id, "b_moves": self.moves, "b_text": self.stands})
        else:
            _INSERT.run(connection, {"table": id, "moves": self.moves, "text": self.stands})
        if self.anew:
            connection.execute(delete(snapshot_logs).where(snapshot_logs.c.table == id))
        if self.moves >= self.first:
            _INSERT_LOG.run(connection, {"table": id, "moves": self.moves, "text": self.told})

    @property
    def kept_at(self) -> int | None:
        """After how many moves the last snapshot was taken, once this is on disk."""
        return self.moves if self.told else self.table.kept_at

    def stored(self) -> None:
        """It is on disk."""
        self.table.kept_at = self.kept_at

    def _stands(self) -> dict[str, object]:
        game, state = self.match.game, self.match.state
        seats = [NOBODY, *(occupant.seat for occupant in self.table.occupants if occupant.owned)]
        scores = game.scores(state)
        same = game.open_scores or not game.secrets or state.over
        points = {seat: game.scores_for(state, seat) for seat in ([NOBODY] if same else seats)}
        lines = dict.fromkeys(name for score in points[NOBODY] for name in score.lines)
        return {
            "scores": result_of(scores),
            "views": {seat: to_json(view_or_base(game, state, or_none(seat)), game.ids) for seat in seats},
            "points": {seat: [score.to_json() for score in told] for seat, told in points.items()},
            "names": {
                language: {name: fallback_text.score_line(game, name, game.words.reader(language)) for name in lines}
                for language in languages()
            },
        }

    def _log(self) -> dict[str, list[list[object]]]:
        """The lines since the last snapshot; a line for some alone names them."""
        languages = dict.fromkeys(("en", *(language for language, _ in self.table.logs)))
        marks = tuple(f"{MARK}{seat}{MARK}" for seat in range(self.match.state.seats))
        readers = {language: self.match.game.words.reader(language, marks) for language in languages}
        told: dict[str, list[list[object]]] = {language: [] for language in languages}
        for n in range(self.first, self.moves + 1):
            for event in self.match.events[n]:
                for language, reader in readers.items():
                    told[language] += self._lines(n, event, reader)
        return told

    def _lines(self, n: int, event: Event, reader: Reader) -> list[list[object]]:
        game = self.match.game
        common = fallback_text.event(game, event, NOBODY, reader)
        if event.secrets:
            knowing = [seat for seat in range(self.match.state.seats) if event.readers >> seat & 1]
            own = {seat: fallback_text.event(game, event, seat, reader) for seat in knowing}
            if any(text != common for text in own.values()):
                texts = {seat: with_seats(text) for seat, text in own.items()}
                return [[n, event.seat, with_seats(common), event.rule, texts]]
        return [] if common is None else [[n, event.seat, with_seats(common), event.rule]]


def with_seats(text: str | None) -> Line:
    """Return a line in which seats are marked as stored: alternating texts and numbers of seats, or one text."""
    parts: list[str | int] = list((text or "").split(MARK))
    parts[1::2] = map(int, parts[1::2])
    return parts if len(parts) > 1 else text


def with_names(line: Line, names: Sequence[str]) -> str | None:
    """Return a stored line with the names that its seats have now."""
    if not isinstance(line, list):
        return line
    return "".join(names[part] if isinstance(part, int) else part for part in line)


def is_due(table: Table, match: Match) -> bool:
    """Whether a snapshot is stored with this move: with every twentieth, at the end, and when more is taken back.

    Where twenty moves are made in less than a minute, as programs do, it is not stored before the minute is over.
    """
    since = _since(table, match)
    if match.state.over or not 0 <= since < MOST:
        return True
    return since >= EVERY and server_time.now() - _taken_when(table) >= JUST_NOW


def is_long(table: Table, match: Match) -> bool:
    """Whether it tells more than a few moves: none is stored yet of this match, or it was taken back past the last."""
    return not 0 <= _since(table, match) <= EVERY


def _since(table: Table, match: Match) -> int:
    """How many moves were made since the last snapshot; less than 0: it does not help."""
    return -1 if table.kept_at is None else len(match.record.options) - table.kept_at


def _taken_when(table: Table) -> float:
    """When the last snapshot was taken, by the move that it was stored with; of the deal, by the first."""
    return table.history[max(0, (table.kept_at or 0) - 1)].at if table.history else server_time.now()


def kept_at(connection: Connection, id: str) -> int | None:
    """After how many moves the last snapshot of a table was taken."""
    return connection.execute(select(snapshots.c.moves).where(snapshots.c.table == id)).scalar_one_or_none()


def read(connection: Connection, id: str, seat: Seat, names: Sequence[str]) -> Snapshot | None:
    """What is known for this seat (NOBODY: for spectators); None: nothing was stored. ``names``: of the seats."""
    row = connection.execute(select(snapshots).where(snapshots.c.table == id)).one_or_none()
    if row is None:
        return None
    stood = json.loads(row.text)
    points = stood["points"].get(str(seat)) or stood["points"][str(NOBODY)]
    log: dict[str, list[LogLine]] = {language: [] for language in languages()}
    pieces = select(snapshot_logs.c.text).where(snapshot_logs.c.table == id).order_by(snapshot_logs.c.moves)
    for piece in connection.execute(pieces):
        told = json.loads(piece.text)
        for language in languages():
            log[language] += _for_seat(told.get(language, told["en"]), seat, names)
    return Snapshot(
        row.moves,
        stood["views"].get(str(seat)),
        [_score(told) for told in points],
        stood["names"],
        log,
    )


def _score(told: dict[str, Any]) -> VisibleScore:
    """A score as it was told: a number or, beside it, its bounds."""
    total = tuple(told["total_bounds"]) if told["total_bounds"] else told["total"]
    bounds = {name: tuple(ends) for name, ends in told["line_bounds"].items()}
    return VisibleScore(told["seat"], told["rank"], total, {**told["lines"], **bounds}, told.get("known_lines"))


def _for_seat(lines: list[list[Any]], seat: Seat, names: Sequence[str]) -> list[LogLine]:
    """Stored lines as one viewer was told them."""
    found: list[LogLine] = []
    for n, who, common, rule, *own in lines:
        told = own[0] if own else {}
        assert isinstance(told, dict)
        assert isinstance(n, int)
        assert isinstance(who, int)
        text = with_names(told.get(str(seat), common), names)
        if text is not None:
            found.append(LogLine(n, or_none(who), text, str(rule)))
    return found


def scores(connection: Connection, id: str) -> Result:
    """Rank and total of each seat as the match stood, hidden cards counted; none: nothing was stored."""
    text = connection.execute(select(snapshots.c.text).where(snapshots.c.table == id)).scalar_one_or_none()
    return [] if text is None else [(rank, total) for rank, total in json.loads(text)["scores"]]
