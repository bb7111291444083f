"""Batched play: many matches take one step each, and all observations and options are returned as bytes."""

from collections.abc import Callable

from librt.strings import BytesWriter, write_i16_le, write_i32_le
from mypy_extensions import mypyc_attr

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.observer import Observer
from triclinium.engine.core.score import win_shares
from triclinium.engine.core.state import NOBODY, Option, State


@mypyc_attr(allow_interpreted_subclasses=True)
class Lockstep:
    """A batch of matches. A match that ends is replaced by a new deal: ``deal(k)`` deals match number k."""

    def __init__(self, deal: Callable[[int], State], observer: Observer, evaluator: Evaluator, n: int) -> None:
        self.deal = deal
        self.observer = observer
        self.evaluator = evaluator
        self.states = [deal(k) for k in range(n)]
        self.deal_count = n
        # matches that ended in the last step, each with the returns of its seats
        self.finished: list[tuple[int, list[float]]] = []
        self.final_states: list[State] = []  # the last positions of these matches, in the same order

    def step(self, options: list[Option]) -> None:
        """Choose one option in every match.

        Raise Refused at the first option that is not legal. The options before it have been played.
        """
        self.finished = []
        self.final_states = []
        for i in range(len(options)):
            self.choose_in_match(i, options[i])

    def choose_in_match(self, i: int, o: Option) -> bool:
        """Choose an option in one match and return whether the match ended.

        If so, deal the next one and note the result.
        """
        s = self.states[i]
        if o in s.legal:
            s.choose(o)
        else:
            s.play(o)  # raises Refused, which names the rule
        if s.who != NOBODY:
            return False
        self.finished.append((i, win_shares(self.evaluator.scores(s))))
        self.final_states.append(s)
        self.states[i] = self.deal(self.deal_count)
        self.deal_count += 1
        return True

    def observe(self) -> bytes:
        """Return one observation row for each match, as its asked seat knows it."""
        rows = BytesWriter()
        observer = self.observer
        for s in self.states:
            observer.write(rows, s, s.who)
        return rows.getvalue()

    def asked_seats(self) -> bytes:
        """Return the asked seat of each match, one byte each."""
        row = BytesWriter()
        for s in self.states:
            row.append(s.who)
        return row.getvalue()

    def legal_options(self) -> tuple[bytes, bytes]:
        """Return the end index of each match's options (32 bits each) and all options (16 bits each), little-endian."""
        ends = BytesWriter()
        options = BytesWriter()
        end = 0
        for s in self.states:
            for o in s.legal:
                write_i16_le(options, o)
            end += len(s.legal)
            write_i32_le(ends, end)
        return ends.getvalue(), options.getvalue()
