"""Geometry of the table of Ierusalem: words on cards, figures of rivals, the time machine, and captions."""

from bench.layout_checks import Window
from bench.screenshots import run_screenshot_server
from tests.browser.page_actions import match
from tests.event_loop import run_coroutine

# The script returns for each card of the hand whether the name of its Location is visible and complete.
WORDS = """() => [...document.querySelectorAll('.k-hand .k-card .k-title')].map(one => {
    const [word, card] = [one.getBoundingClientRect(), one.closest('.k-card').getBoundingClientRect()];
    return word.width > 0 && word.left >= card.left - 1 && word.right <= card.right + 1;
})"""
# The script returns the seats in one line that show three figures next to the points.
FIGURES = """() => [...document.querySelectorAll('.player')].map(one => {
    const points = one.querySelector('.pts').getBoundingClientRect();
    return [...one.querySelectorAll('.brief b')].filter(each => {
        const box = each.getBoundingClientRect();
        return box.width > 0 && box.right <= points.left + 1 && box.bottom <= one.getBoundingClientRect().bottom;
    }).length;
})"""
RANGE = """() => document.querySelector('.scrub input[type=range]').getBoundingClientRect().width"""
# The script finds words of the XXXIII A.D. deck outside their card, and overlapping captions of the Favor track.
DECK = """() => {
    const deck = document.querySelector('.p-xxxiii .dk').getBoundingClientRect();
    return [...document.querySelectorAll('.p-xxxiii .dn')].filter(one => {
        const box = one.getBoundingClientRect();
        return box.left < deck.left + 1 || box.right > deck.right - 1;
    }).length;
}"""
CAPTIONS = """() => {
    const found = document.querySelectorAll('.p-favors > .pt, .p-favors > .ps');
    const boxes = [...found].map(one => one.getBoundingClientRect());
    return boxes.filter((box, n) => n > 0 && box.left < boxes[n - 1].right).length;
}"""


async def measure(language: str, seats: int) -> dict[str, list[object]]:
    """Return the measures of the table in each window."""
    found: dict[str, list[object]] = {}
    windows = (Window(1440, 900), Window(1366, 768), Window(1280, 720), Window(1024, 768, touch=True))
    async with run_screenshot_server(light=True, match=match, painted=False) as server:
        path, secret = await server.table("ierusalem", "middle", seats=seats)
        async for page, window in server.windows(path, secret, language, windows):
            scripts = (WORDS, FIGURES, RANGE, DECK, CAPTIONS)
            found[str(window)] = [await page.evaluate(script) for script in scripts]
    return found


def test_words_and_figures_have_room_in_every_window() -> None:
    found = run_coroutine(measure("fr", 4))
    for window, (words, figures, width, deck, captions) in found.items():
        assert words, window
        assert all(words), f"{window}: cards of the hand without words"  # type: ignore[arg-type]  # a list
        assert figures == ([0] * 4 if window == "1440x900" else [3] * 4), window
        assert float(str(width)) > 120, f"{window}: the time machine is a dot"
        assert deck == 0, f"{window}: the deck's title leaves its card"
        assert captions == 0, f"{window}: captions of the Favor track overlap"
