"""Clauses of hints on what a player has or can do after one option and not after another."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from triclinium.engine.core.state import Option, Seat
from triclinium.engine.core.text import msgid
from triclinium.games.ierusalem.ai.card_values import estimate_space
from triclinium.games.ierusalem.ai.column_progress import count_card_points
from triclinium.games.ierusalem.ai.evaluation import price_goods
from triclinium.games.ierusalem.rules import constants, verbs
from triclinium.games.ierusalem.rules.actions.cards import TakeMahane
from triclinium.games.ierusalem.rules.actions.favor import FavorTo
from triclinium.games.ierusalem.rules.actions.followers import compute_send_price
from triclinium.games.ierusalem.rules.actions.supper import find_affordable_spaces
from triclinium.games.ierusalem.rules.constants import FIRST_MAHANE, FIRST_XXXIII, list_cards, list_members
from triclinium.games.ierusalem.rules.scoring import count_total_points
from triclinium.games.ierusalem.rules.state import ALL_SOURCES, FROM_VISITS, Ierusalem
from triclinium.games.ierusalem.rules.turn import BuyMahane, Column
from triclinium.games.ierusalem.ui.column_progress import ColumnProgress, find_nearest_progress, measure_progress
from triclinium.games.ierusalem.ui.favor_effects import list_opened_columns

Clause = tuple[str, tuple[int, ...]]

MAIN_ACTIONS: Final = frozenset({constants.GO_SUPPER, constants.INVITED, constants.PARABLE, constants.DO_FAVOR})
LOCATIONS_WITH_GOODS: Final = 3  # the Desert, the Mountain and the Lake
COLUMNS: Final = 3
SYMBOLS: Final = 5


def describe_followers(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on the goods that more Followers in a Location bring."""
    places, first = range(LOCATIONS_WITH_GOODS), seat * LOCATIONS_WITH_GOODS
    gains = [better.at_location[first + place] - other.at_location[first + place] for place in places]
    place = max(places, key=lambda place: (gains[place], better.c.price[place]))
    if (
        gains[place] <= 0
        or min(gains[place:]) < 0
        or is_ending(better)
        or better.count_at_supper(seat) < other.count_at_supper(seat)
    ):
        return None
    return msgid("each card of the {0:location} brings you {1} more {2:good}"), (place, gains[place], place)


def is_ending(s: Ierusalem) -> bool:
    """Return whether the next turn of each player is the last one at most, so that goods hardly count any more."""
    return s.are_all_seated() and s.c.last - s.marker <= s.seats


def describe_goods(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on goods that the player has, and on those that it has instead of others."""
    goods = range(LOCATIONS_WITH_GOODS)
    gains = [
        better.goods[seat * LOCATIONS_WITH_GOODS + n] - other.goods[seat * LOCATIONS_WITH_GOODS + n] for n in goods
    ]
    more = max(goods, key=lambda good: gains[good])
    less = min(goods, key=lambda good: gains[good])
    is_trade = better.denarii[seat] < other.denarii[seat] or price_goods(better, seat) <= price_goods(other, seat)
    if gains[more] <= 0 or is_trade or is_ending(better) or count_excess(better, seat) > 0:
        return None
    if gains[less] < 0:
        text = msgid("you have {0} more {1:good} and {2} fewer {3:good}")
        return text, (gains[more], more, -gains[less], less)
    return msgid("you have {0} more {1:good}"), (gains[more], more)


def describe_denarii(better: Ierusalem, other: Ierusalem, seat: Seat) -> Clause | None:
    """Return a clause on more money that is not the price of sold goods."""
    more = better.denarii[seat] - other.denarii[seat]
    if more <= 0 or is_ending(better) or more <= price_goods(other, seat) - price_goods(better, seat):
        return None
    return msgid("you have {0} more {0:Denarius|Denarii}"), (more,)


def count_excess(s: Ierusalem, seat: Seat) -> int:
    """Return the number of pieces in a player's Camp that have no room there, or minus the number of free spaces."""
    return s.count_filled_spaces(seat) - s.count_camp_spaces(seat)


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
    visits = [s.earned[seat * ALL_SOURCES + FROM_VISITS] for s in (better, other)]
    if here >= there or visits[0] < visits[1] or is_ending(better):
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
    first = step.who * COLUMNS - 1
    if not s.columns[first + nth] and not s.columns[first + better - verbs.COLUMN + 1]:
        text = msgid("columns {0} and {1} are both empty, so the difference is only due to chance")
        return text, (better - verbs.COLUMN + 1, nth)
    here, there = (extend_column(s, step.who, o - verbs.COLUMN + 1, step.card) for o in (better, other))
    if here is None:
        return None
    points, fewer = (count_card_points(s, s.columns[first + n]) + s.c.card_vp[step.card] for n in (here.nth, nth))
    if here.opens and not (there and there.opens):
        return msgid("column {0} is ready for a visit, for {1} VP"), (here.nth, points)
    lacks = len(here.by_favor) + len(here.by_card)
    if there is None:
        return msgid("with the card, column {0} would fit no Apostle column"), (nth,)
    if there.by_favor and not here.by_favor:
        text = msgid("column {0} needs no Favor for a visit, column {1} would need one: {2:location}")
        return text, (here.nth, nth, there.by_favor[0])
    more = len(there.by_favor) + len(there.by_card)
    if lacks < more:
        text = msgid("column {0} then lacks {1} {1:symbol|symbols} for a visit, column {2} would lack {3}")
        return text, (here.nth, lacks, nth, more)
    text = msgid("a visit with column {0} then brings {1} VP for its cards, one with column {2} only {3}")
    return (text, (here.nth, points, nth, fewer)) if lacks == more and points > fewer else None


def compare_purchases(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on a Mahane card, or on the card that the player draws instead."""
    step, c, is_full = s.asked, s.c, len(s.hand[s.who]) >= s.c.hand_size
    drawn = [*s.deck[s.who], *list_cards(s.discard[s.who], s.colours[s.who])]
    if better == verbs.SKIP and is_ending(s):
        return None
    if better == verbs.SKIP and isinstance(step, BuyMahane) and (is_full or drawn):
        full = msgid("you keep {0} Denarii and have one card fewer to discard from your full hand")
        free = msgid("you keep {0} Denarii and draw a card from your own deck for free instead")
        return full if is_full else free, (step.price,)
    if better == verbs.SKIP and (is_full or drawn):
        full = msgid("you have one card fewer to discard from your full hand")
        return full if is_full else msgid("your hand keeps a place for a card of your own deck"), ()
    cards = [o - verbs.TAKE + FIRST_MAHANE if o >= verbs.TAKE else -1 for o in (better, other)]
    ready = [[n for n in range(1, COLUMNS + 1) if is_ready_with(s, n, card)] for card in cards]
    if ready[0] and not ready[1]:
        return msgid("{0:brief} can make column {1} ready for a visit"), (cards[0], ready[0][0])
    points, most = c.card_vp[max(cards[0], 0)], max((c.card_vp[card] for card in drawn), default=c.vp3)
    most = min(c.card_vp[card] for card in s.hand[s.who]) if is_full else most
    if better == verbs.DRAW and other == verbs.SKIP and not is_full:
        deck = c.card_vp[FIRST_MAHANE:FIRST_XXXIII] if isinstance(step, TakeMahane) else c.card_vp[FIRST_XXXIII:]
        text = msgid("the card from the deck is worth {0} to {1} VP at a visit, one from your own deck at most {2}")
        return text, (min(deck), max(deck), most)
    if better < verbs.TAKE or other != verbs.SKIP or points <= most:
        return None
    in_hand = msgid("{0:brief} is worth {1} VP at a visit, a card that you can discard for it {2}")
    drawn_instead = msgid("{0:brief} is worth {1} VP at a visit, a card from your own deck at most {2}")
    return in_hand if is_full else drawn_instead, (cards[0], points, most)


def is_ready_with(s: Ierusalem, nth: int, card: int) -> bool:
    """Return whether a card makes a column of the asked player ready for a visit."""
    progress = extend_column(s, s.who, nth, card) if card >= 0 else None
    return progress is not None and progress.opens


def compare_locations(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on the goods that a Follower brings in a Location."""
    over = count_excess(s, s.who)
    if better == verbs.DONE and over < 0 and other < verbs.LEAVE:
        text = msgid("you keep {0} {0:Denarius|Denarii}, and your Camp has room for {1} more {1:piece|pieces} anyway")
        return text, (compute_send_price(s, other), -over)
    if better <= verbs.DONE or (is_ending(s) and other > verbs.DONE):
        return None
    if other <= verbs.DONE and over > 0:
        return msgid("a Follower leaves your Camp, which has {0} {0:piece|pieces} too many"), (over,)
    here, there = ((o - verbs.POST) % 3 if o < verbs.LEAVE else (o - verbs.REPLACE) // 4 for o in (better, other))
    if here == there and min(better, other) >= verbs.REPLACE:
        loser, spared = ((o - verbs.REPLACE) % 4 for o in (better, other))
        text, ahead = msgid("{0:seat}, who is {1} VP ahead of {2:seat}, loses a Follower there"), s.get_vp(loser)
        return (text, (loser, ahead - s.get_vp(spared), spared)) if ahead > s.get_vp(spared) else None
    held = [s.c.card_location[card] for card in s.hand[s.who]]
    if other > verbs.DONE and held.count(here) > held.count(there):
        some = msgid("{0} of your cards in hand then {0:brings|bring} 1 more {1:good}, {2} would bring {3:good}")
        none = msgid("{0} of your cards in hand then {0:brings|bring} 1 more {1:good}, and none brings {3:good}")
        return some if held.count(there) else none, (held.count(here), here, held.count(there), there)
    if other > verbs.DONE and here > there:
        text = msgid("each card of the {0:location} brings you 1 more {1:good}, worth {2} instead of {3} Denarii")
        return text, (here, here, s.c.price[here], s.c.price[there])
    if min(better, other) >= verbs.SEND:
        costs = [compute_send_price(s, o) for o in (better, other)]
        text = msgid("a Follower there costs {0} {0:Denarius|Denarii}, one in the {1:location} {2}")
        return (text, (costs[0], there, costs[1])) if costs[0] < costs[1] else None
    if other > verbs.DONE:
        return None
    if is_ending(s) and here not in held:
        return None
    return msgid("each card of the {0:location} brings you {1} more {2:good}"), (here, 1, here)


def compare_departures(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on the squares of a Location that a Follower leaves for the Last Supper."""
    here, there = better - verbs.LEAVE, other - verbs.LEAVE
    is_reason = min(here, there) >= 0 and s.empty_squares[here] > 0 == s.empty_squares[there]
    text = msgid("the {0:location} is full, and a Follower that leaves it frees a square for other players")
    return (text, (there,)) if is_reason else None


def compare_goods(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on goods that the player discards."""
    here, there = ((o - verbs.WASTE) % LOCATIONS_WITH_GOODS for o in (better, other))
    if there > here and not is_ending(s):
        text = msgid("1 {0:good} sells for {1} Denarii, 1 {2:good} only for {3}")
        return text, (there, s.c.price[there], here, s.c.price[here])
    held, fewer = (s.goods[s.who * LOCATIONS_WITH_GOODS + good] for good in (here, there))
    if held > fewer:
        return msgid("you have {0} {1:good} and only {2} {3:good}"), (held, here, fewer, there)
    return None


def choose(s: Ierusalem, o: Option) -> Ierusalem:
    """Return the position after an option."""
    t = s.clone()
    t.choose(o)
    return t


def find_best_payable(s: Ierusalem, who: Seat, trades: int) -> int:
    """Return the best space at the Last Supper that goods can pay after some further trades at most, or -1."""
    spaces = list_members(s.free_spaces & find_affordable_spaces(s, who), 0)
    for o in s.legal if trades and s.who == who else ():
        if verbs.SELL <= o < verbs.WASTE:
            spaces.append(find_best_payable(choose(s, o), who, trades - 1))
    return max(spaces, key=lambda space: estimate_space(s, space) if space >= 0 else -99, default=-1)


def compare_sales(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on what goods can pay for after trade and not after another one, or on room in the Camp."""
    here, there = (find_best_payable(choose(s, o), s.who, 3) for o in (better, other))
    if here >= 0 and (there < 0 or estimate_space(s, here) > estimate_space(s, there)):
        return msgid("you then have, or can buy, the goods for {0:space} at the Last Supper"), (here,)
    over, buys = count_excess(s, s.who), [verbs.BUY <= o < verbs.WASTE for o in (better, other)]
    if over >= 0 and buys[1] and not buys[0]:
        return msgid("your Camp has no room for the {0:good} that you would buy"), (other - verbs.BUY,)
    if buys[1] and better == verbs.DONE and here >= 0 and estimate_space(s, here) == estimate_space(s, there):
        return msgid("without this purchase your goods can already pay for {0:space} at the Last Supper"), (here,)
    money = [choose(s, o).denarii[s.who] for o in (better, other)]
    if money[0] >= s.c.buy_price > money[1] and not buys[0]:
        return msgid("you can pay {0} Denarii for a Mahane card this turn"), (s.c.buy_price,)
    if over >= 0 and other == verbs.DONE and not buys[0]:
        text = msgid("you can sell goods before your full Camp makes you discard {0}")
        return (text, (over,)) if over else (msgid("selling makes room in your Camp, which is full"), ())
    return None


def compare_offerings(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on an Offering, which takes a space of the Camp."""
    over = count_excess(s, s.who)
    if better == verbs.OFFERING:
        costly = msgid("an Offering is worth {0} VP at the end, and a good that you discard for it is worth none")
        free = msgid("an Offering costs nothing and is worth {0} VP at the end")
        return costly if over >= 0 else free, (s.c.offering_vp,)
    if over >= 0:
        return msgid("your Camp has no room, so you would discard a good for the Offering"), ()
    return msgid("your Camp has room for {0} more {0:piece|pieces}, and an Offering needs a space"), (-over,)


def compare_trades(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on goods that the player can sell."""
    over, worth = count_excess(s, s.who), price_goods(s, s.who)
    if better != verbs.TRADE:
        return None
    if over > 0:
        return msgid("you can sell goods before your full Camp makes you discard {0}"), (over,)
    return (msgid("you can sell goods for up to {0} Denarii"), (worth,)) if worth else None


def compare_favors(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on the player who would get a Favor."""
    step, here, there = s.asked, better - verbs.TO, other - verbs.TO
    assert isinstance(step, FavorTo)
    opened = [list_opened_columns(s, seat, s.c.marker_location[step.marker]) for seat in (here, there)]
    if opened[1] and not opened[0]:
        return msgid("{0:seat} could visit an Apostle column with the symbol of the Favor"), (there,)
    ahead = count_total_points(s, there) - count_total_points(s, here)
    text = msgid("{0:seat}, who is {1} VP ahead of {2:seat}, would get the Favor")
    return (text, (there, ahead, here)) if ahead > 0 else None


def compare_spaces(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on the space at the Last Supper that a Follower gives up."""
    here, there = ((o - verbs.MOVE) % (verbs.SWAP - verbs.MOVE) for o in (better, other))
    if min(better, other) <= verbs.DONE or estimate_space(s, here) >= estimate_space(s, there):
        return None
    return msgid("{0:space}, which your Follower gives up, is worth less at the end than {1:space}"), (here, there)


def compare_cards(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on a visit that only one card allows, or on the Locations of cards with the same main action."""
    cards, c, who = [o - verbs.PLAY for o in (better, other)], s.c, s.who
    ready = [[n for n in range(1, COLUMNS + 1) if is_ready_with(s, n, card)] for card in cards]
    if ready[0] and not ready[1] and not any(progress.opens for progress in list_nearest(s, who)):
        return msgid("{0:brief} can make column {1} ready for a visit"), (cards[0], ready[0][0])
    if min(cards) < 0 or not MAIN_ACTIONS & {*c.card_actions[cards[0]]} & {*c.card_actions[cards[1]]}:
        return None
    temples = [constants.GO_TEMPLE in c.card_all_actions[card] for card in cards]
    if temples[0] and not temples[1] and s.denarii[who] and s.camp[who]:
        text = msgid("the Temple lets you send Followers out of your Camp for your {0} {0:Denarius|Denarii}")
        return text, (s.denarii[who],)
    return None


def compare_discards(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on the VP of a card that the player keeps, or on a card that would leave its deck."""
    gone, kept = better - verbs.DISCARD, other - verbs.DISCARD
    if gone < FIRST_MAHANE <= kept:
        return msgid("you can draw {0:brief} again, but {1:brief} would go under its deck"), (gone, kept)
    text = msgid("{0:brief} is worth {1} VP at a visit, {2:brief} only {3}")
    vps = s.c.card_vp
    return (text, (kept, vps[kept], gone, vps[gone])) if vps[kept] > vps[gone] else None


# Comparisons by the options that they are about: the first one and the last one.
COMPARISONS: Final[Mapping[tuple[Option, Option], Callable[[Ierusalem, Option, Option], Clause | None]]] = {
    (verbs.OFFERING, verbs.OFFERING): compare_offerings,
    (verbs.DRAW, verbs.DRAW): compare_purchases,
    (verbs.TRADE, verbs.TRADE): compare_trades,
    (verbs.POST, verbs.LEAVE - 1): compare_locations,
    (verbs.LEAVE, verbs.SELL - 1): compare_departures,
    (verbs.SELL, verbs.WASTE - 1): compare_sales,
    (verbs.WASTE, verbs.COLUMN - 1): compare_goods,
    (verbs.COLUMN, verbs.CLEAR - 1): compare_columns,
    (verbs.TO, verbs.FAVOR - 1): compare_favors,
    (verbs.REPLACE, verbs.VISIT - 1): compare_locations,
    (verbs.TAKE, verbs.PLAY - 1): compare_purchases,
    (verbs.PLAY, verbs.DISCARD - 1): compare_cards,
    (verbs.DISCARD, verbs.DROP - 1): compare_discards,
    (verbs.MOVE, verbs.ONTO - 1): compare_spaces,
    (verbs.SWAP, verbs.WITH - 1): compare_spaces,
}


def describe_choice(s: Ierusalem, better: Option, other: Option) -> Clause | None:
    """Return a clause on two options of the same question that follows from these options, or None."""
    subject = better if better > verbs.DONE else other
    found = (compare for (first, last), compare in COMPARISONS.items() if first <= subject <= last)
    compare = next(found, None)
    return compare(s, better, other) if compare else None
