"""Tests of observations: exact, documented, and free of hidden information."""

from typing import Any, TypeAlias

import pytest

from tests.research.sampled_worlds import (
    GAMES,
    MOMENTS,
    SHOW_ALL,
    has_same_view,
    list_seats,
    list_viewers,
    sample_moments,
)
from tests.slow import slow
from triclinium.engine.core.encoding import BITS, COUNT, FLAG, ID, MASK, WIDE, CellBlock
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, State, Step
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.testing.secrecy_checks import play_with_events

AnyStep: TypeAlias = Step[Any]
SECRET = [game for game in GAMES if game.has_secrets]


def list_walks(game: Game) -> list[tuple[int, int]]:
    return [(seats, 1) for seats in list_seats(game)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_bytes_match_the_encoding(game: Game) -> None:
    """The width and the kind of every cell are those in `docs/research.md`."""
    for seats, seed in list_walks(game):
        for s in sample_moments(game, seats, seed):
            for seat in list_viewers(s):
                row = game.observe(s, seat)
                assert len(row) == game.encoding.width(seats)
                for at, name, block in game.encoding.block_offsets(seats):
                    check_block_range(block, row[at : at + block.size], f"{game.id}, {s.asked}, {name}")


def check_block_range(block: CellBlock, cells: bytes, where: str) -> None:
    most = {FLAG: 1, ID: block.top, MASK: 31, COUNT: 255, WIDE: 255, BITS: 255}[block.kind]
    assert max(cells, default=0) <= most, f"{where}: {list(cells)}"
    if block.kind == BITS and block.top % 8:
        assert all(cell >> block.top % 8 == 0 for cell in cells[block.shape[-1] - 1 :: block.shape[-1]]), where


@pytest.mark.parametrize(("resamples", "count", "worlds"), [(0, MOMENTS, 2), slow(1_000_000 // len(SECRET), 40, 8)])
@pytest.mark.parametrize("game", SECRET, ids=lambda game: game.id)
def test_an_observation_is_equal_in_every_world_of_its_seat(
    game: Game, resamples: int, count: int, worlds: int
) -> None:
    """Secrecy a: `resample` changes no observation. The slow test tries a million worlds of all games."""
    rng, done, seed = Rng(11), 0, 1
    while True:
        for seats in list_seats(game):
            for s in sample_moments(game, seats, seed, count):
                for seat in list_viewers(s):
                    seen = game.observe(s, seat)
                    for _ in range(worlds):
                        assert game.observe(s.resample(seat, rng), seat) == seen, f"{game.id}: {s.asked}, {seat}"
                        done += 1
        seed += 1
        if done >= resamples:
            break
    assert done > 50


@pytest.mark.parametrize("game", SECRET, ids=lambda game: game.id)
def test_an_observation_contains_exactly_the_view(game: Game) -> None:
    """Secrecy b: observations differ exactly between worlds that a seat can distinguish."""
    rng, differ = Rng(12), 0
    for seats, seed in list_walks(game):
        for s in sample_moments(game, seats, seed):
            world = s.resample(rng.pick(list_viewers(s)), rng)
            for seat in list_viewers(s):
                same = has_same_view(game, s, world, seat)
                assert (game.observe(s, seat) == game.observe(world, seat)) == same, f"{game.id}: {s.asked}, {seat}"
                differ += not same
    assert differ


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_changed_view_changes_the_observation(game: Game) -> None:
    """Secrecy c: after any option."""
    rng = Rng(13)
    for seats, seed in list_walks(game):
        for s in sample_moments(game, seats, seed):
            after = s.clone()
            after.choose(rng.pick(after.legal))
            for seat in list_viewers(s):
                changed = game.observe(s, seat) != game.observe(after, seat)
                assert changed or has_same_view(game, s, after, seat), f"{game.id}: {s.asked}, {seat}"


@pytest.mark.parametrize("game", SECRET, ids=lambda game: game.id)
def test_equal_events_give_equal_observations(game: Game) -> None:
    """Secrecy d: from one position, equal events in two worlds give equal observations."""
    rng, compared = Rng(14), 0
    for seats, seed in list_walks(game):
        for s in sample_moments(game, seats, seed, 3 * MOMENTS):
            o = rng.pick(s.legal)
            t = play_with_events(s.clone(), s, o)
            for seat in list_viewers(s):
                world = s.resample(seat, rng)
                if world.refusal(o) is None and list_visible_events(
                    play_with_events(world, s, o), seat
                ) == list_visible_events(t, seat):
                    compared += 1
                    assert game.observe(world, seat) == game.observe(t, seat), (
                        f"{game.id}: {game.format_option(o)}, {seat}"
                    )
    assert compared


def list_visible_events(s: State, seat: int) -> list[object]:
    return [event.for_viewer(seat) for event in s.events or []]


@pytest.mark.parametrize("game", [game for game in SECRET if game.id in SHOW_ALL], ids=lambda game: game.id)
def test_an_observer_that_shows_every_face_is_caught(game: Game) -> None:
    """Secrecy e: the first test notices every pair of worlds that differ by a hidden card."""
    rng, caught, tried = Rng(15), 0, 0
    for s in sample_moments(game, game.seats[-1], 1):
        for seat in list_viewers(s):
            world = s.resample(seat, rng)
            if world.state_key() == s.state_key():
                continue
            tried += 1
            shown, other = s.clone(), world.clone()
            SHOW_ALL[game.id](shown)
            SHOW_ALL[game.id](other)
            caught += game.observe(shown, seat) != game.observe(other, seat)
    assert tried > 10
    assert caught >= 0.8 * tried, f"{caught} of {tried}"  # the others differ only in decks, whose order is never shown


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_question_has_a_number(game: Game) -> None:
    """The observer knows each step that can ask, with the right number of fields."""
    asked = {step.id for step in list_steps(Step) if step.__module__.startswith(package_of(game)) and can_ask(step)}
    abstract = {"Place", "Payment", "Resign"}  # their subclasses ask; resigning is never asked
    assert asked - abstract == set(game.required_observer.questions.ids)
    for seats, seed in list_walks(game):
        for s in sample_moments(game, seats, seed):
            assert len(s.asked.fields()) == len(game.required_observer.questions.fields[s.asked.id])


def package_of(game: Game) -> str:
    return type(game).__module__.rpartition(".")[0]


def list_steps(kind: type[AnyStep]) -> list[type[AnyStep]]:
    found: list[type[AnyStep]] = []
    for one in kind.__subclasses__():
        found += [one, *list_steps(one)]
    return found


def can_ask(step: type[AnyStep]) -> bool:
    return any("candidates" in vars(kind) for kind in step.__mro__ if kind is not Step)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_seats_are_relative_to_the_observer(game: Game) -> None:
    """The asked seat is 1 in its own observation, and its row comes first."""
    at = next(at for at, name, _ in game.encoding.block_offsets(2) if name == "asked")
    for s in sample_moments(game, game.seats[-1], 2, 4):
        for seat in range(s.seats):
            assert game.observe(s, seat)[at] == (s.who - seat) % s.seats + 1
        assert game.observe(s, NOBODY)[at] == s.who + 1


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_attribute_tables_have_a_row_for_every_id(game: Game) -> None:
    """Row 0 means nothing. Each number has a name."""
    blocks = [*game.encoding.common, *game.encoding.player]
    for name, table in game.required_observer.tables.items():
        assert {block.top for block in blocks if block.id_table == name} <= {len(table) - 1}, name
        assert not any(table.rows[0])
        assert {len(row) for row in table.rows} == {len(table.names)}
        assert len(set(table.names)) == len(table.names), name


def test_an_edited_card_changes_its_attributes() -> None:
    """A network gets attributes instead of card numbers."""
    portals = next(game for game in GAMES if game.id == "portals")
    card = portals.ids["card"][3]
    edited = portals.with_components(portals.file.with_changes({f"events.card.{card}.points": 7}))
    assert edited.encoding.hash == portals.encoding.hash
    assert edited.required_observer.tables["card"].rows[4] != portals.required_observer.tables["card"].rows[4]


def test_observed_score_lines_add_up_to_the_score() -> None:
    """Ierusalem computes the total of the score sheet a second time, without its lines."""
    game = load_game("ierusalem")
    cells = {name: at for at, name, _ in game.encoding.block_offsets(4)}
    for s in sample_moments(game, 4, 3):
        row, scores = game.observe(s, 1), game.scores(s)
        for i in range(4):
            at = cells[f"{i + 1}.total"]
            assert 256 * row[at] + row[at + 1] == max(0, scores[(1 + i) % 4].points)
