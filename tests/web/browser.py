"""A person with a browser without scripts: forms, links and a cookie."""

import random
import re
import sys
from functools import lru_cache
from html import unescape

from fastapi.testclient import TestClient
from httpx2 import Response

from tests.server.api_client import get_server, make_client
from tests.server.locked_tables import make_move
from triclinium.server.tables.table import Table

FORM = re.compile(r"<form\b(.*?)>(.*?)</form>", re.DOTALL)
FIELD = re.compile(r"<(?:input|button|select)\b[^>]*>")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
PRESSED = re.compile(r"<(button|summary|a(?=\s[^>]*\bhref=))\b([^>]*)>(.*?)</\1>", re.DOTALL)
UNSPOKEN = re.compile(r'<svg\b.*?</svg>|<(\w+)\b[^>]*aria-hidden="true"[^>]*>.*?</\1>|<(?!img)[^>]*>', re.DOTALL)
NAMING = re.compile(r'\b(?:aria-label|aria-labelledby|title|alt)="\s*[^"\s]')


@lru_cache(4096)
def is_named(attributes: str, inner: str) -> bool:
    """Return whether a button has a name for screen readers."""
    if NAMING.search(attributes):
        return True
    spoken = UNSPOKEN.sub("", inner)
    return bool(spoken.replace("&nbsp;", "").strip()) and (not spoken.strip().startswith("<img") or "alt=" in spoken)


def find_unnamed_controls(page: str) -> list[str]:
    """Return the buttons and links of a page without a name (WCAG 4.1.2)."""
    return [
        f"<{kind}{attributes}>{inner[:80]}"
        for kind, attributes, inner in PRESSED.findall(page)
        if not is_named(attributes, inner)
    ]


def seat_link(page: str) -> str:
    """Return the link to the second seat on the host's page."""
    found = re.search(r"/invitations/\w+/1/[0-9a-f]{32}", page)
    assert found is not None, page
    return found[0]


def play_out(client: TestClient, browser: "PlainBrowser", chance: random.Random) -> None:
    """Play the rest of the open match at random inside the server, and open its last page."""
    play_on(client, browser, chance, sys.maxsize)


def play_on(client: TestClient, browser: "PlainBrowser", chance: random.Random, moves: int) -> None:
    """Play this many random moves of the open match inside the server, and open its page."""
    assert client.portal is not None
    server = get_server(client)
    table: Table = client.portal.call(server.tables.get_table, browser.table.removeprefix("/tables/"))
    for _ in range(moves):
        if table.status != "playing":
            break
        option = table.game.format_option(chance.choice(table.current_match.state.legal))
        client.portal.call(make_move, server, table, table.who, option, table.version)
    browser.get(browser.table)


class PlainBrowser:
    """A client that follows the actions of forms, like a browser without scripts."""

    def __init__(self, client: TestClient) -> None:
        self.client = make_client(client)
        self.client.follow_redirects = True
        self.page = ""
        self.url = ""
        self.status = 0

    def get(self, path: str) -> str:
        return self._follow(self.client.get(path))

    def post(self, path: str, **fields: str) -> str:
        """Send a form with the token of the open page."""
        found = re.search(r'name="csrf" value="([^"]+)"', self.page)
        if found is None:
            self.get("/")
            found = re.search(r'name="csrf" value="([^"]+)"', self.page)
        assert found is not None
        return self._follow(self.client.post(path, data={"csrf": found[1], **fields}))

    def hidden(self, action: str) -> dict[str, str]:
        """Return the hidden fields of the first form with this action."""
        for attributes, inner in FORM.findall(self.page):
            if dict(ATTRIBUTE.findall(attributes)).get("action") == action:
                fields = [dict(ATTRIBUTE.findall(field)) for field in FIELD.findall(inner)]
                return {one["name"]: unescape(one["value"]) for one in fields if one.get("type") == "hidden"}
        raise AssertionError(f"no form leads to {action}")

    def options(self) -> list[str]:
        """Return the options of the page."""
        form = re.search(r'<form id="decision".*?</form>', self.page, re.DOTALL)
        if form is None:
            return []
        return [unescape(value) for value in re.findall(r'<button class="option[^>]* value="([^"]*)"', form[0])]

    def choose(self, option: str) -> str:
        """Press the button of an option."""
        action = self.table + "/move"
        fields = self.hidden(action)
        return self._follow(self.client.post(action, data={**fields, "option": option}))

    @property
    def table(self) -> str:
        """Return the path of the open table."""
        found = re.search(r"/tables/\w+", self.url)
        assert found is not None, self.url
        return found[0]

    def _follow(self, answer: Response) -> str:
        self.page = answer.text
        self.url = str(answer.url)
        self.status = answer.status_code
        assert not find_unnamed_controls(self.page), f"{self.url}: {find_unnamed_controls(self.page)}"
        return self.page
