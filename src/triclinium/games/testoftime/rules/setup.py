"""Set-up of a match (chapter SET UP)."""

from triclinium.engine.core.rng import Rng
from triclinium.games.testoftime.rules.components import KIND_COUNT, Components
from triclinium.games.testoftime.rules.state import NONE, TestOfTime
from triclinium.games.testoftime.rules.turn import FirstRound


class TableRules:
    """Variants on which the players of a table agreed (TT-14.1 to TT-14.6)."""

    def __init__(
        self,
        rounds: int,
        hostile_reverse: bool,
        mercy: bool,
        defenders_choose: bool,
        attacks_per_round: int,
        one_payment: bool,
    ) -> None:
        self.rounds = rounds
        self.hostile_reverse = hostile_reverse
        self.mercy = mercy
        self.defenders_choose = defenders_choose
        self.attacks_per_round = attacks_per_round  # maximum number of attacks; 0: unlimited
        self.one_payment = one_payment


def make_empty_table(c: Components, seats: int, rng: Rng, table_rules: TableRules, version: int) -> TestOfTime:
    """TT-1.2, TT-1.3, TT-1.4  Return a table before round 1, with only the first followers waiting."""
    s = TestOfTime()
    s.initialize(seats, rng, version)
    slots = seats * c.spaces
    s.c = c
    s.rounds = table_rules.rounds
    s.hostile_reverse = table_rules.hostile_reverse
    s.mercy = table_rules.mercy
    s.defenders_choose = table_rules.defenders_choose
    s.attacks_per_round = table_rules.attacks_per_round
    s.one_payment = table_rules.one_payment
    s.round = 0
    s.starter = 0
    s.passes = 0
    s.moves_begun = 0
    s.followers = [c.start_followers] * seats
    s.shamans = [0] * seats
    s.waiting = [c.start_followers] * seats
    s.waiting_shamans = [0] * seats
    s.kind = [NONE] * slots
    s.since = [0] * slots
    s.visible = [0] * slots
    s.past = [()] * slots
    s.standing_counts = [0] * (seats * KIND_COUNT)
    s.empty_zones()
    return s


def deal(c: Components, seats: int, rng: Rng, table_rules: TableRules, version: int) -> TestOfTime:
    """TT-1.5, TT-R2  Return a new match with a random starting player, the only chance of the game."""
    s = make_empty_table(c, seats, rng, table_rules, version)
    s.starter = rng.below(seats)
    s.undo_barrier += 1
    s.push(FirstRound())
    return s
