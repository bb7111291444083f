"""Running servers: one for all tests that sit at tables of their own there, and one for a test alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bench.running import Running
from tests.nursery import Newborn
from tests.server.api_client import another, app
from tests.server.endpoint import Endpoint, certify, endpoint
from tests.server.telling import TellingHouse, telling
from triclinium.server import server_time


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(app(tmp_path_factory.mktemp("shared"))) as running:
        yield running


@pytest.fixture
def client(shared: TestClient) -> TestClient:
    return another(shared)


@pytest.fixture
def own_client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(app(tmp_path)) as running:
        yield running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    """A process of its own, with its file in the test's folder."""
    running = Newborn(tmp_path).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def one_endpoint() -> Iterator[Endpoint]:
    with endpoint() as found:
        yield found


@pytest.fixture
def there(one_endpoint: Endpoint) -> Endpoint:
    """Somebody to be posted to, who has got nothing yet."""
    one_endpoint.posts.clear()
    one_endpoint.status = 201
    return one_endpoint


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Endpoint]:
    """One that is called by HTTPS, with a certificate that nobody knows."""
    with endpoint(certify(tmp_path / "certificate.pem")) as found:
        yield found


@pytest.fixture(scope="session")
def one_house(tmp_path_factory: pytest.TempPathFactory, one_endpoint: Endpoint) -> Iterator[TellingHouse]:
    with telling(tmp_path_factory.mktemp("telling"), one_endpoint) as open_house:
        yield open_house


@pytest.fixture
def house(one_house: TellingHouse, monkeypatch: pytest.MonkeyPatch) -> TellingHouse:
    """A house that tells people who are not here, by a clock that the test moves; nobody is told of anything yet."""
    one_house.time[0] = server_time.now()
    monkeypatch.setattr(server_time, "now", lambda: one_house.time[0])
    one_house.forget()
    return one_house
