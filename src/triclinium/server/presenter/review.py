"""A review in its reader's language: one seat's dearest decisions, what chance did to it, and all cards open.

Only of a match that is over: nothing is hidden here.
"""

from dataclasses import dataclass

from triclinium.boardkit.revealed import Held, opened
from triclinium.bots.analysis import percent
from triclinium.bots.explanations import told as in_words
from triclinium.bots.review import Judged, Review, Stroke, Swing
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Part, Reader
from triclinium.server import plugin_errors
from triclinium.server.presenter import fallback_text
from triclinium.server.presenter.api_json import ranked
from triclinium.server.presenter.decision import labels, question, reader_for
from triclinium.server.tables.table import Table


@dataclass(frozen=True, slots=True)
class Option:
    """An option with the chance to win that it left, in percent."""

    option: str
    label: str
    percent: int


@dataclass(frozen=True, slots=True)
class Dear:
    """A decision that cost its seat something."""

    move: int  # moves played until then
    question: str
    played: Option
    best: Option
    others: list[Option]  # the next best
    cost: int  # in percent
    why: list[str]  # what speaks for the best one, in words
    open: dict[Seat, list[Held]]  # what everybody held then


@dataclass(frozen=True, slots=True)
class Luck:
    """What chance did to a seat."""

    move: int
    seat: Seat  # with whose decision it came
    lines: list[tuple[Seat, list[Part]]]  # the sentences of what came, and to whom
    percent: int  # by how much it changed the seat's chance


@dataclass(frozen=True, slots=True)
class Told:
    """What one seat is told of its match."""

    dearest: list[Dear]
    luck: list[Luck]


def told(table: Table, found: Review, seat: Seat, language: str) -> Told:
    """The review for one seat. The table's lock is held."""
    reader = reader_for(table, language)
    dearest = [dear(table, one, reader) for one in found.of_seat(seat)]
    strokes = [luck(table, one, seat, reader) for one in found.luck_of(seat)]
    return Told(dearest, [one for one in strokes if one.lines])


def dear(table: Table, judged: Judged, reader: Reader) -> Dear:
    """A decision, what was better, and what everybody held."""
    label = labels(table, judged.move, reader.language)
    options = [Option(one.option, label(one.option), percent(one.chance)) for one in (judged.played, *judged.better)]
    others = [one for one in options[2:] if one.option != judged.played.option]
    return Dear(
        judged.move,
        question(table, judged.move, reader.language),
        options[0],
        options[1],
        others,
        max(1, round(100 * judged.cost)),
        why(table, judged, reader),
        all_open(table, judged.move, reader),
    )


def why(table: Table, judged: Judged, reader: Reader) -> list[str]:
    """Why the best option was better than the one that was played, in the game's own words."""
    try:
        return [reader.read(in_words(table.game, judged.played.reasons, judged.seat))]
    except Exception as error:  # a game's own words: a review goes on without them
        plugin_errors.note(table.title_id, "words", error)
        return []


def all_open(table: Table, n: int, reader: Reader) -> dict[Seat, list[Held]]:
    """What everybody held after n moves."""
    try:
        return opened(table.game, table.position(n).state, reader)
    except Exception as error:  # a game's own views: a review goes on without them
        plugin_errors.note(table.title_id, "views", error)
        return {}


def luck(table: Table, stroke: Stroke, seat: Seat, reader: Reader) -> Luck:
    """What came, in sentences that name it."""
    events = table.events(stroke.move + 1)
    came = [events[n] for n in stroke.events if n < len(events)]
    told = [(event.seat, fallback_text.open_parts(table.game, event, reader)) for event in weightiest(came)]
    lines = [(whose, parts) for whose, parts in told if parts]
    return Luck(stroke.move, stroke.seat, lines, round(100 * stroke.luck[seat]))


def weightiest(events: list[Event]) -> list[Event]:
    """Those of the greatest weight, in their order: bookkeeping is told only where there is nothing else."""
    told = [event for event in events if event.type.text]
    most = max((event.type.weight for event in told), default=0)
    return [event for event in told if event.type.weight == most or event.secrets]


# -- for programs ----------------------------------------------------------------------------------------------------


def review_facts(table: Table, found: Review, language: str) -> dict[str, object]:
    """All of it, for every seat. The table's lock is held."""
    reader = reader_for(table, language)
    return {
        "chances": found.chances,
        "settled": found.settled,
        "swings": [swing_facts(table, one, language) for one in found.swings],
        "dearest": [dear_facts(table, one, language) for one in found.dearest],
        "luck": [luck_facts(table, one, reader) for one in found.strokes],
    }


def swing_facts(table: Table, swing: Swing, language: str) -> dict[str, object]:
    """A decision after which the chances stood differently."""
    label = labels(table, swing.move, language)
    return {
        "move": swing.move,
        "seat": swing.seat,
        "before": swing.before,
        "after": swing.after,
        "played": {"option": swing.played, "label": label(swing.played)},
        "better": ranked(table, swing.move, swing.better, language),
    }


def dear_facts(table: Table, judged: Judged, language: str) -> dict[str, object]:
    """A decision that cost its seat something."""
    return {
        "move": judged.move,
        "seat": judged.seat,
        "cost": round(judged.cost, 4),
        "played": ranked(table, judged.move, [judged.played], language)[0],
        "better": ranked(table, judged.move, judged.better, language),
        "why": why(table, judged, reader_for(table, language)),
    }


def luck_facts(table: Table, stroke: Stroke, reader: Reader) -> dict[str, object]:
    """What chance did to each seat."""
    lines = luck(table, stroke, 0, reader).lines
    texts = ["".join(part if isinstance(part, str) else part.text for part in parts) for _, parts in lines]
    return {"move": stroke.move, "seat": stroke.seat, "chances": stroke.luck, "texts": texts}
