"""Tests of the result page: the result first, every line of every seat, and the lead over time."""

import random
import re
from html import unescape
from types import SimpleNamespace
from typing import cast

import pytest
from fastapi.testclient import TestClient

from tests.matches import RECORDS
from tests.web.browser import PlainBrowser
from tests.web.test_secrets import Visitors
from triclinium.engine.record import Record
from triclinium.engine.registry import list_games, load_game
from triclinium.engine.visible_scores import VisibleScore
from triclinium.games.evangelists.ui.view import EvangelistsView
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.ui.awards import list_awards
from triclinium.games.portals.ui.view import PortalsView
from triclinium.server.presenter.scores import compute_points_behind, find_leaders
from triclinium.server.tables.table import Table
from triclinium.web.i18n import Localizer
from triclinium.web.pages.table_result import describe_result

SHEET = re.compile(r'<table class="sheet final [^>]*>.*?</table>', re.DOTALL)


def play_to_end(client: TestClient, id: str) -> Visitors:
    """Return a table whose match is over."""
    company = Visitors(client, id, load_game(id).seats[0])
    chance = random.Random(3)
    while company.table.status != "over":
        company.play(chance)
    return company


@pytest.mark.parametrize("id", ["evangelists", "portals", "missionnaires"])
def test_the_result_replaces_the_decision(client: TestClient, id: str) -> None:
    company = play_to_end(client, id)
    game, table = company.table.game, company.table
    page = company.browsers[0].get(company.path)
    decide = page[page.index('id="decide"') : page.index('id="board"')]
    assert '<h2 id="result" tabindex="-1">' in decide
    assert page.count('id="result"') == 1
    assert 'id="question"' not in page
    assert decide.index('id="result"') < decide.index(f"{company.path}/review") < decide.index('class="places"')
    own = game.scores(table.current_match.state)[0]
    headline = unescape(re.sub(r"<[^>]+>|\s+", " ", decide[decide.index('id="result"') :].partition("</h2>")[0]))
    assert bool(re.search("You (win|share)", headline)) == (own.rank == 1)
    assert ("celebrated" in decide) == (own.rank == 1)
    assert "<title>Result · " in page
    assert 'id="door-decide"' in page
    assert ">Decision</label>" not in page
    sheets = SHEET.findall(decide)
    contests = game.contests(table.current_match.state)
    assert len(sheets) == 1 + bool(contests)
    scores = game.scores(table.current_match.state)
    names = dict.fromkeys(line.name for score in scores for line in score.lines)
    assert sheets[0].count('<th scope="row">') == len(names) + game.has_points
    assert ("lead" in sheets[0]) == game.has_points
    for contest in contests:
        assert table.game.words.reader().format_arg(contest.name) in sheets[1]
        assert len(contest.counts) == len(table.occupants)
    past = company.browsers[0].get(f"{company.path}/positions/3")
    assert 'id="result"' not in past


def describe(language: str, reader: int | None, *totals: int | None, ranks: tuple[int, ...]) -> str:
    names = ("Ben", "Miriam", "Theo")[: len(ranks)]
    table = SimpleNamespace(names=lambda: names)
    scores = [VisibleScore(n, ranks[n], total, {}) for n, total in enumerate(totals)]
    own = None if reader is None else scores[reader]
    return describe_result(Localizer(language), cast(Table, table), scores, own)


@pytest.mark.parametrize(
    ("reader", "totals", "ranks", "sentence"),
    [
        (0, (20, 16, 13), (1, 2, 3), "You win with 20 points, 4 ahead of Miriam."),
        (1, (20, 16, 13), (1, 2, 3), "You are second with 16 points, 4 behind Ben."),
        (2, (20, 16, 13), (1, 2, 3), "You are third with 13 points, 7 behind Ben."),
        (None, (20, 16, 13), (1, 2, 3), "Ben wins with 20 points, 4 ahead of Miriam."),
        (0, (20, 16, 16), (1, 2, 2), "You win with 20 points, 4 ahead of Miriam and Theo."),
        (0, (20, 20, 16), (1, 2, 3), "You win with 20 points."),  # A tie-break decided the match.
        (1, (20, 20, 16), (1, 2, 3), "You are second with 20 points, behind Ben."),
        (0, (20, 20, 16), (1, 1, 3), "You share the victory with Miriam."),
        (2, (20, 20, 16), (1, 1, 3), "You are third with 16 points, 4 behind Ben and Miriam."),
        (None, (20, 20, 16), (1, 1, 3), "Ben and Miriam share the victory."),
        (0, (None, None, None), (1, 2, 3), "You win."),
        (2, (None, None, None), (1, 2, 3), "You are third. Ben wins."),
        (2, (None, None, None), (1, 1, 3), "You are third. Ben and Miriam share the victory."),
        (None, (None, None, None), (1, 2, 3), "Ben wins."),
    ],
)
def test_the_headline_speaks_to_the_reader(
    reader: int | None, totals: tuple[int | None, ...], ranks: tuple[int, ...], sentence: str
) -> None:
    assert describe("en", reader, *totals, ranks=ranks) == sentence
    french = describe("fr", reader, *totals, ranks=ranks)
    assert french != sentence
    assert ("Vous" in french) == (reader is not None)


def test_the_leader_and_the_margin_are_shown() -> None:
    assert find_leaders([7, 4, 7]) == ([0, 2], 3)
    assert find_leaders([0, -2, -3]) == ([0], 2)
    assert find_leaders([5, 5]) == ([], 0)
    assert find_leaders([5, None]) == ([], 0)
    assert find_leaders([5, (1, 2)]) == ([], 0)


def test_the_distance_to_the_leader_is_shown() -> None:
    assert compute_points_behind([VisibleScore(n, None, total, {}) for n, total in enumerate((80, 61))]) == [0, 19]
    assert compute_points_behind([VisibleScore(n, n + 1, None, {}) for n in range(2)]) == [0, 0]


@pytest.mark.parametrize("id", list_games())
def test_contests_are_available_at_any_time(id: str) -> None:
    game = load_game(id)
    for seats in game.seats:
        s = game.deal(seats, 4)
        assert all(len(one.counts) == seats for one in game.contests(s))


def test_the_log_of_a_finished_match_hides_nothing(client: TestClient) -> None:
    """The log of a finished match names drawn cards for every reader."""
    company = play_to_end(client, "portals")
    page = company.browsers[0].get(f"{company.path}?log=all")
    assert "draws from the" not in page
    lines = company.browsers[1].client.get(f"/api/v1/tables/{company.table.id}/log").json()
    assert not any("draws from the" in line["text"] for line in lines)


def open_golden_match(client: TestClient, record: str) -> str:
    """Return the last page of a golden match."""
    browser = PlainBrowser(client)
    browser.get("/tables")
    csrf = re.search(r'name="csrf" value="([^"]+)"', browser.page)
    assert csrf is not None
    file = (RECORDS / record).read_text(encoding="utf-8")
    return browser.client.post("/records", data={"csrf": csrf[1]}, files={"record": ("match.txt", file)}).text


def test_all_cards_are_open_at_the_end() -> None:
    """AE-R39  At the end all cards are open, even cards that nobody has seen.

    An earlier position shows what was known then.
    """
    game = load_game("evangelists")
    s = Record.loads((RECORDS / "evangelists/2.rec").read_text(encoding="utf-8")).replay()
    for viewer in (None, 0, 1):
        view = game.final_view(s, viewer)
        assert isinstance(view, EvangelistsView)
        assert all(card.card is not None for city in view.cities for card in city.box if card is not None)
        assert any(not card.seen_by for city in view.cities for card in city.box if card is not None)


@pytest.mark.parametrize(
    "record",
    [
        "portals/3.rec",
        "portals/5-start-4-stall_rounds-20-fuel_cards-two_per_turn.rec",
        "portals/4-team-on.rec",
        "portals/4-team-on-ties-broken-wilds-one_per_set-portals-starter.rec",
    ],
)
def test_symbols_and_sets_are_won_with_cards(record: str) -> None:
    """PP-11.3, PP-11.6, PP-12.1  A player or team wins a symbol by the largest number of cards with it."""
    match = Record.loads((RECORDS / record).read_text(encoding="utf-8"))
    game, s = match.find_game(None), match.replay()
    view = game.final_view(s, None)
    assert isinstance(view, PortalsView)
    assert isinstance(s, Portals)
    found = {one.sign: one.shares for one in list_awards(s.c, view)}
    symbols = dict(zip(s.c.symbol_ids, game.contests(s), strict=False))
    for id, contest in symbols.items():
        most = max(contest.counts)
        winners = {seat: count for seat, count in enumerate(contest.counts) if count == most > 0}
        assert {seat: share.count for share in found.get(id, []) for seat in share.seats} == winners
        assert all(len(share.cards) == share.count for share in found.get(id, []))
    sets = {seat: share.count * s.c.set_points for share in found.get("region", []) for seat in share.seats}
    assert sets == {score.seat: score.line_points("sets") for score in game.scores(s) if score.line_points("sets")}


def test_every_testament_shows_how_it_scored(client: TestClient) -> None:
    """TT-13.2  Gold dots × age = points, for each Testament on the board."""
    record = "testoftime/3-rounds-10-mercy-on.rec"
    page = open_golden_match(client, record)
    sheet = page[page.index("is-grouped") : page.index("</table>", page.index("is-grouped"))]
    s = Record.loads((RECORDS / record).read_text(encoding="utf-8")).replay()
    scores = load_game("testoftime").scores(s)
    rows = re.findall(r'<td class="num">(\d+) × (\d+)</td>\s*<td class="num">(\w+)</td>', sheet)
    assert len(rows) == sum(len(score.lines) for score in scores) > 0
    assert all(int(dots) * int(age) == (int(points) if points.isdigit() else 0) for dots, age, points in rows)
    assert sum(int(points) for *_, points in rows if points.isdigit()) == sum(score.total or 0 for score in scores)


def test_a_rematch_that_was_closed_is_not_linked_and_another_can_be_opened(client: TestClient) -> None:
    company = play_to_end(client, "evangelists")
    anna, ben = company.browsers[0], company.browsers[1]
    assert "Rematch" in anna.get(company.path)
    anna.post(f"{company.path}/rematch")
    rematch = anna.table
    assert f'href="{rematch}"' in ben.get(company.path)
    anna.get(rematch)
    anna.post(f"{rematch}/close")
    page = ben.get(company.path)
    assert rematch not in page
    assert "Rematch" in page
    ben.post(f"{company.path}/rematch")
    assert ben.table != rematch
    assert f'href="{ben.table}"' in anna.get(company.path)
