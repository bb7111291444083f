"""What an option would do: it is played in another world, and two views of the seat are compared.

The world is one that the seat cannot tell from the true one, with chance of its own: nothing is learnt from a preview
that the seat does not know. Where neither chance was drawn nor a face shown, all of it is certain. Otherwise the option
is played in four worlds, and what is the same in all of them is likely.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from triclinium.boardkit.view_diff import SEAT, Change, Moved, Part, Thing, Turned, Value, changes, in_all
from triclinium.engine.core.rng import SEED_LIMIT, Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Message, Reader, SeatName
from triclinium.engine.game import Game
from triclinium.engine.view import FIELD

WORLDS: Final = 4
LINES: Final = 10
NAMES: Final = 4  # of what comes to a place or leaves it
NONE: Final = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Line:
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
    lines: list[Line]
    more: int  # changes that are not told: a round that ends changes much
    then: str  # what is asked after it, or who decides; empty: chance decides that too


def seed_of(*facts: object) -> int:
    """A seed of its own for each table, version, seat and option; it has nothing of the match's chance."""
    text = "/".join(map(str, facts))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") % SEED_LIMIT


def preview(
    game: Game, s: State, seat: Seat, o: Option, seed: int, reader: Reader, more: Sequence[Option] = ()
) -> Preview:
    """The preview of one of the seat's options; the seat must be asked. What the rules raise is raised.

    ``more`` are chosen after it, all of them the seat's: a way that was found in a world that looks the same.
    """
    assert s.who == seat, f"seat {seat} is not asked"
    rng = Rng(seed)
    world = s.resample(seat, rng)
    before, barrier = game.view_not_now(world, seat), world.undo_barrier
    _choose(world, (o, *more))
    found, then = changes(before, game.view_not_now(world, seat)), _then(game, world, seat, reader)
    certain = world.undo_barrier == barrier
    if not certain:
        worlds = [found]
        for _ in range(WORLDS - 1):
            world = s.resample(seat, rng)
            _choose(world, (o, *more))
            worlds.append(changes(before, game.view_not_now(world, seat)))
            then = then if then == _then(game, world, seat, reader) else ""
        found = in_all(worlds)
    found = worth_telling(game, s, o, found, reader)
    lines = lines_of(game, found, seat, reader)
    return Preview(certain, lines, len(found) - len(lines), then)


def worth_telling(game: Game, s: State, o: Option, found: list[Change], reader: Reader) -> list[Change]:
    """Return the changes; none where all that happens is that the card which the option names leaves its place."""
    named = {part.number for part in reader.parts(game.words.label(s, o)) if not isinstance(part, str)}
    return [] if all(isinstance(one, Moved) and _only_leaves(one, named) for one in found) else found


def _only_leaves(moved: Moved, numbers: set[int]) -> bool:
    """Whether nothing but things with these numbers leaves a place, and nothing comes."""
    return not moved.come and not moved.unknown and numbers.issuperset(thing.number for thing in moved.gone)


def _choose(s: State, chosen: Sequence[Option]) -> None:
    for o in chosen:
        s.choose(o)


def lines_of(game: Game, found: list[Change], seat: Seat, reader: Reader) -> list[Line]:
    """The first changes in words: those of the seat, then those of others, then the table's."""
    teller = Teller(game, reader, NAMES)
    ordered = sorted(found, key=lambda change: 2 if change.at.seat is None else int(change.at.seat != seat))
    return [teller.line(change) for change in ordered[:LINES]]


def _then(game: Game, s: State, seat: Seat, reader: Reader) -> str:
    """What the seat is asked next, or who decides."""
    if s.over:
        return reader.read(Message("The match is over."))
    if s.who == seat:
        return reader.read(game.words.question(s))
    return reader.read(Message("{0} decides.", SeatName(s.who)))


class Teller:
    """Says changes in the reader's language."""

    def __init__(self, game: Game, reader: Reader, names: int) -> None:
        self.game = game
        self.reader = reader
        self.names = names  # at most, of what comes to a place or leaves it

    def line(self, change: Change) -> Line:
        what = self.path(change.at.path)
        if isinstance(change, Turned):
            return Line(change.at.seat, what, self.value(change.before), self.value(change.after))
        return Line(change.at.seat, what, gone=self.things(change, come=False), come=self.things(change, come=True))

    def things(self, moved: Moved, *, come: bool) -> tuple[str, ...]:
        """The names; those that are not known are counted."""
        things = moved.come if come else moved.gone
        told = things if len(things) <= self.names else things[: self.names - 1]
        named = [self.thing(one) for one in told]
        if len(told) < len(things):
            named.append(self.reader.read(Message("{0} more", len(things) - len(told))))
        unknown = moved.unknown if come else -moved.unknown
        if unknown > 0:
            named.append(self.reader.read(Message("{0} not known", unknown)))
        return tuple(named)

    def path(self, path: tuple[Part, ...]) -> str:
        """``Rome: interviews left``, ``column 2: cards``."""
        said = ""
        for part in path:
            if isinstance(part, Thing):
                said = self.within(said, self.thing(part))
            elif isinstance(part, int):
                said = f"{said} {part}".strip()
            else:
                said = self.within(said, self.reader.translate(part, FIELD))
        return said

    def within(self, outer: str, inner: str) -> str:
        return self.reader.read(Message("{0}: {1}", outer, inner)) if outer else inner

    def value(self, value: Value) -> str:
        if value is None:
            return NONE
        if isinstance(value, bool):
            return self.reader.read(Message("yes")) if value else self.reader.read(Message("no"))
        if isinstance(value, Thing):
            return self.thing(value)
        return self.reader.say(value) if isinstance(value, int) else self.reader.translate(value)

    def thing(self, thing: Thing) -> str:
        return self.reader.say(self.name(*thing))

    def name(self, kind: str, number: int) -> Arg:
        """By the game's words; where they have no name for it, its id."""
        if kind == SEAT:
            return SeatName(number)
        try:
            return self.game.words.brief(kind, number)
        except KeyError:
            return str(self.game.ids[kind][number])
