"""Generated rules pages for games without a rules text.

A page combines the numbered sentences in the docstrings of the game's modules, the questions and actions of its steps,
its variants and its refusals. It adds log lines of a few random matches. Every number has an anchor, so the log and
refusals can link to it.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import MATCH_OVER, NOT_ASKED, Rule
from triclinium.engine.core.state import NOBODY, State, Step
from triclinium.engine.core.text import Message, Reader, msgid
from triclinium.engine.game import Game

RULE_TEXT: Final = "rule"  # translation context of numbered sentences in docstrings
SENTENCE: Final = re.compile(r"^([A-Z]+-R?\d[\d.]*)  +(\S.*?)(?=^\S|\n[ \t]*\n|\Z)", re.DOTALL | re.MULTILINE)
NUMBER: Final = re.compile(r"[A-Z]+-R?\d+(?:\.\d+)*")
PLACEHOLDER: Final = re.compile(r"\{[^}]*\}")
MATCH_COUNT: Final = 6  # random matches played for examples
MAX_DECISIONS: Final = 400  # maximum number of decisions in each of these matches
MAX_QUESTIONS: Final = 2  # maximum number of questions shown for each kind of decision
MAX_OPTIONS: Final = 3  # maximum number of options shown for each verb

INTRO: Final = msgid(
    "This game comes without a rules text. This page is generated from its code. It shows its numbered rules, its "
    "questions, its reasons for refusing a move, and examples from its log."
)


CHAPTERS: Final = {"R": Message("Rulings and options"), "K": Message("Rules of every game")}


def parse_numbered_sentences(docstring: str) -> list[tuple[str, str]]:
    """Return the numbered rules of a docstring as pairs of number and sentence: ``KP-1.1  Two seats play.``."""
    return [(number.rstrip("."), " ".join(text.split())) for number, text in SENTENCE.findall(docstring)]


@dataclass(slots=True)
class RuleEntry:
    """All information about one rule number. The dicts serve as ordered sets."""

    sentences: dict[str, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True)
class DecisionExamples:
    """The examples of one kind of decision: its questions, and some options of each verb by notation."""

    questions: dict[str, None] = field(default_factory=dict)
    options: dict[str, dict[str, str]] = field(default_factory=dict)


class GeneratedRules:
    """The rules of a game as Markdown in one language. ``error`` is the exception that a match raised, or None."""

    def __init__(self, game: Game, language: str) -> None:
        self.game = game
        names = tuple(_create_reader(game, language).read(Message("Player {0}", n + 1)) for n in range(max(game.seats)))
        self.reader = _create_reader(game, language, names)
        self.entries: dict[str, RuleEntry] = {}
        self.decisions: dict[str, DecisionExamples] = {}
        self.refusals: dict[Rule, str] = {}
        self.error: Exception | None = None
        self._examples: dict[tuple[str, str], set[str]] = {}  # examples by rule and kind of event or step
        self._read_modules()
        self._read_variants()
        try:
            self._play_matches()
        except Exception as error:  # The game may be a third-party package. The page shows what is known so far.
            self.error = error
        for rule, sentence in self.refusals.items():
            self._add_note(rule.number, Message("Refused: {0}.", sentence))

    def to_markdown(self) -> str:
        """Return the page as Markdown."""
        say = self.reader.read
        parts = [
            f"# {self.reader.format_arg(self.game.name)}",
            say(Message(INTRO)),
            say(self._describe_player_counts()),
        ]
        chapter = ""
        for number in sorted(self.entries, key=_make_rule_sort_key):
            head = _get_rule_chapter(number)
            if head != chapter:
                chapter = head
                parts.append(f"## {say(CHAPTERS.get(head) or Message('Rules {0}', head))}")
            entry = self.entries[number]
            paragraphs = [" ".join(entry.sentences)] if entry.sentences else []
            first, *others = [_escape_markdown(text) for text in (*paragraphs, *entry.notes)] or [""]
            parts.append(f'<a id="{number.lower()}"></a>**{number}** {first}'.rstrip())
            parts += [f"<small>{note}</small>" for note in others]
        return "\n\n".join([*parts, *self._iterate_decision_parts(), *self._iterate_score_parts(), ""])

    def _describe_player_counts(self) -> Message:
        seats = self.game.seats
        if len(seats) == 1:
            return Message("For {0} players.", seats[0])
        return Message("For {0} to {1} players.", seats[0], seats[-1])

    def _iterate_decision_parts(self) -> Iterator[str]:
        """Yield a chapter with every kind of decision that occurred, and an option of each verb."""
        if self.decisions:
            yield f"## {self.reader.translate('Decisions')}"
        for decision in self.decisions.values():
            labels = [label for verb in decision.options.values() for label in verb.values()]
            options = "\n".join(f"- {_escape_markdown(label)}" for label in labels)
            yield f"**{_escape_markdown(' / '.join(decision.questions))}**\n\n{options}"

    def _iterate_score_parts(self) -> Iterator[str]:
        words = self.game.words
        if words.score_lines:
            yield f"## {self.reader.translate('Scoring')}"
            yield "\n".join(
                f"- {_escape_markdown(self.reader.read(words.score_line(name)))}" for name in words.score_lines
            )

    # -- information from the code -----------------------------------------------------------------------------------

    def _read_modules(self) -> None:
        for module in _find_game_modules(self.game):
            for number, text in parse_numbered_sentences(module.__doc__ or ""):
                self._get_rule_entry(number).sentences[self.reader.translate(text, RULE_TEXT)] = None
            for value in vars(module).values():
                for item in value.values() if isinstance(value, dict) else (value,):
                    if isinstance(item, Rule):
                        self.refusals.setdefault(item, PLACEHOLDER.sub("…", self.reader.translate(item.text)))
                if isinstance(value, type) and issubclass(value, Step) and value.action is not None:
                    for name, number in value.action.stages:
                        stage_text = Message("{0}: {1}", Message(value.action.name), Message(name))
                        self._add_note(number, Message("Step of an action: {0}", stage_text))
        for rule in (NOT_ASKED, MATCH_OVER):
            self.refusals[rule] = self.reader.translate(rule.text)
        if not self._get_rule_entry(f"{self.game.prefix}-{self.game.seats_rule}").sentences:
            self._add_note(f"{self.game.prefix}-{self.game.seats_rule}", self._describe_player_counts())

    def _read_variants(self) -> None:
        for variant in self.game.variants:
            default = variant.name_of(variant.default)
            self._add_note(variant.ruling, Message("Match option: {0} (default: {1})", variant.sentence, default))

    # -- information from matches -----------------------------------------------------------------------------------

    def _play_matches(self) -> None:
        for seed in range(MATCH_COUNT):
            chance = Rng(seed)
            s = self.game.deal(self.game.seats[seed % len(self.game.seats)], seed, listen=True)
            for _ in range(MAX_DECISIONS):
                self._read_events(s)
                if s.over:
                    break
                self._read_decision(s)
                s.play(s.legal[chance.below(len(s.legal))])

    def _read_events(self, s: State) -> None:
        for event in s.events or ():
            message = self.game.words.event_message(event.for_viewer(NOBODY), NOBODY) if event.rule else None
            if message is not None:
                log = self.reader.read(Message("In the log: {0}", self.reader.read(message)))
                self._add_example(event.rule, event.kind, log)
        s.events = []

    def _read_decision(self, s: State) -> None:
        step, words = s.asked, self.game.words
        examples = self.decisions.setdefault(step.id, DecisionExamples())
        question = self.reader.read(words.question(s))
        if len(examples.questions) < MAX_QUESTIONS:
            examples.questions[question] = None
        for number in _list_step_rules(step):
            self._add_example(number, step.id, self.reader.read(Message("Question: {0}", question)), MAX_QUESTIONS)
        legal = set(s.legal)
        for o in s.candidates():
            if o in legal:
                notation = self.game.format_option(o)
                verb_options = examples.options.setdefault(notation.partition(" ")[0], {})
                if notation not in verb_options and len(verb_options) < MAX_OPTIONS:
                    verb_options[notation] = self.reader.read(words.label(s, o))
            else:
                rule = step.forbids(s, o)
                if rule is not None and PLACEHOLDER.search(rule.text) and "…" in self.refusals.get(rule, "…"):
                    self.refusals[rule] = words.format_rule(rule, step.rule_parameters(s, o, rule), self.reader)

    # -- entries ----------------------------------------------------------------------------------------------------

    def _get_rule_entry(self, number: str) -> RuleEntry:
        return self.entries.setdefault(number, RuleEntry())

    def _add_note(self, number: str, message: Message) -> None:
        if number:
            self._get_rule_entry(number).notes[self.reader.read(message)] = None

    def _add_example(self, number: str, kind: str, text: str, max_examples: int = 1) -> None:
        """Store a sentence from a match, up to a maximum for each kind."""
        seen = self._examples.setdefault((number, kind), set())
        if len(seen) < max_examples:
            seen.add(text)
            self._get_rule_entry(number).notes[text] = None


def _create_reader(game: Game, language: str, names: tuple[str, ...] = ()) -> Reader:
    return game.words.reader(language, names)


def _find_game_modules(game: Game) -> list[ModuleType]:
    """Return the modules of a game's classes and the modules of their packages that they use, in order of discovery."""
    queue = [base.__module__ for base in type(game).__mro__ if issubclass(base, Game) and base is not Game]
    packages = tuple(f"{name.rpartition('.')[0]}." for name in queue if "." in name)
    modules: dict[str, ModuleType] = {}
    while queue:
        name = queue.pop(0)
        module = sys.modules.get(name)
        if name not in modules and module is not None:
            modules[name] = module
            queue += [other for other in _find_used_modules(module) if other.startswith(packages)]
    return list(modules.values())


def _find_used_modules(module: ModuleType) -> Iterable[str]:
    """Yield the names of the modules that define the values of a module."""
    for value in vars(module).values():
        name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        if isinstance(name, str):
            yield name


def _list_step_rules(step: Step[State]) -> list[str]:
    """Return the rules of a step: the numbers at the beginning of its docstring and the rule of its stage."""
    head = (type(step).__doc__ or "").partition("  ")[0]
    numbers = NUMBER.findall(head) if NUMBER.match(head) else []
    if step.action is not None:
        numbers.append(step.action.stages[step.stage - 1][1])
    return list(dict.fromkeys(numbers))


def _make_rule_sort_key(number: str) -> tuple[bool, bool, tuple[int, ...]]:
    """Return the sort key of a rule number. The engine's rules come last, and rulings come after rules."""
    prefix, _, rest = number.partition("-")
    return prefix == "K", rest.startswith("R"), tuple(int(part) for part in re.findall(r"\d+", rest))


def _get_rule_chapter(number: str) -> str:
    """Return ``KP-2`` for ``KP-2.1``, ``R`` for a ruling, and ``K`` for a rule of the engine."""
    prefix, _, rest = number.partition("-")
    return "R" if rest.startswith("R") else "K" if prefix == "K" else f"{prefix}-{rest.partition('.')[0]}"


def _escape_markdown(text: str) -> str:
    """Return the text with Markdown's special characters escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("*", "∗")
