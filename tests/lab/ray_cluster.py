"""Workers of this machine as a Ray cluster, one of which is lost. Ray is slow to import, so few import this."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import ray

from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.ray_engine import RayEngine, check_fingerprints, open_ray_engine

__all__ = ["check_fingerprints", "open_ray_engine", "start_ray_cluster"]


def process() -> int:
    """The process of a worker, which then takes the next part."""
    return os.getpid()


whereabouts = ray.remote(process)


class WorkerLosingEngine(RayEngine):
    """A cluster that loses a worker in the middle of its work."""

    killed = 0

    def play(self, plan: StudyPlan, parts: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        for done, found in enumerate(super().play(plan, parts)):
            if done == 1:
                self.killed = ray.get(whereabouts.remote())
                os.kill(self.killed, signal.SIGKILL)
            yield found


@contextmanager
def start_ray_cluster() -> Iterator[WorkerLosingEngine]:
    """Two workers of this machine, as a cluster of its own."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=40)
    try:
        yield WorkerLosingEngine(2)
    finally:
        ray.shutdown()
