"""Tests of notifications in Chromium: hidden pages, push messages to a real service worker, and offline pages."""

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from playwright.sync_api import Page, Playwright, expect

from bench.server_process import ServerProcess
from tests.browser.conftest import PATIENCE, Guests, Visit, open_browser
from tests.server.endpoint import open_endpoint
from tests.server.receiver import Receiver
from tests.server.stream_clients import FormClient, open_table_for

T = TypeVar("T")
LOOK_EVERY = 500  # milliseconds between two looks at the notifications
# Chromium needs an external service to subscribe, so the page gets a subscription of the test.
SUBSCRIBE = "(told) => { PushManager.prototype.subscribe = async () => ({ toJSON: () => told }); }"
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
  .map((one) => [one.title, one.tag, one.data.path])"""
# A browser opens windows only after a real click, so the worker's request is recorded instead.
CLICK = """async () => {
  const opened = [];
  self.clients.openWindow = async (path) => opened.push(path);
  const [shown] = await self.registration.getNotifications();
  const waited = [];
  const event = new NotificationEvent("notificationclick", { notification: shown });
  event.waitUntil = (work) => waited.push(work);
  self.dispatchEvent(event);
  await Promise.all(waited);
  return opened;
}"""
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const one of await (await caches.open(name)).keys()) found.push(new URL(one.url).pathname);
  return found.sort();
}"""


@pytest.fixture(scope="module")
def guests(playwright: Playwright) -> Iterator[Guests]:
    """Yield guests with the complete browser, because the headless shell shows no notifications."""
    with open_browser(playwright, light=False) as browser:
        yield Guests(browser)


def open_as_person(visit: Visit, server: ServerProcess, person: FormClient) -> Page:
    """Open a browser for an existing person, under a host name that browsers trust."""
    host = server.address.replace("127.0.0.1", "localhost")
    page = visit(base_url=host, service_workers="allow")
    page.context.grant_permissions(["notifications"], origin=host)
    cookies = [{"name": name, "value": value, "url": host} for name, value in person.cookies.items()]
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    return page


def wait_for(page: Page, look: Callable[[], T], right: Callable[[T], bool]) -> T:
    """Wait until a value is right, because a machine may be busy."""
    until = time.monotonic() + PATIENCE / 1000
    while not right(found := look()) and time.monotonic() < until:
        page.wait_for_timeout(20)  # lets the browser handle its own events
    assert right(found), found
    return found


def notifications(page: Page, number: int) -> list[list[str]]:
    """Return the notifications that are shown, as soon as there are this many.

    Chromium forgets a notification that is stored but not yet on the screen when a page asks, so it asks seldom.
    """

    def look() -> list[list[str]]:
        page.wait_for_timeout(LOOK_EVERY)
        found: list[list[str]] = page.evaluate(SHOWN)
        return found

    return wait_for(page, look, lambda shown: len(shown) == number)


def registration_of(page: Page) -> str:
    """Return the id by which DevTools know the page's service worker."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []

    def note(event: dict[str, list[dict[str, str]]]) -> None:
        found.extend(one["registrationId"] for one in event["registrations"])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    return wait_for(page, lambda: found, bool)[-1]


def test_a_message_is_pushed_shown_and_opens_the_table(open_page: Visit, server: ServerProcess) -> None:
    """A push message reaches an endpoint, is decrypted, and its notification opens the table."""
    anna, ben = FormClient(server.port, "Anna"), FormClient(server.port, "Ben")
    page = open_as_person(open_page, server, ben)
    with open_endpoint() as there:
        receiver = Receiver(there)
        page.goto("/notifications")
        page.evaluate(SUBSCRIBE, receiver.subscription)
        page.get_by_role("button", name="Turn on").click()
        expect(page.locator("#where .way").first).to_contain_text("This device")
        page.get_by_role("button", name="Send test").click()
        page.wait_for_load_state()
        wait_for(page, lambda: there.posts, bool)
        assert receiver.read(there.posts[0][2])["title"] == "This is a test notification"
        id = open_table_for(anna, ben)  # the start is pushed to Ben, who has no page open
        wait_for(page, lambda: len(there.posts), lambda number: number == 2)
        told = receiver.read(there.posts[1][2])
    session = page.context.new_cdp_session(page)
    push = {
        "origin": page.url.partition("/notifications")[0],
        "registrationId": registration_of(page),
        "data": json.dumps(told),
    }
    session.send("ServiceWorker.enable")
    for attempt in range(3):  # with the same tag, a message that is delivered again replaces its notification
        session.send("ServiceWorker.deliverPushMessage", push)
        page.wait_for_timeout(LOOK_EVERY * 2**attempt)
        if page.evaluate(SHOWN):
            break
    assert notifications(page, 1) == [[told["title"], id, f"/tables/{id}"]]
    assert str(told["title"]).endswith(" has started")
    assert page.context.service_workers[0].evaluate(CLICK) == [f"/tables/{id}"]
    assert notifications(page, 0) == []


def test_a_hidden_page_notifies_and_counts_as_absent(open_page: Visit, server: ServerProcess) -> None:
    """A hidden tab notifies at once and counts as absent.

    Returning closes the notification, and offline pages say that they are offline.
    """
    anna, ben = FormClient(server.port, "Anna"), FormClient(server.port, "Ben")
    id = open_table_for(anna, ben)
    page = open_as_person(open_page, server, ben)
    page.goto(f"/tables/{id}")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    version = anna.call_api("GET", f"/tables/{id}")[1]["version"]

    def here() -> list[int]:
        seats = anna.call_api("GET", f"/tables/{id}")[1]["seats"]
        assert isinstance(seats, list)
        return [one["seat"] for one in seats if one["present"]]

    wait_for(page, here, lambda seats: seats == [1])
    page.evaluate(HIDE, True)
    wait_for(page, here, lambda seats: seats == [])
    move = {"option": "start rome", "version": version}
    assert anna.call_api("POST", f"/tables/{id}/move", move)[0] == 200
    ((title, tag, path),) = notifications(page, 1)
    assert re.fullmatch(r"\(1\) Your turn · \w+ · Triclinium", title)
    assert (tag, path) == (id, f"/tables/{id}")
    page.evaluate(HIDE, False)
    wait_for(page, here, lambda seats: seats == [1])
    notifications(page, 0)
    kept = ["/offline", "/static/base.css", "/static/offline.js", "/static/sprite.svg", "/static/tokens.css"]
    assert page.evaluate(KEPT) == kept  # the cache never contains a table, a view or a list
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_text("Connection lost.")).to_be_visible()
    expect(page.get_by_role("link", name="Back to the table")).to_have_attribute("href", f"/tables/{id}")
    page.context.set_offline(False)  # the page reloads automatically
    expect(page.locator("#question")).to_be_visible()
    assert page.evaluate(KEPT) == kept
