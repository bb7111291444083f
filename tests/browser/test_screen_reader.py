"""Tests of a table with a screen reader: texts of tooltips, and events before the question."""

import re

import pytest
from playwright.sync_api import Page

from bench.screenshots import truncate_to_position
from tests.browser.conftest import Visit
from tests.browser.page_actions import OPTIONS, load_golden_record, open_table, uncover_table, upload
from tests.browser.page_actions import wait_until_asked as may_choose
from tests.slow import mark_slow_except, slow
from triclinium.engine.registry import list_games, load_game

SHARES = {0.0: "en", 0.35: "fr", 0.75: "en"}  # shares of a match that are played, each with the language of the page
SOME = (0.35,)
# Elements with a tooltip whose accessible name and description lack its text. The lines of a tooltip count as one
# sentence.
UNHEARD = """() => {
  const plain = (text) => text.replace(/\\s*\\n\\s*/g, ", ").replace(/\\s+/g, " ").trim().toLowerCase();
  const spoken = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || node.getAttribute("aria-hidden") === "true") return "";
    return node.getAttribute("aria-label") ?? [...node.childNodes].map(spoken).join("");
  };
  const described = (one) =>
    (one.getAttribute("aria-describedby") ?? "").split(/\\s+/).filter(Boolean)
      .map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  const all = [...document.querySelectorAll("[data-tip]")];
  return {
    count: all.length,
    unheard: all
      .filter((one) => !plain(`${spoken(one)} ${described(one)}`).includes(plain(one.dataset.tip)))
      .map((one) => `${one.outerHTML.slice(0, 160)} hears: ${plain(spoken(one)).slice(0, 80)}`),
    unnamed: all
      .filter((one) => one.tabIndex >= 0 && !one.matches("button, a, li, [role]"))
      .map((one) => one.outerHTML.slice(0, 120)),
  };
}"""


def read_announcements(page: Page) -> str:
    return page.locator("#said").inner_text()


@pytest.mark.parametrize("shares", [SOME, slow(tuple(SHARES))], ids=["some", "all"])
@pytest.mark.parametrize("id", mark_slow_except(list_games(), "evangelists", "missionnaires"))
def test_tooltips_are_read_aloud(open_page: Visit, id: str, shares: tuple[float, ...]) -> None:
    """The accessible name contains the tooltip, at several moments of a match and in both languages."""
    game = load_game(id)
    seats = min(3, game.seats[-1])
    for share in shares:
        page = open_page(locale=SHARES[share])
        upload(page, truncate_to_position(load_golden_record(id, seats), share), by_hand=False)
        uncover_table(page)
        found = page.evaluate(UNHEARD)
        assert found["count"] > 10
        assert found["unheard"] == []
        assert found["unnamed"] == []
        page.close()


def test_a_space_of_the_supper_has_owner_price_and_value(open_page: Visit) -> None:
    page = open_page()
    upload(page, truncate_to_position(load_golden_record("ierusalem", 3), 0.8), by_hand=False)
    uncover_table(page)
    names = page.locator(".space[id^=space-]").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert len(names) > 40
    assert all("costs " in name and "VP at the end" in name for name in names), names
    assert any(", yours, costs " in name for name in names), names
    assert any(", free, costs " in name for name in names)


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "portals", "ierusalem"))
def test_the_moves_of_bots_are_read_before_the_question(open_page: Visit, id: str) -> None:
    """The events are announced in the order of play, and "your turn" comes only once."""
    page = open_page()
    open_table(page, id)
    may_choose(page)
    lines: list[str] = []
    for _ in range(12):
        question = page.locator("#question").inner_text()
        told = read_announcements(page)
        assert told.lower().count("your turn") == 1, told
        before = told[: told.lower().index("your turn")].strip()
        if before:
            lines.append(before)
            assert before.endswith((".", "!", "?"))
            assert is_in_order_of_play(page, before), before
        assert question.split()[-1] in told
        if len(lines) > 1 or not choose_last_option(page):
            break
    assert lines, "no bot has moved"


def is_in_order_of_play(page: Page, told: str) -> bool:
    """Return whether the log contains the events of each sentence in order.

    A sentence tells the events of one player, separated by semicolons: each is in the same line as the one before or
    later. An event that says "you" is left out, because the log says it with the viewer's name.
    """
    log = page.locator("#log li").all_text_contents()[::-1]
    sentences = re.split(r"(?<=[.!?]) ", re.sub(r" ×\d+", "", told))  # repeated lines have a counter
    for sentence in sentences:
        events = sentence.rstrip(".!?").split("; ")
        if not contains_in_order(log, [event for event in events if not re.search(r"(?i)\byour?\b", event)]):
            return False
    return True


def contains_in_order(lines: list[str], events: list[str]) -> bool:
    """Return whether lines contain all events in order. Several events may be in one line."""
    at = 0
    for event in events:
        while at < len(lines) and event not in lines[at]:
            at += 1
    return not events or at < len(lines)


def choose_last_option(page: Page) -> bool:
    """Choose the last option, which often ends or declines something. Return False if the match is over."""
    last = page.locator(OPTIONS).last
    value = last.get_attribute("value")
    version = page.locator("body").get_attribute("data-version")
    last.evaluate("one => one.click()")
    page.wait_for_function("before => document.body.dataset.version !== before", arg=version)
    assert value
    return may_choose(page)
