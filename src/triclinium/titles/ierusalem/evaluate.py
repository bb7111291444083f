"""What a bot looks at (specification, section 9), as numbers in VP or close to them."""

from typing import Final

from triclinium.kernel.state import Seat
from triclinium.titles.ierusalem.actions.sanhedrin import judged
from triclinium.titles.ierusalem.kinds import FIRST_MAHANE, FIRST_XXXIII
from triclinium.titles.ierusalem.scoring import behind
from triclinium.titles.ierusalem.state import Ierusalem

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
    "progress",  # columns that can still become an Apostle column, by their length
    "ready",  # Apostle VP of the best column that can be visited now
    "spoilt",  # columns with cards that fit nothing
    "overfull",  # pieces that the Camp cannot hold
    "judgment",  # what the next Judgment would pay as the mover, if it is near
    "rival",  # the best rival's VP on the track and behind seats
)


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
        float(c.illumination_vp if s.illumination[seat] else 0),
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
    ]


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
    for column in range(who * 3, who * 3 + 3):
        cards = s.columns[column]
        if not cards:
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
            progress += best
    return progress, ready, spoilt


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
