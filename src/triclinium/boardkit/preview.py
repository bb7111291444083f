"""What an option would do: it is played in another world, and two views of the seat are compared.

The world is one that the seat cannot tell from the true one, with chance of its own: nothing is learnt from a preview
that the seat does not know. Where neither chance was drawn nor a face shown, all of it is certain. Otherwise the option
is played in four worlds, and what is the same in all of them is likely.
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
MAX_NAMES: Final = 4  # of what comes to a place or leaves it
NO_VALUE: Final = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """One field that changes, in the reader's language: from one value to another, or by what leaves it and comes."""

    seat: Seat | None  # None: it is nobody's
    what: str
    before: str = ""
    after: str = ""
    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """What an option would do, for the eyes of the seat that is asked."""

    certain: bool  # False: chance decides the rest
    lines: list[PreviewLine]
    more: int  # changes that are not told: a round that ends changes much
    then: str  # what is asked after it, or who decides; empty: chance decides that too


def make_preview_seed(*facts: object) -> int:
    """A seed of its own for each table, version, seat and option; it has nothing of the match's chance."""
    text = "/".join(map(str, facts))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") % SEED_LIMIT


def preview_option(
    game: Game, s: State, seat: Seat, o: Option, seed: int, reader: Reader, more: Sequence[Option] = ()
) -> Preview:
    """The preview of one of the seat's options; the seat must be asked. What the rules raise is raised.

    ``more`` are chosen after it, all of them the seat's: a way that was found in a world that looks the same.
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
    """Return the changes; none where all that happens is that the card which the option names leaves its place."""
    numbers = {part.number for part in reader.read_parts(game.words.label(s, o)) if not isinstance(part, str)}
    return (
        []
        if all(isinstance(change, ThingMove) and _is_only_removal(change, numbers) for change in view_changes)
        else view_changes
    )


def _is_only_removal(move: ThingMove, numbers: set[int]) -> bool:
    """Whether nothing but things with these numbers leaves a place, and nothing comes."""
    return not move.added and not move.unknown_growth and numbers.issuperset(thing.number for thing in move.removed)


def _play_options(s: State, chosen: Sequence[Option]) -> None:
    for o in chosen:
        s.choose(o)


def format_changes(game: Game, view_changes: list[ViewChange], seat: Seat, reader: Reader) -> list[PreviewLine]:
    """The first changes in words: those of the seat, then those of others, then the table's."""
    formatter = ChangeFormatter(game, reader, MAX_NAMES)
    ordered = sorted(
        view_changes, key=lambda change: 2 if change.field_path.seat is None else int(change.field_path.seat != seat)
    )
    return [formatter.format_change(change) for change in ordered[:MAX_LINES]]


def _describe_next(game: Game, s: State, seat: Seat, reader: Reader) -> str:
    """What the seat is asked next, or who decides."""
    if s.over:
        return reader.read(Message("The match is over."))
    if s.who == seat:
        return reader.read(game.words.question(s))
    return reader.read(Message("{0} decides.", SeatName(s.who)))


class ChangeFormatter:
    """Says changes in the reader's language."""

    def __init__(self, game: Game, reader: Reader, max_names: int) -> None:
        self.game = game
        self.reader = reader
        self.max_names = max_names  # at most, of what comes to a place or leaves it

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
        """The names; those that are not known are counted."""
        things = move.added if come else move.removed
        visible = things if len(things) <= self.max_names else things[: self.max_names - 1]
        names = [self.format_thing(thing) for thing in visible]
        if len(visible) < len(things):
            names.append(self.reader.read(Message("{0} more", len(things) - len(visible))))
        unknown = move.unknown_growth if come else -move.unknown_growth
        if unknown > 0:
            names.append(self.reader.read(Message("{0} not known", unknown)))
        return tuple(names)

    def format_path(self, path: tuple[PathPart, ...]) -> str:
        """``Rome: interviews left``, ``column 2: cards``."""
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
        """By the game's words; where they have no name for it, its id."""
        if kind == SEAT_KIND:
            return SeatName(number)
        try:
            return self.game.words.short_name(kind, number)
        except KeyError:
            return str(self.game.ids[kind][number])
