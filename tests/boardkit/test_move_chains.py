"""Tests of several options in one click: legal as a whole, without chance between them, and revealing nothing."""

from itertools import islice

import pytest

from tests.boardkit.test_decision import NAMES, golden
from tests.games.evangelists.table import table
from tests.games.portals.table import table as portals_table
from tests.slow import slow
from triclinium import list_games, load_game
from triclinium.boardkit.move_chains import combine_options, find_move_chains
from triclinium.boardkit.preview import preview_option
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.games.portals.ui.view import compute_step_distances

every_extent = pytest.mark.parametrize(("every", "whole"), [(37, False), slow(1, True)])


def list_chains(game: Game, s: State) -> list[str]:
    return ["; ".join(game.format_option(o) for o in way.options) for way in find_move_chains(game, s, s.who, 1)]


@every_extent
@pytest.mark.parametrize("id", list_games())
def test_chains_are_legal_and_chance_decides_only_at_their_end(id: str, every: int, whole: bool) -> None:
    game = load_game(id)
    for s in islice(golden(game, whole), 0, None, every):
        for way in find_move_chains(game, s, s.who, 1):
            there = s.clone()
            for o in way.options:
                assert (there.who, there.undo_barrier) == (s.who, s.undo_barrier)
                assert o in there.legal
                there.choose(o)


@every_extent
@pytest.mark.parametrize("id", list_games())
def test_chains_are_equal_in_every_possible_world(id: str, every: int, whole: bool) -> None:
    game, rng = load_game(id), Rng(3)
    for s in islice(golden(game, whole), 0, None, every):
        assert list_chains(game, s.resample(s.who, rng)) == list_chains(game, s)


def test_seats_that_are_not_asked_have_no_chains() -> None:
    s = load_game("evangelists").deal(3, 1)
    assert find_move_chains(load_game("evangelists"), s, (s.who + 1) % 3, 1) == []


def test_a_distant_place_is_reached_by_the_shortest_path() -> None:
    game = load_game("portals")
    s = next(s for s in golden(game) if s.asked.id == "Turn" and s.legal[0] != s.legal[-1] and list_chains(game, s))
    found = [way for way in list_chains(game, s) if way.startswith("move")]
    assert found
    assert all({option.split()[0] for option in way.split("; ")} == {"move"} for way in found)
    assert len({way.split("; ")[-1] for way in found}) == len(found)


@pytest.mark.parametrize("start", ["shechem", "beersheba", "sea_of_galilee"])
def test_every_place_within_reach_has_a_chain(start: str) -> None:
    """PP-3.1, PP-6.3  One click reaches every place within the actions left, also in the middle of the map."""
    game = load_game("portals")
    s = portals_table(pawns=[start, "susa", "haran"], hands=["g01 g02 g03 g04 g05 g06 g07"])
    near = {s.c.place_ids[place] for place, n in compute_step_distances(s, 0).items() if 2 <= n <= 4}
    assert len(near) > 30
    assert near <= {way.split()[-1] for way in list_chains(game, s) if way.startswith("move")}


def test_a_clicked_target_is_chosen_with_the_move() -> None:
    game = load_game("testoftime")
    s = next(s for s in golden(game) if any(way.startswith("attack; at") for way in list_chains(game, s)))
    way = next(way for way in find_move_chains(game, s, s.who, 1) if game.format_option(way.options[0]) == "attack")
    reader = game.words.reader("en", NAMES)
    assert reader.read(way.label).startswith("Attack: ")
    told = preview_option(game, s, s.who, way.options[0], 1, reader, way.options[1:])
    assert told.certain
    assert "attack" in told.then


def test_an_unplayed_voucher_does_not_interrupt_a_chain() -> None:
    """LM-8.4  Although a voucher may be played, a click on a town goes there at once and plays none."""
    game = load_game("missionnaires")
    s = next(s for s in golden(game) if s.asked.id == "BonWindow" and list_chains(game, s))
    assert all(way.startswith("done; go ") for way in list_chains(game, s))


def test_leaves_are_arranged_in_one_chain() -> None:
    """AE-8.2  Consecutive steps may be combined if nothing is drawn or revealed between them."""
    game = load_game("evangelists")
    s = table(seats=2, pawns=["corinth", "rome"], gospels={0: [7, 8, 9, 0, 0, 0]}, tokens=[0, 0])
    s.play(game.read("rearrange strong"))
    steps = [game.read(text) for text in ("leaf 1", "flip", "leaf 1", "position 2", "done")]
    way = combine_options(game, s, 0, steps, 1)
    assert way is not None
    said = game.words.reader("en").read(way.label)
    assert said == "Leaf 1, Flip it, Leaf 1, To position 2 and Done"
    assert combine_options(game, s, 0, [*steps[1:]], 1) is None  # there is no page to flip yet, so nothing is combined
    assert combine_options(game, s, 1, steps, 1) is None
    assert combine_options(game, s, 0, steps[:2] * 40, 1) is None


def test_nothing_is_chosen_after_a_reveal() -> None:
    """AE-6.1, AE-7.2  A combination ends where a player looks at a box or draws a cube."""
    game = load_game("evangelists")
    s = table(seats=2, pawns=["corinth", "rome"], tokens=[0, 0])
    for texts in (("tradition", "none"), ("interview", "weak")):
        assert combine_options(game, s, 0, [game.read(text) for text in texts], 1) is None
