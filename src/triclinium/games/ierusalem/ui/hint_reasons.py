"""Clauses of hints on what a player has or can do after one option and not after another."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from triclinium.engine.core.state import Option, Seat
from triclinium.engine.core.text import msgid
from triclinium.games.ierusalem.ai.card_values import estimate_space
from triclinium.games.ierusalem.ai.column_progress import count_card_points
from triclinium.games.ierusalem.rules import verbs
from triclinium.games.ierusalem.rules.actions.cards import TakeMahane
from triclinium.games.ierusalem.rules.actions.supper import find_affordable_spaces
from triclinium.games.ierusalem.rules.constants import FIRST_MAHANE, FIRST_XXXIII, list_cards, list_members
from triclinium.games.ierusalem.rules.state import ALL_SOURCES, Ierusalem
from triclinium.games.ierusalem.rules.turn import BuyMahane, Column
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


def list_nearest(s: Ierusalem, seat: Seat) -> list[ColumnProgress]:
    """Return for each column that can still be used its progress towards the nearest Apostle column."""
    nearest = [measure_column(s, seat, nth, s.columns[seat * COLUMNS + nth - 1]) for nth in range(1, COLUMNS + 1)]
    return [progress for progress in nearest if progress is not None]


def measure_column(s: Ierusalem, seat: Seat, nth: int, cards: Sequence[int]) -> ColumnProgress | None:
    """Return the progress of a column with these cards towards the nearest Apostle column, or None if it fits none."""
    received = {place: s.received[seat * SYMBOLS + place] for place in range(SYMBOLS)}
    laid = [s.c.card_location[card] for card in cards]
    candidates = [
        measure_progress(n + 1, s.symbols[n * COLUMNS : (n + 1) * COLUMNS], nth, laid, received) for n in range(COLUMNS)
    ]
    return find_nearest_progress(progress for progress in candidates if progress is not None)


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


SCORED_TEXTS: Final = (  # by source of VP, without the start
    msgid("your card’s action can score you {0} more VP"),
    msgid("spaces at the Last Supper can score you {0} more VP"),
    msgid("you can score {0} more VP for a Parable"),
    msgid("you can score {0} more VP for a Favor"),
    msgid("you can score {0} more VP for the cards of a visit"),
    msgid("you can score {0} more VP with an orange Apostle"),
    msgid("you can score {0} more VP in a Judgment"),
)


def describe_track(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on the largest source of more VP on the track."""
    sources = range(seat * ALL_SOURCES + 1, (seat + 1) * ALL_SOURCES)
    gains = [better.earned[n] - other.earned[n] for n in sources]
    most = max(gains)
    return (SCORED_TEXTS[gains.index(most)], (most,)) if most > 0 and sum(gains) > 0 else None


# Descriptions of differences by topic, the most important first.
DESCRIPTIONS: Final[Mapping[str, Callable[[Ierusalem, Ierusalem, Seat], Clause | None]]] = {
    "track": describe_track,
    "open seats": describe_open_seats,
    "progress": describe_progress,
    "followers": describe_followers,
    "goods": describe_goods,
    "denarii": describe_denarii,
}


def describe_difference(topic: str, better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on a topic, or for "" on the most important one that there is something to say about."""
    if topic:
        return DESCRIPTIONS[topic](better, other, seat)
    clauses = (describe(better, other, seat) for describe in DESCRIPTIONS.values())
    return next((clause for clause in clauses if clause is not None), None)


# -- clauses on two options of the same question -----------------------------------------------------------------------


def extend_column(s: Ierusalem, who: Seat, nth: int, card: int) -> ColumnProgress | None:
    """Return the progress of a player's column with one more card, or None if it fits no Apostle column then."""
    return measure_column(s, who, nth, (*s.columns[who * COLUMNS + nth - 1], card))


def compare_columns(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on what the column with the played card lacks for a visit."""
    step, nth = s.asked, other - verbs.COLUMN + 1
    assert isinstance(step, Column)
    here, there = (extend_column(s, step.who, o - verbs.COLUMN + 1, step.card) for o in (better, other))
    if here is None:
        return None
    if here.opens and not (there and there.opens):
        points = count_card_points(s, s.columns[step.who * COLUMNS + here.nth - 1]) + s.c.card_vp[step.card]
        return msgid("column {0} is ready for a visit, for {1} VP"), (here.nth, points)
    if there is None:
        return msgid("with the card, column {0} would fit no Apostle column"), (nth,)
    if there.by_favor and not here.by_favor:
        text = msgid("column {0} needs no Favor for a visit, column {1} would need one: {2:location}")
        return text, (here.nth, nth, there.by_favor[0])
    lacks, more = (len(progress.by_favor) + len(progress.by_card) for progress in (here, there))
    text = msgid("column {0} then lacks {1} {1:symbol|symbols} for a visit, column {2} would lack {3}")
    return (text, (here.nth, lacks, nth, more)) if lacks < more else None


def compare_purchases(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on a Mahane card, or on the card that the player draws instead."""
    step, c, is_full = s.asked, s.c, len(s.hand[s.who]) >= s.c.hand_size
    drawn = [*s.deck[s.who], *list_cards(s.discard[s.who], s.colours[s.who])]
    if better == verbs.SKIP and isinstance(step, BuyMahane) and (is_full or drawn):
        full = msgid("you keep {0} Denarii and have one card fewer to discard from your full hand")
        free = msgid("you keep {0} Denarii and draw a card from your own deck for free instead")
        return full if is_full else free, (step.price,)
    cards = [o - verbs.TAKE + FIRST_MAHANE for o in (better, other)]
    ready = [[n for n in range(1, COLUMNS + 1) if is_ready_with(s, n, card)] for card in cards]
    if ready[0] and not ready[1]:
        return msgid("{0:card} can make column {1} ready for a visit"), (cards[0], ready[0][0])
    points, most = c.card_vp[max(cards[0], 0)], max((c.card_vp[card] for card in drawn), default=c.vp3)
    if better == verbs.DRAW and other == verbs.SKIP:
        deck = c.card_vp[FIRST_MAHANE:FIRST_XXXIII] if isinstance(step, TakeMahane) else c.card_vp[FIRST_XXXIII:]
        text = msgid("the card from the deck is worth {0} to {1} VP at a visit, one from your own deck at most {2}")
        return text, (min(deck), max(deck), most)
    if better >= verbs.TAKE and other == verbs.SKIP and not is_full and points > most:
        text = msgid("{0:card} is worth {1} VP at a visit, a card from your own deck at most {2}")
        return text, (cards[0], points, most)
    return None


def is_ready_with(s: Ierusalem, nth: int, card: int) -> bool:
    """Return whether a Mahane card makes a column of the asked player ready for a visit."""
    progress = extend_column(s, s.who, nth, card) if card >= FIRST_MAHANE else None
    return progress is not None and progress.opens


def compare_locations(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on the goods that a Follower brings in a Location."""
    if better <= verbs.DONE:
        return None
    here, there = ((o - verbs.POST) % 3 if o < verbs.LEAVE else (o - verbs.REPLACE) // 4 for o in (better, other))
    if here == there and min(better, other) >= verbs.REPLACE:
        loser, spared = ((o - verbs.REPLACE) % 4 for o in (better, other))
        text, ahead = msgid("{0:seat}, who is {1} VP ahead of {2:seat}, loses a Follower there"), s.get_vp(loser)
        return (text, (loser, ahead - s.get_vp(spared), spared)) if ahead > s.get_vp(spared) else None
    held = [s.c.card_location[card] for card in s.hand[s.who]]
    if other > verbs.DONE and held.count(here) > held.count(there):
        text = msgid("{0} of your cards in hand then {0:brings|bring} 1 more {1:good}, {2} would bring {3:good}")
        return text, (held.count(here), here, held.count(there), there)
    if other > verbs.DONE and here > there:
        text = msgid("each card of the {0:location} brings you 1 more {1:good}, worth {2} instead of {3} Denarii")
        return text, (here, here, s.c.price[here], s.c.price[there])
    return msgid("each card of the {0:location} brings you {1} more {2:good}"), (here, 1, here)


def compare_goods(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on goods that the player keeps or sells, or on the space at the Last Supper that they can pay."""
    sells, wastes = min(better, other) >= verbs.SELL and max(better, other) < verbs.BUY, better >= verbs.WASTE
    if sells or wastes:
        here, there = ((o - verbs.SELL) % LOCATIONS_WITH_GOODS for o in (better, other))
        most, least = (here, there) if sells else (there, here)
        if most > least:
            text = msgid("1 {0:good} sells for {1} Denarii, 1 {2:good} only for {3}")
            return text, (most, s.c.price[most], least, s.c.price[least])
        held, fewer = (s.goods[s.who * LOCATIONS_WITH_GOODS + good] for good in (here, there))
        if held > fewer:
            return msgid("you have {0} {1:good} and only {2} {3:good}"), (held, here, fewer, there)
    best: list[int] = []
    for o in (better, other):
        t = s.clone()
        t.choose(o)
        spaces = list_members(t.free_spaces & find_affordable_spaces(t, s.who), 0)
        best.append(max(spaces, key=lambda space: estimate_space(s, space), default=-1))
    if best[0] < 0 or (best[1] >= 0 and estimate_space(s, best[0]) <= estimate_space(s, best[1])):
        return None
    return msgid("your goods can pay for {0:space} at the Last Supper"), (best[0],)


def compare_offerings(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on an Offering, which takes a space of the Camp."""
    if better == verbs.OFFERING:
        return msgid("an Offering costs nothing and is worth {0} VP at the end"), (s.c.offering_vp,)
    room = max(0, s.count_camp_spaces(s.who) - s.count_filled_spaces(s.who))
    return msgid("your Camp has room for {0} more {0:piece|pieces}, and an Offering needs a space"), (room,)


def compare_trades(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on goods that the player can sell."""
    over = s.count_filled_spaces(s.who) - s.count_camp_spaces(s.who)
    if better != verbs.TRADE:
        return None
    if over > 0:
        return msgid("you can sell goods before your full Camp makes you discard {0}"), (over,)
    first = s.who * LOCATIONS_WITH_GOODS
    worth = sum(n * price for n, price in zip(s.goods[first : first + LOCATIONS_WITH_GOODS], s.c.price, strict=True))
    return (msgid("you can sell goods for up to {0} Denarii"), (worth,)) if worth else None


# Comparisons by the options that they are about: the first one and the last one.
COMPARISONS: Final[Mapping[tuple[Option, Option], Callable[[Ierusalem, Option, Option], Clause | None]]] = {
    (verbs.OFFERING, verbs.OFFERING): compare_offerings,
    (verbs.DRAW, verbs.DRAW): compare_purchases,
    (verbs.TRADE, verbs.TRADE): compare_trades,
    (verbs.POST, verbs.LEAVE - 1): compare_locations,
    (verbs.SELL, verbs.COLUMN - 1): compare_goods,
    (verbs.COLUMN, verbs.CLEAR - 1): compare_columns,
    (verbs.REPLACE, verbs.VISIT - 1): compare_locations,
    (verbs.TAKE, verbs.PLAY - 1): compare_purchases,
}


def describe_choice(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on two options of the same question that follows from these options, or None."""
    subject = better if better > verbs.DONE else other
    found = (compare for (first, last), compare in COMPARISONS.items() if first <= subject <= last)
    compare = next(found, None)
    return compare(s, better, other) if compare else None
