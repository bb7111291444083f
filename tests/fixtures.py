"""Fixtures of several test folders: Figs installed as an external package, a running server, and a shell."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from bench.example import install
from bench.server_process import ServerProcess
from tests import asgi_client
from tests.fixed_chance import fix_chance
from tests.forked_servers import ForkedServer
from tests.matches import ALL_GAMES, RECORDS, load_checks
from tests.shell import Shell
from tests.toy import TOY, Figs
from triclinium.engine import registry
from triclinium.engine.game import Game
from triclinium.server import plugin_errors
from triclinium.testing import check_game

asgi_client.install_single_call_client()
settings.register_profile("house", deadline=None, derandomize=True, max_examples=200)
settings.load_profile("house")  # generates the same examples every time, however busy the machine is


@pytest.hookimpl(optionalhook=True)
def pytest_check_game(game: Game) -> bool | None:
    """Add the checks and golden records of our own games to `pytest --game ID`."""
    if game not in ALL_GAMES:
        return None
    of = load_checks(game.id)
    check_game(game, of.variants, of.conserved, of.slow_scores, of.derived, RECORDS / game.id)
    return True


@pytest.fixture(scope="session")
def figs_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return one folder for all tests, because the registry caches the search path."""
    folder = tmp_path_factory.mktemp("figs")
    install(folder, "figs_game", {"figs": "tests.toy:TOY"})
    return folder


@pytest.fixture
def figs(figs_package: Path, monkeypatch: pytest.MonkeyPatch) -> Figs:
    """Return Figs, found by the registry through an entry point of an external package."""
    monkeypatch.setattr(registry, "_loaded", {})
    monkeypatch.syspath_prepend(str(figs_package))
    return TOY


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Yield a server for all tests that only use their own tables.

    Tests that kill or configure a server start another.
    """
    running = ForkedServer(tmp_path_factory.mktemp("house"), 0, None, "--bot-pause", "0").start()
    yield running
    running.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    fix_chance()


@pytest.fixture(autouse=True)
def no_game_faults(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[tuple[str, ...]]]:
    """Fail tests during which a game's page failed. The page would otherwise fall back to plain text unnoticed."""
    noted: set[tuple[str, ...]] = set()
    monkeypatch.setattr(plugin_errors, "logged_errors", noted)
    yield noted
    assert not noted


@pytest.fixture
def broken_game(no_game_faults: set[tuple[str, ...]]) -> Iterator[None]:
    """Expect a failure of the game's page in a test."""
    yield
    assert no_game_faults
    no_game_faults.clear()


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(capsys, monkeypatch)
