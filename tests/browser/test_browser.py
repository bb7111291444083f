"""Tests of the server in a real browser."""

import random
import re
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from bench.server_process import ServerProcess
from tests.browser import test_page_appearance as looks
from tests.browser.axe import COLOURLESS, find_accessibility_problems, find_violations
from tests.browser.conftest import EXACT, Visit
from tests.browser.page_actions import (
    OPTIONS,
    choose_by_keyboard,
    choose_by_mouse,
    choose_by_tab,
    load_golden_record,
    open_table,
    play_until_over,
    set_table,
    uncover_table,
    upload,
    version,
    wait_until_asked,
    wait_until_moved,
)
from tests.slow import mark_slow_except, slow
from triclinium import list_games, load_game

HOW = ("mouse", "keyboard", "number")
LAST = 1  # number of last decisions that are played in each game
EARLY = 3  # number of decisions played by number keys
FIRST = 2  # decisions played by keyboard only; the first must have changed the page before the second


@pytest.mark.slow
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("id", list_games())
def test_a_whole_match_against_bots(open_page: Visit, id: str, how: str) -> None:
    page = open_page(reduced_motion="reduce")
    set_table(page, id)
    play_until_over(page, how)
    expect(page.locator("section.result h2")).to_be_visible()
    assert page.locator(".places > li").count() == load_game(id).seats[0]


def test_a_match_is_played_by_numbers(open_page: Visit) -> None:
    """A match against a bot is played with number keys for the first rounds."""
    page = open_page(reduced_motion="reduce")
    set_table(page, "evangelists")
    play_until_over(page, "number", EARLY)


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "evangelists", "portals"))
def test_the_last_moves_of_a_match(open_page: Visit, id: str) -> None:
    """A golden match is uploaded shortly before its end and played to it by keyboard. Then the result has the focus."""
    record = load_golden_record(id)
    page = open_page(reduced_motion="reduce")
    upload(page, record.truncate(len(record.options) - LAST))
    left = record.options[-LAST:]
    while left:
        uncover_table(page)
        offered: list[str] = page.locator(OPTIONS).evaluate_all("buttons => buttons.map(one => one.value)")
        # A combined option there contains two steps, such as "stop; play t30".
        several = next(n for n in range(len(left), 0, -1) if "; ".join(left[:n]) in offered)
        choose_by_tab(page, "; ".join(left[:several]))
        left = left[several:]
    expect(page.locator("section.result h2")).to_be_visible()
    if id == "evangelists":
        result = page.locator("#result")
        expect(result).to_be_focused()
        expect(result).to_contain_text("The match is over.")
        expect(result).to_contain_text("wins with")
    assert page.locator(".places > li").count() == record.seats


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "evangelists"))
def test_the_keyboard_alone_is_enough(open_page: Visit, id: str) -> None:
    """The first decisions of a match need no mouse."""
    page = open_page(reduced_motion="reduce")
    open_table(page, id)
    chance = random.Random(1)
    for _ in range(FIRST):
        assert wait_until_asked(page)
        choose_by_keyboard(page, chance)


def test_play_now_is_one_click(open_page: Visit) -> None:
    page = open_page()
    page.goto("/")
    page.get_by_role("button", name="Play against Novice").first.click()
    page.wait_for_url("**/tables/*")
    assert wait_until_asked(page)
    choose_by_mouse(page, random.Random(1))


def test_a_table_is_loaded_once_to_be_opened(open_page: Visit) -> None:
    """A page that has just opened gets no event about itself, and shows its reader as present."""
    page = open_page()
    open_table(page, "evangelists")
    assert wait_until_asked(page)  # no bot moves from now on
    page.reload()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url) if request.resource_type == "fetch" else None)
    page.evaluate(
        """() => new Promise((heard) => {
            const stream = new EventSource(document.body.dataset.events);
            stream.addEventListener("presence", () => { stream.close(); setTimeout(heard, 100); });
        })"""
    )
    assert page.evaluate("document.body.dataset.present") == "0"
    assert fetched == []


def test_two_browsers_at_one_table(open_page: Visit) -> None:
    anna, ben, eve = open_page(), open_page(), open_page()
    open_table(anna, "evangelists", "invite")
    link = anna.locator("[data-copy]").first.input_value()
    watch = anna.locator("[aria-label='Spectators’ link']").input_value()
    ben.goto(link)
    ben.locator("#name").fill("Ben")
    ben.get_by_role("button", name=re.compile("^Take the .*seat")).click()
    eve.goto(watch)
    expect(anna.locator("#decide")).to_be_visible()  # The page must not be reloaded.
    chance = random.Random(4)
    for _ in range(2):
        mover, other = (anna, ben) if anna.locator(OPTIONS).count() else (ben, anna)
        before = version(mover)
        choose_by_mouse(mover, chance)
        for watcher in (other, eve):
            watcher.wait_for_function("before => document.body.dataset.version !== before", arg=before, timeout=5000)
        assert not eve.locator(OPTIONS).count()
        for page in (mover, other, eve):
            expect(page.locator("#n")).to_have_value(str(int(before) + 1))
    anna.locator(".tabbar").get_by_text("Chat").click()
    anna.locator("#say").fill("<b>Shalom</b> & welcome")
    anna.get_by_role("button", name="Send").click()
    ben.locator(".tabbar").get_by_text("Chat").click()
    expect(ben.locator(".says")).to_contain_text("<b>Shalom</b> & welcome")


def test_a_table_without_script(open_page: Visit) -> None:
    page = open_page(java_script_enabled=False)
    set_table(page, "evangelists", "hot")
    for n in range(4):
        uncover_table(page)
        page.locator(OPTIONS).nth(n % page.locator(OPTIONS).count()).click()
    page.locator("main.cover a, .log li").first.wait_for(state="attached")
    if page.locator("main.cover a").count():
        page.locator("main.cover a").click()
    page.locator(".log li").nth(3).wait_for(state="attached")
    page.locator(".scrub a[rel=prev]").click()
    expect(page.locator(".decide h2")).to_contain_text("The table after move")


def test_a_reload_and_a_restart_in_the_middle_of_a_decision(open_page: Visit, server: ServerProcess) -> None:
    page = open_page()
    open_table(page, "evangelists")
    chance = random.Random(9)
    for _ in range(2):
        assert wait_until_asked(page)
        choose_by_mouse(page, chance)
    assert wait_until_asked(page)
    question = page.locator(".decide h2").inner_text()
    offered = page.locator(OPTIONS).all_inner_texts()
    page.reload()
    assert page.locator(".decide h2").inner_text() == question
    server.kill()
    server.start()
    expect(page.locator(".decide h2")).to_have_text(question)
    assert page.locator(OPTIONS).all_inner_texts() == offered
    choose_by_mouse(page, chance)
    assert wait_until_asked(page)


def test_a_stale_tab_gets_a_message_and_the_current_table(open_page: Visit) -> None:
    page = open_page(java_script_enabled=False)
    open_table(page, "evangelists", "hot")
    page.locator("main.cover a").click()
    second = page.context.new_page()
    second.goto(page.url)
    page.locator(OPTIONS).first.click()
    second.locator(OPTIONS).last.click()
    expect(second.get_by_text("moved on").or_(second.locator("main.cover")).first).to_be_visible()


def test_french(open_page: Visit) -> None:
    page = open_page(locale="fr-FR")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.get_by_role("button", name="Jouer contre Débutant").first.click()
    page.wait_for_url("**/tables/*")
    assert wait_until_asked(page)
    expect(page.locator(".decide h2")).to_contain_text("Choisissez")
    page.get_by_role("button", name="EN", exact=True).first.click()
    expect(page.locator(".decide h2")).to_contain_text("Choose")


def test_the_time_machine(open_page: Visit) -> None:
    page = open_page()
    upload(page, load_golden_record("evangelists"), by_hand=True)
    page.get_by_role("link", name="Replay the match").click()
    page.wait_for_url("**/positions/*")
    page.wait_for_load_state("networkidle")
    last = int(re.findall(r"/positions/(\d+)", page.url)[0])
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(f"/positions/{last - 1}"))
    page.wait_for_load_state()
    page.locator("#n").fill("5")
    expect(page).to_have_url(re.compile("/positions/5"))  # a wait for navigation fails if another begins meanwhile
    page.mouse.move(0, 0)  # otherwise the board would show information under the mouse
    page.wait_for_load_state("networkidle")
    before = page.locator(".board").inner_text()
    page.reload()
    page.wait_for_load_state("networkidle")
    assert page.locator(".board").inner_text() == before
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/tables/*")
    assert "/positions/" not in page.url


def test_undo_in_the_browser(open_page: Visit) -> None:
    page = open_page()
    open_table(page, "evangelists")
    chance = random.Random(2)
    for _ in range(40):
        assert wait_until_asked(page)
        undo = page.get_by_role("button", name="Undo")
        if undo.count():
            before = version(page)
            undo.click()
            wait_until_moved(page, before)
            expect(page.locator(OPTIONS).first).to_be_visible()
            return
        choose_by_mouse(page, chance)
    raise AssertionError("undo was never offered")


def test_a_hint_is_shown_and_played(open_page: Visit) -> None:
    """The page says that the bot thinks. Then the options have estimates, without reloading."""
    page = open_page()
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    offered = page.locator(OPTIONS).evaluate_all("buttons => buttons.map(one => one.value)")
    page.get_by_role("button", name="Hint").click()
    best = page.locator(f"{OPTIONS}:has(> .odds.best)")
    expect(best).to_have_count(1)
    expect(best.locator(".odds")).to_contain_text("%")
    assert page.locator(f"{OPTIONS} > .odds").count() > 1
    expect(page.locator("#board")).to_be_in_viewport(ratio=0.9)  # the page must not have scrolled
    assert page.locator(OPTIONS).evaluate_all("buttons => buttons.map(one => one.value)") == offered
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    named = page.locator("#advice .best .face").inner_text().strip()
    assert named.lower() in best.inner_text().lower()
    before = version(page)
    best.focus()
    page.keyboard.press("Enter")
    wait_until_moved(page, before)
    expect(page.locator("#decision .odds, #advice")).to_have_count(0)


def test_a_question_shows_the_named_card(open_page: Visit) -> None:
    """In Ierusalem, the question of where to place a card shows the card's picture and name, but not its whole text."""
    record = load_golden_record("ierusalem")
    page = open_page()
    upload(page, record.truncate(next(n for n, option in enumerate(record.options) if option.startswith("column "))))
    uncover_table(page)
    chip = page.locator("#question .named")
    expect(chip).to_have_count(1)
    assert chip.locator("svg, img").count() > 0
    name = chip.inner_text().split("\n")[0]
    assert name
    assert len(page.locator("#question").inner_text()) < 60


def test_a_match_is_reviewed(open_page: Visit) -> None:
    """The review of an uploaded match of bots appears on the page."""
    page = open_page(seen=True, bypass_csp=True, device_scale_factor=EXACT)  # axe is a foreign script
    upload(page, load_golden_record("evangelists"))
    page.get_by_role("link", name="Review").click()
    page.wait_for_url("**/review*")
    expect(page.locator("#costliest")).to_be_visible(timeout=90_000)  # by an event, without reloading
    turns = page.locator("li.turn")
    assert 1 <= turns.count() <= 6
    assert page.locator("polyline.course").count() == 2
    assert not filter_serious(find_accessibility_problems(page, "the review"))
    page.set_viewport_size({"width": 390, "height": 844})
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 390
    flag = page.locator(".plot a.flag").first
    flag.focus()
    page.keyboard.press("Enter")
    expect(page.locator(flag.get_attribute("href") or "")).to_be_in_viewport()
    turns.first.get_by_role("link", name="Show the position").click()
    page.wait_for_url("**/positions/*")
    expect(page.locator(".decide h2")).to_contain_text("The table after move")


SERIOUS = ("serious", "critical")
SMALLEST: ViewportSize = {"width": 320, "height": 640}
WIDE: ViewportSize = {"width": 1280, "height": 850}
THEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
PAGES = ["/", "/new", "/tables", "/rules", "/rules/evangelists", "/me", "/nothing-here"]
PAGES += ["/leaderboard", "/players/1", "/me/sign-in", "/notifications", "/rules/portals/help"]


def open_tables(page: Page) -> list[str]:
    """Open one table of each kind: waiting, playing, in the past, and over."""
    open_table(page, "evangelists", "invite")
    waiting = page.url
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    for _ in range(3):
        choose_by_mouse(page, random.Random(1))
        assert wait_until_asked(page)
    playing = page.url
    open_table(page, "evangelists", "hot")
    return [waiting, playing, f"{playing}/positions/2", page.url]


@pytest.mark.parametrize("both_themes", [False, slow(True)])
def test_pages_are_accessible_and_fit_a_phone(open_page: Visit, both_themes: bool) -> None:
    """On the smallest phone, 320 px wide, no page scrolls sideways, and axe finds nothing serious.

    Even a long nickname fits. Light and dark alternate; the slow test checks the colours of both.
    """
    how = {"bypass_csp": True, "device_scale_factor": EXACT}  # axe is a foreign script
    page = open_page(reduced_motion="reduce", **how)
    found: list[str] = []
    waiting, *played = open_tables(page)
    paths = [*PAGES, waiting, *played]
    coloured = {*paths} - {*looks.PAGES, *played}
    page.goto("/me")
    page.locator("#name").fill("W" * 22)
    page.get_by_role("button", name="Save").first.click()
    for n, path in enumerate(paths):
        theme = THEMES[n % 2]
        page.emulate_media(color_scheme=theme)
        page.goto(path)
        where = f"{path} {theme}"
        page.evaluate("() => { document.adoptedStyleSheets = []; }")  # axe ignores invisible elements
        found += filter_serious(
            find_accessibility_problems(page, where) if path in coloured else find_violations(page, where, COLOURLESS)
        )
        if both_themes:
            other = THEMES[1 - THEMES.index(theme)]
            page.emulate_media(color_scheme=other)
            found += filter_serious(find_violations(page, f"{path} {other}", {"runOnly": ["color-contrast"]}))
        page.set_viewport_size(SMALLEST)
        wide, window = page.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
        assert wide <= window == 320, f"{path} is {wide} wide"
        page.set_viewport_size(WIDE)
    assert not found, "\n".join(found)


def filter_serious(found: list[str]) -> list[str]:
    return [one for one in found if one.startswith(SERIOUS)]


def test_the_first_page_is_light(open_page: Visit) -> None:
    page = open_page(fresh=True)
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(answer.request.sizes()["responseBodySize"]))
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert len(sizes) >= 4
    assert sum(sizes) < 150 * 1024
