"""States and steps: immutable steps on a stack inside one mutable state.

Pending questions are data. A state can be cloned in microseconds, saved in the middle of a decision, replayed and
searched. Reading a state never changes it. Only ``play`` and ``choose`` do.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Generic, Self, TypeAlias, TypeVar

from mypy_extensions import mypyc_attr

from triclinium.engine.core.action import NO_PRICE, Action, Price
from triclinium.engine.core.derived_state import copy_attributes, list_key_numbers
from triclinium.engine.core.digest import compute_digest, hash_name
from triclinium.engine.core.errors import Refused
from triclinium.engine.core.event import ANYTIME, CHOSEN, FORCED, Event, EventType
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import MATCH_OVER, NOT_ASKED, Rule

Seat: TypeAlias = int
Option: TypeAlias = int

NOBODY: Final = -1  # the seat of a step that asks nobody, of a finished match and of a spectator
EVERYBODY: Final = -3  # `redeal` and `resample` for all seats together: only what nobody has seen is dealt again
CHANCE: Final = -2  # the seat that decides where a `Draw` waits for an outcome, in states with `asks_chance` only
ASK: Final = -1  # `forced_option` and `auto_reply_option` return it if the seat must be asked

# Spans of an auto-reply: how long a player may leave a question to be answered automatically.
TURN: Final = "turn"
ROUND: Final = "round"
MATCH: Final = "match"
ATTACKED: Final = "attacked"  # this round, while `Step.is_unthreatened` returns true

S = TypeVar("S", bound="State", contravariant=True)


@mypyc_attr(allow_interpreted_subclasses=True)
class Step(Generic[S]):
    """One pending question or task of the rules.

    It is immutable and holds seats, places and counts, never a hidden card.
    """

    # The id never changes, even if the class is renamed: digests, views, the guide and texts refer to it.
    id: ClassVar[str]
    question: ClassVar[str] = ""  # the question as a template, filled by `question_parameters`
    auto_reply_text: ClassVar[str] = ""  # in every state, for example "Never follow a Travel"
    # The spans for which an auto-reply makes sense. Without any, the step always asks.
    auto_reply_spans: ClassVar[tuple[str, ...]] = ()
    action: ClassVar[Action | None] = None  # the rulebook's action that the step belongs to
    stage: ClassVar[int] = 1  # the stage of that action, from 1
    # verbs that one click may choose one after another, as for a walk and its target
    chained_verbs: ClassVar[tuple[str, ...]] = ()
    # verbs that lead to a next question, which pages ask together with this one
    combined_verbs: ClassVar[tuple[str, ...]] = ()
    # verbs whose next question pages answer with its safe answer, and the label that unfolds the full choice
    completed_verbs: ClassVar[tuple[str, ...]] = ()
    completed_text: ClassVar[str] = ""
    # Plans: names and texts of rows of moves that a seat may choose here at once. They are made on its next turns.
    # A plan may have a number after its name, for example the strength of an attack that the seat accepts.
    plan_texts: ClassVar[Mapping[str, str]] = {}

    def __init__(self, who: Seat) -> None:
        self.who: Final = who

    def fields(self) -> tuple[int, ...]:
        """Return all fields except ``who``. Equality, repr and digest use them."""
        return ()

    def applies(self, s: S) -> bool:
        """Return whether the step still applies. If not, it is dropped without a question. Use public facts only."""
        return True

    def candidates(self, s: S) -> list[Option]:
        """Return every option that a person might try here, in ascending order."""
        raise NotImplementedError

    def forbids(self, s: S, o: Option) -> Rule | None:
        """Return the rule that forbids a candidate, or None if it is allowed. Test the rules in rulebook order."""
        return None

    def rule_parameters(self, s: S, o: Option, rule: Rule) -> tuple[int, ...]:
        """Return the parameters of the rule's template. It is called only after a refusal."""
        return ()

    def question_template(self, s: S) -> str:
        """Return the question's template. A step with several questions chooses the current one."""
        return self.question

    def question_parameters(self, s: S) -> tuple[int, ...]:
        """Return the parameters of the question's template."""
        return ()

    def option_price(self, s: S, o: Option) -> Price:
        """Return the price of an option in words. Return `FREE` where that is worth a mention."""
        return NO_PRICE

    def display_rank(self, s: S, o: Option) -> int:
        """Return the option's position in displayed lists. Likely options have a low rank and come first.

        It may only use what the asked seat knows. Only pages use it, never bots or rules.
        """
        return 0

    def repetitions(self, s: S) -> int:
        """Return how many times in a row this question is asked. Pages then ask once, with a counter for each option.

        It may only use what the asked seat knows. Only pages use it, never bots or rules.
        """
        return 1

    def options(self, s: S) -> list[Option]:
        """Return the candidates that no rule forbids. A performance-critical step may list them directly."""
        return [o for o in self.candidates(s) if self.forbids(s, o) is None]

    def forced_option(self, s: S, legal: list[Option]) -> Option:
        """Return the option that is taken without asking, or ASK.

        Where the options depend on a hidden hand, the choice must only use public facts.
        """
        return legal[0] if len(legal) == 1 else ASK

    def auto_reply_option(self, s: S) -> Option:
        """Return the option that an auto-reply gives for a seat that has set one, or ASK. Use public facts only."""
        return ASK

    def list_plans(self, s: S) -> list[str]:
        """Return the names of the plans that make sense now. Use public facts only."""
        return []

    def plan_option(self, s: S, plan: str) -> Option:
        """Return the next option of a plan of the asked seat, or ASK if this question is not part of it."""
        return ASK

    def is_unthreatened(self, s: S) -> bool:
        """Return whether nothing threatens the seat that would need an answer.

        The span ATTACKED uses it. Use public facts only.
        """
        return True

    def apply(self, s: S, o: Option) -> None:
        """Carry out the option and push the steps that follow."""
        raise NotImplementedError

    def run(self, s: S) -> None:
        """Carry out a step whose seat is NOBODY."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Step)
            and type(self) is type(other)
            and self.who == other.who
            and self.fields() == other.fields()
        )

    def __hash__(self) -> int:
        return hash((self.id, self.who, self.fields()))

    def __repr__(self) -> str:
        return f"{self.id}({', '.join(str(fact) for fact in (self.who, *self.fields()))})"


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """The complete state of a match. Each game has one subclass, whose constructor takes no arguments."""

    seats: int
    version: int  # version of the rules of this match; a changed rule tests `if s.version >= 2`
    stack: list[Step[Self]]
    # Steps that a seat may answer at any moment, such as resigning. The list is never changed.
    anytime: list[Step[Self]]
    rng: Rng
    undo_barrier: int  # increases when something is drawn, or a face is shown to a player who did not know it
    events: list[Event] | None  # None while events are not collected
    who: Seat  # the seat that must decide; NOBODY when the match is over
    legal: list[Option]  # the options of that seat, computed once for each decision; replaced, never changed
    asks_chance: bool  # if true, a `Draw` waits until its outcome is chosen instead of drawing

    # -- derived from the annotations, unless a game overrides them ------------------------------------------------

    def clone(self: Self) -> Self:
        """Return an independent copy. By default, each attribute that the class body declares is copied.

        A performance-critical game overrides it: ``t = self.copy_base(Evangelists())``, then one line for each
        attribute.
        """
        t = self.copy_base(type(self)())
        copy_attributes(self, t, State)
        return t

    def state_key(self) -> list[int]:
        """Return the numbers that identify the state. By default, they are those of all declared attributes.

        An override puts the length of every part with a variable length before that part.
        """
        return list_key_numbers(self, State)

    # -- implemented by games that need them -----------------------------------------------------------------------

    def redeal(self, seat: Seat, rng: Rng) -> None:
        """Redistribute, in place, everything that this seat does not know. NOBODY is a spectator.

        With EVERYBODY, redistribute only what no seat has seen, so that no seat's view changes. By default nothing is
        hidden, and nothing changes.
        """

    def period(self) -> tuple[int, int]:
        """Return the number of the current round and of the turn in it.

        The spans of auto-replies end when they change.
        """
        return (0, 0)

    # -- provided by the engine ------------------------------------------------------------------------------------

    def initialize(self, seats: int, rng: Rng, version: int = 1) -> None:
        """Set the attributes of the engine for a new match. Every deal calls this first."""
        self.seats = seats
        self.version = version
        self.stack = []
        self.anytime = []
        self.rng = rng
        self.undo_barrier = 0
        self.events = None
        self.who = NOBODY
        self.legal = []
        self.asks_chance = False

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: object) -> Self:
        return self.clone()

    def __reduce__(self) -> tuple[object, ...]:
        """Raise TypeError: a state holds shared tables and rules. Use its Match or its record instead."""
        raise TypeError("a state is not pickled; pickle its Match or its record")

    @property
    def over(self) -> bool:
        """True when nothing is pending."""
        return self.who == NOBODY

    @property
    def asked(self: Self) -> Step[Self]:
        """The step that waits for an answer."""
        return self.stack[-1]

    def push(self: Self, top: Step[Self], *beneath: Step[Self]) -> None:
        """Push one or several steps. The first one ends on top."""
        i = len(beneath) - 1
        while i >= 0:
            self.stack.append(beneath[i])
            i -= 1
        self.stack.append(top)

    def push_all(self: Self, steps: Sequence[Step[Self]]) -> None:
        """Push any number of steps, possibly none. The first one ends on top."""
        i = len(steps) - 1
        while i >= 0:
            self.stack.append(steps[i])
            i -= 1

    def options(self) -> list[Option]:
        """Return a copy of the legal options in ascending order. It is never empty while the match runs."""
        return self.legal[:]

    def candidates(self: Self) -> list[Option]:
        """Return every option that the asked seat might try."""
        return self.stack[-1].candidates(self) if self.who != NOBODY else []

    def refusal(self: Self, o: Option) -> Rule | None:
        """Return the rule that forbids this option now, or None if it is legal."""
        if self.who == NOBODY:
            return MATCH_OVER
        if o in self.legal or self.anytime_step(o) is not None:
            return None
        if o not in self.stack[-1].candidates(self):
            return NOT_ASKED
        return self.forbidding_rule(o)

    def forbidding_rule(self: Self, o: Option) -> Rule:
        """Return the rule that forbids a candidate that is not legal."""
        rule = self.stack[-1].forbids(self, o)
        return NOT_ASKED if rule is None else rule

    def anytime_step(self: Self, o: Option) -> Step[Self] | None:
        """Return the step of `anytime` that this option answers now, or None."""
        for step in self.anytime:
            if o in step.options(self):
                return step
        return None

    def anytime_options(self: Self, seat: Seat) -> list[Option]:
        """Return the options that this seat may choose at any moment."""
        options: list[Option] = []
        for step in self.anytime:
            if step.who == seat:
                options += step.options(self)
        return options

    def play(self: Self, o: Option) -> None:
        """Choose an option. Raise Refused if it is not legal, and leave the state unchanged."""
        if o in self.legal:
            self.choose(o)
            return
        rule = self.refusal(o)
        if rule is not None:
            is_engine_rule = rule is NOT_ASKED or rule is MATCH_OVER
            raise Refused(o, rule, () if is_engine_rule else self.stack[-1].rule_parameters(self, o, rule))
        step = self.anytime_step(o)
        assert step is not None
        if self.events is not None:
            self.events.append(Event(ANYTIME, step.who, (o,)))
        step.apply(self, o)
        self.advance()

    def choose(self: Self, o: Option) -> None:
        """Choose an option that is known to be legal. Random play and search call this directly."""
        step = self.stack.pop()
        # a chance outcome emits no event of its own: the rules decide which seats may see it
        if self.events is not None and step.who != NOBODY:
            self.events.append(Event(CHOSEN, step.who, (o,)))
        step.apply(self, o)
        self.advance()

    def advance(self: Self) -> None:
        """Run, drop or answer steps until a seat must be asked."""
        stack = self.stack
        while stack:
            step = stack[-1]
            if step.who == NOBODY:
                if self.asks_chance and isinstance(step, Draw):
                    self.who = CHANCE
                    self.legal = step.options(self)
                    return
                stack.pop()
                step.run(self)
                continue
            if not step.applies(self):
                stack.pop()
                continue
            legal = step.options(self)
            o = step.forced_option(self, legal)
            if o == ASK:
                assert legal, f"{step} asks without an option"
                self.who = step.who
                self.legal = legal
                return
            stack.pop()
            if self.events is not None:
                self.events.append(Event(FORCED, step.who, (o,)))
            step.apply(self, o)
        self.who = NOBODY
        self.legal = []

    def copy_base(self: Self, t: Self) -> Self:
        """Copy the attributes of the engine into a new state and return it."""
        t.seats = self.seats
        t.version = self.version
        t.stack = self.stack[:]
        t.anytime = self.anytime
        t.rng = self.rng.copy()
        t.undo_barrier = self.undo_barrier
        t.events = None
        t.who = self.who
        t.legal = self.legal
        t.asks_chance = self.asks_chance
        return t

    def resample(self: Self, seat: Seat, rng: Rng) -> Self:
        """Return a possible world that this seat cannot distinguish from this state, with its own random stream.

        NOBODY is a spectator. EVERYBODY stands for all seats together: what one of them has seen stays in place.
        """
        t = self.clone()
        t.rng = rng.fork()
        t.redeal(seat, rng)
        if t.who != NOBODY and t.who != seat:
            t.legal = t.stack[-1].options(t)  # options of another seat may depend on the cards that it holds now
        return t

    def emit(
        self,
        type: EventType,
        seat: Seat,
        facts: tuple[int, ...] = (),
        rule: str = "",
        secrets: tuple[int, ...] = (),
        readers: int = 0,
    ) -> None:
        """Add an event if events are collected."""
        if self.events is not None:
            self.events.append(Event(type, seat, facts, rule, secrets, readers))

    def digest(self: Self) -> int:
        """Return 62 bits that identify the whole state. They are equal on every machine, build and Python version."""
        parts = self.state_key()
        parts.append(self.seats)
        parts.append(self.undo_barrier)
        parts.extend(self.rng.state_key())
        parts.append(self.version)
        for step in self.stack:
            parts.append(hash_name(step.id))
            parts.append(step.who)
            fields = step.fields()
            parts.append(len(fields))
            parts.extend(fields)
        return compute_digest(parts)


@mypyc_attr(allow_interpreted_subclasses=True)
class Draw(Step[S]):
    """A random draw with a short list of possible outcomes. It is a step of NOBODY.

    It normally draws and continues, as any step that asks nobody. In a state with `asks_chance` it waits instead: `who`
    is CHANCE, the legal options are the outcomes, and `choose` takes one. Solvers for small games use this.
    """

    def outcomes(self, s: S) -> list[tuple[int, int]]:
        """Return each outcome with its weight, in ascending order."""
        raise NotImplementedError

    def draw(self, s: S) -> int:
        """Draw one outcome from the random stream. A game with older records may override it to draw as before."""
        outcomes = self.outcomes(s)
        left = s.rng.below(sum([weight for _, weight in outcomes]))
        for outcome, weight in outcomes:
            left -= weight
            if left < 0:
                return outcome
        raise AssertionError("the weights of outcomes are positive")

    def options(self, s: S) -> list[Option]:
        return [outcome for outcome, _ in self.outcomes(s)]

    def run(self, s: S) -> None:
        self.apply(s, self.draw(s))
