"""Two questions that a page asks as one, for example which place to take and what to do there.

A step names the verbs that lead to such a second question (`Step.combined_verbs`), or to one that its safe answer
completes (`Step.completed_verbs`). The kit finds the second question in a determinization for the seat, a state that
the seat cannot distinguish from the true one. The kit combines the questions only if nothing was drawn or shown, and no
other seat was asked, between them.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game

MAX_QUESTIONS: Final = 3  # the largest number of questions that are asked as one


@dataclass(frozen=True, slots=True)
class NextQuestion:
    """An option, and the question to which it leads."""

    option: Option
    state: State

    def is_safe_answer(self, s: State) -> bool:
        """Return whether the option is the safe answer of its question, which reveals nothing."""
        return s.asked.auto_reply_option(s) == self.option


def find_next_questions(game: Game, s: State, seat: Seat, seed: int, verbs: Collection[str]) -> Iterator[NextQuestion]:
    """Yield the question that the seat would be asked after each option of these verbs that leads to one."""
    if s.over or s.who != seat:
        return
    for o in s.legal:
        if game.notation.verb_of(o).word not in verbs:
            continue
        there = s.resample(seat, Rng(seed))
        barrier = there.undo_barrier
        there.choose(o)
        if not there.over and there.who == seat and there.undo_barrier == barrier:
            yield NextQuestion(o, there)


def join_option_labels(first: str, then: str) -> Message:
    """Return the label of two options that are chosen together."""
    return Message("{0}, then: {1}", first, then)
