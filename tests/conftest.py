"""Order and selection of the tests. Fixtures are in `tests/fixtures.py`."""

import gc

import pytest

from tests import bytecode_warmup

LONGEST = (  # longest tests first, in this order; the first compiles, and waiting tests leave it a core
    "test_builds.py",
    "test_contract.py",
    "test_page_appearance.py",
    "test_browser.py",
    "test_window_sizes.py",
    "test_fuzz.py",
    "test_event_loop.py",
    "test_notifications.py",
)
WAITING = "browser"  # tests in this folder wait half of their time, so other tests should run at the same time


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all tests are collected, because none of their objects are garbage
    if hasattr(config, "workerinput"):
        bytecode_warmup.wait_for_the_first(config.workerinput)
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        # This runs only in workers, because all of them wait for the process that starts them.
        config.pluginmanager.import_plugin("tests.fixtures")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", default="1/1", metavar="K/N", help="run only part K of N of the tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of this part, with the longest ones first so that no worker waits for them at the end."""
    part, parts = (int(number) for number in config.getoption("part").split("/"))
    items[:] = items[part - 1 :: parts]
    order = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order) + (item.path.parent.name != WAITING)))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Exclude all imported and collected objects from garbage collection, which otherwise takes a tenth of the time."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 10, 10)
    if hasattr(session.config, "workerinput"):
        bytecode_warmup.tell_the_others(session.config.workerinput)


def pytest_unconfigure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        bytecode_warmup.delete_marker(config.workerinput)
