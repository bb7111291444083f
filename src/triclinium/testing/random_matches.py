"""Random matches for the contract: the cases (seats and variants) and one match for each."""

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
class SampleSizes:
    """The numbers of matches, positions and worlds that the contract checks. `thorough` takes minutes to hours."""

    matches: int = 1  # random matches for each case
    moments: int = 5  # sampled positions of each match, at which most properties are checked
    worlds: int = 2  # other worlds of each viewer at such a position
    all_cases: bool = False  # every number of seats with every choice of variants; otherwise each of them once

    @classmethod
    def thorough(cls, matches: int) -> "SampleSizes":
        """Return sizes that cover every case with this many matches each."""
        return cls(matches=matches, moments=25, worlds=3, all_cases=True)


class GameCase:
    """A game with a number of seats and a choice of variants."""

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
    def record_name(self) -> str:
        """The file name of a record of this case, for example ``3-memory_aid-off.rec``."""
        variants = {variant.name: variant for variant in self.game.variants}
        parts = [f"{name}-{variants[name].format_value(value)}" for name, value in self.variants.items()]
        return "-".join([str(self.seats), *parts]) + ".rec"

    def play_randomly(self, seed: int) -> Iterator[State]:
        """Yield the state before each decision of a random match, and at its end. It is always the same object."""
        s = self.deal(seed)
        rng = Rng(seed + 1)
        while not s.over:
            yield s
            s.choose(s.legal[rng.below(len(s.legal))])
        yield s

    def sample_states(self, count: int, seed: int = 0) -> Iterator[State]:
        """Yield the state at about this many positions spread over a random match, without the end."""
        stride = max(1, self.count_decisions(seed) // count)
        for n, s in enumerate(self.play_randomly(seed)):
            if n % stride == 0 and not s.over:
                yield s

    def count_decisions(self, seed: int) -> int:
        """Return the number of decisions in the match of this seed. Fail if there are too many."""
        s = self.deal(seed)
        decisions = rollout(s, Rng(seed + 1), self.game.max_decisions + 1)
        assert s.over, f"more than {self.game.max_decisions} decisions, which is the bound"
        assert 0 < decisions <= self.game.max_decisions, (
            f"{decisions} decisions, and the bound is {self.game.max_decisions}"
        )
        return decisions


class MatchRun:
    """One match, played at random or from a record, that checks can inspect at every decision."""

    def __init__(self, case: GameCase, seed: int = 0, record: Path | None = None) -> None:
        self.case = case
        self.seed = seed
        self.record_path = record
        self.rng = Rng(seed + 1)
        self.record: Record | None = None
        if record is None:
            self.length = case.count_decisions(seed)
            self.match = Match(case.game, case.seats, seed, case.variants)
        else:
            self.record = Record.loads(record.read_text(encoding="utf-8"), record.name)
            record_game = case.game.find_release(self.record.components)  # the record may belong to an earlier release
            self.case = case if record_game is None else GameCase(record_game, case.seats, case.variants)
            self.length = len(self.record.options)
            self.match = Match.resume(self.record.truncate(0), self.case.game)

    def __str__(self) -> str:
        source = f"seed {self.seed}" if self.record_path is None else f"record {self.record_path.name}"
        chosen = ", ".join(f"{name} = {value}" for name, value in self.case.variants.items()) or "no variants"
        return f"{self.case.game.id}, {self.case.seats} seats, {chosen}, {source}, move {self.move}"

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def move(self) -> int:
        return len(self.match.record.options)

    def choose_next_option(self) -> str:
        """Return the notation of the next option."""
        if self.record is not None:
            return self.record.options[self.move]
        return self.case.game.format_option(self.state.legal[self.rng.below(len(self.state.legal))])


def list_cases(game: Game, variants: Sequence[Variants] | None = None) -> list[GameCase]:
    """Return every number of seats with every choice of variants that fits it."""
    cases: list[GameCase] = []
    for seats in game.seats:
        for chosen in list_variant_choices(game) if variants is None else variants:
            try:
                game.check_variants(seats, game.complete_variants(chosen))
            except BadSetup:
                continue
            cases.append(GameCase(game, seats, chosen))
    return cases


def list_variant_choices(game: Game) -> list[Variants]:
    """Return the default variants and each value of each variant alone. Ranges of numbers contribute their two ends."""
    choices: list[Variants] = [{}]
    for variant in game.variants:
        choices += [
            {variant.name: value} for value in list_representative_values(variant.values) if value != variant.default
        ]
    return choices


def list_representative_values(values: Sequence[Choice]) -> list[Choice]:
    """Return all words and switches, and the two ends of a range of numbers."""
    numbers = [value for value in values if not isinstance(value, (bool, str))]
    ends = (min(numbers), max(numbers)) if numbers else ()
    return [value for value in values if isinstance(value, (bool, str)) or value in ends]


def select_covering_cases(cases: Sequence[GameCase]) -> list[GameCase]:
    """Return a subset of the cases that covers every number of seats and every choice of variants once."""
    chosen = [case for case in cases if not case.variants]
    covered: list[dict[str, Choice]] = []
    for case in cases:
        if case.variants and case.variants not in covered:
            alike = [other for other in cases if other.variants == case.variants]
            chosen.append(alike[len(covered) % len(alike)])
            covered.append(case.variants)
    return chosen
