"""Tests of the level of bots that suits a person: the weakest first, the next one after two wins in a row."""

import pytest
from fastapi.testclient import TestClient

from tests.server.server_driver import ServerDriver
from tests.server.test_unrated import ends
from triclinium.bots.levels import LEVELS, GameLevels, load_levels
from triclinium.engine.registry import list_games, load_game
from triclinium.server.accounts.users import Person
from triclinium.server.ratings.recommended_level import RecommendedLevel, recommend_levels

GAME = load_game("evangelists")


@pytest.fixture
def driver(client: TestClient) -> ServerDriver:
    return ServerDriver(client)


def recommend(driver: ServerDriver, person: Person) -> RecommendedLevel:
    with driver.server.store.read_connection() as connection:
        return recommend_levels(connection, person.id, [GAME])[GAME.id]


def test_the_next_level_comes_after_two_wins_in_a_row(driver: ServerDriver) -> None:
    anna = driver.create_person("Anna")
    assert recommend(driver, anna) == RecommendedLevel("novice")
    ends(driver, driver.open_table(anna, "novice"), 1, 2)
    assert recommend(driver, anna) == RecommendedLevel("novice")
    ends(driver, driver.open_table(anna, "novice"), 2, 1)
    ends(driver, driver.open_table(anna, "novice"), 1, 2)
    assert recommend(driver, anna) == RecommendedLevel("novice")
    ends(driver, driver.open_table(anna, "novice"), 1, 2)
    assert recommend(driver, anna) == RecommendedLevel("casual", "novice")
    ends(driver, driver.open_table(anna, "casual"), 1, 2)
    assert recommend(driver, anna) == RecommendedLevel("casual")


def test_only_matches_alone_against_levels_count(driver: ServerDriver) -> None:
    anna, ben = driver.create_person("Anna"), driver.create_person("Ben")
    for _ in range(2):
        ends(driver, driver.open_table(anna, ben), 1, 2)
        ends(driver, driver.open_table(anna, "greedy"), 1, 2)
        ends(driver, driver.open_table(anna, "steady", game_id="portals"), 1, 2)
    assert recommend(driver, anna) == RecommendedLevel("novice")


def test_no_level_follows_the_strongest(driver: ServerDriver) -> None:
    anna, strongest = driver.create_person("Anna"), load_levels(GAME).offered[-1]
    for _ in range(2):
        ends(driver, driver.open_table(anna, strongest), 1, 2)
    assert recommend(driver, anna) == RecommendedLevel(strongest)


def test_a_level_that_a_game_does_not_offer_becomes_the_one_below() -> None:
    levels = GameLevels(("novice", "casual", "steady"))
    assert [levels.choose_offered_level(level) for level in (*LEVELS, "greedy")] == [
        "novice",
        "casual",
        "steady",
        "steady",
        "steady",
        "greedy",
    ]
    assert [levels.find_next_level(level) for level in ("novice", "steady", "strong")] == ["casual", "", ""]


@pytest.mark.parametrize("game_id", list_games())
def test_every_game_offers_three_levels_or_more(game_id: str) -> None:
    levels = load_levels(load_game(game_id))
    assert levels.offered[:3] == LEVELS[:3]
    assert levels.casual_temperature > 0
    assert levels.novice_temperature > 0
