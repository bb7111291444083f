"""The store clock: what costs time and what does not, counted by a clock that tests put forward."""

import datetime
import random
import shutil
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, insert, select, update

from tests import postgres
from tests.server.api_client import app
from tests.server.house import House
from triclinium.engine.registry import list_games, load_game
from triclinium.server import server_time
from triclinium.server.accounts import vacation
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, RequestError
from triclinium.server.storage.schema import history, people
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.tables import consent, event_stream, seats, timeouts, undo
from triclinium.server.tables.absence import seconds_until_substitute
from triclinium.server.tables.moves import move, schedule_bot
from triclinium.server.tables.options import SeatOptions, TableOptions, check_options
from triclinium.server.tables.paused_time import count_elapsed, list_quiet_hours
from triclinium.server.tables.table import Table
from triclinium.server.tables.time_bank import TimeBankClock, replay_banks

LIVE = TableOptions(store=900, free=45)
SLOW = TableOptions(store=3 * 86400, free=86400)
DAY = 86400.0


class Time:
    """A clock that stands still until a test puts it forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at = server_time.now()
        monkeypatch.setattr(server_time, "now", lambda: self.at)
        monkeypatch.setattr(event_stream, "clock", lambda: self.at)

    def passes(self, seconds: float) -> None:
        self.at += seconds


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


@pytest.fixture
def house(client: TestClient) -> House:
    return House(client)


@pytest.fixture
def pair(house: House) -> tuple[Person, Person]:
    return house.person("Anna"), house.person("Ben")


def left(table: Table, seat: int) -> float:
    """Seconds in a store."""
    assert table.clock is not None
    return table.clock.seats[seat].left / 1000


def look(house: House, table: Table) -> None:
    house.portal.call(timeouts.remind_or_replace, house.server, table)


# -- the clock alone --------------------------------------------------------------------------------------------------


def test_free_time_comes_first_and_the_store_never_falls_below_nothing() -> None:
    """The first free seconds of each spell cost nothing, then the store runs."""
    dealt = TimeBankClock.with_full_banks(900, 45, 2, 0.0)
    after = dealt.with_time_spent(0, 30_000).with_time_spent(0, 20_000)  # one spell of two answers
    assert (after.seats[0].left, after.free_time_left(0), after.seats[1]) == (895_000, 0, dealt.seats[1])
    assert after.with_new_period(0).with_time_spent(0, 45_000).seats[0].left == 895_000
    gone = after.with_time_spent(0, 10_000_000)
    assert (gone.seats[0].left, gone.seats[0].pending) == (0, 900_000)
    assert (gone.with_return_bonus(0).seats[0].left, after.with_return_bonus(0)) == (90_000, after)


def test_only_the_clocks_that_people_know_are_set() -> None:
    """Own clocks: 1 to 120 minutes with 5 to 600 s, or 1 to 14 days with 4 to 72 h."""
    both = [SeatOptions("me"), SeatOptions("invite")]
    for store, free in ((0, 0), (60, 5), (7200, 600), (86400, 14400), (14 * 86400, 72 * 3600)):
        check_options(TableOptions(store=store, free=free), both)
    for store, free in ((0, 5), (59, 5), (7201, 45), (900, 4), (900, 601), (86400, 600), (15 * 86400, 86400)):
        with pytest.raises(RequestError):
            check_options(TableOptions(store=store, free=free), both)


def test_time_lapses_outside_of_rests_alone() -> None:
    assert count_elapsed(10.0, 20.0, []) == 10.0
    assert count_elapsed(10.0, 20.0, [(12.0, 14.0), (13.0, 15.0), (0.0, 11.0), (19.0, 40.0), (50.0, 60.0)]) == 5.0
    assert count_elapsed(10.0, 20.0, [(0.0, 99.0)]) == 0.0
    assert count_elapsed(30.0, 20.0, []) == 0.0  # a pause that lasts still


def test_quiet_hours_rest_half_a_day_at_most_also_when_summer_time_begins() -> None:
    zone = ZoneInfo("Europe/Paris")
    noon = datetime.datetime(2026, 3, 28, 12, tzinfo=zone).timestamp()
    two_days = datetime.datetime(2026, 3, 30, 12, tzinfo=zone).timestamp()
    assert two_days - noon == 47 * 3600  # an hour is missing
    spans = list(list_quiet_hours("Europe/Paris", "22:00-08:00", noon, two_days))
    assert count_elapsed(noon, two_days, spans) == (47 - 9 - 10) * 3600
    whole = list(list_quiet_hours("Europe/Paris", "08:00-23:00", noon, two_days))
    assert all(end - start <= 12 * 3600 for start, end in whole)
    assert list(list_quiet_hours("", "", noon, two_days)) == []


# -- at tables --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", list_games())
def test_what_was_used_and_what_is_left_is_constant(house: House, time: Time, game_id: str) -> None:
    """Sum of used and left is constant, in all games; and a slow second computation counts the same."""
    sitting = [house.person(f"P{n}") for n in range(load_game(game_id).seats[0])]
    table, seats = house.table(*sitting, game_id=game_id, options=LIVE), range(len(sitting))
    chance, slow = random.Random(game_id), Slow(table)
    for _ in range(40):
        thinks = chance.choice((0.4, 3.0, 20.0, 50.0))
        time.passes(thinks)
        asked = table.who
        back = [seat for seat in seats if undo.undo_steps(table, seat)] if chance.random() < 0.2 else []
        if back:
            house.portal.call(undo.undo, house.server, table, back[0], table.version)
        else:
            house.play(table, 1)
        slow.decided(asked, thinks, table.who, bool(back))
        for seat in seats:
            assert (slow.used(seat), left(table, seat)) == (taken(house, table, seat), 900 - slow.used(seat))
    stored = house.server.load_table(table.id)
    assert [left(stored, seat) for seat in seats] == [left(table, seat) for seat in seats]
    with house.server.store.read_connection() as connection:
        rows = connection.execute(select(history).where(history.c.table == table.id).order_by(history.c.version)).all()
    told = replay_banks(900, 45, len(sitting), [(row.asked, row.took) for row in rows if row.asked >= 0])
    assert told == [1000 * left(table, seat) for seat in seats]  # so a replay shows the clocks


class Slow:
    """The clocks once more, from the spells as they were."""

    def __init__(self, table: Table) -> None:
        self.spells: list[tuple[int, list[float]]] = [(table.who, [])]

    def decided(self, asked: int, thought: float, who: int, undone: bool) -> None:
        spell = next(one for seat, one in reversed(self.spells) if seat == asked)
        spell.append(max(0.0, thought - 1.0))
        known = any(seat == who for seat, _ in self.spells)
        if who >= 0 and who != asked and not (undone and known):
            self.spells.append((who, []))

    def used(self, seat: int) -> float:
        return round(sum(max(0.0, sum(spell) - 45) for one, spell in self.spells if one == seat), 6)


def taken(house: House, table: Table, seat: int) -> float:
    """What the moves of a match tell that a seat has used."""
    with house.server.store.read_connection() as connection:
        wanted = select(history.c.took).where(history.c.table == table.id, history.c.asked == seat)
        return float(sum(connection.execute(wanted).scalars()) / 1000)


def test_undo_returns_no_time(house: House, pair: tuple[Person, Person], time: Time) -> None:
    """Whoever takes back goes on in the same spell: neither the store nor the free time comes back."""
    table = house.table(*pair, options=LIVE)
    house.play(table, 2)
    who = table.who
    time.passes(101.0)
    house.portal.call(house_move, house, table, "travel weak")
    assert left(table, who) == 900 - 55
    time.passes(11.0)
    house.portal.call(undo.undo, house.server, table, who, table.version)
    assert (left(table, who), table.who) == (900 - 65, who)
    time.passes(11.0)
    house.portal.call(house_move, house, table, "travel weak")
    assert left(table, who) == 900 - 75


async def house_move(house: House, table: Table, option: str) -> None:
    await move(house.server, table, table.who, option, table.version)


def test_without_time_a_bot_sits_in_until_the_owner_is_back(
    house: House, pair: tuple[Person, Person], time: Time
) -> None:
    """Zero, live: a bot sits in, visibly; the store of who comes back is twice the free time."""
    table = house.table(*pair, options=LIVE)
    late = table.who
    time.passes(944.0)
    look(house, table)
    assert not table.occupants[late].standin
    time.passes(1.0)
    look(house, table)
    assert (bool(table.occupants[late].standin), left(table, late)) == (True, 0.0)
    house.portal.call(seats.end_substitution, house.server, table, table.occupants[late])
    assert left(table, late) == 90.0
    stored = house.server.load_table(table.id)
    assert stored.clock is not None
    assert stored.clock.seats[late].left == 90_000
    assert taken(house, table, late) + stored.clock.seats[late].pending / 1000 == 900.0


def test_without_a_bot_the_others_vote(house: House, pair: tuple[Person, Person], time: Time) -> None:
    table = house.table(*pair, options=TableOptions(store=900, free=45, bots=False))
    late = table.who
    time.passes(946.0)
    table.hub.touch_seats((late,))  # there, and not deciding
    look(house, table)
    assert not table.occupants[late].standin
    assert house.portal.call(timeouts.vote_for_substitute, house.server, table, late, (1 - late,)) is True
    assert table.occupants[late].standin


def test_a_match_whose_people_are_all_away_rests(house: House, time: Time) -> None:
    anna = house.person("Anna")
    table = house.table(anna, "random", options=LIVE)
    until_asked(house, table, 0)
    time.passes(946.0)
    before = table.moves
    look(house, table)
    schedule_bot(house.server, table)
    assert (table.deserted, table.moves) == (True, before)
    house.portal.call(seats.end_substitution, house.server, table, table.occupants[0])
    assert not table.deserted


def until_asked(house: House, table: Table, seat: int) -> None:
    while table.who != seat:
        house.play(table, 1)


def test_bots_cost_nobody_time(house: House, time: Time) -> None:
    anna = house.person("Anna")
    table = house.table(anna, "random", options=LIVE)
    until_asked(house, table, 0)
    assert table.clock is not None
    assert [one.left for one in table.clock.seats] == [900_000, 900_000]


def test_a_pause_by_consent_stops_the_clock_and_everybody(
    house: House, pair: tuple[Person, Person], time: Time
) -> None:
    """By consent of all, live only, up to 12 h."""
    table = house.table(*pair, options=LIVE)
    who = table.who
    time.passes(100.0)
    assert house.portal.call(consent.vote_to_pause, house.server, table, (0,), 60) is False
    assert house.portal.call(consent.vote_to_pause, house.server, table, (1,), 60) is True
    with pytest.raises(Conflict, match="paused"):
        house.play(table, 1)
    time.passes(1800.0)
    look(house, table)
    assert left(table, who) == 900 - 55
    for seat, done in ((0, False), (1, True)):
        assert house.portal.call(consent.vote_to_resume, house.server, table, (seat,)) is done
    time.passes(11.0)
    house.play(table, 1)
    assert left(table, who) == 900 - 65
    slow = house.table(*pair, options=SLOW)
    with pytest.raises(Conflict, match="live"):
        house.portal.call(consent.vote_to_pause, house.server, slow, (0,), 60)


def test_a_pause_ends_by_itself(house: House, pair: tuple[Person, Person], time: Time) -> None:
    table = house.table(*pair, options=LIVE)
    who = table.who
    for seat in (0, 1):
        house.portal.call(consent.vote_to_pause, house.server, table, (seat,), 720)
    time.passes(12 * 3600 + 55)
    house.play(table, 1)
    assert left(table, who) == 900 - 9


def test_who_is_away_rests_at_slow_tables(house: House, pair: tuple[Person, Person], time: Time) -> None:
    """21 days a year; shown to the others, who may vote after ten days."""
    table = house.table(*pair, options=SLOW)
    live_one = house.table(*pair, options=LIVE)
    who = table.who
    owner = pair[who]
    house.portal.call(vacation.schedule_vacation, house.server, owner, 0.0, time.at + 21 * DAY)
    time.passes(9 * DAY)
    look(house, table)
    assert (left(table, who), table.occupants[who].standin) == (3 * DAY, "")
    assert seconds_until_substitute(house.server, table, table.occupants[who]) == DAY
    look(house, live_one)
    assert live_one.occupants[live_one.who].standin  # a live clock knows no holidays
    time.passes(2 * DAY)
    assert seconds_until_substitute(house.server, table, table.occupants[who]) == 0
    house.portal.call(vacation.end_vacation, house.server, owner)
    assert vacation.get_vacation_status(house.server, owner.id).days_left == 10
    with pytest.raises(Conflict, match="21 days"):
        house.portal.call(vacation.schedule_vacation, house.server, owner, time.at, time.at + 11 * DAY)
    time.passes(3600.0)
    house.play(table, 1)
    assert left(table, who) == 3 * DAY


def test_quiet_hours_rest_slow_clocks(house: House, pair: tuple[Person, Person], time: Time) -> None:
    time.at = (time.at // DAY + 1) * DAY + 13 * 3600  # after one night, and before the next
    table = house.table(*pair, options=SLOW)
    who = table.who

    def quiet(connection: Connection) -> None:
        connection.execute(update(people).where(people.c.id == pair[who].id).values(zone="UTC", quiet="00:00-12:00"))

    house.portal.call(house.server.store.write, quiet)
    time.passes(3 * DAY + 1)
    house.play(table, 1)
    assert left(table, who) == 2.5 * DAY  # a day and a half, of which one was free


@pytest.mark.skipif(postgres.WANTED, reason="copies the file of a running server")
def test_a_server_that_is_killed_costs_nobody_a_second(tmp_path: Path, time: Time) -> None:
    """The server's own absence, and a minute of grace after a start, cost nothing; what was thought before counts."""
    first = tmp_path / "first"
    first.mkdir()
    second = tmp_path / "second"
    with TestClient(app(first)) as client:
        house = House(client)
        table = house.table(house.person("Anna"), house.person("Ben"), options=LIVE)
        id, who = table.id, table.who
        time.passes(100.0)
        house.portal.call(timeouts.check_late_tables, house.server)  # a sign of life
        time.passes(10.0)
        shutil.copytree(first, second)  # all that is on the disk when it is killed
    time.passes(36_000.0)
    with TestClient(app(second, grace=60.0)) as client:
        house = House(client)
        table = house.portal.call(house.server.get_table, id)
        time.passes(59.0)
        look(house, table)
        assert not table.occupants[who].standin
        time.passes(12.0)
        house.play(table, 1)
        assert left(table, who) == 900 - 65  # 100 and 11 seconds, 45 free and one of network


def test_whoever_has_little_time_left_is_told_once(house: House, pair: tuple[Person, Person], time: Time) -> None:
    """At a live table when half has run; at a slow one with a quarter of the store left."""
    give_way(house, *pair)
    for options, early, due in ((LIVE, 470.0, 5.0), (SLOW, 3.2 * DAY, 0.1 * DAY)):
        table = house.table(*pair, options=options)
        person = pair[table.who]
        time.passes(early)
        look(house, table)
        assert messages(house, table) == []
        time.passes(due)
        for _ in range(2):
            look(house, table)
        assert messages(house, table) == [(person.id, "time")]


def give_way(house: House, *told: Person) -> None:
    """Let people be told by mail of all that is done to them."""

    def job(connection: Connection) -> None:
        for person in told:
            way = {"person": person.id, "kind": "mail", "address": "", "mark": "mail", "state": "on"}
            connection.execute(insert(ways).values(wants="done", made=0.0, **way))

    house.portal.call(house.server.store.write, job)


def messages(house: House, table: Table) -> list[tuple[int, str]]:
    with house.server.store.read_connection() as connection:
        rows = connection.execute(select(outbox).where(outbox.c.table == table.id).order_by(outbox.c.id))
        return [(row.person, row.kind) for row in rows]
