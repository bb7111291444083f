"""Tests that every number of a components file has a range, and that every value inside it can be played.

The fast tests change a few numbers of each game, the slow tests all of them.
"""

import random
import re

import pytest

from tests.edited_components import (
    WALL,
    Change,
    get_schema,
    limit_seconds,
    list_changes,
    list_structural_changes,
    list_tables,
    load,
    numbers,
    play,
    play_changed_game,
)
from tests.matches import list_our_games
from tests.slow import slow
from tests.test_game_rules import anchors, folder_of
from triclinium.engine.components_schema import LAYOUT
from triclinium.engine.core.components import NUMBER, WHOLE, read_components
from triclinium.engine.core.errors import BadComponents, BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.game import Game
from triclinium.engine.numbers import find_change_faults, list_numbers

every_game = pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)

NUMBERS_CHANGED = 12  # numbers of one edition that are tried at an end of their range
SAMPLE = 5  # changes of each game inside the range, and as many outside
some_and_all = pytest.mark.parametrize("whole", [False, slow(True)], ids=["some", "all"])


@every_game
def test_every_number_has_a_range_and_keeps_it(game: Game) -> None:
    """Loading fails if a range has no number or if two ranges have the same one."""
    found = numbers(game)
    assert found
    for path, number, span in found:
        assert span is not None, f"{game.id}: numbers.toml says nothing of {path}"
        assert span.contains(number)
        assert span.kind == (WHOLE if isinstance(number, int) else NUMBER), f"{game.id}: {path}"


@every_game
def test_every_range_is_complete_and_cites_a_rule(game: Game) -> None:
    code = "".join((folder_of(game) / "rules" / name).read_text(encoding="utf-8") for name in constraint_files(game))
    known = anchors(game, "rules.en.md") | set(re.findall(rf'"({game.prefix}-C\d+)"', code)) | {LAYOUT}
    for group in read_components(folder_of(game) / "data" / "numbers.toml").rows("group", "name"):
        for row in group.rows("number", "path"):
            more = set(row.data) - {"path", "low", "high", "rule"}
            assert more <= {"name", "step", "first", "hidden", "optional"}, row.where
            assert row.text("rule") in known, f"{game.id}: {row.where} cites {row.text('rule')}, which nobody knows"
    drawn = {span.path for _, _, span in numbers(game) if span is not None and span.rule == LAYOUT}
    assert all(re.search(r"\.(lat|lon|x|y|col|via|draw_dlat)\b", path) for path in drawn), drawn


def constraint_files(game: Game) -> list[str]:
    """Return the files in which a game checks its constraints."""
    return [name for name in ("components.py", "checks.py") if (folder_of(game) / "rules" / name).exists()]


ABSURD = [
    ("portals", "numbers.hand_limit", -1, "numbers: hand_limit must be from 1 to 20, not -1 (PP-5.1)"),
    ("portals", "numbers.start_hand", 99, "numbers: start_hand must be from 0 to 9, not 99 (PP-1.2)"),
    ("portals", "events.card.O14.points", 700, "events.card 'O14': points must be from 0 to 99, not 700 (PP-C15)"),
    ("portals", "events.card.G03.fuel", 5, "events.card 'G03': fuel must be from 0 to 4, not 5 (PP-C14)"),
    ("ierusalem", "table.hand_size", 0, "table: hand_size must be from 1 to 30, not 0 (IE-2.16)"),
    ("ierusalem", "table.displace_fee", -9, "table: displace_fee must be from 0 to 100, not -9 (IE-3.4)"),
    ("evangelists", "reach.travel_weak", 0, "reach: travel_weak must be from 1 to 18, not 0 (AE-4.1)"),
    ("evangelists", "game.octagons_per_turn", 3000, "game: octagons_per_turn must be from 1 to 30, not 3000 (AE-2.3)"),
    ("evangelists", "game.players_max", 4, "game: players_max must be 5, not 4 (AE-2.1)"),
    ("missionnaires", "game.players_max", 0, "game: players_max must be from 2 to 4, not 0 (LM-1.1)"),
    ("missionnaires", "grid.column_width", 0, "grid: column_width must be from 0.5 to 180, not 0.0 (LM-C2)"),
    ("missionnaires", "move.push_fee", -1, "move: push_fee must be from 0 to 100, not -1 (LM-6.2)"),
    ("missionnaires", "move.leap", 3, "move: leap must be 2, not 3 (LM-6.9)"),
    ("missionnaires", "cards.territories.t01.n", 0, "cards.territories 't01': n must be from 1 to 30, not 0 (LM-C5)"),
    ("testoftime", "game.sire_cost", 0, "game: sire_cost must be from 1 to 100, not 0 (TT-6.1)"),
    ("testoftime", "game.start_followers", 0, "game: start_followers must be from 1 to 103, not 0 (TT-1.3)"),
    ("testoftime", "options.rounds.0", 2000, "options: rounds, entry 1, must be from 1 to 71, not 2000 (TT-14.1)"),
]


@pytest.mark.parametrize(("name", "path", "value", "said"), ABSURD)
def test_an_absurd_number_is_refused_with_its_entry_its_range_and_its_rule(
    name: str, path: str, value: int, said: str
) -> None:
    game = next(game for game in list_our_games() if game.id == name)
    assert load(Change(game, path, value)) == f"components.toml: {said}"


@every_game
def test_a_misspelt_key_is_refused_everywhere(game: Game) -> None:
    printed = get_schema(game).printed
    for path, table in list_tables("", printed.data):
        first, *others = table
        misspelt = {f"{first}x": table[first], **{key: table[key] for key in others}}
        with pytest.raises(BadComponents, match=rf"there is no '{first}x' here; (did you mean|known: )"):
            game.with_components(printed.with_changes({path: misspelt}))


def test_a_map_smaller_than_its_places_is_refused() -> None:
    """LM-C2  The error names every place beyond the edge of the map."""
    game = next(game for game in list_our_games() if game.id == "missionnaires")
    for path, value in (("grid.north", -90.0), ("grid.west", 180.0)):
        said = load(Change(game, path, value))
        assert said == "LM-C2: board.spaces.bet: this space is outside the map"


def test_a_deal_for_too_many_players_is_refused() -> None:
    """PP-1.2  Six Genesis cards each are enough for three players, but not for five."""
    portals = next(game for game in list_our_games() if game.id == "portals")
    edited = portals.with_components(get_schema(portals).printed.with_changes({"numbers.start_hand": 6}))
    assert not edited.deal(3, 1).over
    with pytest.raises(BadSetup, match=r"5 players need 30 Genesis cards, but there are 18 \(PP-1.2\)"):
        edited.deal(5, 1)


@every_game
@pytest.mark.parametrize("editions", [2, slow(40)])
def test_random_matches_end_with_extreme_numbers(game: Game, editions: int) -> None:
    """Numbers are set to either end of their ranges in random order, and those that break a constraint stay."""
    rng = random.Random(5)
    for _ in range(editions):
        changes: dict[str, object] = {}
        shown = [number for number in list_numbers(game) if not number.hidden]
        rng.shuffle(shown)
        for number in shown[:NUMBERS_CHANGED]:
            tried = {**changes, number.path: rng.choice((number.low, number.high))}
            if not find_change_faults(game, tried):
                changes = tried
        assert len(changes) >= 2
        edited = game.with_components(game.file.with_changes(changes))
        with limit_seconds(WALL, Change(game, ", ".join(changes), "ends")):
            play(Change(game, repr(changes), "ends"), edited)


def test_evangelists_can_have_seven_rounds() -> None:
    """AE-2.1  One number asks it. A longer time track has further spaces before the printed ones."""
    game = next(game for game in list_our_games() if game.id == "evangelists")
    for rounds in (1, 7, 20):
        edited = game.with_components(get_schema(game).printed.with_changes({"game.rounds.3": rounds}))
        s = edited.deal(3, 1)
        rollout(s, Rng(2), edited.max_decisions)
        assert s.over
        assert edited.round(s) == rounds
        assert edited.turn(s) == 3 * rounds


def sample_changes(tried: list[Change], whole: bool) -> list[Change]:
    """Return all changes, or a fixed sample of them."""
    return tried if whole or len(tried) <= SAMPLE else random.Random(16).sample(tried, SAMPLE)


@some_and_all
@every_game
def test_a_changed_number_is_refused_or_playable(game: Game, whole: bool) -> None:
    """Values are -1, 0, one less, double, a hundredfold, and both ends of the range, one change at a time."""
    tried = list_changes(game)
    accepted = sum(
        play_changed_game(change) for change in sample_changes([change for change in tried if change.in_range()], whole)
    )
    for change in sample_changes([change for change in tried if not change.in_range()], whole):
        assert not play_changed_game(change), f"{change} is outside its range and can be played"
    assert accepted or not whole  # a small sample may be refused as a whole


@some_and_all
@every_game
def test_a_missing_entry_is_reported_or_not_needed(game: Game, whole: bool) -> None:
    """A missing key or a list of another length causes no traceback, neither when loaded nor when played."""
    accepted = [play_changed_game(change) for change in sample_changes(list_structural_changes(game), whole)]
    assert not all(accepted) or not whole
