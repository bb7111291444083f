"""Tests of the health, readiness and metrics endpoints."""

import urllib.request
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bench.server_process import find_free_port
from tests.server.api_client import ApiClient, get_server, make_app
from triclinium.server.errors import NotStored
from triclinium.server.metrics import Metrics, MetricsMiddleware, get_request_kind


def test_requests_moves_and_commits_are_counted(tmp_path: Path) -> None:
    house = make_app(tmp_path)
    metrics = Metrics(house.state.services)
    house.add_middleware(MetricsMiddleware, metrics=metrics)
    port = find_free_port()
    metrics.serve_at("127.0.0.1", port)
    with TestClient(house) as client:
        api = ApiClient(client).fill()
        api.play_at_random(3)
        assert client.get("/api/v1/tables/nothing").status_code == 404
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            told = answer.read().decode()
    assert 'triclinium_moves_total{by="person",game="evangelists"} 3.0' in told
    assert 'triclinium_requests_total{status="200",where="table move"} 3.0' in told
    assert 'triclinium_requests_total{status="404",where="table"} 1.0' in told
    assert "triclinium_tables 1.0" in told
    assert "triclinium_writes_waiting 0.0" in told
    assert (metrics.registry.get_sample_value("triclinium_writes_total") or 0) >= 5
    assert api.id not in told  # The metrics contain no id of a table.


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "home"),
        ("/tables/abc", "table"),
        ("/tables/abc/move", "table move"),
        ("/api/v1/tables/abc/move", "table move"),
        ("/tables/abc/secret", "table other"),
        ("/players/7", "other"),
    ],
)
def test_metrics_have_few_kinds_of_requests(path: str, kind: str) -> None:
    assert get_request_kind(path) == kind


def test_health_and_readiness_are_reported(own_client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert own_client.get("/healthz").json()["status"] == "ok"
    assert own_client.get("/readyz").json() == {"status": "ready"}
    get_server(own_client).store.engine.dispose()
    monkeypatch.setattr(get_server(own_client).store, "read_connection", _gone)
    answer = own_client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"status": "not ready"})
    assert own_client.get("/healthz").status_code == 200


def _gone() -> None:
    raise NotStored("the database is gone")
