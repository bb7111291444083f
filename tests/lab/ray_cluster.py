"""A local Ray cluster that loses a worker. Ray is slow to import, so few tests import this module."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import ray

from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.ray_engine import RayEngine, check_fingerprints, open_ray_engine

__all__ = ["check_fingerprints", "open_ray_engine", "start_ray_cluster"]


def process() -> int:
    """Return the process id of the worker that takes the next part."""
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
    """Start a separate cluster with two local workers."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=40)
    try:
        yield WorkerLosingEngine(2)
    finally:
        ray.shutdown()
