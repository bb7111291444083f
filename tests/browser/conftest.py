"""A running server, and Debian's Chromium as its browser."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from bench.chromium import FLAGS, find_chromium
from bench.layout_checks import UNPAINTED
from bench.server_process import ServerProcess
from tests.forked_servers import ForkedServer

PATIENCE = 20_000  # milliseconds to wait for a page, because a machine may be busy
# Painting is half of a browser's work. Pages are therefore coarse unless a test measures boxes, and invisible unless a
# test checks colours (`seen`). Layout, events and scripts work as usual.
COARSE = 0.5
EXACT = 1.0
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as found:  # one per process
        yield found


@contextmanager
def open_browser(playwright: Playwright, light: bool) -> Iterator[Browser]:
    """Open a browser. The headless shell cannot show notifications."""
    path = find_chromium(light)
    assert path is not None, (
        "these tests need Chromium; `make test` installs it where it can (apt-get install chromium)"
    )
    browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    with open_browser(playwright, light=True) as found:
        yield found


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("house")
    running = ForkedServer(folder, 0, None, "--bot-pause", "0", "--hint-budget", "12x", "--local-hooks").start()
    yield running
    running.stop()


Visit = Callable[..., Page]


class Guests:
    """Browsers of people, cleared and reused so that cached files stay.

    `fresh` or unusual settings give a new browser.
    """

    USUAL: ClassVar[set[str]] = {"reduced_motion", "bypass_csp", "device_scale_factor", "java_script_enabled"}

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: dict[str, list[BrowserContext]] = defaultdict(list)
        self.here: list[tuple[str, BrowserContext]] = []

    def come(self, address: str, fresh: bool, seen: bool = False, **how: object) -> Page:
        options: dict[str, object] = {
            "base_url": address,
            "viewport": {"width": 1280, "height": 850},
            "device_scale_factor": COARSE,
            "reduced_motion": "reduce",
            "service_workers": "block",  # a test of notifications allows them
            **how,
        }
        usual = not fresh and self.USUAL.issuperset(how)
        kind = repr((seen, sorted(options.items()))) if usual else ""
        if self.free[kind]:
            context = self.free[kind].pop()
        else:
            context = self.browser.new_context(**options)  # type: ignore[arg-type]  # playwright's own keywords
            if not seen:
                context.add_init_script(UNPAINTED)
        self.here.append((kind, context))
        return context.new_page()

    def leave(self) -> None:
        while self.here:
            kind, context = self.here.pop()
            if kind:
                for page in context.pages:
                    page.close()
                context.clear_cookies()
                context.clear_permissions()
                self.free[kind].append(context)
            else:
                context.close()


@pytest.fixture(scope="session")
def guests(browser: Browser) -> Guests:
    return Guests(browser)


@pytest.fixture
def open_page(guests: Guests, server: ServerProcess) -> Iterator[Visit]:
    """Yield a function that opens a page in a separate browser. Errors on the page fail the test."""
    wrong: list[str] = []

    def come(fresh: bool = False, seen: bool = False, **how: object) -> Page:
        page = guests.come(server.address, fresh, seen, **how)
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if _matters(said.type, said.text) else None)
        return page

    yield come
    guests.leave()
    assert not wrong


def _matters(kind: str, text: str) -> bool:
    """Return whether an error on a page is a fault.

    Refusals and a short absence of a restarting server are not. For a plain network address Chromium reports that one
    header needs HTTPS.
    """
    return kind == "error" and not any(
        fine in text for fine in ("403", "404", "409", "ERR_", "Cross-Origin-Opener-Policy")
    )
