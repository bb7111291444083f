"""Tests of pages about people: readable without a cookie and without scripts, with names for people of this server
only."""

import re

from fastapi.testclient import TestClient

from tests.server.server_driver import ServerDriver
from tests.web.browser import PlainBrowser


def browser_of(driver: ServerDriver, name: str) -> PlainBrowser:
    found = PlainBrowser(driver.client)
    found.client.cookies.set("triclinium", driver.cookies[name])
    return found


def test_results_are_shown_on_all_pages(client: TestClient) -> None:
    """A result appears at the table, on the home page, on profiles and on the leaderboard."""
    house = ServerDriver(client)
    anna, ben = house.create_person("Anna Perenna"), house.create_person("Ben Gamla")
    table = house.play(house.open_table(anna, ben))
    won = [row["person"] for row in house.load_results(table) if row["rank"] == 1]
    page = browser_of(house, "Anna Perenna")
    assert "Your rating: " in page.get(f"/tables/{table.id}")
    if len(won) == 1:  # a random match may have several winners
        assert bool(re.search(r"Your rating: [\d.,]+ \(\+", page.page)) == (won == [anna.id])
        assert (f"you won at {table.name}" in page.get("/")) == (won == [anna.id])
    own = page.get(f"/players/{anna.id}")
    assert "1 match against people" in own
    assert "Privacy and data" in own
    assert "Ben Gamla" in own
    assert f'href="/tables/{table.id}/review"' in own
    assert "start" not in own[own.index("Favourite openings") :]  # the game's own words, not its notation
    others = page.get(f"/players/{ben.id}?game=evangelists")
    assert "Ben Gamla" in others
    assert "Privacy and data" not in others
    assert f"/players/{ben.id}" in page.get("/players")
    assert "Ben Gamla" in page.get("/leaderboard?game=evangelists&bots=off")
    facts = page.client.get(f"/api/v1/players/{anna.id}").json()
    assert (facts["with_people"], facts["matches"][0]["others"][0]["name"]) == (1, "Ben Gamla")
    assert page.client.get("/api/v1/players").json()["players"][0]["name"] == "Ben Gamla"


def test_one_tap_reserves_a_seat_for_a_person(client: TestClient) -> None:
    """A seat can be reserved for a visible person, who finds the table among their own."""
    house = ServerDriver(client)
    anna, ben = house.create_person("Anna Faustina"), house.create_person("Ben Hur")
    house.play(house.open_table(anna, ben))
    page = browser_of(house, "Anna Faustina")
    assert "reserved for Ben Hur" in page.get(f"/new?guest={ben.id}")
    wish = {"game": "evangelists", "seats": "2", "kind0": "me", "kind1": "invite", "person1": str(ben.id)}
    page.post("/new", **wish, name="Supper of Faustina", hints="on")
    assert "Supper of Faustina" in browser_of(house, "Ben Hur").get("/tables")
    house.create_person("Stranger")
    stranger = browser_of(house, "Stranger")
    assert "kept for" not in stranger.get(f"/new?guest={ben.id}")
    table = house.open_table(anna, ben)
    path = f"/tables/{table.id}"
    asked = browser_of(house, ("Anna Faustina", "Ben Hur")[table.who])
    assert "If you use a hint, this match is not rated" in asked.get(path)


def test_strangers_see_no_names(client: TestClient) -> None:
    """Visitors without a cookie, and people who have not played, see no names."""
    house = ServerDriver(client)
    anna, ben = house.create_person("Claudia Procula"), house.create_person("Nicodemus")
    house.play(house.open_table(anna, ben))
    stranger = PlainBrowser(client)
    newcomer = house.create_person("Newcomer")
    for browser in (stranger, browser_of(house, "Newcomer")):
        for path in (
            "/leaderboard?game=evangelists",
            "/players",
            f"/players/{anna.id}",
            f"/players/{ben.id}?game=portals",
        ):
            page = browser.get(path)
            assert browser.status == 200
            assert "Procula" not in page
            assert "Nicodemus" not in page
            assert '<meta name="robots" content="noindex">' in page
        for path in ("/leaderboard?game=evangelists", "/players", f"/players/{anna.id}"):
            assert "Procula" not in browser.client.get(f"/api/v1{path}").text
    assert browser_of(house, "Newcomer").get(f"/players/{newcomer.id}").count("No matches yet") == 6
    assert stranger.client.get("/players/0").status_code == 404
    assert stranger.client.get("/players/1?game=nothing").status_code == 404
    assert "Disallow: /players" in stranger.client.get("/robots.txt").text


def test_people_choose_who_sees_them(client: TestClient) -> None:
    house = ServerDriver(client)
    anna, ben = house.create_person("Anna Major"), house.create_person("Ben Minor")
    house.play(house.open_table(anna, ben))
    page = browser_of(house, "Anna Major")
    page.get("/me/privacy")
    assert "Not shown on the leaderboard." in page.post("/me/privacy", visible_to="nobody")
    assert "Anna Major" not in browser_of(house, "Ben Minor").get("/leaderboard?game=evangelists")
    assert "Anna Major" in page.get(f"/players/{anna.id}")
    facts = page.client.get("/api/v1/me").json()
    assert (facts["visible_to"], facts["rated"]) == ("nobody", False)
    put = page.client.put("/api/v1/me/privacy", json={"visible_to": "met", "rated": True})
    assert put.json() == {"visible_to": "met", "rated": True}
    assert page.client.put("/api/v1/me/privacy", json={"visible_to": "all"}).status_code == 400
    assert PlainBrowser(client).client.get("/api/v1/me").status_code == 403
    nobody = PlainBrowser(client)
    assert 'href="/me"' in nobody.get("/me/sign-in").partition('role="alert"')[2]  # the place to choose a nickname
    assert nobody.status == 403
    assert "Anna Major" in browser_of(house, "Ben Minor").get(f"/players/{anna.id}")
