"""``python -m tests.server.timed_server serve ...``: the server with measured callbacks of its event loop.

It uses Python's own event loop, whose callbacks can be measured. At the end it writes the longest callbacks, in
milliseconds of processor time with a description, to the file that WATCHED names.
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
    """The timer of every callback of the main thread's event loop after the first request."""

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
            return  # the server is still starting
        self.callbacks += 1
        if len(self.worst) < KEPT or seconds * 1000 > self.worst[-1][0]:
            self.worst = sorted([*self.worst, (seconds * 1000, name)], reverse=True)[:KEPT]


def describe_callback(handle: asyncio.Handle) -> str:
    """Return the request of a callback, or its name."""
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
