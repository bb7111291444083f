"""Tests that the example of docs/api.md runs as printed."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from bench.server_process import ServerProcess
from tests.forked_servers import ForkedServer

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def quick_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Yield a server whose bots answer at once."""
    running = ForkedServer(tmp_path, 0, None, "--bot-pause", "0").start()
    yield running
    running.stop()


def test_the_bot_of_the_documentation_plays_a_match(quick_server: ServerProcess, tmp_path: Path) -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert example is not None
    code = [line for line in example[1].splitlines() if line.strip() and not line.startswith(("import", "HOUSE"))]
    assert len(code) <= 20
    script = tmp_path / "bot.py"
    script.write_text(example[1], encoding="utf-8")
    command = [sys.executable, str(script), quick_server.address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "'rank'" in done.stdout


def test_every_route_of_the_api_is_documented(client: TestClient) -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    described = client.get("/api/v1/openapi.json").json()["paths"]
    app = client.app
    assert isinstance(app, FastAPI)
    assert set(described) == {one.path for one in app.routes if isinstance(one, APIRoute) and one.include_in_schema}
    for path in described:
        assert path.removeprefix("/api/v1") in text, path
