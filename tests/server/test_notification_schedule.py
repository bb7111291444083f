"""Tests of the times of notifications, by a clock of the test: once, and one reminder before the time runs out."""

import datetime
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from tests.server.locked_tables import rewrite_progress, start_substitution
from tests.server.notification_driver import NotificationDriver
from triclinium.server.notifications import sender
from triclinium.server.outbox.schedule import find_digest_day, find_quiet_end, schedule_turn_messages
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.tables import chat, event_stream, timeouts
from triclinium.server.tables.event_stream import EventListener

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
PARIS = ZoneInfo("Europe/Paris")


def paris(*moment: int) -> float:
    return datetime.datetime(*moment, tzinfo=PARIS).timestamp()  # type: ignore[misc,arg-type]


def test_a_live_table_notifies_after_two_minutes_and_at_half_time(driver: NotificationDriver) -> None:
    """An absent player gets a message after 2 minutes and at half time, and none after moving."""
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben")
    table = driver.deal_table(anna, ben, takeover=600)
    driver.send_and_reset()
    driver.play_until_asked(table, 1)
    begun = driver.time[0]
    assert driver.send_due_messages_at(begun + 119) == []
    assert driver.send_due_messages_at(begun + 120) == ["Your turn at Antioch supper"]
    assert driver.send_due_messages_at(begun + 299) == []
    assert driver.send_due_messages_at(begun + 300) == ["Still your turn at Antioch supper"]
    assert driver.send_due_messages_at(begun + 580) == []
    driver.play_until_asked(table, 1)
    begun = driver.time[0]
    driver.play_until_asked(table, 0)
    assert driver.send_due_messages_at(begun + DAY) == []


def test_a_message_names_game_table_mover_question_and_time(driver: NotificationDriver) -> None:
    """The message names game, table, mover, question and time, and says how to unsubscribe."""
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben", language="fr")
    table = driver.deal_table(anna, ben, takeover=int(3 * DAY))
    driver.send_and_reset()
    driver.play_first_option(table)
    driver.send_due_messages(120)
    mail = driver.mailbox.mails[-1]
    assert mail["subject"] == "Your turn at Antioch supper"
    text = mail.get_content()
    for told in ("Les Actes des évangélistes", "Anna has moved", "You have 2 days left", f"/tables/{table.id}"):
        assert told in text
    assert "Choisissez la ville" in text  # the game's terms are in the person's language
    assert mail["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    assert str(mail["list-unsubscribe"]).strip().startswith("<http")


def test_a_slow_table_over_four_days_with_quiet_hours_across_summer_time(driver: NotificationDriver) -> None:
    """A message comes after 2 minutes and a reminder a quarter of the time bank before zero. Quiet hours delay both.

    On 28 March 2027 Paris changes to summer time at night. Quiet hours keep ending at eight o'clock local time.
    """
    anna = driver.create_person("Anna", mail=False)
    ben = driver.create_person("Ben", zone="Europe/Paris", quiet="22:30-08:00")
    driver.time[0] = paris(2027, 3, 27, 12, 0)
    table = driver.deal_table(anna, ben, takeover=int(3 * DAY))
    driver.send_and_reset()
    driver.time[0] = paris(2027, 3, 27, 23, 0)
    driver.play_first_option(table)
    told: list[tuple[str, str]] = []
    moment = driver.time[0]
    while moment < paris(2027, 3, 31, 12, 0):
        moment += 30 * MINUTE
        there = datetime.datetime.fromtimestamp(moment, PARIS).strftime("%d %H:%M")
        told += [(there, headline) for headline in driver.send_due_messages_at(moment)]
    # The clock runs out at 23:00 + 72 h, 31 March 00:00 in summer time; 18 hours earlier it is six in the morning.
    assert told == [
        ("28 08:00", "Your turn at Antioch supper"),
        ("30 08:00", "Still your turn at Antioch supper"),
    ]


def test_thirty_tables_in_one_hour_are_six_messages_at_most(driver: NotificationDriver) -> None:
    """Several turns within 5 minutes are one message.

    A person gets at most six per hour on all channels, and none is lost.
    """
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben")
    driver.add_mail_channel(ben, "ben@example.com")
    driver.send_and_reset()
    begun = driver.time[0]
    tables = []
    for n in range(30):
        driver.time[0] = begun + n * 2 * MINUTE
        tables.append(driver.deal_table(anna, ben, name=f"Table {n}"))
        driver.play_first_option(tables[-1])
    driver.run(driver.server.store.write, lambda c: c.execute(outbox.delete().where(outbox.c.kind == "begun")))
    told: list[list[str]] = []
    for minute in range(180):
        told.append(driver.send_due_messages_at(begun + minute * MINUTE))
    for first in range(120):
        assert sum(len(each) for each in told[first : first + 60]) <= 6
    with driver.server.store.read_connection() as connection:
        states = set(connection.execute(select(outbox.c.state).where(outbox.c.kind == "turn")).scalars())
    assert states == {"sent"}
    assert {mail["to"] for mail in driver.mailbox.mails} == {"ben@example.org", "ben@example.com"}
    assert any("tables" in headline for each in told for headline in each)
    assert "and " in "".join(mail.get_content() for mail in driver.mailbox.mails)


def test_people_with_an_open_page_get_no_message(driver: NotificationDriver) -> None:
    """A stream in a hidden tab does not count as present. A page that notifies makes a push unnecessary."""
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben")
    table = driver.deal_table(anna, ben)
    page = EventListener(ben.id, "", tab="one")
    table.hub.add(page)
    driver.send_due_messages()
    driver.play_first_option(table)
    assert table.hub.list_present_seats() == {1}
    assert driver.send_due_messages(120) == []  # present, so the page is enough
    driver.play_until_asked(table, 1)
    assert table.hub.set_visible("one", ben.id, "", False, True)
    assert (table.hub.list_present_seats(), table.hub.list_connected_seats()) == (set(), {1})
    assert driver.send_due_messages(120) == []  # present, so the page is enough
    driver.play_until_asked(table, 1)
    table.hub.set_visible("one", ben.id, "", False, False)
    assert not table.hub.set_visible("other", ben.id, "", True, False)  # another tab without a stream
    assert driver.send_due_messages(120) == ["Your turn at Antioch supper"]


def test_quiet_hours_do_not_hold_a_live_match_that_is_being_played(
    driver: NotificationDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quiet hours do not apply to a live match where the person was active in the last 15 minutes."""
    steady = [event_stream.clock()]
    monkeypatch.setattr(event_stream, "clock", lambda: steady[0])
    anna = driver.create_person("Anna", mail=False)
    ben = driver.create_person("Ben", zone="Europe/Paris", quiet="22:30-08:00")
    driver.time[0] = paris(2027, 1, 10, 23, 30)
    table = driver.deal_table(anna, ben, takeover=1800)
    driver.send_and_reset()
    table.hub.record_activity((1,))
    driver.play_first_option(table)
    assert driver.send_due_messages(121) == ["Your turn at Antioch supper"]
    driver.play_until_asked(table, 1)
    steady[0] += 16 * MINUTE
    assert driver.send_due_messages(6 * MINUTE) == []
    assert driver.send_due_messages_at(paris(2027, 1, 11, 8, 0)) == [
        "Still your turn at Antioch supper"
    ]  # one message for each decision


def test_chat_messages_are_grouped_into_one_notification(driver: NotificationDriver) -> None:
    """Chat messages are collected for 5 minutes and sent as a count with the last line.

    Messages of spectators are left out.
    """
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben", wants="chat")
    table = driver.deal_table(anna, ben)
    driver.send_and_reset()
    for text in ("salve", "are you there?"):
        driver.run(chat.post_message, driver.server, table, 0, "Anna", text, anna.id)
    driver.run(chat.post_message, driver.server, table, None, "Zoe", "he holds the king", None)
    assert driver.send_due_messages(4 * MINUTE) == []
    assert driver.send_due_messages(MINUTE) == ["2 new messages at Antioch supper"]
    text = driver.mailbox.mails[-1].get_content()
    assert "Anna: are you there?" in text
    assert "king" not in text
    driver.run(chat.post_message, driver.server, table, 0, "Anna", "hello?", anna.id)
    assert driver.send_due_messages(DAY) == []  # sent once until the chat is read
    driver.run(chat.mark_chat_read, driver.server.store, table, ben.id)
    driver.run(chat.post_message, driver.server, table, 0, "Anna", "once more", anna.id)
    assert driver.send_due_messages(5 * MINUTE) == ["1 new message at Antioch supper"]


def test_the_digest_is_sent_only_if_a_table_waits(driver: NotificationDriver) -> None:
    """Without a clock a message comes after 2 minutes and then only in the daily digest at the chosen hour."""
    anna = driver.create_person("Anna", mail=False)
    ben = driver.create_person("Ben", wants="turn digest", zone="Europe/Paris", digest=18 * 60)
    driver.time[0] = paris(2027, 1, 10, 12, 0)
    table = driver.deal_table(anna, ben)
    driver.send_and_reset()
    driver.play_first_option(table)
    assert driver.send_due_messages(120) == ["Your turn at Antioch supper"]
    assert driver.send_due_messages_at(paris(2027, 1, 10, 17, 59)) == []
    assert driver.send_due_messages_at(paris(2027, 1, 10, 18, 1)) == ["Tables waiting for you"]
    assert driver.send_due_messages_at(paris(2027, 1, 10, 19, 0)) == []
    assert driver.send_due_messages_at(paris(2027, 1, 11, 18, 0)) == ["Tables waiting for you"]
    driver.play_until_asked(table, 0)
    assert driver.send_due_messages_at(paris(2027, 1, 12, 18, 0)) == []
    driver.run(chat.post_message, driver.server, table, 0, "Anna", "salve", anna.id)
    assert driver.send_due_messages_at(paris(2027, 1, 13, 18, 0)) == ["Tables waiting for you"]
    assert "1 new message at Antioch supper" in driver.mailbox.mails[-1].get_content()


def test_events_about_a_seat_are_sent_at_once(driver: NotificationDriver) -> None:
    """Players are notified at once about a starting table, a vote, a substitute bot and a rematch."""
    anna, ben, eve = (driver.create_person(name, mail=name == "Ben") for name in ("Anna", "Ben", "Eve"))
    table = driver.deal_table(anna, ben, eve)
    assert driver.send_due_messages() == ["The match at Antioch supper has started"]
    driver.play_first_option(table)
    table.hub._loaded_at = event_stream.clock() - 3600
    rewrite_progress(table, moved=table.moved - 3600)
    table.hub._last_seen.clear()
    table.hub.record_activity((0, 2))
    driver.run(timeouts.vote_for_substitute, driver.server, table, 1, (0,))
    assert driver.send_due_messages() == ["Anna votes for a substitute bot in your place at Antioch supper"]
    driver.run(start_substitution, driver.server, table, 1, timeouts.VOTED)
    assert driver.send_due_messages(DAY) == [
        "A substitute bot plays for you at Antioch supper"
    ]  # one message for each decision


def test_a_failing_channel_is_retried_and_then_stopped(driver: NotificationDriver) -> None:
    """A failed delivery is repeated after 10 s, 1 min and 10 min. Then the channel stops with the reason."""
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben")
    table = driver.deal_table(anna, ben)
    driver.send_and_reset()
    driver.play_first_option(table)
    driver.mailbox.answer = "554 no such mailbox"
    for wait in (120.0, 10.0, 60.0, 600.0):
        assert driver.send_due_messages(wait) == []
    with driver.server.store.read_connection() as connection:
        way = connection.execute(select(ways)).one()
    assert (way.state, way.reason) == ("stopped", "no such mailbox")
    driver.mailbox.answer = "250 OK"
    driver.play_until_asked(table, 1)
    assert driver.send_due_messages(DAY) == []


def test_notifications_are_not_repeated_after_a_restart(driver: NotificationDriver) -> None:
    """After a crash a mail that may have been sent is not sent again.

    A browser gets the message again and shows it once.
    """
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben")
    driver.play_first_option(driver.deal_table(anna, ben))
    driver.time[0] += 120

    def interrupted(connection: object) -> None:
        connection.execute(outbox.update().where(outbox.c.kind == "turn").values(state="trying"))  # type: ignore[attr-defined]

    driver.run(driver.server.store.write, interrupted)
    driver.run(driver.server.store.write, sender.recover_interrupted)
    assert "Your turn at Antioch supper" not in driver.send_due_messages()


def test_a_message_can_be_repeated_in_two_hours(driver: NotificationDriver) -> None:
    """A message can be repeated in two hours by its action *In 2 hours*."""
    anna, ben = driver.create_person("Anna", mail=False), driver.create_person("Ben", wants="turn")
    driver.play_first_option(driver.deal_table(anna, ben))
    driver.send_due_messages(120)
    with driver.server.store.read_connection() as connection:
        id = connection.execute(select(outbox.c.id).where(outbox.c.kind == "turn")).scalar_one()
    assert not driver.run(sender.snooze_message, driver.server.store, anna.id, id)  # another person's message
    assert driver.run(sender.snooze_message, driver.server.store, ben.id, id)
    assert driver.send_due_messages(2 * HOUR - 1) == []
    assert driver.send_due_messages(1) == ["Your turn at Antioch supper"]


@pytest.mark.parametrize(
    ("store", "told"),
    [(0.0, [120.0]), (600.0, [120.0, 300.0]), (200.0, [120.0]), (DAY, [120.0, 18 * HOUR]), (4 * DAY, [120.0, 3 * DAY])],
)
def test_notifications_for_one_decision_are_limited(store: float, told: list[float]) -> None:
    """The number of messages about a decision depends on the clock.

    Without a clock there is one. Live matches get another at half time, slow ones at the larger of 6 h and a quarter of
    the time bank.
    """
    assert [due for _, due in schedule_turn_messages(0.0, store)] == told


def test_quiet_hours_end_by_the_clock_on_the_wall() -> None:
    """The hours may cross midnight, lie within a day, use another time zone, or fall into a change of summer time."""
    assert find_quiet_end(paris(2027, 3, 27, 23, 0), "Europe/Paris", "22:30-08:00") == paris(2027, 3, 28, 8, 0)
    assert find_quiet_end(paris(2027, 10, 31, 3, 0), "Europe/Paris", "22:30-08:00") == paris(2027, 10, 31, 8, 0)
    assert find_quiet_end(paris(2027, 1, 5, 8, 0), "Europe/Paris", "22:30-08:00") is None
    assert find_quiet_end(paris(2027, 1, 5, 13, 30), "Europe/Paris", "13:00-14:00") == paris(2027, 1, 5, 14, 0)
    assert find_quiet_end(paris(2027, 1, 5, 23, 45), "", "22:30-08:00") == paris(2027, 1, 6, 9, 0)
    assert find_quiet_end(paris(2027, 1, 5, 23, 45), "Europe/Paris", "") is None
    assert find_digest_day(paris(2027, 1, 5, 18, 30), "Europe/Paris", 1080) == "2027-01-05"
    assert find_digest_day(paris(2027, 1, 5, 21, 0), "Europe/Paris", 1080) is None
