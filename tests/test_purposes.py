"""Chance by purpose: in two matches from one key, later draws agree as far as the cards do, whatever the moves."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from tests.matches import list_our_games, sample_cases
from tests.slow import slow
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.ierusalem.rules.constants import OWN_CARDS
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.portals.rules.state import Portals
from triclinium.games.testoftime.rules.state import TestOfTime
from triclinium.testing import GameCase
from triclinium.testing.sample import dump_view

MATCHES = 3  # matches from each key, each with moves of its own


@dataclass
class Draws:
    """Everything that chance decided in one match after the set-up."""

    # for each shuffle, the cards in their order
    orders: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    # for each draw from a bag, the share of white cubes in it and the result
    cubes: dict[tuple[int, int], tuple[float, bool]] = field(default_factory=dict)


Watcher = Callable[[State, State, Draws], None]


def watch_cubes(before: State, s: State, draws: Draws) -> None:
    assert isinstance(before, Evangelists)
    assert isinstance(s, Evangelists)
    if s.marker != before.marker:
        return
    for witness in range(len(s.c.witness_ids)):
        if ((s.alive | s.dead) & ~(before.alive | before.dead)) >> witness & 1:
            share = before.bag_white / (before.bag_white + before.bag_black)
            draws.cubes[s.marker, witness] = (share, bool(s.alive >> witness & 1))


def watch_voyages(before: State, s: State, draws: Draws) -> None:
    assert isinstance(before, Missionnaires)
    assert isinstance(s, Missionnaires)
    for name, purpose, deck in (("land", 0, s.deck), ("sea", 1, s.sea_deck)):
        if s.draws[purpose] == before.draws[purpose] + 1:
            draws.orders[name, before.draws[purpose]] = deck[:]
    if s.resigned != before.resigned:
        who = (s.resigned & ~before.resigned).bit_length() - 1
        number = len(before.hand[who])
        draws.orders["resigned", who] = list(s.reserve[:number])


def watch_decks(before: State, s: State, draws: Draws) -> None:
    assert isinstance(before, Ierusalem)
    assert isinstance(s, Ierusalem)
    for seat in range(s.seats):
        if s.shuffles[seat] == before.shuffles[seat] + 1:
            first = s.colours[seat] * OWN_CARDS
            draws.orders[f"seat {seat}", before.shuffles[seat]] = [card - first for card in s.deck[seat]]


def watch_piles(before: State, s: State, draws: Draws) -> None:
    """The cards that leave a deck are its cards in the order of the deal."""
    assert isinstance(before, Portals)
    assert isinstance(s, Portals)
    for number, (name, old, new) in enumerate((("old", before.old, s.old), ("new", before.new, s.new))):
        assert old[: len(new)] == new
        draws.orders.setdefault((name, number), []).extend(reversed(old[len(new) :]))


def watch_nothing(before: State, s: State, draws: Draws) -> None:
    assert isinstance(s, TestOfTime)


WATCHERS: dict[str, Watcher] = {
    "evangelists": watch_cubes,
    "ierusalem": watch_decks,
    "missionnaires": watch_voyages,
    "portals": watch_piles,
    "testoftime": watch_nothing,
}


def play_and_watch(case: GameCase, seed: int, moves: int) -> Draws:
    """Play a match from one key and return its draws. ``moves`` seeds the players' choices."""
    match = Match(case.game, case.seats, seed, case.variants)
    rng, draws = Rng(moves), Draws()
    dealt = match.state.rng.state_key()
    while not match.state.over:
        before = match.state.clone()
        o = rng.pick(match.state.options())
        if moves == 1 and rng.below(400) == 0:  # somebody resigns in some matches
            o = next((o for seat in range(case.seats) for o in match.state.anytime_options(seat)), o)
        match.play(case.game.format_option(o))
        WATCHERS[case.game.id](before, match.state, draws)
        assert match.state.rng.state_key() == dealt, "a draw after the set-up took from the stream of the set-up"
    return draws


def compare_orders(one: list[int], other: list[int]) -> None:
    assert [card for card in one if card in other] == [card for card in other if card in one]


def pairs_of(found: list[Draws]) -> Iterator[tuple[Draws, Draws]]:
    for i, one in enumerate(found):
        for other in found[:i]:
            yield one, other


def assert_same_chance(one: Draws, other: Draws) -> int:
    """Require that draws for the same purpose and number agree, and return how many were compared."""
    for key in one.orders.keys() & other.orders.keys():
        shorter = min(len(one.orders[key]), len(other.orders[key]))
        if key[0] in ("old", "new"):
            assert one.orders[key][:shorter] == other.orders[key][:shorter]
        compare_orders(one.orders[key], other.orders[key])
    for cube in one.cubes.keys() & other.cubes.keys():
        poorer, richer = sorted((one.cubes[cube], other.cubes[cube]))
        assert poorer[0] == richer[0] or richer[1] >= poorer[1], "a bag with more white cubes turned white into black"
        assert poorer[0] != richer[0] or richer[1] == poorer[1]
    return len(one.orders.keys() & other.orders.keys()) + len(one.cubes.keys() & other.cubes.keys())


@pytest.mark.parametrize("cases", [2, slow(100)])
@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_draws_for_a_purpose_agree_whatever_the_moves(game: Game, cases: int) -> None:
    compared = 0
    for key, case in enumerate(sample_cases(game)[:cases]):
        found = [play_and_watch(case, key, moves) for moves in range(MATCHES)]
        compared += sum(assert_same_chance(one, other) for one, other in pairs_of(found))
    assert compared > 0 or game.id == "testoftime"


@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_the_same_moves_give_the_same_views_and_logs(game: Game) -> None:
    """Two tables with the same key and moves are equal byte for byte in everything that anyone may see."""
    case = sample_cases(game)[0]
    one, other = (Match(case.game, case.seats, 12, case.variants) for _ in range(2))
    rng = Rng(3)
    while not one.state.over:
        text = game.format_option(rng.pick(one.state.options()))
        one.play(text)
        other.play(text)
        if rng.below(10) == 0:
            assert one.state.digest() == other.state.digest()
            for seat in range(-1, case.seats):
                assert dump_view(game, one.state, seat) == dump_view(game, other.state, seat)
    assert one.record.dumps() == other.record.dumps()
