"""Clauses of hints on what a player has or can do after one option and not after another."""

from collections.abc import Callable, Mapping
from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.games.ierusalem.ai.column_progress import count_card_points
from triclinium.games.ierusalem.rules.actions.sanhedrin import count_judgment_points
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.ui.column_progress import ColumnProgress, find_nearest_progress, measure_progress

Clause = tuple[str, tuple[int, ...]]

LOCATIONS_WITH_GOODS: Final = 3  # the Desert, the Mountain and the Lake
COLUMNS: Final = 3
SYMBOLS: Final = 5


def describe_followers(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on the goods that more Followers in a Location bring."""
    places, first = range(LOCATIONS_WITH_GOODS), seat * LOCATIONS_WITH_GOODS
    gains = [better.at_location[first + place] - other.at_location[first + place] for place in places]
    place = max(places, key=lambda place: (gains[place], better.c.price[place]))
    text = msgid("each card of the {0:location} brings you {1} more {2:good}")
    return (text, (place, gains[place], place)) if gains[place] > 0 else None


def describe_goods(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on goods that the player has, and on those that it has instead of others."""
    goods = range(LOCATIONS_WITH_GOODS)
    gains = [
        better.goods[seat * LOCATIONS_WITH_GOODS + n] - other.goods[seat * LOCATIONS_WITH_GOODS + n] for n in goods
    ]
    more = max(goods, key=lambda good: gains[good])
    less = min(goods, key=lambda good: gains[good])
    if gains[more] <= 0:
        return None
    if gains[less] < 0:
        text = msgid("you have {0} more {1:good} and {2} fewer {3:good}")
        return text, (gains[more], more, -gains[less], less)
    return msgid("you have {0} more {1:good}"), (gains[more], more)


def describe_denarii(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on more money."""
    more = better.denarii[seat] - other.denarii[seat]
    return (msgid("you have {0} more {0:Denarius|Denarii}"), (more,)) if more > 0 else None


def describe_hand(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on the card with most VP that the player has in hand."""
    c = better.c
    others = {*other.hand[seat], *other.deck[seat], *other.mahane, *other.xxxiii}
    cards = [card for card in better.hand[seat] if card not in others or card in other.display]
    if not cards:
        more = len(better.hand[seat]) - len(other.hand[seat])
        return (msgid("you have {0} more {0:card|cards} in hand"), (more,)) if more > 0 else None
    return msgid("you have {0:card} in hand"), (max(cards, key=lambda card: c.card_vp[card]),)


def describe_visit(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on a column that is ready for a visit, for more VP than with the other option."""
    ready, points = find_ready_column(better, seat)
    return (
        (msgid("column {0} is ready for a visit, for {1} VP"), (ready, points))
        if points > find_ready_column(other, seat)[1]
        else None
    )


def find_ready_column(s: Ierusalem, seat: Seat) -> tuple[int, int]:
    """Return the number of the column that is ready for the visit with most VP, and these VP."""
    ready = [progress.nth for progress in list_nearest(s, seat) if progress.opens]
    points = {nth: count_card_points(s, s.columns[seat * COLUMNS + nth - 1]) for nth in ready}
    best = max(ready, key=lambda nth: points[nth], default=0)
    return best, points.get(best, -1)


def list_nearest(s: Ierusalem, seat: Seat) -> list[ColumnProgress]:
    """Return for each column that can still be used its progress towards the nearest Apostle column."""
    received = {place: s.received[seat * SYMBOLS + place] for place in range(SYMBOLS)}
    nearest: list[ColumnProgress] = []
    for nth in range(1, COLUMNS + 1):
        laid = [s.c.card_location[card] for card in s.columns[seat * COLUMNS + nth - 1]]
        candidates = [
            measure_progress(n + 1, s.symbols[n * COLUMNS : (n + 1) * COLUMNS], nth, laid, received)
            for n in range(COLUMNS)
        ]
        best = find_nearest_progress(progress for progress in candidates if progress is not None)
        nearest += [] if best is None else [best]
    return nearest


def describe_progress(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on the column that lacks fewer symbols for a visit."""
    lacks = [{p.nth: len(p.by_favor) + len(p.by_card) for p in list_nearest(s, seat)} for s in (better, other)]
    here, there = (sum(lack.get(nth, COLUMNS) for nth in range(1, COLUMNS + 1)) for lack in lacks)
    if here >= there:
        return None
    gains = {nth: lacks[1].get(nth, COLUMNS) - lack for nth, lack in lacks[0].items()}
    nth = max(gains, key=lambda nth: (gains[nth], -lacks[0][nth]), default=0)
    if gains.get(nth, 0) <= 0:
        return None
    if lacks[0][nth] == 0:
        return msgid("column {0} is ready for a visit"), (nth,)
    return msgid("column {0} lacks only {1} {1:symbol|symbols} for a visit"), (nth, lacks[0][nth])


def describe_open_seats(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on Followers right behind empty seats, or else on Followers at the Supper."""
    right_behind = count_right_behind(better, seat) - count_right_behind(other, seat)
    if right_behind > 0:
        text = msgid("you have {0} more {0:Follower|Followers} right behind an empty seat of an Apostle")
        return text, (right_behind,)
    more = better.count_at_supper(seat) - other.count_at_supper(seat)
    return (msgid("you have {0} more {0:Follower|Followers} at the Supper"), (more,)) if more > 0 else None


def count_right_behind(s: Ierusalem, who: Seat) -> int:
    """Return the number of a player's Followers right behind empty seats, once for each seat."""
    c = s.c
    behind = [s.supper[who] & c.spaces_at_distance[seat * 3] for seat in range(len(s.seated)) if s.seated[seat] < 0]
    return sum(spaces.bit_count() for spaces in behind)


def describe_favors(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on more received Favors."""
    own = slice(seat * SYMBOLS, (seat + 1) * SYMBOLS)
    more = sum(better.received[own]) - sum(other.received[own])
    return (msgid("you have received {0} more {0:Favor|Favors}"), (more,)) if more > 0 else None


def describe_judgment(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on the VP of the next Judgment for the player who moves the marker."""
    for tile, space in zip(better.tiles, better.c.tile_spaces, strict=True):
        if space > max(better.marker, other.marker):
            points, fewer = count_judgment_points(better, seat, tile), count_judgment_points(other, seat, tile)
            text = msgid("the next Judgment is worth {0} instead of {1} VP to you")
            return (text, (points, fewer)) if points > fewer else None
    return None


# Descriptions of differences by topic, the most important first.
DESCRIPTIONS: Final[Mapping[str, Callable[[Ierusalem, Ierusalem, Seat], Clause | None]]] = {
    "open seats": describe_open_seats,
    "visit": describe_visit,
    "progress": describe_progress,
    "followers": describe_followers,
    "hand": describe_hand,
    "favors": describe_favors,
    "judgment": describe_judgment,
    "goods": describe_goods,
    "denarii": describe_denarii,
}


def describe_difference(topic: str, better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on a topic, or for "" on the most important one that there is something to say about."""
    if topic:
        return DESCRIPTIONS[topic](better, other, seat)
    clauses = (describe(better, other, seat) for describe in DESCRIPTIONS.values())
    return next((clause for clause in clauses if clause is not None), None)
