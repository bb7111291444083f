"""A match in progress: its state, its record, its events and undo."""

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadNotation, Refused, TricliniumError
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.core.text import msgid
from triclinium.engine.game import Game
from triclinium.engine.record import Record, build_result, replay_option
from triclinium.engine.registry import load_game

OPTION_SEPARATOR: Final = "; "  # between options that are played together
PLANNED: Final = msgid("As planned")


@dataclass(frozen=True, slots=True)
class MoveMark:
    """The data noted with each option: the seat that decided it and the undo barrier before it."""

    who: Seat
    undo_barrier: int
    automatic: str = ""  # the text of the auto-reply or plan; empty if the seat decided itself


class Match:
    """A match in progress: plays options by notation, keeps the record and the events, and undoes moves."""

    def __init__(
        self,
        game: Game,
        seats: int,
        seed: int,
        variants: Mapping[str, object] | None = None,
    ) -> None:
        chosen = game.complete_variants(variants or {})
        self.game = game
        self.record = Record.create(game, seats, seed, chosen)
        self.state: State = game.deal(seats, seed, chosen, listen=True)
        self.marks: list[MoveMark] = []
        self.joined_moves: set[int] = set()  # indexes of options that were played together with the option before
        self.events: list[list[Event]] = [self._take_events()]  # the events of the deal, then those of each option

    @staticmethod
    def resume(record: Record, game: Game | None = None, automatic: Collection[int] = ()) -> "Match":
        """Return the match of a record after its last option. Raise BadRecord if it does not replay.

        ``automatic`` holds the indexes of options that auto-replies gave, because a record does not contain them.
        """
        record_game = record.find_game(game)
        match = Match.__new__(Match)
        match.game = record_game
        match.record = record.truncate(0)
        match.state = record.deal(record_game, listen=True)
        match.marks = []
        match.joined_moves = set()
        match.events = [match._take_events()]
        for n, text in enumerate(record.options, start=1):
            barrier = match.state.undo_barrier
            is_automatic = n - 1 in automatic and not match.state.over
            auto_reply_text = describe_automatic_option(match.state, record_game.read(text)) if is_automatic else ""
            replay_option(record_game, match.state, n, text)
            match._record_option(barrier, text, auto_reply_text)
        return match

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as the record, with the components file if no release has it."""
        known = load_game(self.record.game_id).find_release(self.record.components)
        file = self.game.file if known is None else None
        unasked = [i for i, mark in enumerate(self.marks) if mark.automatic]
        return (_restore_match, (self.record, file, unasked, self.joined_moves))

    def play(self, text: str, automatic: bool = False) -> list[Event]:
        """Play an option and return its events. Raise BadNotation or Refused, and leave the match unchanged.

        ``automatic`` marks an option that an auto-reply gives (`engine/auto_replies.py`).
        """
        try:
            return self.play_without_repair(text, automatic)
        except BaseException as error:
            if self.is_state_damaged(error):
                self._replace_with(self._rebuild_until(len(self.marks)))
            raise

    def play_without_repair(self, text: str, automatic: bool = False) -> list[Event]:
        """Play an option without repair.

        After an error for which `is_state_damaged` is true, the caller must rebuild.
        """
        o = self.game.read(text)
        barrier = self.state.undo_barrier
        auto_reply_text = describe_automatic_option(self.state, o) if automatic else ""
        self.state.play(o)
        return self._record_option(barrier, self.game.format_option(o), auto_reply_text)

    def list_deciders(self) -> list[Seat]:
        """Return the seat that decided each option. NOBODY marks an auto-reply."""
        return [NOBODY if mark.automatic else mark.who for mark in self.marks]

    def play_options(self, texts: Sequence[str]) -> list[Event]:
        """Play several options of one seat in order, all or none. An undo removes them together."""
        self.check_options(texts)
        first = len(self.marks)
        try:
            events = [event for text in texts for event in self.play(text)]
        except BaseException:
            self.undo_moves(len(self.marks) - first)
            raise
        self.joined_moves.update(range(first + 1, len(self.marks)))
        return events

    def check_options(self, texts: Sequence[str]) -> None:
        """Raise an error at the first option that is not allowed. The match stays unchanged.

        Every option except the last must leave the same seat asked. Nothing may be drawn or revealed between them.
        Otherwise a player could send a sequence that fails at the end, only to learn the result of a random draw.
        """
        s = self.state.clone()
        who, barrier = s.who, s.undo_barrier
        for n, o in enumerate([self.game.read(text) for text in texts]):
            if s.who != who or s.undo_barrier != barrier:
                raise CannotCombineOptions(n)
            s.play(o)

    def count_moves_to_undo(self, seat: Seat) -> int:
        """Return how many options must be undone so that this seat repeats its last decision, or 0 if it made none.

        Auto-replies of the seat are undone too, because they would be given again at once. Options that were played
        together are one decision.
        """
        for k in range(1, len(self.marks) + 1):
            if self.marks[-k].who == seat and not self.marks[-k].automatic:
                while len(self.marks) - k in self.joined_moves:
                    k += 1
                return k
        return 0

    def is_unanswered(self, k: int) -> bool:
        """Return whether nobody has decided since the k-th option from the end. Auto-replies do not count."""
        after = range(len(self.marks) - k + 1, len(self.marks))
        return k > 0 and all(self.marks[n].automatic or n in self.joined_moves for n in after)

    def reveals_information(self, k: int) -> bool:
        """Return whether a player gained information from the last k options.

        It is also true if the view now repeats information that the player must otherwise remember.
        """
        if k == 0:
            return False
        return self.marks[-k].undo_barrier != self.state.undo_barrier or self._shows_reminder(self.marks[-k].who)

    def _shows_reminder(self, seat: Seat) -> bool:
        """Return whether the view now repeats information that the seat must otherwise remember."""
        game, s = self.game, self.state
        if s.who != seat or type(game).view_without_reminders is Game.view_without_reminders:
            return False
        return game.view(s, seat) != game.view_without_reminders(s, seat)

    def is_state_damaged(self, error: BaseException) -> bool:
        """Return whether an error of `play_without_repair` left the state half changed, in the middle of an option.

        A clone before each option would also be safe, but it would slow down every move.
        """
        return bool(self.state.events) or not isinstance(error, (BadNotation, Refused))

    def can_undo(self, seat: Seat) -> bool:
        """Return whether this seat decided last and nobody has received new information since."""
        k = self.count_moves_to_undo(seat)
        return self.is_unanswered(k) and not self.reveals_information(k)

    def undo(self, seat: Seat) -> str:
        """Undo the last decision of this seat with the auto-replies after it, and return its notation.

        Raise CannotUndo if it is not allowed.
        """
        if not self.can_undo(seat):
            raise CannotUndo("cannot undo: new information was revealed, or another player has decided")
        first = len(self.marks) - self.count_moves_to_undo(seat)
        last = next(n for n in itertools.count(first + 1) if n not in self.joined_moves)
        chosen = OPTION_SEPARATOR.join(self.record.options[first:last])
        self.undo_moves(len(self.marks) - first)
        return chosen

    def undo_moves(self, k: int = 1) -> list[str]:
        """Undo the last k options of any seats and return them, the last one first. Tables use it when all agree."""
        options = self.record.options[len(self.record.options) - k :][::-1]
        self._replace_with(self.rebuild_before(k))
        return options

    def rebuild_before(self, k: int) -> "Match":
        """Return the match before its last k options, rebuilt by one replay. This match stays unchanged."""
        return self._rebuild_until(len(self.record.options) - k)

    def _rebuild_until(self, n: int) -> "Match":
        unasked = [i for i, mark in enumerate(self.marks[:n]) if mark.automatic]
        match = Match.resume(self.record.truncate(n), self.game, unasked)
        match.joined_moves = {i for i in self.joined_moves if i < n}
        return match

    def _replace_with(self, other: "Match") -> None:
        self.record = other.record
        self.state = other.state
        self.marks = other.marks
        self.joined_moves = other.joined_moves
        self.events = other.events

    def _record_option(self, barrier: int, text: str, automatic: str = "") -> list[Event]:
        if self.state.over:  # Compute the result first, because scores are rules and may fail.
            self.record.result = build_result(self.game.scores(self.state))
        events = self._take_events()
        who = events[0].seat  # the first event is the option itself: chosen, or chosen at any moment
        self.marks.append(MoveMark(who, barrier, automatic))
        self.record.options.append(text)
        self.events.append(events)
        return events

    def _take_events(self) -> list[Event]:
        events = self.state.events
        assert events is not None
        self.state.events = []
        return events


def _restore_match(record: Record, file: ComponentsFile | None, unasked: list[int], joined: set[int]) -> Match:
    match = Match.resume(record, None if file is None else load_game(record.game_id).with_components(file), unasked)
    match.joined_moves = joined
    return match


def describe_automatic_option(s: State, o: Option) -> str:
    """Return the text of the auto-reply or plan that gives this option to the current question."""
    step = s.asked
    if o == step.auto_reply_option(s):
        return step.auto_reply_text
    texts = [text for plan, text in step.plan_texts.items() if step.plan_option(s, plan) == o]
    return texts[-1] if texts else PLANNED


def split_options(text: str) -> list[str]:
    """Return the options of a text such as ``travel weak; to corinth``."""
    return [part.strip() for part in text.split(OPTION_SEPARATOR.strip())]


class CannotCombineOptions(TricliniumError):
    """Error for a sequence of options after which chance or another seat decides.

    ``after`` is the number of options played.
    """

    def __init__(self, after: int) -> None:
        self.after = after
        super().__init__(f"after option {after} chance or another player decides; choose the rest when you are asked")


class CannotUndo(TricliniumError):
    """Error for an undo that this seat may not make."""
