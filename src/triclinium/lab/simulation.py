"""Simulation of many matches of one game, on one core or several.

Workers exchange plain data, never states. The seeds of a match follow from the base seed and its number, so the result
is the same with any number of workers.
"""

import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import NamedTuple, TypeAlias, TypeVar

from triclinium.bots import BotAnswer, assign_bots, create_bot, derive_seed, play_out
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.lab.totals import SimulationReport, SimulationTotals

CHUNK_SECONDS = 0.25  # time after which a worker should report, which also limits the delay of an interruption
CHUNK_LIMIT = 500
QUEUED_PER_WORKER = 4  # tasks queued for each worker, so that none is idle and the queue stays short
WORKER_LIMIT = 256

ProgressCallback: TypeAlias = Callable[[int, int], None]
Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class SimulationPlan:
    """A simulation as plain data: which matches to play."""

    game_id: str
    seats: int
    matches: int
    seed: int
    bots: tuple[str, ...] = ("random",)
    variants: tuple[tuple[str, str], ...] = ()  # pairs in notation, such as ("team", "on")
    components: str | None = None  # path of an edited components file

    def check(self) -> Game:
        """Return the game if the plan is valid. Raise BadSetup otherwise."""
        game = load_game(self.game_id, self.components)
        if self.matches < 1:
            raise BadSetup(f"at least one match is needed, not {self.matches}")
        game.deal(self.seats, derive_seed(self.seed, 0), game.read_variants(dict(self.variants)))
        assign_bots(self.bots, self.seats)
        return game


class SimulatedMatch(NamedTuple):
    """The result of one match of a simulation."""

    ranks: list[int]
    totals: list[int | None]  # None in a game without points
    lines: list[list[tuple[str, int]]]  # score sheet of each seat
    decisions: int
    rounds: int | None  # None if the game's view does not show its round
    faults: list[str]  # bot failures such as "greedy: illegal"
    cut_answers: list[str]  # names of the bots whose answers the clock cut short


def play_match(plan: SimulationPlan, game: Game, index: int) -> SimulatedMatch:
    """Play match number ``index`` of a plan."""
    s = game.deal(plan.seats, derive_seed(plan.seed, index), game.read_variants(dict(plan.variants)))
    players = [create_bot(name, game) for name in assign_bots(plan.bots, plan.seats)]
    rngs = [Rng(derive_seed(plan.seed, index, seat)) for seat in range(plan.seats)]
    faults: list[str] = []
    cuts: list[str] = []

    def log_answer(seat: Seat, answer: BotAnswer) -> None:
        if answer.fault:
            faults.append(f"{players[seat].name}: {answer.fault}")
        if answer.cut_short:
            cuts.append(players[seat].name)

    decisions = play_out(s, players, rngs, log_answer)
    scores = game.scores(s)
    rounds = game.view_json(s, None).get("round")
    return SimulatedMatch(
        [score.rank for score in scores],
        [score.total for score in scores],
        [[(line.name, line.points) for line in score.lines] for score in scores],
        decisions,
        rounds if isinstance(rounds, int) else None,
        faults,
        cuts,
    )


def play_chunk(plan: SimulationPlan, first: int, stop: int) -> list[SimulatedMatch]:
    """Play the matches from ``first`` up to, but not including, ``stop``, as one task of a worker."""
    game = load_game(plan.game_id, plan.components)
    return [play_match(plan, game, index) for index in range(first, stop)]


def run_simulation(
    plan: SimulationPlan, workers: int = 1, progress: ProgressCallback | None = None
) -> SimulationReport:
    """Play all matches of a plan and return the report. After Ctrl-C, report the matches played so far."""
    if workers < 1:
        raise BadSetup(f"at least one worker is needed, not {workers}")
    if workers > WORKER_LIMIT:
        raise BadSetup(f"at most {WORKER_LIMIT} workers are possible, not {workers}")
    game = plan.check()
    totals = SimulationTotals(game, assign_bots(plan.bots, plan.seats), dict(plan.variants), plan.matches, plan.seed)
    began = time.perf_counter()
    try:
        for outcome in _play_matches(plan, game, workers):
            totals.add_match(
                outcome.ranks, outcome.totals, outcome.lines, outcome.decisions, outcome.rounds, outcome.faults
            )
            totals.add_cut_answers(outcome.cut_answers)
            if progress is not None:
                progress(totals.played, plan.matches)
    except KeyboardInterrupt:
        totals.interrupted = True
    return totals.report(workers, time.perf_counter() - began)


def _play_matches(plan: SimulationPlan, game: Game, workers: int) -> Iterator[SimulatedMatch]:
    """Yield the results of the matches, in the order of their numbers."""
    began = time.perf_counter()
    yield play_match(plan, game, 0)
    if workers == 1:
        for index in range(1, plan.matches):
            yield play_match(plan, game, index)
        return
    # The time of the first match determines the size of the tasks.
    size = int(CHUNK_SECONDS / max(time.perf_counter() - began, 1e-6))
    size = max(1, min(size, CHUNK_LIMIT, -(-plan.matches // workers)))
    firsts = iter(range(1, plan.matches, size))
    needed = len(range(1, plan.matches, size))
    if not needed:
        return
    futures: deque[Future[list[SimulatedMatch]]] = deque()
    # Start the workers with "spawn", because a forked process would copy locks that other threads hold.
    with ProcessPoolExecutor(min(workers, needed), get_context("spawn")) as pool:
        try:
            with ignore_interrupts():
                for first in islice(firsts, QUEUED_PER_WORKER * workers):
                    futures.append(pool.submit(play_chunk, plan, first, min(first + size, plan.matches)))
            while futures:
                yield from futures.popleft().result()
                for first in islice(firsts, 1):
                    futures.append(pool.submit(play_chunk, plan, first, min(first + size, plan.matches)))
        finally:
            for future in futures:
                future.cancel()


@contextmanager
def ignore_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C in processes started inside this context. Their parent handles it and stops them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def map_in_order(
    work: Callable[[Task, int], Result], task: Task, numbers: Sequence[int], workers: int
) -> Generator[Result, None, None]:
    """Yield ``work(task, number)`` for each number, in order, from several processes.

    Closing the iterator stops the processes.
    """
    if workers == 1:
        yield from (work(task, number) for number in numbers)
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        with ignore_interrupts():
            futures = [pool.submit(work, task, number) for number in numbers]
        try:
            for future in futures:
                yield future.result()
        finally:
            for future in futures:
                future.cancel()
