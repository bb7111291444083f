"""Studies on a cluster: the same figures as at home, whatever becomes of a worker."""

import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
import ray

from triclinium.engine.core.errors import BadSetup
from triclinium.lab.study import conducting
from triclinium.lab.study.part import Hello
from triclinium.lab.study.plan import Plan
from triclinium.lab.study.ray_engine import Cluster, by_ray, refuse_strangers
from triclinium.lab.study.studyfile import Study, Wanted

STUDY = Study(
    "evangelists", seats=2, bots=("random",), also=(), matches=60, looks=1, seed=7, editions=(Wanted("printed again"),)
)


def process() -> int:
    """The process of a worker, which then takes the next part."""
    return os.getpid()


whereabouts = ray.remote(process)


class Wrecked(Cluster):
    """A cluster that loses a worker in the middle of its work."""

    killed = 0

    def play(self, plan: Plan, parts: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        for done, found in enumerate(super().play(plan, parts)):
            if done == 1:
                self.killed = ray.get(whereabouts.remote())
                os.kill(self.killed, signal.SIGKILL)
            yield found


@contextmanager
def wrecked() -> Iterator[Wrecked]:
    """Two workers of this machine, as a cluster of its own."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=40)
    try:
        yield Wrecked(2)
    finally:
        ray.shutdown()


def test_a_cluster_that_loses_a_worker_finds_the_same(tmp_path: Path) -> None:
    """Two workers by Ray, one of them killed in the middle: the same summary, but for its time."""
    if "TRICLINIUM_SOAK" not in os.environ:
        pytest.skip("a cluster takes longer to start than all tests of the lab; make soak starts one")
    conducting.conduct(STUDY, tmp_path / "home", workers=1)
    conducting.conduct(STUDY, tmp_path / "away", engine=wrecked())
    told = [json.loads((tmp_path / place / "summary.json").read_text()) for place in ("home", "away")]
    times = [one.pop("time") for one in told]
    assert told[0] == told[1]
    assert [one["workers"] for one in times] == [1.0, 2.0]


def test_an_address_that_does_not_answer_is_one_sentence() -> None:
    with pytest.raises(BadSetup, match="no Ray cluster answers at nowhere"), by_ray("nowhere"):
        pass


def test_a_worker_of_another_version_is_refused() -> None:
    """Every worker first plays the same match; who plays another is named before anything counts."""
    own = Hello("1.0", 7)
    refuse_strangers(own, [Hello("1.0", 7)])
    with pytest.raises(BadSetup, match=r"has Triclinium 0\.9 and plays another match than this machine"):
        refuse_strangers(own, [Hello("1.0", 7), Hello("0.9", 8)])
