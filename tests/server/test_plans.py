"""Tests of plans at a table: one decision, several moves in the record, one undo."""

from pathlib import Path

from fastapi.testclient import TestClient

from tests.server.api_client import ApiClient, make_app
from tests.server.test_auto_replies import get_auto_replies, rows, undo


def test_a_plan_is_one_decision_and_single_moves_in_the_record(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        api = ApiClient(client, "testoftime", seats=2).fill()
        me = api.who
        assert me is not None
        plans = get_auto_replies(api, me)["plans"]
        assert {"option": "plan sire", "text": "Sire in all zones"} in plans  # type: ignore[operator]
        version = api.version
        assert api.post(me, "plan sire", version, "click").status_code == 200
        assert api.post(me, "plan sire", version, "click").status_code == 200  # the same post is done once
        assert api.version == version + 1
        assert api.post(1 - me, "plan nothing", api.version).status_code == 409
        api.play("pass")
        api.play("pass")
        sired = [row[1:] for row in rows(api) if row[2] == "sire"]
        assert sired == [(me, "sire", False), (me, "sire", True), (me, "sire", True)]
        assert api.who == 1 - me
        log = client.get(f"{api.url}/log", headers=api.auth(me)).json()
        assert "Answered automatically: Sire in all zones" in [line["text"] for line in log]
        before = rows(api), log
    with TestClient(make_app(tmp_path)) as client:
        api.client = client
        assert (rows(api), client.get(f"{api.url}/log", headers=api.auth(me)).json()) == before
        api.play("pass")
        assert (api.who, api.version) == (me, version + 6)


def test_an_undo_cancels_a_plan(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        api = ApiClient(client, "testoftime", seats=2).fill()
        me = api.who
        assert me is not None
        assert api.post(me, "plan sire", api.version).status_code == 200
        assert [reply["step"] for reply in get_auto_replies(api, me)["auto_replies"]] == ["plan sire"]  # type: ignore[attr-defined]
        assert undo(api, me).status_code == 200
        assert get_auto_replies(api, me)["auto_replies"] == []
        assert api.who == me
