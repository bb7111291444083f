"""IE-R25: how many decisions a match can ask at most, charged to its turns, its cards and its wealth."""

from collections.abc import Iterable, Sequence
from typing import Final

from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    CALL_FOLLOWER,
    CARDS,
    CHANGE_PLACES,
    DENARIUS,
    DO_FAVOR,
    DRAW_MAHANE,
    DRAW_XXXIII,
    FIRST_MAHANE,
    FISH,
    GATHER,
    GIVES_CALL,
    GIVES_DENARII,
    GO_MARKET,
    GO_SUPPER,
    GO_TEMPLE,
    INVITED,
    OWN_CARDS,
    PARABLE,
    REDISTRIBUTE,
    STONE,
)

MOST_CARDS: Final = OWN_CARDS + CARDS - FIRST_MAHANE  # cards that one player can have
TURN_DECISIONS: Final = 6  # play, column, visit, buy a card and discard one for it, relief
ARRIVAL_DECISIONS: Final = 5  # from where, onto which space, its reward, a card discarded for that, an Offering
APOSTLE_DECISIONS: Final = 2 + ARRIVAL_DECISIONS  # who, where; purple, the longest appreciation, invites


def bound_decisions(c: Components, seats: int, stall_round: int) -> int:
    """IE-R25  No match asks more.

    After ``stall_round`` turns of everybody each turn moves the marker. A turn asks `TURN` decisions and what its card
    does; who draws a card may have to discard one. Apostles are seated once, Illumination tiles used once.

    Trade: a turn begins and ends with no more goods than the Camp has spaces. So it sells no more than these and what
    it obtains, and buys no more than these, what it sells beyond what it keeps, and what it wastes or takes to the
    Supper: two Camps, what is obtained once, what is wasted twice with the wasting itself, what is spent. Buying and
    selling at one price leave the wealth of all as it is, and a wasted good is worth the least price at least: all
    waste together is no more than all that the bank has ever given. A turn plays one card, so what one card asks and
    what another brings are not added up.
    """
    turns = stall_round * seats + c.last
    camp = c.open_spaces + c.blocked_spaces
    least = min(c.price)
    # What a turn's card asks, and what the goods and the wealth that it brings allow, all of it times the least price.
    played = max(
        least * sum(_count_decisions(c, action, camp) + _bound_gain(c, action, [1, 1, 1]) for action in doing)
        + 2 * sum(_bound_income(c, action) for action in doing)
        for doing in c.card_all_actions
    )
    earned = max(sum(_bound_income(c, action) for action in doing) for doing in c.card_all_actions)
    goods = seats * sum(c.start_goods)
    started = sum(c.start_denarii) + seats * _sum_worth(enumerate(c.start_goods), c.price)
    given = started + (len(c.apostle_ids) + seats) * c.judas_denarii
    spent = seats * c.followers * max(sum(cost) for cost in c.space_cost)
    once = 2 * seats + (len(c.apostle_ids) + seats) * APOSTLE_DECISIONS
    markets = max(doing.count(GO_MARKET) for doing in c.card_all_actions)
    # With two Markets on a card all wealth may be turned into goods and back again in one turn.
    again = turns * markets * 2 * ((turns * earned + given) // least) if markets > 1 else 0
    return turns * TURN_DECISIONS + (turns * played + 2 * given) // least + once + goods + spent + again


def _count_decisions(c: Components, action: int, camp: int) -> int:
    """What an action of a card asks, with the cards that are discarded for those it draws; of trade, two Camps."""
    calls = max(sum(kind == GIVES_CALL for kind, _ in benefit) for benefit in c.marker_benefit)
    sent = min(c.followers, 3 * c.max_per_location)
    decisions = {
        GO_SUPPER: ARRIVAL_DECISIONS,
        INVITED: ARRIVAL_DECISIONS,
        PARABLE: 3,  # listen, its reward, a card discarded for that
        DO_FAVOR: 3 + calls,  # which, to whom, who calls, a card discarded for the giver's
        GO_MARKET: 2 + 2 * camp,  # trade or not, enough
        GO_TEMPLE: sent + 1,
        DRAW_MAHANE: 2,
        DRAW_XXXIII: 2,
        CALL_FOLLOWER: 1,
        REDISTRIBUTE: MOST_CARDS + c.redistribute_discards + 1,  # each card is laid once at most
        CHANGE_PLACES: 4,  # who, where to, its reward, a card discarded for that
    }
    return decisions.get(action, 0)


def _bound_income(c: Components, action: int) -> int:
    """What the bank gives for an action at most, in Denarii: what it obtains, goods at their prices."""
    return _bound_gain(c, action, c.price, 1, c.favor_denarii)


def _bound_gain(c: Components, action: int, worth: Sequence[int], denarius: int = 0, favor: int = 0) -> int:
    """What an action brings at most, each good and each Denarius counted by its worth."""
    each = [*worth, denarius]
    if action >= GATHER:
        return c.max_per_location * worth[action - GATHER]
    if STONE <= action <= FISH:
        return worth[action - STONE]
    if action == DENARIUS:
        return denarius
    if action in (GO_SUPPER, INVITED, CHANGE_PLACES):
        return max(_sum_worth([pair], each) for pair in zip(c.space_reward, c.space_amount, strict=True))
    if action == PARABLE:
        return max(_sum_worth([pair], each) for pair in zip(c.parable_reward, c.parable_amount, strict=True))
    if action == DO_FAVOR:
        return favor + max(_sum_worth(benefit, each) for benefit in c.marker_benefit)
    return 0


def _sum_worth(pairs: Iterable[tuple[int, int]], each: Sequence[int]) -> int:
    """The worth of kinds and amounts: goods, then Denarii; any other reward is worth nothing."""
    return sum(amount * each[kind] for kind, amount in pairs if kind <= GIVES_DENARII)
