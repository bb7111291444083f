"""What one viewer may see of a table. Everything that leaves the house about a match is made here.

Two rules keep secrets in: the decision is spelt out only to the seat that is asked, and whatever else is computed from
the state is computed from what the viewer knows, or from worlds that it cannot tell from the true one.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.engine.view import View, base
from triclinium.engine.visible import VisibleScore
from triclinium.server import mishaps, saying
from triclinium.server.tables.table import LogLine, Table


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that the asked seat might choose: allowed, or refused and why."""

    option: str
    verb: str
    label: str
    why: str = ""
    rule: str = ""

    @property
    def allowed(self) -> bool:
        return not self.rule


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat is asked, in its player's language."""

    question: str
    allowed: list[Offer]
    refused: list[Offer]


def reader_for(table: Table, language: str) -> Reader:
    """A reader who calls the seats by their players' names."""
    return table.title.words.reader(language, table.names())


def decision(title: Game, s: State, reader: Reader, refusals: bool = True) -> Decision:
    """What the asked seat decides, every candidate of it; only for that seat's eyes."""
    legal = set(s.legal)
    allowed = [offer(title, s, o, reader) for o in s.legal]
    refused: list[Offer] = []
    try:
        for o in s.candidates() if refusals else ():
            if o not in legal:
                refused.append(offer(title, s, o, reader))
    except Exception as error:  # what may be done can be chosen, whatever fails in telling what may not
        mishaps.note(title.id, "rules", error)
    return Decision(saying.question(title, s, reader), allowed, refused)


def offer(title: Game, s: State, o: Option, reader: Reader) -> Offer:
    """One candidate as the asked seat reads it."""
    said = title.say(o), title.notation.verb(o).word, saying.label(title, s, o, reader)
    rule = s.refusal(o)
    return Offer(*said) if rule is None else Offer(*said, saying.why(title, s, o, rule, reader), rule.number)


def labels(table: Table, s: State, language: str) -> Callable[[str], str]:
    """What the options of a state are called, for the seat that is asked there."""
    reader = reader_for(table, language)
    return lambda option: saying.label(table.title, s, table.title.read(option), reader)


def log(table: Table, seat: Seat, language: str) -> list[LogLine]:
    """The log as this viewer reads it; lines once made are kept."""
    kept = table.logs.setdefault((language, seat), [])
    match = table.playing
    n = kept[-1][0] + 1 if kept else 0
    if n < len(match.events):
        reader = reader_for(table, language)
        for i in range(n, len(match.events)):
            kept.append((i, log_lines(table.title, match.events[i], seat, reader, i)))
    return [line for _, lines in kept for line in lines]


def log_of(match: Match, names: tuple[str, ...], seat: Seat, language: str, n: int) -> list[LogLine]:
    """The lines of one move of another position."""
    return log_lines(match.title, match.events[n], seat, match.title.words.reader(language, names), n)


def log_lines(title: Game, events: list[Event], seat: Seat, reader: Reader, n: int) -> list[LogLine]:
    """What a viewer reads of move n."""
    told = [(event, saying.event(title, event, seat, reader)) for event in events]
    return [LogLine(n, event.seat, text, event.rule) for event, text in told if text is not None]


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


def view(title: Game, s: State, seat: Seat) -> View:
    """The title's view of this seat, or of a spectator."""
    return title.view(s, None if seat == NOBODY else seat)


def view_or_base(title: Game, s: State, seat: Seat) -> View:
    """The view; should it fail, the part of it that the engine makes: who decides what."""
    try:
        return view(title, s, seat)
    except Exception as error:
        mishaps.note(title.id, "view", error)
        return View(*base(s, None if seat == NOBODY else seat, title.notation))


def record(table: Table) -> Record:
    """The record as it may be given out: the seed is told when the match is over."""
    whole = table.record()
    return whole.until(len(whole.options)) if table.status == "over" else whole.without_seed()


def new_key() -> str:
    """A mark for one form, so that the same post twice is known again."""
    return secrets.token_urlsafe(12)
