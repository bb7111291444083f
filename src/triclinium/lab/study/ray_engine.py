"""Engine that plays the parts of a study on a Ray cluster, with the same results as on one machine.

The plan is put into the object store once. If a node is lost, its parts are played again with the same result. Every
worker first plays the same match, so that one with other rules, components or another version is refused.
"""

import logging
import os
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from triclinium.engine.core.errors import BadSetup, TricliniumError
from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.worker import WorkerFingerprint, compute_fingerprint, play_part

QUEUED_PER_WORKER = 4  # tasks in flight for each core
MAX_RETRIES = 8  # retries of a part whose worker dies
TIMEOUT_SECONDS = 5.0  # time in which an address must answer; Ray itself would retry for many minutes
HTTP2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"  # connection preface of HTTP/2 (RFC 9113, 3.4)
FRAME_HEADER_BYTES = 9  # size of an HTTP/2 frame header: length in three bytes, type, flags, and stream in four
SETTINGS_FRAME = b"\x04"  # type of the frame that both sides of an HTTP/2 connection send first

# In a worker: its fingerprint for each study that it plays, by plan hash.
_fingerprints: dict[str, WorkerFingerprint] = {}


class RayEngine:
    """An engine that plays on the workers of a Ray cluster."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.checked_plans: set[str] = set()

    def play(self, plan: StudyPlan, parts: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        shared = ray.put(plan)
        own = get_cached_fingerprint(plan)
        if plan.hash not in self.checked_plans:
            self._check_workers(plan, shared, own)
        waiting = list(reversed(parts))
        tasks: dict[ray.ObjectRef, int] = {}
        try:
            while waiting or tasks:
                while waiting and len(tasks) < QUEUED_PER_WORKER * self.workers:
                    part = waiting.pop()
                    tasks[_remote_play.options(max_retries=MAX_RETRIES).remote(shared, part)] = part
                done, _ = ray.wait(list(tasks), num_returns=1)
                for ref in done:
                    part = tasks.pop(ref)
                    played: tuple[WorkerFingerprint, bytes] = _fetch_result(ref)
                    fingerprint, packed = played
                    check_fingerprints(own, [fingerprint])  # This worker may have joined after all others were checked.
                    yield part, packed
        finally:
            for ref in tasks:
                ray.cancel(ref, force=False)

    def _check_workers(self, plan: StudyPlan, shared: ray.ObjectRef, own: WorkerFingerprint) -> None:
        """Ask as many workers as there are for their fingerprints.

        Raise BadSetup if one plays other matches, or cannot play.
        """
        refs = [_remote_fingerprint.remote(shared) for _ in range(self.workers)]
        try:
            check_fingerprints(own, [_fetch_result(ref) for ref in refs])
        except RayTaskError as error:
            reason = f"{type(error.cause).__name__}: {get_first_line(error.cause)}"
            raise BadSetup(
                f"a worker of the cluster cannot play this study, but Triclinium {own.release} on this machine can: "
                f"{reason}"
            ) from None
        self.checked_plans.add(plan.hash)


def get_cached_fingerprint(plan: StudyPlan) -> WorkerFingerprint:
    """Return the fingerprint of this process for a study, and play the match only once."""
    if plan.hash not in _fingerprints:
        _fingerprints[plan.hash] = compute_fingerprint(plan)
    return _fingerprints[plan.hash]


def get_first_line(error: BaseException) -> str:
    """Return the first line of an error message, or the name of its class if there is no message."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def check_fingerprints(own: WorkerFingerprint, others: Sequence[WorkerFingerprint]) -> None:
    """Raise BadSetup if a worker does not play the same match as this machine."""
    for other in others:
        if other != own:
            raise BadSetup(
                f"a worker of the cluster has Triclinium {other.release} and plays different matches than this "
                f"machine, which has {own.release}"
            )


def _fetch_result(ref: object) -> Any:
    """Return the result of a task. Raise BadSetup with the message of the worker's own error."""
    try:
        return ray.get(ref)
    except RayTaskError as error:
        if isinstance(error.cause, TricliniumError):
            raise BadSetup(str(error.cause)) from None
        raise
    except RayError as error:
        raise BadSetup(f"workers of the cluster crashed: {get_first_line(error)}") from None


def _play_with_fingerprint(plan: StudyPlan, part: int) -> tuple[WorkerFingerprint, bytes]:
    return get_cached_fingerprint(plan), play_part(plan, part)


_remote_play = ray.remote(_play_with_fingerprint)
_remote_fingerprint = ray.remote(get_cached_fingerprint)


def check_address(address: str) -> None:
    """Raise OSError if nothing listens at ``HOST:PORT``, or if the service there cannot be Ray.

    The address ``auto`` is left to Ray unless RAY_ADDRESS names a host. With TLS, Ray checks the service itself.
    """
    target = (os.environ.get("RAY_ADDRESS") or address) if address == "auto" else address
    host, colon, port = target.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdigit()):
        return
    with socket.create_connection((host.strip("[]"), int(port)), TIMEOUT_SECONDS) as connection:
        if os.environ.get("RAY_USE_TLS", "0").lower() not in ("1", "true"):
            _check_http2(connection)


def _check_http2(connection: socket.socket) -> None:
    """Start an HTTP/2 connection, and raise OSError unless the server answers with its settings frame.

    Ray would wait for many minutes for a service that answers otherwise or not at all. It refuses another HTTP/2
    service in less than one minute by itself.
    """
    # An empty settings frame, which keeps all defaults
    connection.sendall(HTTP2_PREFACE + bytes(3) + SETTINGS_FRAME + bytes(5))
    end, received = time.monotonic() + TIMEOUT_SECONDS, b""
    while len(received) < FRAME_HEADER_BYTES:
        connection.settimeout(max(0.01, end - time.monotonic()))
        chunk = connection.recv(FRAME_HEADER_BYTES - len(received))
        if not chunk:
            break
        received += chunk
    if len(received) < FRAME_HEADER_BYTES or received[3:4] != SETTINGS_FRAME:
        raise OSError("a different program than Ray answered")


@contextmanager
def open_ray_engine(address: str) -> Iterator[RayEngine]:
    """Connect to the cluster at an address: ``auto`` for an existing one, ``local`` to start one on this machine."""
    try:
        check_address(address)
        ray.init(address=None if address == "local" else address, logging_level=logging.ERROR, log_to_driver=False)
    except Exception as error:
        raise BadSetup(f"no Ray cluster answers at {address}: {get_first_line(error)}") from None
    try:
        resources: dict[str, float] = ray.cluster_resources()
        yield RayEngine(max(1, int(resources.get("CPU", 1))))
    finally:
        ray.shutdown()
