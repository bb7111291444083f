"""What a game says: questions, labels, refusals and log lines, as messages that catalogues translate."""

from collections.abc import Mapping, Sequence
from typing import Any

from triclinium.engine.core.errors import Refused
from triclinium.engine.core.event import Event
from triclinium.engine.core.notation import Notation
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Message, Name, Reader, SeatName, msgid
from triclinium.i18n.catalog import Catalog, Domain, catalog

NO_WORDS = Message(msgid("Choose an option."))
SURELY = 0.75  # of one: on average so much is rather one than none
EXACT = 0.01


def in_notation(seat: Seat, said: str) -> Message:
    """An option of a seat where nothing better is known than its notation."""
    return Message("{0}: {1}", SeatName(seat), said)


class Heading:
    """The action that a question is a part of: its stages with their rules, and the one that is asked, from 1."""

    def __init__(self, action: Arg, stages: Sequence[tuple[Arg, str]], now: int) -> None:
        self.action = action
        self.stages = stages
        self.now = now


class Words:
    """The words of one game on one components file. A game's ui/text.py subclasses it.

    Steps bring their questions, events their sentences, rules their refusals; what is left to a game is the names of
    its components, the labels of its options, and what takes code to say.
    """

    score_lines: Mapping[str, str] = {}  # the name of each line of the score sheet, by its id
    short_labels: Mapping[str, str] = {}  # of a verb, by its word: what it is called on the thing that it is done with
    # What the evaluator's features are called in reasons, by name. One text: ``{0} {1:mark|marks}``, of a number with
    # its sign and of its size. Two: what is said of more, and of less. A feature without any is no reason to people.
    feature_words: Mapping[str, tuple[str, ...]] = {}
    turn_features: frozenset[str] = frozenset()  # what is left of the own turn: of no interest where it is a rival's
    verbs: Mapping[str, str] = {}  # of a verb, by its word: what its options stand under, where there are several
    folded: Mapping[str, str] = {}  # of a verb, by its word: the one button behind which its options stand on a page

    def __init__(self, notation: Notation, domain: Domain | None = None) -> None:
        self.notation = notation
        self.domain = domain  # whose catalogues translate it; None: it speaks English alone
        self.names: dict[str, Sequence[Name]] = {}  # of components, by the kind that templates say

    # -- what a game writes -------------------------------------------------------------------------------------

    def label(self, s: State, o: Option) -> Message:
        """A candidate as its button says it to the asked seat."""
        raise NotImplementedError

    def table(self, view: Any, reader: Reader) -> str:
        """The whole table in plain text, for the terminal; a game that says nothing leaves it to the board kit."""
        raise NotImplementedError

    # -- what a game may say otherwise ---------------------------------------------------------------------------

    def question(self, s: State) -> Message:
        """What the asked seat must decide, in one sentence."""
        step = s.asked
        return Message(step.asks(s), *step.parameters(s), who=step.who)

    def heading(self, s: State) -> Heading | None:
        """What the question is a part of; None: the step does not say."""
        step = s.asked
        if step.action is None:
            return None
        stages: list[tuple[Arg, str]] = [(Message(name), rule) for name, rule in step.action.stages]
        return Heading(Message(step.action.name), stages, step.stage)

    def section(self, s: State, o: Option) -> "Arg | None":
        """What an option stands under where there are many of its verb: the region of a place."""
        return None

    def event(self, event: Event, viewer: Seat) -> Message | None:
        """A line of the log for this viewer (NOBODY: a spectator); None: not worth a line."""
        if event.secrets and event.type.secret:
            return Message(event.type.secret, *event.secrets, who=event.seat)
        return Message(event.type.text, *event.facts, who=event.seat) if event.type.text else None

    def score_line(self, name: str) -> Message:
        """The name of a line of the score sheet, or of a group of them."""
        return Message(self.score_lines[name])

    def feature(self, name: str, amount: float, sure: bool) -> Message:
        """That a feature is so much more, or less: ``+4 marks``; ``perhaps`` and ``about`` where chance has its say."""
        texts = self.feature_words[name]
        if len(texts) > 1:
            return Message(texts[0] if amount > 0 else texts[1])
        size = max(1, round(abs(amount)))
        said = Message(texts[0], f"+{size}" if amount > 0 else f"\N{MINUS SIGN}{size}", size)
        if sure and abs(abs(amount) - size) < EXACT:
            return said
        return Message("perhaps {0}", said) if abs(amount) < SURELY else Message("about {0}", said)

    def name_of(self, kind: str, number: int) -> Arg:
        """The name of good 1 where a template says ``{0:good}``."""
        return self.names[kind][number]

    def brief(self, kind: str, number: int) -> Arg:
        """The name of a thing that views name, where there is little room; raises KeyError where it has only an id."""
        return self.name_of(kind, number)

    # -- the same for all ---------------------------------------------------------------------------------------

    def catalog(self, language: str, *domains: Domain) -> Catalog:
        """Return the messages of this game in a language, and those of further domains."""
        return catalog(language, *domains) if self.domain is None else catalog(language, self.domain, *domains)

    def reader(self, language: str = "en", seats: tuple[str, ...] = ()) -> Reader:
        """A reader of this game's messages."""
        return reader_of(language, self, seats=seats)

    def refusal(self, refused: Refused, reader: Reader) -> str:
        """``cannot keep 0: the second card costs one octagon more (AE-6.3)``."""
        said = self.notation.say(refused.option)
        why = self.rule(refused.rule, refused.parameters, reader)
        return reader.read(Message("cannot {0}: {1} ({2})", said, why, refused.rule.number))

    def rule(self, rule: Rule, parameters: tuple[int, ...], reader: Reader) -> str:
        """A rule's sentence with its parameters."""
        return reader.read(Message(rule.text, *parameters))

    def log(self, events: list[Event], viewer: Seat, reader: Reader) -> list[str]:
        """The lines that a viewer reads of these events."""
        messages = [self.event(event.for_viewer(viewer), viewer) for event in events]
        return [reader.read(message) for message in messages if message is not None]


def reader_of(language: str, words: Words | None, *domains: Domain, seats: tuple[str, ...] = ()) -> Reader:
    """Return a reader of the messages of these domains and, if given, of a game's words."""
    if words is None:
        found = catalog(language, *domains)
        return Reader(language, found.messages, seats, found.plural)
    found = words.catalog(language, *domains)
    return Reader(language, found.messages, seats, found.plural, words.name_of)
