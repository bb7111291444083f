"""A running server with its pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import settings
from triclinium.web.app import create


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create(settings(tmp_path)), follow_redirects=True) as running:
        yield running
