"""What a seat is spared and what it may be spared now: for its own eyes, since it tells what it will answer."""

from dataclasses import dataclass

from triclinium.engine.auto_replies import SPANS, answer, spans_now, standing
from triclinium.engine.core.state import ASK, Seat
from triclinium.engine.core.text import Reader
from triclinium.server import plugin_errors
from triclinium.server.tables.table import Table


@dataclass(frozen=True, slots=True)
class Span:
    """Until when."""

    until: str
    name: str


@dataclass(frozen=True, slots=True)
class Spared:
    """One kind of question that is answered for the seat."""

    step: str
    span: Span
    text: str  # what is done


@dataclass(frozen=True, slots=True)
class Sparing:
    """All of it, in the reader's language."""

    standing: list[Spared]
    offered: list[Span]  # for the question that the seat is asked now
    step: str = ""
    option: str = ""
    text: str = ""
    asked_anyway: bool = False  # it is answered for the seat, but not now: somebody could not take back any more


def sparing(table: Table, seat: Seat, reader: Reader) -> Sparing:
    """What is answered for this seat. The table's lock is held."""
    s = table.playing.state
    found = [
        Spared(wish.step, _span(wish.until, reader), reader.translate(wish.text))
        for wish in standing(table.wishes, s, seat)
    ]
    if s.over or s.who != seat:
        return Sparing(found, [])
    step = s.asked
    try:
        spans = spans_now(s)
        if not spans:
            return Sparing(found, [])
        option = table.game.say(step.safe(s))
        anyway = any(one.step == step.id for one in found)
        anyway = anyway and answer(table.playing, table.wishes, table.options.undo) == ASK
    except Exception as error:  # the question can be answered, whatever fails in sparing it
        plugin_errors.note(table.title_id, "rules", error)
        return Sparing(found, [])
    offered = [] if anyway else [_span(until, reader) for until in spans]
    return Sparing(found, offered, step.id, option, reader.translate(step.automatic), anyway)


def _span(until: str, reader: Reader) -> Span:
    return Span(until, reader.say(SPANS[until]))


def sparing_facts(seat: Seat, told: Sparing) -> dict[str, object]:
    """The same for programs."""
    now = {
        "step": told.step,
        "option": told.option,
        "text": told.text,
        "until": [span.until for span in told.offered],
    }
    return {
        "seat": seat,
        "answers": [{"step": one.step, "until": one.span.until, "text": one.text} for one in told.standing],
        "offered": now if told.offered else None,
    }
