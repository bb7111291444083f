"""Work inside a bot process. Its input and output are texts and small values.

A task runs in slices (`bots/time_slices.py`): `start_task` runs the first and `resume_task` each further one.

Each process caches its last matches, so that only new moves are replayed. It also caches its last bots, so that a
search continues with its tree during a turn. A bot checks whether its tree fits the position. If another process gets
the next decision, it starts without a cache.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, TypeVar

from triclinium.bots import Bot, Budget, create_bot
from triclinium.bots import review as looking_back
from triclinium.bots.analysis import Advice, find_hints_in_slices
from triclinium.bots.base import ask_bot_in_slices
from triclinium.bots.budget import UNHURRIED_SECONDS
from triclinium.bots.child_process import exit_with_parent
from triclinium.bots.review import LuckEvent, ReviewedDecision
from triclinium.bots.time_slices import Sliced, set_slice_length
from triclinium.bots.timeline import TimelinePoint, compute_timeline_in_slices, find_decided_move_in_slices
from triclinium.engine.core.components import FILE_CACHE_SIZE, ComponentsFile
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record, replay_option
from triclinium.engine.registry import load_game
from triclinium.server import log_format

MAX_MATCHES = 32  # matches that a process caches
MAX_BOTS = 4  # bots that a process caches; the search tree of the strongest may take a hundred megabytes
MAX_SECONDS = 10.0  # limit for one decision in processor time; a busy machine may need ten times as long
MIN_SECONDS = 0.1
ITERATIONS_PER_SECOND = 300  # for bots with a time budget whose choices must be repeatable
T = TypeVar("T")


@dataclass(frozen=True)
class BotChoice:
    """A bot's option in notation, with the fault that occurred if the option was chosen at random instead."""

    option: str
    fault: str = ""
    detail: str = ""
    cut_short: bool = False  # the processor was too busy for the bot's budget, and this is its best option so far


@dataclass
class CachedMatch:
    """A match as this process last replayed it."""

    options: list[str]
    played: list[Option]
    state: State


_matches: OrderedDict[str, CachedMatch] = OrderedDict()
_bots: OrderedDict[tuple[str, Seat, str], Bot] = OrderedDict()


@dataclass(frozen=True)
class MatchInput:
    """A match as the input of a job: its record, and the text of an edited components file or ""."""

    record: str
    components: str = ""

    def load_record(self) -> tuple[Record, Game]:
        """Return the record, and its game with the right components. Raise `BadRecord` if the record cannot be read."""
        record = Record.loads(self.record)
        edited = (
            load_game(record.game_id).with_components(_parse_components(self.components)) if self.components else None
        )
        return record, record.find_game(edited)


@lru_cache(FILE_CACHE_SIZE)
def _parse_components(text: str) -> ComponentsFile:
    return ComponentsFile(text, "components.toml")


def initialize_process(server: int, form: str, slice_seconds: float) -> None:
    """Prepare a new bot process. The function is in this module because bot processes import nothing of the pool."""
    set_slice_length(slice_seconds)
    exit_with_parent(server)
    log_format.configure_logging(form)  # bot processes write the same log as the server


# -- tasks in slices -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SliceOutcome(Generic[T]):
    """The outcome of one slice of a task."""

    result: tuple[T] | None = None  # the result in a tuple, once the task is done
    lost: bool = False  # the task is not in this process


_tasks: dict[int, Sliced[object]] = {}  # suspended tasks by number


def start_task(number: int, job: Callable[[], Sliced[T]]) -> SliceOutcome[T]:
    """Run the first slice of a new task, which other functions identify by this number."""
    return _run_slice(number, job())


def resume_task(number: int) -> SliceOutcome[Any]:
    """Run the next slice of a suspended task."""
    task = _tasks.pop(number, None)
    return SliceOutcome(lost=True) if task is None else _run_slice(number, task)


def drop_task(number: int) -> None:
    """Delete a suspended task."""
    task = _tasks.pop(number, None)
    if task is not None:
        task.close()


def _run_slice(number: int, task: Sliced[T]) -> SliceOutcome[T]:
    try:
        next(task)
    except StopIteration as end:
        return SliceOutcome((end.value,))
    _tasks[number] = task
    return SliceOutcome()


def run_in_one_slice(job: Callable[[], T]) -> Sliced[T]:
    """Turn a function into a task that runs in one slice."""
    yield from ()
    return job()


# -- jobs ------------------------------------------------------------------------------------------------------------


def choose_option(case: MatchInput, table: str, name: str, seed: int, load: int, cores: int) -> Sliced[BotChoice]:
    """Return a bot's choice for the seat that has to decide.

    The higher the load, the less processor time the bot uses, so that no table waits long. Other programs on the
    machine only delay it.
    """
    record, game = case.load_record()
    cached = _load_match(record, game, table)
    player = _load_bot(table, cached.state.who, name, game)
    own = player.budget
    budget = replace(own, seconds=max(MIN_SECONDS, min(own.seconds, MAX_SECONDS) / load), cores=min(own.cores, cores))
    played = list(cached.played)  # a copy, because the match can continue while the bot is suspended
    answer = yield from ask_bot_in_slices(player, cached.state.clone(), Rng(seed), played, budget)
    return BotChoice(game.format_option(answer.option), answer.fault, answer.detail, answer.cut_short)


def choose_repeatably(case: MatchInput, name: str, seed: int) -> Sliced[BotChoice]:
    """Return a bot's choice that depends on nothing but the record and the seed.

    The bot keeps nothing from earlier decisions. A budget in time becomes one in iterations.
    """
    record, game = case.load_record()
    s, played = record.deal(game), []
    for n, text in enumerate(record.options, start=1):
        replay_option(game, s, n, text)
        played.append(game.read(text))
    player = create_bot(name, game)
    own = player.budget
    budget = Budget(UNHURRIED_SECONDS, own.iterations or round(own.seconds * ITERATIONS_PER_SECOND))
    answer = yield from ask_bot_in_slices(player, s, Rng(seed), played, budget)
    return BotChoice(game.format_option(answer.option), answer.fault, answer.detail, answer.cut_short)


def compute_hint(case: MatchInput, budget: Budget, seed: int, mine: str) -> Sliced[list[Advice]]:
    """Return the options that a hint shows to the seat that has to decide, best first."""
    record, game = case.load_record()
    return find_hints_in_slices(record, budget, seed, game=game, own_option=mine)


def compute_timeline(case: MatchInput, first: int, automatic: Sequence[int]) -> Sliced[list[TimelinePoint]]:
    """Return the next part of a finished match's timeline. ``automatic`` lists the moves that were auto-replies."""
    record, game = case.load_record()
    return compute_timeline_in_slices(record, first, game, automatic)


def find_settled_move(case: MatchInput) -> Sliced[int]:
    """Return the number of moves after which the result of a match was certain."""
    record, game = case.load_record()
    return find_decided_move_in_slices(record, game)


def compute_luck(case: MatchInput, timeline: Sequence[TimelinePoint], moves: Sequence[int]) -> Sliced[list[LuckEvent]]:
    """Return the lucky and unlucky events of some moves."""
    record, game = case.load_record()
    return looking_back.measure_luck_in_slices(record, timeline, moves, game)


def evaluate_decision(case: MatchInput, n: int, budget: Budget, seed: int) -> Sliced[ReviewedDecision]:
    """Return what one decision cost its player, and the better options."""
    record, game = case.load_record()
    return looking_back.review_decision_in_slices(record, n, budget, seed, game)


def choose_any_legal(case: MatchInput) -> str:
    """Return a random legal option of the seat that has to decide."""
    record, game = case.load_record()
    return game.format_option(secrets.choice(record.replay(game=game).legal))


def _load_match(record: Record, game: Game, table: str) -> CachedMatch:
    """Return the match of a record. Only moves after the cached ones are replayed."""
    cached = _matches.pop(table, None)
    if cached is None or record.options[: len(cached.options)] != cached.options:
        cached = CachedMatch([], [], record.deal(game))
    for text in record.options[len(cached.options) :]:
        replay_option(game, cached.state, len(cached.options) + 1, text)
        cached.options.append(text)
        cached.played.append(game.read(text))
    _matches[table] = cached
    while len(_matches) > MAX_MATCHES:
        _matches.popitem(last=False)
    return cached


def _load_bot(table: str, seat: Seat, name: str, game: Game) -> Bot:
    """Return the bot of a seat, in its state after its last decision."""
    key = (table, seat, name)
    player = _bots.pop(key, None) or create_bot(name, game)
    _bots[key] = player
    while len(_bots) > MAX_BOTS:
        _bots.popitem(last=False)
    return player
