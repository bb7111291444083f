"""Matches of a game to look at: which numbers of seats with which variants, and one walk through each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.engine.variant import Choice

Variants = Mapping[str, Choice]


@dataclass(frozen=True)
class Samples:
    """How many matches, positions and worlds the contract looks at; `thorough` takes minutes to hours."""

    matches: int = 1  # played by chance in each case
    looks: int = 5  # moments of a walk at which all properties are checked; some are at more, some at each
    worlds: int = 2  # other worlds of a viewer at such a moment
    whole: bool = False  # every number of seats with every choice of variants; otherwise each of them once

    @classmethod
    def thorough(cls, matches: int) -> "Samples":
        """Return samples of every case, with so many matches each."""
        return cls(matches=matches, looks=25, worlds=3, whole=True)


class Case:
    """A game, a number of seats and a choice of variants."""

    def __init__(self, game: Game, seats: int, variants: Variants) -> None:
        self.game = game
        self.seats = seats
        self.variants = dict(variants)

    def __repr__(self) -> str:
        chosen = ",".join(f"{name}={value}" for name, value in self.variants.items())
        return f"{self.game.id}-{self.seats}{'-' if chosen else ''}{chosen}"

    def deal(self, seed: int, listen: bool = False) -> State:
        return self.game.deal(self.seats, seed, self.variants, listen)

    @property
    def file(self) -> str:
        """What a record of this case is called: ``3-memory_aid-off.rec``."""
        variants = {variant.name: variant for variant in self.game.variants}
        said = [f"{name}-{variants[name].said(value)}" for name, value in self.variants.items()]
        return "-".join([str(self.seats), *said]) + ".rec"

    def walk(self, seed: int) -> Iterator[State]:
        """One state that plays itself by chance: before each decision, and when all is over."""
        s = self.deal(seed)
        rng = Rng(seed + 1)
        while not s.over:
            yield s
            s.choose(s.legal[rng.below(len(s.legal))])
        yield s

    def glance(self, looks: int, seed: int = 0) -> Iterator[State]:
        """The same at so many moments spread over the match, the end left out."""
        stride = max(1, self.length(seed) // looks)
        for n, s in enumerate(self.walk(seed)):
            if n % stride == 0 and not s.over:
                yield s

    def length(self, seed: int) -> int:
        """How many decisions the walk of this seed has; fails if there are too many."""
        s = self.deal(seed)
        made = rollout(s, Rng(seed + 1), self.game.bound + 1)
        assert s.over, f"more than {self.game.bound} decisions, which is the bound"
        assert 0 < made <= self.game.bound, f"{made} decisions, and the bound is {self.game.bound}"
        return made


class Walk:
    """One match that is played decision by decision, by chance or as a record says, and looked at on the way."""

    def __init__(self, case: Case, seed: int = 0, record: Path | None = None) -> None:
        self.case = case
        self.seed = seed
        self.file = record
        self.rng = Rng(seed + 1)
        self.record: Record | None = None
        if record is None:
            self.length = case.length(seed)
            self.match = Match(case.game, case.seats, seed, case.variants)
        else:
            self.record = Record.loads(record.read_text(encoding="utf-8"), record.name)
            title = case.game.released(self.record.components)  # it may be of an earlier release
            self.case = case if title is None else Case(title, case.seats, case.variants)
            self.length = len(self.record.options)
            self.match = Match.resume(self.record.until(0), self.case.game)

    def __str__(self) -> str:
        source = f"seed {self.seed}" if self.file is None else f"record {self.file.name}"
        chosen = ", ".join(f"{name} = {value}" for name, value in self.case.variants.items()) or "no variants"
        return f"{self.case.game.id}, {self.case.seats} seats, {chosen}, {source}, move {self.move}"

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def move(self) -> int:
        return len(self.match.record.options)

    def next(self) -> str:
        """What is played next, in notation."""
        if self.record is not None:
            return self.record.options[self.move]
        return self.case.game.say(self.state.legal[self.rng.below(len(self.state.legal))])


def cases_of(game: Game, variants: Sequence[Variants] | None = None) -> list[Case]:
    """Every number of seats with every choice of variants that fits it."""
    found: list[Case] = []
    for seats in game.seats:
        for chosen in choices_of(game) if variants is None else variants:
            try:
                game.fits(seats, game.choices(chosen))
            except BadSetup:
                continue
            found.append(Case(game, seats, chosen))
    return found


def choices_of(game: Game) -> list[Variants]:
    """The game as it comes, and each value of each variant alone; of many numbers the two ends."""
    found: list[Variants] = [{}]
    for variant in game.variants:
        found += [{variant.name: value} for value in worth_a_try(variant.values) if value != variant.default]
    return found


def worth_a_try(values: Sequence[Choice]) -> list[Choice]:
    """All words and switches; of numbers the two ends."""
    numbers = [value for value in values if not isinstance(value, (bool, str))]
    ends = (min(numbers), max(numbers)) if numbers else ()
    return [value for value in values if isinstance(value, (bool, str)) or value in ends]


def cover(cases: Sequence[Case]) -> list[Case]:
    """Every number of seats as the game comes, and every choice of variants once, with seats that take turns."""
    chosen = [case for case in cases if not case.variants]
    listed: list[dict[str, Choice]] = []
    for case in cases:
        if case.variants and case.variants not in listed:
            alike = [other for other in cases if other.variants == case.variants]
            chosen.append(alike[len(listed) % len(alike)])
            listed.append(case.variants)
    return chosen
