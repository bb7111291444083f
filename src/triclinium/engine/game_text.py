"""The texts of a game: questions, labels, refusals and log lines as translatable messages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from triclinium.engine.core.errors import Refused
from triclinium.engine.core.event import Event
from triclinium.engine.core.notation import Notation
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Message, Name, Reader, SeatName, msgid
from triclinium.i18n.catalog import Catalog, Domain, load_catalog

DEFAULT_QUESTION = Message(msgid("Choose an option."))
MIN_VISIBLE_AMOUNT = 0.5  # a smaller average change of a number is no reason
EXACT_TOLERANCE = 0.01


def build_notation_message(seat: Seat, option_text: str) -> Message:
    """Return the message for an option of a seat if no better text than the notation exists."""
    return Message("{0}: {1}", SeatName(seat), option_text)


class ActionHeading:
    """The action of a question: its stages with their rules, and the current stage, from 1."""

    def __init__(self, action: Arg, stages: Sequence[tuple[Arg, str]], current_stage: int) -> None:
        self.action = action
        self.stages = stages
        self.current_stage = current_stage


@dataclass(frozen=True, slots=True)
class TableNote:
    """A sentence in the text table: about a seat, or about the whole table if ``seat`` is None."""

    text: Message
    seat: Seat | None = None


class GameText:
    """The texts of a game on one components file. Each game's ui/text.py has a subclass.

    Steps define their questions, events their sentences and rules their refusals. A game adds the names of its
    components, the labels of its options and texts that need code.
    """

    score_lines: Mapping[str, str] = {}  # the name of each line of the score sheet, by its id
    short_labels: Mapping[str, str] = {}  # by verb: a short label for buttons on the board
    # Two texts for features in explanations, by name: for "more" and for "less". They follow "you have", and {0} is the
    # difference: ``{0} more {0:mark|marks}``. Features of the evaluator without texts or a topic are never reasons.
    feature_words: Mapping[str, tuple[str, str]] = {}
    # the topic of features that players cannot count on the board; `describe_difference` has clauses on topics
    feature_topics: Mapping[str, str] = {}
    point_features: frozenset[str] = frozenset()  # features in points of the score sheet, which players add up
    # features about the rest of a seat's own turn, which are of no interest for a rival's turn
    turn_features: frozenset[str] = frozenset()
    verbs: Mapping[str, str] = {}  # by verb: the heading of its options if there are several
    folded: Mapping[str, str] = {}  # by verb: the label of the single button that opens its options on a page

    def __init__(self, notation: Notation, domain: Domain | None = None) -> None:
        self.notation = notation
        self.domain = domain  # the domain of its translations; None if it has no catalogue
        self.names: dict[str, Sequence[Name]] = {}  # names of components, by the kind that templates use

    # -- texts that a game may override ----------------------------------------------------------------------------

    def label(self, s: State, o: Option) -> Message:
        """Return the button text of a candidate for the asked seat. By default, it is the notation in English."""
        words = self.notation.format_option(o)
        return Message("{0}", words[0].upper() + words[1:])

    def question(self, s: State) -> Message:
        """Return the question to the asked seat in one sentence."""
        step = s.asked
        return Message(step.question_template(s), *step.question_parameters(s), who=step.who)

    def table_notes(self, view: Any) -> Sequence[TableNote]:
        """Return a few short sentences that the text table adds to the fields of the view."""
        return ()

    def heading(self, s: State) -> ActionHeading | None:
        """Return the action that the question belongs to, or None."""
        step = s.asked
        if step.action is None:
            return None
        stages: list[tuple[Arg, str]] = [(Message(name), rule) for name, rule in step.action.stages]
        return ActionHeading(Message(step.action.name), stages, step.stage)

    def section(self, s: State, o: Option) -> "Arg | None":
        """Return the heading for an option among many of its verb, for example the region of a place."""
        return None

    def event_message(self, event: Event, viewer: Seat) -> Message | None:
        """Return the log line for this viewer (NOBODY: a spectator), or None if the event has none."""
        if event.secrets and event.type.secret:
            return Message(event.type.secret, *event.secrets, who=event.seat)
        return Message(event.type.text, *event.facts, who=event.seat) if event.type.text else None

    def target_message(self, event: Event) -> Message | None:
        """Return the sentence for the seat that an event affects, which says "you", or None if the event has none."""
        return Message(event.type.to_target, *event.facts, who=event.seat) if event.type.to_target else None

    def score_line(self, name: str) -> Message:
        """Return the name of a line of the score sheet, or of a group of lines. By default, it is its id."""
        return Message(self.score_lines.get(name, name[0].upper() + name[1:]))

    def describe_feature(self, name: str, amount: float, sure: bool) -> Message:
        """Return a phrase for the change of a feature, which follows "you have": for example ``4 more marks``.

        Unless ``sure``, "about" is added to a number.
        """
        more, fewer = self.feature_words[name]
        text, size = more if amount > 0 else fewer, max(1, round(abs(amount)))
        message = Message(text, size)
        exact = sure and abs(abs(amount) - size) < EXACT_TOLERANCE
        return message if exact or not text.startswith("{0") else Message("about {0}", message)

    def describe_difference(
        self, topic: str, better: State, other: State, seat: Seat
    ) -> tuple[str, tuple[int, ...]] | None:
        """Return a clause with its parameters on what the seat has or can do after one option and not after another.

        The clause is about a topic in which the seat gains, or for "" about anything, because there is no other reason.
        None means that nothing of it can be seen on the board.
        """
        return None

    def describe_choice(self, s: State, better: Option, other: Option) -> tuple[str, tuple[int, ...]] | None:
        """Return a clause with its parameters on why the asked seat prefers one option to another, or None.

        The clause follows from the options and what the seat can see, without the choices that come later.
        """
        return None

    def is_number(self, name: str) -> bool:
        """Return whether the words of a feature contain a number."""
        return name in self.feature_words and "{0" in self.feature_words[name][0]

    def is_visible_change(self, name: str, amount: float, sure: bool) -> bool:
        """Return whether players can see this change of a feature: numbers below a half are invisible.

        A change that is not sure depends on cards that the seat does not know.
        """
        return not self.is_number(name) or abs(amount) >= MIN_VISIBLE_AMOUNT

    def name_of(self, kind: str, number: int) -> Arg:
        """Return the name of a component, for example good 1 for ``{0:good}`` in a template."""
        return self.names[kind][number]

    def short_name(self, kind: str, number: int) -> Arg:
        """Return a short name for a component. Raise KeyError if it has only an id."""
        return self.name_of(kind, number)

    # -- the same for all games ------------------------------------------------------------------------------------

    def catalog(self, language: str, *domains: Domain) -> Catalog:
        """Return the messages of this game and of further domains in a language."""
        return (
            load_catalog(language, *domains) if self.domain is None else load_catalog(language, self.domain, *domains)
        )

    def reader(self, language: str = "en", seats: tuple[str, ...] = ()) -> Reader:
        """Return a reader of this game's messages."""
        return create_reader(language, self, seats=seats)

    def format_refusal(self, refused: Refused, reader: Reader) -> str:
        """Return a refusal in words: ``cannot keep 0: the second card costs one octagon more (AE-6.3)``."""
        option_text = self.notation.format_option(refused.option)
        reason = self.format_rule(refused.rule, refused.parameters, reader)
        return reader.read(Message("cannot {0}: {1} ({2})", option_text, reason, refused.rule.number))

    def format_rule(self, rule: Rule, parameters: tuple[int, ...], reader: Reader) -> str:
        """Return the text of a rule with its parameters."""
        return reader.read(Message(rule.text, *parameters))

    def format_log(self, events: list[Event], viewer: Seat, reader: Reader) -> list[str]:
        """Return the log lines that a viewer reads for these events."""
        messages = [self.event_message(event.for_viewer(viewer), viewer) for event in events]
        return [reader.read(message) for message in messages if message is not None]


def create_reader(language: str, words: GameText | None, *domains: Domain, seats: tuple[str, ...] = ()) -> Reader:
    """Return a reader of the messages of these domains and, if given, of a game."""
    if words is None:
        messages_catalog = load_catalog(language, *domains)
        return Reader(language, messages_catalog.messages, seats, messages_catalog.plural)
    messages_catalog = words.catalog(language, *domains)
    return Reader(language, messages_catalog.messages, seats, messages_catalog.plural, words.name_of)
