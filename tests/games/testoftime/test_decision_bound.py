"""TT-R20  Tests of the maximum length of a match, which can nearly be reached."""

import pytest

from tests.slow import slow
from triclinium.engine.core.state import Option, Seat
from triclinium.engine.registry import load_game
from triclinium.games.testoftime.game import bound_decisions
from triclinium.games.testoftime.rules.actions.attack import forbids_attack
from triclinium.games.testoftime.rules.actions.create import forbids_create
from triclinium.games.testoftime.rules.actions.sire import forbids_sire, forbids_sire_shaman
from triclinium.games.testoftime.rules.components import ATTACK, CREATE, PASS, SHAMANS, SIRE, SIRE_SHAMAN
from triclinium.games.testoftime.rules.state import NONE, TestOfTime

GAME = load_game("testoftime")
KEPT = 2  # pieces that a seat keeps, so that it is asked repeatedly


@pytest.mark.parametrize(("seats", "rounds"), [(5, 10), slow(5, 20), slow(3, 20)])
def test_delaying_players_stay_below_the_bound(seats: int, rounds: int) -> None:
    """TT-R20  Each seat attacks piece by piece while all others pass.

    Five players with 20 rounds make 20,659 decisions: more than half of the bound, and 19 times the usual length. In
    shorter matches growth takes a larger part.
    """
    s = GAME.deal(seats, 1, {"rounds": rounds})
    assert isinstance(s, TestOfTime)
    made = 0
    while not s.over:
        s.choose(longest(s))
        made += 1
    most = bound_decisions(s.c, seats, rounds)
    assert most / 4 < made < most == GAME.max_match_decisions(s) <= GAME.max_decisions


def longest(s: TestOfTime) -> Option:
    """Return the option that makes the match longest."""
    if s.asked.id == "Move":
        movers = [seat for seat in range(s.seats) if choose_slow_move(s, seat) != PASS]
        if movers and movers[0] != s.who:
            return PASS
        o = choose_slow_move(s, s.who)
        return ATTACK if o == PASS and ATTACK in s.legal else o
    if s.asked.id == "AttackWithShamans" and s.waiting[s.who] == 0 and s.legal[0] == SHAMANS:
        return s.legal[1]
    return s.legal[0]


def choose_slow_move(s: TestOfTime, seat: Seat) -> Option:
    """Return the next move of a seat: children first, then targets, then attacks with one piece each."""
    if s.waiting[seat] + s.waiting_shamans[seat] < KEPT:
        return PASS
    if s.waiting[seat] > s.c.sire_cost:
        if forbids_sire(s, seat, s.compute_waiting_worth(seat)) is None:
            return SIRE
        if (
            s.followers[seat] > s.c.max_followers * 4 // 5
            and forbids_sire_shaman(s, seat, s.compute_waiting_worth(seat)) is None
        ):
            return SIRE_SHAMAN
    if (
        not has_testament(s, seat)
        and s.waiting[seat] > min(s.c.create)
        and forbids_create(s, seat, s.compute_waiting_worth(seat)) is None
    ):
        return CREATE
    return ATTACK if forbids_attack(s, seat) is None else PASS


def has_testament(s: TestOfTime, seat: Seat) -> bool:
    own = range(seat * s.c.spaces, (seat + 1) * s.c.spaces)
    return any(s.visible[slot] > 0 or s.making[slot] != NONE for slot in own)
