"""Batched play in several processes, with observations in shared memory."""

from collections.abc import Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from types import TracebackType
from typing import Any, Self

from triclinium.engine.core.errors import BadSetup, Refused
from triclinium.engine.core.rule import Rule
from triclinium.engine.extras import name_extra
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.research.batch import Batch, build_mask

with name_extra("research", "triclinium.research.worker_pool"):
    import numpy as np
    from numpy.typing import NDArray


class WorkerPool:
    """A batch in each of several processes.

    ``with WorkerPool("evangelists", seats=2, n=64, seed=1, processes=4) as pool`` plays 256 matches like one `Batch`.
    Match i of process p is row ``p * n + i``. The processes share the matches of a single batch with the same seed.
    """

    def __init__(
        self,
        game: str,
        seats: int,
        n: int,
        seed: int,
        variants: Mapping[str, object] | None = None,
        processes: int = 2,
    ) -> None:
        self.game: Game = load_game(game)
        if n < 1 or processes < 1:
            raise BadSetup(f"a worker pool needs at least one match in one process, not {n} in {processes}")
        self.game.deal(seats, seed, variants)  # raises errors here instead of in a worker process
        self.n = n
        self.seats = seats
        self.ended: list[tuple[int, list[float]]] = []
        width = self.game.encoding.width(seats)
        self._memory = SharedMemory(create=True, size=processes * n * width)
        self._rows: NDArray[np.uint8] = np.ndarray((processes * n, width), np.uint8, self._memory.buf)
        self._who = b""
        self._ends: NDArray[np.int32] = np.zeros(0, np.int32)
        self._options: NDArray[np.int16] = np.zeros(0, np.int16)
        context = get_context("spawn")  # forking a process that has loaded a network may hang
        self._pipes: list[Connection] = []
        self._workers = []
        for p in range(processes):
            ours, theirs = context.Pipe()
            job = (theirs, self._memory.name, game, seats, n, seed, variants, p, processes)
            worker = context.Process(target=run_worker, args=job, daemon=True)
            worker.start()
            theirs.close()
            self._pipes.append(ours)
            self._workers.append(worker)
        self._gather()

    def step(self, options: list[int] | NDArray[Any]) -> None:
        """Choose one option in every match. Raise Refused at the first option of each process that is not legal."""
        every = self.n * len(self._pipes)
        if len(options) != every:
            raise BadSetup(f"each of {every} matches needs an option, but {len(options)} were given")
        for p, pipe in enumerate(self._pipes):
            pipe.send(options[p * self.n : (p + 1) * self.n])
        self._gather()

    def observations(self) -> NDArray[np.uint8]:
        """Return the observations. The next step changes them in place."""
        return self._rows

    def acting_seats(self) -> NDArray[np.uint8]:
        return np.frombuffer(self._who, np.uint8)

    def options(self) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
        """Return the end index of each match's options in the list of all options, and that list."""
        return self._ends, self._options

    def mask(self) -> NDArray[np.bool_]:
        return build_mask(self._ends, self._options, self.game.notation.size)

    def close(self) -> None:
        """Stop the worker processes and release the memory."""
        for pipe, worker in zip(self._pipes, self._workers, strict=True):
            pipe.send(None)
            worker.join()
            pipe.close()
        self._rows = np.zeros((0, 0), np.uint8)
        self._memory.close()
        self._memory.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _gather(self) -> None:
        self.ended = []
        who, ends, options, total = [], [], [], 0
        first: tuple[int, str, str, tuple[int, ...]] | None = None
        for p, pipe in enumerate(self._pipes):
            asked, (theirs, listed), ended, refused = pipe.recv()
            first = first or refused
            who.append(asked)
            ends.append(np.frombuffer(theirs, np.int32) + total)
            total = int(ends[-1][-1])
            options.append(np.frombuffer(listed, np.int16))
            self.ended += [(p * self.n + i, returns) for i, returns in ended]
        self._who = b"".join(who)
        self._ends = np.concatenate(ends).astype(np.int32)
        self._options = np.concatenate(options)
        if first is not None:
            option, number, text, parameters = first
            raise Refused(option, Rule(number, text), parameters)


def run_worker(
    pipe: Connection,
    memory: str,
    game: str,
    seats: int,
    n: int,
    seed: int,
    variants: Mapping[str, object] | None,
    first: int,
    stride: int,
) -> None:
    """Serve a batch over the pipe until None is received."""
    shared = SharedMemory(memory)
    batch = Batch(game, seats, n, seed, variants, first, stride)
    size = n * batch.game.encoding.width(seats)
    assert shared.buf is not None
    room = shared.buf[first * size : (first + 1) * size]
    refusal: tuple[int, str, str, tuple[int, ...]] | None = None  # the refusal of the last step, or None
    while True:
        room[:] = batch.observe()
        pipe.send((batch.asked_seats(), batch.legal_options(), batch.finished, refusal))
        options = pipe.recv()
        if options is None:
            break
        refusal = None
        try:
            batch.step(options)
        except Refused as refused:
            refusal = (refused.option, refused.rule.number, refused.rule.text, refused.parameters)
    room.release()
    shared.close()
