"""Tests of the other data of a study: holdings, running points, choices, replays of a deal, and fitted bots."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.matches import list_our_games
from tests.toy import TOY, cards
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.games.evangelists.game import GAME as EVANGELISTS
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists
from triclinium.lab.study import match_tables, refit, run
from triclinium.lab.study.arrays import load_arms
from triclinium.lab.study.comparison_plan import make_comparison_plan
from triclinium.lab.study.deal_luck import estimate_explained_share
from triclinium.lab.study.figures import FIGURE_KINDS, SHARE
from triclinium.lab.study.final_holdings import find_holdings
from triclinium.lab.study.match_tables import CHANCE_STEPS, TableBuilder
from triclinium.lab.study.plan import StudyArm
from triclinium.lab.study.schema import CHANCE_SCALE
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.store import StudyFolder
from triclinium.lab.study.study_file import EditionRequest, Study
from triclinium.lab.study.summary import StudyResult
from triclinium.lab.study.worker import play_part, play_study_match

RICH = EditionRequest("rich", {"game.coins": 9})
STUDY = Study(
    "figs", seats=3, bots=("greedy",), also=(), matches=10, replays=10, editions=(RICH,), seed=7, every_choice=True
)

pytestmark = pytest.mark.usefixtures("figs")


@pytest.fixture(scope="module")
def finished_study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyResult]:
    """Yield one study for several tests."""
    patch = pytest.MonkeyPatch()
    patch.setattr("triclinium.engine.registry._loaded", {"figs": TOY})
    yield run.run_study(STUDY, tmp_path_factory.mktemp("study") / "deep")
    patch.undo()


def table(done: StudyResult, name: str) -> pl.DataFrame:
    return pl.read_parquet(done.folder / f"{name}.parquet")


# -- what is noted ----------------------------------------------------------------------------------------------------


def test_every_choice_is_a_row_with_all_its_options(finished_study: StudyResult) -> None:
    """With `--every-choice` each decision is a row with the chosen option and all others."""
    decisions, matches = table(finished_study, "decisions"), table(finished_study, "matches")
    assert len(decisions) == int(matches["decisions"].to_numpy().sum())
    assert all(taken in options for taken, options in decisions.select("taken", "options").iter_rows())
    asked = decisions.filter(pl.col("options").list.len() > 1).group_by("match", "seat").agg(pl.len())
    seats = table(finished_study, "seats").filter(pl.col("asked") > 0)
    counted = {(match, seat): times for match, seat, times in asked.iter_rows()}
    noted = seats.select("match", "seat", "asked").iter_rows()
    assert counted == {(match, seat): times for match, seat, times in noted}


def test_choices_are_recorded_in_some_deals(finished_study: StudyResult, tmp_path: Path) -> None:
    """LAB-13  A large edition records every fourth deal, a small one enough for a hundred, and replays none."""
    whole = StudyArm(0, ("greedy",), deals=1000)
    assert [deal for deal in range(12) if whole.records_choices(deal)] == [0, 4, 8]
    assert [replace(whole, deals=n).records_choices(3) for n in (199, 250, 399, 400)] == [True, False, True, False]
    assert not any(replace(whole, again=1).records_choices(deal) for deal in range(4))
    assert [arm.noted for arm in finished_study.summary.arms] == [10, 10, 0, 0]
    study = replace(STUDY, bots=("random",), matches=200, replays=0, looks=1, editions=(), every_choice=False)
    half = run.run_study(study, tmp_path / "half")
    assert not (half.folder / "decisions.parquet").exists()  # This table needs `--every-choice`.
    assert table(half, "choices")["match"].unique().sort().to_list() == list(range(0, 200, 2))
    seats = table(half, "seats").filter(pl.col("match") % 2 == 0)
    assert table(half, "choices")["taken"].to_numpy().sum() == seats["asked"].to_numpy().sum()
    told = half.summary.main_arms[0]
    assert (told.noted, told.matches) == (100, 200)
    assert sum(one.times for one in told.asked) == pytest.approx(float(seats["asked"].to_numpy().sum()) / 100)
    page = (half.folder / run.REPORT_FILE).read_text(encoding="utf-8")
    assert "Choices were recorded in 100 of 200 matches." in page
    assert "Choices were recorded in" not in (finished_study.folder / run.REPORT_FILE).read_text(encoding="utf-8")


def test_win_probabilities_are_recorded_precisely(finished_study: StudyResult) -> None:
    """LAB-13  Probabilities are stored in thousandths, four in a number, so that tables are small."""
    moments = table(finished_study, "moments")
    assert set(moments["chance"].to_list()) <= set(range(0, CHANCE_SCALE + 1, CHANCE_SCALE // CHANCE_STEPS))
    sums = moments.group_by("match", "moment").agg(pl.col("chance").sum())["chance"]
    assert sums.is_between(CHANCE_SCALE - 10, CHANCE_SCALE + 10).all()
    folder, _ = run.reopen_study(finished_study.folder)
    chances = load_arms(folder, 10)[0].moments.chances
    assert (chances.min(), chances.max()) == (0, 1)


def test_a_study_of_an_older_format_continues(tmp_path: Path) -> None:
    """Old parts have one column for each probability. An old and a new part become one table."""
    study = replace(STUDY, bots=("random",), matches=20, replays=0, looks=1, editions=(), every_choice=False)
    folder = StudyFolder(tmp_path / "begun", run.make_plan(study))
    folder.open(study)
    folder.save_part(0, play_part(folder.plan, 0))
    path = folder.path / "parts" / "0000" / "moments.parquet"
    earlier = pl.read_parquet(path).with_columns(chance=(pl.col("chance") / CHANCE_SCALE).cast(pl.Float32))
    earlier.write_parquet(path)
    begun = run.run_study(study, folder.path)
    whole = run.run_study(study, tmp_path / "whole")
    assert table(begun, "moments").equals(table(whole, "moments"))


def test_small_shares_keep_their_decimals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LAB-13  A match with too many choices is stored without tenths. Offers and choices are the same."""
    study = replace(STUDY, bots=("random",), matches=2, replays=0, editions=(), looks=1, every_choice=False)
    fine = table(run.run_study(study, tmp_path / "fine"), "choices")
    monkeypatch.setattr(match_tables, "MAX_CHOICES", 0)
    coarse = table(run.run_study(study, tmp_path / "coarse"), "choices")
    assert fine["tenth"].is_between(0, 9).all()
    assert coarse["tenth"].is_null().all()
    by = ["match", "seat", "step", "option"]
    summed = fine.group_by(by).agg(pl.col("offered").sum(), pl.col("taken").sum())
    assert summed.sort(by).rows() == coarse.drop("tenth").sort(by).rows()


def test_current_points_are_recorded(finished_study: StudyResult) -> None:
    """At the last moment of a match they are its result."""
    moments, seats = table(finished_study, "moments"), table(finished_study, "seats")
    last = moments.filter(pl.col("moment") == pl.col("moment").max().over("match"))
    both = last.join(seats, on=["match", "seat"])
    assert both["total"].to_list() == both["total_right"].to_list()
    assert moments["total"].n_unique() > 5


def test_final_holdings_are_recorded(finished_study: StudyResult) -> None:
    """In Figs a seat holds its hand, as the view alone shows."""
    plan = run.make_plan(STUDY)
    notes = TableBuilder()
    match = play_study_match(plan, plan.find_match(0), notes)
    rows = notes.make_frame("things").filter(pl.col("held") > 0)
    hands = getattr(match.last, "hands")  # noqa: B009
    expected = {(seat, card) for seat, hand in enumerate(hands) for card in cards(hand)}
    assert set(rows.select("seat", "thing").iter_rows()) == expected
    assert any(one.held for one in finished_study.summary.things)
    owners = [side for one in finished_study.summary.things for side in (one.takers, one.holders) if side is not None]
    assert owners
    assert all(0 <= side.won.low <= side.won.value <= side.won.high <= 1 for side in owners)


def play_random_match(game: Game, seats: int) -> State:
    """A match of random bots, over."""
    s, rng = game.deal(seats, 3), Rng(3)
    player = create_bot("random", game)
    while not s.over:
        s.choose(choose_option(player, s, rng))
    return s


def test_holdings_are_found_in_any_view() -> None:
    """Each of our games names the holdings of its seats. In evangelists these are the gospel and its parts."""
    for game in list_our_games():
        s = play_random_match(game, game.seats[0])
        found = [find_holdings(game.view(s, seat), seat) for seat in range(s.seats)]
        assert all(
            game.all_components[game.component_index(kind, n)].table == kind for own in found for kind, n in own
        ), game.id
        assert any(found), game.id
    s = play_random_match(EVANGELISTS, 3)
    assert isinstance(s, Evangelists)
    for seat in range(3):
        own = Counter(n for kind, n in find_holdings(EVANGELISTS.view(s, seat), seat) if kind == "tradition")
        assert own == Counter(card for card in s.slots[seat] if card != EMPTY)


def test_the_course_of_evangelists_is_recorded_by_turns() -> None:
    """AE-2.2  Each player has a turn in each round. Progress never decreases and has more steps than rounds."""
    s, rng, player = EVANGELISTS.deal(3, 5), Rng(5), create_bot("random", EVANGELISTS)
    told: list[float] = []
    while not s.over:
        told.append(EVANGELISTS.progress(s))
        s.choose(choose_option(player, s, rng))
    assert told == sorted(told)
    assert (told[0], EVANGELISTS.progress(s)) == (0.0, 1.0)
    assert len(set(told)) == 3 * EVANGELISTS.round(s)


# -- luck of the deal -------------------------------------------------------------------------------------------------


def test_a_replay_has_the_same_deal_and_other_random_numbers(finished_study: StudyResult) -> None:
    """The hands at the first choice are equal, and the matches then differ."""
    plan = run.make_plan(STUDY)
    arms = [i for i, arm in enumerate(plan.arms) if arm.again]
    assert [(plan.arms[i].again, plan.arms[i].deals) for i in arms] == [(1, 10), (2, 10)]
    matches = table(finished_study, "matches").filter(pl.col("deal") < 10)
    same = [matches.filter(pl.col("arm") == i).sort("deal") for i in (0, *arms)]
    assert same[0]["first"].to_list() == same[1]["first"].to_list()
    digests = [set(one["digest"].to_list()) for one in same]
    assert len(digests[0] | digests[1] | digests[2]) > 20
    found = finished_study.summary.replayed
    assert found is not None
    assert (found.deals, found.times, set(found.explained)) == (10, 3, {"wins", "winner", "decisions"})
    assert [one.arm.edition for one in finished_study.summary.main_arms] == [0, 1]
    assert "Les mêmes donnes ont été rejouées" in (finished_study.folder / run.REPORT_FILE).read_text(encoding="utf-8")


def test_the_variance_explained_by_the_deal_is_estimated() -> None:
    """The share is 1 for a figure of the deal alone, 0 for an independent one, and 1/2 for a sum of both."""
    rng = np.random.default_rng(1)
    deal = np.repeat(rng.normal(size=(400, 1, 1)), 3, axis=1)
    noise = rng.normal(size=(400, 3, 1))
    assert estimate_explained_share(deal, 1).value == pytest.approx(1.0)
    nothing = estimate_explained_share(noise, 1)
    assert nothing.low == 0.0
    assert nothing.high < 0.1
    half = estimate_explained_share(deal + noise, 1)
    assert half.low < 0.5 < half.high
    assert (half.n, half.method) == (400, "bootstrap")


def test_a_tenth_of_the_deals_is_played_again() -> None:
    """Few replays are cheap, too few deals get none, and a study file may set the number."""
    plain = replace(STUDY, replays=None)
    assert [make_comparison_plan(replace(plain, matches=deals)).replayed_deals for deals in (100, 200, 1000, 9000)] == [
        0,
        20,
        100,
        200,
    ]
    assert make_comparison_plan(replace(plain, replays=30, matches=100)).replayed_deals == 30
    with pytest.raises(BadSetup, match="replays is a number of deals from 0"):
        make_comparison_plan(replace(plain, replays=-1))


# -- intervals --------------------------------------------------------------------------------------------------------


def test_shares_stay_between_0_and_1(finished_study: StudyResult) -> None:
    """An interval in percent stays within 0 and 100 and contains its value, however few the matches."""
    for arm in finished_study.summary.arms:
        shares: list[Estimate] = [arm.deal_says, arm.focus, *arm.places]
        shares += [one for name, one in arm.figures.items() if FIGURE_KINDS[name].unit == SHARE]
        for one in shares:
            assert 0 <= one.low <= one.value <= one.high <= 1


# -- bots that learn an edition ---------------------------------------------------------------------------------------


def test_bots_are_fitted_to_each_edition_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--refit` fits weights for each edition and stores them. A continued study uses the same weights."""
    for name, few in (("GENERATIONS", 1), ("PROPOSALS", 4), ("DATASET_MATCHES", 6)):
        monkeypatch.setattr(refit, name, few)
    study = replace(STUDY, refit=True, matches=10, replays=0, looks=1, every_choice=False)
    heard: list[tuple[str, int, int]] = []
    done = run.run_study(study, tmp_path / "fitted", on_generation=lambda *told: heard.append(told))
    assert heard == [("printed", 1, 1), ("rich", 1, 1)]
    weights = sorted(done.folder.glob("editions/*.weights.toml"))
    assert len(weights) == 2
    folder, _ = run.reopen_study(done.folder)
    assert folder.plan.hash == run.make_plan(study).hash
    assert folder.plan.load_edition_game(1).weights.values != TOY.weights.values
    assert TOY.weights.values == [1.0, 4.0]
    monkeypatch.setattr(refit, "learn_weights", None)
    run.run_study(study, done.folder)
    assert json.loads((done.folder / run.SUMMARY_FILE).read_text())["refitted"] is True
    assert "The bots were tuned for each edition before they played it," in (done.folder / run.REPORT_FILE).read_text(
        encoding="utf-8"
    )
    with pytest.raises(BadSetup, match="too many editions to fit bots"):
        run.make_plan(replace(study, kind="screen"))
    weights[0].unlink()
    with pytest.raises(BadSetup, match="have not been fitted"):
        run.rebuild_report(done.folder)
