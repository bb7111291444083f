"""Sentences of a game about a table, each with a fallback.

The words of a game may come from another package and may fail. Then the sentence falls back to plain notation, so that
a table always has text and the match can go on.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from triclinium.boardkit.text_table import format_game_table
from triclinium.engine.core.errors import Refused
from triclinium.engine.core.event import Event
from triclinium.engine.core.rule import MATCH_OVER, NOT_ASKED, Rule
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Part, Reader
from triclinium.engine.game import Game
from triclinium.engine.game_text import build_notation_message
from triclinium.engine.view import View, to_json
from triclinium.server import plugin_errors

RuleSentences: TypeAlias = dict[tuple[Rule, tuple[int, ...]], str]  # sentences of rules, by rule and parameters

TEXT_PART = "words"
DECISION_EVENTS = ("chosen", "forced", "aside")  # events that every game has; the fallback shows the option in notation


def format_question(game: Game, s: State, reader: Reader) -> str:
    """Return the question that the asked seat must answer."""
    return join_parts(format_question_parts(game, s, reader))


def format_question_parts(game: Game, s: State, reader: Reader) -> list[Part]:
    """Return the question in parts, so that a page can draw the components that it names."""
    try:
        return reader.read_parts(game.words.question(s))
    except Exception as error:
        plugin_errors.log_once(game.id, TEXT_PART, error)
        return [reader.translate("Choose an option.")]


def join_parts(parts: list[Part]) -> str:
    """Join the parts of a sentence into text."""
    return "".join(part if isinstance(part, str) else part.text for part in parts)


def format_option(game: Game, s: State, o: Option, reader: Reader) -> str:
    """Return the label of an option, as its button shows it."""
    try:
        return reader.read(game.words.label(s, o))
    except Exception as error:
        plugin_errors.log_once(game.id, TEXT_PART, error)
        return game.format_option(o)


def explain_rule(game: Game, s: State, o: Option, rule: Rule, reader: Reader, sentences: RuleSentences) -> str:
    """Return the sentence that explains why a rule forbids an option.

    ``sentences`` caches the sentences for one reader, by rule and parameters.
    """
    try:
        parameters = () if rule is NOT_ASKED or rule is MATCH_OVER else s.asked.rule_parameters(s, o, rule)
        if (rule, parameters) not in sentences:
            sentences[rule, parameters] = game.words.format_rule(rule, parameters, reader)
        return sentences[rule, parameters]
    except Exception as error:
        plugin_errors.log_once(game.id, TEXT_PART, error)
        return rule.number


def format_refusal(game: Game, refused: Refused, reader: Reader) -> str:
    """Return the message for a player whose option a rule forbids."""
    try:
        return game.words.format_refusal(refused, reader)
    except Exception as error:
        plugin_errors.log_once(game.id, TEXT_PART, error)
        return f"{game.format_option(refused.option)} ({refused.rule.number})"


def format_event(game: Game, event: Event, seat: Seat, reader: Reader) -> str | None:
    """Return the log line of an event for this viewer, or None if the event has no line."""
    parts = format_event_parts(game, event, seat, reader)
    return None if parts is None else join_parts(parts)


def format_event_parts(game: Game, event: Event, seat: Seat, reader: Reader) -> list[Part] | None:
    """Return the log line of an event in parts, or None.

    The parts name the components, so that a page can draw them.
    """
    return _format_parts(game, event.for_viewer(seat), seat, reader)


def format_target_parts(game: Game, event: Event, seat: Seat, reader: Reader) -> list[Part]:
    """Return the sentence in parts that says "you" to the seat that an event affects, or no parts."""
    if not event.type.to_target or event.target_seat != seat:
        return []
    try:
        message = game.words.target_message(event)
        return [] if message is None else reader.read_parts(message)
    except Exception as error:
        plugin_errors.log_once(game.id, TEXT_PART, error)
        return []


def format_revealed_parts(game: Game, event: Event, reader: Reader) -> list[Part] | None:
    """Return the log line of an event in parts, or None, when the match is over and nothing is hidden any more."""
    return _format_parts(game, event, event.seat, reader)


def _format_parts(game: Game, event: Event, seat: Seat, reader: Reader) -> list[Part] | None:
    try:
        message = game.words.event_message(event, seat)
        return None if message is None else reader.read_parts(message)
    except Exception as error:
        plugin_errors.log_once(game.id, TEXT_PART, error)
        if event.kind not in DECISION_EVENTS:
            return None
        return [reader.read(build_notation_message(event.seat, game.format_option(event.facts[0])))]


def format_score_line(game: Game, name: str, reader: Reader) -> str:
    """Return the name of a line of the score sheet."""
    try:
        return reader.read(game.words.score_line(name))
    except Exception as error:
        plugin_errors.log_once(game.id, TEXT_PART, error)
        return name


def format_table_text(game: Game, view: View, reader: Reader) -> str:
    """Return the whole table in plain text. If the game's own text fails, list the view, one fact a line."""
    try:
        text = format_game_table(game, view, reader)
        if isinstance(text, str):
            return text
        raise TypeError(f"the table as plain text must be text, not {type(text).__name__}")
    except Exception as error:
        plugin_errors.log_once(game.id, TEXT_PART, error)
        return format_facts(to_json(view, game.ids))


def format_facts(view: Mapping[str, object]) -> str:
    """Return a view as text, one fact a line, for a game whose own text is missing."""
    return "\n".join(_format_lines(view, ""))


def _format_lines(value: object, indent: str) -> Iterable[str]:
    """Yield the lines of a view, one fact a line. Nested facts are indented."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in pairs:
        if isinstance(part, dict) or (isinstance(part, list) and any(isinstance(item, (dict, list)) for item in part)):
            yield f"{indent}{name}:"
            yield from _format_lines(part, indent + "  ")
        elif isinstance(part, list):
            yield f"{indent}{name}: {', '.join(str(item) for item in part) or '-'}"
        else:
            yield f"{indent}{name}: {'-' if part is None else part}"
