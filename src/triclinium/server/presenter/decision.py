"""What a seat is asked, in its player's language: the options, and what the rules refuse and why."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from triclinium.boardkit.decision import (
    ActionProgress,
    ArrangedOptions,
    arrange_options,
    format_price,
    read_action_progress,
)
from triclinium.boardkit.move_chains import MoveChain
from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Part, Reader
from triclinium.engine.game import Game
from triclinium.engine.match import OPTION_SEPARATOR
from triclinium.server import fallback_text, plugin_errors
from triclinium.server.tables.table import Table

MAX_NAMED_REFUSALS = 3  # of more options in one line only the first and the last are named


@dataclass(frozen=True, slots=True)
class DecisionOffer:
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
class DecisionView:
    """What a seat is asked, in its player's language."""

    question: str
    allowed: list[DecisionOffer]
    refused: list[DecisionOffer]
    steps: ActionProgress | None = None  # the action that it is a part of
    arranged: ArrangedOptions[DecisionOffer] = field(default_factory=ArrangedOptions)  # what is allowed, in groups
    parts: list[Part] = field(default_factory=list)  # of the question: text, and the components that it names


def make_reader(table: Table, language: str) -> Reader:
    """A reader who calls the seats by their players' names."""
    return table.game.words.reader(language, table.names())


def build_decision(game: Game, s: State, reader: Reader) -> DecisionView:
    """What the asked seat decides, every candidate of it; only for that seat's eyes."""
    legal = set(s.legal)
    allowed = [build_offer(game, s, o, reader) for o in s.legal]
    refused: list[DecisionOffer] = []
    whys: fallback_text.RuleSentences = {}  # many are refused alike
    try:
        for o in s.candidates():
            if o not in legal:
                refused.append(build_refused_offer(game, s, o, reader, whys))
    except Exception as error:  # what may be done can be chosen, whatever fails in telling what may not
        plugin_errors.log_once(game.id, "rules", error)
    action_steps, order = group_options(game, s, allowed, reader)
    parts = fallback_text.format_question_parts(game, s, reader)
    return DecisionView(fallback_text.join_parts(parts), allowed, refused, action_steps, order, parts)


def group_options(
    game: Game, s: State, allowed: list[DecisionOffer], reader: Reader
) -> tuple[ActionProgress | None, ArrangedOptions[DecisionOffer]]:
    """The action and the groups; where the game fails in telling them, the options as they come."""
    try:
        return read_action_progress(game, s, reader), arrange_options(game, s, allowed, reader)
    except Exception as error:
        plugin_errors.log_once(game.id, fallback_text.TEXT_PART, error)
        return None, ArrangedOptions(closing=allowed)


def build_offer(game: Game, s: State, o: Option, reader: Reader) -> DecisionOffer:
    """One option as the asked seat reads it."""
    return DecisionOffer(*describe_option(game, s, o, reader), price=format_option_price(game, s, o, reader))


def build_refused_offer(
    game: Game, s: State, o: Option, reader: Reader, whys: fallback_text.RuleSentences
) -> DecisionOffer:
    """One candidate that is not legal, and why."""
    rule = s.forbidding_rule(o)
    return DecisionOffer(
        *describe_option(game, s, o, reader), fallback_text.explain_rule(game, s, o, rule, reader, whys), rule.number
    )


def describe_option(game: Game, s: State, o: Option, reader: Reader) -> tuple[str, str, str]:
    """Its notation, its verb, its label."""
    return game.format_option(o), game.notation.verb_of(o).word, fallback_text.format_option(game, s, o, reader)


def format_option_price(game: Game, s: State, o: Option, reader: Reader) -> str:
    """What an option costs, in words."""
    try:
        return format_price(s, o, reader)
    except Exception as error:
        plugin_errors.log_once(game.id, fallback_text.TEXT_PART, error)
        return ""


def make_chain_offer(game: Game, way: MoveChain, reader: Reader) -> DecisionOffer:
    """Several options that one click chooses."""
    options = [game.format_option(o) for o in way.options]
    return DecisionOffer(
        OPTION_SEPARATOR.join(options), game.notation.verb_of(way.options[-1]).word, reader.read(way.label)
    )


# -- at a position: for the seat that is asked there, or for everybody once the match is over -------------------------


def format_question(table: Table, n: int, language: str) -> str:
    """What was asked after n moves."""
    return fallback_text.format_question(table.game, table.position(n).state, make_reader(table, language))


def make_option_labeller(table: Table, n: int, language: str) -> Callable[[str], str]:
    """What the options are called that were offered after n moves."""
    reader, s = make_reader(table, language), table.position(n).state
    return lambda option: fallback_text.format_option(table.game, s, table.game.read(option), reader)


# -- what is refused --------------------------------------------------------------------------------------------------


class RefusalGroup:
    """Options that the same sentence of a rule refuses, told in one line: the 26 numbers that are too high."""

    def __init__(self, offers: list[DecisionOffer]) -> None:
        self.offers = offers
        self.rule = offers[0].rule
        self.reasons_differ = any(offer.why != offers[0].why for offer in offers)  # in their numbers

    @property
    def key(self) -> tuple[object, ...]:
        """All that is told of it."""
        each = tuple([(offer.label, offer.why) for offer in self.offers]) if self.reasons_differ else ()
        return self.rule, self.label, self.why, each

    @property
    def label(self) -> str:
        labels = [offer.label for offer in self.offers]
        if len(labels) <= MAX_NAMED_REFUSALS:
            return " · ".join(labels)
        return f"{labels[0]} … {labels[-1]} ({len(labels)})"

    @property
    def why(self) -> str:
        return self.offers[0].why + (" …" if self.reasons_differ else "")


def group_refusals(decision: DecisionView | None) -> list[RefusalGroup]:
    """What is refused, in the rules' order; what is refused alike in one line."""
    if decision is None:
        return []
    alike: dict[tuple[str, str, str], list[DecisionOffer]] = {}
    for offer in decision.refused:
        alike.setdefault((offer.verb, offer.rule, strip_numbers(offer.why)), []).append(offer)
    return [RefusalGroup(offers) for offers in alike.values()]


@lru_cache(1_000)
def strip_numbers(sentence: str) -> str:
    """The sentence, whatever its numbers."""
    return re.sub(r"\d+", "#", sentence)
