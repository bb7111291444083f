"""Tests that every number of a profile page equals a slow count from the database rows."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from tests.databases import put_database
from tests.server.api_client import make_settings
from tests.server.server_driver import DAY, insert_ended_match, insert_person
from tests.server.test_rating import ladder
from triclinium.server.accounts.profile import build_profile, explain_rating_change, list_companions
from triclinium.server.accounts.visibility import ReaderVisibility, find_tablemates, set_visibility
from triclinium.server.errors import NotFound
from triclinium.server.ratings import stats
from triclinium.server.ratings.leaderboard import (
    count_rated_matches,
    find_place,
    list_highest_scores,
    load_leaderboard,
    load_month_highlights,
)
from triclinium.server.ratings.rating import PROVISIONAL_MATCHES, Rating, load_anchor_ratings
from triclinium.server.settings import Settings
from triclinium.server.storage.schema import people
from triclinium.server.storage.schema_results import rating_steps, ratings, results
from triclinium.server.storage.store import Store

GAME_ID = "evangelists"


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """Yield twelve people with forty matches, some against a bot, and one person who has met nobody."""
    put_database(tmp_path)
    store = Store(f"sqlite:///{tmp_path / 'house.db'}")
    with store.engine.connect() as connection:
        for id in range(1, 14):
            insert_person(connection, id, f"Person {id}")
        ladder(connection, 36)
        insert_ended_match(connection, 37, [(1, 2), (2, 2), ("steady", 1)])
        insert_ended_match(connection, 38, [(1, 1), ("steady", 2)])
        insert_ended_match(connection, 39, [(1, 1), (2, 2), (3, 3)], how="abandoned", unrated="abandoned")
        insert_ended_match(connection, 40, [(2, 1), (1, 2)], game_id="portals")
        yield connection
    store.close()


def rows_of(connection: Connection) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(select(results)).mappings()]


def make_reader_visibility(
    connection: Connection, tmp_path: Path, reader: int | None, url: str = ""
) -> ReaderVisibility:
    how = make_settings(tmp_path)
    return ReaderVisibility(connection, Settings(how.database, url=url), reader)


def test_statistics_of_a_person_equal_a_slow_count(connection: Connection, tmp_path: Path) -> None:
    rows = rows_of(connection)
    for person in range(1, 14):
        found = build_profile(connection, make_reader_visibility(connection, tmp_path, person), person, GAME_ID)
        mine = [row for row in rows if row["person"] == person]
        beside = {row["table"]: [one for one in rows if one["table"] == row["table"]] for row in mine}
        with_people = [
            row
            for row in mine
            if row["unrated"] != "abandoned" and sum(one["person"] is not None for one in beside[row["table"]]) > 1
        ]
        assert found.with_people == len(with_people)
        assert found.won == sum(row["rank"] == 1 for row in with_people)
        here = [row for row in with_people if row["game"] == GAME_ID]
        assert found.total == sum(row["game"] == GAME_ID for row in mine)
        style = found.style
        if not here:
            assert style is None
            continue
        assert style is not None
        assert (style.matches, style.won) == (len(here), sum(row["rank"] == 1 for row in here))
        assert style.fair_share == pytest.approx(float(sum(Fraction(1, row["seats"]) for row in here) / len(here)))
        assert style.points == pytest.approx(sum(row["total"] for row in here) / len(here))
        assert style.best_points == max(row["total"] for row in here)
        assert style.seconds == pytest.approx(median(row["seconds"] / row["decisions"] for row in here))
        for share in style.by_seat:
            there = [row for row in here if row["seat"] == int(share.label) - 1]
            assert (share.count, share.total) == (sum(row["rank"] == 1 for row in there), len(there))
        for share in style.openings:
            assert share.count == sum(row["opening"] == share.label for row in here)
        for duel in found.duels:
            assert (duel.before, duel.behind, duel.together) == slow_duel(rows, person, duel.against)


def slow_duel(rows: list[dict[str, Any]], person: int, other: int | str) -> tuple[int, int, int]:
    before = behind = together = 0
    for mine in rows:
        if mine["person"] == person and mine["unrated"] != "abandoned":
            for theirs in rows:
                same = theirs["table"] == mine["table"]
                if same and other in (theirs["person"], theirs["bot"]) and theirs is not mine:
                    together += 1
                    before += mine["rank"] < theirs["rank"]
                    behind += mine["rank"] > theirs["rank"]
    return before, behind, together


def test_the_page_shows_rating_history_and_rank(connection: Connection, tmp_path: Path) -> None:
    found = build_profile(connection, make_reader_visibility(connection, tmp_path, 1), 1)
    tile = next(one for one in found.tiles if one.game_id == GAME_ID)
    stored = connection.execute(select(ratings).where(ratings.c.person == 1, ratings.c.game == GAME_ID)).one()
    steps = connection.execute(
        select(rating_steps).where(rating_steps.c.person == 1, rating_steps.c.game == GAME_ID)
    ).all()
    assert tile.rating == Rating(stored.mu, stored.sigma)
    assert (tile.matches, len(tile.rating_history)) == (stored.matches, len(steps) + 1)
    line = next(one for one in found.lines if one.match.number == 37)
    step = next(one for one in steps if one.number == 37)
    assert line.change == round(24 * (step.mu - 25)) - round(24 * (step.mu_before - 25))
    assert next(one for one in found.lines if one.match.number == 39).change is None
    assert {one.game_id for one in found.tiles} >= {GAME_ID, "testoftime"}


def test_the_leaderboard_has_people_and_bots_on_one_scale(connection: Connection) -> None:
    lines = load_leaderboard(connection, GAME_ID)
    assert [line.rating.lower_bound for line in lines] == sorted(
        (line.rating.lower_bound for line in lines), reverse=True
    )
    assert {line.bot for line in lines if line.bot} == {bot for of, bot in load_anchor_ratings() if of == GAME_ID}
    assert not any(line.bot for line in load_leaderboard(connection, GAME_ID, bots=False))
    for line in lines:
        mine = [row for row in rows_of(connection) if row["person"] == line.person and row["game"] == GAME_ID]
        counted = [row for row in mine if row["unrated"] != "abandoned"]
        if line.person is not None:
            assert (line.played, line.won) == (len(counted), sum(row["rank"] == 1 for row in counted))
            latest = sorted(counted, key=lambda row: int(row["number"]))[-8:]
            assert [one.rank for one in line.recent_results] == [row["rank"] for row in latest]
            assert line.provisional == (line.matches < PROVISIONAL_MATCHES)
    people_only = [line for line in lines if line.person is not None and not line.provisional]
    for place, line in enumerate(people_only, start=1):
        assert line.person is not None
        assert find_place(lines, line.person) == (place, len(people_only))
    assert count_rated_matches(connection, GAME_ID) == 38
    connection.execute(update(people).where(people.c.id == 1).values(rated=False))
    assert all(line.person != 1 for line in load_leaderboard(connection, GAME_ID))


def test_recent_highlights_are_listed(connection: Connection) -> None:
    now = 40 * DAY
    lately = load_month_highlights(connection, GAME_ID, now)
    rows = [row for row in rows_of(connection) if row["game"] == GAME_ID and row["unrated"] != "abandoned"]
    rows = [row for row in rows if row["ended"] >= now - 30 * DAY and row["number"] != 38]
    times = {person: sum(row["person"] == person for row in rows) for person in range(1, 14)}
    assert lately.most_active is not None
    assert lately.most_active[1] == max(times.values())
    assert lately.highest_score is not None
    assert lately.highest_score[1] == max(row["total"] for row in rows if row["person"] is not None)
    assert lately.upset is None or lately.upset.probability < 0.5
    best = list_highest_scores(stats.list_game_matches(connection, GAME_ID, 0.0))
    assert best[0][1].total == max(
        row["total"]
        for row in rows_of(connection)
        if row["person"] and row["game"] == GAME_ID and row["number"] not in (38, 39)
    )


def test_visibility_follows_the_privacy_settings(connection: Connection, tmp_path: Path) -> None:
    """Names are visible to all people of this server, to people one has met, or to nobody. Strangers see no names."""

    def named(reader: int | None, person: int = 2, url: str = "") -> bool:
        return make_reader_visibility(connection, tmp_path, reader, url).load_people([person])[person].name != ""

    assert named(1)
    assert not named(None)
    assert not named(13)  # has a cookie but has not played
    assert named(13, 13)
    assert not named(1, 13, "https://games.example.org")  # the stricter default for servers that strangers can reach
    set_visibility(connection, 2, "met", True)
    met = find_tablemates(connection, 2)
    assert [named(reader) for reader in range(1, 14) if reader != 2] == [
        reader in met for reader in range(1, 14) if reader != 2
    ]
    set_visibility(connection, 2, "nobody", False)
    assert not named(1)
    assert named(2)
    hidden = build_profile(connection, make_reader_visibility(connection, tmp_path, 1), 2)
    assert (hidden.is_visible, hidden.person.name, hidden.lines, hidden.tiles) == (False, "", [], [])
    others = build_profile(connection, make_reader_visibility(connection, tmp_path, 1), 1)
    assert others.names[2].name == ""
    assert all(
        one.person.id != 2 for one in list_companions(connection, make_reader_visibility(connection, tmp_path, 1), 1)
    )
    with pytest.raises(NotFound):
        build_profile(connection, make_reader_visibility(connection, tmp_path, 1), 999)


def test_changes_of_a_rating_are_explained(connection: Connection) -> None:
    """The explanation lists opponents with an unexpected result."""
    for number in (37, 40):
        match = stats.find_match(connection, f"match{number:05d}")
        assert match is not None
        steps = stats.load_match_steps(connection, match.table)
        for person, step in steps.items():
            found = explain_rating_change(steps, match.rows, person)
            if found is not None:
                row, before = found
                assert before == (step.change >= 0)
                assert (row.rank > match.find_result(person).rank) == before
