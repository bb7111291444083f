"""What one viewer may see of a table. Everything that leaves the house about a match is made here.

Two rules keep secrets in: the decision is spelt out only to the seat that is asked, and whatever else is computed from
the state is computed from what the viewer knows, or from worlds that it cannot tell from the true one.
"""

import secrets
from collections.abc import Callable

from triclinium.kernel.known import VisibleScore
from triclinium.kernel.match import Match
from triclinium.kernel.message import Reader
from triclinium.kernel.record import Record
from triclinium.kernel.rule import MATCH_OVER, NOT_ASKED, Rule
from triclinium.kernel.state import NOBODY, Option, Seat, State
from triclinium.kernel.title import Title
from triclinium.server.table import LogLine, Table


class Offer:
    """One thing that the asked seat might choose: allowed, or refused and why."""

    def __init__(self, option: str, verb: str, label: str, why: str = "", rule: str = "") -> None:
        self.option = option
        self.verb = verb
        self.label = label
        self.why = why
        self.rule = rule

    @property
    def allowed(self) -> bool:
        return not self.rule


class Decision:
    """What a seat is asked, in its player's language."""

    def __init__(self, question: str, allowed: list[Offer], refused: list[Offer]) -> None:
        self.question = question
        self.allowed = allowed
        self.refused = refused


def reader_for(table: Table, language: str) -> Reader:
    """A reader who calls the seats by their players' names."""
    return table.title.words.reader(language, table.names())


def decision(title: Title, s: State, reader: Reader, refusals: bool = True) -> Decision:
    """What the asked seat decides, every candidate of it; only for that seat's eyes."""
    words = title.words
    allowed: list[Offer] = []
    refused: list[Offer] = []
    legal = set(s.legal)
    for o in s.candidates() if refusals else s.legal:
        verb = title.notation.verb(o).word
        label = reader.read(words.label(s, o), words.figure)
        if o in legal:
            allowed.append(Offer(title.say(o), verb, label))
        else:
            rule = s.refusal(o)
            assert rule is not None
            refused.append(Offer(title.say(o), verb, label, why(title, s, o, rule, reader), rule.number))
    return Decision(reader.read(words.question(s), words.figure), allowed, refused)


def labels(table: Table, s: State, language: str) -> Callable[[str], str]:
    """What the options of a state are called, for the seat that is asked there."""
    words = table.title.words
    reader = reader_for(table, language)
    return lambda option: reader.read(words.label(s, table.title.read(option)), words.figure)


def why(title: Title, s: State, o: Option, rule: Rule, reader: Reader) -> str:
    """The sentence of a refusal, with what is missing."""
    figures = () if rule is NOT_ASKED or rule is MATCH_OVER else s.asked.figures(s, o, rule)
    return title.words.rule(rule, figures, reader)


def log(table: Table, seat: Seat, language: str) -> list[LogLine]:
    """The log as this viewer reads it; lines once made are kept."""
    kept = table.logs.setdefault((language, seat), [])
    match = table.playing
    n = kept[-1][0] + 1 if kept else 0
    if n < len(match.news):
        words = table.title.words
        reader = reader_for(table, language)
        for i in range(n, len(match.news)):
            lines: list[LogLine] = []
            for event in match.news[i]:
                message = words.event(event.for_viewer(seat), seat)
                if message is not None:
                    lines.append(LogLine(i, event.seat, reader.read(message, words.figure), event.rule))
            kept.append((i, lines))
    return [line for _, lines in kept for line in lines]


def log_of(match: Match, names: tuple[str, ...], seat: Seat, language: str, n: int) -> list[LogLine]:
    """The lines of one move of another position."""
    words = match.title.words
    reader = words.reader(language, names)
    lines: list[LogLine] = []
    for event in match.news[n]:
        message = words.event(event.for_viewer(seat), seat)
        if message is not None:
            lines.append(LogLine(n, event.seat, reader.read(message, words.figure), event.rule))
    return lines


def points(table: Table, match: Match, seat: Seat) -> list[VisibleScore]:
    """The scores as this viewer (NOBODY: a spectator) can tell them; kept until the table moves on."""
    if match is not table.match:
        return table.title.scores_for(match.state, seat)
    if table.points_at != table.version:
        table.points_at = table.version
        table.points.clear()
    if seat not in table.points:
        table.points[seat] = table.title.scores_for(match.state, seat)
    return table.points[seat]


def view(s: State, seat: Seat) -> dict[str, object]:
    """The title's view of this seat, or of a spectator."""
    return s.view(None if seat == NOBODY else seat)


def record(table: Table) -> Record:
    """The record as it may be given out: the seed is told when the match is over."""
    whole = table.playing.record
    return whole.until(len(whole.options)) if table.status == "over" else whole.without_seed()


def new_key() -> str:
    """A mark for one form, so that the same post twice is known again."""
    return secrets.token_urlsafe(12)
