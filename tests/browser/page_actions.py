"""Actions of a player in the browser, with the mouse or with the keyboard only."""

import random
import re
import time
from functools import cache

from playwright.sync_api import FilePayload, Page

from bench.screenshots import play_bot_match
from tests.matches import RECORDS, SHORT
from triclinium import Record
from triclinium.engine.registry import load_game

OPTIONS = "#decision button.option"
FOLDED = f"""value => document.activeElement.matches('summary') && !document.activeElement.parentElement.open
    && [...document.activeElement.parentElement.querySelectorAll('{OPTIONS}')].some(one => one.value === value)"""
# The server closes a connection that was idle for seconds, perhaps while the next request is being sent.
KEPT_OPEN = 2
FOCUSED = f"value => document.activeElement.matches('{OPTIONS}') && document.activeElement.value === value"


def set_table(page: Page, id: str, other: str = "bot") -> None:
    """Fill in the form of a new table with the fewest seats that the game allows."""
    page.goto(f"/new?game={id}")
    for name, value in SHORT.get(id, {}).items():
        choose(page, f"variant-{name}", value)
    page.locator(f".seatpick-{load_game(id).seats[0]}").check(force=True)
    if other == "hot":
        page.locator(".d-one").check(force=True)
    for seat in range(1, load_game(id).seats[0]):
        kind = "invite" if other == "hot" else other
        page.locator(f"input[name=kind{seat}][value={kind}]").check(force=True)
        if other == "bot":
            page.locator(f"#bot{seat}").select_option("novice")
    page.locator("#me").fill("Miriam")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/tables/*")


def choose(page: Page, field: str, value: str) -> None:
    """Choose a variant of the table in its select box, number field or list."""
    found = page.locator(f"[name={field}]")
    if found.first.get_attribute("type") == "radio":
        page.locator(f'[name={field}][value="{value}"]').check(force=True)
    elif found.first.get_attribute("type") == "number":
        found.fill(value)
    else:
        found.select_option(value)


def open_table(page: Page, id: str, other: str = "bot") -> None:
    """Open a table with a request outside the page, because the page of the form takes longer than the table's page."""
    seats, hot = load_game(id).seats[0], other == "hot"
    form = {"game": id, "seats": str(seats), "device": "one" if hot else "own", "kind0": "me"}
    for seat in range(1, seats):
        form |= {f"kind{seat}": "invite" if hot else other, f"bot{seat}": "novice"}
    form |= {f"variant-{name}": value for name, value in SHORT.get(id, {}).items()}
    form |= {
        "visibility": "link",
        "pace": "untimed",
        "undo": "on",
        "hints": "on",
        "player": "Miriam",
        "guide_offered": "1",
        "guide": "on",
    }
    post_form(page, "/new", form)


@cache
def load_golden_record(id: str, seats: int = 0) -> Record:
    """Return a golden record of a game by the current rules, with this many seats or the fewest."""
    game = load_game(id)
    path = RECORDS / id / f"{seats or game.seats[0]}.rec"
    return Record.loads(path.read_text(encoding="utf-8"), path.name)


def match(id: str, seats: int) -> Record:
    """Return a golden match, or a match of bots for a game without any."""
    return load_golden_record(id, seats) if (RECORDS / id).is_dir() else play_bot_match(id, seats)


def upload(page: Page, record: Record, by_hand: bool = False) -> None:
    """Upload a record as a table. An unfinished match continues on this device."""
    if by_hand:
        page.goto("/tables")
        page.locator("#record").set_input_files(make_file_payload(record))
        page.get_by_role("button", name="Open", exact=True).click()
        page.wait_for_url("**/tables/*")
    else:
        post_form(page, "/records", record=make_file_payload(record))


def make_file_payload(record: Record) -> FilePayload:
    return {"name": "match.txt", "mimeType": "text/plain", "buffer": record.dumps().encode()}


def read_csrf_token(page: Page) -> str:
    """Return the form token of this person."""
    found = re.search(r'name="csrf" value="([^"]+)"', page.request.get("/", max_retries=KEPT_OPEN).text())
    assert found is not None
    return found[1]


def post_form(page: Page, path: str, form: dict[str, str] | None = None, **files: FilePayload) -> None:
    """Send a form outside the page, and open the page that it leads to."""
    fields = {"csrf": read_csrf_token(page), **(form or {})}
    if files:
        answer = page.request.post(path, multipart={**fields, **files}, max_redirects=0, max_retries=KEPT_OPEN)
    else:
        answer = page.request.post(path, form=dict(fields), max_redirects=0, max_retries=KEPT_OPEN)
    assert answer.status == 303, answer.text()
    page.goto(answer.headers["location"])


def uncover_table(page: Page) -> None:
    """Take over the device from the previous player, and wait until this player may choose."""
    page.locator(f"main.cover a, {OPTIONS}").first.wait_for()
    if page.locator("main.cover a").count():
        page.locator("main.cover a").click()
    page.locator(OPTIONS).first.wait_for()


def is_over(page: Page) -> bool:
    return page.locator("section.result").count() > 0


def wait_until_asked(page: Page, seconds: float = 30.0) -> bool:
    """Wait until this page may choose. Return False if the match is over."""
    page.wait_for_function(
        "() => document.querySelector('#decision button.option') || document.querySelector('section.result')",
        timeout=seconds * 1000,
    )
    return not is_over(page)


def version(page: Page) -> str:
    found = page.locator("body").get_attribute("data-version")
    assert found is not None
    return found


def wait_until_moved(page: Page, before: str) -> None:
    page.wait_for_function("before => document.body.dataset.version !== before", arg=before, timeout=20_000)


CLOSING = ("pass", "end", "done", "skip", "decline", "stop", "none")  # these options bring a match nearer to its end


def pick(page: Page, chance: random.Random) -> str:
    """Return a random option, preferably one that ends something, because whole matches are long."""
    values: list[str] = page.locator(OPTIONS).evaluate_all("buttons => buttons.map(one => one.value)")
    closing = [value for value in values if value.split()[0] in CLOSING]
    return closing[-1] if closing and chance.random() < 0.85 else chance.choice(values)


def choose_by_mouse(page: Page, chance: random.Random) -> None:
    """Choose an option with the mouse, after unfolding it if necessary."""
    before = version(page)
    value = pick(page, chance)
    wanted = page.locator(f'{OPTIONS}[value="{value}"]')
    if not wanted.is_visible():
        fold = page.locator("#decision details", has=page.locator(f'button[value="{value}"]'))
        fold.locator("> summary").click()
    wanted.click()
    wait_until_moved(page, before)


def choose_by_keyboard(page: Page, chance: random.Random) -> None:
    """Choose an option with Tab and Enter only."""
    choose_by_tab(page, pick(page, chance))


def choose_by_tab(page: Page, wanted: str) -> None:
    """Choose this button with Tab and Enter only."""
    before = version(page)
    for _ in range(400):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED, wanted):
            break
        if page.evaluate(FOLDED, wanted):
            page.keyboard.press("Enter")
    else:
        raise AssertionError(f"{wanted} cannot be reached with Tab")
    page.keyboard.press("Enter")
    wait_until_moved(page, before)


def choose_by_number(page: Page, chance: random.Random) -> int:
    """Choose an option by the number next to it, and return the keys pressed."""
    before = version(page)
    values: list[str] = page.locator(OPTIONS).evaluate_all("buttons => buttons.map(one => one.value)")
    wanted = pick(page, chance)
    nines, place = divmod(values.index(wanted), 9)
    keys = [*("0" * nines), str(place + 1)]
    if not page.locator(f'{OPTIONS}[value="{wanted}"]').is_visible():
        keys.append("Enter")  # its number unfolds it
    for key in keys:
        page.keyboard.press(key)
    wait_until_moved(page, before)
    return len(keys)


def play_until_over(page: Page, how: str, most: int = 10_000, seed: int = 1, seconds: float = 1500.0) -> None:
    """Play by number keys to the final score, or for this many decisions.

    A decision must take at most two keys, and each new question must have the focus.
    """
    chance = random.Random(seed)
    until = time.monotonic() + seconds
    keys: list[int] = []
    for _ in range(most):
        if not wait_until_asked(page):
            break
        assert time.monotonic() < until
        if how == "mouse":
            choose_by_mouse(page, chance)
        elif how == "number":
            assert not keys or page.evaluate("document.activeElement.id === 'question'")
            keys.append(choose_by_number(page, chance))
        else:
            choose_by_keyboard(page, chance)
    assert sum(keys) <= 2 * len(keys)
