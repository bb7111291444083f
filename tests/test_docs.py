"""Tests that the examples in the documents run and show the real output."""

import doctest
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from triclinium.cli.main import main

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").glob("*.md"))


def test_the_documentation_has_examples() -> None:
    assert any(">>> " in page.read_text(encoding="utf-8") for page in PAGES)


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Write the game with which docs/new-game.md begins, and make it importable."""
    assert main(["new-game", "nim", "--output", str(tmp_path / "nim")]) == 0
    monkeypatch.syspath_prepend(str(tmp_path / "nim"))
    yield
    sys.modules.pop("nim", None)


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_files_named_on_a_page_exist(page: Path) -> None:
    named = re.findall(r"`((?:docs|tests|src|examples)/[\w/.*-]+)`", page.read_text(encoding="utf-8"))
    missing = [name for name in named if not list(ROOT.glob(name.rstrip("/")))]
    assert not missing
