"""Recap of the moves that a player has missed: since their last decision, and during the last round."""

from dataclasses import dataclass

from triclinium.engine.core.event import BOOKKEEPING
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import NamedComponent
from triclinium.engine.recap import (
    Recap,
    build_recap,
    count_turns,
    find_finished_round,
    find_last_own_move,
    select_unread_lines,
)
from triclinium.server.tables.table import LogLine, Table
from triclinium.server.tables.visible_state import compute_visible_totals

DIGEST_LINES = 3  # lines of the recap bar; a click shows all of them
SPOKEN_LINES = 6  # lines that a screen reader reads before the question
MAX_CARDS = 3  # maximum number of revealed cards shown at once


@dataclass(frozen=True, slots=True)
class News:
    """The recap of the other players' moves for one seat."""

    after: int  # the seat's last decision; 0: none yet
    since: Recap[LogLine]
    round: Recap[LogLine] | None  # the round that has ended since then
    digest: list[LogLine]  # lines of the recap bar: the most important, or the latest while others decide
    gained: list[tuple[Seat, int]]  # points that each seat gained in that round, as far as this seat knows
    spoken: list[LogLine]  # for screen readers, in the order of play; empty after the seat's first decision of a turn
    opens: bool  # shown without a click, because a round in which the seat had several turns has ended

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self.since.ranked_lines)

    @property
    def mentioned_parts(self) -> list[NamedComponent]:
        """The components that the lines name, without duplicates."""
        lines = self.since.ranked_lines + (self.round.ranked_lines if self.round else [])
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
    return News(
        after,
        missed,
        build_recap(over, seat) if over else None,
        missed.ranked_lines[:DIGEST_LINES] if asked else fresh[-1:],
        compute_points_gained(table, seat, over),
        [] if begun or not asked else order_lines(missed, fresh),
        count_turns(over, deciders, seat) > 1 and not begun,
    )


def order_lines(missed: Recap[LogLine], fresh: list[LogLine]) -> list[LogLine]:
    """Return the lines of a recap that matter most, in the order of play."""
    chosen = [line for line in missed.ranked_lines if line.weight > BOOKKEEPING][:SPOKEN_LINES]
    first = {(line.actor, line.text): n for n, line in reversed(list(enumerate(fresh)))}
    return sorted(chosen, key=lambda line: first[line.actor, line.text])


def compute_points_gained(table: Table, seat: Seat, over: list[LogLine]) -> list[tuple[Seat, int]]:
    """Return the points that each seat gained in a round, as far as this seat knows them.

    Seats without a change are absent.
    """
    if not over or not table.game.has_points:
        return []
    before, after = (compute_visible_totals(table, n, seat) for n in (over[0].n, over[-1].n))
    both = zip(before, after, strict=True)
    changes = [(n, new - old) for n, (old, new) in enumerate(both) if isinstance(old, int) and isinstance(new, int)]
    return [(n, points) for n, points in changes if points]
