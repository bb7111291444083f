"""A game's sentences about a table, with a fallback for each.

The words of a game may be another package's, and may fail. Then something plainer is said, in notation: a table is
never without words and always goes on.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from triclinium.boardkit.text_table import table_text
from triclinium.engine.core.errors import Refused
from triclinium.engine.core.event import Event
from triclinium.engine.core.rule import MATCH_OVER, NOT_ASKED, Rule
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Part, Reader
from triclinium.engine.game import Game
from triclinium.engine.game_text import in_notation
from triclinium.engine.view import View, to_json
from triclinium.server import plugin_errors

Sentences: TypeAlias = dict[tuple[Rule, tuple[int, ...]], str]  # of rules, by their parameters

PART = "words"
DECISIONS = ("chosen", "forced", "aside")  # events that every game has: an option is told in notation at least


def question(game: Game, s: State, reader: Reader) -> str:
    """What the asked seat must decide."""
    return joined(question_parts(game, s, reader))


def question_parts(game: Game, s: State, reader: Reader) -> list[Part]:
    """Return the question in its parts, so that a page can draw the components that it names."""
    try:
        return reader.parts(game.words.question(s))
    except Exception as error:
        plugin_errors.note(game.id, PART, error)
        return [reader.translate("Choose an option.")]


def joined(parts: list[Part]) -> str:
    """Return the sentence that parts make."""
    return "".join(part if isinstance(part, str) else part.text for part in parts)


def label(game: Game, s: State, o: Option, reader: Reader) -> str:
    """An option as its button says it."""
    try:
        return reader.read(game.words.label(s, o))
    except Exception as error:
        plugin_errors.note(game.id, PART, error)
        return game.say(o)


def why(game: Game, s: State, o: Option, rule: Rule, reader: Reader, said: Sentences) -> str:
    """The sentence of a refusal, with what is missing; those ``said`` before to this reader are said so again."""
    try:
        parameters = () if rule is NOT_ASKED or rule is MATCH_OVER else s.asked.rule_parameters(s, o, rule)
        if (rule, parameters) not in said:
            said[rule, parameters] = game.words.rule(rule, parameters, reader)
        return said[rule, parameters]
    except Exception as error:
        plugin_errors.note(game.id, PART, error)
        return rule.number


def refusal(game: Game, refused: Refused, reader: Reader) -> str:
    """What somebody is told whose option a rule forbids."""
    try:
        return game.words.refusal(refused, reader)
    except Exception as error:
        plugin_errors.note(game.id, PART, error)
        return f"{game.say(refused.option)} ({refused.rule.number})"


def event(game: Game, event: Event, seat: Seat, reader: Reader) -> str | None:
    """A line of the log for this viewer; None: not worth a line."""
    parts = event_parts(game, event, seat, reader)
    return None if parts is None else joined(parts)


def event_parts(game: Game, event: Event, seat: Seat, reader: Reader) -> list[Part] | None:
    """The same, with the components that it names apart."""
    return _parts(game, event.for_viewer(seat), seat, reader)


def open_parts(game: Game, event: Event, reader: Reader) -> list[Part] | None:
    """The same when the match is over, and nothing of it is a secret any more."""
    return _parts(game, event, event.seat, reader)


def _parts(game: Game, event: Event, seat: Seat, reader: Reader) -> list[Part] | None:
    try:
        message = game.words.event(event, seat)
        return None if message is None else reader.parts(message)
    except Exception as error:
        plugin_errors.note(game.id, PART, error)
        if event.kind not in DECISIONS:
            return None
        return [reader.read(in_notation(event.seat, game.say(event.facts[0])))]


def score_line(game: Game, name: str, reader: Reader) -> str:
    """The name of a line of the score sheet."""
    try:
        return reader.read(game.words.score_line(name))
    except Exception as error:
        plugin_errors.note(game.id, PART, error)
        return name


def table(game: Game, view: View, reader: Reader) -> str:
    """The whole table in plain text; at worst the view as it is, line by line."""
    try:
        text = table_text(game, view, reader)
        if isinstance(text, str):
            return text
        raise TypeError(f"the table in plain text is no text but {type(text).__name__}")
    except Exception as error:
        plugin_errors.note(game.id, PART, error)
        return facts(to_json(view, game.ids))


def facts(view: Mapping[str, object]) -> str:
    """A view as it is, one fact a line: of a game whose words are not at hand."""
    return "\n".join(_lines(view, ""))


def _lines(value: object, indent: str) -> Iterable[str]:
    """A view for reading: one fact a line, what belongs together indented."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in pairs:
        if isinstance(part, dict) or (isinstance(part, list) and any(isinstance(one, (dict, list)) for one in part)):
            yield f"{indent}{name}:"
            yield from _lines(part, indent + "  ")
        elif isinstance(part, list):
            yield f"{indent}{name}: {', '.join(str(one) for one in part) or '-'}"
        else:
            yield f"{indent}{name}: {'-' if part is None else part}"
