"""What a player has missed, from the events of the match: since the last decision, and over the last round."""

from dataclasses import dataclass

from triclinium.engine.core.event import BOOKKEEPING
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Named
from triclinium.engine.recap import Recap, last_own, last_round, recap, since, turns_in
from triclinium.server.presenter.visible_state import totals
from triclinium.server.tables.table import LogLine, Table

DIGEST = 3  # lines that stand in the bar; the whole is one click away
SPOKEN = 6  # lines that a screen reader hears before the question
CARDS = 3  # that are shown at once, of those that came to light


@dataclass(frozen=True, slots=True)
class News:
    """What one seat reads of what the others did."""

    after: int  # its last decision before; 0: it had made none
    since: Recap[LogLine]
    round: Recap[LogLine] | None  # the round that has ended since
    digest: list[LogLine]  # for the bar: the weightiest, or the latest while others decide
    gained: list[tuple[Seat, int]]  # the points that each seat gained in that round, as far as this seat can tell
    spoken: list[LogLine]  # for the ear, in the order of play; none once the seat has decided in this turn
    opens: bool  # a round of several own turns is over, and nothing decided since: it is shown without being asked for

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self.since.ranked)

    @property
    def named(self) -> list[Named]:
        """The components that its lines name, each once."""
        lines = self.since.ranked + (self.round.ranked if self.round else [])
        return list({(part.kind, part.number): part for line in lines for part in line.named}.values())


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A card that has come to light, and what came of it in the same move."""

    line: LogLine
    so: list[LogLine]

    @property
    def card(self) -> Named:
        return self.line.named[0]


def turned_up(lines: list[LogLine], after: int) -> list[TurnedUp]:
    """The last cards that came to light in this move or later, each with its consequences."""
    found: list[TurnedUp] = []
    for line in lines:
        if line.n < after:
            continue
        if line.shows and line.named:
            found.append(TurnedUp(line, []))
        elif found and found[-1].line.n == line.n and line.weight > BOOKKEEPING:
            found[-1].so.append(line)
    return found[-CARDS:]


def news(table: Table, seat: Seat, lines: list[LogLine], asked: bool) -> News:
    """What this seat has missed of a log as it reads it. The table's lock is held."""
    deciders = table.playing.deciders()
    after = last_own(deciders, seat, asked)
    fresh = since(lines, deciders, seat, after)
    told = recap(fresh, seat)
    over = last_round(lines, fresh)
    begun = asked and len(deciders) > after and deciders[-1] == seat  # in the turn at hand it has decided already
    return News(
        after,
        told,
        recap(over, seat) if over else None,
        told.ranked[:DIGEST] if asked else fresh[-1:],
        gained(table, seat, over),
        [] if begun or not asked else in_order(told, fresh),
        turns_in(over, deciders, seat) > 1 and not begun,
    )


def in_order(told: Recap[LogLine], fresh: list[LogLine]) -> list[LogLine]:
    """Return the lines of a recap that matter most, in the order of play."""
    chosen = [line for line in told.ranked if line.weight > BOOKKEEPING][:SPOKEN]
    first = {(line.doer, line.text): n for n, line in reversed(list(enumerate(fresh)))}
    return sorted(chosen, key=lambda line: first[line.doer, line.text])


def gained(table: Table, seat: Seat, over: list[LogLine]) -> list[tuple[Seat, int]]:
    """By how much totals that this seat knew for certain changed in a round; seats without a change are left out."""
    if not over or not table.game.has_points:
        return []
    before, after = (totals(table, n, seat) for n in (over[0].n, over[-1].n))
    both = zip(before, after, strict=True)
    found = [(n, new - old) for n, (old, new) in enumerate(both) if isinstance(old, int) and isinstance(new, int)]
    return [(n, points) for n, points in found if points]
