"""Tests of results: stored with the last move, one row for each seat, with players who left in the last places."""

from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from tests import postgres
from tests.server.api_client import make_settings
from tests.server.locked_tables import record_hint
from tests.server.server_driver import ServerDriver
from triclinium.engine.record import build_result
from triclinium.server.app import create_app
from triclinium.server.ratings import rating
from triclinium.server.ratings.stats import load_match_steps
from triclinium.server.tables import results, seats
from triclinium.server.tables.options import TableOptions
from triclinium.server.tables.results import (
    FINISHED,
    RESIGNED,
    FinalResults,
    SeatActivity,
    SeatHolder,
    assign_places,
    summarize_activity,
)
from triclinium.server.tables.table import HistoryRow, Table


def resign(driver: ServerDriver, table: Table, seat: int) -> None:
    async def job() -> None:
        async with driver.server.tables.locked(table) as locked:
            await seats.vacate_seat(driver.server, locked, table.occupants[seat], RESIGNED)

    driver.portal.call(job)


def test_every_seat_has_its_row(client: TestClient) -> None:
    """A row has the person or bot, rank, total, decisions and opening. A match of two people is rated."""
    house = ServerDriver(client)
    anna, ben = house.create_person("Anna"), house.create_person("Ben")
    table = house.play(house.open_table(anna, ben))
    rows = house.load_results(table)
    truth = build_result(table.game.scores(table.current_match.state))
    assert [(row["rank"], row["total"]) for row in rows] == truth
    assert [(row["person"], row["kind"], row["how"], row["name"]) for row in rows] == [
        (anna.id, "person", "finished", ""),
        (ben.id, "person", "finished", ""),
    ]
    for seat, row in enumerate(rows):
        own = [one.option for one in table.history if one.seat == seat]
        assert (row["decisions"], row["opening"]) == (len(own), "; ".join(own[:2]))
        assert (row["unrated"], row["substitute"]) == ("", 0.0)
    with house.server.store.read_connection() as connection:
        steps = load_match_steps(connection, table.id)
    assert set(steps) == {anna.id, ben.id}
    best = {row["person"] for row in rows if row["rank"] == 1}  # both, if no player scored a point at random
    assert all((step.change > 0) == (who in best and len(best) == 1) for who, step in steps.items())


def test_a_player_who_resigns_is_last(client: TestClient) -> None:
    """A resigned seat never wins, even if a bot plays it well."""
    house = ServerDriver(client)
    anna, ben, noa = (house.create_person(name) for name in ("Anna", "Ben", "Noa"))
    table = house.open_table(anna, ben, noa)
    house.play(table, 40)
    resign(house, table, 1)
    rows = house.load_results(house.play(table))
    assert [row["person"] for row in rows] == [anna.id, ben.id, noa.id]
    assert (rows[1]["how"], rows[1]["rank"]) == ("resigned", 3)
    assert sorted(int(str(row["rank"])) for row in rows) in ([1, 2, 3], [1, 1, 3])
    assert rows[1]["total"] == build_result(table.game.scores(table.current_match.state))[1][1]
    with house.server.store.read_connection() as connection:
        steps = load_match_steps(connection, table.id)
    assert steps[ben.id].change < 0


def test_a_match_counts_from_the_deal_on(client: TestClient) -> None:
    """Players cannot make a match unrated by resigning after a bad deal."""
    house = ServerDriver(client)
    anna, ben = house.create_person("Anna"), house.create_person("Ben")
    table = house.open_table(anna, ben)
    house.play(table, 2)
    resign(house, table, 1)
    over = FinalResults(table, table.history[:2], [(1, 9), (2, 4)], 0.0)
    house.portal.call(house.server.store.write, over.write)
    rows = house.load_results(table)
    assert [(row["how"], row["unrated"]) for row in rows] == [("finished", ""), ("resigned", "")]
    with house.server.store.read_connection() as connection:
        steps = load_match_steps(connection, table.id)
    assert steps[ben.id].change < 0 < steps[anna.id].change


def test_a_database_failure_is_not_a_rating_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The move fails with an error. It is stored once when the player sends it again."""

    def goes(connection: Connection, _: int) -> None:
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    wanted = replace(make_settings(tmp_path), database=postgres.make_database())
    with TestClient(create_app(wanted)) as client:
        house = ServerDriver(client)
        table = house.open_table(house.create_person("Anna"), house.create_person("Ben"))
        over = FinalResults(table, table.history, [(1, 9), (2, 4)], 0.0)
        with monkeypatch.context() as broken:
            broken.setattr(results, "rate_match", goes)
            with pytest.raises(OperationalError):
                house.portal.call(house.server.store.write, over.write)
        assert "not rated" not in caplog.text
        house.portal.call(house.server.store.write_with_retry, over.write)
        assert len(house.load_results(table)) == 2


def test_a_rating_error_does_not_stop_a_match_from_ending(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the rating fails, the result is stored and ratings can be computed again."""

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    house = ServerDriver(client)
    anna, ben = house.create_person("Anna"), house.create_person("Ben")
    with monkeypatch.context() as broken:
        broken.setattr(rating, "rate_rivals", fails)
        table = house.play(house.open_table(anna, ben))
    assert (table.status, len(house.load_results(table))) == ("over", 2)
    with house.server.store.read_connection() as connection:
        assert load_match_steps(connection, table.id) == {}

    def anew(connection: Connection) -> None:
        rating.rebuild_ratings(connection)

    house.portal.call(house.server.store.write, anew)
    with house.server.store.read_connection() as connection:
        assert set(load_match_steps(connection, table.id)) == {anna.id, ben.id}


def test_players_who_take_over_a_seat_are_not_rated(client: TestClient) -> None:
    """A match is not rated if a new player has taken over a seat, because all players agreed to it."""
    house = ServerDriver(client)
    anna, ben, noa = (house.create_person(name) for name in ("Anna", "Ben", "Noa"))
    table = house.open_table(anna, ben)
    house.play(table, 30)
    resign(house, table, 1)
    house.take_seat(table, 1, noa)
    rows = house.load_results(house.play(table))
    assert [(row["seat"], row["turn"], row["person"], row["how"]) for row in rows] == [
        (0, 0, anna.id, "finished"),
        (1, 0, ben.id, "resigned"),
        (1, 1, noa.id, "joined"),
    ]
    with house.server.store.read_connection() as connection:
        assert load_match_steps(connection, table.id) == {}


def test_a_hint_against_bots_alone_makes_a_match_unrated(client: TestClient) -> None:
    house = ServerDriver(client)
    anna = house.create_person("Anna")
    table = house.open_table(anna, "random")

    async def helped() -> None:
        await record_hint(house.server, table, 0)

    house.portal.call(helped)
    facts = client.get(f"/api/v1/tables/{table.id}", headers={"cookie": f"triclinium={house.cookies['Anna']}"}).json()
    assert (facts["rated"], facts["unrated"]) == (False, ["hints", "unmeasured_bots"])
    assert {row["unrated"] for row in house.load_results(house.play(table))} == {"hints"}
    with house.server.store.read_connection() as connection:
        assert load_match_steps(connection, table.id) == {}


def test_matches_of_programs_are_stored_and_not_rated(client: TestClient) -> None:
    house = ServerDriver(client)
    chairs = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    made = client.post("/api/v1/tables", json={"game": "evangelists", "player": "P", "seats": chairs}).json()
    table: Table = house.portal.call(house.server.tables.get_table, made["table"]["id"])
    rows = house.load_results(house.play(table))
    assert (rows[0]["kind"], rows[0]["bot"], rows[0]["name"]) == ("program", "", "")
    assert (rows[1]["kind"], rows[1]["bot"], rows[1]["person"]) == ("bot", "random", None)


def test_players_who_left_are_placed_last() -> None:
    """A player without time is placed last if a bot made more than a quarter of the decisions."""
    sitters = [SeatHolder(seat, 0, seat, "person", "", "", FINISHED, timed_out=True) for seat in range(3)]
    done = [
        SeatActivity(own_options=["a"] * 6, bot_decisions=4),
        SeatActivity(own_options=["a"] * 8, bot_decisions=2),
        SeatActivity(own_options=["a"]),
    ]
    assert assign_places(sitters, [1, 2, 2], done) == [3, 1, 1]


def test_time_is_counted_between_moves() -> None:
    """The moves of one post use time once. Automatic answers and a bot's moves use nobody's time."""
    rows = [
        HistoryRow(1, "move", 0, "a", "", "", 100.0),
        HistoryRow(2, "move", 1, "b", "", "", 130.0),
        HistoryRow(3, "more", 1, "c", "", "", 130.0),
        HistoryRow(4, "move", 0, "d", "", "steady", 150.0),
        HistoryRow(5, "move", 1, "e", "", "", 160.0, automatic=True),
        HistoryRow(6, "move", 0, "f", "", "", 190.0),
    ]
    zero, one = summarize_activity(rows, 2)
    assert (zero.own_options, zero.seconds, zero.bot_decisions) == (["a", "f"], 30.0, 1)
    assert (one.own_options, one.seconds, one.bot_share) == (["b", "c"], 30.0, 0.0)
    assert TableOptions().hints  # at a standard table hints are allowed and their effect is known
