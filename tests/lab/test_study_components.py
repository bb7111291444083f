"""Tests of components in a study: names, intervals by deal, and the cost of playing without them."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.matches import list_our_games
from tests.shell import Shell
from tests.slow import mark_slow_except
from tests.toy import TOY
from triclinium.bots import ask_bot, create_bot
from triclinium.bots.base import build_restriction
from triclinium.bots.core.value import find_best_option, finish_action
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.registry import list_games, load_game
from triclinium.lab.study import Study, run
from triclinium.lab.study.bans_and_ladders import find_option_components, parse_component
from triclinium.lab.study.comparison_plan import make_comparison_plan
from triclinium.lab.study.components import ComponentReport
from triclinium.lab.study.console import format_result
from triclinium.lab.study.plan import COMPONENTS_EVERY
from triclinium.lab.study.report_text import make_lab_reader, render_text
from triclinium.lab.study.store import add_component_names
from triclinium.lab.study.summary import StudyResult

STUDY = Study("figs", seats=3, bots=("greedy",), also=(), matches=60, replays=0, seed=7, looks=1, all_components=True)


@pytest.fixture(scope="module")
def finished_study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyResult]:
    """Yield one study for several tests."""
    patch = pytest.MonkeyPatch()
    patch.setattr("triclinium.engine.registry._loaded", {"figs": TOY})
    yield run.run_study(STUDY, tmp_path_factory.mktemp("study") / "figs")
    patch.undo()


def read_components(done: StudyResult) -> pl.DataFrame:
    return pl.read_parquet(done.folder / "things.parquet")


# -- what is noted, and how it is called ----------------------------------------------------------------------------


def test_all_components_are_recorded_in_every_deal(figs: Game, finished_study: StudyResult) -> None:
    """Without the option this is every fourth deal, and the study's hash is unchanged."""
    assert read_components(finished_study)["match"].unique().sort().to_list() == list(range(60))
    assert finished_study.summary.component_matches == 60
    plan = make_comparison_plan(replace(STUDY, all_components=False))
    noted = [deal for deal in range(60) if plan.records_components(0, deal)]
    assert noted == list(range(0, 60, COMPONENTS_EVERY))
    assert plan.hash != make_comparison_plan(STUDY).hash


def test_every_row_of_the_table_names_its_item(finished_study: StudyResult) -> None:
    rows = read_components(finished_study).select("thing", "table", "id", "name").unique()
    assert rows.null_count().row(0) == (0, 0, 0, 0)
    for thing, table, id, name in rows.iter_rows():
        component = TOY.all_components[thing]
        assert (table, id, name) == (component.table, component.id, TOY.words.reader().format_arg(component.name))


@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_table_and_id_identify_all_components(game: Game) -> None:
    """Names are not unique: four cards of Portals are called "Region card"."""
    plan = make_comparison_plan(Study(game.id, bots=("random",), also=(), matches=10, replays=0))
    numbers = list(range(len(game.all_components)))
    schema = {"match": pl.Int32, "seat": pl.Int8, "thing": pl.Int32}
    columns = {"match": [0] * len(numbers), "seat": [0] * len(numbers), "thing": numbers}
    rows = pl.DataFrame(columns, schema=schema).with_columns(offered=1, taken=1, held=1)
    named = add_component_names(plan, rows)
    assert named.select("table", "id").is_duplicated().sum() == 0
    assert named["thing"].to_list() == numbers
    assert "" not in named["name"].to_list()
    if game.id == "portals":
        assert named.filter(pl.col("name") == "Region card")["id"].to_list() == ["R1", "R2", "R3", "R4"]


def test_page_terminal_and_json_show_intervals_and_deals(finished_study: StudyResult) -> None:
    """With --all-components every card has a row with id, 95% intervals and numbers of deals."""
    page = (finished_study.folder / run.REPORT_FILE).read_text(encoding="utf-8")
    told = json.loads((finished_study.folder / run.SUMMARY_FILE).read_text(encoding="utf-8"))["things"]
    english = make_lab_reader(finished_study.game, "en")
    text, french = (
        format_result(finished_study, english),
        format_result(finished_study, make_lab_reader(finished_study.game, "fr")),
    )
    assert len(told) == len(finished_study.summary.things) == len(TOY.all_components)
    for one, data in zip(finished_study.summary.things, told, strict=True):
        assert f'<span class="soft">{one.address}</span>' in page
        assert f"[{one.address}]: taken {100 * one.taken_share.value:.0f}% (95% CI " in text
        assert f"n = {one.taken_share.n})" in text
        assert f"[{one.address}]" in french
        assert (data["name"], data["id"]) == (render_text(one.name, english), one.id)
        assert data["taken_share"]["n"] == one.taken_share.n
        if one.takers is not None:
            assert data["takers"]["won"].keys() == {"value", "low", "high", "n", "error", "method"}
    assert sum(one.takers is not None for one in finished_study.summary.things) > 4
    assert "IC à 95" in french


def test_intervals_of_components_are_by_deal(finished_study: StudyResult) -> None:
    """The share of wins of players who took a card follows the definition, with residuals added up within a deal."""
    rows = read_components(finished_study).join(
        pl.read_parquet(finished_study.folder / "seats.parquet"), on=["match", "seat"]
    )
    one: ComponentReport = finished_study.summary.things[0]
    took = rows.filter((pl.col("thing") == 0) & (pl.col("taken") > 0))
    share = took["share"].to_numpy()
    residuals = (
        took.with_columns(residual=pl.col("share") - share.mean()).group_by("match").agg(pl.col("residual").sum())
    )
    n = len(residuals)
    error = np.sqrt((residuals["residual"].to_numpy() ** 2).sum() * n / (n - 1)) / len(share)
    assert one.takers is not None
    assert (one.takers.seats, one.takers.won.n) == (len(share), n)
    assert one.takers.won.value == pytest.approx(share.mean(), abs=1e-6)
    assert one.takers.won.error == pytest.approx(float(error), rel=1e-6)
    offers = rows.filter(pl.col("thing") == 0)
    assert one.taken_share.value == pytest.approx(offers["taken"].to_numpy().sum() / offers["offered"].to_numpy().sum())


def test_highlighted_rows_are_the_findings(finished_study: StudyResult) -> None:
    sides = [side for one in finished_study.summary.things for side in (one.takers, one.holders) if side is not None]
    judged = [side for side in sides if side.above_fair is not None]
    assert judged
    for side in judged:
        assert side.differ_from_fair == (side.p < 0.05)
        assert side.above_fair is not None
        assert side.above_fair.value == pytest.approx(side.won.value - 1 / 3)


# -- restricted play ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "portals", "testoftime"))
def test_a_seat_never_takes_a_banned_component(id: str) -> None:
    """The seat never takes the most frequent component of each table unless nothing else is left."""
    game = load_game(id)
    seats, rng = game.seats[0], Rng(3)
    offered: Counter[int] = Counter()
    s, free = game.deal(seats, 5), create_bot("random", game)
    while not s.over:
        offered.update(n for o in s.legal for n in game.option_components(s, o))
        s.choose(ask_bot(free, s, rng).option)
    tables = {game.all_components[n].table: n for n, _ in reversed(offered.most_common())}
    banned = list(tables.values())
    bannable = {one.table for one in find_option_components(game, seats)}
    assert set(tables) <= bannable
    met = 0
    for name in ("random", "greedy", "steady"):
        player, s = create_bot(name, game), game.deal(seats, 5)
        for _ in range(150):
            if s.over:
                break
            legal = [o for o in s.legal if not set(game.option_components(s, o)) & set(banned)]
            if s.who:
                s.choose(ask_bot(free, s, rng).option)
                continue
            met += 0 < len(legal) < len(s.legal)
            answer = ask_bot(player, s, rng, forbidden_components=banned)
            assert not answer.fault, answer
            assert answer.option in (legal or s.legal)
            s.choose(answer.option)
    assert met > 3


def test_a_banned_card_is_not_planned() -> None:
    """AE-6.2  A Tradition is finished without the banned card, although its option names only a place."""
    game = load_game("evangelists")
    s = game.deal(3, 7, {"stenographer": 0})
    for text in ("start rome", "start ephesus", "start antioch", "tradition"):
        s.play(game.read(text))
    ai, weights = game.evaluator, game.weights.values
    wanted = find_best_option(ai, s, 0, weights)
    (card,) = game.option_components(s, wanted)
    never = build_restriction(game, (), (card,))
    assert wanted not in never.filter_options(s, s.legal)
    assert card not in game.option_components(s, find_best_option(ai, s, 0, weights, never))
    kept = []
    for without in (None, never):
        after = s.clone()
        finish_action(ai, after, 0, weights, 500, without)
        kept.append(card - game.component_index("tradition", 0) in after.slots[0])  # type: ignore[attr-defined]  # of Evangelists
    assert kept == [True, False]


def test_the_cost_of_a_card_is_measured_on_the_same_deals(figs: Game, tmp_path: Path) -> None:
    """The control edition has no ban. The difference is by deal, with an interval for the list, in every output."""
    study = Study(
        "figs", kind="ban", seats=3, bots=("greedy",), also=("random",), matches=60, banned_cards=("c9", "fig:c0")
    )
    done = run.run_study(study, tmp_path / "ban")
    arms = done.summary.arms
    named = [(arm.arm.component, arm.arm.check) for arm in arms]
    address = [parse_component(TOY, 3, one, ("card",)) for one in ("c9", "fig 0")]
    assert named == [(one, check) for check in (False, True) for one in (*address, "")]
    free = arms[2]
    assert free.ban is None
    for arm in arms[:2]:
        assert arm.ban is not None
        assert (arm.focus.n, arm.ban.difference.n, arm.matches) == (20, 20, 60)
        assert arm.ban.difference.value == pytest.approx(arm.focus.value - free.focus.value)
        assert arm.ban.offered is not None
        assert arm.ban.forced == 0
        assert 0 < arm.ban.offered <= 60
    text = format_result(done, make_lab_reader(done.game, "en"))
    assert f"({address[0]}) (greedy): " in text
    assert "; compared with unrestricted play " in text
    page = (tmp_path / "ban" / run.REPORT_FILE).read_text(encoding="utf-8")
    assert address[0] in page
    again = run.rebuild_report(tmp_path / "ban")
    assert [arm.ban for arm in again.summary.arms] == [arm.ban for arm in arms]


def test_a_ban_that_changes_no_match_is_not_exact(figs: Game, tmp_path: Path) -> None:
    """Greedy bots do not resign. A difference of 0 in all deals still has an interval."""
    study = Study("figs", kind="ban", seats=2, bots=("greedy",), also=(), matches=20, verbs=("resign",))
    arm = run.run_study(study, tmp_path / "none").summary.arms[0]
    assert arm.ban is not None
    assert arm.ban.difference.value == 0
    assert -0.3 < arm.ban.difference.low < 0 < arm.ban.difference.high < 0.3


@pytest.mark.parametrize(
    ("game_id", "text", "shapes", "found"),
    [
        ("portals", "g02", ("card",), "card G02"),
        ("portals", "The Ark Lands on Mount Ararat", ("card",), "card G02"),
        ("portals", "samaria", ("place",), "place samaria"),
        ("evangelists", "tradition:7", ("card",), "tradition 7"),
        ("ierusalem", "card r01", ("card",), "card r01"),
        ("missionnaires", "lyo", ("place",), "space lyo"),
        ("testoftime", "temple", ("card",), "kind temple"),
    ],
)
def test_a_component_is_named_by_id_or_name(game_id: str, text: str, shapes: tuple[str, ...], found: str) -> None:
    game = load_game(game_id)
    assert parse_component(game, game.seats[0], text, shapes) == found


def test_an_unknown_component_names_the_nearest(figs: Game, shell: Shell, tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match=r"no option of figs takes a component 'c10'; did you mean 'c1'\?"):
        parse_component(TOY, 3, "c10", ("card",))
    said = shell.refused("study", "ban", "figs", "--cards", "nothing", "--to", str(tmp_path / "x"))
    assert "no option of figs takes a component 'nothing'" in said
    assert "--cards list" in said
    listed = shell.run("study", "ban", "figs", "--cards", "list").out
    assert len(listed.splitlines()) == len(find_option_components(TOY, 3))
