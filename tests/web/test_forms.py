"""Tests that any form value is handled as text, and that every button has a name."""

import asyncio

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select

from tests.server.api_client import ApiClient, get_server, make_client
from tests.server.locked_tables import note_acquisitions, rewrite_occupant
from tests.web.browser import PlainBrowser, find_unnamed_controls, seat_link
from triclinium.engine.match import Match
from triclinium.engine.registry import load_game
from triclinium.server.storage.schema import people
from triclinium.server.tables import import_record, seats
from triclinium.server.tables.table import Table
from triclinium.web.page_context import PostedForm


@pytest.mark.parametrize(
    ("sent", "number"),
    [
        ("7", 7),
        ("000000007", 7),
        ("999999999", 999_999_999),
        *((text, -1) for text in ("", "x", "-1", "+7", " 7", "7.0", "1_000", "\u00b2", "\u0663", "1" * 10, "9" * 5000)),
    ],
)
def test_numbers_in_forms_are_validated(sent: str, number: int) -> None:
    """Signs, spaces, digits of other scripts and numbers with a thousand digits are refused without an error."""
    assert PostedForm({"n": sent}).integer("n") == number
    assert PostedForm({}).integer("n", 5) == 5


def test_a_button_without_a_name_is_found() -> None:
    """The browser of these tests refuses pages with unnamed buttons, so it must find them."""
    drawn = '<svg aria-hidden="true"><title>Undo</title></svg>'
    for nameless in (
        "<button> </button>",
        f"<button>{drawn}</button>",
        f'<button title="">{drawn}</button>',
        f'<a href="/">{drawn}<span aria-hidden="true">x</span></a>',
        "<summary>&nbsp;</summary>",
    ):
        assert find_unnamed_controls(f"<p>{nameless}</p>"), nameless
    for named in (
        "<button>Undo</button>",
        f'<button aria-label="Undo">{drawn}</button>',
        f'<button>{drawn}<span class="sr">Undo</span></button>',
        '<a href="/"><img alt="Undo"></a>',
    ):
        assert not find_unnamed_controls(named), named


def test_invalid_characters_in_forms_are_client_errors(client: TestClient) -> None:
    """A superscript two is a digit for Python, and some encodings contain an unpaired surrogate."""
    anna = PlainBrowser(client)
    anna.post("/me", name="Anna")
    anna.post("/play/testoftime", level="novice")
    table = anna.table
    for odd in ("\u00b2", "\u0663", "--", "-\u00b2", "-9"):
        assert anna.get(f"{table}?as={odd}")
        assert anna.status == 200, odd
        assert anna.get(f"{table}/positions?move=0&as={odd}")
        assert anna.url.endswith("/positions/0"), odd
    assert anna.get(f"{table}/positions?move=0&as=-1")
    assert anna.url.endswith("/positions/0?as=-1")
    anna.get("/notifications")
    anna.post("/notifications", digest="\u00b2\u00b2:\u00b2\u00b2")
    assert anna.status == 400
    anna.post("/notifications", digest="18:00", **{"channel-\u00b2": "1"})
    assert anna.status == 200
    part = b'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n\\ud800\r\n--x--\r\n'
    for letters, status in (("unicode_escape", 403), ("punycode", 400)):
        written = {"content-type": f"multipart/form-data; boundary=x; charset={letters}"}
        assert anna.client.post("/me", content=part, headers=written).status_code == status


def test_a_rematch_requires_a_nickname(client: TestClient) -> None:
    api = ApiClient(client, bot="novice")
    stranger = PlainBrowser(client)
    stranger.get("/")
    stranger.client.headers.update(api.auth(0))
    stranger.post(f"/tables/{api.id}/rematch")
    assert stranger.status == 403


def test_refused_requests_create_no_person(client: TestClient) -> None:
    """Invalid input creates no account."""
    server = get_server(client)

    def count() -> int:
        with server.store.read_connection() as connection:
            return connection.execute(select(func.count()).select_from(people)).scalar_one()

    waiting = ApiClient(client, visibility="listed")
    before = count()
    for path, fields in (
        ("/records", {"record": "nonsense"}),
        ("/play/testoftime", {"level": "nonsense"}),
        (f"/tables/{waiting.id}/join", {"seat": "9", "name": "Eve"}),
    ):
        stranger = PlainBrowser(client)
        stranger.post(path, **fields)
        assert stranger.status in (400, 404), path
    assert make_client(client).post("/api/v1/records", content="nonsense").status_code == 400
    looked = make_client(client).head(f"/watch/{waiting.id}/{waiting.watch}", follow_redirects=False)  # like messengers
    assert (looked.status_code, "set-cookie" in looked.headers) == (303, False)
    assert count() == before


def test_a_record_that_takes_too_long_is_refused(client: TestClient) -> None:
    """Half a megabyte of moves would have to be replayed at every later visit."""
    match = Match(load_game("testoftime"), 2, 1)
    record = match.record
    record.options = ["pass"] * (import_record.MAX_MOVES + 1)
    refused = make_client(client).post("/api/v1/records", content=record.dumps())
    assert refused.status_code == 400
    assert refused.json()["message"] == "This record has 5001 moves. A table can hold 5000 at most."


def test_losing_a_seat_during_a_request_cancels_the_move(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A post brings an absent player back; but while it waits for the table, the others may remove the player."""
    host, guest = PlainBrowser(client), PlainBrowser(client)
    host.get("/")
    host.post("/new", game="evangelists", seats="2", player="Anna", kind0="me", kind1="invite")
    link = seat_link(host.page)
    guest.get(link)
    guest.post(link, name="Ben")
    server = get_server(client)
    assert client.portal is not None
    table: Table = client.portal.call(server.tables.get_table, host.table.removeprefix("/tables/"))
    browser = (host, guest)[table.who]
    browser.get(host.table)
    form = {"version": str(table.version), "seat": str(table.who), "option": browser.options()[0]}
    monkeypatch.setattr(seats, "schedule_bot", lambda *_: None)
    rewrite_occupant(table, table.who, substitute="novice")

    async def race() -> None:
        async with server.tables.locked(table) as locked:
            posting = asyncio.ensure_future(asyncio.to_thread(lambda: browser.post(f"{host.table}/move", **form)))
            await asyncio.sleep(0.3)
            await seats.vacate_seat(server, locked, locked.occupants[locked.who])
        await posting

    client.portal.call(race)
    assert browser.status == 403
    assert table.moves == 0


def test_a_move_by_a_form_takes_the_lock_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The player comes back from a substitute bot, the guide notes its help, and the move is made: one lock."""
    host, guest = PlainBrowser(client), PlainBrowser(client)
    host.get("/")
    host.post("/new", game="evangelists", seats="2", player="Anna", kind0="me", kind1="invite")
    link = seat_link(host.page)
    guest.get(link)
    guest.post(link, name="Ben")
    table = get_server(client).tables.find_cached_table(host.table.removeprefix("/tables/"))
    assert table is not None
    seat = table.who
    browser = (host, guest)[seat]
    browser.get(host.table)
    form = browser.hidden(f"{host.table}/move") | {"option": browser.options()[0]}
    rewrite_occupant(table, seat, substitute="novice", helped=False)
    acquisitions = note_acquisitions(monkeypatch)
    browser.client.post(f"{host.table}/move", data=form, follow_redirects=False)
    assert table.moves > 0
    assert not table.occupants[seat].substitute
    assert acquisitions == [table.id]
