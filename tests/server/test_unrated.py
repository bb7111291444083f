"""Nobody makes a match of several people unrated alone: one test for each way that somebody could try."""

import logging

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from tests.server.house import House
from tests.server.test_clocks import LIVE, Time, time  # noqa: F401
from triclinium.engine.record import Result
from triclinium.server import server_time
from triclinium.server.accounts import bot_accounts, deletion, merge
from triclinium.server.accounts.users import Person
from triclinium.server.admin import actions
from triclinium.server.errors import Conflict, NotAllowed, RequestError
from triclinium.server.ratings.rating import FULL, LOSE, NONE, Rating, Rival, apply_stakes
from triclinium.server.ratings.results import FinalResults
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
from triclinium.server.tables.rating_eligibility import note_help, unrated_reasons
from triclinium.server.tables.table import Table


@pytest.fixture
def house(client: TestClient) -> House:
    return House(client)


@pytest.fixture
def three(house: House) -> list[Person]:
    return [house.person(name) for name in ("Anna", "Ben", "Noa")]


def first_to_move(seat: int) -> TableOptions:
    return TableOptions({"stenographer": str(seat)})


def ends(house: House, table: Table, *ranks: int) -> dict[int, float]:
    """End the match with these ranks by the rules of the game; return by how much each person's rating moves."""
    result: Result = [(rank, 100 - rank) for rank in ranks]
    house.portal.call(house.server.store.write, FinalResults(table, table.history, result, server_time.now()).write)
    with house.server.store.read_connection() as connection:
        return {
            person: step.after.mu - step.before.mu for person, step in load_match_steps(connection, table.id).items()
        }


def replace_absent(house: House, table: Table, absent: int) -> None:
    """Let the others vote for a substitute bot, which then decides something."""
    for voter in {0, 1, 2} & table.owned_seats() - {absent}:
        if not table.occupants[absent].standin:
            table.hub.touch_seats((voter,))
            house.portal.call(timeouts.vote_for_substitute, house.server, table, absent, (voter,))
    assert table.occupants[absent].standin
    while not any(row.bot for row in table.history):
        house.play(table, 1)


# -- absence ----------------------------------------------------------------------------------------------------------


def test_an_absent_player_loses_when_the_others_remove_them(
    house: House,
    three: list[Person],
    time: Time,  # noqa: F811
) -> None:
    """Whoever stays away from a match that they are losing does not keep it from counting."""
    anna, ben, _ = three
    table = house.table(anna, ben, options=first_to_move(1))
    time.passes(86_401.0)
    assert house.portal.call(vote_replace.vote_to_remove, house.server, table, 1, (0,)) is True
    assert unrated_reasons(table) == []
    moved = ends(house, table, 2, 1)  # whatever the bot makes of the seat
    assert moved[ben.id] < 0 < moved[anna.id]


@pytest.mark.parametrize("ahead", [True, False])
def test_a_substitute_helps_nobody_of_two(
    house: House,
    three: list[Person],
    time: Time,  # noqa: F811
    ahead: bool,
) -> None:
    """The absent player keeps their rating. The voter gains nothing, and who is behind in the end loses as ever."""
    anna, ben, _ = three
    table = house.table(anna, ben, options=first_to_move(1))
    time.passes(601.0)
    replace_absent(house, table, 1)
    assert unrated_reasons(table) == []
    moved = ends(house, table, *((1, 2) if ahead else (2, 1)))
    assert ben.id not in moved
    assert (anna.id not in moved) if ahead else (moved[anna.id] < 0)
    rows = house.rows(table)
    assert [(row["rank"], row["stake"]) for row in rows] == [(1 if ahead else 2, "full"), (2 if ahead else 1, "none")]


def test_with_a_substitute_the_others_are_rated_among_themselves(
    house: House,
    three: list[Person],
    time: Time,  # noqa: F811
) -> None:
    table = house.table(*three, options=first_to_move(1))
    time.passes(601.0)
    replace_absent(house, table, 1)
    moved = ends(house, table, 1, 2, 3)
    assert set(moved) == {three[0].id, three[2].id}
    assert moved[three[2].id] < 0 < moved[three[0].id]


def test_a_player_who_returns_soon_is_rated_as_ever(
    house: House,
    three: list[Person],
    time: Time,  # noqa: F811
) -> None:
    anna, ben, _ = three
    table = house.table(anna, ben, options=first_to_move(1))
    time.passes(601.0)
    replace_absent(house, table, 1)
    house.portal.call(seats.end_substitution, house.server, table, table.occupants[1])
    while sum(row.seat == 1 for row in table.history) < 8 * sum(bool(row.bot) for row in table.history):
        house.play(table, 1)
    moved = ends(house, table, 1, 2)
    assert moved[ben.id] < 0 < moved[anna.id]


def test_a_clock_that_runs_out_saves_nobody_from_losing(
    house: House,
    three: list[Person],
    time: Time,  # noqa: F811
) -> None:
    anna, ben, _ = three
    table = house.table(anna, ben, options=TableOptions({"stenographer": "1"}, store=900, free=45))
    time.passes(946.0)
    house.portal.call(timeouts.remind_or_replace, house.server, table)
    assert table.occupants[1].timed_out
    while not any(row.bot for row in table.history):
        house.play(table, 1)
    moved = ends(house, table, 2, 1)
    assert moved[ben.id] < 0 < moved[anna.id]
    assert [row["rank"] for row in house.rows(table)] == [1, 2]


# -- consent ----------------------------------------------------------------------------------------------------------


def test_a_loser_does_not_vote_a_bot_in_and_abandon_the_match(
    house: House,
    three: list[Person],
    time: Time,  # noqa: F811
) -> None:
    table = house.table(*three[:2], options=first_to_move(1))
    time.passes(601.0)
    replace_absent(house, table, 1)
    assert house.portal.call(consent.vote_to_abandon, house.server, table, (0,)) is False
    assert table.status == "playing"


@pytest.mark.parametrize("company", [("Anna", "Ben"), ("Anna", "Ben", "steady")])
def test_the_last_player_does_not_abandon_the_match_alone(house: House, company: tuple[str, ...]) -> None:
    """Those who have left lose, and the last one plays on, also against bots."""
    table = house.table(*(name if name == "steady" else house.person(name) for name in company))
    house.portal.call(seats.leave, house.server, table, table.occupants[1])
    with pytest.raises(Conflict, match="the match counts"):
        house.portal.call(consent.vote_to_abandon, house.server, table, (0,))


def test_one_person_alone_against_bots_abandons_at_will(house: House) -> None:
    table = house.table(house.person("Anna"), "random")
    assert house.portal.call(consent.vote_to_abandon, house.server, table, (0,)) is True
    assert {row["unrated"] for row in house.rows(table)} == {"broken"}


def test_a_pause_does_not_end_a_match(house: House, three: list[Person]) -> None:
    table = house.table(*three[:2], options=LIVE)
    house.portal.call(seats.leave, house.server, table, table.occupants[1])
    house.portal.call(consent.vote_to_pause, house.server, table, (0,), 15)
    assert (table.status, unrated_reasons(table)) == ("playing", [])


def learns(house: House, table: Table) -> int:
    """Play until undoing the last move of somebody would take back what they have learnt; return their seat."""
    for _ in range(200):
        last = table.history[-1].seat if table.history else 0
        if (
            table.history
            and not table.history[-1].bot
            and table.current_match.reveals_information(table.current_match.count_moves_to_undo(last))
        ):
            return last
        house.play(table, 1)
    raise AssertionError("nothing was learnt")


def test_undo_past_something_learnt_waits_for_the_other_player(house: House, three: list[Person]) -> None:
    table = house.table(*three[:2])
    asker = learns(house, table)
    assert house.portal.call(undo.vote_to_undo, house.server, table, (asker,), table.version, True) is False
    assert unrated_reasons(table) == []


def test_undo_for_practice_is_not_for_the_last_player(house: House, three: list[Person]) -> None:
    table = house.table(*three[:2])
    asker = learns(house, table)

    async def leave_and_undo() -> None:
        async with table.lock:
            await seats.vacate_seat(house.server, table, table.occupants[1 - asker])
        assert not undo.is_alone(table, (asker,))
        await undo.vote_to_undo(house.server, table, (asker,), table.version, True)

    with pytest.raises(Conflict, match="the match counts"):
        house.portal.call(leave_and_undo)
    assert unrated_reasons(table) == []


def test_giving_a_seat_away_needs_another_player(house: House, three: list[Person]) -> None:
    table = house.table(*three[:2])
    house.portal.call(seats.leave, house.server, table, table.occupants[1])
    with pytest.raises(Conflict, match="at least two players"):
        house.portal.call(vote_replace.vote_to_reassign, house.server, table, 1, three[2].id, (0,))
    assert unrated_reasons(table) == []


# -- help -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("help", ["hinted", "guided"])
@pytest.mark.parametrize("ahead", [True, False])
def test_help_makes_no_match_of_several_unrated(house: House, three: list[Person], help: str, ahead: bool) -> None:
    """Who was helped gains nothing and can still lose; nobody loses by being behind them."""
    anna, ben, _ = three
    table = house.table(anna, ben)

    async def helped() -> None:
        await note_help(house.server, table, 0, hinted=help == "hinted", guided=help == "guided")

    house.portal.call(helped)
    assert (unrated_reasons(table), house.server.load_table(table.id).occupants[0].helped) == ([], True)
    moved = ends(house, table, *((1, 2) if ahead else (2, 1)))
    if ahead:
        assert moved == {}
    else:
        assert moved[anna.id] < 0 < moved[ben.id]


def test_help_of_one_leaves_the_others_rated_among_themselves() -> None:
    best, second, last = (Rating(25.0, 5.0) for _ in range(3))
    after = apply_stakes([Rival(1, 1, best, LOSE), Rival(2, 2, second), Rival(3, 3, last)])
    alone = apply_stakes([Rival(2, 2, second), Rival(3, 3, last)])
    assert 1 not in after
    assert after[2].mu > second.mu
    assert after[3].mu == alone[3].mu < last.mu


def test_stakes_never_let_anybody_gain_by_a_substitute() -> None:
    one, two = Rating(25.0, 5.0), Rating(30.0, 4.0)
    assert apply_stakes([Rival(1, 1, one), Rival(2, 2, two, NONE)]) == {}
    fallen = apply_stakes([Rival(2, 1, one, FULL), Rival(1, 2, two, NONE)])
    assert set(fallen) == {1}
    assert fallen[1].mu < one.mu
    bot = Rival(1, None, Rating(25.0, 1.0))
    behind_bot = apply_stakes([bot, Rival(2, 1, one), Rival(3, 2, two, NONE)])
    assert behind_bot == apply_stakes([bot, Rival(2, 1, one)])  # whom the substitute lets pass makes up for nothing
    assert behind_bot[1].mu < one.mu


# -- going away -------------------------------------------------------------------------------------------------------


def test_who_leaves_loses(house: House, three: list[Person]) -> None:
    anna, ben, _ = three
    table = house.table(anna, ben)
    house.portal.call(seats.leave, house.server, table, table.occupants[1])
    moved = ends(house, table, 2, 1)
    assert moved[ben.id] < 0 < moved[anna.id]


@pytest.mark.parametrize("game_id", ["evangelists", "missionnaires"])
def test_who_resigns_at_once_loses(house: House, three: list[Person], game_id: str) -> None:
    """Also by a rule of the game that ends the match there and then."""
    table = house.table(*three[:2], game_id=game_id)
    seat = table.who
    house.portal.call(resign.resign, house.server, table, seat, table.version)
    assert unrated_reasons(table) == []
    if table.status == "playing":
        ends(house, table, 1, 1)
    with house.server.store.read_connection() as connection:
        steps = load_match_steps(connection, table.id)
    assert steps[three[seat].id].change < 0 < steps[three[1 - seat].id].change


def test_who_deletes_their_account_loses(house: House, three: list[Person]) -> None:
    anna, ben, _ = three
    table = house.table(anna, ben)
    house.portal.call(deletion.delete_account, house.server, ben)
    assert unrated_reasons(table) == []
    moved = ends(house, table, 2, 1)
    assert moved[anna.id] > 0


def test_who_retires_a_program_does_not_save_it_from_losing(house: House, three: list[Person]) -> None:
    owner, anna, _ = three
    program, _ = house.portal.call(bot_accounts.register_bot_account, house.server, owner, "Clio")
    table = house.table(anna, program)
    house.portal.call(bot_accounts.retire_bot_account, house.server, owner, program.id)
    moved = ends(house, table, 1, 2)
    assert moved[program.id] < 0 < moved[anna.id]


# -- the table --------------------------------------------------------------------------------------------------------


def test_the_host_closes_no_match_that_has_begun(house: House, three: list[Person]) -> None:
    table = house.table(*three[:2])
    with pytest.raises(Conflict, match="cannot be closed"):
        house.portal.call(seats.close, house.server, table, True)
    cookie = {"cookie": f"triclinium={house.cookies['Anna']}"}
    assert house.client.delete(f"/api/v1/tables/{table.id}", headers=cookie).status_code == 409
    assert table.status == "playing"


def test_the_host_ends_no_match_as_it_stands_that_can_go_on(house: House, three: list[Person]) -> None:
    table = house.table(*three[:2])
    with pytest.raises(Conflict, match="can go on"):
        house.portal.call(end_stranded.vote_to_end, house.server, table, (0,))
    with pytest.raises(NotAllowed):
        house.portal.call(end_stranded.vote_to_end, house.server, table, ())


def test_a_record_or_a_continued_match_leaves_the_match_itself_rated(house: House, three: list[Person]) -> None:
    table = house.table(*three[:2])
    house.play(table, 5)
    with pytest.raises(RequestError, match="when it is over"):
        house.portal.call(create.continue_match, house.server, three[0], table, 3)
    house.play(table)
    text = table.record().dumps()
    new, written = house.portal.call(import_record.make_table_from_record, house.server, text, "en")
    copy = house.portal.call(create.open_table, house.server, three[0], new, written)
    fork = house.portal.call(create.continue_match, house.server, three[0], table, 3)
    assert [unrated_reasons(one)[0] for one in (copy, fork)] == ["origin", "origin"]
    assert unrated_reasons(table) == []
    assert {row["unrated"] for row in house.rows(table)} == {""}


def test_the_owner_of_the_server_may_close_a_match_and_it_is_logged(
    house: House, three: list[Person], caplog: pytest.LogCaptureFixture
) -> None:
    table = house.table(*three[:2], options=DEFAULTS)
    with caplog.at_level(logging.INFO, "triclinium.admin"):
        house.portal.call(actions.close_tables, house.server, {"tables": [table.id]})
    assert f"closed table {table.id}" in caplog.text
    with house.server.store.read_connection() as connection:
        said = connection.execute(select(chat.c.text).where(chat.c.table == table.id).order_by(chat.c.id.desc()))
        assert said.scalars().first() == actions.CLOSED_BY_OWNER
    assert {row["unrated"] for row in house.rows(table)} == {"broken"}


def test_a_person_who_sits_down_by_the_api_is_rated(house: House) -> None:
    """With the cookie of a person the seat is that person's, as at a page: no token, and no program."""
    anna, ben = house.person("Anna"), house.person("Ben")
    house.client.cookies.set("triclinium", house.cookies["Anna"])
    wish = {"game": "evangelists", "seats": [{"kind": "me"}, {"kind": "invite"}]}
    made = house.client.post("/api/v1/tables", json=wish).json()
    house.client.cookies.set("triclinium", house.cookies["Ben"])
    invited = {"seat": 1, "invitation": made["invitations"][0]["invitation"]}
    sat = house.client.post(f"/api/v1/tables/{made['table']['id']}/seats", json=invited).json()
    assert sat["token"] == ""
    table = house.portal.call(house.server.get_table, made["table"]["id"])
    assert set(ends(house, table, 1, 2)) == {anna.id, ben.id}


def test_merging_with_an_owner_of_a_bot_account_that_one_met_is_refused(house: House) -> None:
    """The match would count as one next to one's own bot account, and lose its rating for all."""
    mallory, nina = house.person("Mallory"), house.person("Nina")
    made, _ = house.portal.call(bot_accounts.register_bot_account, house.server, mallory, "Clio")
    table = house.table(nina, made)
    assert ends(house, table, 1, 2)
    with pytest.raises(Conflict, match="bot account of the other"):
        house.portal.call(merge.merge_accounts, house.server, mallory.id, nina.id)
