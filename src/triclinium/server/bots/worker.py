"""What is done in a bot's process. Everything comes as text and small values, and goes back so.

A task runs in slices (`bots/time_slices.py`): `start` runs the first, `resume` each further one.

Each process keeps the matches it last thought about, so that they are only played on, and the bots of the seats it last
thought for: a search goes on with its own tree while a turn lasts. Where the next decision of a table falls to another
process, that one begins anew; a bot checks itself that what it kept still fits (``Search.tree_for``).
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

MAX_MATCHES = 32  # kept by a process
MAX_BOTS = 4  # whose bots are kept: the tree of a master may take a hundred megabytes
MAX_SECONDS = 10.0  # seconds for one decision, whatever the bot says of itself: on the clock it may take ten times that
MIN_SECONDS = 0.1
T = TypeVar("T")


@dataclass(frozen=True)
class BotChoice:
    """What a bot chose, in notation, and the fault if a legal option had to be taken in its place."""

    option: str
    fault: str = ""
    detail: str = ""
    cut_short: bool = False  # the machine was too busy for the whole budget, and this is the best so far


@dataclass
class CachedMatch:
    """A match as this process last saw it."""

    options: list[str]
    played: list[Option]
    state: State


_matches: OrderedDict[str, CachedMatch] = OrderedDict()
_bots: OrderedDict[tuple[str, Seat, str], Bot] = OrderedDict()


@dataclass(frozen=True)
class MatchInput:
    """A match to think about: its record, and the components file if it is an edited one, as text."""

    record: str
    components: str = ""

    def load_record(self) -> tuple[Record, Game]:
        """The record, and the game on its components; raises BadRecord."""
        record = Record.loads(self.record)
        edited = (
            load_game(record.game_id).with_components(_parse_components(self.components)) if self.components else None
        )
        return record, record.find_game(edited)


@lru_cache(FILE_CACHE_SIZE)
def _parse_components(text: str) -> ComponentsFile:
    return ComponentsFile(text, "components.toml")


def initialize_process(server: int, form: str, slice_seconds: float) -> None:
    """The first thing that such a process does. It stands here and not beside the pool: this module is all it reads."""
    set_slice_length(slice_seconds)
    exit_with_parent(server)
    log_format.configure_logging(form)  # what it has to say stands in the same log


# -- tasks in slices -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SliceOutcome(Generic[T]):
    """The outcome of one slice of a task."""

    result: tuple[T] | None = None  # when the task is done
    lost: bool = False  # this process does not know the task


_tasks: dict[int, Sliced[object]] = {}  # that are suspended, by number


def start_task(number: int, job: Callable[[], Sliced[T]]) -> SliceOutcome[T]:
    """Run the first slice of a task, which is known by this number from then on."""
    return _run_slice(number, job())


def resume_task(number: int) -> SliceOutcome[Any]:
    """Run the next slice of a task."""
    task = _tasks.pop(number, None)
    return SliceOutcome(lost=True) if task is None else _run_slice(number, task)


def drop_task(number: int) -> None:
    """Give up a suspended task."""
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
    """Turn a function into a task of one slice."""
    yield from ()
    return job()


# -- jobs ------------------------------------------------------------------------------------------------------------


def choose_option(case: MatchInput, table: str, name: str, seed: int, load: int, cores: int) -> Sliced[BotChoice]:
    """What the bot chooses for the seat that is asked; in a crowd it thinks less, so that no table waits long.

    Less is less processor time: what other programs take of the machine only makes it wait.
    """
    record, game = case.load_record()
    cached = _load_match(record, game, table)
    player = _load_bot(table, cached.state.who, name, game)
    own = player.budget
    budget = replace(own, seconds=max(MIN_SECONDS, min(own.seconds, MAX_SECONDS) / load), cores=min(own.cores, cores))
    played = list(cached.played)  # the match may go on while the bot is suspended
    answer = yield from ask_bot_in_slices(player, cached.state.clone(), Rng(seed), played, budget)
    return BotChoice(game.format_option(answer.option), answer.fault, answer.detail, answer.cut_short)


def compute_hint(case: MatchInput, budget: Budget, seed: int, mine: str) -> Sliced[list[Advice]]:
    """A hint for the seat that is asked."""
    record, game = case.load_record()
    return find_hints_in_slices(record, budget, seed, game=game, own_option=mine)


def compute_timeline(case: MatchInput, first: int, automatic: Sequence[int]) -> Sliced[list[TimelinePoint]]:
    """The next piece of the course of a finished match, some options of which were given unasked."""
    record, game = case.load_record()
    return compute_timeline_in_slices(record, first, game, automatic)


def find_settled_move(case: MatchInput) -> Sliced[int]:
    """After how many moves nothing was left to decide."""
    record, game = case.load_record()
    return find_decided_move_in_slices(record, game)


def compute_luck(case: MatchInput, timeline: Sequence[TimelinePoint], moves: Sequence[int]) -> Sliced[list[LuckEvent]]:
    """What chance did at some moves."""
    record, game = case.load_record()
    return looking_back.measure_luck_in_slices(record, timeline, moves, game)


def evaluate_decision(case: MatchInput, n: int, budget: Budget, seed: int) -> Sliced[ReviewedDecision]:
    """What one decision cost, and what was better."""
    record, game = case.load_record()
    return looking_back.review_decision_in_slices(record, n, budget, seed, game)


def choose_any_legal(case: MatchInput) -> str:
    """An option of the seat that is asked, taken blindly."""
    record, game = case.load_record()
    return game.format_option(secrets.choice(record.replay(game=game).legal))


def _load_match(record: Record, game: Game, table: str) -> CachedMatch:
    """The match of a record; one thought about before is only played on."""
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
    """The bot of a seat, as it was left after its last decision."""
    key = (table, seat, name)
    player = _bots.pop(key, None) or create_bot(name, game)
    _bots[key] = player
    while len(_bots) > MAX_BOTS:
        _bots.popitem(last=False)
    return player
