"""The game log as a viewer reads it, and the record of the match as a viewer may download it."""

from triclinium.engine.auto_replies import build_auto_reply_message
from triclinium.engine.core.event import BOOKKEEPING, Event
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.recap import build_recap_line
from triclinium.engine.record import Record
from triclinium.server import fallback_text
from triclinium.server.presenter.decision import make_reader
from triclinium.server.seat_ids import none_to_nobody
from triclinium.server.tables.rating_eligibility import build_opening_messages
from triclinium.server.tables.table import LogLine, Table

OPEN_LOG = -2  # logs of finished matches are cached under this number and lower ones


def build_log(table: Table, seat: Seat | None, language: str) -> list[LogLine]:
    """Return the game log for a viewer. Its lines are cached.

    A finished match has no secrets, but auto-replies are shown only to the seat that set them.
    """
    viewer, open = none_to_nobody(seat), table.status == "over"
    cached = table.caches.logs.setdefault((language, OPEN_LOG - 1 - viewer if open else viewer), [])
    match = table.current_match
    n = cached[-1][0] + 1 if cached else 0
    if n < len(match.events):
        reader = make_reader(table, language)
        for i in range(n, len(match.events)):
            args = match.events[i], None if open else viewer
            cached.append(
                (i, _build_auto_reply_lines(match, i, seat, reader) + _build_lines(table.game, *args, reader, i))
            )
    return build_opening_lines(table, make_reader(table, language)) + [line for _, lines in cached for line in lines]


def build_spectator_log(table: Table, language: str) -> list[LogLine]:
    """Return the log as spectators read it during the match, without what the end has revealed."""
    reader = make_reader(table, language)
    every_move = enumerate(table.current_match.events)
    lines = [line for n, events in every_move for line in _build_lines(table.game, events, NOBODY, reader, n)]
    return build_opening_lines(table, reader) + lines


def build_opening_lines(table: Table, reader: Reader) -> list[LogLine]:
    """Return the lines before the first move: that a match is practice, or that it began from a record."""
    return [LogLine(0, None, reader.read(message)) for message in build_opening_messages(table)]


def _build_auto_reply_lines(match: Match, n: int, seat: Seat | None, reader: Reader) -> list[LogLine]:
    """Return the line that says that move n was an auto-reply, if the viewer may know that."""
    message = build_auto_reply_message(match, n, none_to_nobody(seat))
    return [] if message is None else [LogLine(n, seat, reader.read(message), weight=BOOKKEEPING, automatic=True)]


def _build_lines(game: Game, events: list[Event], viewer: Seat | None, reader: Reader, n: int) -> list[LogLine]:
    """Return the lines of move n for a viewer. With None, the lines reveal everything."""
    if viewer is None:
        revealed = [(event, fallback_text.format_revealed_parts(game, event, reader)) for event in events]
        return [build_recap_line(LogLine, n, event, parts) for event, parts in revealed if parts is not None]
    lines: list[LogLine] = []
    for event in events:
        parts = fallback_text.format_event_parts(game, event, viewer, reader)
        if parts is not None:
            target_parts = fallback_text.format_target_parts(game, event, viewer, reader)
            lines.append(build_recap_line(LogLine, n, event, parts, target_parts))
    return lines


def build_public_record(table: Table) -> Record:
    """Return the record for download. It contains the seed only if the match is over and its deal is closed."""
    whole = table.make_record()
    return whole.truncate(len(whole.options)) if table.is_revealed else whole.without_seed()
