"""What has happened at a table: its log as a viewer reads it, and its record as it may be given out."""

from triclinium.engine.auto_replies import answered_for
from triclinium.engine.core.event import BOOKKEEPING, Event
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.recap import line_of
from triclinium.engine.record import Record
from triclinium.server.presenter import fallback_text
from triclinium.server.presenter.decision import reader_for
from triclinium.server.presenter.seat_ids import or_nobody
from triclinium.server.tables.rating_eligibility import log_marks
from triclinium.server.tables.table import LogLine, Table

OPEN = -2  # logs of matches that are over are kept under this number and below it


def log(table: Table, seat: Seat | None, language: str) -> list[LogLine]:
    """The log as this viewer reads it; lines once made are kept.

    Of a match that is over nothing is a secret; but what was answered for a seat unasked is told that seat alone.
    """
    viewer, open = or_nobody(seat), table.status == "over"
    kept = table.logs.setdefault((language, OPEN - 1 - viewer if open else viewer), [])
    match = table.playing
    n = kept[-1][0] + 1 if kept else 0
    if n < len(match.events):
        reader = reader_for(table, language)
        for i in range(n, len(match.events)):
            told = match.events[i], None if open else viewer
            kept.append((i, _answered(match, i, seat, reader) + _lines(table.game, *told, reader, i)))
    return marked(table, reader_for(table, language)) + [line for _, lines in kept for line in lines]


def marked(table: Table, reader: Reader) -> list[LogLine]:
    """Return the lines before the first move: that a match is practice, or began from a record."""
    return [LogLine(0, None, reader.read(message)) for message in log_marks(table)]


def _answered(match: Match, n: int, seat: Seat | None, reader: Reader) -> list[LogLine]:
    """That move n was made for the viewer, unasked."""
    told = answered_for(match, n, or_nobody(seat))
    return [] if told is None else [LogLine(n, seat, reader.read(told), weight=BOOKKEEPING, automatic=True)]


def _lines(game: Game, events: list[Event], viewer: Seat | None, reader: Reader, n: int) -> list[LogLine]:
    """What a viewer reads of move n; None: everything is open."""
    if viewer is None:
        told = [(event, fallback_text.open_parts(game, event, reader)) for event in events]
    else:
        told = [(event, fallback_text.event_parts(game, event, viewer, reader)) for event in events]
    return [line_of(LogLine, n, event, parts) for event, parts in told if parts is not None]


def record(table: Table) -> Record:
    """The record as it may be given out: the seed is told when the match is over."""
    whole = table.record()
    return whole.until(len(whole.options)) if table.status == "over" else whole.without_seed()
