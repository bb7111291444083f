"""What a seat is asked, in its player's language: the options, and what the rules refuse and why."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from triclinium.boardkit.decision import Arranged, Steps, arranged, price, steps
from triclinium.boardkit.move_chains import Way
from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Part, Reader
from triclinium.engine.game import Game
from triclinium.engine.match import TOGETHER
from triclinium.server import plugin_errors
from triclinium.server.presenter import fallback_text
from triclinium.server.tables.table import Table

NAMED_REFUSALS = 3  # of more options in one line only the first and the last are named


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that the asked seat might choose: allowed, or refused and why."""

    option: str
    verb: str
    label: str
    why: str = ""
    rule: str = ""
    price: str = ""  # in words; empty where the label says it

    @property
    def allowed(self) -> bool:
        return not self.rule


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat is asked, in its player's language."""

    question: str
    allowed: list[Offer]
    refused: list[Offer]
    steps: Steps | None = None  # the action that it is a part of
    arranged: Arranged[Offer] = field(default_factory=Arranged)  # what is allowed, in groups
    parts: list[Part] = field(default_factory=list)  # of the question: text, and the components that it names


def reader_for(table: Table, language: str) -> Reader:
    """A reader who calls the seats by their players' names."""
    return table.game.words.reader(language, table.names())


def decision(game: Game, s: State, reader: Reader) -> Decision:
    """What the asked seat decides, every candidate of it; only for that seat's eyes."""
    legal = set(s.legal)
    allowed = [offer(game, s, o, reader) for o in s.legal]
    refused: list[Offer] = []
    whys: fallback_text.Sentences = {}  # many are refused alike
    try:
        for o in s.candidates():
            if o not in legal:
                refused.append(refused_offer(game, s, o, reader, whys))
    except Exception as error:  # what may be done can be chosen, whatever fails in telling what may not
        plugin_errors.note(game.id, "rules", error)
    told, order = told_in_order(game, s, allowed, reader)
    parts = fallback_text.question_parts(game, s, reader)
    return Decision(fallback_text.joined(parts), allowed, refused, told, order, parts)


def told_in_order(game: Game, s: State, allowed: list[Offer], reader: Reader) -> tuple[Steps | None, Arranged[Offer]]:
    """The action and the groups; where the game fails in telling them, the options as they come."""
    try:
        return steps(game, s, reader), arranged(game, s, allowed, reader)
    except Exception as error:
        plugin_errors.note(game.id, fallback_text.PART, error)
        return None, Arranged(closing=allowed)


def offer(game: Game, s: State, o: Option, reader: Reader) -> Offer:
    """One option as the asked seat reads it."""
    return Offer(*said(game, s, o, reader), price=price_of(game, s, o, reader))


def refused_offer(game: Game, s: State, o: Option, reader: Reader, whys: fallback_text.Sentences) -> Offer:
    """One candidate that is not legal, and why."""
    rule = s.forbidden(o)
    return Offer(*said(game, s, o, reader), fallback_text.why(game, s, o, rule, reader, whys), rule.number)


def said(game: Game, s: State, o: Option, reader: Reader) -> tuple[str, str, str]:
    """Its notation, its verb, its label."""
    return game.say(o), game.notation.verb(o).word, fallback_text.label(game, s, o, reader)


def price_of(game: Game, s: State, o: Option, reader: Reader) -> str:
    """What an option costs, in words."""
    try:
        return price(s, o, reader)
    except Exception as error:
        plugin_errors.note(game.id, fallback_text.PART, error)
        return ""


def way_offer(game: Game, way: Way, reader: Reader) -> Offer:
    """Several options that one click chooses."""
    said = [game.say(o) for o in way.options]
    return Offer(TOGETHER.join(said), game.notation.verb(way.options[-1]).word, reader.read(way.label))


# -- at a position: for the seat that is asked there, or for everybody once the match is over -------------------------


def question(table: Table, n: int, language: str) -> str:
    """What was asked after n moves."""
    return fallback_text.question(table.game, table.position(n).state, reader_for(table, language))


def labels(table: Table, n: int, language: str) -> Callable[[str], str]:
    """What the options are called that were offered after n moves."""
    reader, s = reader_for(table, language), table.position(n).state
    return lambda option: fallback_text.label(table.game, s, table.game.read(option), reader)


# -- what is refused --------------------------------------------------------------------------------------------------


class Refusal:
    """Options that the same sentence of a rule refuses, told in one line: the 26 numbers that are too high."""

    def __init__(self, offers: list[Offer]) -> None:
        self.offers = offers
        self.rule = offers[0].rule
        self.differ = any(offer.why != offers[0].why for offer in offers)  # in their numbers

    @property
    def key(self) -> tuple[object, ...]:
        """All that is told of it."""
        each = tuple([(offer.label, offer.why) for offer in self.offers]) if self.differ else ()
        return self.rule, self.label, self.why, each

    @property
    def label(self) -> str:
        labels = [offer.label for offer in self.offers]
        if len(labels) <= NAMED_REFUSALS:
            return " · ".join(labels)
        return f"{labels[0]} … {labels[-1]} ({len(labels)})"

    @property
    def why(self) -> str:
        return self.offers[0].why + (" …" if self.differ else "")


def refusals(decision: Decision | None) -> list[Refusal]:
    """What is refused, in the rules' order; what is refused alike in one line."""
    if decision is None:
        return []
    alike: dict[tuple[str, str, str], list[Offer]] = {}
    for offer in decision.refused:
        alike.setdefault((offer.verb, offer.rule, without_numbers(offer.why)), []).append(offer)
    return [Refusal(offers) for offers in alike.values()]


@lru_cache(1_000)
def without_numbers(sentence: str) -> str:
    """The sentence, whatever its numbers."""
    return re.sub(r"\d+", "#", sentence)
