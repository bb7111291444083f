"""Pages that many ask for at once are the same as when one asks after the other: no two are mixed up."""

import re
import threading

from bench.running import Caller, Running, Seated
from tests.pace import QUIET
from tests.server.visitor import Visitor
from triclinium import titles

READERS = 6 if QUIET else 4
MARKS = re.compile(r'name="key" value="[^"]*"')  # of a form: each is new


def test_pages_made_at_once_are_the_same(server: Running) -> None:
    with Caller(server.port) as caller:
        tables = [Seated(caller, id, 3) for id in titles()]
    asked = [
        (path, token, language)
        for table in tables
        for seat, token in table.tokens.items()
        for path in (f"/t/{table.id}", f"/t/{table.id}/at/0", table.url, f"{table.url}/log")
        for language in ("en", "fr")
        if seat < 2
    ]

    def answers(part: list[tuple[str, str, str]]) -> list[tuple[int, str]]:
        found = []
        with Visitor(server.port) as visitor:
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
