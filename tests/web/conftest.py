"""Running servers with pages: one for all tests that only use their own tables, and one for a single test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import make_client, make_settings
from triclinium.web.app import create_app


@pytest.fixture(scope="session")
def shared_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(create_app(make_settings(tmp_path_factory.mktemp("shared"))), follow_redirects=True) as running:
        yield running


@pytest.fixture
def client(shared_client: TestClient) -> TestClient:
    return make_client(shared_client)


@pytest.fixture
def own_client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(make_settings(tmp_path)), follow_redirects=True) as running:
        yield running
