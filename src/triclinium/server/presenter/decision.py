"""What a seat is asked, in its player's language: the options, and what the rules refuse and why."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.server import mishaps, saying
from triclinium.server.tables.table import Table

INLINE_REFUSALS = 6  # more lines than so many are folded away
NAMED_REFUSALS = 3  # of more options in one line only the first and the last are named


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
    return table.game.words.reader(language, table.names())


def decision(game: Game, s: State, reader: Reader) -> Decision:
    """What the asked seat decides, every candidate of it; only for that seat's eyes."""
    legal = set(s.legal)
    allowed = [offer(game, s, o, reader) for o in s.legal]
    refused: list[Offer] = []
    try:
        for o in s.candidates():
            if o not in legal:
                refused.append(offer(game, s, o, reader))
    except Exception as error:  # what may be done can be chosen, whatever fails in telling what may not
        mishaps.note(game.id, "rules", error)
    return Decision(saying.question(game, s, reader), allowed, refused)


def offer(game: Game, s: State, o: Option, reader: Reader) -> Offer:
    """One candidate as the asked seat reads it."""
    said = game.say(o), game.notation.verb(o).word, saying.label(game, s, o, reader)
    rule = s.refusal(o)
    return Offer(*said) if rule is None else Offer(*said, saying.why(game, s, o, rule, reader), rule.number)


# -- at a position: for the seat that is asked there, or for everybody once the match is over -------------------------


def question(table: Table, n: int, language: str) -> str:
    """What was asked after n moves."""
    return saying.question(table.game, table.position(n).state, reader_for(table, language))


def labels(table: Table, n: int, language: str) -> Callable[[str], str]:
    """What the options are called that were offered after n moves."""
    reader, s = reader_for(table, language), table.position(n).state
    return lambda option: saying.label(table.game, s, table.game.read(option), reader)


# -- options by verb ------------------------------------------------------------------------------------------------


class Refusal:
    """Options that the same sentence of a rule refuses, told in one line: the 26 numbers that are too high."""

    def __init__(self, offers: list[Offer]) -> None:
        self.offers = offers
        self.rule = offers[0].rule
        self.differ = any(offer.why != offers[0].why for offer in offers)  # in their numbers

    @property
    def key(self) -> tuple[object, ...]:
        """All that is told of it."""
        return self.rule, tuple((offer.label, offer.why) for offer in self.offers)

    @property
    def label(self) -> str:
        labels = [offer.label for offer in self.offers]
        if len(labels) <= NAMED_REFUSALS:
            return " · ".join(labels)
        return f"{labels[0]} … {labels[-1]} ({len(labels)})"

    @property
    def why(self) -> str:
        return self.offers[0].why + (" …" if self.differ else "")


@dataclass(slots=True)
class Group:
    """The options of one verb."""

    verb: str
    allowed: list[Offer] = field(default_factory=list, init=False)
    refused: list[Refusal] = field(default_factory=list, init=False)


def grouped(decision: Decision | None) -> tuple[list[Group], list[Refusal]]:
    """The options by verb, in the rules' order; what is refused alike in one line, many lines folded away."""
    if decision is None:
        return [], []
    groups: dict[str, Group] = {}
    for offer in decision.allowed:
        groups.setdefault(offer.verb, Group(offer.verb)).allowed.append(offer)
    alike: dict[tuple[str, str, str], list[Offer]] = {}
    for offer in decision.refused:
        sentence = re.sub(r"\d+", "#", offer.why)  # whatever its numbers
        alike.setdefault((offer.verb, offer.rule, sentence), []).append(offer)
    refusals = [Refusal(offers) for offers in alike.values()]
    if len(refusals) > INLINE_REFUSALS:
        return list(groups.values()), refusals
    for refusal in refusals:
        verb = refusal.offers[0].verb
        groups.setdefault(verb, Group(verb)).refused.append(refusal)
    return list(groups.values()), []
