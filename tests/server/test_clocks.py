"""Tests of the time bank with a clock that tests move forward."""

import datetime
import random
import shutil
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, insert, select, update

from tests import postgres
from tests.server.api_client import make_app
from tests.server.locked_tables import end_substitution, make_move
from tests.server.server_driver import ServerDriver
from triclinium.engine.registry import list_games, load_game
from triclinium.server import server_time
from triclinium.server.accounts import vacation
from triclinium.server.accounts.paused_time import count_elapsed, list_quiet_hours
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, RequestError
from triclinium.server.storage.schema import history, people
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.tables import consent, event_stream, timeouts, undo
from triclinium.server.tables.absence import count_seconds_until_substitute
from triclinium.server.tables.moves import schedule_bot
from triclinium.server.tables.options import SeatOptions, TableOptions, check_options
from triclinium.server.tables.table import Table
from triclinium.server.tables.time_bank import TimeBankClock, replay_banks

LIVE = TableOptions(store=900, free=45)
SLOW = TableOptions(store=3 * 86400, free=86400)
DAY = 86400.0


class FakeClock:
    """A clock that tests move forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at = server_time.now()
        monkeypatch.setattr(server_time, "now", lambda: self.at)
        monkeypatch.setattr(event_stream, "clock", lambda: self.at)

    def passes(self, seconds: float) -> None:
        self.at += seconds


@pytest.fixture
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    return FakeClock(monkeypatch)


@pytest.fixture
def driver(client: TestClient) -> ServerDriver:
    return ServerDriver(client)


@pytest.fixture
def two_people(driver: ServerDriver) -> tuple[Person, Person]:
    return driver.create_person("Anna"), driver.create_person("Ben")


def get_seconds_left(table: Table, seat: int) -> float:
    """Return the seconds left in a time bank."""
    assert table.clock is not None
    return table.clock.seats[seat].left / 1000


def check_clock(driver: ServerDriver, table: Table) -> None:
    driver.portal.call(timeouts.remind_or_replace, driver.server, table)


# -- the clock without a table ----------------------------------------------------------------------------------------


def test_free_time_comes_first_and_the_time_bank_never_falls_below_zero() -> None:
    """The free seconds of each decision period cost nothing. After them the time bank runs down."""
    dealt = TimeBankClock.with_full_banks(900, 45, 2, 0.0)
    after = dealt.with_time_spent(0, 30_000).with_time_spent(0, 20_000)  # one period with two answers
    assert (after.seats[0].left, after.get_free_time_left(0), after.seats[1]) == (895_000, 0, dealt.seats[1])
    assert after.with_new_period(0).with_time_spent(0, 45_000).seats[0].left == 895_000
    gone = after.with_time_spent(0, 10_000_000)
    assert (gone.seats[0].left, gone.seats[0].pending) == (0, 900_000)
    assert (gone.with_return_bonus(0).seats[0].left, after.with_return_bonus(0)) == (90_000, after)


def test_only_documented_clocks_are_accepted() -> None:
    """Custom clocks have 1 to 120 minutes with 5 to 600 s, or 1 to 14 days with 4 to 72 h."""
    both = [SeatOptions("me"), SeatOptions("invite")]
    for store, free in ((0, 0), (60, 5), (7200, 600), (86400, 14400), (14 * 86400, 72 * 3600)):
        check_options(TableOptions(store=store, free=free), both)
    for store, free in ((0, 5), (59, 5), (7201, 45), (900, 4), (900, 601), (86400, 600), (15 * 86400, 86400)):
        with pytest.raises(RequestError):
            check_options(TableOptions(store=store, free=free), both)


def test_clocks_run_only_outside_paused_time() -> None:
    assert count_elapsed(10.0, 20.0, []) == 10.0
    assert count_elapsed(10.0, 20.0, [(12.0, 14.0), (13.0, 15.0), (0.0, 11.0), (19.0, 40.0), (50.0, 60.0)]) == 5.0
    assert count_elapsed(10.0, 20.0, [(0.0, 99.0)]) == 0.0
    assert count_elapsed(30.0, 20.0, []) == 0.0  # the pause has not ended


def test_quiet_hours_pause_at_most_half_a_day_even_when_summer_time_begins() -> None:
    zone = ZoneInfo("Europe/Paris")
    noon = datetime.datetime(2026, 3, 28, 12, tzinfo=zone).timestamp()
    two_days = datetime.datetime(2026, 3, 30, 12, tzinfo=zone).timestamp()
    assert two_days - noon == 47 * 3600  # an hour is missing because of summer time
    spans = list(list_quiet_hours("Europe/Paris", "22:00-08:00", noon, two_days))
    assert count_elapsed(noon, two_days, spans) == (47 - 9 - 10) * 3600
    whole = list(list_quiet_hours("Europe/Paris", "08:00-23:00", noon, two_days))
    assert all(end - start <= 12 * 3600 for start, end in whole)
    assert list(list_quiet_hours("", "", noon, two_days)) == []


# -- at tables --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", list_games())
def test_used_and_remaining_time_add_up(driver: ServerDriver, fake_clock: FakeClock, game_id: str) -> None:
    """The sum of used and remaining time is constant in all games, and a slow second computation agrees."""
    sitting = [driver.create_person(f"P{n}") for n in range(load_game(game_id).seats[0])]
    table, seats = driver.open_table(*sitting, game_id=game_id, options=LIVE), range(len(sitting))
    chance, slow = random.Random(game_id), Slow(table)
    for _ in range(40):
        thinks = chance.choice((0.4, 3.0, 20.0, 50.0))
        fake_clock.passes(thinks)
        asked = table.who
        back = [seat for seat in seats if undo.undo_steps(table, seat)] if chance.random() < 0.2 else []
        if back:
            driver.portal.call(undo.undo_last_decision, driver.server, table, back[0], table.version)
        else:
            driver.play(table, 1)
        slow.decided(asked, thinks, table.who, bool(back))
        for seat in seats:
            assert (slow.used(seat), get_seconds_left(table, seat)) == (
                sum_time_used(driver, table, seat),
                900 - slow.used(seat),
            )
    stored = driver.server.tables.load_table(table.id)
    assert [get_seconds_left(stored, seat) for seat in seats] == [get_seconds_left(table, seat) for seat in seats]
    with driver.server.store.read_connection() as connection:
        rows = connection.execute(select(history).where(history.c.table == table.id).order_by(history.c.version)).all()
    told = replay_banks(900, 45, len(sitting), [(row.asked, row.took) for row in rows if row.asked >= 0])
    assert told == [1000 * get_seconds_left(table, seat) for seat in seats]  # so that a replay shows the clocks


class Slow:
    """A second computation of the clocks from the decision periods."""

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


def sum_time_used(driver: ServerDriver, table: Table, seat: int) -> float:
    """Return the time that a seat has used according to the moves of a match."""
    with driver.server.store.read_connection() as connection:
        wanted = select(history.c.took).where(history.c.table == table.id, history.c.asked == seat)
        return float(sum(connection.execute(wanted).scalars()) / 1000)


def test_undo_returns_no_time(driver: ServerDriver, two_people: tuple[Person, Person], fake_clock: FakeClock) -> None:
    """After an undo the same period continues. Neither the time bank nor the free time is restored."""
    table = driver.open_table(*two_people, options=LIVE)
    driver.play(table, 2)
    who = table.who
    fake_clock.passes(101.0)
    driver.portal.call(play_move, driver, table, "travel weak")
    assert get_seconds_left(table, who) == 900 - 55
    fake_clock.passes(11.0)
    driver.portal.call(undo.undo_last_decision, driver.server, table, who, table.version)
    assert (get_seconds_left(table, who), table.who) == (900 - 65, who)
    fake_clock.passes(11.0)
    driver.portal.call(play_move, driver, table, "travel weak")
    assert get_seconds_left(table, who) == 900 - 75


async def play_move(driver: ServerDriver, table: Table, option: str) -> None:
    await make_move(driver.server, table, table.who, option, table.version)


def test_without_time_a_substitute_bot_plays_until_the_owner_returns(
    driver: ServerDriver, two_people: tuple[Person, Person], fake_clock: FakeClock
) -> None:
    """When a player's time runs out at a live table, a bot takes over.

    A player who returns gets twice the free time.
    """
    table = driver.open_table(*two_people, options=LIVE)
    late = table.who
    fake_clock.passes(944.0)
    check_clock(driver, table)
    assert not table.occupants[late].substitute
    fake_clock.passes(1.0)
    check_clock(driver, table)
    assert (bool(table.occupants[late].substitute), get_seconds_left(table, late)) == (True, 0.0)
    driver.portal.call(end_substitution, driver.server, table, late)
    assert get_seconds_left(table, late) == 90.0
    stored = driver.server.tables.load_table(table.id)
    assert stored.clock is not None
    assert stored.clock.seats[late].left == 90_000
    assert sum_time_used(driver, table, late) + stored.clock.seats[late].pending / 1000 == 900.0


def test_without_auto_substitute_the_others_vote(
    driver: ServerDriver, two_people: tuple[Person, Person], fake_clock: FakeClock
) -> None:
    table = driver.open_table(*two_people, options=TableOptions(store=900, free=45, bots=False))
    late = table.who
    fake_clock.passes(946.0)
    table.hub.record_activity((late,))  # The player is present but does not decide.
    check_clock(driver, table)
    assert not table.occupants[late].substitute
    assert driver.portal.call(timeouts.vote_for_substitute, driver.server, table, late, (1 - late,)) is True
    assert table.occupants[late].substitute


def test_a_match_pauses_when_all_players_are_on_vacation(driver: ServerDriver, fake_clock: FakeClock) -> None:
    anna = driver.create_person("Anna")
    table = driver.open_table(anna, "random", options=LIVE)
    until_asked(driver, table, 0)
    fake_clock.passes(946.0)
    before = table.moves
    check_clock(driver, table)
    schedule_bot(driver.server, table)
    assert (table.is_left_to_bots, table.moves) == (True, before)
    driver.portal.call(end_substitution, driver.server, table, 0)
    assert not table.is_left_to_bots


def until_asked(driver: ServerDriver, table: Table, seat: int) -> None:
    while table.who != seat:
        driver.play(table, 1)


def test_bots_cost_nobody_time(driver: ServerDriver, fake_clock: FakeClock) -> None:
    anna = driver.create_person("Anna")
    table = driver.open_table(anna, "random", options=LIVE)
    until_asked(driver, table, 0)
    assert table.clock is not None
    assert [one.left for one in table.clock.seats] == [900_000, 900_000]


def test_a_pause_by_consent_stops_clocks_and_moves(
    driver: ServerDriver, two_people: tuple[Person, Person], fake_clock: FakeClock
) -> None:
    """A pause stops the clocks of all players. It needs the consent of all, and lasts up to 12 hours."""
    table = driver.open_table(*two_people, options=LIVE)
    who = table.who
    fake_clock.passes(100.0)
    assert driver.portal.call(consent.vote_to_pause, driver.server, table, (0,), 60) is False
    assert driver.portal.call(consent.vote_to_pause, driver.server, table, (1,), 60) is True
    with pytest.raises(Conflict, match="paused"):
        driver.play(table, 1)
    fake_clock.passes(1800.0)
    check_clock(driver, table)
    assert get_seconds_left(table, who) == 900 - 55
    for seat, done in ((0, False), (1, True)):
        assert driver.portal.call(consent.vote_to_resume, driver.server, table, (seat,)) is done
    fake_clock.passes(11.0)
    driver.play(table, 1)
    assert get_seconds_left(table, who) == 900 - 65
    slow = driver.open_table(*two_people, options=SLOW)
    with pytest.raises(Conflict, match="live"):
        driver.portal.call(consent.vote_to_pause, driver.server, slow, (0,), 60)


def test_a_pause_ends_by_itself(driver: ServerDriver, two_people: tuple[Person, Person], fake_clock: FakeClock) -> None:
    table = driver.open_table(*two_people, options=LIVE)
    who = table.who
    for seat in (0, 1):
        driver.portal.call(consent.vote_to_pause, driver.server, table, (seat,), 720)
    fake_clock.passes(12 * 3600 + 55)
    driver.play(table, 1)
    assert get_seconds_left(table, who) == 900 - 9


def test_a_vacation_pauses_slow_clocks(
    driver: ServerDriver, two_people: tuple[Person, Person], fake_clock: FakeClock
) -> None:
    """At slow tables vacations stop the clock, for up to 21 days a year.

    The others see the vacation and may vote after ten days.
    """
    table = driver.open_table(*two_people, options=SLOW)
    live_one = driver.open_table(*two_people, options=LIVE)
    who = table.who
    owner = two_people[who]
    driver.portal.call(vacation.schedule_vacation, driver.server, owner, 0.0, fake_clock.at + 21 * DAY)
    fake_clock.passes(9 * DAY)
    check_clock(driver, table)
    assert (get_seconds_left(table, who), table.occupants[who].substitute) == (3 * DAY, "")
    assert count_seconds_until_substitute(driver.server, table, table.occupants[who]) == DAY
    check_clock(driver, live_one)
    assert live_one.occupants[live_one.who].substitute  # Vacations do not stop live clocks.
    fake_clock.passes(2 * DAY)
    assert count_seconds_until_substitute(driver.server, table, table.occupants[who]) == 0
    driver.portal.call(vacation.end_vacation, driver.server, owner)
    assert vacation.get_vacation_status(driver.server, owner.id).days_left == 10
    with pytest.raises(Conflict, match="21 days"):
        driver.portal.call(vacation.schedule_vacation, driver.server, owner, fake_clock.at, fake_clock.at + 11 * DAY)
    fake_clock.passes(3600.0)
    driver.play(table, 1)
    assert get_seconds_left(table, who) == 3 * DAY


def test_quiet_hours_pause_slow_clocks(
    driver: ServerDriver, two_people: tuple[Person, Person], fake_clock: FakeClock
) -> None:
    fake_clock.at = (fake_clock.at // DAY + 1) * DAY + 13 * 3600  # after one night, and before the next
    table = driver.open_table(*two_people, options=SLOW)
    who = table.who

    def quiet(connection: Connection) -> None:
        connection.execute(
            update(people).where(people.c.id == two_people[who].id).values(zone="UTC", quiet="00:00-12:00")
        )

    driver.portal.call(driver.server.store.write, quiet)
    fake_clock.passes(3 * DAY + 1)
    driver.play(table, 1)
    assert get_seconds_left(table, who) == 2.5 * DAY  # a day and a half, of which one day was free


@pytest.mark.skipif(postgres.WANTED, reason="copies the file of a running server")
def test_a_killed_server_costs_no_player_time(tmp_path: Path, fake_clock: FakeClock) -> None:
    """Neither downtime nor a minute after a start costs time, but the time used before counts."""
    first = tmp_path / "first"
    first.mkdir()
    second = tmp_path / "second"
    with TestClient(make_app(first)) as client:
        house = ServerDriver(client)
        table = house.open_table(house.create_person("Anna"), house.create_person("Ben"), options=LIVE)
        id, who = table.id, table.who
        fake_clock.passes(100.0)
        house.portal.call(timeouts.check_late_tables, house.server)  # a request that counts as activity
        fake_clock.passes(10.0)
        shutil.copytree(first, second)  # the files on disk when the server is killed
    fake_clock.passes(36_000.0)
    with TestClient(make_app(second, grace=60.0)) as client:
        house = ServerDriver(client)
        table = house.portal.call(house.server.tables.get_table, id)
        fake_clock.passes(59.0)
        check_clock(house, table)
        assert not table.occupants[who].substitute
        fake_clock.passes(12.0)
        house.play(table, 1)
        # 100 and 11 seconds, minus 45 free seconds and one for the network
        assert get_seconds_left(table, who) == 900 - 65


def test_a_player_with_little_time_is_reminded_once(
    driver: ServerDriver, two_people: tuple[Person, Person], fake_clock: FakeClock
) -> None:
    """A player is warned once: at half time at a live table, and with a quarter of the time left at a slow one."""
    add_mail_channels(driver, *two_people)
    for options, early, due in ((LIVE, 470.0, 5.0), (SLOW, 3.2 * DAY, 0.1 * DAY)):
        table = driver.open_table(*two_people, options=options)
        person = two_people[table.who]
        fake_clock.passes(early)
        check_clock(driver, table)
        assert messages(driver, table) == []
        fake_clock.passes(due)
        for _ in range(2):
            check_clock(driver, table)
        assert messages(driver, table) == [(person.id, "time")]


def add_mail_channels(driver: ServerDriver, *told: Person) -> None:
    """Give each player a mail channel for all notifications."""

    def job(connection: Connection) -> None:
        for person in told:
            way = {"person": person.id, "kind": "mail", "address": "", "mark": "mail", "state": "on"}
            connection.execute(insert(ways).values(wants="done", made=0.0, **way))

    driver.portal.call(driver.server.store.write, job)


def messages(driver: ServerDriver, table: Table) -> list[tuple[int, str]]:
    with driver.server.store.read_connection() as connection:
        rows = connection.execute(select(outbox).where(outbox.c.table == table.id).order_by(outbox.c.id))
        return [(row.person, row.kind) for row in rows]
