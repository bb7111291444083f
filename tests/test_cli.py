"""Tests of commands: their output and their errors. Matches in the terminal are in test_terminal.py."""

import gc
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import triclinium
from tests.shell import Shell
from tests.toy import TOY
from triclinium.cli import commands
from triclinium.cli.commands import load_command
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import SEED_LIMIT
from triclinium.engine.match import Match
from triclinium.lab.speed import measure_game

pytestmark = pytest.mark.usefixtures("figs")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return the record of a finished match of Figs."""
    match = Match(TOY, 2, 7)
    while not match.state.over:
        match.play(TOY.format_option(match.state.legal[-1]))
    path = tmp_path / "figs.record"
    path.write_text(match.record.dumps())
    return path


# -- games -----------------------------------------------------------------------------------------------------------


def test_games_are_listed(shell: Shell) -> None:
    shell.run("games")
    assert re.search(r"^evangelists +The Acts of the Evangelists +2-5 ", shell.out, re.MULTILINE)
    assert re.search(r"^figs +Figs +2-3 +1 +gift, rounds$", shell.out, re.MULTILINE)
    assert (shell.code, shell.error) == (0, "")


def test_the_variants_of_a_game_are_described(shell: Shell) -> None:
    """The output has labels in words next to the values to type."""
    shell.run("games", "portals", "--language", "fr")
    assert "  Cartes brûlées par tour (PP-R17)\n    fuel_cards=one_per_colour  Une par couleur\n" in shell.out
    assert "    round_limit=30  (13–60)\n" in shell.out
    assert (shell.code, shell.error) == (0, "")


def test_the_version_is_printed() -> None:
    command = [sys.executable, "-m", "triclinium", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"triclinium {version('triclinium')}\n"


def test_games_as_json(shell: Shell) -> None:
    found = shell.run("games", "--json").json()
    assert found["failed"] == {}
    games = found["games"]
    assert isinstance(games, list)
    (figs,) = [game for game in games if game["id"] == "figs"]
    assert figs["name"] == {"en": "Figs", "fr": "Figues"}
    assert figs["seats"] == [2, 3]
    assert figs["variants"][0]["values"] == ["off", "on"]


# -- simulate, replay, bench ------------------------------------------------------------------------------------------


def test_simulate_is_the_same_for_any_number_of_workers(shell: Shell) -> None:
    words = ("simulate", "figs", "--matches", "12", "--seed", "4", "--bots", "random", "--json")
    alone = shell.run(*words).json()
    together = shell.run(*words, "--workers", "2").json()
    assert alone.pop("time") != together.pop("time")
    assert alone == together
    assert alone["played"] == 12


def test_simulate_prints_a_table(shell: Shell) -> None:
    shell.run("simulate", "figs", "--matches", "5", "--seed", "4", "--seats", "2", "--variant", "gift=on", "rounds=6")
    assert shell.out.startswith("figs version 1, seed 4, gift=on, rounds=6: 5 matches\n")
    assert re.search(r"^1 +random +\d+\.\d\d", shell.out, re.MULTILINE)
    assert (shell.code, shell.error) == (0, "")


def test_replay_shows_log_table_and_scores(shell: Shell, record: Path) -> None:
    shell.run("replay", str(record))
    assert shell.out.startswith("figs, 2 seats, ")
    assert "moves: over" in shell.out
    assert "everybody gets" in shell.out
    assert re.search(r"^total +\d+ +\d+$", shell.out, re.MULTILINE)
    shell.run("replay", str(record), "--until", "3")
    assert "figs, 2 seats, 3 moves: seat 1 decides" in shell.out


def test_replay_as_json(shell: Shell, record: Path) -> None:
    whole = shell.run("replay", str(record), "--json").json()
    loaded = triclinium.Record.loads(record.read_text())
    assert whole["digest"] == f"{loaded.replay().digest():016x}"
    assert whole["moves"] == len(loaded.options)
    part = shell.run("replay", str(record), "--until", "2", "--seat", "1", "--json").json()
    view = part["view"]
    assert isinstance(view, dict)
    assert view["viewer"] == 1
    assert "hand" in view
    spectator = shell.run("replay", str(record), "--until", "2", "--json").json()["view"]
    assert isinstance(spectator, dict)
    assert "hand" not in spectator


def test_replay_reads_standard_input(shell: Shell, record: Path) -> None:
    shell.run("replay", "-", typed=record.read_text())
    assert "moves: over" in shell.out


def test_speed_as_json(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["triclinium.lab.speed"]  # a function of the package has the same name
    monkeypatch.setattr(module, "measure_game", lambda game, seconds: measure_game(game, 0.05))
    found = shell.run("speed", "--games", "figs", "--json").json()
    speeds = found["games"]
    assert isinstance(speeds, list)
    assert [speed["game"] for speed in speeds] == ["figs"]


# -- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("play evangelist", "there is no game 'evangelist'; did you mean 'evangelists'?"),
        ("play figs --seats 7", "figs is played with 2 to 3 seats, not 7 (TOY-1.1)"),
        ("play figs --seats two", "--seats takes a whole number, not 'two'"),
        ("play figs --seed -1", f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not -1"),
        (f"play figs --seed {'9' * 5000}", f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not {'9' * 40}"),
        ("play figs --seed x", "--seed takes a whole number, not 'x'"),
        (
            "play figs --bots wise",
            "there is no bot 'wise'; known: casual, greedy, master, novice, random, rollout, steady, strong",
        ),
        ("play figs --bots random,random,random", "3 bots are named for 2 places; name one for all, or one for each"),
        ("play figs --variant gift", "a variant is given as name=value, not 'gift'"),
        ("play figs --variant gift=perhaps", "the variant gift is off or on, not perhaps (TOY-R1)"),
        ("play figs --variant gifts=on", "figs has no variant 'gifts'; did you mean 'gift'?"),
        ("play figs --variant gift=on gift=off", "the variant gift is given twice"),
        ("play figs --seats 3 --variant rounds=9", "9 rounds are too many for 3 seats (TOY-R2)"),
        ("play figs --components none.toml", "none.toml: No such file or directory"),
        ("play figs --language la", "argument --language: invalid choice: 'la' (choose from "),
        ("simulate figs --matches 0", "at least one match is needed, not 0"),
        ("simulate figs --matches 5 --workers 0", "at least one worker is needed, not 0"),
        ("simulate figs --matches many", "--matches takes a whole number, not 'many'"),
        ("simulate figs", "the following arguments are required: --matches; see triclinium simulate --help"),
        ("replay none.record", "none.record cannot be read: No such file or directory"),
        ("speed --games fogs", "there is no game 'fogs'; did you mean 'figs'?"),
        ("conquer", "argument COMMAND: invalid choice: 'conquer'"),
        ("", "the following arguments are required: COMMAND; see triclinium --help"),
    ],
)
def test_wrong_input_is_refused_with_one_message(shell: Shell, line: str, sentence: str) -> None:
    assert shell.refused(*line.split()).startswith(sentence)


SEED = f"seed {7:032x}"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("triclinium record 2", "triclinium record 9", "line 1 has a different format ('record 9')"),
        ("triclinium record 2", "dear diary", "line 1 should be 'triclinium record 2'"),
        ("version 1", "version 2", "there is no version 2 of the rules of figs; the installed version is 1"),
        ("game figs", "game fogs", "there is no game 'fogs'"),
        ("seats 2", "seats 8", "cannot deal the match of this record: figs is played with 2 to 3 seats, not 8"),
        ("seats 2", "seats two", "line 5 must have a whole number, not 'two'"),
        (SEED, "seed -7", "line 6 must have 32 hexadecimal digits, not '-7'"),
        (SEED, "seed hidden", "the seed of this record is hidden until its match is over"),
        ("\n3 ", "\n3 lay c77\n4 ", "line 13 should be move number 5"),
        ("\n3 stop", "\n3 lay c77", "move 3 ('lay c77') cannot be read: 'lay' knows no 'c77'"),
        (
            "\n3 stop",
            "\n3 join yes",
            "move 3 ('join yes') does not follow: cannot join yes: this decision is not open now (K-1)",
        ),
        ("end ", "fin ", "should be move number"),
        ("result 1:", "result 2:", "the result in the record is"),
    ],
)
def test_a_bad_record_is_reported_with_its_line(shell: Shell, record: Path, old: str, new: str, sentence: str) -> None:
    text = record.read_text()
    assert old in text
    record.write_text(text.replace(old, new, 1))
    complaint = shell.refused("replay", str(record), "--json")
    assert complaint.startswith(f"{record}: ")
    assert sentence in complaint


def test_a_half_written_record_is_reported(shell: Shell, record: Path) -> None:
    text = record.read_text()
    for cut in (0, 10, 30, 60, len(text) // 2, len(text) - 3):
        record.write_text(text[:cut])
        assert str(record) in shell.refused("replay", str(record))
    record.write_bytes(b"\xff\xfe\x00")
    assert shell.refused("replay", str(record)) == f"{record} is not a record: it is not UTF-8 text"


def test_replay_refuses_seats_and_moves_that_do_not_exist(shell: Shell, record: Path) -> None:
    moves = len(triclinium.Record.loads(record.read_text()).options)
    assert shell.refused("replay", str(record), "--until", "999") == (
        f"--until goes from 0 to {moves} in this record, not 999"
    )
    assert shell.refused("replay", str(record), "--seat", "2") == "--seat goes from 0 to 1 in this record, not 2"


def test_a_components_file_with_a_missing_card_is_refused(shell: Shell, tmp_path: Path) -> None:
    own = Path(triclinium.__file__).parent / "games" / "evangelists" / "data" / "components.toml"
    head, first, rest = own.read_text().partition("[[tradition]]")
    assert first
    _, second, others = rest.partition("[[tradition]]")
    edited = tmp_path / "edited.toml"
    edited.write_text(head + second + others)
    complaint = shell.refused("simulate", "evangelists", "--matches", "1", "--components", str(edited), "--json")
    assert str(edited) in complaint
    assert "AE-C" in complaint
    edited.write_text(own.read_text()[:-40] + "\nx = [")
    assert "edited.toml is not readable TOML" in shell.refused("play", "evangelists", "--components", str(edited))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("travel_weak = 2", "travel_weak = 0", "reach: travel_weak must be from 1 to 18, not 0 (AE-4.1)"),
        ("cost_weak = 1", "cost_waek = 1", "game: there is no 'cost_waek' here; did you mean 'cost_weak'?"),
        ("cost_weak = 1", 'cost_weak = "1"', "game: cost_weak must be a whole number, not '1'"),
    ],
)
@pytest.mark.parametrize("command", ["play evangelists", "simulate evangelists --matches 1"])
def test_a_mistake_in_a_components_file_gives_one_message(
    shell: Shell, tmp_path: Path, command: str, old: str, new: str, said: str
) -> None:
    own = (Path(triclinium.__file__).parent / "games" / "evangelists" / "data" / "components.toml").read_text()
    assert old in own
    (tmp_path / "edited.toml").write_text(own.replace(old, new, 1))
    edited = str(tmp_path / "edited.toml")
    assert shell.refused(*command.split(), "--components", edited) == f"edited.toml: {said}"


# -- as a command -----------------------------------------------------------------------------------------------------


def test_the_program_survives_a_closed_pipe(tmp_path_factory: pytest.TempPathFactory) -> None:
    """``triclinium bots | head -0`` ends without a traceback."""
    folder = tmp_path_factory.mktemp("elsewhere")
    command = [sys.executable, "-m", "triclinium"]
    done = subprocess.run([*command, "games"], capture_output=True, text=True, check=False, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "evangelists" in done.stdout
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as closed:
        words = [*command, "bots"]
        left = subprocess.run(words, stdout=closed, stderr=subprocess.PIPE, text=True, check=False, cwd=folder)
    assert (left.returncode, left.stderr) == (1, "")


def test_unprintable_letters_do_not_end_a_match(tmp_path_factory: pytest.TempPathFactory) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "triclinium", "play", "evangelists", "--language", "fr", "--seed", "1"],
        input=b"1\n\xff\xfe\nquit\n",
        capture_output=True,
        check=False,
        cwd=tmp_path_factory.mktemp("elsewhere"),
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_parsing_a_command_keeps_the_garbage_collector_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Garbage collection is paused while commands are read, and is restored even after an error."""
    seen = []

    def missing(_: str) -> None:
        seen.append(gc.isenabled())
        raise ModuleNotFoundError("no fastapi", name="fastapi")

    assert gc.isenabled()
    assert callable(load_command("games"))
    monkeypatch.setattr(commands, "import_module", missing)
    with pytest.raises(BadSetup, match="install it with"):
        load_command("serve")
    assert gc.isenabled()
    assert seen == [False]


NO_MATCH = "is neither a record nor a match file"
NO_MATCH_FILE = "is not a match file, or a part of it is missing"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", NO_MATCH),
        ("# Readme\n", NO_MATCH),
        ('{"match": 1}', NO_MATCH),
        ("<!doctype html><p>page</p>", NO_MATCH_FILE),
    ],
)
def test_a_file_that_is_no_match_gives_one_message(shell: Shell, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "something"
    file.write_text(text)
    assert shell.refused("verify", str(file)) == f"{file} {said}"
