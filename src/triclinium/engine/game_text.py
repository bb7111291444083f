"""What a game says: questions, labels, refusals and log lines, as messages that catalogues translate."""

from collections.abc import Mapping, Sequence
from typing import Any

from triclinium.engine.core.errors import Refused
from triclinium.engine.core.event import Event
from triclinium.engine.core.notation import Notation
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Message, Name, Reader, SeatName, msgid
from triclinium.i18n.catalog import Catalog, Domain, load_catalog

DEFAULT_QUESTION = Message(msgid("Choose an option."))
SURE_AMOUNT = 0.75  # of one: on average so much is rather one than none
EXACT_TOLERANCE = 0.01


def build_notation_message(seat: Seat, option_text: str) -> Message:
    """An option of a seat where nothing better is known than its notation."""
    return Message("{0}: {1}", SeatName(seat), option_text)


class ActionHeading:
    """The action that a question is a part of: its stages with their rules, and the one that is asked, from 1."""

    def __init__(self, action: Arg, stages: Sequence[tuple[Arg, str]], current_stage: int) -> None:
        self.action = action
        self.stages = stages
        self.current_stage = current_stage


class GameText:
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

    def format_table(self, view: Any, reader: Reader) -> str:
        """The whole table in plain text, for the terminal; a game that says nothing leaves it to the board kit."""
        raise NotImplementedError

    # -- what a game may say otherwise ---------------------------------------------------------------------------

    def question(self, s: State) -> Message:
        """What the asked seat must decide, in one sentence."""
        step = s.asked
        return Message(step.question_template(s), *step.question_parameters(s), who=step.who)

    def heading(self, s: State) -> ActionHeading | None:
        """What the question is a part of; None: the step does not say."""
        step = s.asked
        if step.action is None:
            return None
        stages: list[tuple[Arg, str]] = [(Message(name), rule) for name, rule in step.action.stages]
        return ActionHeading(Message(step.action.name), stages, step.stage)

    def section(self, s: State, o: Option) -> "Arg | None":
        """What an option stands under where there are many of its verb: the region of a place."""
        return None

    def event_message(self, event: Event, viewer: Seat) -> Message | None:
        """A line of the log for this viewer (NOBODY: a spectator); None: not worth a line."""
        if event.secrets and event.type.secret:
            return Message(event.type.secret, *event.secrets, who=event.seat)
        return Message(event.type.text, *event.facts, who=event.seat) if event.type.text else None

    def score_line(self, name: str) -> Message:
        """The name of a line of the score sheet, or of a group of them."""
        return Message(self.score_lines[name])

    def describe_feature(self, name: str, amount: float, sure: bool) -> Message:
        """That a feature is so much more, or less: ``+4 marks``; ``perhaps`` and ``about`` where chance has its say."""
        texts = self.feature_words[name]
        if len(texts) > 1:
            return Message(texts[0] if amount > 0 else texts[1])
        size = max(1, round(abs(amount)))
        message = Message(texts[0], f"+{size}" if amount > 0 else f"\N{MINUS SIGN}{size}", size)
        if sure and abs(abs(amount) - size) < EXACT_TOLERANCE:
            return message
        return Message("perhaps {0}", message) if abs(amount) < SURE_AMOUNT else Message("about {0}", message)

    def name_of(self, kind: str, number: int) -> Arg:
        """The name of good 1 where a template says ``{0:good}``."""
        return self.names[kind][number]

    def short_name(self, kind: str, number: int) -> Arg:
        """The name of a thing that views name, where there is little room; raises KeyError where it has only an id."""
        return self.name_of(kind, number)

    # -- the same for all ---------------------------------------------------------------------------------------

    def catalog(self, language: str, *domains: Domain) -> Catalog:
        """Return the messages of this game in a language, and those of further domains."""
        return (
            load_catalog(language, *domains) if self.domain is None else load_catalog(language, self.domain, *domains)
        )

    def reader(self, language: str = "en", seats: tuple[str, ...] = ()) -> Reader:
        """A reader of this game's messages."""
        return create_reader(language, self, seats=seats)

    def format_refusal(self, refused: Refused, reader: Reader) -> str:
        """``cannot keep 0: the second card costs one octagon more (AE-6.3)``."""
        option_text = self.notation.format_option(refused.option)
        reason = self.format_rule(refused.rule, refused.parameters, reader)
        return reader.read(Message("cannot {0}: {1} ({2})", option_text, reason, refused.rule.number))

    def format_rule(self, rule: Rule, parameters: tuple[int, ...], reader: Reader) -> str:
        """A rule's sentence with its parameters."""
        return reader.read(Message(rule.text, *parameters))

    def format_log(self, events: list[Event], viewer: Seat, reader: Reader) -> list[str]:
        """The lines that a viewer reads of these events."""
        messages = [self.event_message(event.for_viewer(viewer), viewer) for event in events]
        return [reader.read(message) for message in messages if message is not None]


def create_reader(language: str, words: GameText | None, *domains: Domain, seats: tuple[str, ...] = ()) -> Reader:
    """Return a reader of the messages of these domains and, if given, of a game's words."""
    if words is None:
        messages_catalog = load_catalog(language, *domains)
        return Reader(language, messages_catalog.messages, seats, messages_catalog.plural)
    messages_catalog = words.catalog(language, *domains)
    return Reader(language, messages_catalog.messages, seats, messages_catalog.plural, words.name_of)
