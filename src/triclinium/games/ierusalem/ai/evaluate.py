"""What a bot looks at (specification, section 9), as numbers in VP or close to them."""

from typing import Final

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.ierusalem.rules.actions.cards import TakeMahane
from triclinium.games.ierusalem.rules.actions.favor import FavorDone, FavorTo
from triclinium.games.ierusalem.rules.actions.market import Trade
from triclinium.games.ierusalem.rules.actions.parable import can_listen, top_tile
from triclinium.games.ierusalem.rules.actions.sanhedrin import judged
from triclinium.games.ierusalem.rules.actions.supper import ChangeTo, Go, Leave, SwapWith, set_out
from triclinium.games.ierusalem.rules.actions.visit import Appreciation, Bring, EndVisit, SeatApostle
from triclinium.games.ierusalem.rules.kinds import (
    DENARIUS,
    DO_FAVOR,
    FIRST_MAHANE,
    FIRST_XXXIII,
    GATHER,
    GO_SUPPER,
    GO_TEMPLE,
    INVITED,
    PARABLE,
    STONE,
)
from triclinium.games.ierusalem.rules.scoring import behind, scores
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.turn import Column, Play

FEATURES: Final = (
    "track",  # VP scored
    "parables",  # end VP of the Parable tiles
    "next_parable",  # 1 if there are Followers enough for the next one
    "seats",  # end VP behind seated Apostles
    "promise",  # what Followers behind empty seats may come to be worth
    "jesus",
    "offerings",
    "illumination",
    "stone",
    "bread",
    "fish",
    "denarii",
    "desert",  # Followers there, fading with the game
    "mountain",
    "lake",
    "mahane",  # cards in hand
    "xxxiii",
    "favors_done",
    "favors_received",
    "progress",  # columns that can still become an Apostle column: symbols at hand, two at most
    "ready",  # Apostle VP of the best column that can be visited now
    "spoilt",  # columns with cards that fit nothing
    "overfull",  # pieces that the Camp cannot hold
    "judgment",  # what the next Judgment would pay as the mover, if it is near
    "rival",  # the best rival's VP on the track and behind seats
    "hope",  # what the steps of the own turn that are under way will bring, roughly
)


class IerusalemEvaluator(Evaluator):
    """What bots ask of a position."""

    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, Ierusalem)
        return features(s, seat)

    def progress(self, s: State) -> float:
        assert isinstance(s, Ierusalem)
        return progress(s)

    def is_stable(self, s: State) -> bool:
        assert isinstance(s, Ierusalem)
        return is_stable(s)

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, Ierusalem)
        return scores(s)


def is_stable(s: Ierusalem) -> bool:
    """Before a card is played."""
    return s.who == NOBODY or isinstance(s.stack[-1], Play)


def features(s: Ierusalem, seat: Seat) -> list[float]:
    """One number for each name in FEATURES."""
    c = s.c
    three = seat * 3
    left = (c.last - s.marker) / c.last
    mahane = 0
    xxxiii = 0
    for card in s.hand[seat]:
        if card >= FIRST_XXXIII:
            xxxiii += 1
        elif card >= FIRST_MAHANE:
            mahane += 1
    received = 0
    for place in range(seat * 5, seat * 5 + 5):
        received += s.received[place]
    lit = s.who == seat and isinstance(s.stack[-1], Appreciation)  # the tile is as good as spent
    progress, ready, spoilt = columns(s, seat)
    parables = s.parables[seat]
    enough = parables < len(c.parable_names) and s.at_supper(seat) > parables
    rival = 0
    for other in range(s.seats):
        if other != seat:
            rival = max(rival, s.vp(other) + seats_worth(s, other))
    return [
        float(s.vp(seat)),
        float(c.parable_end[parables]),
        float(enough) * left,
        float(seats_worth(s, seat)),
        promise(s, seat),
        float((s.supper[seat] & c.jesus_spaces).bit_count() * s.jesus_vp),
        float(s.offerings[seat]),
        float(c.illumination_vp if s.illumination[seat] and not lit else 0),
        float(s.goods[three]) * left,
        float(s.goods[three + 1]) * left,
        float(s.goods[three + 2]) * left,
        float(s.denarii[seat]) * left,
        float(s.at[three]) * left,
        float(s.at[three + 1]) * left,
        float(s.at[three + 2]) * left,
        float(mahane) * left,
        float(xxxiii) * left,
        float(s.favors[seat]),
        float(received) * left,
        progress * left,
        float(ready),
        float(spoilt),
        float(max(0, s.camp_fill(seat) - s.camp_space(seat))),
        next_judgment(s, seat),
        float(rival),
        hope(s, seat),
    ]


def progress(s: Ierusalem) -> float:
    """IE-2.19  By the marker, or by whoever has most Followers at the Supper."""
    most = 0
    for seat in range(s.seats):
        most = max(most, s.at_supper(seat))
    return max(s.marker / s.c.last, most / s.c.followers)


def seats_worth(s: Ierusalem, who: Seat) -> int:
    """End VP behind seated Apostles."""
    total = 0
    for seat in range(len(s.seated)):
        if s.seated[seat] >= 0:
            total += behind(s, who, seat)
    return total


def promise(s: Ierusalem, who: Seat) -> float:
    """Followers behind empty seats: 4 right behind, 0.8 less for each further space."""
    c = s.c
    total = 0.0
    mine = s.supper[who]
    for seat in range(len(s.seated)):
        if s.seated[seat] < 0:
            for distance in range(3):
                there = mine & c.depth[seat * 3 + distance]
                if there:
                    total += (4.0 - 0.8 * distance) * there.bit_count()
    return total


def columns(s: Ierusalem, who: Seat) -> tuple[float, int, int]:
    """How far the columns are on the way to a visit, the Apostle VP of the best that is there, how many are spoilt."""
    progress = 0.0
    ready = 0
    spoilt = 0
    leaving = visiting(s, who)
    for column in range(who * 3, who * 3 + 3):
        cards = s.columns[column]
        if not cards or column == leaving:
            continue
        best = -1.0
        for apostles in range(3):
            fit = fitting(s, who, cards, apostles)
            best = max(best, fit)
            if fit >= 3.0:
                ready = max(ready, card_points(s, cards))
        if best < 0.0:
            spoilt += 1
        else:
            progress += min(best, 2.0)
    return progress, ready, spoilt


def visiting(s: Ierusalem, who: Seat) -> int:
    """The column that a visit under way will clear, or -1."""
    for step in s.stack:
        if isinstance(step, EndVisit) and step.visitor == who and step.source > 0:
            return who * 3 + step.source - 1
    return -1


def fitting(s: Ierusalem, who: Seat, cards: tuple[int, ...], apostles: int) -> float:
    """3: a visit is possible; less by 1 for each symbol that is missing; -1: these cards never fit."""
    if len(cards) > 3:
        return -1.0
    used = 0
    missing = 0
    for symbol in s.symbols[apostles * 3 : apostles * 3 + 3]:
        if used < len(cards) and s.c.card_location[cards[used]] == symbol:
            used += 1
        elif s.received[who * 5 + symbol] == 0:
            missing += 1
    return 3.0 - missing if used == len(cards) else -1.0


def card_points(s: Ierusalem, cards: tuple[int, ...]) -> int:
    """Apostle VP of a column."""
    total = 0
    for card in cards:
        total += s.c.card_vp[card]
    return total


def next_judgment(s: Ierusalem, who: Seat) -> float:
    """The next Judgment for the mover less half of the best rival's, the less the farther away it is."""
    if not s.judging:
        return 0.0
    for i in range(len(s.tiles)):
        away = s.c.tile_spaces[i] - s.marker
        if away > 0:
            rival = 0
            for other in range(s.seats):
                if other != who:
                    rival = max(rival, judged(s, other, s.tiles[i]) // 2)
            return (judged(s, who, s.tiles[i]) - rival) / (1.0 + away)
    return 0.0


# -- what is under way ----------------------------------------------------------------------------------------------

# Lists, because a compiled module (mypyc 2.4.1) takes a Final tuple of floats for one that was never set.
GOODS_WORTH: Final[list[float]] = [0.6, 0.9, 1.2]  # of Stone, Bread and Fish, in VP
WORTH: Final[list[float]] = [3.0, 5.5, 3.0, 4.5, 0.2, 0.6, 0.9, 1.2, 0.3, 3.0, 0.5, 0.8, 1.2, 3.5, 1.2, 0.4, 1.5]


def hope(s: Ierusalem, who: Seat) -> float:
    """What the own steps on the stack will bring: without it a first half-step looks no better than none."""
    total = 0.0
    for step in s.stack:
        if isinstance(step, FavorDone):
            if step.giver == who:
                total += 5.0
        elif isinstance(step, EndVisit) and step.visitor == who and step.source > 0:
            total += card_points(s, s.columns[who * 3 + step.source - 1])
    if s.who != who:
        return total
    top = s.stack[-1]
    if isinstance(top, Column):
        total += card_worth(s, who, top.card) + column_gain(s, who, top.card)
    elif isinstance(top, (Leave, Go)):
        total += 5.0 if top.free else 2.5
    elif isinstance(top, FavorTo):
        total += 5.0
    elif isinstance(top, (Bring, SeatApostle)):
        total += 6.0
    elif isinstance(top, Appreciation):
        total += 4.0 if max(s.at[who * 3], s.at[who * 3 + 1], s.at[who * 3 + 2]) > 0 else 1.5
    elif isinstance(top, TakeMahane):
        total += 0.0 if top.may_skip else 1.6
    elif isinstance(top, SwapWith):
        total += 2.0
    elif isinstance(top, ChangeTo):
        total += 1.5
    elif isinstance(top, Trade):
        total += 0.2
    return total


def card_worth(s: Ierusalem, who: Seat, card: int) -> float:
    """What the Location and the actions of a card would bring now."""
    left = (s.c.last - s.marker) / s.c.last
    total = 0.0
    for action in s.c.card_doing[card]:
        total += action_worth(s, who, action, left)
    return total


def action_worth(s: Ierusalem, who: Seat, action: int, left: float) -> float:
    """What one action would bring now."""
    if action >= GATHER:
        return s.at[who * 3 + action - GATHER] * GOODS_WORTH[action - GATHER] * left
    if action == GO_SUPPER:
        return 3.0 if set_out(s, who, False) is not None else 0.0
    if action == INVITED:
        return 5.5 if set_out(s, who, True) is not None else 0.0
    if action == PARABLE:
        if not can_listen(s, who):
            return 0.0
        number = s.parables[who] + 1
        return float(top_tile(s, number) + s.c.parable_end[number] - s.c.parable_end[number - 1])
    if action == DO_FAVOR:
        return 4.5 if s.markers[who] else 0.0
    if STONE <= action < DENARIUS:
        return GOODS_WORTH[action - STONE] * left
    if action == GO_TEMPLE:
        return 0.4 * min(s.denarii[who], 6) * left
    return WORTH[action]


def column_gain(s: Ierusalem, who: Seat, card: int) -> float:
    """What the card would do for the best of the columns."""
    best = -3.0
    for column in range(who * 3, who * 3 + 3):
        cards = s.columns[column]
        before = -1.0
        after = -1.0
        for apostles in range(3):
            before = max(before, fitting(s, who, cards, apostles))
            after = max(after, fitting(s, who, (*cards, card), apostles))
        if before < 0.0:
            best = max(best, 0.0)  # a column that is spoilt already takes anything
        elif after >= 0.0:
            best = max(best, 2.0 * (after - before) if cards else 2.0)
    return best
