"""What a bot looks at (specification, section 9), as numbers in points or close to them."""

from typing import Final

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.evangelists.rules.components import TRACKS
from triclinium.games.evangelists.rules.scoring import bonus, matches, scores, theme_points, ties, track_points
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.rules.turn import ChooseAction

FEATURES: Final = (
    "tally",  # marks
    "tracks",  # points of the four tracks as they stand, relative to the leader
    "steps",  # levels reached, whoever leads
    "theme",  # points of the theme as it stands
    "matches",  # cards that match the theme
    "bonus",
    "ties",
    "cards",  # in the gospel, on their way to it counted too
    "room",  # empty slots that rounds are left to fill
    "tokens",
    "prospects",  # marks that open witnesses would pay, nearer ones more
    "octagons",  # left in the own turn
    "at_work",  # an own action is under way: what it costs is paid, what it gives is to come
    "in_city",
    "rival",  # the best rival's marks and tracks
)


class EvangelistsEvaluator(Evaluator):
    """What bots ask of a position."""

    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, Evangelists)
        return features(s, seat)

    def progress(self, s: State) -> float:
        assert isinstance(s, Evangelists)
        return progress(s)

    def is_stable(self, s: State) -> bool:
        assert isinstance(s, Evangelists)
        return is_stable(s)

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, Evangelists)
        return scores(s)


def is_stable(s: Evangelists) -> bool:
    """Between two actions."""
    return s.who == NOBODY or isinstance(s.stack[-1], ChooseAction)


def features(s: Evangelists, seat: Seat) -> list[float]:
    """One number for each name in FEATURES."""
    own = s.turn == seat
    rounds_left = s.c.track_end - s.marker
    cards = len(s.slots[seat]) - s.empty_slots(seat)
    pending = len(s.kept) if own and s.stack and s.stack[-1].who == seat else 0
    steps = 0
    tracks = 0
    for track in range(TRACKS):
        steps += s.levels[seat * TRACKS + track]
        tracks += track_points(s, seat, track)
    rival = 0
    for other in range(s.seats):
        if other != seat:
            standing = s.tally[other]
            for track in range(TRACKS):
                standing += track_points(s, other, track)
            rival = max(rival, standing)
    at_work = own and s.who == seat and s.octagons < s.c.octagons and not is_stable(s)
    return [
        float(s.tally[seat]),
        float(tracks),
        float(steps),
        float(theme_points(s, seat)),
        float(matches(s, seat)),
        float(bonus(s, seat)),
        float(ties(s, seat)),
        float(cards + pending),
        float(min(s.empty_slots(seat), 2 * rounds_left)),
        float(s.tokens[seat] if rounds_left > 1 else 0),
        prospects(s, seat),
        float(s.octagons if own else 0),
        float(at_work),
        float(s.pawn[seat] < s.c.cities and s.pawn[seat] >= 0),
        float(rival),
    ]


def progress(s: Evangelists) -> float:
    """By the round marker."""
    start = s.c.track_start[s.seats]
    return (s.marker - start) / (s.c.track_end - start)


def prospects(s: Evangelists, seat: Seat) -> float:
    """What the witnesses still open to this seat would pay for a weak Interview, discounted by distance."""
    here = s.pawn[seat]
    if here < 0:
        return 0.0
    white = s.bag_white
    drawn = white + s.bag_black
    hope = (s.c.weak_dead + (s.c.weak_alive - s.c.weak_dead) * white / drawn) if drawn else float(s.c.weak_dead)
    total = 0.0
    for city in range(s.c.cities):
        witness = s.witness_at[city]
        if (s.interviews[seat] >> witness) & 1 or not s.piles[witness]:
            continue
        count = s.circles(seat, witness)
        if count:
            each = hope
            if (s.alive >> witness) & 1:
                each = float(s.c.weak_alive)
            elif (s.dead >> witness) & 1:
                each = float(s.c.weak_dead)
            total += count * each / (1.0 + s.c.distance[here][city])
    return total
