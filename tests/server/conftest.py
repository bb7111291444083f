"""Running servers: one for all tests that only use their own tables, and one for a single test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bench.server_process import ServerProcess
from tests.forked_servers import ForkedServer
from tests.server.api_client import make_app, make_client
from tests.server.endpoint import Endpoint, make_certificate, open_endpoint
from tests.server.notification_driver import NotificationDriver, open_notification_driver
from triclinium.server import server_time


@pytest.fixture(scope="session")
def shared_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(make_app(tmp_path_factory.mktemp("shared"))) as running:
        yield running


@pytest.fixture
def client(shared_client: TestClient) -> TestClient:
    return make_client(shared_client)


@pytest.fixture
def own_client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(tmp_path)) as running:
        yield running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Yield a server in a separate process, with its database in the test's folder."""
    running = ForkedServer(tmp_path).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def shared_endpoint() -> Iterator[Endpoint]:
    with open_endpoint() as found:
        yield found


@pytest.fixture
def webhook_endpoint(shared_endpoint: Endpoint) -> Endpoint:
    """Return an endpoint that has received nothing yet."""
    shared_endpoint.posts.clear()
    shared_endpoint.status = 201
    return shared_endpoint


@pytest.fixture
def https_endpoint(tmp_path: Path) -> Iterator[Endpoint]:
    """Yield an HTTPS endpoint with an unknown certificate."""
    with open_endpoint(make_certificate(tmp_path / "certificate.pem")) as found:
        yield found


@pytest.fixture(scope="session")
def shared_driver(tmp_path_factory: pytest.TempPathFactory, shared_endpoint: Endpoint) -> Iterator[NotificationDriver]:
    with open_notification_driver(tmp_path_factory.mktemp("telling"), shared_endpoint) as open_house:
        yield open_house


@pytest.fixture
def driver(shared_driver: NotificationDriver, monkeypatch: pytest.MonkeyPatch) -> NotificationDriver:
    """Return a server that sends notifications by a clock of the test. No notification has been sent yet."""
    shared_driver.time[0] = server_time.now()
    monkeypatch.setattr(server_time, "now", lambda: shared_driver.time[0])
    shared_driver.reset_messages()
    return shared_driver
