"""Tests of the data set of matches: the same files each time, results that agree with the records, and a card."""

import hashlib
from pathlib import Path

import polars as pl
import pytest

from bench import dataset
from tests.slow import slow
from triclinium import Record, load_game
from triclinium.bots.levels import load_levels


def make(folder: Path, *words: str) -> Path:
    assert dataset.main([str(folder), "--games", "portals", "--seed", "3", "--workers", "1", *words]) == 0
    return folder


def test_every_level_and_number_of_seats_has_matches() -> None:
    plans = dataset.plan_matches(dataset.OUR_GAMES, 8, 50, 1)
    assert len({plan.path for plan in plans}) == len({plan.seed for plan in plans}) == len(plans)
    for id in dataset.OUR_GAMES:
        game = load_game(id)
        own = [plan for plan in plans if plan.game == id]
        assert {plan.group for plan in own} == {*load_levels(game).offered, dataset.MIXED}
        assert {plan.seats for plan in own} == set(game.seats)
        assert {plan.bots for plan in own if plan.group == "novice"} == {("novice",) * seats for seats in game.seats}
    assert {bot for plan in plans for bot in plan.bots if "@" in bot} == {"strong@50x", "master@50x"}
    assert plans == dataset.plan_matches(dataset.OUR_GAMES, 8, 50, 1)


@pytest.mark.parametrize("words", [("--levels", "novice"), slow(())], ids=["one level", "all levels"])
def test_the_files_agree_with_each_other(words: tuple[str, ...], tmp_path: Path) -> None:
    folder = make(tmp_path / "set", "--matches", "2", "--iterations", "2", *words)
    rows = pl.read_parquet(folder / dataset.RESULTS_FILE)
    assert rows.columns == list(dataset.COLUMNS)
    assert all(f"| `{column}` |" in (folder / dataset.CARD_FILE).read_text(encoding="utf-8") for column in rows.columns)
    for (name,), seats in rows.group_by("record"):
        record = Record.loads((folder / str(name)).read_text(encoding="utf-8"))
        final = record.replay()
        assert seats["digest"].unique().to_list() == [final.digest()]
        assert sorted(seats["seat"].to_list()) == list(range(record.seats))
        assert seats["win_share"].sum() == pytest.approx(1.0)
    for line in (folder / dataset.CHECKSUMS_FILE).read_text(encoding="utf-8").splitlines():
        checksum, _, path = line.partition("  ")
        assert hashlib.sha256((folder / path).read_bytes()).hexdigest() == checksum
    again = make(tmp_path / "again", "--matches", "2", "--iterations", "2", *words)
    assert (again / dataset.CHECKSUMS_FILE).read_text() == (folder / dataset.CHECKSUMS_FILE).read_text()


def test_a_folder_with_files_is_not_overwritten(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError):
        make(tmp_path, "--levels", "novice", "--matches", "1")
