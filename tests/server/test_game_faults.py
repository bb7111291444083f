"""Tests of rules that raise an error in the middle of a move: table, match and database stay unchanged and usable."""

import logging
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.failing_game import make_failing_game
from tests.server.api_client import ApiClient, get_server, make_app
from tests.server.faulty_bots import BOTS
from triclinium.bots import registry as bots
from triclinium.engine.match import Match
from triclinium.engine.record import Record

SENTENCE = "This option caused an error in the rules of this game. Nothing has changed. Please choose another option."


def dump_table(client: TestClient, api: ApiClient) -> tuple[Mapping[str, object], int, str, int, int]:
    """Return everything about a table: a seat's view, the complete state, the record and the stored rows."""
    server = get_server(client)
    match = server.tables._tables[api.id].current_match
    stored = len(server.tables.load_history(api.id))
    return api.see(0), match.state.digest(), api.record(), stored, len(match.events)


@pytest.mark.parametrize("fails", ["rule", "late refusal"])
@pytest.mark.usefixtures("broken_game")
def test_a_rule_that_raises_changes_nothing(tmp_path: Path, fails: str, caplog: pytest.LogCaptureFixture) -> None:
    with make_failing_game(tmp_path, [fails]), caplog.at_level(logging.ERROR, "triclinium.games"):
        with TestClient(make_app(tmp_path)) as client:
            api = ApiClient(client, "brittle").fill()
            api.play("draw")
            before = dump_table(client, api)
            for _ in range(3):
                failed = api.post(1, "peek", 1, key="mine")
                assert failed.status_code == 500
                told = failed.json()
                assert (told["error"], told["message"]) == ("game_error", SENTENCE)
                assert told["table"]["version"] == 1
                assert "innards" not in failed.text
                assert dump_table(client, api) == before
            seed = str(get_server(client).tables._tables[api.id].seed)
            api.play("draw")
            after = dump_table(client, api)
        with TestClient(make_app(tmp_path)) as client:
            api.client = client
            api.see(0)
            assert dump_table(client, api) == after
            assert api.post(0, "peek", 2).status_code in (200, 409)  # the next round begins with Figs' own turn
    (logged,) = [line for line in caplog.records if "its rules failed" in line.message]
    assert "brittle" in logged.message
    assert "1 draw\nend 1" in logged.message
    assert "seed hidden" in logged.message
    assert seed not in caplog.text


@pytest.mark.usefixtures("broken_game")
def test_a_result_that_cannot_be_counted_does_not_end_a_match(tmp_path: Path) -> None:
    with make_failing_game(tmp_path, ["scores at the end"]), TestClient(make_app(tmp_path)) as client:
        api = ApiClient(client, "brittle").fill()
        before = dump_table(client, api)
        assert api.post(0, "resign 0", 0).json()["error"] == "game_error"
        assert dump_table(client, api) == before
        api.play("stop")
        assert api.version == 1


@pytest.mark.usefixtures("broken_game")
def test_a_refusal_without_a_reason_is_left_out(tmp_path: Path) -> None:
    """An option whose refusal fails is left out. Legal options can still be chosen."""
    with make_failing_game(tmp_path, ["reasons"]), TestClient(make_app(tmp_path)) as client:
        api = ApiClient(client, "brittle").fill()
        assert api.options() == ["draw", "peek", "stop"]
        assert api.post(0, "lay c0", 0).status_code in (409, 500)
        api.play("peek")
        assert api.version == 1


def played_by_bots(folder: Path, fails: str, seconds: float = 60.0) -> tuple[str, int, bool]:
    """Return status and moves of a table of bots after the last move, and whether a bot still thinks."""
    with make_failing_game(folder, [fails]), TestClient(make_app(folder)) as client:
        wish = {"game": "brittle", "player": "Anna", "seats": [{"kind": "bot", "bot": "curious"}] * 2}
        opened = client.post("/api/v1/tables", json=wish)
        assert opened.status_code == 201, opened.text
        table = get_server(client).tables._tables[opened.json()["table"]["id"]]
        until = time.monotonic() + seconds
        while table.tasks.bot_task is not None and time.monotonic() < until:
            time.sleep(0.05)
        return table.status, table.moves, table.tasks.bot_task is not None


@pytest.fixture
def curious_bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(bots.BOTS_VARIABLE, BOTS)
    bots.load_bot_classes.cache_clear()
    yield
    bots.load_bot_classes.cache_clear()


@pytest.mark.usefixtures("broken_game", "curious_bot")
def test_a_bot_whose_option_fails_plays_another(tmp_path: Path) -> None:
    status, moves, thinks = played_by_bots(tmp_path, "rule")
    assert (status, thinks) == ("over", False)
    assert moves > 4


@pytest.mark.usefixtures("broken_game", "curious_bot")
def test_a_bot_whose_every_option_fails_stops_trying(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "triclinium.play"):
        assert played_by_bots(tmp_path, "every option") == ("playing", 0, False)
    assert 2 < caplog.text.count("the rules failed on its option") < 10


def test_a_match_is_intact_after_any_exception(tmp_path: Path) -> None:
    """The terminal and the lab use the same match class without a server."""
    with make_failing_game(tmp_path, ["rule"]) as game:
        match = Match(game, 2, 7)
        match.play("draw")
        before = match.state.digest(), match.record.dumps(), len(match.marks), len(match.events)
        with pytest.raises(RuntimeError, match="innards"):
            match.play("peek")
        assert (match.state.digest(), match.record.dumps(), len(match.marks), len(match.events)) == before
        match.play("draw")
        twin = Match.resume(Record.loads(match.record.dumps()), game)
        assert twin.state.digest() == match.state.digest()
