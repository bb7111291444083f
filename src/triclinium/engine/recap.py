"""What happened since somebody last decided, by what matters to them: the same for page, terminal and programs.

What was done to the viewer comes first, then the turning points, then the rest, each in its order and under the player
who did it. Nothing is left out: bookkeeping is put aside, to be folded, and what happened alike several times is told
once, with how often.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from triclinium.engine.core.event import BOOKKEEPING, ORDINARY, Event
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import NamedComponent, Part, Reader
from triclinium.engine.game_text import GameText


@dataclass(slots=True)
class RecapLine:
    """One event as a viewer reads it."""

    n: int  # the move it belongs to; 0: the deal
    seat: Seat | None  # None: nobody did it
    text: str
    rule: str = ""
    weight: int = ORDINARY
    hits: Seat | None = None  # the seat to which it was done
    begins_round: bool = False
    parts: tuple[Part, ...] = ()  # the text, with the components that it names
    shows: bool = False  # a card has come to light
    automatic: bool = False  # it tells the viewer what was answered for them
    times: int = 1  # how often it happened, word for word: a recap tells it once

    @property
    def counted_text(self) -> str:
        """The text, and how often."""
        return f"{self.text} ×{self.times}" if self.times > 1 else self.text

    @property
    def actor(self) -> Seat | None:
        """Under whom it is told: a round is begun by nobody, whoever is first in it."""
        return None if self.begins_round else self.seat

    @property
    def named_components(self) -> list[NamedComponent]:
        """The components that it names."""
        return [part for part in self.parts if isinstance(part, NamedComponent)]

    @property
    def drawing_key(self) -> tuple[object, ...]:
        """All that its drawing hangs on besides the game and the language."""
        return self.text, *((part.kind, part.number) for part in self.named_components)


AnyLine = TypeVar("AnyLine", bound=RecapLine)


@dataclass(frozen=True, slots=True)
class RecapGroup(Generic[AnyLine]):
    """What one player did, the weightiest first; what nobody did has no seat."""

    seat: Seat | None
    lines: list[AnyLine]


@dataclass(frozen=True, slots=True)
class Recap(Generic[AnyLine]):
    """What happened, sorted for one viewer."""

    hits: list[AnyLine]  # what was done to the viewer
    groups: list[RecapGroup[AnyLine]]  # the rest that matters, by player
    small: list[AnyLine]  # bookkeeping

    def __bool__(self) -> bool:
        return bool(self.hits or self.groups or self.small)

    @property
    def ranked_lines(self) -> list[AnyLine]:
        """All of it, the weightiest first."""
        rest = [line for group in self.groups for line in group.lines]
        return [*self.hits, *sorted(rest, key=lambda line: (-line.weight, line.n)), *self.small]


def build_recap_lines(
    words: GameText, n: int, events: Iterable[Event], viewer: Seat, reader: Reader
) -> list[RecapLine]:
    """What a viewer reads of move n; -1: a spectator."""
    messages = [(event, words.event_message(event.for_viewer(viewer), viewer)) for event in events]
    return [
        build_recap_line(RecapLine, n, event, reader.read_parts(message))
        for event, message in messages
        if message is not None
    ]


def build_recap_line(kind: type[AnyLine], n: int, event: Event, parts: Sequence[Part]) -> AnyLine:
    """The line of an event of move n; ``parts`` is its text."""
    return kind(
        n=n,
        seat=None if event.seat == NOBODY else event.seat,
        text="".join(part if isinstance(part, str) else part.text for part in parts),
        rule=event.rule,
        weight=event.type.weight,
        hits=None if event.target_seat == NOBODY else event.target_seat,
        begins_round=event.type.begins_round,
        parts=tuple(parts),
        shows=event.type.shows,
    )


def build_recap(lines: Sequence[AnyLine], viewer: Seat | None) -> Recap[AnyLine]:
    """These lines, by what matters to this viewer (None: a spectator, to whom nothing is done)."""
    hits = [line for line in lines if viewer is not None and line.hits == viewer]
    rest = [line for line in lines if viewer is None or line.hits != viewer]
    return Recap(
        _sort_by_weight(merge_repeated_lines(hits)),
        group_by_actor(merge_repeated_lines([line for line in rest if line.weight > BOOKKEEPING])),
        merge_repeated_lines([line for line in rest if line.weight <= BOOKKEEPING]),
    )


def merge_repeated_lines(lines: Sequence[AnyLine]) -> list[AnyLine]:
    """Lines that say the same of the same player become one, where the first of them stood."""
    counts = Counter((line.actor, line.text) for line in lines)
    if len(counts) == len(lines):
        return list(lines)
    merged: dict[tuple[Seat | None, str], AnyLine] = {}
    for line in lines:
        key = (line.actor, line.text)
        if key not in merged:
            merged[key] = replace(line, times=counts[key]) if counts[key] > 1 else line
    return list(merged.values())


def group_by_actor(lines: Iterable[AnyLine]) -> list[RecapGroup[AnyLine]]:
    """Lines under who did them: who did the weightiest comes first."""
    lines_by_actor: dict[Seat | None, list[AnyLine]] = {}
    for line in _sort_by_weight(lines):
        lines_by_actor.setdefault(line.actor, []).append(line)
    return [RecapGroup(seat, several) for seat, several in lines_by_actor.items()]


def _sort_by_weight(lines: Iterable[AnyLine]) -> list[AnyLine]:
    return sorted(lines, key=lambda line: -line.weight)


# -- since when ------------------------------------------------------------------------------------------------------


def find_last_own_move(deciders: Sequence[Seat], seat: Seat, is_asked: bool) -> int:
    """The move after which everything is new to this seat; 0: it has decided nothing.

    While it is asked, what it has just decided in a row belongs to the turn at hand: what the others did before stays
    new until that turn is over.
    """
    n = len(deciders)
    while is_asked and n and deciders[n - 1] == seat:
        n -= 1
    while n and deciders[n - 1] != seat:
        n -= 1
    return n


def select_unread_lines(lines: Iterable[AnyLine], deciders: Sequence[Seat], seat: Seat, after: int) -> list[AnyLine]:
    """The lines from this move on that the seat has not read: of its own decisions only what others did by them."""
    unread: list[AnyLine] = []
    move, by_others = -1, False
    for line in lines:
        if line.n < after:
            continue
        if line.n != move:
            move, by_others = line.n, line.n == 0 or deciders[line.n - 1] != seat
        by_others = by_others or line.actor != seat
        if by_others:
            unread.append(line)
    return unread


def count_turns(lines: Sequence[AnyLine], deciders: Sequence[Seat], seat: Seat) -> int:
    """How often this seat came to decide in the round of these lines; what it decided in a row counts once.

    The move with which the round began was decided in the one before.
    """
    if not lines:
        return 0
    first = lines[0].n
    own = [n for n in range(first + 1, lines[-1].n + 1) if deciders[n - 1] == seat]
    return sum(n == first + 1 or deciders[n - 2] != seat for n in own)


def find_finished_round(lines: Sequence[AnyLine], fresh: Sequence[AnyLine]) -> list[AnyLine]:
    """The lines of the last round, if one of the fresh lines ended it; else none."""
    begins = [i for i, line in enumerate(lines) if line.begins_round]
    if len(begins) < 2 or not any(line is lines[begins[-1]] for line in fresh):
        return []
    return list(lines[begins[-2] : begins[-1]])
