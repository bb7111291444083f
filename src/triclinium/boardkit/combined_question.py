"""Two questions asked as one: a voucher beside the step, the stop beside what may be played after it.

A step names the verbs that lead to such a next question (`Step.beside`). It is looked at in a world resampled for the
seat, and only where nothing was drawn or shown and nobody else was asked before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game

MAX_QUESTIONS: Final = 3  # questions that are asked as one, at most


@dataclass(frozen=True, slots=True)
class NextQuestion:
    """An option, and the question that it leads to."""

    option: Option
    state: State

    def is_safe_answer(self, s: State) -> bool:
        """Whether the option itself says nothing: it is the safe answer of its question."""
        return s.asked.auto_reply_option(s) == self.option


def find_next_questions(game: Game, s: State, seat: Seat, seed: int) -> Iterator[NextQuestion]:
    """What the seat would be asked after each option that leads on."""
    if s.over or s.who != seat:
        return
    for o in s.legal:
        if game.notation.verb_of(o).word not in s.asked.combined_verbs:
            continue
        there = s.resample(seat, Rng(seed))
        barrier = there.undo_barrier
        there.choose(o)
        if not there.over and there.who == seat and there.undo_barrier == barrier:
            yield NextQuestion(o, there)


def join_option_labels(first: str, then: str) -> Message:
    """What two options that are chosen together are called."""
    return Message("{0}, then: {1}", first, then)
