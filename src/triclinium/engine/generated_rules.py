"""A rules page for a game that brings no rules text.

It is made of what the game's own modules state: the numbered sentences of their docstrings, the questions and actions
of its steps, its variants, its refusals, and the log lines of a few matches played at random. Every number gets an
anchor, so that links from the log and from refusals lead to it.
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

RULE_TEXT: Final = "rule"  # the context in which numbered sentences of docstrings are translated
SENTENCE: Final = re.compile(r"^([A-Z]+-R?\d[\d.]*)  +(\S.*?)(?=^\S|\n[ \t]*\n|\Z)", re.DOTALL | re.MULTILINE)
NUMBER: Final = re.compile(r"[A-Z]+-R?\d+(?:\.\d+)*")
HOLE: Final = re.compile(r"\{[^}]*\}")
MATCHES: Final = 6  # played at random for examples
DECISIONS: Final = 400  # at most, in each of them
QUESTIONS: Final = 2  # of each kind of decision that are shown
OPTIONS: Final = 3  # of each verb that are shown

INTRO: Final = msgid(
    "This game brings no rules text of its own. This page is generated from its code: its numbered rules, the "
    "questions it asks, the reasons for which it refuses, and lines of its log."
)


CHAPTERS: Final = {"R": Message("Rulings and options"), "K": Message("Rules of every game")}


def numbered_sentences(docstring: str) -> list[tuple[str, str]]:
    """Return the rules that a docstring states, each a number and a sentence: ``KP-1.1  Two seats play.``."""
    return [(number.rstrip("."), " ".join(text.split())) for number, text in SENTENCE.findall(docstring)]


@dataclass(slots=True)
class RuleEntry:
    """Everything known of one number. Dicts stand for ordered sets."""

    sentences: dict[str, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True)
class Decision:
    """One kind of decision: its questions, and some options of each verb by notation."""

    questions: dict[str, None] = field(default_factory=dict)
    options: dict[str, dict[str, str]] = field(default_factory=dict)


class GeneratedRules:
    """The rules of a game as Markdown, in one language. ``error`` is what its code raised in a match, if anything."""

    def __init__(self, game: Game, language: str) -> None:
        self.game = game
        names = tuple(_reader(game, language).read(Message("Player {0}", n + 1)) for n in range(max(game.seats)))
        self.reader = _reader(game, language, names)
        self.entries: dict[str, RuleEntry] = {}
        self.decisions: dict[str, Decision] = {}
        self.refusals: dict[Rule, str] = {}
        self.error: Exception | None = None
        self._examples: dict[tuple[str, str], set[str]] = {}  # by rule and kind of event or step
        self._read_modules()
        self._read_variants()
        try:
            self._play_matches()
        except Exception as error:  # another package's code: what was found so far still makes a page
            self.error = error
        for rule, sentence in self.refusals.items():
            self._note(rule.number, Message("Refused: {0}.", sentence))

    def markdown(self) -> str:
        """Return the page."""
        say = self.reader.read
        parts = [f"# {self.reader.say(self.game.name)}", say(Message(INTRO)), say(self._players())]
        chapter = ""
        for number in sorted(self.entries, key=_order):
            head = _chapter(number)
            if head != chapter:
                chapter = head
                parts.append(f"## {say(CHAPTERS.get(head) or Message('Rules {0}', head))}")
            entry = self.entries[number]
            paragraphs = [" ".join(entry.sentences)] if entry.sentences else []
            first, *others = [_plain(text) for text in (*paragraphs, *entry.notes)] or [""]
            parts.append(f'<a id="{number.lower()}"></a>**{number}** {first}'.rstrip())
            parts += [f"<small>{note}</small>" for note in others]
        return "\n\n".join([*parts, *self._decision_parts(), *self._score_parts(), ""])

    def _players(self) -> Message:
        seats = self.game.seats
        if len(seats) == 1:
            return Message("For {0} players.", seats[0])
        return Message("For {0} to {1} players.", seats[0], seats[-1])

    def _decision_parts(self) -> Iterator[str]:
        """Yield a chapter with every kind of decision that came up, and an option of each verb."""
        if self.decisions:
            yield f"## {self.reader.translate('Decisions')}"
        for decision in self.decisions.values():
            labels = [label for verb in decision.options.values() for label in verb.values()]
            options = "\n".join(f"- {_plain(label)}" for label in labels)
            yield f"**{_plain(' / '.join(decision.questions))}**\n\n{options}"

    def _score_parts(self) -> Iterator[str]:
        words = self.game.words
        if words.score_lines:
            yield f"## {self.reader.translate('Scoring')}"
            yield "\n".join(f"- {_plain(self.reader.read(words.score_line(name)))}" for name in words.score_lines)

    # -- what the game states ---------------------------------------------------------------------------------------

    def _read_modules(self) -> None:
        for module in _modules_of(self.game):
            for number, text in numbered_sentences(module.__doc__ or ""):
                self._entry(number).sentences[self.reader.translate(text, RULE_TEXT)] = None
            for value in vars(module).values():
                for one in value.values() if isinstance(value, dict) else (value,):
                    if isinstance(one, Rule):
                        self.refusals.setdefault(one, HOLE.sub("…", self.reader.translate(one.text)))
                if isinstance(value, type) and issubclass(value, Step) and value.action is not None:
                    for name, number in value.action.stages:
                        said = Message("{0}: {1}", Message(value.action.name), Message(name))
                        self._note(number, Message("Step of an action: {0}.", said))
        for rule in (NOT_ASKED, MATCH_OVER):
            self.refusals[rule] = self.reader.translate(rule.text)
        if not self._entry(f"{self.game.prefix}-{self.game.seats_rule}").sentences:
            self._note(f"{self.game.prefix}-{self.game.seats_rule}", self._players())

    def _read_variants(self) -> None:
        for variant in self.game.variants:
            default = variant.name_of(variant.default)
            self._note(variant.ruling, Message("Option of a match: {0} (default: {1})", variant.sentence, default))

    # -- what happens in matches ------------------------------------------------------------------------------------

    def _play_matches(self) -> None:
        for seed in range(MATCHES):
            chance = Rng(seed)
            s = self.game.deal(self.game.seats[seed % len(self.game.seats)], seed, listen=True)
            for _ in range(DECISIONS):
                self._read_events(s)
                if s.over:
                    break
                self._read_decision(s)
                s.play(s.legal[chance.below(len(s.legal))])

    def _read_events(self, s: State) -> None:
        for event in s.events or ():
            message = self.game.words.event(event.for_viewer(NOBODY), NOBODY) if event.rule else None
            if message is not None:
                log = self.reader.read(Message("In the log: {0}", self.reader.read(message)))
                self._example(event.rule, event.kind, log)
        s.events = []

    def _read_decision(self, s: State) -> None:
        step, words = s.asked, self.game.words
        found = self.decisions.setdefault(step.id, Decision())
        question = self.reader.read(words.question(s))
        if len(found.questions) < QUESTIONS:
            found.questions[question] = None
        for number in _numbers_of(step):
            self._example(number, step.id, self.reader.read(Message("Asked: {0}", question)), QUESTIONS)
        legal = set(s.legal)
        for o in s.candidates():
            if o in legal:
                said = self.game.say(o)
                shown = found.options.setdefault(said.partition(" ")[0], {})
                if said not in shown and len(shown) < OPTIONS:
                    shown[said] = self.reader.read(words.label(s, o))
            else:
                rule = step.forbids(s, o)
                if rule is not None and HOLE.search(rule.text) and "…" in self.refusals.get(rule, "…"):
                    self.refusals[rule] = words.rule(rule, step.rule_parameters(s, o, rule), self.reader)

    # -- writing down -----------------------------------------------------------------------------------------------

    def _entry(self, number: str) -> RuleEntry:
        return self.entries.setdefault(number, RuleEntry())

    def _note(self, number: str, message: Message) -> None:
        if number:
            self._entry(number).notes[self.reader.read(message)] = None

    def _example(self, number: str, kind: str, text: str, most: int = 1) -> None:
        """Write down a sentence of a match, but few of each kind."""
        seen = self._examples.setdefault((number, kind), set())
        if len(seen) < most:
            seen.add(text)
            self._entry(number).notes[text] = None


def _reader(game: Game, language: str, names: tuple[str, ...] = ()) -> Reader:
    return game.words.reader(language, names)


def _modules_of(game: Game) -> list[ModuleType]:
    """Return the modules of a game's classes and those of their packages that they use, in the order they are found."""
    queue = [base.__module__ for base in type(game).__mro__ if issubclass(base, Game) and base is not Game]
    packages = tuple(f"{name.rpartition('.')[0]}." for name in queue if "." in name)
    found: dict[str, ModuleType] = {}
    while queue:
        name = queue.pop(0)
        module = sys.modules.get(name)
        if name not in found and module is not None:
            found[name] = module
            queue += [other for other in _used_by(module) if other.startswith(packages)]
    return list(found.values())


def _used_by(module: ModuleType) -> Iterable[str]:
    """Return the names of the modules where what a module holds was defined."""
    for value in vars(module).values():
        name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        if isinstance(name, str):
            yield name


def _numbers_of(step: Step[State]) -> list[str]:
    """Return the rules that a step follows: those its docstring begins with, and that of its stage."""
    head = (type(step).__doc__ or "").partition("  ")[0]
    numbers = NUMBER.findall(head) if NUMBER.match(head) else []
    if step.action is not None:
        numbers.append(step.action.stages[step.stage - 1][1])
    return list(dict.fromkeys(numbers))


def _order(number: str) -> tuple[bool, bool, tuple[int, ...]]:
    """Return what numbers are sorted by: the engine's own last, rulings after rules."""
    prefix, _, rest = number.partition("-")
    return prefix == "K", rest.startswith("R"), tuple(int(part) for part in re.findall(r"\d+", rest))


def _chapter(number: str) -> str:
    """Return ``KP-2`` of ``KP-2.1``, ``R`` of a ruling, and ``K`` of one of the engine's rules."""
    prefix, _, rest = number.partition("-")
    return "R" if rest.startswith("R") else "K" if prefix == "K" else f"{prefix}-{rest.partition('.')[0]}"


def _plain(text: str) -> str:
    """Return a text that Markdown leaves as it is."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("*", "∗")
