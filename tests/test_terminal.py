"""Tests of matches in the terminal: output, input, and whole matches played by option numbers."""

import io
import random
import re
from collections import Counter
from pathlib import Path

import pytest

import triclinium
from tests.failing_game import make_failing_game
from tests.shell import Shell
from tests.toy import SHEET
from triclinium.bots import Budget
from triclinium.bots.search import Strong
from triclinium.cli.ansi import Ansi
from triclinium.cli.auto_replies import TerminalAutoReplies
from triclinium.cli.catalog import make_cli_reader
from triclinium.cli.recap import format_recap, list_move_lines
from triclinium.cli.terminal import format_score_sheet
from triclinium.engine.core.rng import SEED_LIMIT
from triclinium.engine.core.text import Message, Reader
from triclinium.engine.match import Match
from triclinium.engine.recap import RecapLine, build_recap
from triclinium.engine.visible_scores import VisibleScore

pytestmark = pytest.mark.usefixtures("figs")

GAME_IDS = ("evangelists", "figs")


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_whole_match_is_played_and_saved(shell: Shell, tmp_path: Path, game_id: str, language: str) -> None:
    """The saved match replays to the scores that were shown."""
    path = tmp_path / "match.record"
    seats = "2" if language == "en" else "3"
    for answers in (60, 120, 240, 480):  # the length of a match is only known at its end
        typed = "1\n2\n1\n" * (answers // 3) + f"save {path}\n\n"
        shell.run(
            "play", game_id, "--seed", "5", "--seats", seats, "--bots", "greedy", "--language", language, typed=typed
        )
        assert (shell.code, shell.error) == (0, "")
        path_text = path.read_text()
        if "result open" not in path_text:
            break
        path.unlink()
    record = triclinium.Record.loads(path_text)
    state = record.replay()
    assert state.over
    sheet = [line.split() for line in shell.out.splitlines() if line.startswith("total ")]
    assert sheet[-1][1:] == [str(score.total) for score in record.find_game(None).scores(state)]
    assert ("The match is over." if language == "en" else "La partie est terminée.") in shell.out


def test_play_shows_the_question_the_options_and_what_others_did(shell: Shell) -> None:
    shell.run("play", "figs", "--seed", "71", "--bots", "random,greedy", typed="lay c1\n")
    assert "Guest (you) against Random 1, Greedy 2, seed 71" in shell.out
    assert "what do you do on your turn?" in shell.out
    assert re.search(r"^ +2 +lay c1 +Guest: lay c1$", shell.out, re.MULTILINE)
    assert "\n  Guest: lay c1\nRandom 1\n  Random 1: join" in shell.out
    assert "The match was not finished." in shell.out
    assert "\x1b" not in shell.out


def test_a_drawn_seed_is_printed(shell: Shell) -> None:
    seeds = {shell.run("play", "figs", typed="quit\n").out.partition(", seed ")[2].split()[0] for _ in range(3)}
    assert len(seeds) == 3
    assert all(0 <= int(seed) < SEED_LIMIT for seed in seeds)


def list_all_lines(match: Match, reader: Reader) -> list[RecapLine]:
    return [line for n in range(len(match.events)) for line in list_move_lines(match, n, 0, reader)]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_recap_is_complete_and_marks_what_affects_the_person(language: str) -> None:
    """Events that affect the user are marked and come first, then each player's actions, then minor events."""
    game = triclinium.load_game("testoftime")
    match = Match(game, 3, 5)
    chance = random.Random(1)
    for _ in range(80):
        match.play(game.format_option(chance.choice(match.state.options())))
    names = ("Guest", "Ben", "Cleo")
    reader, own = game.words.reader(language, names), make_cli_reader(language)
    told = format_recap(match, 0, 0, reader, own, Ansi(io.StringIO()))
    log = [line.text for line in build_recap(list_all_lines(match, reader), 0).lines for _ in range(line.times)]
    counted = Counter[str]()
    for line in told:  # equal events are shown once with their number
        text, _, times = line.lstrip("! ").partition(" ×")
        counted[text] += int(times or 1)
    assert Counter(log) <= counted
    marks = [i for i, line in enumerate(told) if line.startswith("! ")]
    assert marks
    assert all(re.search(r"[Yy]ou|[Vv]o(us|tre|s)\b", told[i]) for i in marks)
    assert marks[-1] < min(told.index(name) for name in names if name in told)
    minor = own.read(Message("and {0} minor {0:event|events}", 2)).split()[-1]
    assert sum(minor in line for line in told) == 1
    assert counted.total() == len(log) + sum(line in (*names, own.translate("Game")) for line in told) + 1


def test_the_recap_of_a_player_keeps_the_order_of_events() -> None:
    """The recap lists causes before their effects, even if the effects matter more."""
    game = triclinium.load_game("portals")
    match = Match(game, 3, 5)
    chance = random.Random(2)
    while len(match.record.options) < 60:
        match.play(game.format_option(chance.choice(match.state.options())))
    reader = game.words.reader("en", ("Guest", "Ben", "Cleo"))
    told = [line.strip() for line in format_recap(match, 0, 0, reader, make_cli_reader("en"), Ansi(io.StringIO()))]
    log = [line for events in match.events for line in game.words.format_log(events, 0, reader)]
    own = [line.partition(" ×")[0] for line in told[told.index("Cleo") :] if line.startswith("Cleo ")]
    places = [log.index(line) for line in own if line in log]
    assert len(places) > 5
    assert places == sorted(places)


def test_why_explains_a_refusal(shell: Shell) -> None:
    typed = "why lay c5\nwhy lay c1\nwhy\nwhy resign 1\nwhy 99\nwhy jon\n"
    shell.run("play", "figs", "--seed", "71", "--seats", "3", typed=typed)
    answers = [line.removeprefix("> ") for line in shell.out.splitlines() if line.startswith("> ")]
    assert answers == [
        "cannot lay c5: this decision is not open now (K-1)",
        "This option is allowed.",
        "Usage: `why OPTION`",
        "It is not your turn.",
        "There is no option 99. Choose a number from 1 to 5.",
        "no option begins with 'jon'; did you mean 'join'?",
        "",
    ]


def test_a_refused_option_changes_nothing(shell: Shell) -> None:
    shell.run("play", "figs", "--seed", "4", typed="peek\n" + "resign 2\nlay\nlay c1 now\n7\n0\n")
    assert "It is not your turn." in shell.out
    assert "'lay' takes 1 names, not 0" in shell.out
    assert "There is no option 7. Choose a number from 1 to " in shell.out
    shell.run("play", "figs", "--seed", "4", typed="peek\nlog\n")
    assert "  Guest looked at the top card" in shell.out


def test_undo_reaches_back_to_the_last_reveal(shell: Shell) -> None:
    """The beginning of a move can be undone. After others have answered, nothing can be undone."""
    typed = "undo\n1\nundo\n" + "decline\n" * 12 + "travel weak\nundo\nundo\n"
    shell.run("play", "evangelists", "--seed", "1", typed=typed)
    assert re.findall("^> (Undone.*|There is nothing to.*)", shell.out, re.MULTILINE) == [
        "There is nothing to undo.",
        "There is nothing to undo.",
        "Undone: travel weak",
        "There is nothing to undo.",
    ]


def test_a_hint_ranks_options_by_their_numbers(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints list the best option first, each with its win probability and the reason why it is not the first."""
    monkeypatch.setattr(Strong, "budget", Budget(60, 40))
    shell.run("play", "figs", "--seed", "4", typed="hint\nq\n")
    chosen = re.search(r"> The strong bot would choose: (\S.*)$", shell.out, re.MULTILINE)
    assert chosen is not None
    options = dict(re.findall(r"^ +(\d+)  (\S.*)$", shell.out, re.MULTILINE))
    hinted = re.findall(r"^ +(\d+) % +(\d+)  (\S.*)$", shell.out, re.MULTILINE)
    assert 1 <= len(hinted) <= 3
    assert all(1 <= int(chance) <= 99 for chance, _, _ in hinted)
    wide = [(number, " ".join(text.split())) for _, number, text in hinted]
    assert all(" ".join(options[number].split()) == text for number, text in wide)
    assert hinted[0][2].endswith(chosen[1])  # The hint names the option in words.
    compared = rf"^ +(?:about as good|{re.escape(chosen[1])} is better)"
    assert len(re.findall(compared, shell.out, re.MULTILINE)) == len(hinted) - 1
    shell.run("play", "figs", "--seed", "4", typed="hint draw\nhint fly\nhint 99\nquit\n")
    assert re.search(r"^ +\d+ % +\d+  draw", shell.out, re.MULTILINE)
    assert "There is no option 99" in shell.out
    shell.run("play", "figs", "--seed", "4", "--language", "fr", typed="hint\nquit\n")
    assert "> Le robot fort choisirait\u00a0: " in shell.out


def test_save_does_not_overwrite_without_asking(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "mine.record"
    path.write_text("precious")
    shell.run("play", "figs", "--seed", "4", typed=f"save {path}\nn\n")
    assert path.read_text() == "precious"
    assert "The match was not saved." in shell.out
    shell.run("play", "figs", "--seed", "4", typed=f"save {path}\ny\nsave\nsave {tmp_path}/no/such\n")
    assert triclinium.Record.loads(path.read_text()).seed == 4
    assert f"Cannot write {tmp_path}/no/such: No such file or directory" in shell.out.replace("\n  ", " ")
    assert sorted(found.name for found in tmp_path.iterdir() if "figs" not in found.name) == ["mine.record"]


def test_other_commands_of_the_terminal(shell: Shell) -> None:
    shell.run("play", "figs", "--seed", "4", typed="?\nhelp\nlog\nscores\nt\nreview\n\n")
    assert len(re.findall("^why OPTION +explain why an option is not allowed$", shell.out, re.MULTILINE)) == 2
    assert len(re.findall("^resign 0 +at any time$", shell.out, re.MULTILINE)) == 2
    assert "Nothing has happened yet." in shell.out
    assert "A review is only available after the match is over." in shell.out
    assert re.search(r"^coins kept +3 +3 +3$", shell.out, re.MULTILINE)
    assert shell.out.count("coins kept: [3, 3, 3]") == 2


def test_resigning_ends_the_match_and_can_be_undone(shell: Shell) -> None:
    shell.run("play", "figs", "--seed", "4", typed="resign 0\n1\nlog\nundo\nquit\n")
    assert "The match is over." in shell.out
    assert "> the match is over" in shell.out
    assert "Undone: resign 0" in shell.out
    assert "The match was not finished." in shell.out


def test_running_scores_reveal_no_secret(shell: Shell) -> None:
    """Scores that depend on hidden cards are a question mark or a known fact, the same in every possible world."""
    shell.run("play", "evangelists", "--seed", "4", typed="1\nscores\n")
    sheet = shell.out[shell.out.index("> score") :]
    assert re.search(r"^total +[0-9]+ ", sheet, re.MULTILINE)


@pytest.mark.parametrize(("language", "total"), [("en", "41–52"), ("fr", "41\N{NO-BREAK SPACE}à 52")])
def test_a_score_sheet_shows_bounds(language: str, total: str) -> None:
    """Certain scores are a number, uncertain ones a range, and an open rank is a question mark."""
    game = triclinium.load_game("portals")
    told = [VisibleScore(0, None, 45, {"sets": 10}), VisibleScore(1, None, (41, 52), {"sets": (0, 10)})]
    reader = game.words.reader(language)
    sheet = format_score_sheet(game, told, ["Anna", "Ben"], reader, make_cli_reader(language)).splitlines()
    assert sheet[-2].split("  ")[-1].strip() == total
    assert sheet[-1].split()[-2:] == ["?", "?"]
    assert len(sheet) == 4


def test_variants_and_components_reach_the_match(shell: Shell, tmp_path: Path) -> None:
    sheet = tmp_path / "mine.toml"
    sheet.write_text(SHEET.replace("coins = 3", "coins = 9"))
    shell.run("play", "figs", "--seed", "1", "--variant", "gift=on", "--components", str(sheet))
    assert "coins kept: [11, 11, 11]" in shell.out


@pytest.mark.parametrize("fails", ["rule", "every option"])
def test_a_rule_that_raises_does_not_end_a_match(shell: Shell, tmp_path: Path, fails: str) -> None:
    """If a rule raises an error, nothing changes, and the person or the bot chooses another option."""
    with make_failing_game(tmp_path, [fails]):
        words = ("play", "brittle", "--seed", "4", "--seats", "2", "--bots", "random", "--language", "en")
        shell.run(*words, typed="peek\ndraw\nscores\nquit\n")
    assert (shell.code, shell.error) == (0, "")
    failed = (
        "This option caused an error in the rules of this game (RuntimeError). Nothing has changed. Choose "
        "another option."
    )
    assert failed in shell.out.replace("\n  ", " ")
    assert ("Guest drew" in shell.out) == (fails == "rule")
    assert "The match was not finished." in shell.out


def test_a_question_need_not_be_asked_again(shell: Shell) -> None:
    """`auto match` answers now and from then on. The log shows it, `auto` lists it and `auto off` ends it."""
    typed = "auto\nauto round\nstop\nauto week\nauto match\nauto\nlog\nauto off 3\nauto off\nauto\nquit\n"
    shell.run("play", "figs", "--seed", "1", "--seats", "3", "--bots", "greedy", typed=typed)
    assert (shell.code, shell.error) == (0, "")
    told = [
        "> No question is answered automatically.",
        "> This question cannot be answered automatically.",
        "Answer automatically (join nobody): `auto turn` · `auto round` · `auto match`",
        "> Usage: `auto`, `auto turn`, `auto round`, `auto attacked`, `auto match`, `auto off 1`",
        ">     1  join nobody (this match)",
        "Answered automatically: join nobody",
        "> There is no automatic answer 3. Type `auto` to list them.",
        "> You will be asked this question again.",
        "> No question is answered automatically.",
    ]
    at = 0
    unfolded = re.sub(r"\n  (?=`|off 1`)", " ", shell.out)
    for line in told:
        assert f"{line}\n" in unfolded[at:], line
        at = unfolded.index(f"{line}\n", at)
    assert shell.out.count("do you join") == 1


def test_automatic_answers_are_undone_with_the_move() -> None:
    """Undoing a move against bots also undoes the automatic answers after it."""
    game = triclinium.load_game("missionnaires")
    for seed in range(40):
        match = Match(game, 2, seed)
        said: list[str] = []
        answers = TerminalAutoReplies(0, game.words.reader("en"), make_cli_reader("en"), said.append)
        chance = random.Random(seed)
        while not match.state.over and len(match.marks) < 300:
            if match.state.who == 0 and match.state.asked.id == "BonWindow":
                option = answers.run_command(match, "match")
                if option:
                    match.play(option)
                    continue
            if answers.play_reply(match):
                continue
            match.play(game.format_option(chance.choice(match.state.options())))
            before = len(match.marks)
            if answers.play_reply(match) and match.can_undo(0):
                taken = match.undo(0)
                answers.drop_reply_after_undo(match)
                assert len(match.marks) == before - 1
                assert (match.state.who, game.read(taken) in match.state.options()) == (0, True)
                assert answers.replies, "the wish is not what was taken back"
                assert "nswered automatically" not in "".join(said)
                return
    raise AssertionError("nothing was answered after a move that could be taken back")


def test_only_changes_are_printed_inside_a_turn(shell: Shell) -> None:
    """The whole table is printed at the start and on request. Otherwise, half a window of changes and the hand."""
    shell.run("play", "portals", "--seed", "4", "--seats", "3", "--bots", "greedy", typed="1\nmove bethany\nt\nquit\n")
    start, first, second, whole = shell.out.split("\n> ")[:4]
    assert len(start.split("\n\n")) > 5
    assert "Your hand\n" in first
    assert "`t` shows the whole table." in first
    assert "Guest: Bethany; next to " in second
    assert "Your hand\n  " in second  # a card on it is nearer or farther now
    assert len(second.partition("Your turn: ")[0].splitlines()) < 30
    assert whole.count("Total if the game ended now: ") == 3


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_lines_wrap_at_the_width_of_the_window(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, columns: int, language: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    typed = "?\n1\nt\nlog\n1\nwhy 1\n1\n1\n1\nscores\nquit\n"
    for game_id in ("portals", "ierusalem"):
        shell.run(
            "play", game_id, "--seed", "4", "--seats", "3", "--bots", "random", "--language", language, typed=typed
        )
        assert (shell.code, shell.error) == (0, "")
        assert [line for line in shell.out.splitlines() if len(line.removeprefix("> ")) > columns] == []


def test_the_review_is_offered_at_the_end(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The review lists the user's costliest mistakes and luck, with the names of the players."""
    monkeypatch.setattr("triclinium.cli.terminal.REVIEW_BUDGET", "20x")
    shell.run("play", "figs", "--seed", "4", "--bots", "greedy", typed="1\n" * 3 + "resign 0\nreview\n\n")
    assert "The match is over." in shell.out
    assert "Type `review` for your costliest mistakes" in shell.out
    assert re.search(r"^after move +Guest +Greedy 1", shell.out, re.MULTILINE)
    assert "Guest: costliest mistakes" in shell.out
