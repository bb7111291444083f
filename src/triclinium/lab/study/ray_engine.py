"""Parts played on a Ray cluster: the same function as at home, so the same figures.

The plan is put into the object store once. A node that is lost costs its parts again and changes nothing. Every worker
first plays the same match: one with other rules, components or another Triclinium is refused before it counts.
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
from triclinium.lab.study.plan import Plan
from triclinium.lab.study.worker import Hello, greet, play_part

AHEAD = 4  # tasks in flight for each core
TRIES = 8  # of a part whose worker dies
PATIENCE = 5.0  # seconds in which an address must answer: Ray itself would knock for many minutes
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"  # the first words of HTTP/2 (RFC 9113, 3.4)
HEAD = 9  # bytes before each of its frames: the length in three, the kind, a flag, and the stream in four
SETTINGS = b"\x04"  # the kind of frame that both ends begin with

_greetings: dict[str, Hello] = {}  # in a worker: what it says of each study that it plays


class Cluster:
    """The workers of a Ray cluster."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.greeted: set[str] = set()

    def play(self, plan: Plan, parts: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        shared = ray.put(plan)
        own = greeting(plan)
        if plan.hash not in self.greeted:
            self._greet(plan, shared, own)
        waiting = list(reversed(parts))
        errands: dict[ray.ObjectRef, int] = {}
        try:
            while waiting or errands:
                while waiting and len(errands) < AHEAD * self.workers:
                    part = waiting.pop()
                    errands[_play.options(max_retries=TRIES).remote(shared, part)] = part
                done, _ = ray.wait(list(errands), num_returns=1)
                for ref in done:
                    part = errands.pop(ref)
                    played: tuple[Hello, bytes] = _result(ref)
                    told, packed = played
                    refuse_strangers(own, [told])  # it may have joined after all others were asked
                    yield part, packed
        finally:
            for ref in errands:
                ray.cancel(ref, force=False)

    def _greet(self, plan: Plan, shared: ray.ObjectRef, own: Hello) -> None:
        """Ask as many workers as there are; raises BadSetup if one of them would play something else, or cannot play
        at all what was played here."""
        asked = [_hello.remote(shared) for _ in range(self.workers)]
        try:
            refuse_strangers(own, [_result(ref) for ref in asked])
        except RayTaskError as error:
            told = f"{type(error.cause).__name__}: {first_line(error.cause)}"
            raise BadSetup(
                f"a worker of the cluster cannot play this study, which Triclinium {own.release} of this machine can: "
                f"{told}"
            ) from None
        self.greeted.add(plan.hash)


def greeting(plan: Plan) -> Hello:
    """What this process says of a study; the match is played once."""
    if plan.hash not in _greetings:
        _greetings[plan.hash] = greet(plan)
    return _greetings[plan.hash]


def first_line(error: BaseException) -> str:
    """What an error says, in one line; those that say nothing have a name."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def refuse_strangers(own: Hello, others: Sequence[Hello]) -> None:
    """Raise BadSetup if a worker does not play what this machine plays."""
    for found in others:
        if found != own:
            raise BadSetup(
                f"a worker of the cluster has Triclinium {found.release} and plays another match than this machine, "
                f"which has {own.release}"
            )


def _result(ref: object) -> Any:
    """What a worker answers; its one sentence, if it has one."""
    try:
        return ray.get(ref)
    except RayTaskError as error:
        if isinstance(error.cause, TricliniumError):
            raise BadSetup(str(error.cause)) from None
        raise
    except RayError as error:
        raise BadSetup(f"workers of the cluster died over a part: {first_line(error)}") from None


def _greeted(plan: Plan, part: int) -> tuple[Hello, bytes]:
    return greeting(plan), play_part(plan, part)


_play = ray.remote(_greeted)
_hello = ray.remote(greeting)


def knock(address: str) -> None:
    """Raise OSError where nothing listens at ``HOST:PORT``, or something that cannot be Ray.

    Ray looks for a cluster without an address itself. Where it speaks by TLS it is left to Ray to find out who answers.
    """
    named = (os.environ.get("RAY_ADDRESS") or address) if address == "auto" else address
    host, colon, port = named.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdigit()):
        return
    with socket.create_connection((host.strip("[]"), int(port)), PATIENCE) as line:
        if os.environ.get("RAY_USE_TLS", "0").lower() not in ("1", "true"):
            _greet_http2(line)


def _greet_http2(line: socket.socket) -> None:
    """Begin to speak HTTP/2, as all of Ray does, and hear the settings with which its other end must begin.

    Of whoever answers otherwise, or never, Ray would wait for many minutes; it takes less than one to refuse another
    service that speaks so.
    """
    line.sendall(PREFACE + bytes(3) + SETTINGS + bytes(5))  # settings of no length: all as usual
    end, heard = time.monotonic() + PATIENCE, b""
    while len(heard) < HEAD:
        line.settimeout(max(0.01, end - time.monotonic()))
        came = line.recv(HEAD - len(heard))
        if not came:
            break
        heard += came
    if len(heard) < HEAD or heard[3:4] != SETTINGS:
        raise OSError("what answers there is not Ray")


@contextmanager
def by_ray(address: str) -> Iterator[Cluster]:
    """Workers of the cluster at an address, of the one at hand for ``auto``, or of one started here for ``local``."""
    try:
        knock(address)
        ray.init(address=None if address == "local" else address, logging_level=logging.ERROR, log_to_driver=False)
    except Exception as error:
        raise BadSetup(f"no Ray cluster answers at {address}: {first_line(error)}") from None
    try:
        resources: dict[str, float] = ray.cluster_resources()
        yield Cluster(max(1, int(resources.get("CPU", 1))))
    finally:
        ray.shutdown()
