"""Recap of the moves that a player has missed: since their last decision, and during the last round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from triclinium.engine.core.event import BOOKKEEPING
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import NamedComponent
from triclinium.engine.recap import (
    Recap,
    RecapEntry,
    build_recap,
    find_finished_round,
    find_last_own_move,
    join_sentences,
    select_unread_lines,
    summarize_recap,
)
from triclinium.server.tables.table import LogLine, Table
from triclinium.server.tables.visible_state import compute_visible_totals

MAX_ENTRIES = 3  # number of players in the recap bar; a click shows all lines
MAX_ENTRY_LINES = 3  # number of events of each of them
MAX_CARDS = 3  # maximum number of revealed cards shown at once


@dataclass(frozen=True, slots=True)
class PlayerNews:
    """The most important events of one player, as one line of the recap bar."""

    seat: Seat | None
    subject: str  # the player's name, or empty if the text does not need it
    text: str
    gain: int  # points that the seat has gained since the reader's last decision, as far as the reader knows
    rank: int  # 1 is the most important line
    is_hit: bool  # whether the events affect the reader

    @property
    def sentence(self) -> str:
        return f"{self.subject} {self.text}".lstrip()


@dataclass(frozen=True)
class News:
    """The recap of the other players' moves for one seat."""

    after: int  # the seat's last decision; 0: none yet
    since: Recap[LogLine]
    round: Recap[LogLine] | None  # the round that has ended since then
    digest: list[PlayerNews]  # the recap bar: the most important events, or the latest while others decide
    gained: list[tuple[Seat, int]]  # points that each seat gained in the round that has ended
    spoken: list[str]  # the recap bar for screen readers; empty after the seat's first decision of a turn

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self.since.lines)

    @cached_property
    def mentioned_parts(self) -> list[NamedComponent]:
        """The components that the lines name, without duplicates."""
        lines = self.since.lines + (self.round.lines if self.round else [])
        return list({(part.kind, part.number): part for line in lines for part in line.named_components}.values())


@dataclass(frozen=True, slots=True)
class RevealedCard:
    """A revealed card, with the other events of the same move."""

    line: LogLine
    consequences: list[LogLine]

    @property
    def card(self) -> NamedComponent:
        return self.line.named_components[0]


def find_revealed_cards(lines: list[LogLine], after: int) -> list[RevealedCard]:
    """Return the last cards revealed in or after a move, each with its consequences."""
    cards: list[RevealedCard] = []
    for line in lines:
        if line.n < after:
            continue
        if line.shows and line.named_components:
            cards.append(RevealedCard(line, []))
        elif cards and cards[-1].line.n == line.n and line.weight > BOOKKEEPING:
            cards[-1].consequences.append(line)
    return cards[-MAX_CARDS:]


def collect_news(table: Table, seat: Seat, lines: list[LogLine], asked: bool) -> News:
    """Return the recap of a log for one seat."""
    deciders = table.current_match.list_deciders()
    after = find_last_own_move(deciders, seat, asked)
    fresh = select_unread_lines(lines, deciders, seat, after)
    missed = build_recap(fresh, seat)
    over = find_finished_round(lines, fresh)
    begun = asked and len(deciders) > after and deciders[-1] == seat  # the seat has already decided in the current turn
    latest = missed if asked else build_recap(fresh[-1:], seat)
    gained = dict(compute_points_gained(table, seat, after, table.moves)) if asked and fresh else {}
    digest = [
        _build_player_news(entry, table.names(), gained)
        for entry in summarize_recap(latest, seat, MAX_ENTRIES, MAX_ENTRY_LINES)
    ]
    return News(
        after,
        missed,
        build_recap(over, seat) if over else None,
        digest,
        compute_points_gained(table, seat, over[0].n, over[-1].n) if over else [],
        [] if begun or not asked else [entry.sentence for entry in digest],
    )


def _build_player_news(entry: RecapEntry[LogLine], names: Sequence[str], gained: Mapping[Seat, int]) -> PlayerNews:
    subject, text = join_sentences(entry.lines, "" if entry.seat is None else names[entry.seat])
    gain = 0 if entry.seat is None else gained.get(entry.seat, 0)
    return PlayerNews(entry.seat, subject, text, gain, entry.rank, entry.is_hit)


def compute_points_gained(table: Table, seat: Seat, first: int, last: int) -> list[tuple[Seat, int]]:
    """Return the points that each seat gained between two positions, as far as this seat knows them.

    Seats without a change are absent.
    """
    if not table.game.has_points:
        return []
    both = zip(*(compute_visible_totals(table, n, seat) for n in (first, last)), strict=True)
    changes = [(n, new - old) for n, (old, new) in enumerate(both) if isinstance(old, int) and isinstance(new, int)]
    return [(n, points) for n, points in changes if points]
