"""Tests of move previews by the API: only for the asked seat, at the given version, and for legal options."""

import random
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.server.api_client import ApiClient
from tests.server.test_absence import table_of
from tests.server.test_seats import somebody
from triclinium import Rng, list_games
from triclinium.boardkit import preview as module
from triclinium.server.tables.table import Table

WORLDS = 3


def get_preview(api: ApiClient, headers: dict[str, str], option: str, more: str = "") -> Response:
    return api.client.get(f"{api.url}/preview?option={quote(option)}{more}", headers=headers)


@pytest.fixture
def api(client: TestClient) -> ApiClient:
    found = ApiClient(client, "portals", seats=3, visibility="watched").fill()
    found.play_at_random(4)
    return found


@pytest.mark.parametrize("id", list_games())
def test_a_preview_is_equal_in_another_world(client: TestClient, id: str) -> None:
    """The previews of every option are equal byte for byte if hidden information is redealt."""
    api = ApiClient(client, id, seats=3).fill()
    table = table_of(api)
    chance = random.Random(5)
    told = differed = 0
    for _ in range(3):
        api.play_at_random(9, seed=chance.randrange(100))
        truth = previews(api, table)
        told += sum(b'"certain"' in one for one in truth)
        state = table.current_match.state
        for _ in range(WORLDS):
            table.current_match.state = state.resample(state.who, Rng(chance.randrange(1 << 40)))
            differed += table.current_match.state.state_key() != state.state_key()
            try:
                assert previews(api, table) == truth
            finally:
                table.current_match.state = state
    assert told
    assert bool(differed) == table.game.has_secrets  # Otherwise the test would compare equal worlds only.


def previews(api: ApiClient, table: Table) -> list[bytes]:
    """Return the previews of the first options and the last option of the asked seat."""
    options = table.list_option_texts()
    return [get_preview(api, api.auth(table.who), option).content for option in options[:4] + options[-1:]]


def test_a_preview_lists_the_changes(api: ApiClient) -> None:
    table = table_of(api)
    who, option = table.who, table.list_option_texts()[0]
    facts = get_preview(api, api.auth(who), option).json()
    assert (facts["seat"], facts["version"], facts["option"]) == (who, table.version, option)
    foretold = facts["preview"]
    assert set(foretold) == {"certain", "lines", "more", "then"}
    for line in foretold["lines"]:
        assert set(line) == {"seat", "what", "before", "after", "gone", "come"}
    assert get_preview(api, api.auth(who), option, "&language=fr").json() != facts
    before = table.current_match.state.digest()
    assert get_preview(api, api.auth(who), option).json() == facts  # nothing was played or drawn
    assert table.current_match.state.digest() == before


def test_previews_are_private(client: TestClient, api: ApiClient) -> None:
    table = table_of(api)
    option, other = table.list_option_texts()[0], (table.who + 1) % 3
    _, eve = somebody(client, "Eve")
    assert get_preview(api, api.auth(other), option).status_code == 403
    assert get_preview(api, api.auth(other), option, f"&seat={table.who}").json()["message"] == "This is not your seat."
    for headers in ({}, eve, {"authorization": "Bearer " + "x" * 40}):
        assert get_preview(api, headers, option).status_code == 403
        assert get_preview(api, headers, option, f"&seat={table.who}").status_code == 403
    hidden = ApiClient(client).fill()
    assert get_preview(hidden, eve, "start rome").status_code == 404
    assert get_preview(hidden, api.auth(0), "start rome").status_code == 403


@pytest.mark.parametrize("option", ["sing loudly", "", "x" * 401, "\x00", ";", "; ; ;", "é", "0", "draw; " * 60])
def test_options_that_are_not_offered_have_no_preview(api: ApiClient, option: str) -> None:
    answer = get_preview(api, api.auth(table_of(api).who), option)
    assert answer.status_code in (400, 404, 422)
    assert answer.json()["message"]


@pytest.mark.parametrize("more", ["&version=x", "&version=-1", "&seat=9", "&seat=²", "&language=xx", "&version=9" * 9])
def test_invalid_preview_requests_are_refused(api: ApiClient, more: str) -> None:
    answer = get_preview(api, api.auth(table_of(api).who), table_of(api).list_option_texts()[0], more)
    assert answer.status_code in (400, 409, 422)


def test_a_preview_of_an_older_version_is_stale(api: ApiClient) -> None:
    table = table_of(api)
    who, option = table.who, table.list_option_texts()[0]
    assert get_preview(api, api.auth(who), option, f"&version={table.version}").status_code == 200
    late = get_preview(api, api.auth(who), option, f"&version={table.version - 1}")
    assert (late.status_code, late.json()["error"]) == (409, "stale_version")
    assert late.json()["table"]["version"] == table.version


def test_a_match_that_does_not_run_has_no_preview(client: TestClient) -> None:
    waiting = ApiClient(client)
    assert get_preview(waiting, waiting.auth(0), "start rome").status_code == 409
    over = ApiClient(client).fill()
    for seat in (0, 1):
        client.post(f"{over.url}/abandon", headers=over.auth(seat))
    assert get_preview(over, over.auth(0), "start rome").status_code == 409


@pytest.mark.usefixtures("broken_game")
def test_a_failing_rule_gives_no_preview_and_no_error(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise RuntimeError("the innards broke")

    table = table_of(api)
    monkeypatch.setattr(module, "diff_views", broken)
    answer = get_preview(api, api.auth(table.who), table.list_option_texts()[0])
    assert (answer.status_code, answer.json()["preview"]) == (200, None)
