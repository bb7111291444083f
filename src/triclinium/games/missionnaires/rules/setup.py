"""Set-up of Les Missionnaires (LM-1.1 to LM-1.10)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Step
from triclinium.games.missionnaires.rules import stages
from triclinium.games.missionnaires.rules.components import COLOUR, OFF, Components
from triclinium.games.missionnaires.rules.events import PICKED
from triclinium.games.missionnaires.rules.state import ALL, COUNTED_PURPOSES, ONE_SPACE, Missionnaires
from triclinium.games.missionnaires.rules.table_rules import BALANCED, FULL, TableRules
from triclinium.games.missionnaires.rules.tours import measure_short_tour
from triclinium.games.missionnaires.rules.turn import CardFlow, NextTurn, Resign

MAX_REDEALS: Final = 400  # maximum number of attempts at a balanced deal (LM-R2)
TWENTIETH: Final = 20  # divisor of the shortest tour, which gives the largest difference in a balanced deal
TENTH: Final = 10  # the same divisor for four seats


def deal(c: Components, seats: int, rng: Rng, v: TableRules, version: int) -> Missionnaires:
    """Return the initial state: pawns, gendarmes, periodicals and cards in place, and a random first player."""
    s = Missionnaires()
    s.initialize(seats, rng, version)
    s.c = c
    s.v = v
    s.flow = CardFlow()
    s.anytime = [Resign(seat) for seat in range(seats)]  # LM-R24
    s.at = [c.bethel] * seats  # LM-1.4
    s.trail = [ONE_SPACE[c.bethel]] * seats
    s.gendarmes = c.homes[:]  # LM-1.5
    s.periodicals = [c.periodicals_start] * seats  # LM-1.6
    deal_congregations(s)
    s.deck = list(range(c.territories))  # LM-1.8
    s.sea_deck = list(range(c.territories, len(c.card_ids)))
    s.discard = []
    s.sea_discard = []
    rng.shuffle(s.deck)
    rng.shuffle(s.sea_deck)
    s.overseer_space = [OFF, OFF]  # LM-1.9
    s.escort = [NOBODY, NOBODY]
    s.newly_joined = 0
    s.missed = [0] * seats
    s.turns = [0] * seats
    s.passed = [0] * seats
    s.sailed_from = (OFF,) * seats
    s.rank = [0] * seats
    s.ended_round = (0,) * seats
    s.rank_key_at_stop = (0,) * seats
    s.colour = tuple(range(seats))  # LM-1.3
    s.resigned = 0
    s.bons = ((),) * seats
    s.visited = [0] * seats
    s.draws = (0,) * COUNTED_PURPOSES
    s.territories = 0
    s.round = 0
    s.first = rng.below(seats)  # LM-1.10, LM-R1
    s.turn = (s.first - 1) % seats
    s.push(NextTurn(NOBODY))
    if v.pick_colour:
        s.push_all([PickColour((s.first + i) % seats) for i in range(seats)])
    return s


def deal_congregations(s: Missionnaires) -> None:
    """LM-1.7  Deal 12, 8 or 6 cards each and leave the rest in the reserve; a full deal (LM-R2) leaves none."""
    cards = list(range(len(s.c.congregations)))
    s.rng.shuffle(cards)
    each = len(cards) // s.seats if s.v.deal == FULL else s.c.hand[s.seats]
    if s.v.deal == BALANCED:
        cards = deal_balanced(s, cards, each)
    seats = range(s.seats)
    s.hand = tuple([tuple(cards[seat * each : (seat + 1) * each]) for seat in seats])
    s.hand_seen = tuple([(ALL if s.v.open_hands else 1 << seat,) * each for seat in seats])
    s.hand_ruled_out = ((0,) * each,) * s.seats
    s.reserve = tuple(cards[s.seats * each :])
    s.reserve_seen = (0,) * len(s.reserve)
    s.reserve_ruled_out = (0,) * len(s.reserve)


def deal_balanced(s: Missionnaires, cards: list[int], each: int) -> list[int]:
    """LM-R2  Return a deal with nearly equal shortest tours, or the best of MAX_REDEALS deals."""
    part = TENTH if s.seats > 3 else TWENTIETH
    best = cards
    gap, least = measure_tour_spread(s, cards, each)
    for _ in range(MAX_REDEALS):
        if gap * part <= least:
            break
        cards = cards[:]
        s.rng.shuffle(cards)
        other, shortest = measure_tour_spread(s, cards, each)
        if other * least < gap * shortest:
            best, gap, least = cards, other, shortest
    return best


def measure_tour_spread(s: Missionnaires, cards: list[int], each: int) -> tuple[int, int]:
    """Return the difference between the longest and the shortest tour of a deal, and the shortest tour."""
    tours: list[int] = []
    for seat in range(s.seats):
        towns = [s.c.congregation_at[card] for card in sorted(cards[seat * each : (seat + 1) * each])]
        tours.append(measure_short_tour(s.c.distance, s.c.bethel, s.c.bethel, towns))
    return max(tours) - min(tours), min(tours)


class PickColour(Step[Missionnaires]):
    """LM-1.3  The choice of a pawn, by variant: the leader first, then in seat order."""

    id: ClassVar[str] = "PickColour"
    action: ClassVar[Action | None] = stages.PAWN
    question: ClassVar[str] = "Which pawn do you take?"

    def candidates(self, s: Missionnaires) -> list[Option]:
        before = (self.who - s.first) % s.seats
        taken = [s.colour[seat] for seat in range(s.seats) if (seat - s.first) % s.seats < before]
        return [COLOUR + colour for colour in range(len(s.c.colours)) if colour not in taken]

    def apply(self, s: Missionnaires, o: Option) -> None:
        """Give the player the picked pawn. A player who had it provisionally gets the picker's in exchange."""
        picked = o - COLOUR
        colours = list(s.colour)
        if picked in colours:
            colours[colours.index(picked)] = colours[self.who]
        colours[self.who] = picked
        s.colour = tuple(colours)
        s.emit(PICKED, self.who, (picked,), "LM-1.3")
