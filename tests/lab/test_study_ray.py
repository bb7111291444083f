"""Tests of studies on a cluster: the same figures as locally, even if a worker is lost."""

import json
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from triclinium.engine.core.errors import BadSetup
from triclinium.lab.study import run
from triclinium.lab.study.study_file import EditionRequest, Study
from triclinium.lab.study.worker import WorkerFingerprint

STUDY = Study(
    "evangelists",
    seats=2,
    bots=("random",),
    also=(),
    matches=60,
    looks=1,
    seed=7,
    editions=(EditionRequest("printed again"),),
)


@pytest.fixture
def cluster() -> ModuleType:
    """Import the cluster only where needed, because Ray takes half a second and every worker collects all tests."""
    return import_module("tests.lab.ray_cluster")


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_gives_the_same_figures(cluster: ModuleType, tmp_path: Path) -> None:
    """One of two Ray workers is killed. The summary is the same except for its time."""
    run.run_study(STUDY, tmp_path / "home", workers=1)
    run.run_study(STUDY, tmp_path / "away", engine=cluster.wrecked())
    told = [json.loads((tmp_path / place / "summary.json").read_text()) for place in ("home", "away")]
    times = [one.pop("time") for one in told]
    assert told[0] == told[1]
    assert [one["workers"] for one in times] == [1.0, 2.0]


def test_an_address_that_does_not_answer_gives_one_message(cluster: ModuleType) -> None:
    with pytest.raises(BadSetup, match="no Ray cluster answers at nowhere"), cluster.open_ray_engine("nowhere"):
        pass


def test_a_worker_of_another_version_is_refused(cluster: ModuleType) -> None:
    """Every worker first plays the same match. A worker with another result is named before anything counts."""
    own = WorkerFingerprint("1.0", 7)
    cluster.check_fingerprints(own, [WorkerFingerprint("1.0", 7)])
    with pytest.raises(BadSetup, match=r"has Triclinium 0\.9 and plays different matches than this machine"):
        cluster.check_fingerprints(own, [WorkerFingerprint("1.0", 7), WorkerFingerprint("0.9", 8)])
