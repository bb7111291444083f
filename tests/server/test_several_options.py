"""Tests of several options in one post: accepted or refused as a whole, stored as normal moves, undone together."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.server.api_client import ApiClient, get_server, make_app
from triclinium import load_game
from triclinium.engine.core.errors import Refused
from triclinium.engine.match import CannotCombineOptions, Match, split_options
from triclinium.engine.record import Record
from triclinium.server.tables.table import Table


def open_started_table(client: TestClient, **wish: object) -> ApiClient:
    """Open a table of two people at the first player's first turn."""
    api = ApiClient(client, **wish).fill()  # type: ignore[arg-type]  # a wish is whatever JSON holds
    api.play("start rome")
    api.play("start corinth")
    return api


def post(api: ApiClient, *options: str, key: str = "", seat: int | None = None) -> Response:
    who = api.who if seat is None else seat
    assert who is not None
    move = {"options": list(options), "version": api.version, "key": key}
    return api.client.post(f"{api.url}/move", headers=api.auth(who), json=move)


def table_of(api: ApiClient) -> Table:
    assert api.client.portal is not None
    return api.client.portal.call(get_server(api.client).tables.get_table, api.id)


def test_several_options_are_ordinary_moves(client: TestClient) -> None:
    api = open_started_table(client)
    before, decided = api.version, api.who
    assert post(api, "travel weak", "to syracuse").status_code == 200
    table = table_of(api)
    assert api.version == before + 2
    assert [one.option for one in table.history[-2:]] == ["travel weak", "to syracuse"]
    assert {one.seat for one in table.history[-2:]} == {decided}
    assert Record.loads(api.record()).options[-2:] == ["travel weak", "to syracuse"]


def test_one_illegal_option_refuses_all(client: TestClient) -> None:
    api = open_started_table(client)
    before = table_of(api).current_match.state.digest()
    version = api.version
    refused = post(api, "travel weak", "to jerusalem")
    assert (refused.status_code, refused.json()["rule"]) == (409, "AE-4.1")
    assert post(api, "travel weak", "to nowhere").status_code == 400
    assert post(api, "travel weak", "to syracuse", seat=1 - (api.who or 0)).status_code == 403
    assert post(api, *(["travel weak"] * 17)).status_code == 400
    assert api.version == version
    assert table_of(api).current_match.state.digest() == before


def test_chance_between_the_options_is_refused(client: TestClient) -> None:
    """The response is the same for any following option and reveals nothing about the chance result."""
    api = open_started_table(client)
    version = api.version
    answers = [post(api, "tradition", after) for after in ("keep 0", "keep 3", "none", "travel weak")]
    assert {answer.status_code for answer in answers} == {409}
    assert len({answer.json()["message"] for answer in answers}) == 1
    assert "After option 1, chance or another player decides" in answers[0].json()["message"]
    assert api.version == version


def test_one_undo_removes_all_options(client: TestClient) -> None:
    api = open_started_table(client)
    before, who, version = table_of(api).current_match.state.digest(), api.who or 0, api.version
    assert post(api, "travel weak", "to syracuse").status_code == 200
    back = client.post(f"{api.url}/undo", headers=api.auth(who), json={"version": version + 2})
    assert back.status_code == 200, back.text
    assert table_of(api).current_match.state.digest() == before
    assert api.version == version + 4
    assert post(api, "travel weak").status_code == 200  # a single option this time, which is undone alone
    back = client.post(f"{api.url}/undo", headers=api.auth(who), json={"version": version + 5})
    assert back.status_code == 200
    assert table_of(api).current_match.state.digest() == before


def test_the_options_stay_one_decision_after_a_restart(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as first:
        api = open_started_table(first)
        before, who, version = table_of(api).current_match.state.digest(), api.who or 0, api.version
        assert post(api, "travel weak", "to syracuse").status_code == 200
    with TestClient(make_app(tmp_path)) as second:
        api.client = second
        back = second.post(f"{api.url}/undo", headers=api.auth(who), json={"version": version + 2})
        assert back.status_code == 200, back.text
        assert table_of(api).current_match.state.digest() == before


def test_a_repeated_post_is_done_once(client: TestClient) -> None:
    api = open_started_table(client)
    who, version = api.who or 0, api.version
    move = {"options": ["travel weak", "to syracuse"], "version": version, "key": "click-1"}
    for _ in range(2):
        assert client.post(f"{api.url}/move", headers=api.auth(who), json=move).status_code == 200
    assert api.version == version + 2
    other = {**move, "options": ["travel weak", "to rhegium"]}
    assert client.post(f"{api.url}/move", headers=api.auth(who), json=other).json()["error"] == "stale_version"


@pytest.mark.parametrize("wrong", [{}, {"option": "travel weak", "options": ["travel weak"]}, {"options": [""]}])
def test_a_move_names_one_or_several_options(client: TestClient, wrong: dict[str, object]) -> None:
    api = open_started_table(client)
    answer = client.post(f"{api.url}/move", headers=api.auth(api.who or 0), json={**wrong, "version": api.version})
    assert answer.status_code == 400


def test_a_match_without_a_server() -> None:
    match = Match(load_game("evangelists"), 2, 7)
    match.play_options(["start rome"])
    match.play("start corinth")
    before, who = match.state.digest(), match.state.who
    with pytest.raises(Refused):
        match.play_options(["travel weak", "to jerusalem"])
    with pytest.raises(CannotCombineOptions):
        match.play_options(["tradition", "none"])
    assert match.state.digest() == before
    match.play_options(split_options("travel weak; to syracuse"))
    assert match.undo(who) == "travel weak; to syracuse"
    assert match.state.digest() == before
