"""Tests that no player can make a match of several people unrated alone, for each way to try."""

import logging

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from tests.server.locked_tables import end_substitution, record_hint
from tests.server.server_driver import ServerDriver
from tests.server.test_clocks import LIVE, FakeClock, fake_clock  # noqa: F401
from triclinium.engine.record import Result
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.admin import actions
from triclinium.server.errors import Conflict, NotAllowed, RequestError
from triclinium.server.personal_data import bot_accounts, deletion, merge
from triclinium.server.ratings.rating import FULL, LOSE, NONE, Rating, Rival, apply_stakes
from triclinium.server.ratings.stats import load_match_steps
from triclinium.server.storage.schema import chat
from triclinium.server.tables import (
    consent,
    create,
    end_stranded,
    import_record,
    resign,
    seats,
    timeouts,
    undo,
    vote_replace,
)
from triclinium.server.tables.options import DEFAULTS, TableOptions
from triclinium.server.tables.rating_eligibility import list_unrated_reasons
from triclinium.server.tables.results import FinalResults
from triclinium.server.tables.table import Table


@pytest.fixture
def driver(client: TestClient) -> ServerDriver:
    return ServerDriver(client)


@pytest.fixture
def three_people(driver: ServerDriver) -> list[Person]:
    return [driver.create_person(name) for name in ("Anna", "Ben", "Noa")]


def first_to_move(seat: int) -> TableOptions:
    return TableOptions({"stenographer": str(seat)})


def ends(driver: ServerDriver, table: Table, *ranks: int) -> dict[int, float]:
    """End the match with these ranks by the rules of the game, and return the change of each person's rating."""
    result: Result = [(rank, 100 - rank) for rank in ranks]
    driver.portal.call(driver.server.store.write, FinalResults(table, table.history, result, server_time.now()).write)
    with driver.server.store.read_connection() as connection:
        return {
            person: step.after.mu - step.before.mu for person, step in load_match_steps(connection, table.id).items()
        }


def replace_absent(driver: ServerDriver, table: Table, absent: int) -> None:
    """Let the others vote for a substitute bot, which then makes a decision."""
    for voter in {0, 1, 2} & table.list_owned_seats() - {absent}:
        if not table.occupants[absent].substitute:
            table.hub.record_activity((voter,))
            driver.portal.call(timeouts.vote_for_substitute, driver.server, table, absent, (voter,))
    assert table.occupants[absent].substitute
    while not any(row.bot for row in table.history):
        driver.play(table, 1)


# -- absence ----------------------------------------------------------------------------------------------------------


def test_an_absent_player_loses_when_the_others_remove_them(
    driver: ServerDriver,
    three_people: list[Person],
    fake_clock: FakeClock,  # noqa: F811
) -> None:
    """Staying away from a losing match does not prevent its rating."""
    anna, ben, _ = three_people
    table = driver.open_table(anna, ben, options=first_to_move(1))
    fake_clock.passes(86_401.0)
    assert driver.portal.call(vote_replace.vote_to_remove, driver.server, table, 1, (0,)) is True
    assert list_unrated_reasons(table) == []
    moved = ends(driver, table, 2, 1)  # however well the bot plays the seat
    assert moved[ben.id] < 0 < moved[anna.id]


@pytest.mark.parametrize("ahead", [True, False])
def test_a_substitute_in_a_match_of_two_gives_no_rating(
    driver: ServerDriver,
    three_people: list[Person],
    fake_clock: FakeClock,  # noqa: F811
    ahead: bool,
) -> None:
    """The absent player keeps the rating. The voter gains nothing, and a loser still loses."""
    anna, ben, _ = three_people
    table = driver.open_table(anna, ben, options=first_to_move(1))
    fake_clock.passes(601.0)
    replace_absent(driver, table, 1)
    assert list_unrated_reasons(table) == []
    moved = ends(driver, table, *((1, 2) if ahead else (2, 1)))
    assert ben.id not in moved
    assert (anna.id not in moved) if ahead else (moved[anna.id] < 0)
    rows = driver.load_results(table)
    assert [(row["rank"], row["stake"]) for row in rows] == [(1 if ahead else 2, "full"), (2 if ahead else 1, "none")]


def test_others_are_rated_among_themselves_with_a_substitute(
    driver: ServerDriver,
    three_people: list[Person],
    fake_clock: FakeClock,  # noqa: F811
) -> None:
    table = driver.open_table(*three_people, options=first_to_move(1))
    fake_clock.passes(601.0)
    replace_absent(driver, table, 1)
    moved = ends(driver, table, 1, 2, 3)
    assert set(moved) == {three_people[0].id, three_people[2].id}
    assert moved[three_people[2].id] < 0 < moved[three_people[0].id]


def test_a_player_who_returns_soon_is_rated_normally(
    driver: ServerDriver,
    three_people: list[Person],
    fake_clock: FakeClock,  # noqa: F811
) -> None:
    anna, ben, _ = three_people
    table = driver.open_table(anna, ben, options=first_to_move(1))
    fake_clock.passes(601.0)
    replace_absent(driver, table, 1)
    driver.portal.call(end_substitution, driver.server, table, 1)
    while sum(row.seat == 1 for row in table.history) < 8 * sum(bool(row.bot) for row in table.history):
        driver.play(table, 1)
    moved = ends(driver, table, 1, 2)
    assert moved[ben.id] < 0 < moved[anna.id]


def test_running_out_of_time_does_not_avoid_a_loss(
    driver: ServerDriver,
    three_people: list[Person],
    fake_clock: FakeClock,  # noqa: F811
) -> None:
    anna, ben, _ = three_people
    table = driver.open_table(anna, ben, options=TableOptions({"stenographer": "1"}, store=900, free=45))
    fake_clock.passes(946.0)
    driver.portal.call(timeouts.remind_or_replace, driver.server, table)
    assert table.occupants[1].timed_out
    while not any(row.bot for row in table.history):
        driver.play(table, 1)
    moved = ends(driver, table, 2, 1)
    assert moved[ben.id] < 0 < moved[anna.id]
    assert [row["rank"] for row in driver.load_results(table)] == [1, 2]


# -- consent ----------------------------------------------------------------------------------------------------------


def test_a_losing_player_cannot_abandon_with_a_substitute_bot(
    driver: ServerDriver,
    three_people: list[Person],
    fake_clock: FakeClock,  # noqa: F811
) -> None:
    table = driver.open_table(*three_people[:2], options=first_to_move(1))
    fake_clock.passes(601.0)
    replace_absent(driver, table, 1)
    assert driver.portal.call(consent.vote_to_abandon, driver.server, table, (0,)) is False
    assert table.status == "playing"


@pytest.mark.parametrize("company", [("Anna", "Ben"), ("Anna", "Ben", "steady")])
def test_the_last_player_cannot_abandon_the_match_alone(driver: ServerDriver, company: tuple[str, ...]) -> None:
    """Players who have left lose, and the last player continues, even against bots."""
    table = driver.open_table(*(name if name == "steady" else driver.create_person(name) for name in company))
    driver.portal.call(seats.leave_seat, driver.server, table, table.occupants[1])
    with pytest.raises(Conflict, match="but the match still counts"):
        driver.portal.call(consent.vote_to_abandon, driver.server, table, (0,))


def test_a_person_alone_against_bots_can_abandon(driver: ServerDriver) -> None:
    table = driver.open_table(driver.create_person("Anna"), "random")
    assert driver.portal.call(consent.vote_to_abandon, driver.server, table, (0,)) is True
    assert {row["unrated"] for row in driver.load_results(table)} == {"abandoned"}


def test_a_pause_does_not_end_a_match(driver: ServerDriver, three_people: list[Person]) -> None:
    table = driver.open_table(*three_people[:2], options=LIVE)
    driver.portal.call(seats.leave_seat, driver.server, table, table.occupants[1])
    driver.portal.call(consent.vote_to_pause, driver.server, table, (0,), 15)
    assert (table.status, list_unrated_reasons(table)) == ("playing", [])


def play_to_reveal(driver: ServerDriver, table: Table) -> int:
    """Play until a player's last move has revealed something that an undo would hide again, and return the seat."""
    for _ in range(200):
        last = table.history[-1].seat if table.history else 0
        if (
            table.history
            and not table.history[-1].bot
            and table.current_match.reveals_information(table.current_match.count_moves_to_undo(last))
        ):
            return last
        driver.play(table, 1)
    raise AssertionError("nothing was learnt")


def test_an_undo_past_a_reveal_needs_the_other_player(driver: ServerDriver, three_people: list[Person]) -> None:
    table = driver.open_table(*three_people[:2])
    asker = play_to_reveal(driver, table)
    assert driver.portal.call(undo.vote_to_undo, driver.server, table, (asker,), table.version, True) is False
    assert list_unrated_reasons(table) == []


def test_the_last_player_cannot_undo_for_practice(driver: ServerDriver, three_people: list[Person]) -> None:
    table = driver.open_table(*three_people[:2])
    asker = play_to_reveal(driver, table)

    async def leave_and_undo() -> None:
        async with driver.server.tables.locked(table) as locked:
            await seats.vacate_seat(driver.server, locked, table.occupants[1 - asker])
        assert not undo.is_alone(table, (asker,))
        await undo.vote_to_undo(driver.server, table, (asker,), table.version, True)

    with pytest.raises(Conflict, match="but the match still counts"):
        driver.portal.call(leave_and_undo)
    assert list_unrated_reasons(table) == []


def test_giving_a_seat_away_needs_another_player(driver: ServerDriver, three_people: list[Person]) -> None:
    table = driver.open_table(*three_people[:2])
    driver.portal.call(seats.leave_seat, driver.server, table, table.occupants[1])
    with pytest.raises(Conflict, match="At least two players"):
        driver.portal.call(vote_replace.vote_to_reassign, driver.server, table, 1, three_people[2].id, (0,))
    assert list_unrated_reasons(table) == []


# -- help -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [True, False])
def test_a_hint_keeps_a_match_of_several_people_rated(
    driver: ServerDriver, three_people: list[Person], ahead: bool
) -> None:
    """A player who got help gains nothing and can still lose. Nobody loses by being behind that player."""
    anna, ben, _ = three_people
    table = driver.open_table(anna, ben)

    async def helped() -> None:
        await record_hint(driver.server, table, 0)

    driver.portal.call(helped)
    assert (list_unrated_reasons(table), driver.server.tables.load_table(table.id).occupants[0].helped) == ([], True)
    moved = ends(driver, table, *((1, 2) if ahead else (2, 1)))
    if ahead:
        assert moved == {}
    else:
        assert moved[anna.id] < 0 < moved[ben.id]


def test_a_hint_of_one_player_keeps_the_others_rated() -> None:
    best, second, last = (Rating(25.0, 5.0) for _ in range(3))
    after = apply_stakes([Rival(1, 1, best, LOSE), Rival(2, 2, second), Rival(3, 3, last)])
    alone = apply_stakes([Rival(2, 2, second), Rival(3, 3, last)])
    assert 1 not in after
    assert after[2].mu > second.mu
    assert after[3].mu == alone[3].mu < last.mu


def test_nobody_gains_rating_by_a_substitute() -> None:
    one, two = Rating(25.0, 5.0), Rating(30.0, 4.0)
    assert apply_stakes([Rival(1, 1, one), Rival(2, 2, two, NONE)]) == {}
    fallen = apply_stakes([Rival(2, 1, one, FULL), Rival(1, 2, two, NONE)])
    assert set(fallen) == {1}
    assert fallen[1].mu < one.mu
    bot = Rival(1, None, Rating(25.0, 1.0))
    behind_bot = apply_stakes([bot, Rival(2, 1, one), Rival(3, 2, two, NONE)])
    # losing to players that the substitute lets pass has no effect
    assert behind_bot == apply_stakes([bot, Rival(2, 1, one)])
    assert behind_bot[1].mu < one.mu


# -- leaving ----------------------------------------------------------------------------------------------------------


def test_a_player_who_leaves_loses(driver: ServerDriver, three_people: list[Person]) -> None:
    anna, ben, _ = three_people
    table = driver.open_table(anna, ben)
    driver.portal.call(seats.leave_seat, driver.server, table, table.occupants[1])
    moved = ends(driver, table, 2, 1)
    assert moved[ben.id] < 0 < moved[anna.id]


@pytest.mark.parametrize("game_id", ["evangelists", "missionnaires"])
def test_a_player_who_resigns_at_once_loses(driver: ServerDriver, three_people: list[Person], game_id: str) -> None:
    """A player who resigns at once loses, also by a game rule that ends the match."""
    table = driver.open_table(*three_people[:2], game_id=game_id)
    seat = table.who
    driver.portal.call(resign.resign_seat, driver.server, table, seat, table.version)
    assert list_unrated_reasons(table) == []
    if table.status == "playing":
        ends(driver, table, 1, 1)
    with driver.server.store.read_connection() as connection:
        steps = load_match_steps(connection, table.id)
    assert steps[three_people[seat].id].change < 0 < steps[three_people[1 - seat].id].change


def test_a_player_who_deletes_the_account_loses(driver: ServerDriver, three_people: list[Person]) -> None:
    anna, ben, _ = three_people
    table = driver.open_table(anna, ben)
    driver.portal.call(deletion.delete_account, driver.server, ben)
    assert list_unrated_reasons(table) == []
    moved = ends(driver, table, 2, 1)
    assert moved[anna.id] > 0


def test_retiring_a_bot_account_does_not_avoid_a_loss(driver: ServerDriver, three_people: list[Person]) -> None:
    owner, anna, _ = three_people
    program, _ = driver.portal.call(bot_accounts.register_bot_account, driver.server, owner, "Clio")
    table = driver.open_table(anna, program)
    driver.portal.call(bot_accounts.retire_bot_account, driver.server, owner, program.id)
    moved = ends(driver, table, 1, 2)
    assert moved[program.id] < 0 < moved[anna.id]


# -- the table --------------------------------------------------------------------------------------------------------


def test_the_host_cannot_close_a_running_match(driver: ServerDriver, three_people: list[Person]) -> None:
    table = driver.open_table(*three_people[:2])
    with pytest.raises(Conflict, match="cannot be closed"):
        driver.portal.call(seats.close_table, driver.server.tables, table, True)
    cookie = {"cookie": f"triclinium={driver.cookies['Anna']}"}
    assert driver.client.delete(f"/api/v1/tables/{table.id}", headers=cookie).status_code == 409
    assert table.status == "playing"


def test_the_host_cannot_end_a_match_that_can_continue(driver: ServerDriver, three_people: list[Person]) -> None:
    table = driver.open_table(*three_people[:2])
    with pytest.raises(Conflict, match="This one can continue"):
        driver.portal.call(end_stranded.vote_to_end, driver.server, table, (0,))
    with pytest.raises(NotAllowed):
        driver.portal.call(end_stranded.vote_to_end, driver.server, table, ())


def test_a_record_or_a_continued_match_leaves_the_match_itself_rated(
    driver: ServerDriver, three_people: list[Person]
) -> None:
    table = driver.open_table(*three_people[:2])
    driver.play(table, 5)
    with pytest.raises(RequestError, match="only when this match is over"):
        driver.portal.call(create.continue_match, driver.server, three_people[0], table, 3)
    driver.play(table)
    text = table.make_record().dumps()
    new, written = driver.portal.call(import_record.make_table_from_record, driver.server.runtime, text, "en")
    copy = driver.portal.call(create.open_table, driver.server, three_people[0], new, written)
    fork = driver.portal.call(create.continue_match, driver.server, three_people[0], table, 3)
    assert [list_unrated_reasons(one)[0] for one in (copy, fork)] == ["origin", "origin"]
    assert list_unrated_reasons(table) == []
    assert {row["unrated"] for row in driver.load_results(table)} == {""}


def test_the_owner_of_the_server_may_close_a_match_and_it_is_logged(
    driver: ServerDriver, three_people: list[Person], caplog: pytest.LogCaptureFixture
) -> None:
    table = driver.open_table(*three_people[:2], options=DEFAULTS)
    with caplog.at_level(logging.INFO, "triclinium.admin"):
        driver.portal.call(actions.close_tables, driver.server, {"tables": [table.id]})
    assert f"closed table {table.id}" in caplog.text
    with driver.server.store.read_connection() as connection:
        said = connection.execute(select(chat.c.text).where(chat.c.table == table.id).order_by(chat.c.id.desc()))
        assert said.scalars().first() == actions.CLOSED_BY_OWNER
    assert {row["unrated"] for row in driver.load_results(table)} == {"abandoned"}


def test_a_person_who_joins_by_the_api_is_rated(driver: ServerDriver) -> None:
    """With a person's cookie, the seat belongs to that person, as on a page. No token or bot account is needed."""
    anna, ben = driver.create_person("Anna"), driver.create_person("Ben")
    driver.client.cookies.set("triclinium", driver.cookies["Anna"])
    wish = {"game": "evangelists", "seats": [{"kind": "me"}, {"kind": "invite"}]}
    made = driver.client.post("/api/v1/tables", json=wish).json()
    driver.client.cookies.set("triclinium", driver.cookies["Ben"])
    invited = {"seat": 1, "invitation": made["invitations"][0]["invitation"]}
    sat = driver.client.post(f"/api/v1/tables/{made['table']['id']}/seats", json=invited).json()
    assert sat["token"] == ""
    table = driver.portal.call(driver.server.tables.get_table, made["table"]["id"])
    assert set(ends(driver, table, 1, 2)) == {anna.id, ben.id}


def test_merging_with_the_owner_of_a_met_bot_account_is_refused(driver: ServerDriver) -> None:
    """The accounts cannot be merged, because a person would then have met their own bot account.

    All players would lose their ratings for that match.
    """
    mallory, nina = driver.create_person("Mallory"), driver.create_person("Nina")
    made, _ = driver.portal.call(bot_accounts.register_bot_account, driver.server, mallory, "Clio")
    table = driver.open_table(nina, made)
    assert ends(driver, table, 1, 2)
    with pytest.raises(Conflict, match="bot account of the other"):
        driver.portal.call(merge.merge_accounts, driver.server, mallory.id, nina.id)
