"""States and steps: immutable steps on a stack inside one mutable state.

What is pending is data. It can be cloned in microseconds, saved in the middle of a decision, replayed and searched.
Asking never changes anything; only ``play`` does.
"""

from collections.abc import Sequence
from typing import ClassVar, Final, Generic, Self, TypeAlias, TypeVar

from mypy_extensions import mypyc_attr

from triclinium.engine.core.action import NO_PRICE, Action, Price
from triclinium.engine.core.digest import compute_digest, hash_name
from triclinium.engine.core.errors import Refused
from triclinium.engine.core.event import ANYTIME, CHOSEN, FORCED, Event, EventType
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import MATCH_OVER, NOT_ASKED, Rule

Seat: TypeAlias = int
Option: TypeAlias = int

NOBODY: Final = -1  # the seat of a step that asks nobody, of a finished match, and of a spectator
CHANCE: Final = -2  # who decides where a `Draw` waits for an outcome; only in a state dealt so
ASK: Final = -1  # what `forced` and `safe` answer when the seat must be asked

# Until when a person may leave a question to be answered for them; see `Step.safe`.
TURN: Final = "turn"
ROUND: Final = "round"
MATCH: Final = "match"
ATTACKED: Final = "attacked"  # this round, as long as `Step.calm` says that nothing is done to the seat

S = TypeVar("S", bound="State", contravariant=True)


@mypyc_attr(allow_interpreted_subclasses=True)
class Step(Generic[S]):
    """One pending thing the rules must do or ask. Immutable: seats, places and counts, never a hidden card."""

    # For ever the same: digests, views, guide and words know the step by it; its class may be renamed.
    id: ClassVar[str]
    question: ClassVar[str] = ""  # what it asks, as a template that `parameters` fills
    auto_reply_text: ClassVar[str] = ""  # what `safe` does, whatever the state: "Follow no Travel"
    auto_reply_spans: ClassVar[
        tuple[str, ...]
    ] = ()  # until when it makes sense to be spared; none: it is asked every time
    action: ClassVar[Action | None] = None  # the action that it is a part of, as the rulebook names it
    stage: ClassVar[int] = 1  # which stage of the action it is, from 1
    chained_verbs: ClassVar[tuple[str, ...]] = ()  # verbs that one click may choose one after another: a walk, a target
    combined_verbs: ClassVar[
        tuple[str, ...]
    ] = ()  # verbs that lead to a next question, which pages ask together with this one

    def __init__(self, who: Seat) -> None:
        self.who: Final = who

    def fields(self) -> tuple[int, ...]:
        """All fields but ``who``; equality, repr and digest come from it."""
        return ()

    def applies(self, s: S) -> bool:
        """False: the step falls away unasked. Reads public facts only."""
        return True

    def candidates(self, s: S) -> list[Option]:
        """Everything a person might try here, ascending."""
        raise NotImplementedError

    def forbids(self, s: S, o: Option) -> Rule | None:
        """Why a candidate is not allowed; None: it is. Rules are tested in rulebook order."""
        return None

    def rule_parameters(self, s: S, o: Option, rule: Rule) -> tuple[int, ...]:
        """What fills the rule's template; called after a refusal only."""
        return ()

    def question_template(self, s: S) -> str:
        """The question; a step that asks one of several says which."""
        return self.question

    def question_parameters(self, s: S) -> tuple[int, ...]:
        """What fills the question's template."""
        return ()

    def option_price(self, s: S, o: Option) -> Price:
        """What an option costs, in words; `FREE` where that is worth saying."""
        return NO_PRICE

    def display_rank(self, s: S, o: Option) -> int:
        """How far down a list an option stands: the likely ones, with a low rank, come first.

        It reads what the asked seat knows and nothing else. It is for people: no bot and no rule asks it.
        """
        return 0

    def options(self, s: S) -> list[Option]:
        """The candidates that nothing forbids. A hot step may list them directly."""
        return [o for o in self.candidates(s) if self.forbids(s, o) is None]

    def forced_option(self, s: S, legal: list[Option]) -> Option:
        """The answer taken without asking, or ASK. Where options depend on a hidden hand, read public facts only."""
        return legal[0] if len(legal) == 1 else ASK

    def auto_reply_option(self, s: S) -> Option:
        """The answer that may be given unasked to a seat that wishes it, or ASK. Reads public facts only."""
        return ASK

    def is_unthreatened(self, s: S) -> bool:
        """Whether nothing is done to the seat that needs an answer; for the span ATTACKED. Reads public facts only."""
        return True

    def apply(self, s: S, o: Option) -> None:
        """Do it, and push what follows."""
        raise NotImplementedError

    def run(self, s: S) -> None:
        """What a step of NOBODY does."""
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
    """Everything about a match at one moment. A game has one subclass; its constructor takes nothing."""

    seats: int
    version: int  # of the rules that this match is played by; a rule that changed asks `if s.version >= 2`
    stack: list[Step[Self]]
    anytime: list[Step[Self]]  # what a seat may answer at any moment, asked or not: resigning; never changed
    rng: Rng
    undo_barrier: int  # rises whenever chance is drawn or a face is shown to somebody who did not know it
    events: list[Event] | None  # None: nobody listens
    who: Seat  # the seat to decide; NOBODY when the match is over
    legal: list[Option]  # the options of that seat, computed once a decision; replaced, never changed
    asks_chance: bool  # True: a `Draw` waits for its outcome to be chosen, and draws nothing

    # -- what a game writes ------------------------------------------------------------------------------------

    def clone(self) -> Self:
        """An independent copy: ``t = self.copy_base(Evangelists())``, then one line per attribute."""
        raise NotImplementedError

    def state_key(self) -> list[int]:
        """One line per attribute; a part of varying length is preceded by its length."""
        raise NotImplementedError

    def redeal(self, seat: Seat, rng: Rng) -> None:
        """Deal anew, in place, what this seat (NOBODY: a spectator) does not know."""
        raise NotImplementedError

    def period(self) -> tuple[int, int]:
        """The round at hand and, in it, the turn: other numbers, another round or turn. For the spans of its steps."""
        return (0, 0)

    # -- what the engine does -----------------------------------------------------------------------------------

    def initialize(self, seats: int, rng: Rng, version: int = 1) -> None:
        """The first thing a deal does: an empty table for so many seats."""
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
        """Rules, shared tables and old versions do not travel: a record does."""
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
        """Push a step, or several at once; the first is on top."""
        i = len(beneath) - 1
        while i >= 0:
            self.stack.append(beneath[i])
            i -= 1
        self.stack.append(top)

    def push_all(self: Self, steps: Sequence[Step[Self]]) -> None:
        """Push any number of steps, or none; the first is on top."""
        i = len(steps) - 1
        while i >= 0:
            self.stack.append(steps[i])
            i -= 1

    def options(self) -> list[Option]:
        """The legal options, ascending, as a copy; never empty while the match runs."""
        return self.legal[:]

    def candidates(self: Self) -> list[Option]:
        """Everything the asked seat might try."""
        return self.stack[-1].candidates(self) if self.who != NOBODY else []

    def refusal(self: Self, o: Option) -> Rule | None:
        """The rule that forbids this option now; None: it is legal."""
        if self.who == NOBODY:
            return MATCH_OVER
        if o in self.legal or self.anytime_step(o) is not None:
            return None
        if o not in self.stack[-1].candidates(self):
            return NOT_ASKED
        return self.forbidding_rule(o)

    def forbidding_rule(self: Self, o: Option) -> Rule:
        """The rule that forbids a candidate which is not legal."""
        rule = self.stack[-1].forbids(self, o)
        return NOT_ASKED if rule is None else rule

    def anytime_step(self: Self, o: Option) -> Step[Self] | None:
        """The step of `anytime` that this option answers now."""
        for step in self.anytime:
            if o in step.options(self):
                return step
        return None

    def anytime_options(self: Self, seat: Seat) -> list[Option]:
        """What this seat may choose at any moment, asked or not."""
        options: list[Option] = []
        for step in self.anytime:
            if step.who == seat:
                options += step.options(self)
        return options

    def play(self: Self, o: Option) -> None:
        """Choose an option. Raises Refused, and then the state is untouched."""
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
        """`play` for an option known to be legal: what random play and search call."""
        step = self.stack.pop()
        if self.events is not None and step.who != NOBODY:  # what chance decides, the rules tell to whom they may
            self.events.append(Event(CHOSEN, step.who, (o,)))
        step.apply(self, o)
        self.advance()

    def advance(self: Self) -> None:
        """Go on until somebody must be asked: run, drop or answer the steps that ask nobody."""
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
        """Copy what the engine keeps into a new state."""
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
        """Another world that this seat (NOBODY: a spectator) cannot tell from this one, with chance of its own."""
        t = self.clone()
        t.rng = rng.fork()
        t.redeal(seat, rng)
        if t.who != NOBODY and t.who != seat:
            t.legal = t.stack[-1].options(t)  # another seat's options may hang on the cards it now holds
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
        """Report what happened, if somebody listens."""
        if self.events is not None:
            self.events.append(Event(type, seat, facts, rule, secrets, readers))

    def digest(self: Self) -> int:
        """62 bits that stand for the whole state: equal on every machine, build and Python version."""
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
    """Chance with outcomes that can be listed: few, as numbers of its own. A step of NOBODY.

    It draws and goes on, as any step that asks nobody. In a state that `asks_chance` it waits instead: `who` is CHANCE,
    the legal options are the outcomes, and `choose` takes one. That is how small games are solved.
    """

    def outcomes(self, s: S) -> list[tuple[int, int]]:
        """Each with its weight, ascending."""
        raise NotImplementedError

    def draw(self, s: S) -> int:
        """One outcome, by the generator. A game whose records are older than its outcomes draws as it always has."""
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
