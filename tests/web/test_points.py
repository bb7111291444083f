"""Tests of points on a table's page: known points as numbers, others marked as open, and read aloud in words."""

import random
import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.web.test_secrets import Visitors
from triclinium import load_game
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.visible_scores import VisibleNumber, VisibleScore
from triclinium.server.presenter.scores import is_certain_leader
from triclinium.web.i18n import Localizer

MOVES = 400
NOTES = {
    "en": "This score leaves out cards you have not seen",
    "fr": "Ce score ne compte pas les cartes que vous n’avez pas vues",
}


def sheet(page: str) -> list[list[str]]:
    """Return the cells of the score sheet by row: the visible text and, after a bar, the text that is read aloud."""
    pane = re.search(r'<div class="pane score".*?</div>', page, re.DOTALL)
    assert pane is not None
    rows = re.findall(r"<tr.*?</tr>", pane[0].replace('<span class="sr">', "|"), re.DOTALL)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in rows[1:]]
    return [[unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in row] for row in cells]


def cell(value: VisibleNumber, language: str) -> str:
    if isinstance(value, int):
        return str(value)
    assert value is not None
    low, high = value
    if language == "fr":
        return f"{low}\N{NO-BREAK SPACE}à {high}|entre {low} et {high}"
    return f"{low}–{high}|between {low} and {high}"


def rows_of(told: list[VisibleScore], language: str) -> list[list[str]]:
    """Return the visible points of each seat, with one known total."""
    lines = [[score.shown_lines[name] for score in told] for name in told[0].shown_lines]
    return [[cell(value, language) for value in row] for row in [[score.shown_total for score in told], *lines]]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_score_sheet_shows_known_points_in_both_languages(client: TestClient, language: str) -> None:
    company = Visitors(client, "portals", 3)
    chance = random.Random(3)
    shown = 0
    while shown < 3 and company.table.moves < MOVES and company.table.status == "playing":
        for _ in range(20):
            company.play(chance)
        for viewer in (0, NOBODY):
            told = company.table.game.visible_scores(company.table.current_match.state, viewer)
            browser = company.browsers[viewer]
            page = browser.client.get(company.path, headers={"accept-language": language}).text
            assert sheet(page) == rows_of(told, language)
            reserved = any(score.is_provisional for score in told)
            assert (NOTES[language] in page) == reserved
            shown += reserved
    assert shown >= 3


def test_unknown_scores_are_a_question_mark(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    company = Visitors(client, "missionnaires", 3)
    ranks, visited, *_, left = sheet(company.browsers[0].get(company.path))[:4]
    assert (ranks, visited, left) == (["1"] * 3, ["0"] * 3, ["8"] * 3)  # The last row counts unvisited congregations.
    monkeypatch.setattr(load_game("missionnaires"), "has_open_scores", False)
    company.table.caches.points.clear()
    page = company.browsers[0].get(company.path)
    assert sheet(page) == [["?|unknown"] * 3]
    assert "A question mark means that the score depends on information you do not have yet." in page


@pytest.mark.parametrize(
    ("points", "leading"),
    [
        ([7, 7, 0], [0, 1]),
        ([0, 0, 0], []),
        ([(7, 14), 7, 0], [0]),
        ([(0, 7), 7, 0], [1]),
        ([(0, 8), 7, 0], []),
        ([None, 7, 0], []),
    ],
)
def test_certain_leaders_are_marked(points: list[VisibleNumber], leading: list[Seat]) -> None:
    """A lead is certain if nobody can have more. A tie leads too, zero does not."""
    assert [seat for seat in range(3) if is_certain_leader(points, seat)] == leading


def test_bounds_are_read_aloud_as_a_sentence() -> None:
    assert [Localizer("en").points_aloud(value) for value in (41, (41, 52), None)] == [
        "41",
        "between 41 and 52",
        "unknown",
    ]
    assert [Localizer("fr").points_aloud(value) for value in ((41, 52), None)] == ["entre 41 et 52", "inconnu"]
