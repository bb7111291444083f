"""What a title says: questions, labels, refusals and log lines, as messages."""

from collections.abc import Mapping
from typing import Any

from triclinium.engine.core.errors import Refused
from triclinium.engine.core.event import Event
from triclinium.engine.core.notation import Notation
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Message, Name, Reader

HOUSE_FRENCH: Mapping[str, str] = {
    "seat": "place",
    "and": "et",
    "cannot {0}: {1} ({2})": "impossible, {0} : {1} ({2})",
    "that is not asked now": "ce n'est pas ce qui est demandé maintenant",
    "{0}–{1}": "{0}\N{NO-BREAK SPACE}à {1}",
    "the match is over": "la partie est finie",
    "Choose an option.": "Choisissez une option.",
    "{0}: {1}": "{0} : {1}",
}


class Words:
    """The words of one game on one components file. A game's ui/text.py subclasses it."""

    def __init__(self, notation: Notation, french: Mapping[str, str]) -> None:
        self.notation = notation
        self.french = {**HOUSE_FRENCH, **french}

    # -- what a title writes ------------------------------------------------------------------------------------

    def question(self, s: State) -> Message:
        """What the asked seat must decide, in one sentence."""
        raise NotImplementedError

    def label(self, s: State, o: Option) -> Message:
        """A candidate as its button says it to the asked seat."""
        raise NotImplementedError

    def event(self, event: Event, viewer: Seat) -> Message | None:
        """A line of the log for this viewer (NOBODY: a spectator); None: not worth a line."""
        raise NotImplementedError

    def score_line(self, name: str) -> Message:
        """The name of a line of the score sheet."""
        raise NotImplementedError

    def figure(self, kind: str, number: int) -> Arg:
        """The name of good 1 in a rule that says ``{0:good}``."""
        raise NotImplementedError

    def table(self, view: Any, reader: Reader) -> str:
        """The whole table in plain text, for the terminal."""
        raise NotImplementedError

    # -- the same for all ---------------------------------------------------------------------------------------

    def reader(self, language: str = "en", seats: tuple[str, ...] = ()) -> Reader:
        """A reader of this title's messages."""
        return Reader(language, self.french if language == "fr" else {}, seats)

    def refusal(self, refused: Refused, reader: Reader) -> str:
        """``cannot keep 0: the second card costs one octagon more (AE-6.3)``."""
        said = Name(self.notation.say(refused.option))
        why = Name(self.rule(refused.rule, refused.parameters, reader))
        return reader.read(Message("cannot {0}: {1} ({2})", said, why, Name(refused.rule.number)))

    def rule(self, rule: Rule, parameters: tuple[int, ...], reader: Reader) -> str:
        """A rule's sentence with its parameters."""
        return reader.read(Message(rule.text, *parameters), self.figure)

    def log(self, events: list[Event], viewer: Seat, reader: Reader) -> list[str]:
        """The lines that a viewer reads of these events."""
        messages = [self.event(event.for_viewer(viewer), viewer) for event in events]
        return [reader.read(message, self.figure) for message in messages if message is not None]
