"""Tests of the pages of evenings, with a browser without scripts."""

import re
from html import unescape

from fastapi.testclient import TestClient

from tests.server.api_client import get_server
from tests.server.server_driver import ServerDriver
from tests.web.browser import PlainBrowser
from triclinium.server.evenings.evening import Evening
from triclinium.server.evenings.rounds import read_evening


def read_text(page: str) -> str:
    """Return the words of a page."""
    main = page[page.index("<main") :]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", main)))


class Party:
    """A host and guests with browsers without scripts."""

    def __init__(self, client: TestClient, *names: str, game: str = "portals") -> None:
        self.client = client
        self.host = PlainBrowser(client)
        self.host.get("/evenings")
        self.host.post("/evenings", player=names[0], game=game, name="")
        self.path = "/" + self.host.url.split("/", 3)[3]
        self.code = self.path.rpartition("/")[2]
        self.guests = [self.join(name) for name in names[1:]]

    def join(self, name: str) -> PlainBrowser:
        browser = PlainBrowser(self.client)
        browser.get("/")
        browser.post("/join", code=f"{self.code[:3]} {self.code[3:].lower()}")
        assert browser.url.endswith(self.path)
        browser.post(f"{self.path}/join", player=name)
        return browser

    @property
    def evening(self) -> Evening:
        return read_evening(get_server(self.client), self.code)

    def start(self) -> str:
        """Press the button that starts the proposed round."""
        self.host.get(self.path)
        return self.host.post(f"{self.path}/rounds", **self.host.hidden(f"{self.path}/rounds"))

    def play_round(self) -> None:
        driver = ServerDriver(self.client)
        for table in self.evening.tables:
            if table.is_running:
                driver.play(driver.portal.call(driver.server.tables.get_table, table.id))


def test_the_home_page_links_to_evenings(client: TestClient) -> None:
    browser = PlainBrowser(client)
    assert 'href="/evenings"' in browser.get("/")
    assert browser.status == 200
    page = browser.get("/evenings")
    assert "An evening with friends" in page
    browser.post("/evenings", player="Miriam", game="evangelists", name="Thursday")
    assert "<h1>Thursday</h1>" in browser.page
    assert "Thursday" in browser.get("/evenings")


def test_an_evening_is_played_from_code_to_points(client: TestClient) -> None:
    party = Party(client, "Miriam", "Ben", "Noa", "Yohan", "Theo", "Lydia")
    text = read_text(party.host.get(party.path))
    assert "6 people are here." in text
    assert "Nobody has met yet tonight." in text
    assert "Points tonight" not in text  # nothing to show yet
    assert "Start round 1" not in party.guests[0].get(party.path)  # guests see no buttons of the host
    assert "You wait for the next round." in read_text(party.guests[0].page)
    party.start()
    assert party.host.status == 200
    text = read_text(party.guests[0].get(party.path))
    assert "Round 1 is being played at 2 tables." in text
    own = party.evening.find_table_of(2)
    assert own is not None
    assert f"You play at table {own.place}." in text
    links = set(re.findall(r'href="/tables/(\w+)"', party.guests[0].page))
    assert links == {own.id}  # only the guest's own table
    party.guests[0].get(f"/tables/{own.id}")
    assert party.guests[0].status == 200
    assert party.path in party.guests[0].page  # the way back
    party.play_round()
    assert f'href="{party.path}"' in party.guests[0].get(f"/tables/{own.id}")
    text = read_text(party.guests[0].get(party.path))
    assert "Round 1 has ended." in text
    assert "Points tonight" in text
    for line in party.evening.build_ranking():
        assert (f"+{line.points}" if line.points > 0 else str(line.points).replace("-", "−")) in text
    late = party.join("Tertius")
    assert "new, starts with" in read_text(late.page)


def test_seating_by_hand_and_again(client: TestClient) -> None:
    party = Party(client, "Miriam", "Ben", "Noa", "Yohan", "Theo")
    page = party.host.get(f"{party.path}?again=1")
    assert 'again=2"' in page
    places = {"place-1": "1", "place-2": "2", "place-3": "1", "place-4": "2", "place-5": "0"}
    party.host.post(f"{party.path}/rounds", round="1", game="evangelists", **places)
    assert [sorted(seat.guest for seat in table.seats) for table in party.evening.tables] == [[1, 3], [2, 4]]
    assert {table.game for table in party.evening.tables} == {"evangelists"}
    assert "Start the next round without those who still play" in read_text(party.host.page)
    assert "is waiting" in read_text(party.host.page)  # Theo


def test_a_refusal_is_shown_on_the_page(client: TestClient) -> None:
    party = Party(client, "Miriam", "Ben", "Noa", "Yohan", "Theo")
    text = read_text(party.host.get(f"{party.path}?game=ierusalem"))
    assert "5 people cannot sit at tables of 3 to 4. Add 1 bot, or let 1 person pause." in text
    party.host.post(f"{party.path}/rounds", round="1", game="portals", **{"place-1": "1"})
    assert party.host.status == 409
    assert (
        '<p class="panel block" role="alert">Table 1 has 1 person, but this game needs 2 to 5.</p>' in party.host.page
    )
    party.host.post(f"{party.path}/add", name="ben")
    assert "Someone at this evening is already called ben. Choose another name." in read_text(party.host.page)
    newcomer = party.join("Noa")
    assert newcomer.status == 409
    assert "Someone at this evening is already called Noa. Choose another name." in read_text(newcomer.page)
    newcomer.post(f"{party.path}/join", player="Noa 2")
    assert newcomer.status == 200
    assert party.start()
    party.host.post(f"{party.path}/rounds", round="1", game="portals", seating="1 2|3 4")
    assert "Round 1 has already started." in read_text(party.host.page)
    party.guests[0].post(f"{party.path}/rounds", round="2", game="portals", seating="1 2|3 4")
    assert "Only the host of the evening can do this." in read_text(party.guests[0].page)
    stranger = PlainBrowser(client)
    stranger.get("/evening/XXXXXX")
    assert stranger.status == 404


def test_people_join_pause_and_leave(client: TestClient) -> None:
    party = Party(client, "Miriam", "Ben")
    party.host.post(f"{party.path}/add", name="Rufus")
    party.host.post(f"{party.path}/add", bot="novice")
    text = read_text(party.host.page)
    assert "plays without a device" in text
    assert "bot, Novice" in text
    party.guests[0].post(f"{party.path}/guests/2", status="paused")
    assert "has paused" in read_text(party.guests[0].page)
    party.host.post(f"{party.path}/guests/3", status="left")
    assert "has left" in read_text(party.host.page)
    party.guests[0].post(f"{party.path}/guests/1", status="left")
    assert "Only the host can do this for someone else." in read_text(party.guests[0].page)
    party.host.post(f"{party.path}/end")
    text = read_text(party.host.page)
    assert "This evening has ended." in text
    assert "Start round" not in text
    stranger = PlainBrowser(client)
    assert "This evening has ended." in read_text(stranger.get(party.path))


def test_names_are_escaped_and_the_page_is_translated(client: TestClient) -> None:
    party = Party(client, "Miriam", "<b>Ben</b>")
    assert "<b>Ben</b></b>" not in party.host.get(party.path)
    assert "&lt;b&gt;Ben&lt;/b&gt;" in party.host.page
    party.host.client.cookies.set("language", "fr")
    text = read_text(party.host.get(party.path))
    assert "2 personnes sont là." in text
    assert "Placement pour la ronde 1" in text
    assert "Lancer la ronde 1" in text


def test_the_qr_code_is_for_guests(client: TestClient) -> None:
    party = Party(client, "Miriam", "Ben")
    assert party.guests[0].client.get(f"{party.path}/qr.svg").headers["content-type"] == "image/svg+xml"
    assert PlainBrowser(client).client.get(f"{party.path}/qr.svg").status_code == 403
