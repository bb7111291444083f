"""Pictures of the server: every title at named positions of real matches, as three sizes of screen show them.

``python -m bench.screenshots out/screenshots`` opens a server on a database of its own, lets bots play a match of each
title, seats somebody in the middle of it, and takes the pictures with Debian's Chromium. It stops by itself.
"""

import argparse
import asyncio
import contextlib
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from playwright.async_api import Browser, Page, async_playwright

from bench.running import free_port
from triclinium.bots import bot, choice
from triclinium.engine.core.rng import Rng
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.engine.registry import title as find_title
from triclinium.engine.registry import titles
from triclinium.server.auth import COOKIE
from triclinium.server.server import Server
from triclinium.server.settings import Settings
from triclinium.server.tables.create import NewTable, open_table
from triclinium.server.tables.options import SeatOptions, TableOptions
from triclinium.web.app import create

POSITIONS = {"start": 0.0, "middle": 0.5, "late": 0.85, "end": 1.0}  # how much of the match is played
SIZES = {"wide": (1440, 900), "small": (1024, 768), "phone": (390, 844)}
THEMES = ("light", "dark")
VISIONS = ("none", "protanopia", "deuteranopia", "tritanopia")  # what Chromium can show of colour blindness
NAMES = ("Miriam", "Lucan", "Drusilla", "Tertius", "Phoebe")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]  # of Chromium: there is nothing to draw on
LEVEL = "greedy"
SEED = 7


def played(id: str, seats: int, seed: int = SEED) -> Record:
    """A whole match between bots."""
    game = find_title(id)
    match = Match(game, seats, seed)
    player, rng = bot(LEVEL, game), Rng(seed)
    while not match.state.over:
        match.play(game.say(choice(player, match.state, rng)))
    return match.record


def position(whole: Record, share: float, who: int = 0) -> Record:
    """The match up to the first decision of a seat after this share of it, or to its last; the whole of it for 1."""
    if share >= 1.0:
        return whole
    s = whole.until(0).replay()
    game = find_title(whole.title)
    last = 0
    for n, option in enumerate(whole.options):
        if s.who == who:
            last = n
            if n >= share * len(whole.options):
                break
        s.choose(game.read(option))
    return whole.until(last)


class Studio:
    """A server with a browser in it."""

    def __init__(self, app: FastAPI, port: int, browser: Browser) -> None:
        server = app.state.server
        assert isinstance(server, Server)
        self.server = server
        self.address = f"http://127.0.0.1:{port}"
        self.browser = browser
        self.wrong: list[str] = []  # what the page that is open complains of
        self._matches: dict[tuple[str, int], Record] = {}
        self._pages: dict[str, Page] = {}  # of each size, one that goes from one address to the next

    async def table(self, id: str, name: str, who: int = 0, seats: int = 3) -> tuple[str, str]:
        """A table at a named position, where this seat decides: its path, and the secret of the person in seat 0."""
        seats = seats if seats in find_title(id).seats else find_title(id).seats[0]
        if (id, seats) not in self._matches:
            self._matches[id, seats] = await asyncio.to_thread(played, id, seats)
        record = position(self._matches[id, seats], POSITIONS[name], who)
        person, secret = await self.server.people.welcome(NAMES[0])
        places = [SeatOptions("me"), *(SeatOptions("bot", NAMES[seat], LEVEL) for seat in range(1, record.seats))]
        new = NewTable(find_title(id), places, TableOptions(record.variants), name="Antiochia")
        table = await open_table(self.server, person, new, record)
        return f"/t/{table.id}", secret

    @contextlib.asynccontextmanager
    async def page(self, path: str, size: str, theme: str, secret: str = "") -> AsyncIterator[Page]:
        """A page as this screen shows it; whatever goes wrong in it is raised."""
        if size not in self._pages:
            self._pages[size] = await self._opened(size)
        page = self._pages[size]
        width, height = SIZES[size]
        await page.set_viewport_size({"width": width, "height": height})
        await page.context.clear_cookies()
        if secret:
            await page.context.add_cookies([{"name": COOKIE, "value": secret, "url": self.address}])
        await page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
        self.wrong.clear()
        await page.goto(path, wait_until="load")
        await page.wait_for_timeout(300)  # the script fits the board
        yield page
        if self.wrong:
            raise RuntimeError(f"{path}: {'; '.join(self.wrong)}")

    async def _opened(self, size: str) -> Page:
        context = await self.browser.new_context(base_url=self.address, has_touch=size == "phone")
        page = await context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        return page

    async def take(
        self, folder: Path, name: str, path: str, secret: str, sizes: Sequence[str], visions: Sequence[str]
    ) -> list[Path]:
        """The pictures of one page."""
        taken: list[Path] = []
        for size in sizes:
            for theme in THEMES if size != "small" else THEMES[:1]:
                async with self.page(path, size, theme, secret) as page:
                    eyes = await page.context.new_cdp_session(page)
                    for vision in visions:
                        await eyes.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
                        file = folder / f"{name}-{size}-{theme}{'' if vision == 'none' else '-' + vision}.png"
                        await page.screenshot(path=file)
                        taken.append(file)
                    await eyes.detach()
        return taken


@contextlib.asynccontextmanager
async def studio() -> AsyncIterator[Studio]:
    """Open a server on loopback for as long as pictures are taken."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise SystemExit("the pictures are taken with Chromium, and there is none here (apt-get install chromium)")
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        app = create(Settings(f"sqlite:///{Path(folder) / 'house.db'}", limits=False, bot_pause=60.0))
        server = uvicorn.Server(
            uvicorn.Config(app, port=port, log_level="warning", timeout_graceful_shutdown=1, ws="none")
        )
        with server.capture_signals():
            serving = asyncio.create_task(server._serve())
            while not server.started:
                await asyncio.sleep(0.02)
                if serving.done():
                    raise RuntimeError("the house does not open")
            try:
                async with async_playwright() as playwright:
                    browser = await playwright.chromium.launch(executable_path=found, args=FLAGS)
                    yield Studio(app, port, browser)
                    await browser.close()
            finally:
                server.should_exit = True
                await serving


async def take_all(
    folder: Path,
    ids: Sequence[str],
    names: Sequence[str],
    sizes: Sequence[str],
    visions: Sequence[str] = VISIONS[:1],
) -> list[Path]:
    """Home, and each title at each position."""
    folder.mkdir(parents=True, exist_ok=True)
    async with studio() as open_server:
        taken = await open_server.take(folder, "home", "/", "", sizes, visions)
        for id in ids:
            for name in names:
                path, secret = await open_server.table(id, name)
                taken += await open_server.take(folder, f"{id}-{name}", path, secret, sizes, visions)
        return taken


def main() -> int:
    parser = argparse.ArgumentParser(description="Take pictures of the house.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--titles", nargs="+", default=titles(), choices=titles())
    parser.add_argument("--positions", nargs="+", default=list(POSITIONS), choices=list(POSITIONS))
    parser.add_argument("--sizes", nargs="+", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--visions", nargs="+", default=list(VISIONS[:1]), choices=list(VISIONS))
    args = parser.parse_args()
    taken = asyncio.run(take_all(args.folder, args.titles, args.positions, args.sizes, args.visions))
    sys.stdout.write(f"{len(taken)} pictures in {args.folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
