"""IE-R25: an upper bound on the decisions of a match, from its turns, its cards and its wealth."""

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

MOST_CARDS: Final = OWN_CARDS + CARDS - FIRST_MAHANE  # maximum number of cards that one player can have
TURN_DECISIONS: Final = 6  # the decisions play, column, visit, buy a card and discard one for it, relief
ARRIVAL_DECISIONS: Final = 5  # the decisions Location, space, reward, a card discarded for it, Offering
# The decisions Apostle and seat, then those of a purple invitation, which is the longest appreciation.
APOSTLE_DECISIONS: Final = 2 + ARRIVAL_DECISIONS


def bound_decisions(c: Components, seats: int, stall_round: int) -> int:
    """IE-R25  Return an upper bound on the decisions of a match.

    After ``stall_round`` turns of each player, every turn moves the marker. A turn asks `TURN_DECISIONS` decisions and
    those of its card; a player who draws a card may have to discard one. Each Apostle is seated once, and each
    Illumination tile is used once.

    Trade: a turn begins and ends with at most as many goods as the Camp has spaces. It therefore sells at most one Camp
    of goods and those that it obtains. It buys at most another Camp of goods and those that it discards or spends at
    the Supper. A discarded good counts twice, for its purchase and for the discard.

    Goods have one price for both directions, so trade does not change the total wealth. A discarded good is worth at
    least the lowest price, so all discards together cost at most what the bank has ever given. A turn plays one card,
    so the decisions of one card are never added to the gains of another.
    """
    turns = stall_round * seats + c.last
    camp = c.open_spaces + c.blocked_spaces
    least = min(c.price)
    # The decisions of a turn's card, and those that its goods and Denarii allow, all multiplied by the lowest price.
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
    # With two Markets on a card, all wealth can become goods and money again in one turn.
    again = turns * markets * 2 * ((turns * earned + given) // least) if markets > 1 else 0
    return turns * TURN_DECISIONS + (turns * played + 2 * given) // least + once + goods + spent + again


def _count_decisions(c: Components, action: int, camp: int) -> int:
    """Return the decisions of a card's action, with discards for the cards that it draws; trade counts two Camps."""
    calls = max(sum(kind == GIVES_CALL for kind, _ in benefit) for benefit in c.marker_benefit)
    sent = min(c.followers, 3 * c.max_per_location)
    decisions = {
        GO_SUPPER: ARRIVAL_DECISIONS,
        INVITED: ARRIVAL_DECISIONS,
        PARABLE: 3,  # the decisions listen, reward, and a card discarded for the reward
        DO_FAVOR: 3 + calls,  # the decisions marker, receiver, calls, and a card that the giver discards
        GO_MARKET: 2 + 2 * camp,  # the decisions trade or draw, at most two Camps of goods, and done
        GO_TEMPLE: sent + 1,
        DRAW_MAHANE: 2,
        DRAW_XXXIII: 2,
        CALL_FOLLOWER: 1,
        REDISTRIBUTE: MOST_CARDS + c.redistribute_discards + 1,  # Each card is moved at most once.
        CHANGE_PLACES: 4,  # the decisions Follower, space, reward, and a card discarded for it
    }
    return decisions.get(action, 0)


def _bound_income(c: Components, action: int) -> int:
    """Return the most that the bank gives for an action in Denarii, with goods at their prices."""
    return _bound_gain(c, action, c.price, 1, c.favor_denarii)


def _bound_gain(c: Components, action: int, worth: Sequence[int], denarius: int = 0, favor: int = 0) -> int:
    """Return the most that an action gives, with each good and each Denarius weighted by its worth."""
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
    """Return the worth of kinds and amounts: goods, then Denarii; any other reward is worth nothing."""
    return sum(amount * each[kind] for kind, amount in pairs if kind <= GIVES_DENARII)
