"""Tests of ratings, which are computed from results and can be computed again (docs/ratings.md)."""

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, select, update

from tests.databases import put_database
from tests.server.server_driver import DAY, insert_ended_match, insert_person
from tests.shell import Shell
from triclinium.server.ratings import rating
from triclinium.server.ratings.rating import (
    NEW_RATING,
    Rating,
    Rival,
    cap_by_bots,
    compute_win_probability,
    load_anchor_ratings,
    rate_rivals,
    rebuild_ratings,
)
from triclinium.server.storage.schema import people
from triclinium.server.storage.schema_results import rating_steps, ratings, results
from triclinium.server.storage.store import Store

GAME_ID = "evangelists"


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """Yield a database with twelve people."""
    put_database(tmp_path)
    store = Store(f"sqlite:///{tmp_path / 'house.db'}")
    with store.engine.connect() as connection:
        for id in range(1, 13):
            insert_person(connection, id, f"Person {id}")
        yield connection
    store.close()


def of(connection: Connection, person: int, game_id: str = GAME_ID) -> tuple[int, int, int, int]:
    """Return the displayed rating, its error, the matches, and the matches against bots only."""
    row = connection.execute(select(ratings).where(ratings.c.person == person, ratings.c.game == game_id)).one()
    known = Rating(row.mu, row.sigma)
    return known.display_value, known.error, row.matches, row.alone


def everything(connection: Connection) -> list[list[tuple[object, ...]]]:
    return [
        [tuple(row) for row in connection.execute(select(each).order_by(*each.primary_key))]
        for each in (ratings, rating_steps)
    ]


def ladder(connection: Connection, matches: int, seed: int = 4) -> None:
    """Store this many matches of two to five of twelve people, in which better players usually win."""
    chance = random.Random(seed)
    for number in range(1, matches + 1):
        sat = chance.sample(range(1, 13), chance.choice((2, 3, 4, 5)))
        strength = {who: -who + chance.gauss(0, 4) for who in sat}
        order = sorted(sat, key=lambda who: -strength[who])
        insert_ended_match(connection, number, [(who, 1 + order.index(who)) for who in sat], at=number * DAY / 4)


def test_everyone_starts_in_the_middle() -> None:
    assert (NEW_RATING.display_value, NEW_RATING.error) == (1500, 200)


def test_a_ladder_of_two_hundred_matches(connection: Connection) -> None:
    """The numbers are golden values, and computing them again gives exactly the same."""
    ladder(connection, 200)
    shown = [of(connection, who)[0] for who in range(1, 13)]
    assert shown == GOLDEN
    before = everything(connection)
    assert rebuild_ratings(connection) == 200
    assert everything(connection) == before


GOLDEN = [1831, 1854, 1973, 1646, 1653, 1600, 1448, 1358, 1260, 1179, 1168, 946]

ranks = st.lists(st.tuples(st.integers(1, 4), st.floats(10, 40), st.floats(1, 8)), min_size=2, max_size=5)


@given(ranks, st.randoms(use_true_random=False))
def test_the_order_of_seats_is_irrelevant(sat: list[tuple[int, float, float]], chance: random.Random) -> None:
    rivals = [Rival(rank, who, Rating(mu, sigma)) for who, (rank, mu, sigma) in enumerate(sat)]
    mixed = chance.sample(rivals, len(rivals))
    assert rate_rivals(mixed) == rate_rivals(rivals)


@given(st.floats(5, 45), st.floats(5, 45), st.floats(1, 8), st.floats(1, 8))
def test_the_winner_of_two_never_falls(one: float, two: float, sure: float, other: float) -> None:
    after = rate_rivals([Rival(1, 1, Rating(one, sure)), Rival(2, 2, Rating(two, other))])
    assert after[1].mu >= one
    assert after[2].mu <= two


def test_bot_ratings_are_fixed_and_limit_gains(connection: Connection) -> None:
    """Against bots only, the first ten matches count, up to the strongest bot at the table plus 100."""
    for number in range(1, 16):
        insert_ended_match(connection, number, [(1, 1), ("steady", 2)])
    known, _, matches, alone = of(connection, 1)
    assert (matches, alone) == (10, 10)
    assert known <= load_anchor_ratings()[GAME_ID, "steady"].display_value + 100
    strong = [Rival(1, 1, Rating(40.0, 2.0)), Rival(2, None, Rating(25.0, 1.0))]
    assert cap_by_bots(strong, rate_rivals(strong))[1].mu == 40.0


def test_a_bot_of_unknown_strength_does_not_count(connection: Connection) -> None:
    insert_ended_match(connection, 1, [(1, 1), ("random", 2)])
    assert connection.execute(select(ratings)).all() == []


def test_repeated_matches_of_the_same_people_count_half(connection: Connection) -> None:
    """From the third match of the same people within a day, the rating changes by half and does not become more
    certain."""
    for number in range(1, 4):
        insert_ended_match(connection, number, [(1, 1), (2, 2)], at=number * 3600.0)
    steps = connection.execute(
        select(rating_steps).where(rating_steps.c.person == 1).order_by(rating_steps.c.number)
    ).all()
    full = rate_rivals([Rival(1, 1, _before(steps[2])), Rival(2, 2, _second(connection, 3))])
    assert steps[1].sigma < steps[1].sigma_before
    assert steps[2].sigma == steps[2].sigma_before
    assert steps[2].mu - steps[2].mu_before == pytest.approx((full[1].mu - steps[2].mu_before) / 2)
    insert_ended_match(connection, 4, [(1, 1), (2, 2)], at=3 * DAY)
    last = connection.execute(select(rating_steps).where(rating_steps.c.number == 4, rating_steps.c.person == 1)).one()
    assert last.sigma < last.sigma_before


def _before(row: object) -> Rating:
    told = row._mapping  # type: ignore[attr-defined]
    return Rating(told["mu_before"], told["sigma_before"])


def _second(connection: Connection, number: int) -> Rating:
    wanted = select(rating_steps).where(rating_steps.c.number == number, rating_steps.c.person == 2)
    return _before(connection.execute(wanted).one())


def test_an_erased_person_changes_nobodys_rating(connection: Connection) -> None:
    """The rows remain without names, so that wins against a deleted person still count."""
    ladder(connection, 30)
    before = everything(connection)
    connection.execute(update(people).where(people.c.id == 3).values(name=""))
    rebuild_ratings(connection)
    assert everything(connection) == before


def test_unrated_matches_change_no_rating(connection: Connection) -> None:
    insert_ended_match(connection, 1, [(1, 1), (2, 2)], unrated="hints")
    insert_ended_match(connection, 2, [(1, 1), (2, 2)], kind="program")
    insert_ended_match(connection, 3, [(1, 1)])
    assert connection.execute(select(rating_steps)).all() == []
    assert len(connection.execute(select(results)).all()) == 5


def test_the_command_rebuilds_all_ratings(connection: Connection, tmp_path: Path, shell: Shell) -> None:
    """The command gives the same numbers on a stopped server."""
    ladder(connection, 12)
    before = everything(connection)
    connection.execute(update(ratings).values(mu=0.0))
    connection.commit()
    url = f"sqlite:///{tmp_path / 'house.db'}"
    assert shell.run("ratings", "rebuild", "--database", url, "--json").json() == {"matches": 12}
    with connection.begin():
        assert everything(connection) == before


def test_bots_are_measured_on_the_same_scale(tmp_path: Path, shell: Shell) -> None:
    """The file also lists the arena's estimate for each bot."""
    file = tmp_path / "anchors.toml"
    file.write_text((Path(rating.__file__).parent / "anchors.toml").read_text(encoding="utf-8"), encoding="utf-8")
    words = ("--bots", "random,greedy", "--matches", "2", "--seed", "1", "--out", str(file), "--json")
    told = shell.run("ratings", "anchor", "evangelists", "testoftime", *words)
    assert told.code == 0
    written = tomllib.loads(file.read_text(encoding="utf-8"))["anchor"]
    met = {one["game"] for one in written if one["matches"] == 2}
    assert met == {"evangelists", "testoftime"}  # `make anchors` names no game, which means all games
    own = [one for one in written if one["game"] == "evangelists"]
    assert {one["bot"]: one["matches"] for one in own} == {"random": 2, "greedy": 2}
    assert max(own, key=lambda one: float(one["mu"]))["bot"] == "greedy"
    assert {one["game"] for one in written} == {of for of, _ in load_anchor_ratings()}


def test_a_sure_favourite_is_expected_to_win() -> None:
    assert compute_win_probability(NEW_RATING, NEW_RATING) == 0.5
    assert compute_win_probability(Rating(35.0, 2.0), Rating(25.0, 2.0)) > 0.9
    assert compute_win_probability(Rating(25.0, 2.0), Rating(35.0, 2.0)) == pytest.approx(
        1 - compute_win_probability(Rating(35.0, 2.0), Rating(25.0, 2.0))
    )
    assert rating.to_display_value(26.0) == 1524
