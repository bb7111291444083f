"""Tests of the board kit's panels of seats, score sheets and awards, alone and on the pages of our games."""

import re
from html import unescape
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.web.test_secrets import Visitors
from triclinium import list_games
from triclinium.boardkit.parts import (
    ActionButton,
    Award,
    AwardShare,
    Card,
    CardBack,
    CardNames,
    CellRow,
    Description,
    HandBacks,
    NumberCell,
    Pile,
    RankedSeat,
    ScoreGroup,
    ScoreSheet,
    SeatFigure,
    SeatFigures,
    SeatPanel,
    SeatScoreSheet,
    TokenStack,
    find_offer,
)
from triclinium.engine.component_kinds import CardFace
from triclinium.engine.core.state import NOBODY
from triclinium.engine.core.text import Message
from triclinium.server.presenter.scores import ScoreLine
from triclinium.web.i18n import Localizer

NAMES = ("Ann", "Ben")
ACE = Card("c1", CardFace("the ace", corner="A"))
OFFER = SimpleNamespace(option="to 1", label="Give it to Ben", allowed=True, rule="", why="")


def draw(client: TestClient, source: str, **parts: object) -> str:
    """Return a template with the kit's macros as text, for a French reader in seat 1."""
    assert isinstance(client.app, FastAPI)
    speech = Localizer("fr")
    environment = client.app.state.pages.templates
    imports = "{% import 'page_parts.html.jinja' as p with context %}{% import 'kit.jinja' as k with context %}"
    facts = {
        "game": SimpleNamespace(id="portals"),
        "reading": SimpleNamespace(confirms_moves=False),
        "names": NAMES,
        "seat": 1,
        "offers": {},
    }
    page: str = environment.from_string(imports + source).render(_=speech, say=speech.name, **{**facts, **parts})
    return unescape(page)


def make_panel(key: int = 1) -> SeatPanel:
    """Return a panel with every part."""
    return SeatPanel(
        1,
        style="my-seat",
        figures=SeatFigures(
            (
                SeatFigure("five cards", 5, "hand", rest="/7", bonus="+1"),
                SeatFigure("no coin", 0, "coin", is_faint=True),
                SeatFigure("nine points", 9, "pent", is_on_sign=True),
                SeatFigures(
                    (SeatFigure(sign="oil", frame="tile", enlarges="about-oil", text="oil"),), "jars", "two jars"
                ),
            )
        ),
        parts=[
            SeatFigures((SeatFigure(word="began", style="chip"),), "foot"),
            CellRow([NumberCell("north", 3)], "the regions", "regions"),
            HandBacks("a hand", [CardBack("old", "a card")]),
            TokenStack("two of three", 2, 3),
            CardNames([ACE]),
        ],
        brief=(SeatFigure("five cards", 5, "hand"),),
        actions=(ActionButton("to 1", "Give", style="give"),),
        key=(key,),
    )


def test_a_seat_panel_draws_all_its_parts(client: TestClient) -> None:
    page = draw(client, "{{ k.seat_panel(panel) }}", panel=make_panel())
    assert re.search(r'<div class="k-seat my-seat">.*<div class="k-figures">.*<div class="k-more">', page, re.DOTALL)
    assert re.search(
        r'aria-label="five cards".*?#hand"/></svg><span><b>5</b>/7\s*<b class="bonus">\+1</b></span>', page
    )
    assert 'class="k-figure faint"' in page
    assert re.search(r'<svg class="sg num n-pent *"[^>]*>.*?<text[^>]*>9</text></svg>', page, re.DOTALL)
    assert re.search(
        r'<span class="jars"[^>]*aria-label="two jars".*?data-enlarge="about-oil".*?<span class="tile">', page
    )
    details = page[page.index("k-more") :]
    for part in (
        'k-figures foot"',
        "began",
        'data-enlarge="regions"',
        "<b>3</b>",
        'class="k-back old"',
        "k-tokens",
        'data-enlarge="k-c1"',
    ):
        assert part in details, part


def test_a_panel_is_drawn_once_for_its_key_and_the_names(client: TestClient) -> None:
    first = draw(client, "{{ k.seat_panel(panel) }}", panel=make_panel(2))
    changed = make_panel(2)
    changed.figures = SeatFigures((SeatFigure("six cards", 6, "hand"),))
    assert draw(client, "{{ k.seat_panel(panel) }}", panel=changed) == first
    changed.key = (3,)
    assert "six cards" in draw(client, "{{ k.seat_panel(panel) }}", panel=changed)


def test_a_panel_has_a_button_while_the_question_names_the_seat(client: TestClient) -> None:
    closed = draw(client, "{{ k.seat_panel(panel) }}", panel=make_panel())
    asked = draw(client, "{{ k.seat_panel(panel) }}", panel=make_panel(), offers={"to 1": OFFER})
    assert "k-act" not in closed
    assert re.search(r'<button class="choose can k-act give"[^>]*value="to 1"', asked)


def test_a_game_adds_a_drawing_of_its_own_to_a_panel(client: TestClient) -> None:
    page = draw(client, "{{ k.seat_panel(panel, '<i>codex</i>' | safe) }}", panel=make_panel())
    assert page.rindex("<i>codex</i>") > page.index("k-more")


def test_brief_figures_are_in_one_line(client: TestClient) -> None:
    page = draw(client, "{{ k.brief_figures(panel) }}", panel=make_panel()).strip()
    assert page.startswith('<div class="k-figures brief">')
    assert page.count('class="k-figure"') == 1


def test_the_result_names_ranks_totals_and_reasons(client: TestClient) -> None:
    places = [RankedSeat(1, 1, 41), RankedSeat(0, 2, 30, ("11 behind",), is_faint=True)]
    page = draw(client, "{{ k.ranking(places) }}", places=places)
    winner, loser = page.split("<li")[1:]
    assert 'class="is-won"' in winner
    assert ">41</span>" in winner
    assert "(vous)" in winner
    assert "<small>11 behind</small>" in loser
    assert '"big num is-bots">30<' in loser
    assert "rang 2" in loser
    without_points = draw(client, "{{ k.ranking(places) }}", places=[RankedSeat(0, 1), RankedSeat(1, 2)])
    assert without_points.count("laurel") == 1
    assert "big num" not in without_points


def test_a_score_sheet_marks_the_leader_of_each_line(client: TestClient) -> None:
    lines = [ScoreLine("coins", [3, 5]), ScoreLine("cards", [2, 2]), ScoreLine("Total", [5, 7])]
    sheet = ScoreSheet("By reason", lines, has_total=True, has_leads=True)
    page = draw(client, "{{ k.score_sheet(sheet) }}", sheet=sheet)
    coins, cards, total = page[page.index("<tbody") :].split('<th scope="row">')[1:]
    assert "Ben a 2 d’avance" in coins
    assert re.search(r'<td class="num me lead">5</td>', coins)
    assert "avance" not in cards
    assert page.count('<tr class="sum">') == 1
    assert "7" in total
    plain = draw(client, "{{ k.score_sheet(sheet) }}", sheet=ScoreSheet("By reason", lines))
    assert "by num" not in plain
    assert "sum" not in plain


def test_a_score_sheet_has_columns_of_its_own_for_each_seat(client: TestClient) -> None:
    groups = [ScoreGroup(1, 12, [("Temple", ["3 × 4", 12])]), ScoreGroup(0, -1, [])]
    sheet = SeatScoreSheet("By building", ["dots × age", "points"], groups, "none")
    page = draw(client, "{{ k.seat_score_sheet(sheet) }}", sheet=sheet)
    ben, ann = page.split("<tbody>")[1:]
    assert re.search(r'Temple</th><td class="num">3 × 4</td><td class="num">12</td>', ben)
    assert "−1" in ann
    assert "none" in ann


def test_awards_list_the_cards_that_won(client: TestClient) -> None:
    awards = [Award("crown", "Royalty", [AwardShare([0, 1], 2, [CardFace("the ace"), CardFace("the king")])])]
    page = draw(client, "{{ k.awards(awards) }}", awards=awards)
    assert "Cartes du vainqueur" in page
    assert page.count("k-entry") == 2
    assert "<b>Ann</b>" in page
    assert draw(client, "{{ k.awards([]) }}").strip() == ""


def test_the_description_of_a_piece_names_its_rules(client: TestClient) -> None:
    part = Description("about-pawn", "pawn", "Pawn", Message("It moves."), ("KP-1.1", "KP-1.2"))
    page = draw(client, "{{ k.description(part) }}", part=part)
    assert re.search(
        r'<template id="about-pawn">.*#pawn".*<h2>Pawn</h2>.*It moves\..*KP-1\.1.*KP-1\.2', page, re.DOTALL
    )


def test_a_pile_shows_its_sign_and_its_own_tip(client: TestClient) -> None:
    pile = Pile("Stock", 9, sign="coin", text="nine coins", enlarged_id="about-coin")
    page = draw(client, "{{ k.stock(pile) }}", pile=pile)
    assert re.search(r'aria-label="nine coins".*data-enlarge="about-coin".*#coin"/></svg></i><b>9</b>', page, re.DOTALL)


def test_the_first_matching_option_is_used() -> None:
    assert find_offer(("play a", "use a"), {"use a": 1, "play b": 2}) == 1
    assert find_offer((), {"use a": 1}) is None


@pytest.mark.parametrize("id", list_games())
def test_every_game_has_a_panel_for_each_seat_on_table_and_wall(client: TestClient, id: str) -> None:
    """The page adds names, points and whose turn it is; a wall shows the first line of each panel."""
    company = Visitors(client, id, 3)
    for viewer in (0, NOBODY):
        page = company.browsers[viewer].get(company.path)
        seats = page[page.index('data-live="seats"') :].split('<article class="player')[1:4]
        assert [seat.count('<div class="k-seat ') for seat in seats] == [1, 1, 1]
        assert all(seat.index("k-figures", seat.index("k-seat")) for seat in seats)
        assert sum(" is-turn" in seat[:40] for seat in seats) == 1
    wall = company.browsers[0].get(f"{company.path}/wall")
    assert wall.count('<div class="k-seat ') == 3
    assert 'class="rail seats k-wall"' in wall
