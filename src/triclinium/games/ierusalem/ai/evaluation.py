"""Features of a position for bots (specification, section 9), in VP or close to them."""

from typing import Final

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.games.ierusalem.ai.card_values import DENARIUS_VALUE, CardProspects, estimate_best_swap, estimate_space
from triclinium.games.ierusalem.ai.column_progress import SeatColumns, count_card_points
from triclinium.games.ierusalem.ai.quick_policy import choose_quick_option
from triclinium.games.ierusalem.rules.actions.cards import TakeMahane
from triclinium.games.ierusalem.rules.actions.favor import FavorDone, FavorTo
from triclinium.games.ierusalem.rules.actions.market import Trade
from triclinium.games.ierusalem.rules.actions.sanhedrin import count_judgment_points
from triclinium.games.ierusalem.rules.actions.supper import ChangeTo, Go, Leave, SwapWith
from triclinium.games.ierusalem.rules.actions.visit import Appreciation, Bring, EndVisit, SeatApostle
from triclinium.games.ierusalem.rules.scoring import count_seat_points, scores
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.turn import Column, Play

FEATURES: Final = (
    "track",  # current VP on the track
    "parables",  # final VP of the Parable tiles
    "next_parable",  # 1 if the player has enough Followers for the next Parable; it fades during the match
    "seats",  # final VP behind seated Apostles
    "promise",  # estimated final VP behind empty seats
    "jesus",
    "offerings",
    "illumination",
    "goods",  # value of the goods at market prices; it fades during the match
    "reach",  # value of the best space at the Supper that the goods can pay
    "denarii",  # number of Denarii; money beyond the near future counts less
    "desert",  # number of Followers in the Desert; it fades during the match
    "mountain",
    "lake",
    "hand",  # value of the cards in the hand, best first
    "favors_done",
    "favors_received",
    "progress",  # progress of columns that can still be used, at most two symbols each
    "ready",  # Apostle VP of the best column that can be visited now
    "spoilt",  # number of columns that fit no Apostle column
    "locked",  # number of cards in columns that fit no Apostle column
    "overfull",  # number of pieces beyond the spaces of the Camp
    "judgment",  # lead in the next Judgment for the player who moves the marker, less if it is far away
    "rival",  # VP of the best rival on the track and behind seats
    "hope",  # estimated value of the unfinished steps of the seat's turn
)

SPENT_SOON: Final = 8  # number of Denarii that can soon be spent
CROWDED_FACTOR: Final = 0.85
TURN_VALUE: Final = 6.0  # value of a turn: the average growth of the features per round in 232 matches


class IerusalemEvaluator(Evaluator):
    """The evaluator of Ierusalem."""

    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, Ierusalem)
        return features(s, seat)

    def progress(self, s: State) -> float:
        assert isinstance(s, Ierusalem)
        return measure_progress(s)

    def is_stable(self, s: State) -> bool:
        assert isinstance(s, Ierusalem)
        return is_stable(s)

    def quick_option(self, s: State) -> Option:
        assert isinstance(s, Ierusalem)
        return choose_quick_option(s)

    def skip_turns(self, s: State, seat: Seat, turns: int) -> None:
        assert isinstance(s, Ierusalem)
        s.owed_turns += turns << (seat * 4)

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, Ierusalem)
        return scores(s)


def is_stable(s: Ierusalem) -> bool:
    """Return whether no card is being played."""
    return s.who == NOBODY or isinstance(s.stack[-1], Play)


def features(s: Ierusalem, seat: Seat) -> list[float]:
    """Return one number for each name in FEATURES."""
    c = s.c
    left = (c.last - s.marker) / c.last
    received = 0
    for place in range(seat * 5, seat * 5 + 5):
        received += s.received[place]
    lit = s.who == seat and isinstance(s.stack[-1], Appreciation)  # The Illumination tile counts as spent.
    columns = SeatColumns(s, seat, find_visited_column(s, seat))
    prospect = CardProspects(s, seat, columns)
    parables = s.parables[seat]
    enough = parables < len(c.parable_names) and s.count_at_supper(seat) > parables
    rival = 0
    for other in range(s.seats):
        if other != seat:
            rival = max(rival, s.get_vp(other) + count_seated_points(s, other))
    return [
        float(s.get_vp(seat)),
        float(c.parable_end[parables]),
        float(enough) * left,
        float(count_seated_points(s, seat)),
        estimate_open_seat(s, seat),
        float((s.supper[seat] & c.jesus_spaces).bit_count() * s.jesus_vp),
        float(s.offerings[seat]),
        float(c.illumination_vp if s.illumination[seat] and not lit else 0),
        float(price_goods(s, seat)) * left,
        prospect.estimate_affordable_space() * left,
        estimate_denarii(s.denarii[seat]) * left,
        estimate_follower(s, seat, 0) * left,
        estimate_follower(s, seat, 1) * left,
        estimate_follower(s, seat, 2) * left,
        prospect.estimate_hand(),
        float(s.favors[seat]),
        float(received) * left,
        columns.progress * left,
        float(columns.ready),
        float(columns.spoilt),
        float(columns.locked),
        float(max(0, s.count_filled_spaces(seat) - s.count_camp_spaces(seat))),
        estimate_next_judgment(s, seat),
        float(rival),
        estimate_pending_steps(s, seat, prospect),
    ]


def price_goods(s: Ierusalem, who: Seat) -> int:
    """Return the total of a player's goods at the Market's prices."""
    total = 0
    for good in range(3):
        total += s.goods[who * 3 + good] * s.c.price[good]
    return total


def estimate_follower(s: Ierusalem, who: Seat, place: int) -> float:
    """Return the value of a player's Followers in a Location. They can be displaced if no square is empty (IE-3.4)."""
    n = float(s.at_location[who * 3 + place])
    return n if s.empty_squares[place] > 0 else CROWDED_FACTOR * n


def estimate_denarii(denarii: int) -> float:
    """Return the value of money: Denarii beyond SPENT_SOON are worth a fifth."""
    return float(denarii) if denarii <= SPENT_SOON else SPENT_SOON + 0.2 * (denarii - SPENT_SOON)


def measure_progress(s: Ierusalem) -> float:
    """IE-2.19  Return the progress of the match, by the marker or by the most Followers at the Supper."""
    most = 0
    for seat in range(s.seats):
        most = max(most, s.count_at_supper(seat))
    return max(s.marker / s.c.last, most / s.c.followers)


def count_seated_points(s: Ierusalem, who: Seat) -> int:
    """Return a player's final VP behind seated Apostles."""
    total = 0
    mine = s.supper[who]
    around = s.c.spaces_around
    for seat in range(len(s.seated)):
        if mine & around[seat] and s.seated[seat] >= 0:
            total += count_seat_points(s, who, seat)
    return total


def estimate_open_seat(s: Ierusalem, who: Seat) -> float:
    """Return the estimated VP of Followers behind empty seats: 4 right behind, 0.8 less for each further space."""
    c = s.c
    total = 0.0
    mine = s.supper[who]
    for seat in range(len(s.seated)):
        if mine & c.spaces_around[seat] and s.seated[seat] < 0:
            for distance in range(3):
                there = mine & c.spaces_at_distance[seat * 3 + distance]
                if there:
                    total += (4.0 - 0.8 * distance) * there.bit_count()
    return total


def find_visited_column(s: Ierusalem, who: Seat) -> int:
    """Return the column that a visit under way will clear, or -1."""
    for step in s.stack:
        if isinstance(step, EndVisit) and step.visitor == who and step.source > 0:
            return who * 3 + step.source - 1
    return -1


def estimate_next_judgment(s: Ierusalem, who: Seat) -> float:
    """Return the lead over the best rival in the next Judgment, for the player who moves the marker.

    A distant Judgment counts less.
    """
    if not s.has_judgments:
        return 0.0
    for i in range(len(s.tiles)):
        away = s.c.tile_spaces[i] - s.marker
        if away > 0:
            rival = 0
            for other in range(s.seats):
                if other != who:
                    rival = max(rival, count_judgment_points(s, other, s.tiles[i]) // 2)
            return (count_judgment_points(s, who, s.tiles[i]) - rival) / (1.0 + away)
    return 0.0


# -- pending steps -----------------------------------------------------------------------------------------------------


def estimate_pending_steps(s: Ierusalem, who: Seat, prospect: CardProspects) -> float:
    """Return the value of the seat's own steps on the stack.

    Without it, the first half of an action would look no better than no action. Turns that a bot's plan skips are
    subtracted.
    """
    total = 0.0 - TURN_VALUE * ((s.owed_turns >> (who * 4)) & 15)
    for step in s.stack:
        if isinstance(step, FavorDone):
            if step.giver == who:
                total += 4.0
        elif isinstance(step, EndVisit) and step.visitor == who and step.source > 0:
            total += count_card_points(s, s.columns[who * 3 + step.source - 1])
    if s.who != who:
        return total
    top = s.stack[-1]
    if isinstance(top, Column):
        total += prospect.estimate_card(top.card)
    elif isinstance(top, (Leave, Go)):
        total += 1.0 + 0.8 * (prospect.estimate_free_space() if top.free else prospect.estimate_affordable_space())
    elif isinstance(top, FavorTo):
        total += 4.0
    elif isinstance(top, (Bring, SeatApostle)):
        total += 6.0
    elif isinstance(top, Appreciation):
        total += estimate_appreciation(s, who, prospect)
    elif isinstance(top, TakeMahane):
        total += 0.0 if top.may_skip else 1.6
    elif isinstance(top, SwapWith):
        total += estimate_best_swap(s, who)
    elif isinstance(top, ChangeTo):
        total += max(0.0, prospect.estimate_free_space() - estimate_space(s, top.space))
    elif isinstance(top, Trade):
        total += 0.2
    return total


def estimate_appreciation(s: Ierusalem, who: Seat, prospect: CardProspects) -> float:
    """IE-2.5  Return the value of the Illumination tile: the best of an invitation, a swap and Denarii."""
    invited = 1.0 + 0.8 * prospect.estimate_free_space() if prospect.has_follower_out() and s.free_spaces else 0.0
    return max(invited, estimate_best_swap(s, who), s.c.judas_denarii * DENARIUS_VALUE * prospect.left)
