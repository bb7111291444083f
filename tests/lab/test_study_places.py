"""Tests of the places of a report: counts by hand, maps of all games, and what readers without the map get."""

import json
import re
from collections import Counter

import polars as pl
import pytest

from tests.matches import list_our_games
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.lab.study import EditionRequest, Study, run_study
from triclinium.lab.study.place_maps import make_place_map, name_land_space, read_ground
from triclinium.lab.study.places import PlaceReport, find_chosen_places, make_place_board
from triclinium.lab.study.report_text import make_lab_reader, render_text
from triclinium.lab.study.sections import MIN_TIMES
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.summary import StudyResult

MATCHES = 32
STUDY = Study(
    "evangelists",
    seats=2,
    bots=("random",),
    also=(),
    matches=MATCHES,
    looks=1,
    seed=7,
    editions=(EditionRequest("four", {"game.octagons_per_turn": 4}),),
)


@pytest.fixture(scope="module")
def finished_study(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    return run_study(STUDY, tmp_path_factory.mktemp("places") / "study")


def test_choices_of_a_place_are_counted(finished_study: StudyResult) -> None:
    """The mean of a place is the number of options that name it, divided by the matches with recorded choices."""
    game = load_game("evangelists")
    choices = pl.read_parquet(finished_study.folder / "choices.parquet").filter(pl.col("taken") > 0)
    counts: list[Counter[tuple[str, str]]] = [Counter(), Counter()]
    for match, seat, option, taken in choices.select("match", "seat", "option", "taken").iter_rows():
        for key in find_chosen_places(game, option, seat, 2):
            counts[match % 2][key] += taken
    places = finished_study.summary.places
    assert len(places) == len(game.ids["place"])
    for place in places:
        for times, counted in zip(place.times, counts, strict=True):
            assert times.value == pytest.approx(counted[place.key] / MATCHES)
            assert times.n == MATCHES
        if place.difference is not None:
            assert place.difference.value == pytest.approx(place.times[1].value - place.times[0].value)
            assert place.difference.low < place.difference.value < place.difference.high
    assert any(place.difference is not None for place in places)
    values = [place.times[0].value for place in places]
    assert values == sorted(values, reverse=True)


def test_the_map_comes_with_a_table(finished_study: StudyResult) -> None:
    """Each drawing has a name. The table has every place in words, so nobody needs to see the map."""
    page = (finished_study.folder / "report.html").read_text(encoding="utf-8")
    section = page.partition('<section id="places">')[2].partition("</section>")[0]
    drawings = re.findall(r'<svg viewBox="0 0 1000 \d+" role="img" aria-labelledby="(places-[01d])">', section)
    assert drawings == ["places-0", "places-1", "places-d"]
    assert all(f'<h3 id="{id}">' in section for id in drawings)
    table = section.partition("<table")[2]
    reader = make_lab_reader(finished_study.game, "en")
    place_map = make_place_map(finished_study.game, 2, finished_study.summary.places)
    assert place_map is not None
    often = [place for place in finished_study.summary.places if place.times[0].value >= MIN_TIMES]
    assert len(often) > 8
    assert all(render_text(place_map.name(place), reader) in table for place in often)
    assert not re.search(r"(fill|stroke|style)=", section)  # colours come from the style sheet, so that dark mode works
    stored = json.loads((finished_study.folder / "summary.json").read_text(encoding="utf-8"))["places"]
    assert set(stored[0]) == {"table", "id", "times", "difference"}


@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_every_game_has_a_board(game: Game) -> None:
    """All places are inside the drawing, and options of random matches name some of them."""
    seats = game.seats[-1]
    board = make_place_board(game, seats)
    assert board is not None
    left, top, width, height = board.window
    for place in board.places:
        assert left <= place.x <= left + width
        assert top <= place.y <= top + height
    assert len({place.key for place in board.places}) == len(board.places) > 5
    named = {
        key
        for verb in game.verbs
        for o in range(verb.first, verb.first + verb.size)
        for key in find_chosen_places(game, verb.format_option(o), 0, seats)
    }
    assert {place.key for place in board.places} <= named
    assert bool(read_ground(game, board)) == bool(board.ground)


def test_spaces_of_lands_are_counted_from_the_own_land() -> None:
    """Without a map, the spaces of all lands are a grid, with the land of the player who chooses first."""
    game = load_game("testoftime")
    assert game.land_space("on 2", 1, 3) == (0, 2)
    assert game.land_space("at 0 3", 1, 3) == (2, 3)
    assert game.land_space("at 2 1", 1, 3) == (1, 1)
    assert game.land_space("at 4 1", 1, 3) is None
    assert game.land_space("create", 1, 3) is None
    board = make_place_board(game, 3)
    assert board is not None
    assert [place.key for place in board.places][:4] == [
        ("land", "0 1"),
        ("land", "0 2"),
        ("land", "0 3"),
        ("land", "1 1"),
    ]
    reader = make_lab_reader(game, "en")
    names = [name_land_space(land, 1)(reader) for land in range(3)]
    assert names == ["own space 1", "next player’s space 1", "space 1 of the player 2 seats on"]


def test_more_and_less_differ_in_shape() -> None:
    """More is a diamond, less is a ring, and an unclear difference is pale, so no meaning depends on colour alone."""

    def make_report(id: str, before: float, after: float, width: float) -> PlaceReport:
        times = [Estimate(value, value, value, 40, 0.1) for value in (before, after)]
        change = after - before
        return PlaceReport("place", id, times, Estimate(change, change - width, change + width, 40, 0.1))

    game = load_game("portals")
    ids = game.ids["place"]
    more, less, unclear = (str(ids[n]) for n in range(3))
    reports = [make_report(more, 1, 3, 1), make_report(less, 4, 2, 1), make_report(unclear, 1, 1.5, 1)]
    place_map = make_place_map(game, 2, reports)
    assert place_map is not None
    drawn = place_map.draw_difference("d")
    assert len(re.findall(r'<path d="M[^"]*z" class="pt b heat"/>', drawn)) == 1
    assert len(re.findall(r'<circle [^>]*class="ring heat"/>', drawn)) == 1
    assert len(re.findall(r'<path d="M[^"]*z" class="pt b heat faint"/>', drawn)) == 1
    times = place_map.draw_times(0, "t")
    radii = [float(r) for r in re.findall(r'r="([\d.]+)" class="pt a heat"', times)]
    assert radii[1] == pytest.approx(2 * radii[0], rel=0.01)  # four times as often has four times the area
