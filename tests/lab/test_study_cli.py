"""Tests of ``triclinium study``: its output, its errors, and Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.shell import Shell
from tests.toy import Figs
from triclinium.engine.record import Record
from triclinium.lab.study import balance, runner
from triclinium.lab.study.study_file import BAN, LADDER

ROOT = Path(__file__).resolve().parents[2]
FEW = ("--bots", "greedy", "--matches", "20", "--workers", "1")


@pytest.fixture(autouse=True)
def working_folder(figs: Figs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a separate folder for studies, with Figs installed."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def test_a_question_is_answered_in_one_command(shell: Shell, working_folder: Path) -> None:
    """The command shows the plan first, then figures and report. The same command continues a study."""
    words = ("study", "figs", "--set", "game.coins=9", "--name", "rich", "--also", "", *FEW)
    shell.run(*words)
    assert (shell.code, shell.error) == (0, "")
    plan, _, result = shell.out.partition("\n\n")
    assert plan.startswith("20 deals in 2 editions with greedy bots, 40 matches in total, about 1 second on 1 process.")
    assert "Minimum detectable difference, over all figures together: a change of" in plan
    assert "the winner’s score: +" in result
    folder = Path(result.splitlines()[-1].removeprefix("Report written to ").removesuffix("/report.html."))
    assert (working_folder / folder / "report.html").is_file()
    told = shell.run(*words, "--json").json()
    assert (told["folder"], told["deals"], told["matches"]) == (str(folder), 20, 40)
    assert list(told)[-2:] == ["time", "folder"]
    french = shell.run("study", "report", str(folder), "--language", "fr").out
    assert "score du vainqueur" in french
    record = Record.loads(shell.run("study", "record", str(folder), "0").out)
    assert record.replay().over
    shell.refused("study", "record", str(folder), "4000")


def test_a_plan_estimates_the_time_and_keeps_its_matches(shell: Shell, working_folder: Path) -> None:
    (working_folder / "mine.toml").write_text('game = "figs"\nbots = ["greedy"]\nalso = ["random"]\ndetect = 0.1\n')
    told = shell.run("study", "plan", "mine.toml", "--workers", "1", "--to", "kept", "--json").json()
    assert (told["deals"], told["workers"]) == (200, 1)
    assert "random" in str(told["said"]).lower()
    assert len(list((working_folder / "kept" / "parts").iterdir())) == 2
    assert "no deal that every edition" not in shell.run("study", "report", "kept").error
    assert (working_folder / "kept" / "report.html").is_file()


def test_a_study_of_one_deal_settles_nothing(shell: Shell, working_folder: Path) -> None:
    """The interval of one deal is unbounded, and the number of deals needed is unknown."""
    one = ("--bots", "greedy", "--also", "", "--matches", "1", "--workers", "1", "--to", "one")
    said = shell.run("study", "figs", "--set", "game.coins=9", *one).out
    assert "(−∞ to +∞): not settled: too few different deals" in said
    page = (working_folder / "one" / "report.html").read_text(encoding="utf-8")
    assert "trop peu de donnes différentes" in page
    assert re.search(r"\b(inf|nan)\b", page) is None


def test_an_open_ended_study_reports_its_analyses(shell: Shell, working_folder: Path) -> None:
    """A study with a confidence sequence does not mention five interim analyses."""
    said = shell.run("study", "figs", "--open-ended", "--also", "", *FEW, "--to", "open").out
    assert "An interim analysis every 200 deals" in said
    assert "5 looks" not in said
    page = (working_folder / "open" / "report.html").read_text(encoding="utf-8")
    assert "a confidence sequence, wider than ordinary ones" in page
    assert "suite de confiance" in page
    assert "Fleming" not in page


def test_a_ban_and_a_ladder_answer_their_questions(shell: Shell) -> None:
    """A seat that may never lay a card never wins, and a greedy bot beats random ones."""
    banned = shell.run("study", "ban", "figs", "--verbs", "lay,peek", "--also", "", *FEW, "--json").json()
    arms = banned["arms"]
    assert isinstance(arms, list)
    assert (banned["kind"], [arm["arm"]["banned"] for arm in arms]) == (BAN, ["lay", "peek", ""])
    assert arms[0]["focus"]["value"] < arms[1]["focus"]["value"]
    assert arms[0]["ban"]["difference"]["high"] < 0
    assert (arms[0]["focus"]["n"], arms[2]["arm"]["name"], arms[2]["ban"]) == (7, "unrestricted", None)
    ladder = shell.run("study", "ladder", "figs", "--bots", "random,greedy", *FEW[2:], "--json").json()
    arms = ladder["arms"]
    assert isinstance(arms, list)
    assert (ladder["kind"], arms[0]["arm"]["bots"], arms[0]["matches"]) == (LADDER, ["greedy", "random", "random"], 21)
    assert arms[0]["focus"]["value"] > 1 / 3
    page = (Path(str(ladder["folder"])) / "report.html").read_text(encoding="utf-8")
    assert "How much does skill decide?" in page
    assert "Quelle part l’habileté décide-t-elle" in page


def test_a_balance_search_confirms_its_result(
    shell: Shell, working_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short race finds the goal, and a study on new deals confirms it."""
    monkeypatch.setattr(balance, "RACE_DEALS", (10, 20))
    words = (
        "study",
        "fair",
        "figs",
        "--free",
        "game.coins=2..4",
        "--goal",
        "winner=same",
        "--also",
        "",
        "--to",
        "fair",
    )
    told = shell.run(*words, *FEW, "--json").json()
    assert told["tried"] == 5
    assert set(told["best"]) == {"game.coins"}  # type: ignore[call-overload]
    assert (working_folder / "fair" / "confirmed" / "report.html").is_file()
    assert "5 editions were tried" in str(told["question"])
    page = (working_folder / "fair" / "confirmed" / "report.html").read_text(encoding="utf-8")
    assert "change? (5 editions were tested)" in page
    assert "(5 éditions testées)" in page


def test_a_balance_search_compares_with_the_printed_edition(figs: Figs) -> None:
    """The printed edition comes first, even if its own value is not among those to try."""
    assert balance.find_feasible_editions(figs, [balance.parse_free_number(figs, "game.coins=7..8")]) == [
        {"game.coins": 3},
        {"game.coins": 7},
        {"game.coins": 8},
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("fgs", "there is no game 'fgs'; did you mean 'figs'?"),
        ("figs --set game.coin=1", "game.coin: there is no 'coin'; did you mean 'coins'?"),
        ("figs --set game.coins=many", "game.coins: must be a whole number, not 'many'"),
        ("figs --set game.coins", "a change is PATH=VALUE, not 'game.coins'"),
        ("figs --bots nobdy", "there is no bot 'nobdy'"),
        ("figs --detect much", "--detect must be a share such as 3% or 0.03, not 'much'"),
        ("figs --detect 300%", "detect must be a share between 0 and 1, such as 0.03, not 3"),
        ("figs --matches 0", "at least one match is needed, not 0"),
        ("figs --matches some", "--matches takes a whole number, not 'some'"),
        ("figs --seats 0", "at least one seat is needed, not 0"),
        ("figs --workers 0", "a study takes 1 to 256 workers, not 0"),
        ("figs --looks 9", "a study has 1 to 8 interim analyses, not 9"),
        ("figs --components gone.toml", "gone.toml cannot be read: No such file or directory"),
        ("gone.toml", "gone.toml: No such file or directory"),
        ("report nowhere", "nowhere contains no study, because it has no study.toml"),
        ("record nowhere 3", "nowhere contains no study, because it has no study.toml"),
        ("ban figs --verbs sing", "figs has no verb 'sing'"),
        ("screen figs --figure fun", "there is no figure 'fun'"),
        ("screen figs", "figs has no number that can be changed alone"),
        ("fair figs --free game.coins=3", "a free number must be given as PATH=LOW..HIGH, not 'game.coins=3'"),
        ("fair figs --free game.coins=2..4 --goal fun=fair", "there is no figure 'fun'"),
        ("fair figs --free game.coins=2..4 game.coins=5..6", "a free number is given twice"),
        ("fair figs --free game.coins=2..4 --set game.hand=2", "a search creates its own editions"),
    ],
)
def test_wrong_input_gives_one_message_and_plays_nothing(
    shell: Shell, words: str, said: str, working_folder: Path
) -> None:
    """The exit code is 2, and nothing is lost or played."""
    assert shell.refused("study", *words.split()).startswith(said)
    assert list(working_folder.iterdir()) == []


def test_ctrl_c_keeps_finished_parts_and_the_same_command_goes_on(shell: Shell, tmp_path: Path) -> None:
    """The interrupted study says so in one sentence, leaves no process, and later gives the same result."""
    few = ["study", "evangelists", "--seats", "2", "--bots", "random", "--matches", "30", "--looks", "1"]
    words = [*few, "--also", "", "--to", str(tmp_path / "cut")]
    command = [sys.executable, "-m", "triclinium", *words, "--workers", "2"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    running = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    parts = tmp_path / "cut" / "parts"
    while running.poll() is None and not (parts.is_dir() and any(parts.glob("0*"))):
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    _, error = running.communicate()
    if running.returncode == 0:  # the study finished before the signal, so there is nothing to continue
        return
    assert (running.returncode, error.count("\n")) == (130, 1)
    assert "the same command continues" in error
    assert "report.html" in shell.run(*words, "--workers", "1").out  # any number of workers may play the rest
    assert json.loads((tmp_path / "cut" / "summary.json").read_text())["deals"] == 30


def test_a_screening_ranks_numbers(shell: Shell, working_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are set high and low together in many editions, and the report ranks their effects on each figure."""
    words = ("study", "screen", "evangelists", "--seats", "2", "--bots", "random", "--workers", "1", "--to", "screened")
    only = ("--only", "game.octagons_per_turn", "reach.boat")
    too_few = shell.refused(*words, *only, "--matches", "12")
    assert too_few.endswith("use --matches 36, or choose fewer numbers with --only")
    assert shell.refused(*words, "--only", "octagons").startswith("no number of evangelists has the path 'octagons'")
    command = (*words, *only, "--matches", "36", "--figure", "decisions")
    it_says_how_far_it_is(shell, monkeypatch, command)
    told = shell.run(*command, "--json").json()
    screening = told["screening"]
    assert isinstance(screening, dict)
    assert (screening["levers"], screening["editions"], screening["matches"]) == (2, 6, 36)
    effects = screening["effects"]["decisions"]
    assert {one["path"] for one in effects} == set(only[1:])
    sizes = [abs(one["estimate"]["value"]) for one in effects]
    assert sizes == sorted(sizes, reverse=True)
    page = (working_folder / "screened" / "report.html").read_text(encoding="utf-8")
    assert "Which numbers matter?" in page
    said = shell.run("study", "report", "screened", "--language", "fr").out
    assert len(screening["confirm"]) == 2
    for confirm in screening["confirm"]:  # commands to copy from terminal and page
        assert confirm in said
        assert confirm in page
    confirming = (*screening["confirm"][0].split()[1:], "--also", "", "--matches", "1", "--workers", "1")
    assert shell.run(*confirming, "--to", "confirmed", "--json").json()["deals"] == 1


def it_says_how_far_it_is(shell: Shell, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    """Check the progress: editions while they are made, then matches once the first part gives an estimate."""
    with monkeypatch.context() as patch:
        patch.setattr(runner, "PILOT_PARTS", 1)
        patch.setattr(sys.stderr, "isatty", lambda: True)
        shell.run(*words)
    assert "building editions: 2 of 6\r" in shell.error
    assert "building editions: 6 of 6\r" in shell.error
    assert "to estimate the run time: 24 of 24 matches\r" in shell.error
    assert "36 of 36 matches (100\N{NO-BREAK SPACE}%)" in shell.error
    assert shell.out.startswith("6 deals in 6 editions with random bots, 36 matches in total, about ")


def test_the_question_chooses_the_main_figure(shell: Shell, working_folder: Path) -> None:
    """The answer, the interim analyses and the first line are about it. A CSV file has a row for each figure."""
    words = ("study", "figs", "--set", "game.coins=9", "--name", "rich", "--also", "", *FEW, "--main", "decisions")
    shell.run(*words, "--csv", "figures.csv", "--to", "main")
    assert shell.code == 0
    assert shell.out.partition("\n\n")[2].startswith("decisions per match: ")
    page = (working_folder / "main" / "report.html").read_text(encoding="utf-8")
    plate = page.partition('class="plate"')[2].partition("</div>\n</div>")[0]
    assert "Decisions per match" in plate
    assert "points" not in plate.partition("Conclusion")[0].partition("Interim")[0]
    rows = (working_folder / "figures.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("edition,bots,check,figure,value,low,high,deals,method,difference")
    assert {row.split(",")[0] for row in rows[1:]} == {"printed", "rich"}
    assert any(row.startswith("rich,greedy,no,decisions,") for row in rows)
    assert 'main = "decisions"' in (working_folder / "main" / "study.toml").read_text(encoding="utf-8")
    shell.refused("study", "figs", "--main", "decision", *FEW)
    shell.refused("study", "figs", "--csv", "no/such/folder/figures.csv", "--also", "", *FEW)


def test_a_screening_shows_its_answer_first(shell: Shell, working_folder: Path) -> None:
    """The page and the terminal begin with the strongest effects, with intervals, and list no editions."""
    words = ("study", "screen", "testoftime", "--seats", "2", "--only", "game.sire_*", "--bots", "random", "--also", "")
    shell.run(*words, "--matches", "72", "--workers", "1", "--to", "screened")
    assert shell.code == 0
    first = shell.out.partition("\n\n")[2].splitlines()[0]
    assert re.search(r" from \d+ to \d+ changes it by .+ \(.+ to .+\): (a clear effect|not clear)\.$", first), first
    page = (working_folder / "screened" / "report.html").read_text(encoding="utf-8")
    assert "Which numbers matter?" in page.partition("</h1>")[2][:200]
    assert "row 1" not in page.partition("<pre>")[0]
    assert "--refit" not in page.partition("<pre>")[0]
    assert "changes it by" in page.partition('class="plate"')[2][:2000]


def test_progress_is_printed_as_json_lines(shell: Shell, working_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(os, "nice", asked.append)  # it would slow down all later tests of this process
    shell.run("study", "figs", "--set", "game.coins=9", "--also", "", *FEW, "--progress", "--idle")
    assert asked == [19]
    lines = [json.loads(line) for line in shell.out.splitlines()]
    assert lines[0] == {"played": 0, "planned": 20, "seconds_left": 0.0, "first": {}}
    assert lines[-1]["played"] == 20
    assert set(lines[-1]["first"]) == {"en", "fr"}
    assert working_folder.is_dir()
