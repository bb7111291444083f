"""When people are told, by a clock that the test moves: once, once more before it is too late, and never nagged."""

import datetime
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from tests.server.telling import TellingHouse
from triclinium.server.notifications import sender
from triclinium.server.notifications.schedule import find_digest_day, find_quiet_end, schedule_turn_messages
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.tables import chat, event_stream, seats, timeouts
from triclinium.server.tables.event_stream import EventListener

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
PARIS = ZoneInfo("Europe/Paris")


def paris(*moment: int) -> float:
    return datetime.datetime(*moment, tzinfo=PARIS).timestamp()  # type: ignore[misc,arg-type]


def test_a_live_table_tells_after_two_minutes_and_at_half_time(house: TellingHouse) -> None:
    """My turn, nobody here: a message at 2:00, one at half time, none after a move."""
    anna, ben = house.person("Anna", mail=False), house.person("Ben")
    table = house.table(anna, ben, takeover=600)
    house.quiet()
    house.play_until(table, 1)
    begun = house.time[0]
    assert house.at(begun + 119) == []
    assert house.at(begun + 120) == ["Your turn at Antioch supper"]
    assert house.at(begun + 299) == []
    assert house.at(begun + 300) == ["Still your turn at Antioch supper"]
    assert house.at(begun + 580) == []
    house.play_until(table, 1)
    begun = house.time[0]
    house.play_until(table, 0)
    assert house.at(begun + DAY) == []


def test_a_message_names_game_table_mover_question_and_time(house: TellingHouse) -> None:
    """The text names game, table, who moved, what is asked and the time left, and how to end such mails."""
    anna, ben = house.person("Anna", mail=False), house.person("Ben", language="fr")
    table = house.table(anna, ben, takeover=int(3 * DAY))
    house.quiet()
    house.play(table)
    house.look(120)
    mail = house.mailbox.mails[-1]
    assert mail["subject"] == "Your turn at Antioch supper"
    text = mail.get_content()
    for told in ("Les Actes des évangélistes", "Anna has moved", "2 days are left", f"/tables/{table.id}"):
        assert told in text
    assert "Choisissez la ville" in text  # the game's own words come in the person's language
    assert mail["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    assert str(mail["list-unsubscribe"]).strip().startswith("<http")


def test_a_slow_table_over_four_days_with_quiet_hours_across_summer_time(house: TellingHouse) -> None:
    """Told 2 min after the turn came; again a quarter of the store before zero; quiet hours hold both.

    On 28 March 2027 Paris goes from winter to summer time at night: eight o'clock stays eight o'clock.
    """
    anna = house.person("Anna", mail=False)
    ben = house.person("Ben", zone="Europe/Paris", quiet="22:30-08:00")
    house.time[0] = paris(2027, 3, 27, 12, 0)
    table = house.table(anna, ben, takeover=int(3 * DAY))
    house.quiet()
    house.time[0] = paris(2027, 3, 27, 23, 0)
    house.play(table)
    told: list[tuple[str, str]] = []
    moment = house.time[0]
    while moment < paris(2027, 3, 31, 12, 0):
        moment += 30 * MINUTE
        there = datetime.datetime.fromtimestamp(moment, PARIS).strftime("%d %H:%M")
        told += [(there, headline) for headline in house.at(moment)]
    # Zero is at 23:00 + 72 h = 31 March 00:00 by summer time; 18 hours before it is six in the morning.
    assert told == [
        ("28 08:00", "Your turn at Antioch supper"),
        ("30 08:00", "Still your turn at Antioch supper"),
    ]


def test_thirty_tables_in_one_hour_are_six_messages_at_most(house: TellingHouse) -> None:
    """Several turns within 5 min are one message; at most six an hour a person by all ways, and nothing is lost."""
    anna, ben = house.person("Anna", mail=False), house.person("Ben")
    house.mailed(ben, "ben@example.com")
    house.quiet()
    begun = house.time[0]
    tables = []
    for n in range(30):
        house.time[0] = begun + n * 2 * MINUTE
        tables.append(house.table(anna, ben, name=f"Table {n}"))
        house.play(tables[-1])
    house.do(house.server.store.write, lambda c: c.execute(outbox.delete().where(outbox.c.kind == "begun")))
    told: list[list[str]] = []
    for minute in range(180):
        told.append(house.at(begun + minute * MINUTE))
    for first in range(120):
        assert sum(len(each) for each in told[first : first + 60]) <= 6
    with house.server.store.read_connection() as connection:
        states = set(connection.execute(select(outbox.c.state).where(outbox.c.kind == "turn")).scalars())
    assert states == {"told"}
    assert {mail["to"] for mail in house.mailbox.mails} == {"ben@example.org", "ben@example.com"}
    assert any("tables" in headline for each in told for headline in each)
    assert "and " in "".join(mail.get_content() for mail in house.mailbox.mails)


def test_who_looks_or_is_notified_by_the_page_gets_no_message(house: TellingHouse) -> None:
    """Here means looking: a stream in a hidden tab is open, not here; a page that notifies makes a push needless."""
    anna, ben = house.person("Anna", mail=False), house.person("Ben")
    table = house.table(anna, ben)
    page = EventListener(ben.id, "", tab="one")
    table.hub.add(page)
    house.look()
    house.play(table)
    assert table.hub.present_seats() == {1}
    assert house.look(120) == []  # looking: told by the page
    house.play_until(table, 1)
    assert table.hub.set_visible("one", ben.id, "", False, True)
    assert (table.hub.present_seats(), table.hub.connected_seats()) == (set(), {1})
    assert house.look(120) == []  # notified at once by the page, no push
    house.play_until(table, 1)
    table.hub.set_visible("one", ben.id, "", False, False)
    assert not table.hub.set_visible("other", ben.id, "", True, False)  # another tab, which has no stream
    assert house.look(120) == ["Your turn at Antioch supper"]


def test_quiet_hours_do_not_hold_a_live_match_that_is_being_played(
    house: TellingHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quiet hours hold everything but a live match in which the person was seen in the last 15 min."""
    steady = [event_stream.clock()]
    monkeypatch.setattr(event_stream, "clock", lambda: steady[0])
    anna = house.person("Anna", mail=False)
    ben = house.person("Ben", zone="Europe/Paris", quiet="22:30-08:00")
    house.time[0] = paris(2027, 1, 10, 23, 30)
    table = house.table(anna, ben, takeover=1800)
    house.quiet()
    table.hub.touch_seats((1,))
    house.play(table)
    assert house.look(121) == ["Your turn at Antioch supper"]
    house.play_until(table, 1)
    steady[0] += 16 * MINUTE
    assert house.look(6 * MINUTE) == []
    assert house.at(paris(2027, 1, 11, 8, 0)) == ["Still your turn at Antioch supper"]  # one message for one decision


def test_talk_is_gathered_and_told_once(house: TellingHouse) -> None:
    """Chat for me, not here: gathered 5 min, one message with count and last line; never what spectators say."""
    anna, ben = house.person("Anna", mail=False), house.person("Ben", wants="chat")
    table = house.table(anna, ben)
    house.quiet()
    for text in ("salve", "are you there?"):
        house.do(chat.post_message, house.server, table, 0, "Anna", text, anna.id)
    house.do(chat.post_message, house.server, table, None, "Zoe", "he holds the king", None)
    assert house.look(4 * MINUTE) == []
    assert house.look(MINUTE) == ["2 new messages at Antioch supper"]
    text = house.mailbox.mails[-1].get_content()
    assert "Anna: are you there?" in text
    assert "king" not in text
    house.do(chat.post_message, house.server, table, 0, "Anna", "hello?", anna.id)
    assert house.look(DAY) == []  # told once, until it was read
    house.do(chat.mark_chat_read, house.server, table, ben.id)
    house.do(chat.post_message, house.server, table, 0, "Anna", "once more", anna.id)
    assert house.look(5 * MINUTE) == ["1 new message at Antioch supper"]


def test_the_day_in_one_message_comes_only_if_something_waits(house: TellingHouse) -> None:
    """No clock: after 2 min, then digest only; the digest at the hour chosen, once a day, only if something waits."""
    anna = house.person("Anna", mail=False)
    ben = house.person("Ben", wants="turn digest", zone="Europe/Paris", digest=18 * 60)
    house.time[0] = paris(2027, 1, 10, 12, 0)
    table = house.table(anna, ben)
    house.quiet()
    house.play(table)
    assert house.look(120) == ["Your turn at Antioch supper"]
    assert house.at(paris(2027, 1, 10, 17, 59)) == []
    assert house.at(paris(2027, 1, 10, 18, 1)) == ["What waits for you"]
    assert house.at(paris(2027, 1, 10, 19, 0)) == []
    assert house.at(paris(2027, 1, 11, 18, 0)) == ["What waits for you"]
    house.play_until(table, 0)
    assert house.at(paris(2027, 1, 12, 18, 0)) == []
    house.do(chat.post_message, house.server, table, 0, "Anna", "salve", anna.id)
    assert house.at(paris(2027, 1, 13, 18, 0)) == ["What waits for you"]
    assert "1 new message at Antioch supper" in house.mailbox.mails[-1].get_content()


def test_what_was_done_for_somebody_is_told_at_once(house: TellingHouse) -> None:
    """A table begins, a vote about me, a bot sat in, the match again: at once."""
    anna, ben, eve = (house.person(name, mail=name == "Ben") for name in ("Anna", "Ben", "Eve"))
    table = house.table(anna, ben, eve)
    assert house.look() == ["Antioch supper has begun"]
    house.play(table)
    table.hub._loaded_at = event_stream.clock() - 3600
    table.moved -= 3600
    table.hub._last_seen.clear()
    table.hub.touch_seats((0, 2))
    house.do(timeouts.vote_for_substitute, house.server, table, 1, (0,))
    assert house.look() == ["Anna votes for a substitute bot in your place at Antioch supper"]
    house.do(seats.start_substitution, house.server, table, table.occupants[1], timeouts.VOTED)
    assert house.look(DAY) == ["A substitute bot plays for you at Antioch supper"]  # it is not their turn any more


def test_a_way_that_does_not_answer_is_tried_again_and_then_stopped(house: TellingHouse) -> None:
    """Tried again after 10 s, 1 min and 10 min; then stopped with the answer's reason until its owner mends it."""
    anna, ben = house.person("Anna", mail=False), house.person("Ben")
    table = house.table(anna, ben)
    house.quiet()
    house.play(table)
    house.mailbox.answer = "554 no such mailbox"
    for wait in (120.0, 10.0, 60.0, 600.0):
        assert house.look(wait) == []
    with house.server.store.read_connection() as connection:
        way = connection.execute(select(ways)).one()
    assert (way.state, way.reason) == ("stopped", "no such mailbox")
    house.mailbox.answer = "250 OK"
    house.play_until(table, 1)
    assert house.look(DAY) == []


def test_what_was_under_way_when_the_house_ended_is_not_told_twice(house: TellingHouse) -> None:
    """A mail of which nobody knows whether it went counts as told; a browser gets it again, and shows it once."""
    anna, ben = house.person("Anna", mail=False), house.person("Ben")
    house.play(house.table(anna, ben))
    house.time[0] += 120

    def interrupted(connection: object) -> None:
        connection.execute(outbox.update().where(outbox.c.kind == "turn").values(state="trying"))  # type: ignore[attr-defined]

    house.do(house.server.store.write, interrupted)
    house.do(house.server.store.write, sender.recover_interrupted)
    assert "Your turn at Antioch supper" not in house.look()


def test_a_message_comes_again_in_two_hours_if_somebody_wants(house: TellingHouse) -> None:
    """*In 2 hours* stands on each message."""
    anna, ben = house.person("Anna", mail=False), house.person("Ben", wants="turn")
    house.play(house.table(anna, ben))
    house.look(120)
    with house.server.store.read_connection() as connection:
        id = connection.execute(select(outbox.c.id).where(outbox.c.kind == "turn")).scalar_one()
    assert not house.do(sender.snooze_message, house.server, anna.id, id)  # somebody else's
    assert house.do(sender.snooze_message, house.server, ben.id, id)
    assert house.look(2 * HOUR - 1) == []
    assert house.look(1) == ["Your turn at Antioch supper"]


@pytest.mark.parametrize(
    ("store", "told"),
    [(0.0, [120.0]), (600.0, [120.0, 300.0]), (200.0, [120.0]), (DAY, [120.0, 18 * HOUR]), (4 * DAY, [120.0, 3 * DAY])],
)
def test_how_often_one_decision_is_told(store: float, told: list[float]) -> None:
    """No clock: once. Live: again at half time. Slow: again at the larger of 6 h and a quarter of the store before."""
    assert [due for _, due in schedule_turn_messages(0.0, store)] == told


def test_quiet_hours_end_by_the_clock_on_the_wall() -> None:
    """Across midnight, within a day, in another zone, and in the night when an hour is missing or comes twice."""
    assert find_quiet_end(paris(2027, 3, 27, 23, 0), "Europe/Paris", "22:30-08:00") == paris(2027, 3, 28, 8, 0)
    assert find_quiet_end(paris(2027, 10, 31, 3, 0), "Europe/Paris", "22:30-08:00") == paris(2027, 10, 31, 8, 0)
    assert find_quiet_end(paris(2027, 1, 5, 8, 0), "Europe/Paris", "22:30-08:00") is None
    assert find_quiet_end(paris(2027, 1, 5, 13, 30), "Europe/Paris", "13:00-14:00") == paris(2027, 1, 5, 14, 0)
    assert find_quiet_end(paris(2027, 1, 5, 23, 45), "", "22:30-08:00") == paris(2027, 1, 6, 9, 0)
    assert find_quiet_end(paris(2027, 1, 5, 23, 45), "Europe/Paris", "") is None
    assert find_digest_day(paris(2027, 1, 5, 18, 30), "Europe/Paris", 1080) == "2027-01-05"
    assert find_digest_day(paris(2027, 1, 5, 21, 0), "Europe/Paris", 1080) is None
