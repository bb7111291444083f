"""Tests of rules versions in one code base: a match continues with the version it began with."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import ApiClient, make_settings
from tests.shell import Shell
from tests.toy import SHEET, TOY, Figs, Toy
from tests.upgrades.changing_game import make_release
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadRecord, BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.web.app import create_app


class Second(Figs):
    """Figs with two versions of its rules. The second pays more (TOY-4)."""

    versions = (1, 2)


class Third(Figs):
    """Figs without the first version."""

    versions = (2, 3)


BOTH = Second(ComponentsFile(SHEET, "figs.toml"))


def play_match(game: Game) -> Match:
    match = Match(game, 2, 5)
    rng = Rng(1)
    while not match.state.over:
        match.play(game.format_option(rng.pick(match.state.legal)))
    return match


def test_two_versions_replay_side_by_side() -> None:
    first, second = play_match(TOY), play_match(BOTH)
    assert (first.record.version, second.record.version) == (1, 2)
    for match in (first, second):
        record = Record.loads(match.record.dumps())
        state = record.replay(game=BOTH)
        assert state.version == record.version
        assert state.digest() == match.state.digest()
        assert [(score.rank, score.total) for score in BOTH.scores(state)] == record.result


def test_a_match_continues_with_its_version() -> None:
    """A match that began with version 1 ends as if version 2 did not exist."""
    whole = play_match(TOY).record
    match = Match.resume(whole.truncate(3), BOTH)
    assert match.state.version == 1
    for option in whole.options[3:]:
        match.play(option)
    assert match.record.dumps() == whole.dumps()
    newer = whole.truncate(0)
    newer.version = 2
    other = newer.replay(game=BOTH)
    for option in whole.options:
        other.play(BOTH.read(option))
    assert [score.total for score in BOTH.scores(other)] != [total for _, total in whole.result or []]


def test_the_version_is_part_of_the_state() -> None:
    one = BOTH.deal(2, 5, version=1)
    two = BOTH.deal(2, 5)
    assert isinstance(one, Toy)
    assert (one.version, two.version, two.clone().version, two.resample(0, Rng(1)).version) == (1, 2, 2, 2)
    assert one.digest() == TOY.deal(2, 5).digest() != two.digest()


def test_unknown_and_dropped_versions_have_different_messages() -> None:
    record = play_match(TOY).record
    later = Third(ComponentsFile(SHEET, "figs.toml"))
    with pytest.raises(
        BadRecord, match="version 1 of the rules of figs is no longer supported; installed is version 2 and 3"
    ):
        record.replay(game=later)
    record.version = 4
    with pytest.raises(BadRecord, match="there is no version 4 of the rules of figs; the installed version is 1 and 2"):
        record.replay(game=BOTH)
    with pytest.raises(BadSetup, match="there is no version 4"):
        BOTH.deal(2, 5, version=4)


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(capsys, monkeypatch)


def test_tables_are_counted_by_version(tmp_path: Path, shell: Shell) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    for versions in ((1,), (1, 2)):
        with make_release(tmp_path, versions=versions), TestClient(create_app(make_settings(tmp_path))) as client:
            for _ in versions:
                ApiClient(client, "changing").fill()
                client.cookies.clear()
    with closing(sqlite3.connect(tmp_path / "house.db")) as database, database:
        database.execute("UPDATE tables SET status = 'over' WHERE id = (SELECT max(id) FROM tables WHERE rules = 2)")
    for kept, known in (((1, 2), (True, True)), ((2, 3), (False, True))):
        with make_release(tmp_path, versions=kept):
            counts = shell.run("tables", "--versions", "--database", url, "--json").json()["tables"]
        assert isinstance(counts, list)
        assert [(one["game"], one["version"], one["running"], one["ended"], one["known"]) for one in counts] == [
            ("changing", 1, 1, 0, known[0]),
            ("changing", 2, 1, 1, known[1]),
        ]
    told = shell.run("tables", "--versions", "--database", url).out  # the game is no longer installed
    assert "changing" in told
    assert told.splitlines()[0].split() == ["game", "version", "running", "ended", "rules", "here"]


def test_a_file_that_is_no_database_gives_one_message(tmp_path: Path, shell: Shell) -> None:
    (tmp_path / "notes.txt").write_text("no database at all, but long enough to be looked at " * 40)
    command = ("tables", "--versions", "--database")
    assert "there is no database" in shell.refused(*command, f"sqlite:///{tmp_path / 'none.db'}")
    assert "cannot be read" in shell.refused(*command, f"sqlite:///{tmp_path / 'notes.txt'}")
