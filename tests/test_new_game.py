"""Tests of ``triclinium new-game`` and of the page for authors, which shows the game that the command writes."""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import triclinium.author
from bench.example import install
from tests.server.api_client import make_settings
from tests.web.browser import PlainBrowser
from tests.web.test_pages import choose_any_option, new_hot_table, take_over
from triclinium import Record, load_game
from triclinium.cli.main import main
from triclinium.engine import registry
from triclinium.web.app import create_app

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
MAX_LINES = 80  # the page's first game has no more


def find_block(language: str) -> str:
    """Return the first code block of the page in a language."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def run(*words: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(folder)])},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Write the folder of Nim with the board of the page, and make it look installed."""
    folder = tmp_path / "nim"
    assert main(["new-game", "nim", "--output", str(folder)]) == 0
    monkeypatch.setattr(registry, "_loaded", {})
    install(folder, "nim", {"nim": "nim:GAME"})
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    sys.modules.pop("nim", None)


def test_the_game_of_the_page_is_short_and_the_command_writes_it(nim: Path) -> None:
    assert find_block("python") == (nim / "nim" / "__init__.py").read_text(encoding="utf-8")
    assert len(find_block("python").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("name", ["nim", "night_owl"])
def test_the_tests_of_a_new_game_pass(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-game", name, "--output", str(tmp_path / name), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert sorted(Path(path).name for path in written["files"]) == sorted(
        ["__init__.py", "about.toml", "pyproject.toml", f"test_{name}.py"]
    )
    assert "4 passed" in run("pytest", "-q", "-p", "no:cacheprovider", folder=tmp_path / name)
    run("ruff", "check", "--isolated", "--select", "E,F,I,B", "--line-length", "120", ".", folder=tmp_path / name)
    run("ruff", "format", "--isolated", "--check", "--line-length", "120", ".", folder=tmp_path / name)
    if name != "nim":
        for path in written["files"]:
            assert not re.search(r"\bnim|\bNim|NI-", Path(path).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("portals", "there is already a game 'portals'; choose another id"),
        ("Nim", "'Nim' cannot be the id of a game; use at least two lower-case letters, digits and _"),
        ("class", "'class' cannot be the id of a game; use at least two lower-case letters, digits and _"),
        ("random", "Python already has a module 'random'; choose another id"),
    ],
)
def test_a_wrong_name_is_refused(name: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-game", name, "--output", str(tmp_path / "new")]) == 2
    assert capsys.readouterr().err == f"triclinium: {reason}\n"
    assert not (tmp_path / "new").exists()


def test_no_folder_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-game", "nim", "--output", str(tmp_path)]) == 2
    assert "exists already; choose another folder with --output" in capsys.readouterr().err


def test_all_names_for_authors_come_from_one_import() -> None:
    assert all(hasattr(triclinium.author, name) for name in triclinium.author.__all__)
    used = set(re.findall(r"\ba\.(\w+)", find_block("python")))
    assert used <= set(triclinium.author.__all__)


@pytest.mark.parametrize("board", [False, True], ids=["default board", "board of the page"])
def test_the_game_of_the_page_is_played_at_a_table(nim: Path, board: bool, tmp_path: Path) -> None:
    if board:
        (nim / "nim" / "ui").mkdir()
        (nim / "nim" / "ui" / "board.svg.jinja").write_text(find_block("jinja"), encoding="utf-8")
    assert load_game("nim").name.text == "Nim"
    with TestClient(create_app(make_settings(tmp_path)), follow_redirects=True) as client:
        browser = PlainBrowser(client)
        new_hot_table(browser, "nim", 2)
        take_over(browser)
        page = unescape(browser.page)
        assert (page.count('<rect x="') >= 21) == board
        assert page.count('class="spot  can"') == (3 if board else 0)
        assert browser.options() == ["take 1", "take 2", "take 3"]
        chance = random.Random(4)
        while choose_any_option(browser, chance):
            pass
        record = Record.loads(browser.get(f"{browser.table}/record"))
    assert record.game_id == "nim"
    assert record.replay().over
