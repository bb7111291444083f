"""Tests that Les Missionnaires has ranks and no points (LM-9.2, LM-R16): no text mentions points or scores."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.matches import RECORDS
from tests.shell import Shell
from tests.web.browser import PlainBrowser
from tests.web.test_secrets import Visitors
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.engine.registry import load_game

GAME = load_game("missionnaires")
RECORD = RECORDS / GAME.id / "2.rec"
WORDS = re.compile(
    r"\b(?:points?|scores?|scoring)\b|(?<=_)(?:points?|scores?)\b|\b(?:points?|scores?)(?=_)", re.IGNORECASE
)
# White points of the sea lanes and percentage points are something else. An API client may ask whether a game has
# points.
OTHERS = re.compile(
    r"(?:sea|white) points?|points? (?:de mer|blancs?)|points? de passage en mer|has_points|percentage points"
    r"|points de pourcentage|deux-points|[\d{}]\s*points",
    re.IGNORECASE,
)


def find_points(text: str) -> list[str]:
    """Return each place where the text mentions points or scores, with its context."""
    text = OTHERS.sub("", text)
    return [text[max(0, match.start() - 40) : match.end() + 20] for match in WORDS.finditer(text)]


def read_page(page: str) -> str:
    """Return the text of a page and the attributes that are read aloud."""
    page = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    told = re.findall(r'(?:aria-label|data-tip|title|alt|content|placeholder)="([^"]*)"', page)
    return unescape(" ".join([*told, re.sub(r"<[^>]*>", " ", page)]))


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(capsys, monkeypatch)


def test_the_search_finds_mentions_of_points() -> None:
    assert find_points("the mean_score of a seat, its Points and the total score")
    assert not find_points("a sea point, a white point, has_points, 5 percentage points")


@pytest.mark.parametrize("json_too", [False, True])
def test_simulation_and_arena_show_ranks(shell: Shell, json_too: bool) -> None:
    more = ["--json"] if json_too else []
    shell.run("simulate", GAME.id, "--seats", "2", "--bots", "random,greedy", "--matches", "2", "--workers", "1", *more)
    assert (shell.code, shell.error) == (0, "")
    assert find_points(shell.out) == []
    assert "wins" in shell.out
    shell.run("arena", GAME.id, "--seats", "2", "--bots", "random,greedy", "--matches", "2", "--workers", "1", *more)
    assert shell.code == 0, shell.error
    assert find_points(shell.out) == []
    assert "margin" in shell.out


@pytest.mark.slow
def test_a_study_without_points_has_no_figures_of_points(shell: Shell, tmp_path: Path) -> None:
    words = ("--bots", "greedy", "--also", "", "--matches", "4", "--workers", "1", "--to", "kept")
    shell.run("study", GAME.id, *words)
    assert (shell.code, shell.error) == (0, "")
    assert find_points(shell.out) == []
    for language in ("en", "fr"):
        shell.run("study", "report", "kept", "--language", language)
        assert find_points(shell.out) == []
        page = (tmp_path / "kept" / "report.html").read_text(encoding="utf-8")
        assert find_points(read_page(page)) == []
    figures = json.loads((tmp_path / "kept" / "summary.json").read_text(encoding="utf-8"))["arms"][0]["figures"]
    assert {"winner", "mean", "margin", "variety"} & set(figures) == set()


def test_replays_and_the_terminal_show_ranks(shell: Shell) -> None:
    assert find_points(shell.run("replay", str(RECORD)).out) == []
    assert "rank" in shell.out
    told = shell.run("replay", str(RECORD), "--json").json()
    standing = told["standing"]
    assert isinstance(standing, list)
    assert [one["total"] for one in standing] == [None, None]
    assert find_points(json.dumps(told)) == []
    for language in ("en", "fr"):
        shell.run("play", GAME.id, "--seed", "5", "--language", language, typed="help\nstanding\nscores\nquit\n")
        assert shell.code == 0
        assert find_points(shell.out.replace("scores", "", 1)) == [], "but for the word that was typed"


def test_pages_and_the_api_show_ranks(client: TestClient) -> None:
    """The table, the match file, the shared match and the API mention ranks only, also after the match."""
    company = Visitors(client, GAME.id, 2)
    browser, api = company.browsers[0], f"/api/v1/tables/{company.table.id}"
    check_pages(browser, [company.path])
    check_facts(browser, api, "playing")
    bot, chance = create_bot("greedy", GAME), Rng(3)
    while company.table.status != "over":
        company.play_option(choose_option(bot, company.table.current_match.state, chance))
    facts = check_facts(browser, api, "over")
    standing = facts["standing"]
    assert isinstance(standing, list)
    assert sorted(one["rank"] for one in standing) == [1, 2]
    check_pages(browser, [company.path])  # with the dialog that offers to share it
    browser.post(f"{company.path}/share", operation="create")
    share = browser.client.get(f"{api}/share").json()
    check_pages(browser, [company.path, share["path"]])
    assert find_points(read_page(browser.client.get(f"{company.path}/file").text)) == []
    told = browser.client.get(f"/api/v1/matches/{share['share']}")
    assert told.status_code == 200
    assert {tuple(line) for line in told.json()["lines"]} == {("name", "values")}
    assert find_points(told.text) == []


def check_pages(browser: PlainBrowser, paths: list[str]) -> None:
    for path in paths:
        for language in ("en", "fr"):
            reply = browser.client.get(path, headers={"accept-language": language})
            assert reply.status_code == 200, path
            assert f'lang="{language}"' in reply.text
            assert find_points(read_page(reply.text)) == [], f"{path} in {language}"


def check_facts(browser: PlainBrowser, api: str, status: str) -> dict[str, object]:
    facts = browser.client.get(api).json()
    assert isinstance(facts, dict)
    assert facts["status"] == status
    assert find_points(json.dumps(facts)) == []
    return facts
