"""A match being played: its state, its record, its events, and the right to take back."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from triclinium.engine.core.errors import BadNotation, Refused, TricliniumError
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.engine.game import FORMAT, Game
from triclinium.engine.record import Record, replay_one, result_of


@dataclass(frozen=True, slots=True)
class Mark:
    """What was so before an option: who decided, and how much had been learnt."""

    who: Seat
    undo_barrier: int
    automatic: str = ""  # what was done for the seat, unasked, at its own wish (`Step.automatic`); empty: it decided


class Match:
    """Play by notation, keep the record, tell the events, undo what may be undone."""

    def __init__(
        self,
        game: Game,
        seats: int,
        seed: int,
        variants: Mapping[str, object] | None = None,
        format: int = FORMAT,
    ) -> None:
        chosen = game.choices(variants or {})
        self.game = game
        self.record = Record.of(game, seats, seed, chosen, format)
        self.state: State = game.deal(seats, seed, chosen, listen=True, format=format)
        self.marks: list[Mark] = []
        self.events: list[list[Event]] = [self._heard()]  # of the deal, then of each option

    @staticmethod
    def resume(record: Record, game: Game | None = None, automatic: Collection[int] = ()) -> "Match":
        """The match of a record, after its last option; raises BadRecord.

        ``automatic`` are the options, from 0, that were given unasked: a record does not tell.
        """
        found = record.title_for(game)
        match = Match.__new__(Match)
        match.game = found
        match.record = record.until(0)
        match.state = record.deal(found, listen=True)
        match.marks = []
        match.events = [match._heard()]
        for n, text in enumerate(record.options, start=1):
            barrier = match.state.undo_barrier
            said = match.state.asked.automatic if n - 1 in automatic and not match.state.over else ""
            replay_one(found, match.state, n, text)
            match._note(barrier, text, said)
        return match

    def play(self, text: str, automatic: bool = False) -> list[Event]:
        """Choose an option; raises BadNotation or Refused. Whatever is raised, nothing has changed.

        ``automatic``: it is given unasked, at the wish of the seat that is asked (`engine/automatic.py`).
        """
        try:
            return self.attempt(text, automatic)
        except BaseException as error:
            if self.is_spoilt(error):
                self._become(self._until(len(self.marks)))
            raise

    def attempt(self, text: str, automatic: bool = False) -> list[Event]:
        """`play` for who makes the match anew where an error has spoilt it: that is one replay, and takes its time."""
        o = self.game.read(text)
        barrier = self.state.undo_barrier
        said = self.state.asked.automatic if automatic else ""
        self.state.play(o)
        return self._note(barrier, self.game.say(o), said)

    def deciders(self) -> list[Seat]:
        """Who decided each option; NOBODY: it was given unasked."""
        return [NOBODY if mark.automatic else mark.who for mark in self.marks]

    def back_to(self, seat: Seat) -> int:
        """How many options must be taken back so that this seat decides its last one anew; 0: it made none.

        What was answered for it goes as well: it would be answered again, and nothing taken back.
        """
        for k in range(1, len(self.marks) + 1):
            if self.marks[-k].who == seat and not self.marks[-k].automatic:
                return k
        return 0

    def unanswered(self, k: int) -> bool:
        """Whether nobody has decided after the last k-th option; automatic answers go back with what they answer."""
        return k > 0 and all(mark.automatic for mark in self.marks[len(self.marks) - k + 1 :])

    def teaches(self, k: int) -> bool:
        """Whether somebody learnt something by the last k options."""
        return k > 0 and self.marks[-k].undo_barrier != self.state.undo_barrier

    def is_spoilt(self, error: BaseException) -> bool:
        """Whether an error of `attempt` came from the middle of an option, which has changed this and that by then.

        A clone before each option would be safe as well, but would cost every move what only a fault needs.
        """
        return bool(self.state.events) or not isinstance(error, (BadNotation, Refused))

    def may_undo(self, seat: Seat) -> bool:
        """Whether this seat decided last, and nothing was learnt by anybody since."""
        k = self.back_to(seat)
        return self.unanswered(k) and not self.teaches(k)

    def undo(self, seat: Seat) -> str:
        """Take back the last option of this seat and the automatic answers to it; that option. Raises if it may not."""
        if not self.may_undo(seat):
            raise CannotUndo("nothing can be taken back: something was learnt since, or somebody else decided")
        return self.take_back(self.back_to(seat))[-1]

    def take_back(self, k: int = 1) -> list[str]:
        """Take back the last k options, whoever made them: for a table where all consent. The last one comes first."""
        taken = self.record.options[-k:][::-1]
        self._become(self.earlier(k))
        return taken

    def earlier(self, k: int) -> "Match":
        """The match before its last k options, by one replay however many they are; this one stays as it is."""
        return self._until(len(self.record.options) - k)

    def _until(self, n: int) -> "Match":
        unasked = [i for i, mark in enumerate(self.marks[:n]) if mark.automatic]
        return Match.resume(self.record.until(n), self.game, unasked)

    def _become(self, other: "Match") -> None:
        self.record = other.record
        self.state = other.state
        self.marks = other.marks
        self.events = other.events

    def _note(self, barrier: int, text: str, automatic: str = "") -> list[Event]:
        if self.state.over:  # first: scores are rules, and may fail
            self.record.result = result_of(self.game.scores(self.state))
        heard = self._heard()
        who = heard[0].seat  # the first event is the option itself, chosen or aside
        self.marks.append(Mark(who, barrier, automatic))
        self.record.options.append(text)
        self.events.append(heard)
        return heard

    def _heard(self) -> list[Event]:
        heard = self.state.events
        assert heard is not None
        self.state.events = []
        return heard


class CannotUndo(TricliniumError):
    """The last option cannot be taken back by this seat."""
