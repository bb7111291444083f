"""Decisions of a seat in its player's language: the options, and the refused ones with their reasons."""

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

MAX_NAMED_REFUSALS = 3  # a line with more refused options names only the first and the last


@dataclass(frozen=True, slots=True)
class DecisionOffer:
    """An option of the seat that has to decide: allowed, or refused for a reason."""

    option: str
    verb: str
    label: str
    why: str = ""
    rule: str = ""
    price: str = ""  # in words; empty if the label includes it

    @property
    def allowed(self) -> bool:
        return not self.rule


@dataclass(frozen=True, slots=True)
class DecisionView:
    """The decision of a seat, in its player's language."""

    question: str
    allowed: list[DecisionOffer]
    refused: list[DecisionOffer]
    steps: ActionProgress | None = None  # the action to which the decision belongs
    arranged: ArrangedOptions[DecisionOffer] = field(default_factory=ArrangedOptions)  # the allowed options in groups
    parts: list[Part] = field(default_factory=list)  # the question as texts and the components that it names


def make_reader(table: Table, language: str) -> Reader:
    """Return a reader of messages who names the seats by their players."""
    return table.game.words.reader(language, table.names())


def build_decision(game: Game, s: State, reader: Reader) -> DecisionView:
    """Return the decision with all allowed and refused options. Only the seat that has to decide may see it."""
    legal = set(s.legal)
    allowed = [build_offer(game, s, o, reader) for o in s.legal]
    refused: list[DecisionOffer] = []
    whys: fallback_text.RuleSentences = {}  # cache, because many options are refused for the same reason
    try:
        for o in s.candidates():
            if o not in legal:
                refused.append(build_refused_offer(game, s, o, reader, whys))
    except Exception as error:  # the player can choose an allowed option even if the refused ones cannot be explained
        plugin_errors.log_once(game.id, "rules", error)
    action_steps, order = group_options(game, s, allowed, reader)
    parts = fallback_text.format_question_parts(game, s, reader)
    return DecisionView(fallback_text.join_parts(parts), allowed, refused, action_steps, order, parts)


def group_options(
    game: Game, s: State, allowed: list[DecisionOffer], reader: Reader
) -> tuple[ActionProgress | None, ArrangedOptions[DecisionOffer]]:
    """Return the action and the option groups. If the game's code fails, return the options without groups."""
    try:
        return read_action_progress(game, s, reader), arrange_options(game, s, allowed, reader)
    except Exception as error:
        plugin_errors.log_once(game.id, fallback_text.TEXT_PART, error)
        return None, ArrangedOptions(closing=allowed)


def build_offer(game: Game, s: State, o: Option, reader: Reader) -> DecisionOffer:
    """Return an allowed option as its player reads it."""
    return DecisionOffer(*describe_option(game, s, o, reader), price=format_option_price(game, s, o, reader))


def build_refused_offer(
    game: Game, s: State, o: Option, reader: Reader, whys: fallback_text.RuleSentences
) -> DecisionOffer:
    """Return a refused option with the reason."""
    rule = s.forbidding_rule(o)
    return DecisionOffer(
        *describe_option(game, s, o, reader), fallback_text.explain_rule(game, s, o, rule, reader, whys), rule.number
    )


def describe_option(game: Game, s: State, o: Option, reader: Reader) -> tuple[str, str, str]:
    """Return an option's notation, verb and label."""
    return game.format_option(o), game.notation.verb_of(o).word, fallback_text.format_option(game, s, o, reader)


def format_option_price(game: Game, s: State, o: Option, reader: Reader) -> str:
    """Return the price of an option in words, or "" if it has none."""
    try:
        return format_price(s, o, reader)
    except Exception as error:
        plugin_errors.log_once(game.id, fallback_text.TEXT_PART, error)
        return ""


def make_chain_offer(game: Game, way: MoveChain, reader: Reader) -> DecisionOffer:
    """Return one offer for a chain of options that a single click chooses."""
    options = [game.format_option(o) for o in way.options]
    return DecisionOffer(
        OPTION_SEPARATOR.join(options), game.notation.verb_of(way.options[-1]).word, reader.read(way.label)
    )


# -- at any position: for its player, or for all viewers of a finished match ------------------------------------------


def format_question(table: Table, n: int, language: str) -> str:
    """Return the question that was asked after n moves."""
    return fallback_text.format_question(table.game, table.position(n).state, make_reader(table, language))


def make_option_labeller(table: Table, n: int, language: str) -> Callable[[str], str]:
    """Return a function that labels the options of the decision after n moves."""
    reader, s = make_reader(table, language), table.position(n).state
    return lambda option: fallback_text.format_option(table.game, s, table.game.read(option), reader)


# -- refused options --------------------------------------------------------------------------------------------------


class RefusalGroup:
    """Options that the same rule refuses, shown in one line. An example is a row of 26 numbers that are too high."""

    def __init__(self, offers: list[DecisionOffer]) -> None:
        self.offers = offers
        self.rule = offers[0].rule
        self.reasons_differ = any(offer.why != offers[0].why for offer in offers)  # only the numbers differ

    @property
    def key(self) -> tuple[object, ...]:
        """The content of the group's line, for comparisons."""
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
    """Return the refused options in the order of the rules, with similar ones in one group."""
    if decision is None:
        return []
    alike: dict[tuple[str, str, str], list[DecisionOffer]] = {}
    for offer in decision.refused:
        alike.setdefault((offer.verb, offer.rule, strip_numbers(offer.why)), []).append(offer)
    return [RefusalGroup(offers) for offers in alike.values()]


@lru_cache(1_000)
def strip_numbers(sentence: str) -> str:
    """Return a sentence with "#" in place of each number."""
    return re.sub(r"\d+", "#", sentence)
