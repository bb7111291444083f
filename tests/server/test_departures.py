"""Tests of leaving a match: resigning, removing, abandoning and handing over, with notifications and ratings."""

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, delete, select

from tests.server.server_driver import ServerDriver
from tests.server.test_clocks import DAY, LIVE, SLOW, FakeClock, add_mail_channels, fake_clock, messages  # noqa: F401
from triclinium.engine.record import Result, build_result
from triclinium.engine.visible_scores import make_exact_score
from triclinium.server.accounts import vacation
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, NotAllowed
from triclinium.server.presenter.outcome import load_outcome
from triclinium.server.ratings.rating import rebuild_ratings
from triclinium.server.storage.schema import chat
from triclinium.server.storage.schema_results import rating_steps, results
from triclinium.server.tables import consent, resign, seats, timeouts, undo, vote_replace
from triclinium.server.tables.lobby import load_tables_page
from triclinium.server.tables.options import DEFAULTS, TableOptions
from triclinium.server.tables.rating_eligibility import list_unrated_reasons
from triclinium.server.tables.results import FinalResults
from triclinium.server.tables.seats import identify_viewer
from triclinium.server.tables.table import Table


@pytest.fixture
def driver(client: TestClient) -> ServerDriver:
    return ServerDriver(client)


@pytest.fixture
def three_people(driver: ServerDriver) -> list[Person]:
    return [driver.create_person(name) for name in ("Anna", "Ben", "Noa")]


def resign_seat(driver: ServerDriver, table: Table, seat: int) -> str:
    option: str = driver.portal.call(resign.resign_seat, driver.server, table, seat, table.version)
    return option


def read_chat(driver: ServerDriver, table: Table) -> list[str]:
    with driver.server.store.read_connection() as connection:
        rows = connection.execute(select(chat).where(chat.c.table == table.id).order_by(chat.c.id))
        return [row.text for row in rows]


def vote_to_remove_player(driver: ServerDriver, table: Table, seat: int, by: int) -> bool:
    done: bool = driver.portal.call(vote_replace.vote_to_remove, driver.server, table, seat, (by,))
    return done


def test_resigning_is_announced_and_the_player_may_watch(driver: ServerDriver, three_people: list[Person]) -> None:
    """A player who resigns may watch, and finds the table under "Your tables".

    The others get one message.
    """
    add_mail_channels(driver, *three_people)
    table = driver.open_table(*three_people)
    driver.play(table, 4)
    assert resign_seat(driver, table, 1) == ""
    assert read_chat(driver, table)[-1] == "{0} resigns."
    assert messages(driver, table) == [(three_people[0].id, "left"), (three_people[2].id, "left")]
    line = next(
        line for line in load_tables_page(driver.server.store, "mine", three_people[1], 1).lines if line.id == table.id
    )
    assert (line.my_departure, line.my_seats, line.my_turn) == ("resigned", set(), False)
    assert identify_viewer(driver.server, table, three_people[1]).own_seats == ()
    assert identify_viewer(driver.server, driver.server.tables.load_table(table.id), three_people[1]).own_seats == ()


def test_a_resigned_seat_wins_on_points_and_the_best_person_is_declared(
    driver: ServerDriver, three_people: list[Person]
) -> None:
    """A resigned seat never wins, whatever its points are."""
    table = driver.open_table(*three_people)
    driver.play(table, 12)
    resign_seat(driver, table, 1)
    driver.play(table)
    points = [make_exact_score(score) for score in table.game.scores(table.current_match.state)]
    forged: Result = [(2, 50), (1, 99), (3, 10)]

    def best_is_the_bot(connection: Connection) -> None:
        connection.execute(delete(results).where(results.c.table == table.id))
        connection.execute(delete(rating_steps).where(rating_steps.c.table == table.id))
        FinalResults(table, table.history, forged, table.moved).write(connection)
        rebuild_ratings(connection)

    driver.portal.call(driver.server.store.write, best_is_the_bot)
    told = load_outcome(driver.server.store, table)
    assert [score.rank for score in told.with_final_ranks(points)] == [1, 3, 2]
    assert [(one.name, one.how, one.total, one.by_rule) for one in told.departed] == [("Ben", "resigned", 99, False)]
    line = next(
        line for line in load_tables_page(driver.server.store, "mine", three_people[0], 1).lines if line.id == table.id
    )
    assert line.winners == ["Anna"]
    page = driver.client.get(f"/api/v1/tables/{table.id}", headers={"cookie": f"triclinium={driver.cookies['Ben']}"})
    assert page.json()["places"] == [1, 3, 2]


def test_resigning_uses_the_rule_of_the_game(driver: ServerDriver, three_people: list[Person]) -> None:
    """LM-R24  The game's rule applies, no bot takes over, and the result says resigned. An undo restores the match."""
    table = driver.open_table(*three_people, game_id="missionnaires")
    assert table.game.resign_rule == "LM-R24"
    driver.play(table, 1)
    seat = table.who
    assert resign_seat(driver, table, seat) == f"resign {seat + 1}" or table.history[-1].option.startswith("resign")
    assert (table.history[-1].seat, table.occupants[seat].substitute) == (seat, "")
    assert table.departed == {three_people[seat].id: "resigned"}
    k = undo.undo_steps(table, seat)
    if k:
        driver.portal.call(undo.undo_last_decision, driver.server, table, seat, table.version)
        assert (table.departed, load_outcome(driver.server.store, table).departed) == ({}, [])
        resign_seat(driver, table, seat)
    driver.play(table, 30)  # so that each player has had turns
    for other in range(3):
        if other != seat and table.status == "playing":
            resign_seat(driver, table, other)
    rows = driver.load_results(table)
    assert [(row["turn"], row["how"]) for row in rows if row["seat"] == seat] == [(0, "resigned")]
    assert build_result(table.game.scores(table.current_match.state))[seat][0] == 3


def test_a_player_without_time_is_removed_by_more_than_half_of_the_others(
    driver: ServerDriver,
    three_people: list[Person],
    fake_clock: FakeClock,  # noqa: F811
) -> None:
    """More than half of the others can remove a player without time.

    They can then agree on a new player, and the match is no longer rated.
    """
    add_mail_channels(driver, *three_people)
    eve = driver.create_person("Eve")
    add_mail_channels(driver, eve)
    table = driver.open_table(*three_people, options=LIVE)
    driver.play(table, 8)
    absent = table.who
    first, second = (seat for seat in range(3) if seat != absent)
    fake_clock.passes(940.0)
    with pytest.raises(Conflict, match="can be removed by vote in"):
        vote_to_remove_player(driver, table, absent, first)
    fake_clock.passes(6.0)
    table.hub.record_activity((first, second))
    assert vote_to_remove_player(driver, table, absent, first) is False
    assert vote_to_remove_player(driver, table, absent, second) is True
    assert (table.occupants[absent].taken, bool(table.occupants[absent].substitute)) == (False, True)
    assert (three_people[absent].id, "removed") in messages(driver, table)
    assert list_unrated_reasons(table) == []
    assert driver.portal.call(vote_replace.vote_to_reassign, driver.server, table, absent, eve.id, (first,)) is False
    with pytest.raises(NotAllowed):
        driver.portal.call(vote_replace.vote_to_reassign, driver.server, table, absent, eve.id, ())
    assert driver.portal.call(vote_replace.vote_to_reassign, driver.server, table, absent, eve.id, (second,)) is True
    assert (eve.id, "handed") in messages(driver, table)
    assert any(line.id == table.id for line in load_tables_page(driver.server.store, "mine", eve, 1).lines)
    driver.take_seat(table, absent, eve)
    assert list_unrated_reasons(table) == ["reassigned"]
    rows = [row for row in driver.load_results(driver.play(table)) if row["seat"] == absent]
    assert [(row["person"], row["how"]) for row in rows] == [(three_people[absent].id, "removed"), (eve.id, "joined")]
    assert {row["unrated"] for row in rows} == {"reassigned"}


def test_a_player_with_time_left_cannot_be_removed(
    driver: ServerDriver,
    three_people: list[Person],
    fake_clock: FakeClock,  # noqa: F811
) -> None:
    """A player with time left cannot be removed, not even by all others after minutes of silence."""
    for options in (DEFAULTS, LIVE):
        table = driver.open_table(*three_people, options=options)
        late = table.who
        fake_clock.passes(590.0)
        for seat in range(3):
            for voter in {0, 1, 2} - {seat}:
                with pytest.raises(Conflict):
                    vote_to_remove_player(driver, table, seat, voter)
        assert table.occupants[late].taken


def test_a_player_replaced_for_lack_of_time_can_be_removed(
    driver: ServerDriver,
    three_people: list[Person],
    fake_clock: FakeClock,  # noqa: F811
) -> None:
    """One of two players can remove the other one, so a host without time does not block the match."""
    for late in (0, 1):
        options = TableOptions({"stenographer": str(late)}, store=900, free=45)
        table = driver.open_table(*three_people[:2], options=options)
        assert table.who == late
        with pytest.raises(Conflict):
            vote_to_remove_player(driver, table, late, 1 - late)
        fake_clock.passes(946.0)
        driver.portal.call(timeouts.remind_or_replace, driver.server, table)
        assert table.occupants[late].timed_out
        assert vote_to_remove_player(driver, table, late, 1 - late) is True


def test_a_long_vacation_is_no_reason_to_remove_a_player(
    driver: ServerDriver,
    three_people: list[Person],
    fake_clock: FakeClock,  # noqa: F811
) -> None:
    """A player on a long vacation cannot be removed, but the others can vote for a substitute bot.

    The player keeps the rank of the game, and no rating changes.
    """
    table = driver.open_table(*three_people[:2], options=SLOW)
    late = table.who
    driver.portal.call(vacation.schedule_vacation, driver.server, three_people[late], 0.0, fake_clock.at + 21 * DAY)
    fake_clock.passes(10.5 * DAY)
    assert driver.portal.call(timeouts.vote_for_substitute, driver.server, table, late, (1 - late,)) is True
    assert not table.occupants[late].timed_out
    with pytest.raises(Conflict, match="is not absent"):
        vote_to_remove_player(driver, table, late, 1 - late)


def test_a_match_abandoned_by_consent_does_not_count(driver: ServerDriver, three_people: list[Person]) -> None:
    table = driver.open_table(*three_people)
    driver.play(table, 40)
    for seat, done in ((0, False), (2, False), (1, True)):
        assert driver.portal.call(consent.vote_to_abandon, driver.server, table, (seat,)) is done
    assert (table.status, table.abandoned) == ("over", True)
    assert {(row["how"], row["unrated"]) for row in driver.load_results(table)} == {("abandoned", "abandoned")}
    anna = {"cookie": f"triclinium={driver.cookies['Anna']}"}
    facts = driver.client.get(f"/api/v1/tables/{table.id}", headers=anna).json()
    assert facts["status"] == "over"
    stored: Table = driver.server.tables.load_table(table.id)
    assert (stored.abandoned, stored.status) == (True, "over")
    with pytest.raises(Conflict):
        driver.portal.call(consent.vote_to_abandon, driver.server, table, (0,))


def test_consent_lapses_when_the_table_moves_on(driver: ServerDriver, three_people: list[Person]) -> None:
    table = driver.open_table(*three_people)
    driver.portal.call(consent.vote_to_abandon, driver.server, table, (0,))
    assert consent.load_pending_votes(driver.server.store, table) == {"abandon": {0}}
    driver.play(table, 1)
    assert consent.load_pending_votes(driver.server.store, table) == {}
    driver.portal.call(consent.vote_to_abandon, driver.server, table, (1,))
    assert consent.load_pending_votes(driver.server.store, table) == {"abandon": {1}}


def test_owners_are_asked_also_while_a_substitute_plays(driver: ServerDriver, three_people: list[Person]) -> None:
    """Abandoning and pausing need the consent of an absent player, even after a vote for a substitute bot."""
    for options in (DEFAULTS, LIVE):
        table = driver.open_table(*three_people[:2], options=options)
        absent = table.who

        async def replace(table: Table = table, absent: int = absent) -> None:
            async with driver.server.tables.locked(table) as locked:
                await seats.start_substitution(driver.server, locked, table.occupants[absent], "{0} is absent")

        driver.portal.call(replace)
        assert consent.list_voters(table) == {0, 1}
        assert driver.portal.call(consent.vote_to_abandon, driver.server, table, (1 - absent,)) is False
        if options is LIVE:
            assert driver.portal.call(consent.vote_to_pause, driver.server, table, (1 - absent,), 15) is False
        assert (table.status, table.paused_until) == ("playing", 0)
