"""Batched play: many matches take one step each, and all observations and options are returned as bytes."""

from collections.abc import Callable
from typing import TypeAlias

from librt.strings import BytesWriter, write_f32_le, write_i16_le, write_i32_le
from mypy_extensions import mypyc_attr

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.observer import Observer
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.score import win_shares
from triclinium.engine.core.state import NOBODY, Option, Seat, State

UNDECIDED = -1.0  # the share of the win in a position that does not end the match


@mypyc_attr(allow_interpreted_subclasses=True)
class BatchRival:
    """A player of the other seats of a match in a batch."""

    def choose(self, s: State, rng: Rng) -> Option:
        """Return one of the legal options. Use only what the asked seat knows."""
        raise NotImplementedError


# returns the seat of match number k that is asked, the rival of each seat, and the rivals' random stream
AssignSeats: TypeAlias = Callable[[int], tuple[Seat, list[BatchRival], Rng]]


@mypyc_attr(allow_interpreted_subclasses=True)
class Lockstep:
    """A batch of matches. A match that ends is replaced by a new deal: ``deal(k)`` deals match number k.

    With ``assign_seats``, only one seat of each match is asked, and rivals play the others.
    """

    def __init__(
        self,
        deal: Callable[[int], State],
        observer: Observer,
        evaluator: Evaluator,
        n: int,
        assign_seats: AssignSeats | None = None,
    ) -> None:
        self.deal = deal
        self.observer = observer
        self.evaluator = evaluator
        self.assign_seats = assign_seats
        self.states = [deal(k) for k in range(n)]
        self.deal_count = n
        # matches that ended in the last step, each with the returns of its seats
        self.finished: list[tuple[int, list[float]]] = []
        self.final_states: list[State] = []  # the last positions of these matches, in the same order
        # for each match with rivals: the seat that is asked, the rivals, their stream, its number, its options so far
        self.own_seats: list[Seat] = []
        self.rivals: list[list[BatchRival]] = []
        self.rival_rngs: list[Rng] = []
        self.match_numbers: list[int] = []
        self.played: list[list[Option]] = []
        if assign_seats is not None:
            for i in range(n):
                self.own_seats.append(NOBODY)
                self.rivals.append([])
                self.rival_rngs.append(Rng(0))
                self.match_numbers.append(i)
                self.played.append([])
                self.start_match(i, i)

    def step(self, options: list[Option]) -> None:
        """Choose one option in every match.

        Raise Refused at the first option that is not legal. The options before it have been played.
        """
        self.clear_finished()
        for i in range(len(options)):
            if not self.choose_in_match(i, options[i]):
                self.states[i].play(options[i])  # raises Refused, which names the rule

    def step_legal(self, options: list[Option]) -> list[int]:
        """Choose one option in every match. Leave matches unchanged whose option is not legal, and return them."""
        self.clear_finished()
        return [i for i in range(len(options)) if not self.choose_in_match(i, options[i])]

    def clear_finished(self) -> None:
        self.finished = []
        self.final_states = []

    def choose_in_match(self, i: int, o: Option) -> bool:
        """Choose an option in one match and let the rivals play. Return False if the option is not legal.

        If the match ends, note the result and deal the next one.
        """
        s = self.states[i]
        if o not in s.legal:
            return False
        s.choose(o)
        if self.assign_seats is not None:
            self.played[i].append(o)
            self.let_rivals_play(i)
        if s.who == NOBODY:
            self.finished.append((i, win_shares(self.evaluator.scores(s))))
            self.final_states.append(s)
            self.deal_next_match(i)
        return True

    def deal_next_match(self, i: int) -> None:
        k = self.deal_count
        self.deal_count += 1
        self.states[i] = self.deal(k)
        if self.assign_seats is not None:
            self.start_match(i, k)

    def start_match(self, i: int, k: int) -> None:
        """Assign the seats of match number k and let the rivals play until the batch's own seat is asked.

        If the match ends earlier, it is discarded, and the next one takes its place.
        """
        assign = self.assign_seats
        assert assign is not None
        seat, rivals, rng = assign(k)
        self.own_seats[i] = seat
        self.rivals[i] = rivals
        self.rival_rngs[i] = rng
        self.match_numbers[i] = k
        self.played[i] = []
        self.let_rivals_play(i)
        if self.states[i].who == NOBODY:
            self.deal_next_match(i)

    def let_rivals_play(self, i: int) -> None:
        """Let the rivals play until the batch's own seat is asked or the match has ended."""
        s = self.states[i]
        seat = self.own_seats[i]
        rivals = self.rivals[i]
        rng = self.rival_rngs[i]
        played = self.played[i]
        while s.who != seat and s.who != NOBODY:
            o = rivals[s.who].choose(s, rng)
            s.choose(o)
            played.append(o)

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

    def look_after_options(self, rng: Rng, observed: bool, weighed: bool) -> tuple[bytes, bytes, bytes]:
        """Return three rows for the position after each legal option of each match, as its asked seat imagines it.

        The first is the observation, the second has the features of all seats, the asked one first (32-bit floats), and
        the third has the asked seat's share of the win, or UNDECIDED. All options of a match are tried in the same
        possible world, so nothing that the seat cannot know has an effect. Rows that are not wanted are empty.
        """
        rows = BytesWriter()
        numbers = BytesWriter()
        shares = BytesWriter()
        observer = self.observer
        evaluator = self.evaluator
        for s in self.states:
            seat = s.who
            seats = s.seats
            world = s.resample(seat, rng)
            for o in s.legal:
                after = world.clone()
                after.choose(o)
                if observed:
                    observer.write(rows, after, seat)
                if weighed:
                    for k in range(seats):
                        for number in evaluator.features(after, (seat + k) % seats):
                            write_f32_le(numbers, number)
                share = UNDECIDED
                if after.who == NOBODY:
                    share = win_shares(evaluator.scores(after))[seat]
                write_f32_le(shares, share)
        return rows.getvalue(), numbers.getvalue(), shares.getvalue()
