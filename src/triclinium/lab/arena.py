"""Tournaments of bots: balanced seatings, shared seeds, and a record of every match.

A round is one deal played once for each seating. Every bot plays the same deal from every place, so that neither the
deal nor the seat decides. With fewer seats than bots, every combination of bots meets. With more seats, bots fill the
extra seats in turn.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias

from triclinium.bots import BotAnswer, assign_bots, create_bot, derive_seed, play_out
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat
from triclinium.engine.game import Game
from triclinium.engine.record import Record, build_result
from triclinium.engine.registry import load_game
from triclinium.lab.simulation import map_in_order

ProgressCallback: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class Tournament:
    """A tournament as plain data: which bots meet in how many matches."""

    game_id: str
    bots: tuple[str, ...]
    matches: int
    seats: int
    seed: int
    variants: tuple[tuple[str, str], ...] = ()
    components: str | None = None  # path of an edited components file

    def check(self) -> Game:
        """Return the game if the tournament is valid. Raise BadSetup otherwise."""
        game = load_game(self.game_id, self.components)
        if self.matches < 1:
            raise BadSetup(f"at least one match is needed, not {self.matches}")
        if len(set(self.bots)) < 2:
            raise BadSetup("an arena needs two different bots; different budgets are enough: strong@300ms,strong@3s")
        assign_bots(self.bots, len(self.bots))
        game.deal(self.seats, derive_seed(self.seed, 0), game.read_variants(dict(self.variants)))
        return game

    def list_seatings(self) -> list[tuple[str, ...]]:
        """Return the seatings in turn order: each combination of bots, with every bot at every place in turn."""
        if len(self.bots) <= self.seats:
            tables = [_fill_seats(self.bots, first, self.seats) for first in _list_start_offsets(self.bots, self.seats)]
        else:
            # A table where all seats have the same bot would show nothing.
            tables = [table for table in combinations(self.bots, self.seats) if len(set(table)) > 1]
        return [table[turn:] + table[:turn] for table in dict.fromkeys(tables) for turn in range(self.seats)]


def _list_start_offsets(bots: tuple[str, ...], seats: int) -> range:
    """Return the bots with which the assignment of seats may start.

    If the number of bots does not divide the seats, each bot gets the extra seat in turn.
    """
    return range(len(bots) if seats % len(bots) else 1)


def _fill_seats(bots: tuple[str, ...], first: int, seats: int) -> tuple[str, ...]:
    return tuple(bots[(first + i) % len(bots)] for i in range(seats))


class BotFault(NamedTuple):
    """A move that a bot failed to make."""

    match: int
    move: int
    bot: str
    kind: str
    detail: str


class ArenaMatch(NamedTuple):
    """The result of one match of a tournament."""

    number: int
    bots: list[str]
    ranks: list[int]
    totals: list[int | None]  # None in a game without points
    decisions: list[int]  # number of decisions for which each seat's bot was really asked
    seconds: list[float]  # processor time that each seat used
    longest: list[float]
    faults: list[BotFault]
    record: str
    cut_answers: Sequence[int] = ()  # number of answers of each seat that the wall-clock limit cut short


def play_arena_match(tournament: Tournament, index: int) -> ArenaMatch:
    """Play match number ``index`` of a tournament and return its result."""
    game = load_game(tournament.game_id, tournament.components)
    seatings = tournament.list_seatings()
    deal, place = divmod(index, len(seatings))
    names = seatings[place]
    seed = derive_seed(tournament.seed, deal)
    variants = game.complete_variants(game.read_variants(dict(tournament.variants)))
    s = game.deal(tournament.seats, seed, variants)
    record = Record.create(game, tournament.seats, seed, variants)
    log = _AnswerLog(index, names, record, game)
    rngs = [Rng(derive_seed(tournament.seed, deal, place, seat)) for seat in range(tournament.seats)]
    play_out(s, [create_bot(name, game) for name in names], rngs, log.add_answer)
    scores = game.scores(s)
    record.result = build_result(scores)
    ranks, totals = [score.rank for score in scores], [score.total for score in scores]
    thought = (log.decision_counts, log.seconds, log.longest)
    return ArenaMatch(index, list(names), ranks, totals, *thought, log.faults, record.dumps(), log.cut_answers)


class _AnswerLog:
    """The log of all answers of one match."""

    def __init__(self, index: int, names: tuple[str, ...], record: Record, game: Game) -> None:
        self.index = index
        self.names = names
        self.record = record
        self.game = game
        self.decision_counts = [0 for _ in names]
        self.seconds = [0.0 for _ in names]
        self.longest = [0.0 for _ in names]
        self.faults: list[BotFault] = []
        self.cut_answers = [0 for _ in names]

    def add_answer(self, seat: Seat, answer: BotAnswer) -> None:
        self.record.options.append(self.game.format_option(answer.option))
        if answer.was_asked:
            self.decision_counts[seat] += 1
            self.seconds[seat] += answer.seconds
            self.longest[seat] = max(self.longest[seat], answer.seconds)
            self.cut_answers[seat] += answer.cut_short
        if answer.fault:
            move = len(self.record.options)
            self.faults.append(BotFault(self.index, move, self.names[seat], answer.fault, answer.detail))


def play_tournament(
    tournament: Tournament, workers: int = 1, progress: ProgressCallback | None = None
) -> Iterator[ArenaMatch]:
    """Yield the matches of a tournament, in the order of their numbers."""
    if workers < 1:
        raise BadSetup(f"at least one worker is needed, not {workers}")
    tournament.check()
    matches = map_in_order(play_arena_match, tournament, range(tournament.matches), min(workers, tournament.matches))
    with closing(matches):
        for done, match in enumerate(matches, start=1):
            yield match
            if progress is not None:
                progress(done, tournament.matches)
