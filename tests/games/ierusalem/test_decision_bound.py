"""IE-R25  Tests of the maximum length of a match, which can nearly be reached."""

import pytest

from tests.slow import slow
from triclinium.engine.core.state import Option, Seat
from triclinium.engine.registry import load_game
from triclinium.games.ierusalem.decision_bound import bound_decisions
from triclinium.games.ierusalem.rules.constants import GATHER, GIVES_MEETING, GO_MARKET, GO_TEMPLE, MEETING
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.verbs import BUY, CLEAR, COLUMN, DONE, GO, ILLUMINATE, PLAY, SELL, SKIP, TRADE

GAME = load_game("ierusalem")
AT_SUPPER = 9  # Followers that each player sends there, so that the Camp has space for goods
ROOM = 4  # Followers and Offerings that may stay in the Camp


@pytest.mark.parametrize(("seats", "stall"), [(3, 100), slow(4, 100)])
def test_delaying_players_stay_below_the_bound(seats: int, stall: int) -> None:
    """IE-R25  All players use only Market cards, whose column an empty hand gives back, and trade as much as possible.

    Four players with 100 turns each make 11,061 decisions: 16 times the usual length, and more than a third of the
    bound.
    """
    s = GAME.deal(seats, 1, {"stall_round": stall})
    assert isinstance(s, Ierusalem)
    made = 0
    while not s.over:
        s.choose(longest(s))
        made += 1
    most = bound_decisions(s.c, seats, stall)
    assert most / 4 < made < most == GAME.max_match_decisions(s) <= GAME.max_decisions
    assert s.turns <= stall * seats + s.c.last


def test_a_match_as_printed_has_at_most_twenty_times_the_usual_length() -> None:
    """IE-R25  Each player has 40 turns before the Sanhedrin meets automatically."""
    assert GAME.max_match_decisions(GAME.deal(4, 1)) <= 20 * GAME.usual_decisions


def longest(s: Ierusalem) -> Option:
    """Return the option that makes the match longest."""
    who, asked, legal = s.who, s.asked.id, s.legal
    if asked == "Play":
        cards = [o - PLAY for o in legal if o != ILLUMINATE]
        return PLAY + max(cards, key=lambda card: (rate_card(s, who, card), card)) if cards else ILLUMINATE
    if asked == "Column":
        return COLUMN if rate_card(s, who, s.asked.fields()[0]) else COLUMN + 1
    if asked == "Relief":
        return CLEAR if CLEAR in legal else legal[0]
    if asked == "Market":
        return TRADE if TRADE in legal else SKIP
    if asked == "Trade":
        return trade_all(s, who, legal)
    if asked in ("Send", "DoFavor", "Listen", "CallFollower", "FavorCall", "Leave"):
        return legal[-1]
    if asked == "Go":
        quiet = [o for o in legal if o != SKIP and s.c.space_reward[o - GO] != GIVES_MEETING]
        return quiet[-1] if quiet and s.count_at_supper(who) < AT_SUPPER else SKIP
    return legal[0]  # no visit, no card, no Offering


def rate_card(s: Ierusalem, who: Seat, card: int) -> int:
    """Return the value of a card for a long match: Meetings are worth 0, then wealth, then the Market."""
    doing = s.c.card_all_actions[card]
    if MEETING in doing:
        return 0
    if can_fill_camp(s, who):
        return int(GO_MARKET in doing)
    if GO_TEMPLE in doing:
        return 5 if s.camp[who] > 0 and s.denarii[who] > 2 else 1
    if GO_MARKET in doing:
        return 4 if s.count_goods(who) > 3 else 1
    if doing[0] >= GATHER:
        return 1 + s.at_location[who * 3 + doing[0] - GATHER]
    return 1


def can_fill_camp(s: Ierusalem, who: Seat) -> bool:
    """Return whether a Camp full of goods can be bought and has space."""
    worth = sum(s.goods[who * 3 + good] * s.c.price[good] for good in range(3))
    return s.camp[who] + s.offerings[who] <= ROOM and s.denarii[who] + worth >= s.c.open_spaces * max(s.c.price)


def trade_all(s: Ierusalem, who: Seat, legal: list[Option]) -> Option:
    """Sell all but the rarest good, fill the Camp with it, and finally buy the goods without space."""
    sold, bought = s.asked.fields()
    goods = s.goods[who * 3 : who * 3 + 3]
    if not can_fill_camp(s, who):
        return next((o for o in legal if SELL <= o < BUY), DONE)
    left = [good for good in range(3) if not sold >> good & 1 and (not bought or bought >> good & 1)]
    kept = min(left, key=lambda good: (goods[good], s.c.price[good])) if left else -1
    sells = [SELL + good for good in range(3) if good != kept and not bought and SELL + good in legal]
    if sells:
        return sells[0]
    late = s.turns > s.stall_round * s.seats
    return (
        BUY + kept if BUY + kept in legal and (late or s.count_filled_spaces(who) < s.count_camp_spaces(who)) else DONE
    )
