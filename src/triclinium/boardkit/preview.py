"""Previews: what an option would do, found by playing it in a determinization and comparing two views of the seat.

A determinization is a state that the seat cannot distinguish from the true one, with random numbers of its own, so a
preview reveals nothing that the seat does not know. If no random number is drawn and no face is shown, the preview is
certain. Otherwise the option is played in four determinizations, and changes that are the same in all of them are
likely.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from triclinium.boardkit.view_diff import (
    SEAT_KIND,
    PathPart,
    ThingMove,
    ThingRef,
    Value,
    ValueChange,
    ViewChange,
    diff_views,
    find_common_changes,
)
from triclinium.engine.core.rng import SEED_LIMIT, Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Message, Reader, SeatName
from triclinium.engine.game import Game
from triclinium.engine.view import FIELD

WORLDS: Final = 4
MAX_LINES: Final = 10
MAX_NAMES: Final = 4  # maximum number of names that are listed of things that arrive at a place or leave it
NO_VALUE: Final = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """A change of one field, in the reader's language: a new value, or things that leave and come."""

    seat: Seat | None  # None: the change belongs to no seat
    what: str
    before: str = ""
    after: str = ""
    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of an option, as the asked seat can know it."""

    certain: bool  # False if some of the effects depend on chance
    lines: list[PreviewLine]
    more: int  # further changes that are not listed: the end of a round changes much
    then: str  # the next question, or the player who decides next; empty if that depends on chance


def make_preview_seed(*facts: object) -> int:
    """Return a seed for each table, version, seat and option, independent of the random numbers of the match."""
    text = "/".join(map(str, facts))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") % SEED_LIMIT


def preview_option(
    game: Game, s: State, seat: Seat, o: Option, seed: int, reader: Reader, more: Sequence[Option] = ()
) -> Preview:
    """Return the preview of an option of the asked seat. Errors of the rules are raised.

    ``more`` are options that the seat chooses after it: a chain that was found in a determinization.
    """
    assert s.who == seat, f"seat {seat} is not asked"
    rng = Rng(seed)
    world = s.resample(seat, rng)
    before, barrier = game.view_without_reminders(world, seat), world.undo_barrier
    _play_options(world, (o, *more))
    view_changes, next_text = (
        diff_views(before, game.view_without_reminders(world, seat)),
        _describe_next(game, world, seat, reader),
    )
    certain = world.undo_barrier == barrier
    if not certain:
        worlds = [view_changes]
        for _ in range(WORLDS - 1):
            world = s.resample(seat, rng)
            _play_options(world, (o, *more))
            worlds.append(diff_views(before, game.view_without_reminders(world, seat)))
            next_text = next_text if next_text == _describe_next(game, world, seat, reader) else ""
        view_changes = find_common_changes(worlds)
    view_changes = filter_changes(game, s, o, view_changes, reader)
    lines = format_changes(game, view_changes, seat, reader)
    return Preview(certain, lines, len(view_changes) - len(lines), next_text)


def filter_changes(game: Game, s: State, o: Option, view_changes: list[ViewChange], reader: Reader) -> list[ViewChange]:
    """Return the changes, or none if the option only takes the component that it names from its place."""
    numbers = {part.number for part in reader.read_parts(game.words.label(s, o)) if not isinstance(part, str)}
    return (
        []
        if all(isinstance(change, ThingMove) and _is_only_removal(change, numbers) for change in view_changes)
        else view_changes
    )


def _is_only_removal(move: ThingMove, numbers: set[int]) -> bool:
    """Return whether a change only takes components with these numbers from a place."""
    return not move.added and not move.unknown_growth and numbers.issuperset(thing.number for thing in move.removed)


def _play_options(s: State, chosen: Sequence[Option]) -> None:
    for o in chosen:
        s.choose(o)


def format_changes(game: Game, view_changes: list[ViewChange], seat: Seat, reader: Reader) -> list[PreviewLine]:
    """Return the first changes in words: those of the seat, then those of others, then those of the table."""
    formatter = ChangeFormatter(game, reader, MAX_NAMES)
    ordered = sorted(
        view_changes, key=lambda change: 2 if change.field_path.seat is None else int(change.field_path.seat != seat)
    )
    return [formatter.format_change(change) for change in ordered[:MAX_LINES]]


def _describe_next(game: Game, s: State, seat: Seat, reader: Reader) -> str:
    """Return what the seat is asked next, or who decides next."""
    if s.over:
        return reader.read(Message("The match is over."))
    if s.who == seat:
        return reader.read(game.words.question(s))
    return reader.read(Message("{0} decides.", SeatName(s.who)))


class ChangeFormatter:
    """Puts changes into the reader's language."""

    def __init__(self, game: Game, reader: Reader, max_names: int) -> None:
        self.game = game
        self.reader = reader
        self.max_names = max_names  # the largest number of names of things that come to a place or leave it

    def format_change(self, change: ViewChange) -> PreviewLine:
        what = self.format_path(change.field_path.path)
        if isinstance(change, ValueChange):
            return PreviewLine(
                change.field_path.seat, what, self.format_value(change.before), self.format_value(change.after)
            )
        return PreviewLine(
            change.field_path.seat,
            what,
            gone=self.format_things(change, come=False),
            come=self.format_things(change, come=True),
        )

    def format_things(self, move: ThingMove, *, come: bool) -> tuple[str, ...]:
        """Return the names of the things that come or leave; unknown things are counted."""
        things = move.added if come else move.removed
        visible = things if len(things) <= self.max_names else things[: self.max_names - 1]
        names = [self.format_thing(thing) for thing in visible]
        if len(visible) < len(things):
            names.append(self.reader.read(Message("{0} more", len(things) - len(visible))))
        unknown = move.unknown_growth if come else -move.unknown_growth
        if unknown > 0:
            names.append(self.reader.read(Message("{0} unknown", unknown)))
        return tuple(names)

    def format_path(self, path: tuple[PathPart, ...]) -> str:
        """Return a path in words: ``Rome: interviews left``, ``column 2: cards``."""
        text = ""
        for part in path:
            if isinstance(part, ThingRef):
                text = self.join_labels(text, self.format_thing(part))
            elif isinstance(part, int):
                text = f"{text} {part}".strip()
            else:
                text = self.join_labels(text, self.reader.translate(part, FIELD))
        return text

    def join_labels(self, outer: str, inner: str) -> str:
        return self.reader.read(Message("{0}: {1}", outer, inner)) if outer else inner

    def format_value(self, value: Value) -> str:
        if value is None:
            return NO_VALUE
        if isinstance(value, bool):
            return self.reader.read(Message("yes")) if value else self.reader.read(Message("no"))
        if isinstance(value, ThingRef):
            return self.format_thing(value)
        return self.reader.format_arg(value) if isinstance(value, int) else self.reader.translate(value)

    def format_thing(self, thing: ThingRef) -> str:
        return self.reader.format_arg(self.name_thing(*thing))

    def name_thing(self, kind: str, number: int) -> Arg:
        """Return the name of a thing in the game's words, or its id if it has no name."""
        if kind == SEAT_KIND:
            return SeatName(number)
        try:
            return self.game.words.short_name(kind, number)
        except KeyError:
            return str(self.game.ids[kind][number])
