"""Tests of the arena: balanced seats, shared deals, correct figures, and faults by name."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from triclinium.cli.main import main
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.record import Record
from triclinium.engine.registry import load_game
from triclinium.lab.arena import ArenaMatch, BotFault, Tournament, play_tournament
from triclinium.lab.arena_chart import draw_arena_chart
from triclinium.lab.ratings import build_arena_report, compute_wilson_interval, rank_bots, rate_bots
from triclinium.lab.report import format_arena

GAME = "evangelists"


def arena_match(
    number: int, bots: list[str], ranks: list[int], totals: list[int | None], faults: list[BotFault] | None = None
) -> ArenaMatch:
    n = len(bots)
    return ArenaMatch(number, bots, ranks, totals, [10] * n, [1.0] * n, [0.2] * n, faults or [], "")


def test_everyone_sits_everywhere_equally_often() -> None:
    for bots, seats in ((("a", "b"), 2), (("a", "b"), 3), (("a", "b", "c"), 2), (("a", "b", "b", "b"), 4)):
        seatings = Tournament(GAME, bots, 1, seats, 1).list_seatings()
        for place in range(seats):
            here = [table[place] for table in seatings]
            share = {name: bots.count(name) / len(bots) for name in bots}
            assert {name: here.count(name) / len(here) for name in bots} == pytest.approx(share)


def test_more_bots_than_seats_all_meet() -> None:
    pairs = {frozenset(table) for table in Tournament(GAME, ("a", "b", "c"), 1, 2, 1).list_seatings()}
    assert pairs == {frozenset("ab"), frozenset("ac"), frozenset("bc")}


def test_a_bot_named_twice_does_not_meet_itself() -> None:
    """With more names than seats, every pair is played except a bot with itself."""
    tables = Tournament(GAME, ("a", "b", "b"), 1, 2, 1).list_seatings()
    assert {frozenset(table) for table in tables} == {frozenset("ab")}


def test_seatings_share_their_deals_and_records_replay() -> None:
    tournament = Tournament(GAME, ("greedy", "random"), 4, 2, 5)
    played = list(play_tournament(tournament))
    records = [Record.loads(one.record) for one in played]
    places = len(tournament.list_seatings())
    assert records[0].seed == records[places - 1].seed
    for one, record in zip(played, records, strict=True):
        assert [score.total for score in record.find_game(None).scores(record.replay())] == one.totals


def test_workers_play_the_same_matches() -> None:
    tournament = Tournament(GAME, ("greedy", "random"), 3, 2, 6)
    assert [one.record for one in play_tournament(tournament)] == [
        one.record for one in play_tournament(tournament, workers=2)
    ]


def test_shares_split_ties_and_count_all_seats_of_a_bot() -> None:
    played = [
        arena_match(0, ["a", "b", "b"], [1, 1, 3], [9, 9, 3]),
        arena_match(1, ["b", "a", "b"], [2, 1, 3], [5, 8, 3]),
    ]
    table = {one["bot"]: one for one in rank_bots(played)}
    assert table["a"]["share"] == 0.75
    assert table["b"]["share"] == 0.25
    assert (table["b"]["seats"], table["b"]["mean_score"]) == (4, 5.0)
    assert (table["a"]["margin"], table["b"]["margin"]) == (1.5, -1.5)
    assert table["a"]["seconds"] == pytest.approx(0.1)


def test_an_interval_covers_the_share() -> None:
    low, high = compute_wilson_interval(0.65, 100)
    assert (low, high) == pytest.approx((0.5525, 0.7364), abs=1e-4)
    assert compute_wilson_interval(1.0, 20)[1] == pytest.approx(1.0)
    assert compute_wilson_interval(1.0, 20)[0] == pytest.approx(0.8389, abs=1e-4)


def test_ratings_follow_the_wins() -> None:
    ratings = rate_bots([arena_match(i, ["a", "b", "c"], [1, 2, 3], [3, 2, 1]) for i in range(10)])
    assert ratings["a"][0] > ratings["b"][0] > ratings["c"][0]
    assert ratings["a"][1] < 8.3


def test_errors_of_bots_are_counted_by_name() -> None:
    tournament = Tournament(GAME, ("a", "b"), 1, 2, 1)
    fault = BotFault(0, 7, "b", "illegal", "999 is not one of [1]")
    report = build_arena_report(tournament, [arena_match(0, ["a", "b"], [1, 2], [3, 2], [fault])], 1.0)
    assert {one["bot"]: one["faults"] for one in report["standings"]} == {"a": 0, "b": 1}
    text = format_arena(report)
    assert "b failed in match 0, move 7: illegal (999 is not one of [1])" in text
    assert "not played equally often" in text


def test_the_drawing_is_svg_and_names_every_bot() -> None:
    tournament = Tournament(GAME, ("a<b", "c"), 2, 2, 1)
    played = [arena_match(i, ["a<b", "c"], [1, 2], [3, 2]) for i in range(2)]
    root = ElementTree.fromstring(draw_arena_chart(build_arena_report(tournament, played, 1.0)))
    texts = "".join(text for element in root.iter() for text in (element.text or "",))
    assert "a<b: 100.0 %" in texts
    assert "c: 0.0 %" in texts


def test_the_command_writes_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "arena"
    arguments = ["arena", GAME, "--bots", "greedy,random", "--matches", "2", "--seed", "4", "--out", str(folder)]
    assert main([*arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["played"] == 2
    assert {one["bot"] for one in report["standings"]} == {"greedy", "random"}
    assert sorted(path.name for path in folder.iterdir()) == ["00000.txt", "00001.txt", "arena.json", "arena.svg"]
    edited = tmp_path / "mine.toml"
    edited.write_text(load_game(GAME).file.with_changes({"scoring.theme_bonus": 9}).to_toml_text(), encoding="utf-8")
    assert main([*arguments, "--components", str(edited)]) == 0
    assert "95 % interval" in capsys.readouterr().out
    played = Record.loads((folder / "00000.txt").read_text(encoding="utf-8"))
    assert played.components == load_game(GAME, edited).hash != load_game(GAME).hash


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        (("greedy",), "an arena needs two different bots"),
        (("greedy", "gredy"), "there is no bot 'gredy'; did you mean 'greedy'"),
        (("strong@fast", "greedy"), "a budget is given as 300ms"),
    ],
)
def test_impossible_plans_are_refused(bots: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        Tournament(GAME, bots, 2, 2, 1).check()
