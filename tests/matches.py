"""Seeded random matches of every title, for the properties that are written once for all of them.

``TRICLINIUM_SOAK=1000`` plays so many matches of each case instead of one.
"""

import importlib
import os
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType

import triclinium
from tests import toy
from triclinium.kernel.errors import BadSetup
from triclinium.kernel.rng import Rng
from triclinium.kernel.rollout import rollout
from triclinium.kernel.state import NOBODY, Seat, State
from triclinium.kernel.title import Choice, Title

MATCHES = int(os.environ.get("TRICLINIUM_SOAK", "1"))
LOOKS = 240  # how many moments of a title a slow property looks at, over all cases of the title


class Checks:
    """What a title's tests/titles/<id>/checks.py says about it."""

    def __init__(self, module: ModuleType) -> None:
        self.variants: list[dict[str, Choice]] = module.VARIANTS
        self.conserved: Callable[[State], None] = module.conserved
        self.slow_scores: Callable[[State], list[int]] = module.slow_scores
        self.derived: tuple[str, ...] = getattr(module, "DERIVED", ())  # attributes that need not be in facts


class Case:
    """A title, a number of seats and a choice of variants."""

    def __init__(self, title: Title, seats: int, variants: dict[str, Choice], looks: int) -> None:
        self.title = title
        self.seats = seats
        self.variants = variants
        self.looks = looks

    def __repr__(self) -> str:
        chosen = ",".join(f"{name}={value}" for name, value in self.variants.items())
        return f"{self.title.id}-{self.seats}{'-' if chosen else ''}{chosen}"

    @property
    def checks(self) -> Checks:
        return checks_of(self.title.id)

    def deal(self, seed: int, listen: bool = False) -> State:
        return self.title.deal(self.seats, seed, self.variants, listen)

    def seeds(self) -> range:
        return range(MATCHES)

    def walk(self, seed: int, listen: bool = False) -> Iterator[State]:
        """One state that plays itself by chance: before each decision, and when all is over."""
        s = self.deal(seed, listen)
        rng = Rng(seed + 1)
        while not s.over:
            yield s
            s.choose(s.legal[rng.below(len(s.legal))])
        yield s

    def glance(self, looks: int = 0, listen: bool = False) -> Iterator[State]:
        """The walks of this case at so many moments spread over each; the end is not one of them."""
        for seed in self.seeds():
            stride = max(1, self.length(seed) // (looks or self.looks))
            for n, s in enumerate(self.walk(seed, listen)):
                if n % stride == 0 and not s.over:
                    yield s

    def length(self, seed: int) -> int:
        """How many decisions the walk of this seed has; fails if there are too many."""
        s = self.deal(seed)
        made = rollout(s, Rng(seed + 1), self.title.bound + 1)
        assert s.over, f"{self} asks more than {self.title.bound} decisions"
        return made


@cache
def checks_of(name: str) -> Checks:
    return Checks(toy if name == toy.TOY.id else importlib.import_module(f"tests.titles.{name}.checks"))


def our_titles() -> list[Title]:
    """The titles of this package; somebody else's are tested at home."""
    found = [triclinium.title(name) for name in triclinium.titles()]
    return [title for title in found if type(title).__module__.startswith("triclinium.titles.")]


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


def seen_by(s: State, seat: Seat) -> dict[str, object]:
    """The view of a seat or, for NOBODY, of a spectator."""
    return s.view(None if seat == NOBODY else seat)
