"""The set-up (chapter SET UP)."""

from triclinium.engine.core.rng import Rng
from triclinium.games.testoftime.rules.components import KIND_COUNT, Components
from triclinium.games.testoftime.rules.state import NONE, TestOfTime
from triclinium.games.testoftime.rules.turn import FirstRound


def empty_table(
    c: Components, seats: int, rng: Rng, rounds: int, hostile_reverse: bool, mercy: bool, version: int
) -> TestOfTime:
    """TT-1.2, TT-1.3, TT-1.4  Boards without Testaments, the first followers waiting, no shaman, before round 1."""
    s = TestOfTime()
    s.open(seats, rng, version)
    slots = seats * c.spaces
    s.c = c
    s.rounds = rounds
    s.hostile_reverse = hostile_reverse
    s.mercy = mercy
    s.round = 0
    s.starter = 0
    s.passes = 0
    s.moves = 0
    s.followers = [c.start_followers] * seats
    s.shamans = [0] * seats
    s.waiting = [c.start_followers] * seats
    s.waiting_shamans = [0] * seats
    s.kind = [NONE] * slots
    s.since = [0] * slots
    s.seen = [0] * slots
    s.past = [()] * slots
    s.standing = [0] * (seats * KIND_COUNT)
    s.making = [NONE] * slots
    s.makers = [0] * slots
    s.keepers = [0] * slots
    s.attackers = [()] * slots
    s.defenders = [0] * slots
    s.sires = [()] * seats
    s.shaman_sires = [()] * seats
    s.converts = [()] * seats
    s.reversers = [0] * seats
    return s


def deal(
    c: Components, seats: int, rng: Rng, rounds: int, hostile_reverse: bool, mercy: bool, version: int
) -> TestOfTime:
    """TT-1.5, TT-R2  The starting player of round 1 is chosen at random: the only chance of the game."""
    s = empty_table(c, seats, rng, rounds, hostile_reverse, mercy, version)
    s.starter = rng.below(seats)
    s.undo_barrier += 1
    s.push(FirstRound())
    return s
