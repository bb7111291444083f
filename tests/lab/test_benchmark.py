"""Tests of the benchmark of bots: fixed deals, complete records, correct intervals, and verification."""

import gzip
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.shell import Shell
from triclinium.bots import list_bots
from triclinium.bots.registry import BOTS_VARIABLE
from triclinium.cli import benchmark as command
from triclinium.engine.core.errors import BadComponents, BadRecord, BadSetup
from triclinium.engine.registry import list_games, load_game
from triclinium.lab.benchmark import ladder as ladder_module
from triclinium.lab.benchmark.ladder import FILE, load_ladder
from triclinium.lab.benchmark.matches import (
    BenchmarkMatch,
    BenchmarkRun,
    RemainingTime,
    list_planned_matches,
    play_benchmark,
)
from triclinium.lab.benchmark.page import MARK, format_page_tables, main, read_rows
from triclinium.lab.benchmark.results import (
    Header,
    MatchLine,
    Results,
    compute_checksum,
    find_faults,
    read_results,
    write_lines,
)
from triclinium.lab.benchmark.scores import (
    compute_match_score,
    compute_scores,
    estimate_score,
)
from triclinium.lab.benchmark.verification import compare_scores, plan_rerun, repeat_matches

ROOT = Path(__file__).parents[2]
RUN = BenchmarkRun("greedy", 2, (("evangelists", ("random",)), ("testoftime", ("random",))))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a results file of four matches."""
    path = tmp_path_factory.mktemp("benchmark") / "greedy.jsonl"
    assert len(list(play_benchmark(RUN, path))) == 4
    return path


def make_line(
    ranks: list[int], seat: int, deal: int = 0, rival: str = "random", game: str = "evangelists"
) -> MatchLine:
    result: list[tuple[int, int | None]] = [(rank, None) for rank in ranks]
    return {
        "game": game,
        "rival": rival,
        "deal": deal,
        "seat": seat,
        "options": [],
        "result": result,
        "asked": 1,
        "seconds": 0.5,
        "faults": 0,
    }


def edit_results(path: Path, folder: Path, **changes: Any) -> Path:
    """Write a copy of a results file with changes in its first match."""
    results = read_results(path)
    first = {**results.lines[0], **changes}
    edited = folder / "edited.jsonl"
    write_lines(edited, [results.header, first, *results.lines[1:]], "w")  # type: ignore[list-item]
    return edited


# -- deals and ladder --------------------------------------------------------------------------------------------------


def test_the_deals_are_those_of_the_documented_formula() -> None:
    ladder = load_ladder()
    assert len(ladder.seeds) == 200
    for n, seed in enumerate(ladder.seeds):
        assert f"{seed:015x}" == hashlib.sha256(f"triclinium benchmark {ladder.version}/{n}".encode()).hexdigest()[:15]


def test_every_game_has_a_ladder_of_known_bots() -> None:
    ladder = load_ladder()
    assert sorted(game.id for game in ladder.games) == sorted(list_games())
    for game in ladder.games:
        assert game.seats == load_game(game.id).seats[0]
        words = [name.partition("@")[0].partition("+")[0] for name in (*game.ladder, *game.more)]
        assert set(words) <= {*list_bots(), command.OPENSPIEL_BOT}


def test_changed_deals_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = tmp_path / "deals.toml"
    changed.write_text(FILE.read_text().replace("casual", "novice", 1))
    monkeypatch.setattr(ladder_module, "FILE", changed)
    with pytest.raises(BadComponents, match=r"deals\.toml has been changed: its SHA-256 is"):
        load_ladder.__wrapped__()


def test_deals_and_seats_are_balanced() -> None:
    """Every rival meets the bot on the same deals, from every seat, deal by deal."""
    run = BenchmarkRun("greedy", 5, (("ierusalem", ("random", "novice")), ("portals", ("random",))))
    planned = run.list_matches()
    assert [match.deal for match in planned] == sorted(match.deal for match in planned)
    for game, rival, seats, deals in (
        ("ierusalem", "random", 3, 2),
        ("ierusalem", "novice", 3, 2),
        ("portals", "random", 2, 3),
    ):
        found = [(match.deal, match.seat) for match in planned if (match.game, match.rival) == (game, rival)]
        assert sorted(found) == [(deal, seat) for deal in range(deals) for seat in range(seats)]


def test_a_run_that_cannot_be_played_is_refused(tmp_path: Path) -> None:
    for run, message in (
        (BenchmarkRun("nobody", 2, RUN.rivals), "there is no bot 'nobody'"),
        (BenchmarkRun("greedy", 0, RUN.rivals), "nothing is to be played"),
        (BenchmarkRun("greedy", 2, (("chess", ("random",)),)), "the benchmark has no game 'chess'"),
        (BenchmarkRun("greedy", 402, RUN.rivals), "the benchmark has 200 deals"),
    ):
        with pytest.raises(BadSetup, match=message):
            list(play_benchmark(run, tmp_path / "none.jsonl"))
    assert not (tmp_path / "none.jsonl").exists()
    BenchmarkRun("greedy", 402, RUN.rivals, key=5).check()  # a key gives any number of deals


# -- results -----------------------------------------------------------------------------------------------------------


def test_an_interrupted_run_continues_where_it_was(played: Path, tmp_path: Path) -> None:
    """A half-written line is played again, and the result is the same as without an interruption."""
    whole = played.read_text().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(whole[:3]) + whole[3][:40])
    told: list[tuple[int, int, str]] = []
    list(play_benchmark(RUN, cut, progress=lambda done, total, left, match: told.append((done, total, match))))
    assert told == [(3, 4, "testoftime against random"), (4, 4, "testoftime against random")]
    assert [line["options"] for line in read_results(cut).lines] == [
        line["options"] for line in read_results(played).lines
    ]


def test_results_of_another_bot_are_not_continued(played: Path) -> None:
    with pytest.raises(BadSetup, match=r"greedy\.jsonl has results of another bot, other deals or other rules"):
        list(play_benchmark(BenchmarkRun("novice", 2, RUN.rivals), played))


def test_two_workers_play_the_same_matches(played: Path, tmp_path: Path) -> None:
    lines = list(play_benchmark(RUN, tmp_path / "two.jsonl", workers=2))
    assert [line["options"] for line in lines] == [line["options"] for line in read_results(played).lines]


def test_the_time_left_follows_from_each_rival() -> None:
    easy, hard = BenchmarkMatch("evangelists", "random", 0, 0), BenchmarkMatch("evangelists", "strong", 0, 0)
    clock = RemainingTime([easy, easy, hard, hard, hard], workers=2)
    assert clock.count_match(easy, 1.0) == pytest.approx((1 + 3) / 2)  # all rivals take the usual time
    assert clock.count_match(hard, 10.0) == pytest.approx((1 + 2 * 10) / 2)


def test_complete_results_have_no_faults(played: Path, tmp_path: Path) -> None:
    assert find_faults(read_results(played)) == []
    packed = tmp_path / "greedy.jsonl.gz"
    packed.write_bytes(gzip.compress(played.read_bytes()))
    assert read_results(packed) == read_results(played)
    assert compute_checksum(packed) == compute_checksum(played)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"options": [0]}, "line 2: option 1 of the match is not legal|line 2: the result is"),
        ({"result": [[1, 1], [2, 0]]}, r"line 2: the result is \[\[1, 1\], \[2, 0\]\], but the options give"),
        ({"deal": 1}, "line 2: "),
        ({"deal": 200}, "line 2: the benchmark has 200 deals"),
        ({"seat": 2}, "line 2: the ladder has no random for seat 2 of evangelists"),
        ({"rival": "greedy@9x"}, "line 2: the ladder has no greedy@9x"),
        ({"seat": 1}, "line 3: the same match is listed twice"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_faked_match_is_found(changes: dict[str, Any], message: str, played: Path, tmp_path: Path) -> None:
    faults = find_faults(read_results(edit_results(played, tmp_path, **changes)))
    assert len(faults) == 1
    with pytest.raises(BadRecord, match=message):
        raise BadRecord(faults[0])


def test_a_file_that_is_no_results_file_is_refused(tmp_path: Path) -> None:
    for content in ("", "hello\n", '{"format":9}\n'):
        path = tmp_path / "wrong.jsonl"
        path.write_text(content)
        with pytest.raises(BadRecord, match=r"not a results file|format 9 is not known"):
            read_results(path)
    with pytest.raises(BadRecord, match="cannot be read"):
        read_results(tmp_path / "absent.jsonl")


# -- scores ------------------------------------------------------------------------------------------------------------


def test_a_score_is_the_share_of_the_rivals_left_behind() -> None:
    assert compute_match_score(make_line([1, 2], 0)) == 1
    assert compute_match_score(make_line([1, 2], 1)) == 0
    assert compute_match_score(make_line([1, 1], 1)) == 0.5
    assert compute_match_score(make_line([2, 1, 3], 0)) == 0.5
    assert compute_match_score(make_line([1, 1, 3], 0)) == 0.75


def test_an_interval_counts_deals_and_not_matches_where_they_agree() -> None:
    """If both matches of a deal always end alike, there is only half as much information."""
    alike = estimate_score([[1.0, 1.0], [0.0, 0.0]] * 25)
    mixed = estimate_score([[1.0, 0.0]] * 50)
    assert (alike.value, mixed.value, alike.matches, mixed.matches) == (0.5, 0.5, 100, 100)
    assert alike.high - alike.low == pytest.approx(2 * (0.6343 - 0.5), abs=0.005)  # Wilson interval for 25 of 50
    assert mixed.high - mixed.low == pytest.approx(2 * (0.5962 - 0.5), abs=0.005)  # Wilson interval for 50 of 100


def test_a_bot_that_wins_all_matches_is_not_certain() -> None:
    score = estimate_score([[1.0, 1.0]] * 10)
    assert (score.value, score.high) == (1.0, 1.0)
    assert score.low == pytest.approx(0.8389, abs=0.001)  # Wilson interval for 20 of 20
    assert estimate_score([[1.0, 0.0]]).low == pytest.approx(0.0546, abs=0.001)  # one deal is one observation


def test_only_complete_deals_and_complete_ladders_count() -> None:
    game = load_ladder().find_game("evangelists")
    header: Header = {"format": 1, "bot": "greedy", "deals": "", "games": {}, "network": {}, "build": ""}
    lines = [make_line([1, 2] if seat == 0 else [2, 1], seat, 0, rival) for rival in game.ladder for seat in (0, 1)]
    against_others = [line for line in lines if line["rival"] != "greedy"]
    half = make_line([2, 1], 0, deal=1)
    scores = compute_scores(Results(header, [*against_others, half]))
    assert scores.rivals["evangelists", "random"].matches == 2
    others = len(game.ladder) - 1
    assert scores.games["evangelists"].value == pytest.approx((others + 0.5) / (others + 1))  # even against itself
    assert scores.total is None
    assert (scores.seconds, scores.faults) == (0.5, 0)
    assert compute_scores(Results(header, against_others[2:])).games == {}


# -- verification ------------------------------------------------------------------------------------------------------


def test_a_verifier_plays_fresh_deals_that_only_the_key_determines(played: Path, tmp_path: Path) -> None:
    results = read_results(played)
    assert [equal for _, equal in repeat_matches(results, 2, key=7)] == [True, True]
    run = plan_rerun(results, 2, key=7)
    assert run.rivals == RUN.rivals
    fresh = list(play_benchmark(run, tmp_path / "fresh.jsonl", of=compute_checksum(played)))
    assert find_faults(read_results(tmp_path / "fresh.jsonl")) == []
    assert [line["options"] for line in fresh] != [line["options"] for line in results.lines]
    compared = compare_scores(compute_scores(results), compute_scores(read_results(tmp_path / "fresh.jsonl")))
    assert [one.what for one in compared] == ["evangelists against random", "testoftime against random"]


def test_an_exaggerated_score_differs_from_the_rerun() -> None:
    header: Header = {"format": 1, "bot": "greedy", "deals": "", "games": {}, "network": {}, "build": ""}
    won = [make_line([1, 2] if seat == 0 else [2, 1], seat, deal) for deal in range(20) for seat in (0, 1)]
    lost = [make_line([2, 1] if seat == 0 else [1, 2], seat, deal) for deal in range(20) for seat in (0, 1)]
    mixed = won[:20] + lost[20:]
    reported, rerun = (compute_scores(Results(header, lines)) for lines in (won, mixed))
    assert [one.differs for one in compare_scores(reported, rerun)] == [True]
    assert [one.differs for one in compare_scores(reported, reported)] == [False]


def test_the_command_measures_and_verifies(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shell.run("benchmark", "novice", "--games", "evangelists", "--rivals", "random", "--matches", "2")
    assert shell.code == 0
    assert "the records are in benchmark-novice.jsonl" in shell.out
    assert "The total needs the whole ladder of all games." in shell.out
    verify = ("benchmark", "--verify", "benchmark-novice.jsonl", "--key", "a1", "--matches", "2", "--repeats", "1")
    shell.run(*verify)
    assert "replayed 2 matches: 0 faults" in shell.out
    assert "repeated 1 matches with key a1: the bots chose the same options in 1" in shell.out
    assert json.loads(Path("benchmark-novice-rerun-a1.jsonl").read_text().splitlines()[0])["key"] == "a1"
    edited = edit_results(Path("benchmark-novice.jsonl"), tmp_path, deal=3)
    shell.run("benchmark", "--verify", str(edited))
    assert (shell.code, "replayed 2 matches: 1 faults" in shell.out) == (1, True)


def test_the_command_refuses_in_a_sentence(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.run("benchmark")
    assert "name a bot, or a results file with --verify" in shell.error
    shell.run("benchmark", "greedy", "--games", "evangelists", "--rivals", "casul")
    assert "the ladder of evangelists has random, novice" in shell.error


def test_openspiel_is_optional(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without OpenSpiel the command says so and measures the rest."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    found = ("benchmark", "novice", "--games", "evangelists", "--rivals", "random,ismcts", "--matches", "2")
    assert json.loads(shell.run(*found, "--json").out)["total"] is None
    assert "evangelists: ismcts is not measured, because OpenSpiel is not installed" in shell.error
    assert BOTS_VARIABLE not in os.environ


# -- page --------------------------------------------------------------------------------------------------------------


def test_rows_are_sorted_by_what_a_verifier_measured(played: Path, tmp_path: Path) -> None:
    """A re-run belongs to the file whose checksum it names, and comes before results that only their author reports."""
    reported = Results(read_results(played).header, make_whole_ladder(won=True))
    claim, modest, rerun = (tmp_path / f"{name}.jsonl" for name in ("claim", "modest", "rerun"))
    write_lines(claim, [{**reported.header, "bot": "claim"}, *reported.lines], "w")
    write_lines(modest, [{**reported.header, "bot": "modest"}, *make_whole_ladder(won=False)], "w")
    again: Header = {**reported.header, "bot": "modest", "key": "f", "of": compute_checksum(modest)}
    write_lines(rerun, [again, *make_whole_ladder(won=False)], "w")
    rows = read_rows(tmp_path)
    assert [row.header["bot"] for row in rows] == ["modest", "claim"]
    lines = format_page_tables(rows).splitlines()
    modest_row, claim_row = (
        next(line for line in lines if line.startswith(f"| `{bot}`")) for bot in ("modest", "claim")
    )
    assert modest_row.split(" | ")[1].startswith("0% (0-")
    assert claim_row.split(" | ")[1] == "–"


def make_whole_ladder(won: bool) -> list[MatchLine]:
    """Return matches against the whole ladder of all games, all won or all lost."""
    lines = []
    for game in load_ladder().games:
        for rival in game.ladder:
            for seat in range(game.seats):
                ranks = [2 if won else 1] * game.seats
                ranks[seat] = 1 if won else 2
                lines.append(make_line(ranks, seat, 0, rival, game.id))
    return lines


def test_the_page_has_the_committed_results(tmp_path: Path) -> None:
    """`python -m triclinium.lab.benchmark.page docs/studies/benchmark docs/benchmark.md` changes nothing."""
    page = tmp_path / "benchmark.md"
    text = (ROOT / "docs" / "benchmark.md").read_text()
    page.write_text(text.partition(MARK)[0])
    main(str(ROOT / "docs" / "studies" / "benchmark"), str(page))
    assert page.read_text() == text


def test_the_planned_matches_are_listed_once() -> None:
    assert list_planned_matches(RUN) is list_planned_matches(RUN)
    assert RUN.list_matches()[0] == BenchmarkMatch("evangelists", "random", 0, 0)
