"""Matches of every title, for the properties that are written once for all of them.

They are played by chance from a seed, and, richer, taken from the golden records.
``TRICLINIUM_SOAK=1000`` plays so many matches of each case instead of one.
"""

import importlib
import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import triclinium
from tests import toy
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.engine.game import Choice, Title
from triclinium.engine.record import Record, replay_one

MATCHES = int(os.environ.get("TRICLINIUM_SOAK", "1"))
LOOKS = 400  # how many moments of a title a slow property looks at, over all cases of the title
RECORDS = Path(__file__).parent / "records"
SHORT = {  # what a form says for the shortest match that a title's variants allow
    "ierusalem": {"stall_round": "20"},
    "missionnaires": {"round_limit": "100", "play_on": "never"},
    "portals": {"round_limit": "13"},
    "testoftime": {"rounds": "10"},
}
RECORDED = -1  # in place of a seed: the golden record of the case


class Checks:
    """What a title's tests/games/<id>/checks.py says about it."""

    def __init__(self, module: ModuleType) -> None:
        self.variants: list[dict[str, Choice]] = module.VARIANTS
        self.conserved: Callable[[State], None] = module.conserved
        self.slow_scores: Callable[[State], list[int]] = module.slow_scores
        self.derived: tuple[str, ...] = getattr(module, "DERIVED", ())  # attributes that need not be in facts


class Case:
    """A title, a number of seats and a choice of variants."""

    def __init__(
        self, title: Title, seats: int, variants: dict[str, Choice], looks: int, matches: int = MATCHES
    ) -> None:
        self.title = title
        self.seats = seats
        self.variants = variants
        self.looks = looks
        self.matches = matches

    def __repr__(self) -> str:
        chosen = ",".join(f"{name}={value}" for name, value in self.variants.items())
        return f"{self.title.id}-{self.seats}{'-' if chosen else ''}{chosen}"

    @property
    def checks(self) -> Checks:
        return checks_of(self.title.id)

    def deal(self, seed: int, listen: bool = False) -> State:
        return self.title.deal(self.seats, seed, self.variants, listen)

    @property
    def record(self) -> Path:
        """Where the golden record of this case lies, if it has one: ``3-memory_aid-off.rec``."""
        variants = {variant.name: variant for variant in self.title.variants}
        said = [f"{name}-{variants[name].said(value)}" for name, value in self.variants.items()]
        return RECORDS / self.title.id / ("-".join([str(self.seats), *said]) + ".rec")

    def walks(self) -> list[int]:
        """The seeds of the matches to walk through, and RECORDED if there is a record."""
        return [*range(self.matches), *([RECORDED] if self.record.exists() else [])]

    def walk(self, seed: int, listen: bool = False) -> Iterator[State]:
        """One state that plays itself: before each decision, and when all is over."""
        if seed == RECORDED:
            yield from self.walk_record(listen)
            return
        s = self.deal(seed, listen)
        rng = Rng(seed + 1)
        while not s.over:
            yield s
            s.choose(s.legal[rng.below(len(s.legal))])
        yield s

    def walk_record(self, listen: bool) -> Iterator[State]:
        record = Record.loads(self.record.read_text(encoding="utf-8"), self.record.name)
        s = record.deal(self.title, listen)
        for n, text in enumerate(record.options, start=1):
            yield s
            replay_one(self.title, s, n, text)
        yield s

    def glance(self, looks: int = 0, share: float = 1.0) -> Iterator[State]:
        """The walks of this case at so many moments spread over each, or over the first share of it; not the end."""
        for seed in self.walks():
            length = int(self.length(seed) * share)
            stride = max(1, length // (looks or self.looks))
            for n, s in enumerate(self.walk(seed)):
                if n >= length or s.over:
                    break
                if n % stride == 0:
                    yield s

    def length(self, seed: int) -> int:
        """How many decisions the walk of this seed has; fails if there are too many."""
        if seed == RECORDED:
            return len(Record.loads(self.record.read_text(encoding="utf-8"), self.record.name).options)
        s = self.deal(seed)
        made = rollout(s, Rng(seed + 1), self.title.bound + 1)
        assert s.over, f"{self} asks more than {self.title.bound} decisions"
        return made


@cache
def checks_of(name: str) -> Checks:
    return Checks(toy if name == toy.TOY.id else importlib.import_module(f"tests.games.{name}.checks"))


def our_titles() -> list[Title]:
    """The titles of this package; somebody else's are tested at home."""
    found = [triclinium.title(name) for name in triclinium.titles()]
    return [title for title in found if type(title).__module__.startswith("triclinium.games.")]


def cases_of(title: Title) -> list[Case]:
    """Every number of seats with every listed choice of variants that fits it."""
    try:
        listed = checks_of(title.id).variants
    except ModuleNotFoundError:
        listed = [{}]  # test_every_title_has_its_checks fails; the other properties need not
    pairs: list[tuple[int, dict[str, Choice]]] = []
    for seats in title.seats:
        for variants in listed:
            try:
                title.fits(seats, title.choices(variants))
            except BadSetup:
                continue
            pairs.append((seats, variants))
    return [Case(title, seats, variants, max(6, LOOKS // len(pairs))) for seats, variants in pairs]


TITLES = [toy.TOY, *our_titles()]
CASES = [case for title in TITLES for case in cases_of(title)]


def viewers(s: State) -> list[Seat]:
    """Every seat, and a spectator."""
    return [NOBODY, *range(s.seats)]


def seen_by(title: Title, s: State, seat: Seat) -> dict[str, object]:
    """The view of a seat or, for NOBODY, of a spectator."""
    return title.view_json(s, None if seat == NOBODY else seat)


def dumped(title: Title, s: State, seat: Seat) -> str:
    """The same as text."""
    return json.dumps(seen_by(title, s, seat), sort_keys=True)


def moment(s: State) -> tuple[object, ...]:
    """All that could have changed."""
    return (s.digest(), s.facts(), s.stack[:], s.who, s.options(), s.rng.facts(), s.learnt)
