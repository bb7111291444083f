"""Tests of rearranging a gospel on the page: one click plays the fewest steps, and one line reports them."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.page_actions import uncover_table, upload
from tests.matches import RECORDS
from triclinium import Record
from triclinium.engine.registry import load_game
from triclinium.games.evangelists.rules.state import Evangelists


def find_rearrange() -> Record:
    """Return a match in which a player has just chosen a strong Rearrange."""
    path = RECORDS / "evangelists" / "2-stenographer-0.rec"
    record = Record.loads(path.read_text(encoding="utf-8"), path.name)
    last = max(n for n, option in enumerate(record.options) if option == "rearrange strong")
    return record.truncate(last + 1)


def cards(page: Page) -> list[str]:
    """Return the visible numbers on each page of the gospel, from left to right."""
    found = page.locator(".gospel [data-part]").evaluate_all(
        "all => all.map(one => [Number(one.style.order), [...one.querySelectorAll('.page')].map(page => "
        "[Number(getComputedStyle(page).order), page.querySelector('.init')?.textContent.trim() ?? '–'])])"
    )
    return [" ".join(number for _, number in sorted(leaf, key=lambda one: one[0])) for _, leaf in sorted(found)]


def test_a_strong_rearrange_is_arranged_and_confirmed_once(open_page: Visit) -> None:
    """AE-8.2, AE-R36  One click flips the first page, moves it to the right and ends the action: two steps."""
    record = find_rearrange()
    s = record.replay()
    assert isinstance(s, Evangelists)
    who = s.who
    page = open_page()
    upload(page, record)
    uncover_table(page)
    before = cards(page)
    page.locator("[data-part] .arranging").first.get_by_role("button", name="Flip").click()
    expect(page.locator(".arranged")).to_have_text("Arrange like this, in one step")
    page.locator("[data-part] .arranging").first.get_by_role("button", name="right").click()
    expect(page.locator(".arranged")).to_have_text("Arrange like this, in 2 steps")
    expect(page.locator(".arranged")).to_have_attribute("value", "leaf 1; flip; leaf 1; position 2; done")
    flipped = " ".join(reversed(before[0].split()))
    assert cards(page) == [before[1], flipped, *before[2:]]
    page.locator(".arranged").click()
    page.get_by_role("link", name="I am Seat").click()
    game = load_game("evangelists")
    for text in ("leaf 1", "flip", "leaf 1", "position 2", "done"):
        s.play(game.read(text))
    numbers = [str(card + 1) if card >= 0 else "–" for card in s.slots[who]]
    told = " ".join(f"[{numbers[i]} {numbers[i + 1]}]" for i in range(0, len(numbers), 2))
    expect(page.locator("body")).to_contain_text(f"(strong) in 2 steps: {told}")
