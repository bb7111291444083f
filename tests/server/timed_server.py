"""``python -m tests.server.timed_server serve ...``: the server as a process that times the work of its event loop.

Python's own loop is used, whose callbacks can be timed. At the end, what took longest is written to the file that
WATCHED names: milliseconds of processor time, and what it was.
"""

import asyncio
import json
import os
import sys
import threading
import time
from pathlib import Path

from triclinium.cli.main import main

KEPT = 20


class CallbackTimer:
    """Times every callback of the main thread's loop, once somebody has asked for something."""

    def __init__(self) -> None:
        self.worst: list[tuple[float, str]] = []
        self.callbacks = 0
        self.began = False
        run = asyncio.Handle._run

        def timed(handle: asyncio.Handle) -> None:
            name = describe_callback(handle)
            start = time.thread_time()
            run(handle)
            if threading.current_thread() is threading.main_thread():
                self.record_callback(time.thread_time() - start, name)

        asyncio.Handle._run = timed  # type: ignore[assignment, method-assign]

    def record_callback(self, seconds: float, name: str) -> None:
        self.began |= "/" in name
        if not self.began:
            return  # the server is still opening
        self.callbacks += 1
        if len(self.worst) < KEPT or seconds * 1000 > self.worst[-1][0]:
            self.worst = sorted([*self.worst, (seconds * 1000, name)], reverse=True)[:KEPT]


def describe_callback(handle: asyncio.Handle) -> str:
    """The request that a callback works on, or what it is called."""
    task = getattr(handle._callback, "__self__", None)  # type: ignore[attr-defined]
    if isinstance(task, asyncio.Task):
        coroutine = task.get_coro()
        frame = getattr(coroutine, "cr_frame", None)
        scope = getattr(frame.f_locals.get("self"), "scope", None) if frame is not None else None
        if scope is not None:
            return f"{scope['method']} {scope['path']}"
        return task.get_name()
    return repr(handle._callback)  # type: ignore[attr-defined]


if __name__ == "__main__":
    sys.modules["uvloop"] = None  # type: ignore[assignment]
    watch = CallbackTimer()
    status = main(sys.argv[1:])
    told = {"worst": watch.worst, "callbacks": watch.callbacks}
    Path(os.environ["WATCHED"]).write_text(json.dumps(told))
    sys.exit(status)
