"""Tests of exercises: the queue of background reviews, the storage of answers, and what the API shows."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, Row, delete, insert, select, update

from tests.server.api_client import make_app, make_client
from tests.server.server_driver import ServerDriver
from triclinium.bots import exercises as ranking
from triclinium.bots.analysis import Advice
from triclinium.bots.exercises import RankedDecision, load_prepared_exercises
from triclinium.engine.core.rng import Rng
from triclinium.engine.registry import load_game
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.bots.pool import BotJobFailed
from triclinium.server.personal_data.deletion import erase_personal_data
from triclinium.server.practice.exercises import DAY, Exercise, list_exercises
from triclinium.server.practice.review_queue import review_next_match
from triclinium.server.storage.schema_practice import exercises, losses, review_queue
from triclinium.server.tables.retention import delete_table_rows


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[ServerDriver]:
    """A server that reviews nothing by itself."""
    with TestClient(make_app(tmp_path)) as client:
        yield ServerDriver(client)


def client_of(driver: ServerDriver, name: str) -> TestClient:
    found = make_client(driver.client)
    found.cookies.set("triclinium", driver.cookies[name])
    return found


def count_rows(driver: ServerDriver) -> tuple[int, int, int]:
    """Return how many matches wait, and how many exercises and losses are stored."""
    with driver.server.store.read_connection() as connection:
        counts = [len(connection.execute(select(table)).all()) for table in (review_queue, exercises, losses)]
    return counts[0], counts[1], counts[2]


def review_all(driver: ServerDriver) -> None:
    """Review every match in the queue."""
    while driver.portal.call(review_next_match, driver.server):
        pass


def test_a_finished_match_becomes_exercises(driver: ServerDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the person gets exercises, not the bot; the match leaves the queue, and its losses are stored."""
    monkeypatch.setattr(ranking, "MIN_COST", 0.01)
    monkeypatch.setattr(ranking, "MIN_ERRORS", 0.0)
    anna = driver.create_person("Anna Perenna")
    table = driver.play(driver.open_table(anna, "random", game_id="portals"))
    assert count_rows(driver) == (1, 0, 0)
    review_all(driver)
    waiting, made, lost = count_rows(driver)
    assert (waiting, lost) == (0, 1)
    assert made > 0
    with driver.server.store.read_connection() as connection:
        for one in list_exercises(connection, anna.id):
            assert (one.table, one.game, one.solved) == (table.id, "portals", 0)
            assert table.history[one.place].seat == 0
            assert one.cost >= 0.01
    row = load_loss(driver)
    assert row.loss >= 0
    assert 0 < row.decisions <= table.moves


def load_loss(driver: ServerDriver) -> Row[Any]:
    with driver.server.store.read_connection() as connection:
        return connection.execute(select(losses)).one()


def test_a_decision_must_cost_five_percent_and_three_errors() -> None:
    assert not ranking.is_costly(Advice("a", 0.549, 1.0), Advice("b", 0.5, 1.0))
    assert ranking.is_costly(Advice("a", 0.56, 1.0, 0.01), Advice("b", 0.5, 1.0, 0.01))
    assert not ranking.is_costly(Advice("a", 0.56, 1.0, 0.03), Advice("b", 0.5, 1.0, 0.01))


def test_the_queue_survives_a_restart(tmp_path: Path) -> None:
    """A match that ended just before the server stopped is reviewed after the next start, without any request."""
    with TestClient(make_app(tmp_path)) as client:
        driver = ServerDriver(client)
        driver.play(driver.open_table(driver.create_person("Anna Perenna"), "random", game_id="evangelists"))
        assert count_rows(driver)[0] == 1
    with TestClient(make_app(tmp_path, practice=True)) as client:
        driver = ServerDriver(client)
        end = time.monotonic() + 120
        while count_rows(driver)[0] and time.monotonic() < end:
            time.sleep(0.2)
        assert (count_rows(driver)[0], count_rows(driver)[2]) == (0, 1)


def test_a_match_that_fails_is_tried_three_times(driver: ServerDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    table = driver.play(driver.open_table(driver.create_person("Anna Perenna"), "random", game_id="portals"))

    async def fail(*_: object) -> None:
        raise BotJobFailed("a review")

    monkeypatch.setattr("triclinium.server.practice.review_queue._wait_for_review", fail)
    for tries in (1, 2, 3):
        assert driver.portal.call(review_next_match, driver.server)
        with driver.server.store.read_connection() as connection:
            row = connection.execute(select(review_queue)).one()
        assert (row.table, row.tries) == (table.id, tries)
        assert row.at > server_time.now()
        write(driver, lambda connection: connection.execute(update(review_queue).values(at=0.0)))
    assert not driver.portal.call(review_next_match, driver.server)


def write(driver: ServerDriver, job: Callable[[Connection], object]) -> None:
    driver.portal.call(driver.server.store.write, job)


def test_an_exercise_returns_until_it_is_solved_twice(driver: ServerDriver) -> None:
    """It returns after 1, 3, 7 and 21 days; an answer before its day changes nothing."""
    anna = driver.create_person("Anna Perenna")
    browser = client_of(driver, "Anna Perenna")
    assert browser.post("/api/v1/practice/prepared", json={"game": "portals"}).status_code == 200
    first = browser.get("/api/v1/practice").json()["exercises"][0]
    decision = load_prepared_exercises(load_game("portals"))[0].decision
    path = f"/api/v1/practice/{first['id']}/answer"
    for answers, days in enumerate((1, 3, 7, 21, 21)):
        now = server_time.now()
        told = browser.post(path, json={"option": decision.played})
        assert (told.status_code, told.json()["solved"]) == (200, False)
        early = browser.post(path, json={"option": decision.best.option}).json()
        assert early["solved"]  # before its day
        [one] = [each for each in load_own(driver, anna) if each.id == first["id"]]
        assert (one.answers, one.solved, one.answer) == (answers + 1, 0, decision.best.option)
        assert one.due == pytest.approx(now + days * DAY, abs=60)
        make_due(driver)
    for solved in (1, 2):
        assert browser.post(path, json={"option": decision.best.option}).json()["solved"]
        [one] = [each for each in load_own(driver, anna) if each.id == first["id"]]
        assert (one.solved, one.is_finished) == (solved, solved == 2)
        make_due(driver)
    assert browser.get("/api/v1/practice").json()["exercises"][-1]["finished"]
    assert browser.post(path, json={"option": "move nowhere"}).status_code == 404
    assert browser.post(path, json={}).json()["solved"] is False  # "Show the answer"


def load_own(driver: ServerDriver, person: Person) -> list[Exercise]:
    with driver.server.store.read_connection() as connection:
        return list_exercises(connection, person.id)


def make_due(driver: ServerDriver) -> None:
    write(driver, lambda connection: connection.execute(update(exercises).values(due=0.0)))


def test_exercises_are_private(driver: ServerDriver) -> None:
    driver.create_person("Anna Perenna")
    driver.create_person("Ben Gamla")
    anna, ben = client_of(driver, "Anna Perenna"), client_of(driver, "Ben Gamla")
    anna.post("/api/v1/practice/prepared", json={"game": "portals"})
    anna.post("/api/v1/practice/prepared", json={"game": "portals"})  # a second time adds nothing
    mine = anna.get("/api/v1/practice").json()["exercises"]
    assert len(mine) == 6
    id = mine[0]["id"]
    assert anna.get(f"/api/v1/practice/{id}").status_code == 200
    assert ben.get("/api/v1/practice").json()["exercises"] == []
    assert ben.get(f"/api/v1/practice/{id}").status_code == 404
    assert ben.post(f"/api/v1/practice/{id}/answer", json={}).status_code == 404
    assert make_client(driver.client).get("/api/v1/practice").status_code == 403
    assert anna.post("/api/v1/practice/prepared", json={"game": "chess"}).status_code == 404


@pytest.mark.parametrize("game_id", ["evangelists", "portals", "missionnaires", "ierusalem", "testoftime"])
def test_an_exercise_shows_only_what_the_seat_knew(driver: ServerDriver, game_id: str) -> None:
    """In another world that the seat could not distinguish, the exercise is equal byte for byte."""
    anna = driver.create_person("Anna Perenna")
    table = driver.play(driver.open_table(anna, "random", "random", game_id=game_id), 60)
    match = table.current_match
    n = max(i for i, who in enumerate(match.list_deciders()) if who == 0)
    s = match.record.replay(n, table.game)
    played = match.record.options[n]
    decision = RankedDecision(0, "kind", played, (Advice(played, 0.5, 1.0),), 1)
    row = {"person": anna.id, "table": table.id, "place": n, "game": game_id, "kind": "kind", "cost": 0.1}
    row |= {"decision": json.dumps(decision.dumps()), "made": 0.0, "due": 0.0}
    write(driver, lambda connection: connection.execute(insert(exercises).values(**row)))
    [one] = load_own(driver, anna)
    path = f"/api/v1/practice/{one.id}"
    told = client_of(driver, "Anna Perenna").get(path).json()
    for seed in range(3):
        world = s.resample(0, Rng(seed))
        assert table.game.view_json(world, 0) == table.game.view_json(s, 0)
        assert told["view"] == table.game.view_json(world, 0)
    assert "win_probability" not in str(told)


def test_deleted_tables_and_accounts_leave_no_exercises(driver: ServerDriver) -> None:
    anna = driver.create_person("Anna Perenna")
    table = driver.play(driver.open_table(anna, "random", game_id="portals"))
    row = {"person": anna.id, "table": table.id, "place": 3, "game": "portals", "kind": "Move", "cost": 0.1}
    values = {**row, "decision": "{}", "made": 0.0, "due": 0.0}
    loss = {"table": table.id, "seat": 0, "person": anna.id, "game": "portals", "loss": 0.3, "decisions": 9, "at": 1.0}

    def fill(connection: Connection) -> None:
        connection.execute(delete(exercises))
        connection.execute(delete(losses))
        connection.execute(insert(exercises).values(**values))
        connection.execute(insert(losses).values(**loss))

    write(driver, fill)
    write(driver, lambda connection: delete_table_rows(connection, table.id))
    assert count_rows(driver) == (0, 0, 0)
    write(driver, fill)
    write(driver, lambda connection: erase_personal_data(connection, anna.id))
    assert count_rows(driver)[1:] == (0, 0)
