"""Tests of request ids and the request log, which contains routes but no addresses, because addresses hold secrets."""

import json
import logging
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import ApiClient, get_server, make_settings
from triclinium.server import log_format
from triclinium.server.errors import NotStored
from triclinium.web.app import create_app


class Lines(logging.Handler):
    """The lines of a JSON log, and the same lines as text."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[dict[str, object]] = []
        self.text: list[str] = []
        self.raw = ""

    def emit(self, record: logging.LogRecord) -> None:
        line = log_format.JsonFormatter().format(record)
        assert "\n" not in line
        self.told.append(json.loads(line))
        self.text.append(log_format.TextFormatter().format(record))
        self.raw += line + self.text[-1]


@pytest.fixture(scope="module")
def server_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(
        create_app(make_settings(tmp_path_factory.mktemp("requests"))), raise_server_exceptions=False
    ) as client:
        yield client


@pytest.fixture
def log_lines() -> Iterator[Lines]:
    handler = Lines()
    loggers = [logging.getLogger(name) for name in ("triclinium", "triclinium.requests")]  # `serve --log` sets both
    before = [logger.level for logger in loggers]
    loggers[0].addHandler(handler)
    for logger in loggers:
        logger.setLevel(logging.INFO)
    yield handler
    loggers[0].removeHandler(handler)
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)


def test_a_request_is_one_line_without_secrets(server_client: TestClient, log_lines: Lines) -> None:
    api = ApiClient(server_client)
    table = get_server(server_client).tables.find_cached_table(api.id)
    assert table is not None
    link = f"/invitations/{api.id}/1/{api.invitations[0]['invitation']}"
    secrets = [api.tokens[0], api.invitations[0]["invitation"], api.code, api.watch.rpartition("/")[2], "sesame"]
    for path in (
        link,
        api.watch,
        f"/join/{api.code}",
        "/me/sign-in/sesame",
        "/matches/sesame",
        "/nowhere/sesame?x=sesame",
    ):
        server_client.get(path, headers={"authorization": "Bearer sesame", "cookie": "triclinium=sesame"})
    server_client.head(f"/tables/{api.id}")
    api.fill()
    api.play_at_random(1)
    found = [one for one in log_lines.told if one["logger"] == "triclinium.requests"]
    routes = [(one["method"], one["route"], one["status"]) for one in found]
    assert ("GET", "/invitations/{id}/{seat}/{token}", 200) in routes
    assert ("GET", "/me/sign-in/{token}", 404) in routes
    assert ("GET", "-", 404) in routes
    assert ("HEAD", "/tables/{id}", 404) in routes
    (move,) = [one for one in found if one["route"] == "/api/v1/tables/{id}/move"]
    assert (move["method"], move["status"], move["table"]) == ("POST", 200, api.id)
    assert float(str(move["ms"])) > 0
    assert move["time"]
    assert all("table" not in one for one in found if str(one["route"]).startswith("/matches/"))
    assert len({one["request"] for one in found}) == len(found)
    assert [secret for secret in [*secrets, *api.tokens.values()] if secret in log_lines.raw] == []


def test_an_id_is_taken_from_a_proxy_or_made(server_client: TestClient, log_lines: Lines) -> None:
    assert server_client.get("/health", headers={"x-request-id": "proxy-17"}).headers["x-request-id"] == "proxy-17"
    made = server_client.get("/health", headers={"x-request-id": "two words"}).headers["x-request-id"]
    assert len(made) == 16
    assert [one["request"] for one in log_lines.told] == ["proxy-17", made]
    assert f"[{made}]: method=GET route=/health status=200" in log_lines.text[-1]


def test_an_error_has_its_request_id(
    server_client: TestClient, log_lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log contains the id that the error page shows. The page does not show the cause."""
    server = get_server(server_client)

    async def fails(id: str, version: int | None = None) -> None:
        raise RuntimeError("sesame")

    monkeypatch.setattr(server.tables, "get_table", fails)
    page = server_client.get("/tables/abcdefg", headers={"accept-language": "fr"})
    assert page.status_code == 500
    assert page.text.startswith("Une erreur s’est produite sur ce serveur")
    assert page.text.endswith(f" sous le numéro {page.headers['x-request-id']}.\n")
    told = server_client.get("/api/v1/tables/abcdefg")
    assert told.json()["request"] == told.headers["x-request-id"]
    assert "sesame" not in page.text + told.text

    async def not_stored(id: str, version: int | None = None) -> None:
        raise NotStored("The server’s database file is read-only. Nothing can be saved until it is writable again.")

    monkeypatch.setattr(server.tables, "get_table", not_stored)
    page = server_client.get("/tables/abcdefg")
    assert page.status_code == 503
    assert page.headers["x-request-id"] in page.text
    told = server_client.get("/api/v1/tables/abcdefg")
    assert told.json()["request"] == told.headers["x-request-id"]


def test_a_traceback_is_one_object(log_lines: Lines) -> None:
    try:
        raise ValueError("in two\nlines")
    except ValueError:
        logging.getLogger("triclinium.store").exception("it failed")
    (told,) = log_lines.told
    assert told["message"] == "it failed"
    assert "in two\nlines" in str(told["traceback"])
    assert all(line.startswith("20") for line in log_lines.text[0].splitlines())
