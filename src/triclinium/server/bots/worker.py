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

from triclinium.bots import Bot, Budget, bot
from triclinium.bots import review as looking_back
from triclinium.bots.analysis import Advice, hint_in_slices
from triclinium.bots.base import ask_in_slices
from triclinium.bots.child_process import end_with
from triclinium.bots.review import Judged, Stroke
from triclinium.bots.time_slices import Sliced, set_length
from triclinium.bots.timeline import Moment, moments_in_slices, settled_in_slices
from triclinium.engine.core.components import FILES_KEPT, ComponentsFile
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.record import Record, replay_one
from triclinium.engine.registry import find_game
from triclinium.server import log_format

MATCHES = 32  # kept by a process
SEATS = 4  # whose bots are kept: the tree of a master may take a hundred megabytes
MOST = 10.0  # seconds for one decision, whatever the bot says of itself: on the clock it may take ten times that
LEAST = 0.1
T = TypeVar("T")


@dataclass(frozen=True)
class Thought:
    """What a bot chose, in notation, and the fault if a legal option had to be taken in its place."""

    option: str
    fault: str = ""
    detail: str = ""
    cut: bool = False  # the machine was too busy for the whole budget, and this is the best so far


@dataclass
class Known:
    """A match as this process last saw it."""

    options: list[str]
    played: list[Option]
    state: State


_matches: OrderedDict[str, Known] = OrderedDict()
_bots: OrderedDict[tuple[str, Seat, str], Bot] = OrderedDict()


@dataclass(frozen=True)
class Case:
    """A match to think about: its record, and the components file if it is an edited one, as text."""

    record: str
    components: str = ""

    def opened(self) -> tuple[Record, Game]:
        """The record, and the game on its components; raises BadRecord."""
        record = Record.loads(self.record)
        edited = find_game(record.title).on(_file(self.components)) if self.components else None
        return record, record.title_for(edited)


@lru_cache(FILES_KEPT)
def _file(text: str) -> ComponentsFile:
    return ComponentsFile(text, "components.toml")


def begin(server: int, form: str, slice_seconds: float) -> None:
    """The first thing that such a process does. It stands here and not beside the pool: this module is all it reads."""
    set_length(slice_seconds)
    end_with(server)
    log_format.keep(form)  # what it has to say stands in the same log


# -- tasks in slices -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part(Generic[T]):
    """The outcome of one slice of a task."""

    result: tuple[T] | None = None  # when the task is done
    lost: bool = False  # this process does not know the task


_tasks: dict[int, Sliced[object]] = {}  # that are suspended, by number


def start(number: int, job: Callable[[], Sliced[T]]) -> Part[T]:
    """Run the first slice of a task, which is known by this number from then on."""
    return _run_slice(number, job())


def resume(number: int) -> Part[Any]:
    """Run the next slice of a task."""
    task = _tasks.pop(number, None)
    return Part(lost=True) if task is None else _run_slice(number, task)


def drop(number: int) -> None:
    """Give up a suspended task."""
    task = _tasks.pop(number, None)
    if task is not None:
        task.close()


def _run_slice(number: int, task: Sliced[T]) -> Part[T]:
    try:
        next(task)
    except StopIteration as end:
        return Part((end.value,))
    _tasks[number] = task
    return Part()


def in_one_slice(job: Callable[[], T]) -> Sliced[T]:
    """Turn a function into a task of one slice."""
    yield from ()
    return job()


# -- jobs ------------------------------------------------------------------------------------------------------------


def choose(case: Case, table: str, name: str, seed: int, crowd: int, cores: int) -> Sliced[Thought]:
    """What the bot chooses for the seat that is asked; in a crowd it thinks less, so that no table waits long.

    Less is less processor time: what other programs take of the machine only makes it wait.
    """
    record, game = case.opened()
    known = _known(record, game, table)
    player = _player(table, known.state.who, name, game)
    own = player.budget
    given = replace(own, seconds=max(LEAST, min(own.seconds, MOST) / crowd), cores=min(own.cores, cores))
    played = list(known.played)  # the match may go on while the bot is suspended
    answer = yield from ask_in_slices(player, known.state.clone(), Rng(seed), played, given)
    return Thought(game.say(answer.option), answer.fault, answer.detail, answer.cut)


def advise(case: Case, budget: Budget, seed: int, mine: str) -> Sliced[list[Advice]]:
    """A hint for the seat that is asked."""
    record, game = case.opened()
    return hint_in_slices(record, budget, seed, game=game, mine=mine)


def follow(case: Case, first: int, automatic: Sequence[int]) -> Sliced[list[Moment]]:
    """The next piece of the course of a finished match, some options of which were given unasked."""
    record, game = case.opened()
    return moments_in_slices(record, first, game, automatic)


def settled(case: Case) -> Sliced[int]:
    """After how many moves nothing was left to decide."""
    record, game = case.opened()
    return settled_in_slices(record, game)


def strokes(case: Case, course: Sequence[Moment], moves: Sequence[int]) -> Sliced[list[Stroke]]:
    """What chance did at some moves."""
    record, game = case.opened()
    return looking_back.strokes_in_slices(record, course, moves, game)


def judge(case: Case, n: int, budget: Budget, seed: int) -> Sliced[Judged]:
    """What one decision cost, and what was better."""
    record, game = case.opened()
    return looking_back.judge_in_slices(record, n, budget, seed, game)


def any_legal(case: Case) -> str:
    """An option of the seat that is asked, taken blindly."""
    record, game = case.opened()
    return game.say(secrets.choice(record.replay(game=game).legal))


def _known(record: Record, game: Game, table: str) -> Known:
    """The match of a record; one thought about before is only played on."""
    known = _matches.pop(table, None)
    if known is None or record.options[: len(known.options)] != known.options:
        known = Known([], [], record.deal(game))
    for text in record.options[len(known.options) :]:
        replay_one(game, known.state, len(known.options) + 1, text)
        known.options.append(text)
        known.played.append(game.read(text))
    _matches[table] = known
    while len(_matches) > MATCHES:
        _matches.popitem(last=False)
    return known


def _player(table: str, seat: Seat, name: str, game: Game) -> Bot:
    """The bot of a seat, as it was left after its last decision."""
    key = (table, seat, name)
    found = _bots.pop(key, None) or bot(name, game)
    _bots[key] = found
    while len(_bots) > SEATS:
        _bots.popitem(last=False)
    return found
