"""Layout tests of every table in many windows: no sideways scrolling, no clipped text, and a visible decision.

`bench.layout_checks` measures. The fast test checks each game's table in a fifth of the windows, with position,
language and number of seats changing from game to game. The slow tests check all combinations, axe in light and dark,
and clipped text at twenty positions of a match in five windows.

``layout_limits.toml`` counts the faults that a page of a game may still have. Its numbers may only fall; without a
number there, no fault is allowed.
"""

import itertools
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.async_api import Page

from bench.example import KUHN, install
from bench.layout_checks import DECIDING, ENDED, WINDOWS, Window, find_faults
from bench.screenshots import LANGUAGES, ScreenshotServer, run_screenshot_server
from tests.browser.page_actions import match
from tests.event_loop import run_coroutine
from tests.slow import slow
from triclinium.engine.registry import list_games, load_game

POSITIONS = ("start", "middle", "late")
TWENTY = tuple(f"{n / 20:.2f}" for n in range(1, 21))  # shares of a match at which clipped texts are searched
FIVE = ("1440x900", "1366x768", "1280x800", "820x1180", "390x844")
# In these windows an unfolded guide would cover the decision.
LOWEST = tuple(window for window in WINDOWS if window.height < 800)
LAYOUTS = ("1440x900", "1280x800", "683x384", "820x1180", "390x844")  # one window of each layout
CUT = ("cut", "spills", "sideways")
PLAIN = (*CUT, "unseen", "small", "empty")  # kinds of faults that scripts, which place map labels, do not affect
LIMITS: dict[str, dict[str, int]] = tomllib.loads(Path(__file__).with_name("layout_limits.toml").read_text("utf-8"))
AXE = {"resultTypes": ["violations"]}
COLOURLESS = {"rules": {"color-contrast": {"enabled": False}}}

Case = tuple[str, int, str]  # position, number of seats, and language


@pytest.fixture
def kuhn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install Kuhn poker as a game without its own templates."""
    install(tmp_path, "kuhn_poker", {"kuhn": "kuhn:GAME"})
    monkeypatch.syspath_prepend(str(KUHN))
    monkeypatch.syspath_prepend(str(tmp_path))


def cases(id: str, turn: int, whole: bool) -> Iterator[tuple[Case, list[Window]]]:
    """Yield the positions, seats and languages to check, each with its windows."""
    ends = (load_game(id).seats[0], load_game(id).seats[-1])
    if whole:
        for case in itertools.product(POSITIONS, sorted(set(ends)), LANGUAGES):
            yield case, list(WINDOWS)
    else:
        case = (POSITIONS[turn % 3], ends[turn % 2], LANGUAGES[turn // 2 % 2])
        yield case, list(WINDOWS[turn % 5 :: 5])


async def find_axe_faults(page: Page, whole: bool) -> list[str]:
    """Return the findings of axe in light and dark. Fast tests check the colours in `test_page_appearance.py`."""
    found: list[str] = []
    await page.evaluate("() => { document.adoptedStyleSheets = []; }")  # axe ignores invisible elements
    for scheme in ("light", "dark") if whole else ("light",):
        await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        answer = await Axe().run(page, options=AXE if whole else {**AXE, **COLOURLESS})
        found += [
            f"axe {scheme}: {one['id']}: {one['nodes'][0]['html'][:160]}" for one in answer.response["violations"]
        ]
    return found


def drop_allowed(id: str, found: list[str]) -> list[str]:
    """Return the faults of a page of which there are more than the limits of its game allow."""
    kinds = Counter(what.split(":")[0] for what in found)
    limits = LIMITS.get(id, {})
    return [what for what in found if kinds[kind := what.split(":")[0]] > limits.get(kind, 0)]


async def measure_table(server: ScreenshotServer, id: str, turn: int, whole: bool) -> list[str]:
    """Return every fault of a game's table with its place."""
    wrong: list[str] = []
    for (position, seats, language), windows in cases(id, turn, whole):
        path, secret = await server.table(id, position, seats=seats)
        async for page, window in server.windows(path, secret, language, windows):
            found = drop_allowed(id, await find_faults(page, window))
            if str(window) in LAYOUTS if whole else window == windows[turn % len(windows)]:
                found += await find_axe_faults(page, whole)
            wrong += [f"{id} {position} {seats} {language} {window}: {what}" for what in found]
    return wrong


async def find_cut_texts(server: ScreenshotServer, id: str, which: Case, windows: list[Window]) -> list[str]:
    """Return the clipped texts of a table in any of these windows."""
    share, seats, language = which
    wrong: list[str] = []
    path, secret = await server.table(id, share, seats=seats)
    wanted = ENDED if share == TWENTY[-1] else DECIDING
    async for page, window in server.windows(path, secret, language, windows):
        found = [what for what in await find_faults(page, window, wanted) if what.split(":")[0] in CUT]
        wrong += [f"{id} {share} {seats} {language} {window}: {what}" for what in found]
    return wrong


async def measure_twenty_positions(server: ScreenshotServer, id: str) -> list[str]:
    """Return the clipped texts along a match, with the fewest and the most seats, in both languages."""
    windows = [window for window in WINDOWS if str(window) in FIVE]
    wrong: list[str] = []
    ends = sorted({load_game(id).seats[0], load_game(id).seats[-1]})
    for which in itertools.product(TWENTY, ends, LANGUAGES):
        wrong += await find_cut_texts(server, id, which, windows)
    return wrong


async def measure_without_scripts(server: ScreenshotServer, id: str, windows: Sequence[Window]) -> list[str]:
    """Return the faults of pages without scripts, where the guide is not folded."""
    wrong: list[str] = []
    path, secret = await server.table(id, "middle")
    async for page, window in server.windows(path, secret, "en", windows, scripted=False):
        found = [what for what in await find_faults(page, window) if what.split(":")[0] in PLAIN]
        wrong += [f"{id} without script {window}: {what}" for what in found]
    return wrong


@pytest.mark.parametrize("only", ["", *map(slow, [*list_games(), "kuhn"])])
def test_every_table_fits_every_window(kuhn: None, only: str) -> None:
    """Every table fits every window, and axe finds nothing. The slow tests check one game each in all windows.

    The first option and the footer are visible, and targets have at least 40 px, or 44 for touch. The decision is also
    visible without scripts, where the guide is not folded.
    """

    async def visit() -> list[str]:
        games = [only] if only else list_games()
        async with run_screenshot_server(light=True, match=match, painted=False) as server:
            wrong = [
                what for turn, id in enumerate(games) for what in await measure_table(server, id, turn, bool(only))
            ]
            return wrong + await measure_without_scripts(server, only or "portals", WINDOWS if only else LOWEST[::3])

    wrong = run_coroutine(visit())
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("id", list_games())
def test_no_text_is_cut_along_a_match(id: str) -> None:
    async def visit() -> list[str]:
        async with run_screenshot_server(light=True, match=match, painted=False) as server:
            return await measure_twenty_positions(server, id)

    wrong = run_coroutine(visit())
    assert not wrong, "\n".join(wrong)
