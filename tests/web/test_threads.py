"""Tests that pages requested at the same time are not mixed up.

One thread renders all pages, and the event loop renders none.
"""

import asyncio
import re
import threading

import pytest
from fastapi import Response
from fastapi.testclient import TestClient

from bench.server_process import ApiConnection, ApiTable, ServerProcess
from tests.server.api_client import get_server
from tests.server.http_client import HttpClient
from tests.web.test_secrets import Visitors
from triclinium import list_games
from triclinium.web.page_context import PageContext

READERS = 2
SHOWN = list_games()[:2]
MARKS = re.compile(r'name="key" value="[^"]*"')  # each form has a new key


def test_one_thread_renders_all_pages(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    server, made, makers = get_server(client), PageContext.render_page, set()

    def page(self: PageContext, template: str, status: int = 200, **facts: object) -> Response:
        makers.add(threading.current_thread().name)
        return made(self, template, status, **facts)

    monkeypatch.setattr(PageContext, "render_page", page)
    company = Visitors(client, "portals", 2)
    for path in (
        "/",
        "/new",
        "/tables",
        "/rules",
        "/rules/portals",
        "/me",
        "/me/sign-in",
        "/notifications",
        "/leaderboard",
        "/nothing",
    ):
        company.browsers[0].get(path)
    assert makers == {"triclinium-work_0"}

    at_work: list[int] = []
    together: list[int] = []

    def job(n: int) -> None:
        at_work.append(n)
        threading.Event().wait(0.01)  # long enough for another request to begin
        together.append(len(at_work))
        at_work.pop()

    async def several() -> None:
        await asyncio.gather(*(server.runtime.run_in_thread(job, n) for n in range(4)))

    company.portal.call(several)
    assert together == [1, 1, 1, 1]


def test_pages_rendered_concurrently_are_equal(server: ServerProcess) -> None:
    with ApiConnection(server.port) as caller:
        tables = [ApiTable(caller, id, 3) for id in SHOWN]
    asked = [
        (path, token, language)
        for table in tables
        for seat, token in table.tokens.items()
        for path in (f"/tables/{table.id}", f"/tables/{table.id}/positions/0", table.url, f"{table.url}/log")
        for language in ("en", "fr")
        if seat < 2
    ]

    def answers(part: list[tuple[str, str, str]]) -> list[tuple[int, str]]:
        found = []
        with HttpClient(server.port) as visitor:
            for path, token, language in part:
                visitor.token = token
                answer = visitor.get(path, **{"accept-language": language})
                found.append((answer.status, MARKS.sub("", answer.text)))
        return found

    alone = answers(asked)
    assert {status for status, _ in alone} == {200}
    different: list[str] = []

    def ask_all(first: int) -> None:
        order = asked[first:] + asked[:first]
        wanted = alone[first:] + alone[:first]
        for (path, _, language), got, one in zip(order, answers(order), wanted, strict=True):
            if got != one:
                different.append(f"{path} {language}")

    readers = [threading.Thread(target=ask_all, args=(n * len(asked) // READERS,)) for n in range(READERS)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert different == []
