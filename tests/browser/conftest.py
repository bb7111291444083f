"""A running server, and Debian's Chromium to visit it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from bench.running import Running
from bench.screenshots import FLAGS
from tests.nursery import Newborn
from tests.pace import QUIET

PATIENCE = 20_000  # milliseconds: a machine may have other things to do
COARSE = 1.0 if QUIET else 0.5  # of a browser whose picture nobody measures: half of its work is painting
EXACT = 1.0
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    assert path is not None, (
        "these tests need Chromium; `make test` installs it where it can (apt-get install chromium)"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("house")
    running = Newborn(folder, 0, None, "--bot-pause", "0", "--hint-budget", "40x", "--local-hooks").start()
    yield running
    running.stop()


Visit = Callable[..., Page]


@pytest.fixture
def visit(chromium: Browser, server: Running) -> Iterator[Visit]:
    """Somebody with a browser of their own; what goes wrong on the page fails the test."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def come(**how: object) -> Page:
        options: dict[str, object] = {
            "base_url": server.address,
            "viewport": {"width": 1280, "height": 850},
            "device_scale_factor": COARSE,
            **how,
        }
        context = chromium.new_context(**options)  # type: ignore[arg-type]  # playwright's own keywords
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if _matters(said.type, said.text) else None)
        return page

    yield come
    for context in contexts:
        context.close()
    assert not wrong


def _matters(kind: str, text: str) -> bool:
    """A refusal is an answer, not a fault of the page; a server that restarts is away for a moment.

    By a plain network address Chromium says of one header that it needs HTTPS.
    """
    return kind == "error" and not any(fine in text for fine in ("404", "409", "ERR_", "Cross-Origin-Opener-Policy"))
