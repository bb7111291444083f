"""A match being played: its state, its record, its events, and the right to take back."""

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadNotation, Refused, TricliniumError
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record, replay_one, result_of
from triclinium.engine.registry import find_game

TOGETHER: Final = "; "  # between options that are chosen together


@dataclass(frozen=True, slots=True)
class Mark:
    """What is noted with an option: who decided it, and the undo barrier before it."""

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
    ) -> None:
        chosen = game.choices(variants or {})
        self.game = game
        self.record = Record.of(game, seats, seed, chosen)
        self.state: State = game.deal(seats, seed, chosen, listen=True)
        self.marks: list[Mark] = []
        self.joined: set[int] = set()  # options, by their place, that were chosen together with the one before
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
        match.joined = set()
        match.events = [match._heard()]
        for n, text in enumerate(record.options, start=1):
            barrier = match.state.undo_barrier
            said = match.state.asked.automatic if n - 1 in automatic and not match.state.over else ""
            replay_one(found, match.state, n, text)
            match._note(barrier, text, said)
        return match

    def __reduce__(self) -> tuple[object, ...]:
        """Processes exchange records: a match travels as its own, with the components where no release had them."""
        known = find_game(self.record.title).released(self.record.components)
        file = self.game.file if known is None else None
        unasked = [i for i, mark in enumerate(self.marks) if mark.automatic]
        return (_unpickled, (self.record, file, unasked, self.joined))

    def play(self, text: str, automatic: bool = False) -> list[Event]:
        """Choose an option; raises BadNotation or Refused. Whatever is raised, nothing has changed.

        ``automatic``: it is given unasked, at the wish of the seat that is asked (`engine/auto_replies.py`).
        """
        try:
            return self.attempt(text, automatic)
        except BaseException as error:
            if self.is_spoilt(error):
                self._become(self._until(len(self.marks)))
            raise

    def attempt(self, text: str, automatic: bool = False) -> list[Event]:
        """`play` without its repair: after an error that `is_spoilt` names, the caller rebuilds the match."""
        o = self.game.read(text)
        barrier = self.state.undo_barrier
        said = self.state.asked.automatic if automatic else ""
        self.state.play(o)
        return self._note(barrier, self.game.say(o), said)

    def deciders(self) -> list[Seat]:
        """Who decided each option; NOBODY: it was given unasked."""
        return [NOBODY if mark.automatic else mark.who for mark in self.marks]

    def play_together(self, texts: Sequence[str]) -> list[Event]:
        """Choose several options of one seat in their order, all or none; they are taken back together."""
        self.check_together(texts)
        first = len(self.marks)
        try:
            heard = [event for text in texts for event in self.play(text)]
        except BaseException:
            self.take_back(len(self.marks) - first)
            raise
        self.joined.update(range(first + 1, len(self.marks)))
        return heard

    def check_together(self, texts: Sequence[str]) -> None:
        """Raise at the first option that does not fit; nothing has changed.

        All but the last must leave the seat asked, and nothing may be drawn or shown between them: otherwise whoever
        sends what is refused at the end would learn for nothing what chance has in store.
        """
        s = self.state.clone()
        who, barrier = s.who, s.undo_barrier
        for n, o in enumerate([self.game.read(text) for text in texts]):
            if s.who != who or s.undo_barrier != barrier:
                raise NotTogether(n)
            s.play(o)

    def back_to(self, seat: Seat) -> int:
        """How many options must be taken back so that this seat decides its last one anew; 0: it made none.

        What was answered for it goes as well: it would be answered again, and nothing taken back. Options that were
        chosen together are one decision.
        """
        for k in range(1, len(self.marks) + 1):
            if self.marks[-k].who == seat and not self.marks[-k].automatic:
                while len(self.marks) - k in self.joined:
                    k += 1
                return k
        return 0

    def unanswered(self, k: int) -> bool:
        """Whether nobody has decided after the last k-th option; automatic answers go back with what they answer."""
        after = range(len(self.marks) - k + 1, len(self.marks))
        return k > 0 and all(self.marks[n].automatic or n in self.joined for n in after)

    def teaches(self, k: int) -> bool:
        """Whether somebody learnt something by the last k options, or is shown now what was to be remembered."""
        if k == 0:
            return False
        return self.marks[-k].undo_barrier != self.state.undo_barrier or self._reminds(self.marks[-k].who)

    def _reminds(self, seat: Seat) -> bool:
        """Whether the seat sees just now what it has seen before and the table does not keep for it."""
        game, s = self.game, self.state
        if s.who != seat or type(game).view_not_now is Game.view_not_now:
            return False
        return game.view(s, seat) != game.view_not_now(s, seat)

    def is_spoilt(self, error: BaseException) -> bool:
        """Whether an error of `attempt` came from the middle of an option, so that the state is half changed.

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
        first = len(self.marks) - self.back_to(seat)
        last = next(n for n in itertools.count(first + 1) if n not in self.joined)
        chosen = TOGETHER.join(self.record.options[first:last])
        self.take_back(len(self.marks) - first)
        return chosen

    def take_back(self, k: int = 1) -> list[str]:
        """Take back the last k options, whoever made them: for a table where all consent. The last one comes first."""
        taken = self.record.options[len(self.record.options) - k :][::-1]
        self._become(self.earlier(k))
        return taken

    def earlier(self, k: int) -> "Match":
        """The match before its last k options, by one replay however many they are; this one stays as it is."""
        return self._until(len(self.record.options) - k)

    def _until(self, n: int) -> "Match":
        unasked = [i for i, mark in enumerate(self.marks[:n]) if mark.automatic]
        match = Match.resume(self.record.until(n), self.game, unasked)
        match.joined = {i for i in self.joined if i < n}
        return match

    def _become(self, other: "Match") -> None:
        self.record = other.record
        self.state = other.state
        self.marks = other.marks
        self.joined = other.joined
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


def _unpickled(record: Record, file: ComponentsFile | None, unasked: list[int], joined: set[int]) -> Match:
    match = Match.resume(record, None if file is None else find_game(record.title).on(file), unasked)
    match.joined = joined
    return match


def several(text: str) -> list[str]:
    """The options of ``travel weak; to corinth``."""
    return [part.strip() for part in text.split(TOGETHER.strip())]


class NotTogether(TricliniumError):
    """After so many options chance decides, or somebody else."""

    def __init__(self, after: int) -> None:
        self.after = after
        super().__init__(f"after option {after} chance decides, or somebody else: choose the rest when you are asked")


class CannotUndo(TricliniumError):
    """The last option cannot be taken back by this seat."""
