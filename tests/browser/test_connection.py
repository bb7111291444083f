"""Tests of a lost connection: the table stays, shows a banner, keeps the chosen option, and sends it once."""

import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from bench.server_process import ServerProcess
from tests.browser.conftest import PATIENCE, Guests, Visit
from tests.browser.page_actions import (
    KEPT_OPEN,
    OPTIONS,
    open_table,
    read_csrf_token,
    version,
    wait_until_asked,
    wait_until_moved,
)
from tests.forked_servers import ForkedServer
from tests.slow import slow
from triclinium import list_games
from triclinium.engine.auto_replies import PLAN_PREFIX

LOST = "Connection lost. Reconnecting…"
CHANGED = "The table has changed in the meantime. Please choose again."
NOT_DONE = "Your change was not sent because the connection is lost. Please try again later."


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Yield a separate server, which a test may stop without disturbing other tests."""
    running = ForkedServer(tmp_path, 0, None, "--bot-pause", "0").start()
    yield running
    if running.process is not None and running.process.poll() is None:
        running.process.send_signal(signal.SIGCONT)
    running.stop()


@pytest.fixture
def connect_browser(guests: Guests) -> Iterator[Callable[[ServerProcess], Page]]:
    """Yield a function that opens a browser on a separate server."""

    def visit(running: ServerProcess) -> Page:
        page = guests.come(running.address, fresh=True, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        return page

    yield visit
    guests.leave()


@contextmanager
def offline(*pages: Page) -> Iterator[None]:
    """Disconnect these pages until the end of the block."""
    for page in pages:
        page.context.set_offline(True)
    yield
    for page in pages:
        page.context.set_offline(False)


def banner(page: Page) -> Locator:
    return page.locator("#connection")


def id_of(page: Page) -> str:
    return page.url.rpartition("/tables/")[2].partition("?")[0]


def rows(server: ServerProcess, sql: str, *values: object) -> list[tuple[object, ...]]:
    """Return rows of the server's database."""
    with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True, timeout=20)) as connection:
        return connection.execute(sql, values).fetchall()


def own_moves(server: ServerProcess, page: Page) -> list[str]:
    """Return the options that a person has chosen at this table, from its history."""
    sql = "SELECT option FROM history WHERE \"table\" = ? AND bot = '' AND NOT automatic ORDER BY version"
    return [str(option) for (option,) in rows(server, sql, id_of(page))]


def messages(server: ServerProcess, page: Page) -> list[object]:
    sql = 'SELECT text FROM chat WHERE "table" = ? AND seat >= 0 ORDER BY id'
    return [text for (text,) in rows(server, sql, id_of(page))]


def choose(page: Page, nth: int = 0) -> str:
    """Press a visible option, not a plan, and return its notation."""
    option = page.locator(f'{OPTIONS}:not([value^="{PLAN_PREFIX}"]):visible').nth(nth)
    value = option.get_attribute("value")
    assert value
    option.click()
    return value


def choose_offline(page: Page) -> str:
    """Press an option while offline. The table stays, with the banner and the waiting move."""
    question = page.locator("#question").inner_text()
    value = choose(page)
    expect(banner(page)).to_contain_text(LOST, timeout=PATIENCE)
    expect(banner(page)).to_contain_text("Not sent yet: ")
    expect(banner(page).get_by_role("button", name="Cancel")).to_be_visible()
    assert page.locator("#question").inner_text() == question
    assert page.locator(f"{OPTIONS}:visible").count()
    return value


def check_table_continues(server: ServerProcess, page: Page, before: str, moves: list[str]) -> None:
    """Check that the table continues from this version by one move of its player and asks again."""
    wait_until_moved(page, before)
    expect(banner(page)).to_be_empty()
    assert wait_until_asked(page)
    assert own_moves(server, page) == moves


def open_tables(come: Callable[[], Page], ids: list[str]) -> list[Page]:
    pages = []
    for id in ids:
        page = come()
        open_table(page, id)
        assert wait_until_asked(page)
        pages.append(page)
    return pages


def choose_and_wait(page: Page) -> list[str]:
    """Press an option while connected, and return the resulting moves."""
    before = version(page)
    value = choose(page)
    wait_until_moved(page, before)
    assert wait_until_asked(page)
    return value.split("; ")


@pytest.mark.parametrize(("ids", "seconds"), [(["evangelists", "testoftime"], 2.0), slow(list_games(), 60.0)])
def test_moves_of_every_game_survive_a_lost_connection_and_a_restart(
    own_server: ServerProcess, connect_browser: Callable[[ServerProcess], Page], ids: list[str], seconds: float
) -> None:
    pages = open_tables(lambda: connect_browser(own_server), ids)
    before = [version(page) for page in pages]
    with offline(*pages):
        until = time.monotonic() + seconds
        moves = [choose_offline(page).split("; ") for page in pages]
        time.sleep(max(0.0, until - time.monotonic()))
        for page, was in zip(pages, before, strict=True):
            assert version(page) == was
            assert own_moves(own_server, page) == []
    for page, was, made in zip(pages, before, moves, strict=True):
        check_table_continues(own_server, page, was, made)
    before = [version(page) for page in pages]
    own_server.kill()
    for page, made in zip(pages, moves, strict=True):
        made += choose_offline(page).split("; ")
    own_server.start()
    for page, was, made in zip(pages, before, moves, strict=True):
        check_table_continues(own_server, page, was, made)
        made += choose_and_wait(page)
        assert own_moves(own_server, page) == made


def test_a_lost_answer_counts_once(open_page: Visit, server: ServerProcess) -> None:
    """The server receives the move, but the browser does not receive the response."""
    page = open_page(fresh=True)
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    reached: list[int] = []

    def lose_answer(route: Route) -> None:
        reached.append(route.fetch(max_redirects=0).status)
        route.abort("connectionreset")

    page.route("**/move", lose_answer, times=1)
    before = version(page)
    option = choose(page)
    check_table_continues(server, page, before, [option])
    assert reached == [303]
    expect(page.locator("#connection p")).to_have_count(0)
    assert choose_and_wait(page)
    assert len(own_moves(server, page)) == 2


def test_a_move_is_not_sent_to_a_table_that_has_changed(open_page: Visit, server: ServerProcess) -> None:
    """The same player has meanwhile chosen something else on another device."""
    page = open_page(fresh=True)
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    before = version(page)
    other = page.locator(OPTIONS).last.get_attribute("value") or ""
    posts: list[str] = []
    with offline(page):
        assert choose_offline(page) != other
        fields = {"csrf": read_csrf_token(page), "option": other, "version": before, "seat": "0", "key": "elsewhere"}
        page.request.post(f"{page.url}/move", form=dict(fields), max_retries=KEPT_OPEN)
        page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    expect(banner(page)).to_have_text(CHANGED)
    wait_until_moved(page, before)
    assert wait_until_asked(page)
    assert own_moves(server, page) == [other]
    assert not [url for url in posts if url.endswith("/move")]
    assert choose_and_wait(page)
    expect(banner(page)).to_be_empty()


def test_a_cancelled_move_is_not_sent(open_page: Visit, server: ServerProcess) -> None:
    page = open_page(fresh=True)
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    with offline(page):
        choose_offline(page)
        banner(page).get_by_role("button", name="Cancel").click()
        expect(banner(page)).to_have_text(LOST)
        expect(page.locator("#question")).to_be_focused()
    expect(banner(page)).not_to_contain_text(LOST)
    assert own_moves(server, page) == []
    moves = choose_and_wait(page)
    assert own_moves(server, page) == moves


def test_the_last_of_several_choices_is_sent(open_page: Visit, server: ServerProcess) -> None:
    page = open_page(fresh=True)
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    before = version(page)
    with offline(page):
        choose_offline(page)
        last = choose(page, 1)
        expect(banner(page).get_by_role("button", name="Cancel")).to_have_count(1)
    check_table_continues(server, page, before, [last])


def test_a_waiting_move_survives_a_reload(
    own_server: ServerProcess, connect_browser: Callable[[ServerProcess], Page]
) -> None:
    page = connect_browser(own_server)
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    before = version(page)
    own_server.kill()
    option = choose_offline(page)
    address = page.url
    page.goto("about:blank")
    own_server.start()
    page.goto(address)
    check_table_continues(own_server, page, before, [option])


def test_a_message_is_sent_once(open_page: Visit, server: ServerProcess) -> None:
    page = open_page(fresh=True)
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    page.locator(".tabbar").get_by_text("Chat").click()
    with offline(page):
        page.locator("#say").fill("Peace be with you")
        page.keyboard.press("Enter")
        expect(banner(page)).to_contain_text("Not sent yet: Peace be with you")
        expect(page.locator("#say")).to_have_value("")
    expect(page.locator(".says")).to_contain_text("Peace be with you")
    expect(banner(page)).not_to_contain_text("Not sent yet")

    def lose_answer(route: Route) -> None:
        route.fetch(max_redirects=0)
        route.abort("connectionreset")

    page.route("**/chat", lose_answer, times=1)
    page.locator("#say").fill("And with you")
    page.keyboard.press("Enter")
    expect(page.locator(".says .msg", has_text="And with you")).to_have_count(1)
    expect(page.locator("#connection p:not(.sr)")).to_have_count(0)
    assert messages(server, page) == ["Peace be with you", "And with you"]


def test_other_actions_fail_with_a_message(open_page: Visit, server: ServerProcess) -> None:
    """One form is answered on the same page, and another leads to a new page."""
    page = open_page(fresh=True)
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    moves = choose_and_wait(page)
    address, was = page.url, version(page)
    with offline(page):
        page.keyboard.press("h")
        expect(banner(page)).to_contain_text(NOT_DONE)
        page.locator("details.menu > summary").click()
        page.locator("form[action$='/guide'] button").filter(has_text="Restart guide").click()
        expect(banner(page)).to_contain_text(NOT_DONE)
        assert (page.url, version(page)) == (address, was)
        expect(page.locator(".advice")).to_have_count(0)
    expect(banner(page)).not_to_contain_text(LOST)
    assert own_moves(server, page) == moves
    page.locator("form[action$='/guide'] button").filter(has_text="Restart guide").click()
    expect(page.locator("details.menu > summary")).to_be_visible()
    assert page.url == address


def test_silence_means_a_lost_connection(
    own_server: ServerProcess, connect_browser: Callable[[ServerProcess], Page]
) -> None:
    """A paused server keeps its connections open and only stops its heartbeats. The test moves the page's clock."""
    page = connect_browser(own_server)
    page.clock.install()
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    assert own_server.process is not None
    own_server.process.send_signal(signal.SIGSTOP)
    page.clock.run_for(27_000)
    expect(banner(page)).to_be_empty()
    page.clock.run_for(3_100)
    expect(banner(page)).to_have_text(LOST)
    own_server.process.send_signal(signal.SIGCONT)
    page.clock.run_for(20_000)
    expect(page.locator("#connection p:not(.sr)")).to_have_count(0)


@pytest.mark.slow
def test_heartbeats_keep_a_quiet_table_connected(
    own_server: ServerProcess, connect_browser: Callable[[ServerProcess], Page]
) -> None:
    """35 seconds without events show no banner, but 30 seconds without heartbeats do."""
    page = connect_browser(own_server)
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    time.sleep(35.0)
    expect(banner(page)).to_be_empty()
    assert own_server.process is not None
    own_server.process.send_signal(signal.SIGSTOP)
    expect(banner(page)).to_have_text(LOST, timeout=31_000)
    own_server.process.send_signal(signal.SIGCONT)
    expect(page.locator("#connection p:not(.sr)")).to_have_count(0)


def test_events_arrive_again_after_a_restart(
    own_server: ServerProcess, connect_browser: Callable[[ServerProcess], Page]
) -> None:
    """After a restart of the server, events arrive again without any action of the reader."""
    page = connect_browser(own_server)
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    own_server.kill()
    expect(banner(page)).to_have_text(LOST, timeout=PATIENCE)
    own_server.start()
    expect(page.locator("#connection p:not(.sr)")).to_have_count(0)
    fields = {"csrf": read_csrf_token(page), "text": "Peace"}
    page.request.post(f"{page.url}/chat", form=dict(fields), max_retries=KEPT_OPEN)
    expect(page.locator(".says")).to_contain_text("Peace")


def test_the_offline_page_leads_back(open_page: Visit) -> None:
    page = open_page(fresh=True, service_workers="allow")
    open_table(page, "evangelists")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    table = page.url
    with offline(page):
        page.goto(f"{table}/move")
        expect(page.get_by_role("heading", name="Can’t reach the server")).to_be_visible()
        back = page.get_by_role("link", name="Back to the table")
        assert table.endswith(back.get_attribute("href") or "nowhere")
    expect(page.locator("#question")).to_be_visible()
    assert page.url == table


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_banner_covers_nothing(open_page: Visit, language: str) -> None:
    """On a phone the question and the options stay visible below it."""
    page = open_page(fresh=True, seen=True, viewport={"width": 390, "height": 844}, locale=language, has_touch=True)
    open_table(page, "evangelists")
    assert wait_until_asked(page)
    with offline(page):
        choose(page)
        lines = page.locator("#connection p")
        expect(lines).to_have_count(2)
        box = banner(page).bounding_box()
        question = page.locator("#question").bounding_box()
        option = page.locator(f"{OPTIONS}:visible").first.bounding_box()
        assert box
        assert question
        assert option
        assert box["y"] + box["height"] <= min(question["y"], option["y"])
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["height"] < 110
        assert (LOST in lines.first.inner_text()) == (language == "en")
