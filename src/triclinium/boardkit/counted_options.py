"""Questions that a step asks several times in a row, and that a page asks once with a counter for each option.

For example, a player discards four goods at once. A step says how often it asks (`Step.repetitions`). The kit plays
every answer in a determinization for the seat, so that each answer is legal as a whole and reveals nothing halfway.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.game import Game

MAX_REPETITIONS: Final = 16  # the largest number of options in one request
MAX_ANSWERS: Final = 400  # a question with more answers is asked one option after the other

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CountedOptions:
    """A set of options, each with the largest number of times that it can be chosen.

    The numbers add up to ``total``.
    """

    total: int
    options: tuple[Option, ...]
    limits: Counts
    # Answers whose last options the rules play without asking, each with the number of options that the page must send.
    shortened: dict[Counts, int]

    def list_answers(self) -> Iterator[Counts]:
        """Yield every answer: how many times each option is chosen."""
        return list_counts(self.limits, self.total)

    def list_options(self, answer: Counts) -> list[Option]:
        """Return the options that an answer sends, in order."""
        return expand_counts(self.options, answer)[: self.shortened.get(answer, self.total)]


def find_counted_options(game: Game, s: State, seat: Seat, seed: int) -> CountedOptions | None:
    """Return the options of a question that is asked several times, or None if it cannot be answered at once."""
    total = 1 if s.over or s.who != seat else s.asked.repetitions(s)
    if not 1 < total <= MAX_REPETITIONS:
        return None
    world = s.resample(seat, Rng(seed))
    options = tuple(world.legal)
    limits = tuple(count_choices(world, o, total) for o in options)
    shortened: dict[Counts, int] = {}
    for n, answer in enumerate(list_counts(limits, total)):
        sent = None if n == MAX_ANSWERS else count_sent_options(world, expand_counts(options, answer))
        if sent is None:
            return None
        if sent < total:
            shortened[answer] = sent
    return CountedOptions(total, options, limits, shortened)


def count_choices(s: State, o: Option, most: int) -> int:
    """Return how many times in a row an option can be chosen."""
    there = s.clone()
    n = 0
    while n < most and is_same_question(s, there) and o in there.legal:
        there.choose(o)
        n += 1
    return n


def count_sent_options(s: State, options: Sequence[Option]) -> int | None:
    """Return how many of the options are asked before the question is answered, or None if the options are no answer.

    The rules play the remaining options themselves.
    """
    there = s.clone()
    for n, o in enumerate(options):
        if not is_same_question(s, there):
            return n
        if o not in there.legal:
            return None
        there.choose(o)
    return None if is_same_question(s, there) else len(options)


def is_same_question(s: State, there: State) -> bool:
    """Return whether a later position asks the same step again, and nothing was revealed in between."""
    return (
        not there.over
        and there.who == s.who
        and there.asked.id == s.asked.id
        and there.undo_barrier == s.undo_barrier
        and len(there.stack) == len(s.stack)
    )


def list_counts(limits: Counts, total: int) -> Iterator[Counts]:
    """Yield all numbers up to the limits that add up to the total."""
    if not limits:
        if total == 0:
            yield ()
        return
    for n in range(min(limits[0], total), -1, -1):
        for rest in list_counts(limits[1:], total - n):
            yield (n, *rest)


def expand_counts(options: Sequence[Option], counts: Counts) -> list[Option]:
    """Return each option as many times as its count."""
    return [o for o, n in zip(options, counts, strict=True) for _ in range(n)]
