"""Recaps of the events since a player's last decision. Pages and the terminal use them.

Events that affect the viewer come first and say "you". The others are grouped by the acting player. All lists are in
the order of play. Nothing is lost: bookkeeping goes to a separate list that pages fold. Repeated events appear once
with a count. A summary has one entry for each of the few players whose events are the most important.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from triclinium.engine.core.event import BOOKKEEPING, ORDINARY, TURNING_POINT, Event
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import NamedComponent, Part, Reader
from triclinium.engine.game_text import GameText


@dataclass(slots=True)
class RecapLine:
    """One event as a viewer reads it in the log or the recap."""

    n: int  # the number of its move; 0 is the deal
    seat: Seat | None  # None if no player caused it
    text: str
    rule: str = ""
    weight: int = ORDINARY
    hits: Seat | None = None  # the seat that it affects
    begins_round: bool = False
    parts: tuple[Part, ...] = ()  # the text in parts, with the components that it names
    shows: bool = False  # the event revealed a card
    automatic: bool = False  # the line reports an auto-reply of the viewer
    times: int = 1  # number of identical events that a recap merged into this line
    target_parts: tuple[Part, ...] = ()  # the sentence that says "you" to the viewer, if the event affects them

    @property
    def counted_text(self) -> str:
        """The text with the number of repetitions."""
        return f"{self.text} ×{self.times}" if self.times > 1 else self.text

    @property
    def actor(self) -> Seat | None:
        """The seat under which the line appears. The beginning of a round has none."""
        return None if self.begins_round else self.seat

    def without_subject(self, name: str) -> tuple[Part, ...]:
        """The parts without the name of the acting player and its colon, if the sentence begins with it."""
        if not self.parts:
            return (self.text,)
        first, *rest = self.parts
        if first != name or not rest or not isinstance(rest[0], str):
            return self.parts
        return (rest[0].lstrip().removeprefix(":").lstrip(), *rest[1:])

    @property
    def named_components(self) -> list[NamedComponent]:
        """The components that the line names."""
        return [part for part in self.parts if isinstance(part, NamedComponent)]

    @property
    def drawing_key(self) -> tuple[object, ...]:
        """Everything that its drawing depends on, except the game and the language."""
        return self.text, *((part.kind, part.number) for part in self.named_components)


AnyLine = TypeVar("AnyLine", bound=RecapLine)


@dataclass(frozen=True, slots=True)
class RecapGroup(Generic[AnyLine]):
    """The lines of one player, in the order of play. Lines without a player have no seat."""

    seat: Seat | None
    lines: list[AnyLine]


@dataclass(frozen=True, slots=True)
class Recap(Generic[AnyLine]):
    """Events sorted for one viewer. All lists are in the order of play."""

    lines: list[AnyLine]  # all lines of the recap
    hits: list[AnyLine]  # events that affect the viewer
    groups: list[RecapGroup[AnyLine]]  # the other important events, by player
    small: list[AnyLine]  # lines of weight BOOKKEEPING

    def __bool__(self) -> bool:
        return bool(self.lines)


@dataclass(frozen=True, slots=True)
class RecapEntry(Generic[AnyLine]):
    """The most important events of one player, for a single line of a page."""

    seat: Seat | None
    lines: list[AnyLine]  # in the order of play
    rank: int  # 1 is the most important entry
    is_hit: bool  # one of the events affects the viewer


def build_recap_lines(
    words: GameText, n: int, events: Iterable[Event], viewer: Seat, reader: Reader
) -> list[RecapLine]:
    """Return the lines that a viewer reads of move n. Viewer -1 is a spectator."""
    messages = [(event, words.event_message(event.for_viewer(viewer), viewer)) for event in events]
    return [
        build_recap_line(
            RecapLine, n, event, reader.read_parts(message), _read_target_parts(words, event, viewer, reader)
        )
        for event, message in messages
        if message is not None
    ]


def _read_target_parts(words: GameText, event: Event, viewer: Seat, reader: Reader) -> list[Part]:
    message = words.target_message(event) if viewer != NOBODY and event.target_seat == viewer else None
    return [] if message is None else reader.read_parts(message)


def build_recap_line(
    kind: type[AnyLine], n: int, event: Event, parts: Sequence[Part], target_parts: Sequence[Part] = ()
) -> AnyLine:
    """Return the line for an event of move n with this text."""
    return kind(
        n=n,
        seat=None if event.seat == NOBODY else event.seat,
        text=_join_parts(parts),
        rule=event.rule,
        weight=event.type.weight,
        hits=None if event.target_seat == NOBODY else event.target_seat,
        begins_round=event.type.begins_round,
        parts=tuple(parts),
        shows=event.type.shows,
        target_parts=tuple(target_parts),
    )


def _join_parts(parts: Iterable[Part]) -> str:
    return "".join(part if isinstance(part, str) else part.text for part in parts)


def build_recap(lines: Sequence[AnyLine], viewer: Seat | None) -> Recap[AnyLine]:
    """Return the lines sorted by relevance for this viewer. None is a spectator, whom no event affects."""
    merged = merge_repeated_lines([_address_viewer(line) if _affects(line, viewer) else line for line in lines])
    rest = [line for line in merged if not _affects(line, viewer)]
    return Recap(
        merged,
        [line for line in merged if _affects(line, viewer)],
        group_by_actor(line for line in rest if line.weight > BOOKKEEPING),
        [line for line in rest if line.weight <= BOOKKEEPING],
    )


def _affects(line: RecapLine, viewer: Seat | None) -> bool:
    return viewer is not None and line.hits == viewer


def _address_viewer(line: AnyLine) -> AnyLine:
    """Return the line with the sentence that says "you", if it has one."""
    return replace(line, text=_join_parts(line.target_parts), parts=line.target_parts) if line.target_parts else line


def summarize_recap(
    recap: Recap[AnyLine], viewer: Seat | None, max_entries: int, max_lines: int
) -> list[RecapEntry[AnyLine]]:
    """Return one entry for each of the most important players, in the order of play, with their weightiest lines.

    An event that affects the viewer outweighs all others.
    """

    def measure_weight(line: AnyLine) -> int:
        return TURNING_POINT + 1 if _affects(line, viewer) else line.weight

    grouped = group_by_actor(line for line in recap.lines if measure_weight(line) > BOOKKEEPING)
    groups = grouped or group_by_actor(recap.lines)
    weights = [max(measure_weight(line) for line in group.lines) for group in groups]
    ranking = sorted(range(len(groups)), key=lambda i: -weights[i])[:max_entries]
    entries: list[RecapEntry[AnyLine]] = []
    for i in sorted(ranking):
        own = groups[i].lines
        chosen = sorted(sorted(range(len(own)), key=lambda k: -measure_weight(own[k]))[:max_lines])
        entries.append(
            RecapEntry(
                groups[i].seat,
                [own[k] for k in chosen],
                ranking.index(i) + 1,
                weights[i] > TURNING_POINT,
            )
        )
    return entries


def join_sentences(lines: Sequence[RecapLine], name: str) -> tuple[str, str]:
    """Return the lines of one player as one sentence: its subject, and the rest ``sails to Cyrene; keeps 31.``

    The subject is the player's name, or empty if the first line does not begin with it.
    """
    texts: list[str] = []
    for line in lines:
        text = _join_parts(line.without_subject(name)).rstrip(".")
        texts.append(f"{text} ×{line.times}" if line.times > 1 else text)
    has_subject = bool(lines) and lines[0].without_subject(name) != lines[0].parts and bool(lines[0].parts)
    joined = "; ".join(texts)
    return name if has_subject else "", joined if joined.endswith(("!", "?", "”", "»")) else f"{joined}."


def merge_repeated_lines(lines: Sequence[AnyLine]) -> list[AnyLine]:
    """Merge identical lines at the position of the first one, and return the lines."""
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
    """Return the lines grouped by player. Players and lines are in the order of play."""
    lines_by_actor: dict[Seat | None, list[AnyLine]] = {}
    for line in lines:
        lines_by_actor.setdefault(line.actor, []).append(line)
    return [RecapGroup(seat, several) for seat, several in lines_by_actor.items()]


# -- start of the recap ------------------------------------------------------------------------------------------


def find_last_own_move(deciders: Sequence[Seat], seat: Seat, is_asked: bool) -> int:
    """Return the move after which everything is new to this seat, or 0 if it has decided nothing.

    While the seat is asked, its latest decisions in a row belong to the current turn. Earlier moves of other players
    stay new until that turn is over.
    """
    n = len(deciders)
    while is_asked and n and deciders[n - 1] == seat:
        n -= 1
    while n and deciders[n - 1] != seat:
        n -= 1
    return n


def select_unread_lines(lines: Iterable[AnyLine], deciders: Sequence[Seat], seat: Seat, after: int) -> list[AnyLine]:
    """Return the lines from a move on that the seat has not read. Results of its own decisions are left out."""
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
    """Return how often this seat had the turn in the round of these lines. Decisions in a row count once.

    The move that begins the round was decided in the round before.
    """
    if not lines:
        return 0
    first = lines[0].n
    own = [n for n in range(first + 1, lines[-1].n + 1) if deciders[n - 1] == seat]
    return sum(n == first + 1 or deciders[n - 2] != seat for n in own)


def find_finished_round(lines: Sequence[AnyLine], fresh: Sequence[AnyLine]) -> list[AnyLine]:
    """Return the lines of the last complete round if one of the fresh lines ended it. Otherwise return no lines."""
    begins = [i for i, line in enumerate(lines) if line.begins_round]
    if len(begins) < 2 or not any(line is lines[begins[-1]] for line in fresh):
        return []
    return list(lines[begins[-2] : begins[-1]])
