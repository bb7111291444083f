"""Tests of replacing a bot by a person: rated before the first decision, unrated later."""

import pytest
from fastapi.testclient import TestClient

from tests.server.server_driver import ServerDriver
from triclinium.server.errors import Conflict
from triclinium.server.tables import seats
from triclinium.server.tables.rating_eligibility import list_noted_reasons
from triclinium.server.tables.table import Table


def open_seat(
    driver: ServerDriver, table: Table, seat: int, unrated: bool | None = None
) -> tuple[int, dict[str, object]]:
    """Return the API's response to a host who opens a seat."""
    driver.client.cookies.set("triclinium", driver.cookies["Anna"])
    body = {} if unrated is None else {"unrated": unrated}
    answer = driver.client.post(f"/api/v1/tables/{table.id}/seats/{seat}/open", json=body)
    return answer.status_code, answer.json()


def join(driver: ServerDriver, table: Table, seat: int, invitation: str, name: str) -> None:
    async def job() -> None:
        who, cookie = await driver.server.people.create_person(name)
        driver.cookies[name] = cookie
        await seats.take_seat(driver.server, table, table.occupants[seat], who)

    assert invitation
    driver.portal.call(job)


def beginning(driver: ServerDriver) -> Table:
    """Open a table whose first decision is Anna's."""
    anna = driver.create_person("Anna")
    while True:
        table = driver.open_table(anna, "novice", "novice", game_id="portals")
        if table.who == 0 and table.moves == 0:
            return table


def test_before_the_first_decision_the_match_stays_rated(own_client: TestClient) -> None:
    house = ServerDriver(own_client)
    table = beginning(house)
    status, facts = open_seat(house, table, 2)
    assert (status, facts["rated"]) == (200, True)
    assert (table.occupants[2].kind, table.occupants[2].substitute, table.occupants[2].taken) == (
        "person",
        "novice",
        False,
    )
    join(house, table, 2, facts["invitations"][0]["invitation"], "Ben")  # type: ignore[index]
    rows = house.load_results(house.play(table))
    assert [(row["seat"], row["kind"], row["how"]) for row in rows] == [
        (0, "person", "finished"),
        (1, "bot", "finished"),
        (2, "person", "finished"),
    ]
    assert {row["unrated"] for row in rows} == {""}


def test_after_the_first_decision_the_host_must_confirm(own_client: TestClient) -> None:
    house = ServerDriver(own_client)
    table = beginning(house)
    house.play(table, 1)
    status, facts = open_seat(house, table, 1)
    assert status == 409
    assert "no longer rated" in str(facts["message"])
    assert table.occupants[1].kind == "bot"
    status, facts = open_seat(house, table, 1, unrated=True)
    assert (status, facts["unrated"]) == (200, ["seat_opened"])
    assert list_noted_reasons(house.server.tables.load_table(table.id)) == ["seat_opened"]  # also after a restart
    join(house, table, 1, facts["invitations"][0]["invitation"], "Ben")  # type: ignore[index]
    assert table.occupants[1].name == "Ben"
    rows = house.load_results(house.play(table))
    told = [(row["seat"], row["kind"], row["bot"], row["how"]) for row in rows]
    assert told[:3] == [(0, "person", "", "finished"), (1, "bot", "novice", "finished"), (1, "person", "", "joined")]
    assert {row["unrated"] for row in rows} == {"seat_opened"}
    own_client.cookies.set("triclinium", house.cookies["Ben"])
    assert own_client.get(f"/api/v1/tables/{table.id}").json()["unrated"] == ["seat_opened"]


def test_a_rated_match_accepts_no_new_player_after_the_first_decision(own_client: TestClient) -> None:
    """The bot's decisions would count for the person. The host can open the seat again as unrated."""
    house = ServerDriver(own_client)
    table = beginning(house)
    _, facts = open_seat(house, table, 1)
    house.play(table, 1)
    with pytest.raises(Conflict, match="There is no free seat"):
        join(house, table, 1, facts["invitations"][0]["invitation"], "Ben")  # type: ignore[index]
    assert list_noted_reasons(table) == []
    status, facts = open_seat(house, table, 1, unrated=True)
    assert (status, facts["unrated"]) == (200, ["seat_opened"])
    join(house, table, 1, facts["invitations"][0]["invitation"], "Cleo")  # type: ignore[index]
    assert (table.occupants[1].name, table.occupants[1].taken) == ("Cleo", True)


def test_a_seat_that_nobody_takes_stays_with_the_bot(own_client: TestClient) -> None:
    house = ServerDriver(own_client)
    table = beginning(house)
    assert open_seat(house, table, 1)[0] == 200
    rows = house.load_results(house.play(table))
    assert [(row["seat"], row["kind"], row["bot"], row["how"]) for row in rows if row["seat"] == 1] == [
        (1, "bot", "novice", "finished")
    ]


def test_only_the_host_and_only_the_seat_of_a_bot(own_client: TestClient) -> None:
    house = ServerDriver(own_client)
    anna, ben = house.create_person("Anna"), house.create_person("Ben")
    table = house.open_table(anna, ben, "novice", game_id="portals")
    assert open_seat(house, table, 1)[0] == 404
    own_client.cookies.set("triclinium", house.cookies["Ben"])
    assert own_client.post(f"/api/v1/tables/{table.id}/seats/2/open", json={"unrated": True}).status_code == 403


def test_the_host_cannot_make_a_match_of_others_unrated_alone(own_client: TestClient) -> None:
    house = ServerDriver(own_client)
    anna, ben = house.create_person("Anna"), house.create_person("Ben")
    table = house.open_table(anna, ben, "novice", game_id="portals")
    house.play(table, 1)
    status, facts = open_seat(house, table, 2, unrated=True)
    assert status == 409
    assert "before the first decision" in str(facts["message"])
    assert (table.occupants[2].kind, list_noted_reasons(table)) == ("bot", [])


def test_before_the_deal_the_seat_is_free(own_client: TestClient) -> None:
    house = ServerDriver(own_client)
    house.create_person("Anna")
    own_client.cookies.set("triclinium", house.cookies["Anna"])
    seats = [{"kind": "me"}, {"kind": "invite"}, {"kind": "bot", "bot": "novice"}]
    wish = {"game": "portals", "seats": seats}
    table = house.portal.call(
        house.server.tables.get_table, own_client.post("/api/v1/tables", json=wish).json()["table"]["id"]
    )
    assert open_seat(house, table, 2)[0] == 200
    assert (table.status, table.occupants[2].is_vacant) == ("waiting", True)


def test_a_variant_may_be_sent_as_a_number_or_as_text(own_client: TestClient) -> None:
    house = ServerDriver(own_client)
    house.create_person("Anna")
    own_client.cookies.set("triclinium", house.cookies["Anna"])
    for rounds in (15, "15"):
        wish = {
            "game": "testoftime",
            "seats": [{"kind": "me"}, {"kind": "bot", "bot": "novice"}],
            "variants": {"rounds": rounds},
        }
        answer = own_client.post("/api/v1/tables", json=wish)
        assert answer.status_code == 201, answer.text
        assert answer.json()["table"]["variants"] == {"rounds": "15"}
    for mercy in (True, "on"):
        wish = {
            "game": "testoftime",
            "seats": [{"kind": "me"}, {"kind": "bot", "bot": "novice"}],
            "variants": {"mercy": mercy},
        }
        assert own_client.post("/api/v1/tables", json=wish).json()["table"]["variants"] == {"mercy": "on"}
    wish["variants"] = {"rounds": 1000}
    assert own_client.post("/api/v1/tables", json=wish).status_code == 400
