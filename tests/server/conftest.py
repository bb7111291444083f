"""A running server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import app


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(app(tmp_path)) as running:
        yield running
