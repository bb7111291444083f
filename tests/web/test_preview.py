"""Tests of move previews on the page: for whom, when, and in which words."""

import random
import re
from html import unescape
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.web.browser import PlainBrowser
from tests.web.test_pages import new_hot_table, take_over
from tests.web.test_secrets import Visitors
from triclinium import list_games
from triclinium.boardkit import preview as module
from triclinium.engine.core.state import NOBODY, Seat


@pytest.fixture
def visitors(client: TestClient) -> Visitors:
    return Visitors(client, "portals", 3)


def request_preview(company: Visitors, viewer: Seat, option: str, more: str = "") -> Response:
    return company.browsers[viewer].client.get(f"{company.path}/preview/{quote(option)}{more}")


def refusals(company: Visitors) -> list[str]:
    s = company.table.current_match.state
    return [company.table.game.format_option(o) for o in s.candidates() if o not in s.legal]


def get_first_option(company: Visitors) -> str:
    return company.table.list_option_texts()[0]


@pytest.mark.parametrize("id", list_games())
def test_the_asked_seat_gets_previews_of_its_options(client: TestClient, id: str) -> None:
    company = Visitors(client, id, 3)
    told = [request_preview(company, company.table.who, option) for option in company.table.list_option_texts()[:3]]
    for answer in told:
        assert (answer.status_code, bool(answer.text)) in ((200, True), (204, False))
        assert "<html" not in answer.text
        assert "<li>" in answer.text or not answer.text


@pytest.mark.parametrize(("id", "says"), [("evangelists", {"travel": 200, "end": 204}), ("portals", {"stand": 200})])
def test_options_without_effect_have_no_preview(client: TestClient, id: str, says: dict[str, int]) -> None:
    """The page has no empty preview."""
    company = Visitors(client, id, 3)
    while not set(says) <= {one.split()[0] for one in company.table.list_option_texts()}:
        company.play(random.Random(1))
    for option, status in says.items():
        found = next(one for one in company.table.list_option_texts() if one.startswith(option))
        assert request_preview(company, company.table.who, found).status_code == status


def test_a_played_card_leaving_the_hand_is_not_listed(client: TestClient) -> None:
    """The option itself says so. The preview shows everything else that changes."""
    company = Visitors(client, "ierusalem", 3)
    chance = random.Random(1)
    while not company.table.list_option_texts()[0].startswith("play"):
        company.play(chance)
    answer = request_preview(company, company.table.who, company.table.list_option_texts()[0])
    assert (answer.status_code, answer.text) == (204, "")


def test_other_viewers_get_no_preview(visitors: Visitors) -> None:
    other = (visitors.table.who + 1) % 3
    assert request_preview(visitors, other, get_first_option(visitors)).status_code == 403
    assert request_preview(visitors, NOBODY, get_first_option(visitors)).status_code == 403


def test_options_that_are_not_offered_have_no_preview(visitors: Visitors) -> None:
    """Refused and unknown options, and options of an older version of the table, have no preview."""
    chance = random.Random(1)
    while not (refused := refusals(visitors)):
        visitors.play(chance)
    who, version = visitors.table.who, visitors.table.version
    assert request_preview(visitors, who, refused[0]).status_code == 404
    assert request_preview(visitors, who, "sing loudly").status_code == 404
    assert request_preview(visitors, who, get_first_option(visitors), f"?version={version}").status_code == 200
    assert request_preview(visitors, who, get_first_option(visitors), f"?version={version - 1}").status_code == 409


def test_the_confirmation_page_has_the_preview(visitors: Visitors) -> None:
    browser = visitors.browsers[visitors.table.who]
    page = browser.get(f"{visitors.path}?choose={quote(get_first_option(visitors))}")
    assert 'aria-label="Preview of this option"' in page
    assert "Then: " in page
    browser.client.cookies.set("language", "fr")
    assert "Ensuite\u00a0: " in browser.get(f"{visitors.path}?choose={quote(get_first_option(visitors))}")
    assert 'class="foretold" aria-label' not in browser.get(visitors.path)


def test_people_at_one_device_get_previews_of_their_own_seat(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/")
    new_hot_table(browser, "portals", 2)
    take_over(browser)
    form = re.search(r'data-preview="([^"]+)" data-previews="([^"]+)"', browser.page)
    assert form is not None
    path = form[1] + quote(browser.options()[0])
    assert browser.client.get(f"{path}?{unescape(form[2])}").status_code == 200
    assert browser.client.get(path).status_code == 403  # the holder of the device has not identified themselves


@pytest.mark.usefixtures("broken_game")
def test_a_failing_rule_gives_no_preview_and_no_error(visitors: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise RuntimeError("the innards broke")

    monkeypatch.setattr(module, "diff_views", broken)
    answer = request_preview(visitors, visitors.table.who, get_first_option(visitors))
    assert (answer.status_code, answer.text) == (204, "")
    page = visitors.browsers[visitors.table.who].get(f"{visitors.path}?choose={quote(get_first_option(visitors))}")
    assert "Confirm" in page
