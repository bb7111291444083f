"""Bots against each other: balanced seatings, shared seeds, and every match kept as a record.

A round is one deal played once for each seating: in the same match every bot sits at every place, so that neither the
deal nor the seat decides. With fewer seats than bots every choice of bots meets; with more, bots fill the seats in
turn.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias

from triclinium.bots import Answer, bot, derive, play_out, seating
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat
from triclinium.engine.game import Game
from triclinium.engine.record import Record, result_of
from triclinium.engine.registry import find_game
from triclinium.lab.simulate import in_order

Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class Tournament:
    """Which bots meet in how many matches, as plain data."""

    title: str
    bots: tuple[str, ...]
    matches: int
    seats: int
    seed: int
    variants: tuple[tuple[str, str], ...] = ()
    components: str | None = None  # an edited file

    def check(self) -> Game:
        """The game, if everything asked for exists; raises BadSetup."""
        found = find_game(self.title, self.components)
        if self.matches < 1:
            raise BadSetup(f"at least one match is needed, not {self.matches}")
        if len(set(self.bots)) < 2:
            raise BadSetup("an arena needs two different bots; budgets make a difference: strong@300ms,strong@3s")
        seating(self.bots, len(self.bots))
        found.deal(self.seats, derive(self.seed, 0), found.read_variants(dict(self.variants)))
        return found

    def seatings(self) -> list[tuple[str, ...]]:
        """Who sits where, in the order of play: with each choice of bots, everyone at every place in turn."""
        if len(self.bots) <= self.seats:
            tables = [_filled(self.bots, first, self.seats) for first in _firsts(self.bots, self.seats)]
        else:
            # A bot named twice would meet itself: there is nothing to learn from that.
            tables = [table for table in combinations(self.bots, self.seats) if len(set(table)) > 1]
        return [table[turn:] + table[:turn] for table in dict.fromkeys(tables) for turn in range(self.seats)]


def _firsts(bots: tuple[str, ...], seats: int) -> range:
    """Where the filling of seats may start: if the bots do not divide the seats, each has a seat more in turn."""
    return range(len(bots) if seats % len(bots) else 1)


def _filled(bots: tuple[str, ...], first: int, seats: int) -> tuple[str, ...]:
    return tuple(bots[(first + i) % len(bots)] for i in range(seats))


class Fault(NamedTuple):
    """A move that a bot could not make."""

    match: int
    move: int
    bot: str
    kind: str
    detail: str


class ArenaMatch(NamedTuple):
    """What one match of a tournament leaves behind."""

    number: int
    bots: list[str]
    ranks: list[int]
    totals: list[int | None]  # None in a game without points
    decisions: list[int]  # that each seat was really asked
    seconds: list[float]  # of processor time that each seat thought
    longest: list[float]
    faults: list[Fault]
    record: str
    cuts: Sequence[int] = ()  # answers of each seat that the clock cut short


def play_match(tournament: Tournament, index: int) -> ArenaMatch:
    """Match number ``index`` of a tournament."""
    game = find_game(tournament.title, tournament.components)
    seatings = tournament.seatings()
    deal, place = divmod(index, len(seatings))
    names = seatings[place]
    seed = derive(tournament.seed, deal)
    variants = game.choices(game.read_variants(dict(tournament.variants)))
    s = game.deal(tournament.seats, seed, variants)
    record = Record.of(game, tournament.seats, seed, variants)
    log = _AnswerLog(index, names, record, game)
    rngs = [Rng(derive(tournament.seed, deal, place, seat)) for seat in range(tournament.seats)]
    play_out(s, [bot(name, game) for name in names], rngs, log.note)
    scores = game.scores(s)
    record.result = result_of(scores)
    ranks, totals = [score.rank for score in scores], [score.total for score in scores]
    thought = (log.asked, log.seconds, log.longest)
    return ArenaMatch(index, list(names), ranks, totals, *thought, log.faults, record.dumps(), log.cuts)


class _AnswerLog:
    """Notes on every answer of one match."""

    def __init__(self, index: int, names: tuple[str, ...], record: Record, game: Game) -> None:
        self.index = index
        self.names = names
        self.record = record
        self.game = game
        self.asked = [0 for _ in names]
        self.seconds = [0.0 for _ in names]
        self.longest = [0.0 for _ in names]
        self.faults: list[Fault] = []
        self.cuts = [0 for _ in names]

    def note(self, seat: Seat, answer: Answer) -> None:
        self.record.options.append(self.game.say(answer.option))
        if answer.asked:
            self.asked[seat] += 1
            self.seconds[seat] += answer.seconds
            self.longest[seat] = max(self.longest[seat], answer.seconds)
            self.cuts[seat] += answer.cut
        if answer.fault:
            move = len(self.record.options)
            self.faults.append(Fault(self.index, move, self.names[seat], answer.fault, answer.detail))


def arena_matches(tournament: Tournament, workers: int = 1, progress: Progress | None = None) -> Iterator[ArenaMatch]:
    """The matches of a tournament, in the order of their numbers."""
    if workers < 1:
        raise BadSetup(f"at least one worker is needed, not {workers}")
    tournament.check()
    matches = in_order(play_match, tournament, range(tournament.matches), min(workers, tournament.matches))
    with closing(matches):
        for done, match in enumerate(matches, start=1):
            yield match
            if progress is not None:
                progress(done, tournament.matches)
