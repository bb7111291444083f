"""Screenshots of the server: every game at named positions of real matches, in twelve window sizes.

``python -m bench.screenshots out/screenshots`` starts a server with its own database and lets bots play a match of each
game. It seats a person in the middle of each match, takes the screenshots with Debian's Chromium and stops. It reports
layout faults and fails if there are any.
"""

import argparse
import asyncio
import contextlib
import itertools
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from playwright.async_api import Browser, Page, async_playwright

from bench.chromium import FLAGS, find_chromium
from bench.example import add_kuhn
from bench.layout_checks import DECIDING, ENDED, UNPAINTED, WINDOWS, Window, find_faults, resize
from bench.server_process import find_free_port
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.engine.registry import list_games, load_game
from triclinium.server.http.auth import SESSION_COOKIE
from triclinium.server.services import Services
from triclinium.server.settings import Settings
from triclinium.server.tables.create import NewTable, open_table
from triclinium.server.tables.options import SeatOptions, TableOptions
from triclinium.server.tables.seats import take_seat
from triclinium.web.app import create_app

POSITIONS = {"start": 0.0, "middle": 0.5, "late": 0.85, "end": 1.0}  # share of the match that is played
SIZES = {"wide": (1440, 900), "small": (1024, 768), "phone": (390, 844)}
THEMES = ("light", "dark")
LANGUAGES = ("en", "fr")
VISIONS = ("none", "protanopia", "deuteranopia", "tritanopia")  # colour vision deficiencies that Chromium can simulate
NAMES = ("Miriam", "Lucan", "Drusilla", "Tertius", "Phoebe")
LEVEL = "greedy"
SEED = 7


@cache
def play_bot_match(id: str, seats: int, seed: int = SEED) -> Record:
    """Return the record of a complete match between bots."""
    game = load_game(id)
    match = Match(game, seats, seed)
    player, rng = create_bot(LEVEL, game), Rng(seed)
    while not match.state.over:
        match.play(game.format_option(choose_option(player, match.state, rng)))
    return match.record


def truncate_to_position(whole: Record, share: float, who: int = 0) -> Record:
    """Return the match up to the first decision of a seat after this share, or up to its last decision.

    A share of 1 returns the whole match.
    """
    if share >= 1.0:
        return whole
    s = whole.truncate(0).replay()
    game = load_game(whole.game_id)
    last = 0
    for n, option in enumerate(whole.options):
        if s.who == who:
            last = n
            if n >= share * len(whole.options):
                break
        s.choose(game.read(option))
    return whole.truncate(last)


Matches = Callable[[str, int], Record]  # returns a match of a game with this number of seats


class ScreenshotServer:
    """A running server with a browser."""

    def __init__(self, app: FastAPI, port: int, browser: Browser, match: Matches, painted: bool) -> None:
        server = app.state.services
        assert isinstance(server, Services)
        self.server = server
        self.address = f"http://127.0.0.1:{port}"
        self.browser = browser
        self.match = match
        self.painted = painted
        self.wrong: list[str] = []  # errors of the current page
        self._matches: dict[tuple[str, int], Record] = {}
        self._pages: dict[str, Page] = {}  # one page of each kind, reused for all addresses

    async def table(self, id: str, name: str, who: int = 0, seats: int = 3) -> tuple[str, str]:
        """Open a table at a position where seat ``who`` decides. Return its path and the session secret of seat 0.

        ``name`` is a named position or the share of the match that is played.
        """
        seats = seats if seats in load_game(id).seats else load_game(id).seats[0]
        if (id, seats) not in self._matches:
            self._matches[id, seats] = await asyncio.to_thread(self.match, id, seats)
        share = POSITIONS[name] if name in POSITIONS else float(name)
        record = truncate_to_position(self._matches[id, seats], share, who)
        person, secret = await self.server.people.create_person(NAMES[0])
        places = [SeatOptions("me"), *(SeatOptions("bot", NAMES[seat], LEVEL) for seat in range(1, record.seats))]
        if who:  # a person who does not move; a bot would move on at once
            places[who] = SeatOptions("invite")
        new = NewTable(load_game(id), places, TableOptions(record.variants), name="Antiochia")
        table = await open_table(self.server, person, new, record)
        if who:
            other, _ = await self.server.people.create_person(NAMES[who])
            await take_seat(self.server, table, table.occupants[who], other)
        return f"/tables/{table.id}", secret

    @contextlib.asynccontextmanager
    async def page(self, path: str, size: str, theme: str, secret: str = "") -> AsyncIterator[Page]:
        """Yield a page as this screen shows it. Raise an error if the page reports one."""
        page = await self._load_page(size, Window(*SIZES[size], touch=size == "phone"), path, secret, theme)
        await page.wait_for_timeout(300)  # the page's script fits the board to the window
        yield page
        self._raise_page_errors(path)

    async def windows(
        self, path: str, secret: str, language: str, windows: Iterable[Window] = WINDOWS, scripted: bool = True
    ) -> AsyncIterator[tuple[Page, Window]]:
        """Yield a page in one window after another. It is loaded once for mouse and once for touch, and then shrunk."""
        for touch in (False, True):
            several = [window for window in windows if window.touch == touch]
            if not several:
                continue
            how: dict[str, object] = {"locale": language, "java_script_enabled": scripted, "bypass_csp": True}
            page = await self._load_page(f"{language} {touch} {scripted}", several[0], path, secret, "light", **how)
            for window in several:
                await resize(page, window, scripted, window != several[0])
                yield page, window
            self._raise_page_errors(path)

    async def _load_page(
        self, kind: str, window: Window, path: str, secret: str, theme: str = "light", **how: object
    ) -> Page:
        """Return the page of this kind after it has loaded an address for a person."""
        if kind not in self._pages:
            self._pages[kind] = await self._open_page(has_touch=window.touch, **how)
        page = self._pages[kind]
        await page.set_viewport_size({"width": window.width, "height": window.height})
        await page.context.clear_cookies()
        if secret:
            await page.context.add_cookies([{"name": SESSION_COOKIE, "value": secret, "url": self.address}])
        await page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
        self.wrong.clear()
        await page.goto(path, wait_until="load")
        return page

    def _raise_page_errors(self, path: str) -> None:
        if self.wrong:
            raise RuntimeError(f"{path}: {'; '.join(self.wrong)}")

    async def _open_page(self, **how: object) -> Page:
        context = await self.browser.new_context(base_url=self.address, **how)  # type: ignore[arg-type]  # playwright's
        if not self.painted:
            await context.add_init_script(UNPAINTED)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        return page


async def take_screenshots(page: Page, start: str, visions: Sequence[str]) -> list[Path]:
    """Take screenshots of a page in both themes and with simulated colour vision deficiencies."""
    taken: list[Path] = []
    eyes = await page.context.new_cdp_session(page)
    for theme in THEMES:
        await page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        for vision in visions:
            await eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
            taken.append(Path(f"{start}-{theme}{'' if vision == 'none' else '-' + vision}.png"))
            await page.screenshot(path=taken[-1])
    await eyes.detach()
    return taken


@contextlib.asynccontextmanager
async def run_screenshot_server(
    light: bool = False, match: Matches = play_bot_match, painted: bool = True
) -> AsyncIterator[ScreenshotServer]:
    """Start a server on loopback with a browser, and yield both as a `ScreenshotServer`.

    Pages that are only measured or operated need not be painted.
    """
    found = find_chromium(light)
    if found is None:
        raise SystemExit("Chromium is needed for screenshots and was not found (apt-get install chromium)")
    with tempfile.TemporaryDirectory() as folder:
        port = find_free_port()
        app = create_app(Settings(f"sqlite:///{Path(folder) / 'house.db'}", limits=False, bot_pause=60.0))
        server = uvicorn.Server(
            uvicorn.Config(app, port=port, log_level="warning", timeout_graceful_shutdown=1, ws="none")
        )
        with server.capture_signals():
            serving = asyncio.create_task(server._serve())
            while not server.started:
                await asyncio.sleep(0.02)
                if serving.done():
                    raise RuntimeError("the server does not start")
            try:
                async with async_playwright() as playwright:
                    browser = await playwright.chromium.launch(executable_path=found, args=FLAGS)
                    yield ScreenshotServer(app, port, browser, match, painted)
                    await browser.close()
            finally:
                server.should_exit = True
                await serving


@dataclass
class ScreenshotResult:
    """The screenshots and the layout faults found."""

    files: list[Path] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ScreenshotPlan:
    """The screenshots to take."""

    game_ids: Sequence[str]
    positions: Sequence[str] = tuple(POSITIONS)
    windows: Sequence[Window] = WINDOWS
    languages: Sequence[str] = LANGUAGES
    visions: Sequence[str] = VISIONS[:1]


async def take_all(
    folder: Path, wanted: ScreenshotPlan, light: bool = False, match: Matches = play_bot_match
) -> ScreenshotResult:
    """Take screenshots of the home page, and of each game at each position with the fewest and the most seats."""
    folder.mkdir(parents=True, exist_ok=True)
    taken = ScreenshotResult()
    async with run_screenshot_server(light, match) as server:
        for language in wanted.languages:
            async for page, window in server.windows("/", "", language, wanted.windows):
                taken.files += await take_screenshots(page, f"{folder}/home-{language}-{window}", wanted.visions)
            for id, name in itertools.product(wanted.game_ids, wanted.positions):
                for seats in sorted({load_game(id).seats[0], load_game(id).seats[-1]}):
                    await _take_table(server, folder, wanted, (id, name, seats, language), taken)
    return taken


async def _take_table(
    server: ScreenshotServer,
    folder: Path,
    wanted: ScreenshotPlan,
    which: tuple[str, str, int, str],
    taken: ScreenshotResult,
) -> None:
    """Take screenshots of one table in all windows."""
    id, name, seats, language = which
    path, secret = await server.table(id, name, seats=seats)
    async for page, window in server.windows(path, secret, language, wanted.windows):
        start = f"{id}-{name}-{seats}-{language}-{window}"
        found = await find_faults(page, window, ENDED if name == "end" else DECIDING)
        taken.faults += [f"{start}: {what}" for what in found]
        taken.files += await take_screenshots(page, f"{folder}/{start}", wanted.visions)


def main() -> int:
    sizes = {str(window): window for window in WINDOWS}
    with tempfile.TemporaryDirectory() as beside:
        add_kuhn(Path(beside))
        parser = argparse.ArgumentParser(description="Take screenshots of the server.")
        parser.add_argument("folder", type=Path)
        parser.add_argument("--games", nargs="+", default=list_games(), choices=list_games())
        parser.add_argument("--positions", nargs="+", default=list(POSITIONS), choices=list(POSITIONS))
        parser.add_argument("--sizes", nargs="+", default=list(sizes), choices=list(sizes))
        parser.add_argument("--languages", nargs="+", default=list(LANGUAGES), choices=LANGUAGES)
        parser.add_argument("--visions", nargs="+", default=list(VISIONS[:1]), choices=list(VISIONS))
        args = parser.parse_args()
        windows = [sizes[size] for size in args.sizes]
        wanted = ScreenshotPlan(args.games, args.positions, windows, args.languages, args.visions)
        taken = asyncio.run(take_all(args.folder, wanted))
    sys.stdout.write("".join(f"{what}\n" for what in taken.faults))
    sys.stdout.write(f"{len(taken.files)} pictures in {args.folder}, {len(taken.faults)} faults\n")
    return 1 if taken.faults else 0


if __name__ == "__main__":
    sys.exit(main())
