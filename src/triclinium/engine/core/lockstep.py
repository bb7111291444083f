"""Many matches in lockstep: one option each, then what every asked seat observes and may choose, as bytes."""

from collections.abc import Callable

from librt.strings import BytesWriter, write_i16_le, write_i32_le
from mypy_extensions import mypyc_attr

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.observer import Observer
from triclinium.engine.core.score import win_shares
from triclinium.engine.core.state import NOBODY, Option, State


@mypyc_attr(allow_interpreted_subclasses=True)
class Lockstep:
    """So many matches, each dealt anew when it ends: ``deal(k)`` deals the k-th of all."""

    def __init__(self, deal: Callable[[int], State], observer: Observer, evaluator: Evaluator, n: int) -> None:
        self.deal = deal
        self.observer = observer
        self.evaluator = evaluator
        self.states = [deal(k) for k in range(n)]
        self.deal_count = n
        self.finished: list[tuple[int, list[float]]] = []  # by the last step: which match, and each seat's returns
        self.final_states: list[State] = []  # their last positions, in the same order

    def step(self, options: list[Option]) -> None:
        """Choose in every match; raises Refused at the first option that is not legal, and those before are made."""
        self.finished = []
        self.final_states = []
        for i in range(len(options)):
            self.choose_in_match(i, options[i])

    def choose_in_match(self, i: int, o: Option) -> bool:
        """Choose in one match; whether that ended it, and the next was dealt. Adds to `ended`."""
        s = self.states[i]
        if o in s.legal:
            s.choose(o)
        else:
            s.play(o)  # says by which rule it is refused
        if s.who != NOBODY:
            return False
        self.finished.append((i, win_shares(self.evaluator.scores(s))))
        self.final_states.append(s)
        self.states[i] = self.deal(self.deal_count)
        self.deal_count += 1
        return True

    def observe(self) -> bytes:
        """One row a match, each as the asked seat knows it."""
        rows = BytesWriter()
        observer = self.observer
        for s in self.states:
            observer.write(rows, s, s.who)
        return rows.getvalue()

    def asked_seats(self) -> bytes:
        """The asked seats."""
        row = BytesWriter()
        for s in self.states:
            row.append(s.who)
        return row.getvalue()

    def legal_options(self) -> tuple[bytes, bytes]:
        """Where the options of each match end, in 32 bits each, and all options in 16 bits each, little-endian."""
        ends = BytesWriter()
        options = BytesWriter()
        end = 0
        for s in self.states:
            for o in s.legal:
                write_i16_le(options, o)
            end += len(s.legal)
            write_i32_le(ends, end)
        return ends.getvalue(), options.getvalue()
