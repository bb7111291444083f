"""Processor time of the server for each page: `python -m bench.pages [TIMES]`.

It prints milliseconds per request for the server's pages, for each game's table after 60 moves, and for an evening of
16 people, with the sizes of the pages. The lowest of three rounds counts, because other programs can only add to a
cost.
"""

import gzip
import random
import sys
import tempfile
import urllib.request
from pathlib import Path

import triclinium
from bench.server_process import ApiConnection, ApiTable, ServerProcess

PATHS = ("/", "/new", "/tables", "/rules", "/rules/portals")
MOVES = 60
GUESTS = 16
ROUNDS = 3


def main(times: int = 40) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), 0, None, "--bot-pause", "0").start()
        try:
            for path in PATHS:
                report_page(path, server, path, "", times)
            for id in triclinium.list_games():
                with ApiConnection(server.port) as caller:
                    table = ApiTable(caller, id, 3)
                    who = play_moves(table, MOVES)
                    report_page(id, server, f"/tables/{table.id}", table.tokens[who], times)
            report_evening(server, times)
        finally:
            server.stop()


def play_moves(table: ApiTable, moves: int) -> int:
    """Play at random and return the seat that is asked next."""
    chance = random.Random(5)
    who = table.find_asked_seat()
    for _ in range(moves):
        assert who is not None, "the match is over"
        version, options = table.options(who)
        move = {"option": chance.choice(options), "version": version}
        status, facts = table.caller.call("POST", f"{table.url}/move", move, table.tokens[who])
        assert status == 200, facts
        who = table.find_asked_seat()
    assert who is not None, "the match is over"
    return who


def report_evening(server: ServerProcess, times: int) -> None:
    """Print the cost of the page of an evening before the first round and while it is played, as the host sees it."""
    code, cookies = "", []
    with ApiConnection(server.port) as caller:
        for n in range(GUESTS):
            path = f"/api/v1/evenings/{code}/guests" if code else "/api/v1/evenings"
            sent = {"player": f"Guest {n + 1}", **({} if code else {"game": "portals"})}
            status, answer = caller.call("POST", path, sent)
            assert status == 201, answer
            code = str(answer["code"])
            cookies.append(f"triclinium={answer['cookie']}")
    host = cookies[0]
    report_page("evening, host", server, f"/evening/{code}", "", times, host)
    start = urllib.request.Request(f"{server.address}/api/v1/evenings/{code}/rounds", b'{"round": 1}')
    start.add_header("Content-Type", "application/json")
    start.add_header("Cookie", host)
    with urllib.request.urlopen(start) as answered:
        assert answered.status == 201
    report_page("evening, host, round", server, f"/evening/{code}", "", times, host)
    report_page("evening, guest, round", server, f"/evening/{code}", "", times, cookies[-1])


def report_page(name: str, server: ServerProcess, path: str, token: str, times: int, cookie: str = "") -> None:
    """Print the cost of one request and the size of the response."""
    request = urllib.request.Request(f"{server.address}{path}", headers={"Accept-Encoding": "gzip"})
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    if cookie:
        request.add_header("Cookie", cookie)

    def get() -> bytes:
        with urllib.request.urlopen(request) as answer:
            found: bytes = answer.read()
            return found

    for _ in range(5):
        sent = get()
    costs = []
    for _ in range(ROUNDS):
        server.wait_until_idle()
        before = server.cpu_seconds()
        for _ in range(times):
            get()
        costs.append((server.cpu_seconds() - before) / times)
    page = gzip.decompress(sent) if sent[:2] == b"\x1f\x8b" else sent
    sys.stdout.write(f"{name:22} {min(costs) * 1000:6.2f} ms {len(sent):8,} bytes sent, {len(page):9,} unpacked\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
