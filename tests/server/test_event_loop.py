"""Tests of every route in long matches. In the slow test no callback may block the event loop for more than 20 ms."""

import json
import random
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.routing import Route

from bench.server_process import ServerProcess
from tests.forked_servers import ForkedServer
from tests.server.api_client import make_settings
from tests.server.http_client import HttpAnswer, HttpClient
from tests.slow import slow
from triclinium import list_games, load_game
from triclinium.engine.match import Match
from triclinium.web.app import create_app

BAR = 20.0  # milliseconds of processor time
LONG = {"missionnaires": 600}  # number of moves of a long match, by game
USUAL = 250
LONGEST_FILE = 700  # moves; a match file takes about 20 milliseconds for each
LONGEST = ["missionnaires"]  # the game with the longest matches


class TimedServer(ServerProcess):
    """A server that measures the callbacks of its event loop."""

    program = "tests.server.timed_server"


class TriedRoutes(HttpClient):
    """A visitor that remembers the routes it has used."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.asked: set[tuple[str, str]] = set()

    def request(self, method: str, path: str, *more: object, **others: object) -> HttpAnswer:
        self.asked.add((method, path.partition("?")[0]))
        answer = super().request(method, path, *more, **others)  # type: ignore[arg-type]
        assert answer.status < 500, (method, path, answer.text)
        return answer


def played(id: str, moves: int) -> tuple[Match, bool]:
    """Play a random match of this many moves, or to its end. Return it and whether it is over."""
    game = load_game(id)
    for seed in range(1, 50):
        chance = random.Random(seed)
        match = Match(game, max(game.seats), seed)
        while not match.state.over and len(match.record.options) < moves:
            match.play(game.format_option(chance.choice(match.state.legal)))
        if match.state.over == (moves > 5000) or len(match.record.options) == moves:
            return match, match.state.over
    raise AssertionError(f"no match of {id} has {moves} moves")


def records(id: str) -> tuple[str, str]:
    """Return the records of a long running match and of a finished one."""
    over, _ = played(id, 10_000)
    long = over.record.truncate(min(LONG.get(id, USUAL), len(over.record.options) - 20))
    long.result = None
    return long.dumps(), over.record.dumps()


def upload_record(visitor: HttpClient, text: str) -> str:
    visitor.get("/")
    answer = visitor.post("/records", record=text)
    assert answer.status == 303, answer.text
    return answer.goes_to.removeprefix("/tables/")


def read_table_pages(visitor: HttpClient, id: str) -> None:
    """Read everything at a table except the review."""
    page, api = f"/tables/{id}", f"/api/v1/tables/{id}"
    moves = int(str(visitor.get(api).facts["moves"]))
    for path in (
        "",
        "?log=all",
        "/positions?move=3",
        f"/positions/{moves // 2}",
        f"/positions/{moves - 1}",
        "/positions/0",
        "/record",
        "/shuffle",
        "/move",
    ):
        visitor.get(page + path)
    if moves <= LONGEST_FILE:
        visitor.get(f"{page}/file")
    for path in ("", f"/view?move={moves // 3}", "/view", "/options", "/log", "/log?language=fr", "/record"):
        visitor.get(api + path)


def share(visitor: HttpClient, id: str) -> None:
    """Share a finished match and read everything behind its link except the review."""
    api = f"/api/v1/tables/{id}/share"
    visitor.get(f"/tables/{id}")
    visitor.post(f"/tables/{id}/share", operation="create")
    link = visitor.send("POST", api, {"show_name": True}).facts["path"]
    for path in (
        "",
        ".png",
        "/positions?move=3",
        "/positions/9",
        "/positions/9/embed",
        "/record",
        "/shuffle",
    ):
        visitor.get(f"{link}{path}")
    visitor.get(f"/api/v1/matches/{str(link).removeprefix('/matches/')}")
    visitor.get(f"{link}/review")
    visitor.get(api)
    visitor.send("PUT", api, {"show_name": False})
    visitor.send("DELETE", api)
    for path in (f"{link}/file", f"{link}/print", f"/tables/{id}/print"):
        visitor.get(path)  # the link is revoked, and the address of the print-out is a redirect


def decide_at(visitor: HttpClient, id: str, turns: int) -> None:
    """Do everything that players can do in a running match."""
    page, api = f"/tables/{id}", f"/api/v1/tables/{id}"
    for _ in range(turns):
        facts = visitor.get(api).facts
        decision = facts["decision"]
        assert isinstance(decision, dict)
        option, version, who = decision["options"][0]["option"], facts["version"], facts["who"]
        visitor.get(f"{page}?as={who}")
        visitor.get(f"{page}/preview/{quote(option)}?as={who}&version={version}")
        visitor.get(f"{api}/preview?option={quote(option)}&seat={who}&version={version}")
        visitor.post(f"{page}/move", seat=who, version=version, option="sing")
        visitor.post(f"{page}/move", seat=who, version=version, option=option)
        visitor.send("POST", f"{api}/undo", {"version": visitor.get(api).facts["version"], "seat": who})
        version = visitor.get(api).facts["version"]
        visitor.send("POST", f"{api}/move", {"option": option, "version": version, "seat": who})
        visitor.get(page)
    version = visitor.get(api).facts["version"]
    visitor.get(f"{api}/auto-replies")
    visitor.send("POST", f"{api}/auto-replies", {"until": "turn", "version": version})
    visitor.send("DELETE", f"{api}/auto-replies/nothing")
    visitor.post(f"{page}/auto-replies", until="turn", version=visitor.get(api).facts["version"])
    visitor.post(f"{page}/auto-replies/cancel", step="nothing")
    version = visitor.get(api).facts["version"]
    visitor.post(f"{page}/undo", version=version, seat=0)
    visitor.post(f"{page}/request-undo", version=visitor.get(api).facts["version"])
    visitor.send("POST", f"{api}/request-undo", {"version": visitor.get(api).facts["version"], "practice": True})
    visitor.post(f"{page}/guide", guide="restart")
    visitor.post(f"{page}/chat", text="salve")
    visitor.send("POST", f"{api}/chat", {"text": "salve"})
    visitor.get(f"{api}/chat")
    visitor.post(f"{page}/vote-substitute", seat=1)
    visitor.send("POST", f"{api}/seats/1/vote-substitute")
    visitor.send("POST", f"{api}/seats/0/return")
    for path, more in (
        ("vote-remove", {"seat": 1}),
        ("vote-reassign", {"seat": 1}),
        ("pause", {"minutes": 60}),
        ("resume", {}),
        ("return", {}),
    ):
        visitor.post(f"{page}/{path}", **more)
    visitor.send("POST", f"{api}/seats/1/vote-remove")
    visitor.post(f"{page}/open-seat", bot_seat=1)
    visitor.send("POST", f"{api}/seats/1/open", {})
    visitor.send("POST", f"{api}/seats/1/vote-reassign", {"person": 1})
    visitor.send("POST", f"{api}/pause", {"minutes": 60})
    visitor.send("DELETE", f"{api}/pause")
    visitor.post(f"{page}/revoke-spectator-link")
    visitor.send("DELETE", f"{api}/spectator-link")
    visitor.post(f"{page}/hint", seat=visitor.get(api).facts["who"])
    visitor.send("POST", f"{api}/hint")
    visitor.post(f"{page}/resign", seat=0, confirmed="on", version=visitor.get(api).facts["version"])
    visitor.send("POST", f"{api}/resign", {"version": visitor.get(api).facts["version"]})
    visitor.post(f"{page}/abandon")
    visitor.send("POST", f"{api}/abandon")


def open_one(visitor: HttpClient, id: str) -> None:
    """Open tables, take seats and leave them."""
    visitor.get(f"/new?game={id}")
    for path in (f"/rules/{id}", f"/guide/{id}", f"/api/v1/games/{id}"):
        visitor.get(path)
    visitor.post(f"/play/{id}", level="novice")
    visitor.get("/")
    seats = min(load_game(id).seats)
    kinds = {f"kind{n}": "me" if n == 0 else "invite" for n in range(seats)}
    page = visitor.post("/new", game=id, seats=seats, visibility="watched", **kinds).goes_to
    waiting = visitor.get(page).text
    link = re.search(r"/invitations/\w+/\d/[0-9a-f]{32}", waiting)
    watch = re.search(r"/watch/\w+/[0-9a-f]{32}", waiting)
    assert link is not None
    assert watch is not None
    code = re.search(r'class="bigcode"[^>]*>(\w{3}) (\w{3})<', waiting)
    assert code is not None
    by_code = f"/join/{code[1]}{code[2]}"
    for path in ("/qr.svg", "/invitation"):
        visitor.get(page + path)
    visitor.post(f"{page}/ready-check", ready="on")
    visitor.post(f"{page}/ready")
    visitor.get(f"/api/v1/join-codes/{code[1]}{code[2]}")
    visitor.post(f"{page}/join", seat=1)
    visitor.post(f"{page}/leave", seat=0)
    visitor.get(by_code)
    visitor.post(f"{by_code}/watch")
    visitor.post(by_code, name="Anna")
    visitor.post(f"{page}/leave", seat=0)
    for path in (link[0], watch[0]):
        visitor.get(path)
    visitor.post(f"{page}/add-bot", seat=1, bot="random")
    visitor.get(page)
    visitor.post(f"{page}/close")
    visitor.post(link[0], name="Anna")
    chairs = [{"kind": "me"}] + [{"kind": "invite"}] * (seats - 1)
    opened = visitor.send("POST", "/api/v1/tables", {"game": id, "seats": chairs}).facts
    table, invitations = opened["table"], opened["invitations"]
    assert isinstance(table, dict)
    assert isinstance(invitations, list)
    url = f"/api/v1/tables/{table['id']}"
    for invitation in invitations:
        visitor.send("POST", f"{url}/seats", invitation)
    visitor.send("PUT", f"{url}/seats/1/bot", {"bot": "random"})
    visitor.send("PUT", f"{url}/ready-check", {"enabled": True})
    visitor.send("POST", f"{url}/ready")
    visitor.send("DELETE", f"{url}/seats/0")
    visitor.send("DELETE", url)


def visit_network_pages(visitor: HttpClient) -> None:
    """Use the pages for network access and the password."""
    for path in ("/join", "/health", "/healthz", "/readyz", "/network", "/password", "/api/v1/network"):
        visitor.get(path)
    for door in ("open", "close"):
        visitor.post("/network", operation=door)
        visitor.send("POST", "/api/v1/network", {"open": door == "open"})
    visitor.send("PUT", "/api/v1/password", {"password": "open sesame"})
    visitor.get("/password")
    visitor.post("/password", password="open barley")
    visitor.send("POST", "/api/v1/password", {"password": "open sesame"})
    visitor.send("PUT", "/api/v1/password", {"password": ""})


def visit_account_pages(visitor: HttpClient) -> None:
    for path in ("/", "/next-table", "/tables", "/rules", "/me", "/robots.txt", "/static/base.css", "/nothing"):
        visitor.get(path)
    for path in ("components?region=judea", "components/card/O49", "rule/pp-7.2?part=on", "help"):
        visitor.get(f"/rules/portals/{path}")
    for path in (
        "/games",
        "/games/portals/components",
        "/games/portals/rules/PP-7.2",
        "/games/portals/search?q=fuel",
        "/tables",
        "/openapi.json",
    ):
        visitor.get(f"/api/v1{path}")
    visitor.post("/join", code="WRONG1")
    visitor.post("/me", name="Anna")
    link = re.search(r"/me/sign-in/[\w-]+", visitor.post("/me/sign-in-link").text)
    assert link is not None
    visitor.get(link[0])
    visitor.post(link[0])
    visitor.post("/settings", language="fr")
    visitor.get("/")
    visitor.post("/me/sign-out")


def visit_people_pages(visitor: HttpClient) -> None:
    """Use the pages and the API for leaderboards, profiles and account recovery."""
    visitor.get("/owner/no-such-link")
    visitor.send("POST", "/api/v1/owner", {"token": "no such link"})
    for path in (
        "/leaderboard",
        "/players",
        "/players/1",
        "/me/privacy",
        "/me/sign-in",
        "/me/recover",
        "/me/export",
        "/me/bots",
    ):
        visitor.get(path)
    for path in ("leaderboard", "players", "players/1", "me", "me/devices", "me/export", "me/bots"):
        visitor.get(f"/api/v1/{path}")
    visitor.get("/me/sign-in")
    visitor.post("/me/privacy", visible_to="met")
    visitor.post("/me/vacation", start="2030-01-01", until="2030-01-02")
    visitor.get("/api/v1/me/vacation")
    visitor.send("PUT", "/api/v1/me/vacation", {"until": 0.0})
    visitor.send("DELETE", "/api/v1/me/vacation")
    for path in ("recovery-phrase", "recover", "recover/mail", "merge", "unmerge", "devices", "passkeys", "deletion"):
        visitor.post(f"/me/{path}", phrase="no such words", person=7, proof="x", device="x", passkey="x", nickname="x")
    visitor.post("/players/7/hide", hide="on")
    visitor.post("/me/bots", name="Clio")
    visitor.send("POST", "/api/v1/me/bots", {"name": "Clio"})
    visitor.send("PUT", "/api/v1/me/privacy", {"visible_to": "met"})
    visitor.send("PUT", "/api/v1/players/7/hidden", {"hidden": True})
    key = {"challenge": "x", "credential": {}}
    for path, body in (
        ("me/recovery-phrase", None),
        ("me/recover", {"phrase": "no such words"}),
        ("me/recover/mail", {"mail": "nobody@example.org"}),
        ("me/merge", {"person": 7, "proof": "x"}),
        ("me/deletion", {"nickname": "x"}),
        ("me/passkeys/options", None),
        ("me/passkeys", key),
        ("passkeys/options", None),
        ("passkeys", key),
    ):
        visitor.send("POST", f"/api/v1/{path}", body)
    for path in ("me/merge/7", "me/devices/x", "me/deletion", "me/passkeys/x", "me/bots/7"):
        visitor.send("DELETE", f"/api/v1/{path}")


def visit_notification_pages(visitor: HttpClient, id: str) -> None:
    """Use the pages and the API for notifications, channels and presence."""
    for path in (
        "/api/v1/notifications",
        "/notifications",
        "/manifest.webmanifest",
        "/sw.js",
        "/offline",
        "/notifications/unsubscribe/1/x",
    ):
        visitor.get(path)
    visitor.send("PUT", "/api/v1/notifications", {"quiet_hours": "22:30-08:00"})
    way = visitor.send("POST", "/api/v1/notifications/channels", {"kind": "ntfy"}).facts["id"]
    for kind in ("device", "mail", "discord", "service"):
        visitor.send("POST", "/api/v1/notifications/channels", {"kind": kind, "subscription": {}})
    visitor.send("PUT", f"/api/v1/notifications/channels/{way}", {"groups": []})
    visitor.get(f"/notifications/channels/{way}/qr.svg")
    visitor.get("/notifications")
    visitor.post(
        "/notifications", quiet="on", until="08:00", digest="18:00", **{"from": "22:30", f"channel-{way}": "on"}
    )
    visitor.post("/notifications/channels", kind="discord", address="nowhere")
    visitor.post(f"/notifications/channels/{way}", operation="retry")
    visitor.post("/notifications/unsubscribe/1/x")
    visitor.post(f"/tables/{id}/chat/read")
    visitor.send("POST", "/api/v1/notifications/channels/999/test")
    visitor.send("DELETE", f"/api/v1/notifications/channels/{way}")
    visitor.send("POST", "/api/v1/notifications/snooze", {"message": 7})
    visitor.send("POST", f"/api/v1/tables/{id}/presence", {"tab": "one", "visible": False})
    visitor.send("POST", f"/api/v1/tables/{id}/chat/read")


def visit_owner_pages(visitor: HttpClient, table: str) -> None:
    """Ask for the owner's pages and routes as a stranger, who is refused everywhere."""
    for path in ("", "/people", "/people/1", "/people/1/delete", "/tables", f"/tables/{table}/close"):
        visitor.get(f"/server{path}")
    for path in (f"/tables/{table}/delete", "/backups/x", "/backups/x/delete"):
        visitor.get(f"/server{path}")
    for path in ("", "/people", "/tables", "/backups", "/backups/x"):
        visitor.get(f"/api/v1/server{path}")
    for action in ("rename", "mute", "ban", "lift", "delete"):
        visitor.post(f"/server/people/1/{action}", name="x", seconds=60)
    for path in (f"/tables/{table}/close", f"/tables/{table}/delete", "/backups"):
        visitor.post(f"/server{path}")
    for action in ("verify", "delete"):
        visitor.post(f"/server/backups/x/{action}")
    visitor.send("PUT", "/api/v1/server/people/1/name", {"name": "x"})
    for action in ("mute", "ban"):
        visitor.send("PUT", f"/api/v1/server/people/1/{action}", {"seconds": 60})
    for path in ("people/1/restrictions", "people/1", f"tables/{table}", "backups/x"):
        visitor.send("DELETE", f"/api/v1/server/{path}")
    for path in (f"tables/{table}/close", "backups", "backups/x/verify"):
        visitor.send("POST", f"/api/v1/server/{path}")


def read_event_streams(port: int, visitor: TriedRoutes, id: str) -> None:
    for path in (f"/tables/{id}/events", f"/api/v1/tables/{id}/events"):
        visitor.asked.add(("GET", path))
        with HttpClient(port) as ear:
            ear.connection.request(
                "GET", path, headers={"cookie": "; ".join(f"{k}={v}" for k, v in visitor.cookies.items())}
            )
            answer = ear.connection.getresponse()
            assert answer.status == 200
            assert answer.readline().startswith(b"id: ")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TimedServer]:
    monkeypatch.setenv("WATCHED", str(tmp_path / "watched.json"))
    watched = TimedServer(tmp_path, 0, None, "--hint-budget", "20x", "--bot-pause", "0")
    yield watched
    watched.stop()


@pytest.mark.parametrize(
    ("ids", "turns", "bar"), [(LONGEST, 2, None), slow(list_games(), 6, BAR)], ids=["longest", "all"]
)
def test_no_route_blocks_the_event_loop(
    server: TimedServer, tmp_path: Path, ids: list[str], turns: int, bar: float | None
) -> None:
    first = ForkedServer(tmp_path).start()
    with TriedRoutes(first.port) as visitor:
        stored = {id: [upload_record(visitor, text) for text in records(id)] for id in ids}
        visitor.send("POST", "/api/v1/records")
    cookies, asked = visitor.cookies, visitor.asked
    first.stop()
    server.start()  # no table is in memory after this
    with TriedRoutes(server.port) as visitor:
        visitor.cookies, visitor.asked = cookies, asked
        for id, (long, over) in stored.items():
            read_table_pages(visitor, long)
            decide_at(visitor, long, turns)
            read_table_pages(visitor, over)
            read_event_streams(server.port, visitor, long)
            visitor.post(f"/tables/{over}/continue", move=100)
            visitor.post(f"/tables/{over}/rematch")
            visitor.send("POST", f"/api/v1/tables/{over}/rematch")
            visitor.post(f"/tables/{long}/end")  # refused, because the match can continue
            visitor.send("POST", f"/api/v1/tables/{long}/end")
            open_one(visitor, id)
        visit_network_pages(visitor)
        for path in (
            "t/x",
            "m/x",
            "s/x",
            "w/x",
            "j/x",
            "j",
            "me/enter/x",
        ):  # addresses of links that people may have kept
            visitor.get(f"/{path}")
        visit_owner_pages(visitor, stored["missionnaires"][1])
        visit_people_pages(visitor)
        visit_notification_pages(visitor, next(iter(stored.values()))[0])
        share(visitor, stored["missionnaires"][1])  # This game has the longest matches.
        # This comes last except for leaving, because the first request starts a review, which is long work in another
        # process.
        for id in chain(*stored.values()):
            visitor.get(f"/tables/{id}/review")
            visitor.get(f"/api/v1/tables/{id}/review")
        visit_account_pages(visitor)
        visit_missing_pages(visitor, tmp_path)
    server.stop()
    told = json.loads((tmp_path / "watched.json").read_text())
    assert told["callbacks"] > 1000
    assert list_unused_routes(visitor.asked, tmp_path) == []
    took, name = told["worst"][0]
    assert bar is None or took < bar, f"{name}: {took:.1f} ms; {told}"


VISITED_PREFIXES = (
    "deals",
    "evening",
    "workshop",
    "editions",
    "studies",
    "practice",
    "me/practice",
    "me/studies",
    "playtests",
    "print",
    "rules/",
    "tables/",
)


def visit_missing_pages(visitor: TriedRoutes, folder: Path) -> None:
    """Send one request to each other route of deals, evenings, editions, playtests and exercises, mostly in vain."""
    for route in list_unused_routes(visitor.asked, folder):
        method, _, path = route.partition(" ")
        if not path.removeprefix("/api/v1").removeprefix("/").startswith(VISITED_PREFIXES):
            continue
        filled = re.sub(r"{\w+(:int)?}", lambda found: "1" if found[1] else "portals", path)
        if method == "GET":
            visitor.get(filled)
        elif path.startswith("/api/"):
            visitor.send(method, filled)
        else:
            visitor.post(filled)


def list_unused_routes(asked: set[tuple[str, str]], folder: Path) -> list[str]:
    """Return the routes of the server that no request has used."""
    routes = create_app(make_settings(folder)).routes
    assert len(routes) > 60
    return [
        f"{method} {route.path}"
        for route in routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if not any(method == by and route.path_regex.match(path) for by, path in asked)
    ]
