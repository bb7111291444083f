"""Tests that golden records, with final scores and digests, always replay."""

from pathlib import Path

import pytest

from tests.golden import golden_cases
from tests.matches import RECORDS, list_our_games
from tests.test_game_rules import anchors
from triclinium.engine.core.state import NOBODY
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record, build_result


def digests(folder: Path) -> dict[str, int]:
    """Return the digests of each record, from the digests.txt of a folder."""
    lines = (folder / "digests.txt").read_text(encoding="utf-8").split()
    return {file: int(digest) for file, digest in zip(lines[::2], lines[1::2], strict=True)}


def _name_case(path: Path) -> str:
    return "-".join(path.relative_to(RECORDS).with_suffix("").parts)


FILES = sorted(RECORDS.rglob("*.rec"))


@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_every_number_of_seats_and_every_variant_has_a_record(game: Game) -> None:
    wanted = {case.record_name for case in golden_cases(game)}
    assert wanted == {path.name for path in (RECORDS / game.id).glob("*.rec")}
    assert wanted == set(digests(RECORDS / game.id))
    assert {int(name[0]) for name in wanted} == set(game.seats)


@pytest.mark.parametrize("path", FILES, ids=_name_case)
def test_a_golden_record_replays_with_its_events(path: Path) -> None:
    """The record is replayed with events, as a table is resumed. The contract covers replays without events."""
    record = Record.loads(path.read_text(encoding="utf-8"), path.name)
    match = Match.resume(record)
    check_result(path, record, match)
    check_news(match)


def check_result(path: Path, record: Record, match: Match) -> None:
    s, game = match.state, match.game
    assert record.result is not None
    assert s.over
    assert s.digest() == digests(path.parent)[path.name]
    assert build_result(game.scores(s)) == record.result
    assert record.dumps() == path.read_text(encoding="utf-8")


def check_news(match: Match) -> None:
    """Check that events cite rules that the page explains."""
    words = match.game.words
    explained = anchors(match.game, "rules.en.md")
    for event in (event for heard in match.events for event in heard):
        assert not event.rule or event.rule.upper() in explained, f"{event} cites a rule that rules.en.md lacks"
    for viewer in (NOBODY, 0):
        log = [line for heard in match.events for line in words.format_log(heard, viewer, words.reader("fr"))]
        assert len(log) > match.state.seats


@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_a_golden_record_replays_without_events(game: Game) -> None:
    """One record of each game is replayed, and its result is compared with the record."""
    path = max((RECORDS / game.id).glob("*.rec"))
    s = Record.loads(path.read_text(encoding="utf-8"), path.name).replay()
    assert s.digest() == digests(path.parent)[path.name]
