"""Parts played on a Ray cluster: the same function as at home, so the same figures.

The plan is put into the object store once. A node that is lost costs its parts again and changes nothing. Every worker
first plays the same match: one with other rules, components or another Triclinium is refused before it counts.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import ray
from ray.exceptions import RayError, RayTaskError

from triclinium.engine.core.errors import BadSetup, TricliniumError
from triclinium.lab.study.part import Hello, greet, play_part
from triclinium.lab.study.plan import Plan

T = TypeVar("T")

AHEAD = 4  # tasks in flight for each core
TRIES = 8  # of a part whose worker dies


class Cluster:
    """The workers of a Ray cluster."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.greeted: set[str] = set()

    def play(self, plan: Plan, parts: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        shared = ray.put(plan)
        if plan.hash not in self.greeted:
            self._greet(plan, shared)
        waiting = list(reversed(parts))
        errands: dict[ray.ObjectRef[bytes], int] = {}
        try:
            while waiting or errands:
                while waiting and len(errands) < AHEAD * self.workers:
                    part = waiting.pop()
                    errands[_play.options(max_retries=TRIES).remote(shared, part)] = part
                done, _ = ray.wait(list(errands), num_returns=1)
                for ref in done:
                    yield errands.pop(ref), _result(ref)
        finally:
            for ref in errands:
                ray.cancel(ref, force=False)

    def _greet(self, plan: Plan, shared: "ray.ObjectRef[Plan]") -> None:
        """Ask as many workers as there are; raises BadSetup if one of them would play something else."""
        asked = [_hello.remote(shared) for _ in range(self.workers)]
        refuse_strangers(greet(plan), [_result(ref) for ref in asked])
        self.greeted.add(plan.hash)


def refuse_strangers(own: Hello, others: Sequence[Hello]) -> None:
    """Raise BadSetup if a worker does not play what this machine plays."""
    for found in others:
        if found != own:
            raise BadSetup(
                f"a worker of the cluster has Triclinium {found.release} and plays another match than this machine, "
                f"which has {own.release}"
            )


def _result(ref: "ray.ObjectRef[T]") -> T:
    """What a worker answers; its one sentence, if it has one."""
    try:
        return ray.get(ref)
    except RayTaskError as error:
        if isinstance(error.cause, TricliniumError):
            raise BadSetup(str(error.cause)) from None
        raise
    except RayError as error:
        raise BadSetup(f"workers of the cluster died over a part: {str(error).splitlines()[0]}") from None


@ray.remote
def _play(plan: Plan, part: int) -> bytes:
    return play_part(plan, part)


@ray.remote
def _hello(plan: Plan) -> Hello:
    return greet(plan)


@contextmanager
def by_ray(address: str) -> Iterator[Cluster]:
    """Workers of the cluster at an address, or of one that is started here for ``auto`` where none runs."""
    try:
        ray.init(address=None if address == "local" else address, logging_level=logging.ERROR, log_to_driver=False)
    except Exception as error:
        raise BadSetup(f"no Ray cluster answers at {address}: {str(error).splitlines()[0]}") from None
    try:
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        yield Cluster(max(1, int(resources.get("CPU", 1))))
    finally:
        ray.shutdown()
