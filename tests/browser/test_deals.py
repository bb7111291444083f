"""Browser tests of shared deals: a table on the same deal, by keyboard and on a phone, and the page that compares."""

import random
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import find_accessibility_problems
from tests.browser.conftest import EXACT, Visit
from tests.browser.page_actions import choose, post_form
from tests.slow import slow

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "device_scale_factor": EXACT}
SIDEWAYS = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
SEATED = {
    "game": "evangelists",
    "seats": "2",
    "kind0": "me",
    "kind1": "invite",
    "visibility": "link",
    "pace": "untimed",
}


def sign_in(page: Page, name: str) -> Page:
    post_form(page, "/me", {"name": name})
    return page


def sit_down(host: Page, guest: Page, **form: str) -> str:
    """Open a table with a free seat, let the guest take it, and return the table's path."""
    post_form(host, "/new", {**SEATED, **form})
    link = re.search(r"/invitations/\w+/\d/[0-9a-f]{32}", host.content())
    assert link is not None
    post_form(guest, link[0], {"name": ""})
    path = f"/tables/{link[0].split('/')[2]}"
    for page in (host, guest):
        page.goto("/rules")  # no page follows the moves, which would take most of the time
    return path


def play_out(path: str, people: list[Page], seed: int) -> None:
    """Play a match at random, each move by the person who has to decide."""
    chance = random.Random(seed)
    while True:
        facts = people[0].request.get(f"/api/v1{path}").json()
        if facts["status"] != "playing":
            return
        mover = people[facts["who"]]
        asked = mover.request.get(f"/api/v1{path}/options").json()
        option = chance.choice(asked["decision"]["options"])["option"]
        sent = {"option": option, "version": asked["version"], "seat": facts["who"]}
        answer = mover.request.post(f"/api/v1{path}/move", data=sent)
        assert answer.ok, answer.text()


def test_friends_open_tables_on_the_same_deal(open_page: Visit) -> None:
    """The first table makes the deal, its link opens a second table, and no key is needed but Enter."""
    anna, clara = sign_in(open_page(), "Anna"), sign_in(open_page(**PHONE), "Clara")
    anna.goto("/new?game=portals")
    choose(anna, "seats", "2")
    choose(anna, "kind1", "invite")
    anna.get_by_text("Same deal: other tables can play these cards").click()
    anna.locator(".opens").focus()
    anna.keyboard.press("Enter")
    anna.get_by_role("link", name="Go to the deal").focus()
    anna.keyboard.press("Enter")
    expect(anna.get_by_role("heading", level=1)).to_contain_text("Shared deal of")
    expect(anna.get_by_role("link", name="Your table")).to_be_visible()
    assert not find_accessibility_problems(anna, "an open deal")
    clara.goto(anna.url)
    assert not clara.evaluate(SIDEWAYS)
    clara.get_by_role("link", name="Open a table with this deal").focus()
    clara.keyboard.press("Enter")
    expect(clara.get_by_text("This table gets the same cards as the other tables")).to_be_visible()
    assert not clara.evaluate(SIDEWAYS)
    choose(clara, "kind1", "invite")
    clara.locator(".opens").focus()
    clara.keyboard.press("Enter")
    expect(clara.get_by_text("Several tables play this deal.")).to_be_visible()


@pytest.mark.parametrize(("language", "inspects"), [slow("en", True), ("fr", False)])
def test_a_closed_deal_compares_its_tables(open_page: Visit, language: str, inspects: bool) -> None:
    """axe needs a page without the content security policy, so the frames are checked with it in the other language."""
    names = ("Anna", "Ben", "Clara", "David")
    people = [sign_in(open_page(locale=language, bypass_csp=inspects), name) for name in names]
    anna = people[0]
    one = sit_down(anna, people[1], shared_deal="on")
    deal = anna.request.get(f"/api/v1{one}").json()["deal"]
    other = sit_down(people[2], people[3], deal=deal)
    play_out(one, people[:2], 1)
    anna.goto(f"/deals/{deal}")
    expect(anna.locator(".finished li")).to_have_count(2)
    expect(anna.locator("iframe")).to_have_count(0)
    play_out(other, people[2:], 2)
    expect(anna.locator(".finished li").or_(anna.locator(".dealt"))).not_to_have_count(0)
    anna.wait_for_timeout(300)
    anna.reload()
    expect(anna.locator("#parted")).to_be_visible()
    expect(anna.locator(".dealt tbody tr.mine")).to_have_count(1)
    expect(anna.frame_locator("iframe").first.locator("#board")).to_be_visible()
    if inspects:
        assert not find_accessibility_problems(anna, "a closed deal", "#main")
    anna.set_viewport_size({"width": 360, "height": 640})
    assert not anna.evaluate(SIDEWAYS)


def test_the_deal_of_the_day_starts_with_one_button(open_page: Visit) -> None:
    page = open_page()
    page.goto("/deals")
    assert not find_accessibility_problems(page, "the deals of the day")
    page.get_by_role("button", name="Play Portals and Prophets").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#question, .rail")).not_to_have_count(0)
    page.goto("/deals")
    expect(page.get_by_role("link", name="Your table")).to_be_visible()
