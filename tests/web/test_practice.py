"""Tests of the pages with positions to try: of rules, and of exercises, without script."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.server.server_driver import ServerDriver
from tests.web.browser import PlainBrowser, find_unnamed_controls
from triclinium.bots.exercises import load_prepared_exercises
from triclinium.engine.core.rng import Rng
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.engine.registry import load_game
from triclinium.engine.rule_positions import load_rule_positions

GAMES = ["evangelists", "portals", "missionnaires", "ierusalem", "testoftime"]


def browser_of(client: TestClient, name: str) -> PlainBrowser:
    driver = ServerDriver(client)
    driver.create_person(name)
    browser = PlainBrowser(client)
    browser.client.cookies.set("triclinium", driver.cookies[name])
    return browser


@pytest.mark.parametrize("id", GAMES)
def test_rules_link_to_their_positions(client: TestClient, id: str) -> None:
    """Each rule has "Show me" or a reason; the position marks its option, which can be tried."""
    browser, positions = PlainBrowser(client), load_rule_positions(load_game(id))
    page = browser.get(f"/rules/{id}")
    linked = set(re.findall(rf'class="btn tiny showme"[^>]* href="/rules/{id}/rule/([A-Z0-9.-]+)/position"', page))
    assert linked == set(positions.by_rule)
    assert page.count("No position: ") == len(positions.without)
    for rule in sorted(positions.by_rule)[::15]:
        for n, position in enumerate(positions.by_rule[rule]):
            path = f"/rules/{id}/rule/{rule}/position?n={n}"
            page = browser.get(path)
            assert (browser.status, find_unnamed_controls(page)) == (200, [])
            assert f'value="{position.option}"' in page
            assert 'class="btn wide marked' in page
            tried = browser.get(f"{path}&option={position.option}")
            assert ('role="alert"' in tried) == position.is_forbidden, rule
            assert ("Back to the position" in tried) == (not position.is_forbidden)
    assert browser.get(f"/rules/{id}/rule/XX-1/position")
    assert browser.status == 404


def test_a_position_speaks_french_and_refuses_other_options(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.client.cookies.set("language", "fr")
    assert "Ici, les coups ne changent rien." in unescape(browser.get("/rules/portals/rule/PP-6.2/position"))
    assert "Voir en jeu" in browser.get("/rules/portals")
    browser.get("/rules/portals/rule/PP-6.2/position?option=fly")
    assert browser.status == 404
    browser.get("/rules/portals/rule/PP-6.2/position?n=7")
    assert browser.status == 404


def test_an_exercise_is_asked_and_answered(client: TestClient) -> None:
    """Nothing gives the answer away before it; afterwards the page ranks all moves."""
    browser = browser_of(client, "Anna Perenna")
    assert "You have no exercises yet." in unescape(browser.get("/me/practice"))
    page = browser.post("/me/practice/prepared", game="portals")
    assert len(re.findall(r'href="/me/practice/\d+\?game=portals"', page)) == 6
    assert find_unnamed_controls(page) == []
    path = re.search(r"/me/practice/\d+", page)
    assert path is not None
    decision = load_prepared_exercises(load_game("portals"))[0].decision
    page = browser.get(path[0])
    assert find_unnamed_controls(page) == []
    for told in ("Win probability", "In the match", 'class="odds', "hinted"):
        assert told not in page
    assert 'class="confirm"' in browser.get(f"{path[0]}?option={decision.played}")  # a place on the board
    page = unescape(browser.post(path[0], option=decision.played))
    assert "Not solved" in page
    assert "In the match: −" in page
    assert page.index("All moves, best first") < page.index("Your answer")
    assert "Next exercise" in page
    browser.get("/me/practice/next")
    assert browser.url.split("/")[-1] != path[0].split("/")[-1]
    browser.get(path[0])
    assert "Solved" in unescape(browser.post(path[0], option=decision.best.option))


def test_practice_belongs_to_people(client: TestClient) -> None:
    stranger = PlainBrowser(client)
    assert "Please choose a nickname first." in unescape(stranger.get("/me/practice"))
    ben = browser_of(client, "Ben Gamla")
    ben.get("/me/practice")
    ben.post("/me/practice/prepared", game="portals")
    other = browser_of(client, "Carla")
    other.get("/me/practice/1")
    assert other.status == 404


@pytest.mark.parametrize("id", GAMES)
def test_the_page_of_an_exercise_is_equal_in_two_worlds(
    client: TestClient, id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole page, with its log, is equal byte for byte if hidden information is dealt again."""
    browser = browser_of(client, f"Anna {id}")
    browser.get("/me/practice")
    path = re.search(r"/me/practice/\d+", browser.post("/me/practice/prepared", game=id))
    assert path is not None
    truth = without_keys(browser.get(path[0]))
    assert browser.status == 200
    for seed in range(3):
        monkeypatch.setattr("triclinium.server.tables.sample_table.Match", OtherWorld(seed))
        assert without_keys(browser.get(path[0])) == truth


class OtherWorld:
    """A replacement for the class `Match`, whose matches are in another world of the seat that decides."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.resume: Callable[..., Match] = self.resume_elsewhere

    def resume_elsewhere(self, record: Record, game: object) -> Match:
        match = Match.resume(record, game)  # type: ignore[arg-type]
        match.state = match.state.resample(match.state.who, Rng(self.seed))
        return match


def without_keys(page: str) -> str:
    """Return a page without the tokens of its forms."""
    return re.sub(r'name="csrf" value="[^"]+"', "", page)
