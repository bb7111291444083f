"""The set-up of Les Missionnaires (LM-1.1 to LM-1.10)."""

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY
from triclinium.games.missionnaires.rules.components import OFF, Components
from triclinium.games.missionnaires.rules.state import ALL, Missionnaires, TableRules
from triclinium.games.missionnaires.rules.turn import CardFlow, NextTurn, Resign


def deal(c: Components, seats: int, rng: Rng, v: TableRules, version: int) -> Missionnaires:
    """Pawns on the Bethel, gendarmes at home, 8 periodicals each, the cards dealt, the first player drawn."""
    s = Missionnaires()
    s.open(seats, rng, version)
    s.c = c
    s.v = v
    s.flow = CardFlow()
    s.anytime = [Resign(seat) for seat in range(seats)]  # LM-R24
    s.at = [c.bethel] * seats  # LM-1.4
    s.gendarmes = c.homes[:]  # LM-1.5
    s.periodicals = [c.periodicals_start] * seats  # LM-1.6
    deal_congregations(s)
    s.deck = list(range(c.territories))  # LM-1.8
    s.sea_deck = list(range(c.territories, len(c.card_ids)))
    s.discard = []
    s.sea_discard = []
    rng.shuffle(s.deck)
    rng.shuffle(s.sea_deck)
    s.overseer = [OFF, OFF]  # LM-1.9
    s.escort = [NOBODY, NOBODY]
    s.newly = 0
    s.missed = [0] * seats
    s.turns = [0] * seats
    s.passed = [0] * seats
    s.sailed = [OFF] * seats
    s.rank = [0] * seats
    s.resigned = 0
    s.bons = [()] * seats
    s.visited = [0] * seats
    s.territories = 0
    s.round = 0
    s.first = rng.below(seats)  # LM-1.10, LM-R1
    s.turn = (s.first - 1) % seats
    s.push(NextTurn(NOBODY))
    return s


def deal_congregations(s: Missionnaires) -> None:
    """LM-1.7  12, 8 or 6 cards each; the others are the reserve. In a full deal (LM-R2) there is none."""
    cards = list(range(len(s.c.congregations)))
    s.rng.shuffle(cards)
    each = len(cards) // s.seats if s.v.full_deal else s.c.hand[s.seats]
    s.hand = []
    s.hand_seen = []
    s.hand_out = []
    for seat in range(s.seats):
        s.hand.append(tuple(cards[seat * each : (seat + 1) * each]))
        s.hand_seen.append((ALL if s.v.open_hands else 1 << seat,) * each)
        s.hand_out.append((0,) * each)
    s.reserve = cards[s.seats * each :]
    s.reserve_seen = [0] * len(s.reserve)
    s.reserve_out = [0] * len(s.reserve)
