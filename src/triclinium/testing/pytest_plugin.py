"""Pytest option ``--game ID``: checks the contract of an installed game, or of ``all``, without a test file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from triclinium.engine import registry
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.game import Game
from triclinium.testing.contract import check_game


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--game",
        action="append",
        default=[],
        metavar="ID",
        help="check the contract of an installed game with each value of its variants (all: of every game)",
    )


class HookSpecs:
    """Hooks that a conftest.py may implement."""

    @pytest.hookspec(firstresult=True)
    def pytest_check_game(self, game: Game) -> bool | None:
        """Check the contract of a game with your own arguments, such as `conserved`. Return True if done."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(HookSpecs)


@pytest.hookimpl(trylast=True)
def pytest_check_game(game: Game) -> bool:
    check_game(game)
    return True


def pytest_configure(config: pytest.Config) -> None:
    """Collect nothing else if games are named and no test files are given."""
    if config.getoption("game") and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args[:] = [str(Path(__file__))]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "GameCollector | None":
    if parent.config.getoption("game") and file_path == Path(__file__):
        return GameCollector.from_parent(parent, path=file_path, name="contract", nodeid="contract")
    return None


class GameCollector(pytest.File):
    """A collector for the selected games."""

    def collect(self) -> Iterator[pytest.Item]:
        names: list[str] = self.config.getoption("game")
        for name in registry.list_games() if "all" in names else names:
            yield ContractItem.from_parent(self, name=name)


class ContractItem(pytest.Item):
    """A test item that checks the contract of one game."""

    def runtest(self) -> None:
        self.config.hook.pytest_check_game(game=registry.load_game(self.name))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """Return the message of the failed check only. It names the property and the place."""
        if excinfo.errisinstance((AssertionError, BadSetup)):
            return str(excinfo.value)
        return str(excinfo.getrepr())
