"""Tests of hints and reviews by the API: permissions, and that a review is computed once."""

import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import ApiClient, get_server, make_app
from triclinium.server.bots.pool import BotJobFailed
from triclinium.server.bots.worker_queue import TaskOrigin
from triclinium.server.tables import analysis


def await_review(api: ApiClient, seconds: float = 60.0) -> dict[str, list[object]]:
    """Return the review when it is complete."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        answer = api.client.get(f"{api.url}/review", headers=api.auth(0))
        if answer.status_code == 200:
            found: dict[str, list[object]] = answer.json()
            return found
        assert answer.status_code == 202, answer.text
        assert answer.json()["positions_done"] <= answer.json()["positions"]
        time.sleep(0.1)
    raise AssertionError("the review is never made")


def test_a_hint_ranks_legal_options(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.play("start rome")
    who = api.who
    assert who is not None
    offered = api.options()
    answer = client.post(f"{api.url}/hint", headers=api.auth(who))
    assert answer.status_code == 200, answer.text
    best = answer.json()["options"]
    assert 1 <= len(best) <= 3
    assert all(one["option"] in offered and one["label"] and 0 <= one["win_probability"] <= 1 for one in best)
    again = client.post(f"{api.url}/hint?language=fr", headers=api.auth(who)).json()
    assert [one["option"] for one in again["options"]] == [one["option"] for one in best]  # the hint is computed once
    assert answer.json()["version"] == api.version
    assert best[0]["reasons"] == []
    asked = client.get(f"{api.url}/options", headers=api.auth(who)).json()["decision"]
    order = [option for group in asked["groups"] for option in group["options"]] + asked["closing"]
    assert all(order[one["number"] - 1] == one["option"] for one in best)  # only the numbers of the decision itself
    for reason in (reason for one in best[1:] for reason in one["reasons"]):
        assert reason["text"]
        assert reason["worth"]
    last = client.post(f"{api.url}/hint?option={offered[-1]}", headers=api.auth(who)).json()
    assert offered[-1] in [one["option"] for one in last["options"]]
    assert client.post(f"{api.url}/hint?option=fly", headers=api.auth(who)).status_code == 404


def test_a_hint_is_for_the_seat_that_is_asked(client: TestClient) -> None:
    api = ApiClient(client).fill()
    who = api.who
    assert who is not None
    assert client.post(f"{api.url}/hint", headers=api.auth(1 - who)).status_code == 403
    quiet = ApiClient(client, hints=False).fill()
    refused = client.post(f"{quiet.url}/hint", headers=quiet.auth(quiet.who or 0))
    assert refused.status_code == 403
    assert "Hints are turned off" in refused.json()["message"]


def test_only_a_match_that_is_over_is_reviewed(client: TestClient) -> None:
    api = ApiClient(client).fill()
    api.play_at_random(5)
    early = client.get(f"{api.url}/review", headers=api.auth(0))
    assert early.status_code == 409
    assert "over" in early.json()["message"]


def test_a_review_is_made_once_and_survives_a_restart(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        api = ApiClient(client).fill()
        api.finish()
        made = await_review(api)
        moves = api.see(0)["moves"]
        assert isinstance(moves, int)
        assert len(made["win_probabilities"]) == moves + 1
        assert len(made["swings"]) == 3
        for swing in made["swings"]:
            assert isinstance(swing, dict)
            assert swing["played"]["label"]
            assert swing["better"][0]["label"]
    with TestClient(make_app(tmp_path)) as client:
        api.client = client
        at_once = client.get(f"{api.url}/review", headers=api.auth(1))
        assert at_once.status_code == 200
        assert at_once.json() == made


def test_a_review_that_fails_is_not_begun_again_at_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A review that fails is not started again at once, although an open page asks after each event."""
    tried: list[str] = []

    async def fail(origin: TaskOrigin, *_: object) -> None:
        tried.append(origin.kind)
        raise BotJobFailed(origin.kind)

    monkeypatch.setattr(get_server(client).bot_pool, "run_sliced", fail)
    api = ApiClient(client).fill()
    api.finish()
    ask_until(api, tried, 1)
    for _ in range(3):
        assert client.get(f"{api.url}/review", headers=api.auth(0)).status_code == 202
    assert len(tried) == 1
    monkeypatch.setattr(analysis, "RETRY_DELAY", 0.0)
    ask_until(api, tried, 2)


def ask_until(api: ApiClient, tried: list[str], times: int) -> None:
    """Request the review until it was started this many times, because it starts in parallel with the response."""
    until = time.monotonic() + 60.0
    while len(tried) < times:
        assert time.monotonic() < until
        assert api.client.get(f"{api.url}/review", headers=api.auth(0)).status_code == 202
