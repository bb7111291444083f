"""How the tests are run: in which order, and which part of them. Fixtures are in `tests/fixtures.py`."""

import gc

import pytest

from tests import bytecode_warmup

LONGEST = (  # in this order: the first compiles, and whatever waits meanwhile leaves it a core
    "test_builds.py",
    "test_contract.py",
    "test_page_appearance.py",
    "test_browser.py",
    "test_window_sizes.py",
    "test_fuzz.py",
    "test_event_loop.py",
    "test_notifications.py",
)
WAITING = "browser"  # the folder whose tests wait half of their time: at the end nobody would work meanwhile


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all tests are collected: nothing of that is garbage
    if hasattr(config, "workerinput"):
        bytecode_warmup.wait_for_the_first(config.workerinput)
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.import_plugin("tests.fixtures")  # who only starts workers does without: all wait for it


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", default="1/1", metavar="K/N", help="run only part K of N of the test files")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the files of this part. The longest tests come first, so that no worker has to wait for them in the end."""
    part, parts = (int(number) for number in config.getoption("part").split("/"))
    files = sorted({item.path for item in items})
    items[:] = [item for item in items if files.index(item.path) % parts == part - 1]
    order = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order) + (item.path.parent.name != WAITING)))


def pytest_collection_finish(session: pytest.Session) -> None:
    """What is imported and collected stays to the end: a tenth of all time went into looking whether it is garbage."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 10, 10)
    if hasattr(session.config, "workerinput"):
        bytecode_warmup.tell_the_others(session.config.workerinput)


def pytest_unconfigure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        bytecode_warmup.delete_marker(config.workerinput)
