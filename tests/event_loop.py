"""Coroutines in tests that run next to a browser's event loop."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def run_coroutine(work: Coroutine[None, None, T]) -> T:
    """Run a coroutine in a separate thread, because the browser's event loop may be running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
