"""Tests of Location actions (IE-3)."""

from tests.games.ierusalem.table import (
    ANA,
    BEN,
    CEM,
    DIA,
    count_followers,
    goods,
    hand,
    name_asked,
    options,
    play,
    refused,
    table,
)
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.actions.market import Market
from triclinium.games.ierusalem.rules.refusals import (
    BOUGHT_THIS,
    CANNOT_PAY,
    LOCATION_FULL,
    MAHANE_PRICE,
    NO_MAHANE,
    NOBODY_THERE,
    NOT_FULL,
    NOTHING_TO_SELL,
    NOTHING_TO_TRADE,
    REPLACE_PRICE,
    SEND_PRICE,
    SOLD_THIS,
    THREE_AT_MOST,
)


def test_market_draws_for_one_denarius() -> None:
    """IE-3.1, IE-D7  The player pays when choosing to draw, and then must pick a card."""
    s = table(hands={ANA: "r01"}, denarii={ANA: 1}, display="ma05 ma06", mahane="ma07")
    play(s, "play r01", "column 1", "mahane")
    assert s.denarii[ANA] == 0
    assert options(s) == ["draw", "take ma05", "take ma06"]
    play(s, "draw")
    assert "ma07" in hand(s, ANA)


def test_market_trades_at_one_price_both_ways() -> None:
    """IE-3.1, IE-R21  Stone is worth 2, Bread 3 and Fish 4, for buying and selling. No kind is both bought and sold."""
    s = table(hands={ANA: "r01"}, goods={ANA: (2, 0, 1)}, denarii={ANA: 0})
    play(s, "play r01", "column 1", "trade")
    refused(s, "sell bread", NOTHING_TO_SELL)
    refused(s, "buy bread", CANNOT_PAY)
    play(s, "sell stone", "sell stone", "sell fish")
    assert s.denarii[ANA] == 8
    refused(s, "buy fish", SOLD_THIS)
    play(s, "buy bread", "buy bread")
    assert s.denarii[ANA] == 2
    assert goods(s, ANA) == (0, 2, 0)
    assert name_asked(s) == "Go"  # nothing is left to trade, so trading ends, and the Follower's way is paid in Bread


def test_market_trades_in_any_order() -> None:
    """IE-R21  The player may buy, sell, and buy again with the proceeds, but no kind in both directions."""
    s = table(hands={ANA: "r01"}, goods={ANA: (1, 1, 2)}, denarii={ANA: 3})
    play(s, "play r01", "column 1", "trade", "buy stone")
    assert s.denarii[ANA] == 1
    refused(s, "sell stone", BOUGHT_THIS)
    refused(s, "buy stone", CANNOT_PAY)
    assert options(s) == ["done", "sell bread", "sell fish"]
    play(s, "sell fish", "buy stone", "buy bread")
    assert (s.denarii[ANA], goods(s, ANA)) == (0, (3, 2, 1))
    refused(s, "sell bread", BOUGHT_THIS)
    refused(s, "buy fish", SOLD_THIS)
    assert options(s) == ["done", "sell fish"]
    play(s, "sell fish", "done")
    assert (s.denarii[ANA], goods(s, ANA)) == (4, (3, 2, 0))


def test_market_is_new_each_time() -> None:
    """IE-R21  Goods from one Market action may be sold in the next one of the same turn."""
    s = table(hands={ANA: "ma18 r02"}, goods={ANA: (0, 0, 0)}, denarii={ANA: 2}, at={ANA: (0, 0, 0)})
    s.stack.append(Market(ANA))
    s.advance()
    play(s, "trade", "buy stone")  # nothing else can be traded, so trading ends
    s.stack.append(Market(ANA))
    s.advance()
    play(s, "trade", "sell stone")
    assert s.denarii[ANA] == 2


def test_market_without_money() -> None:
    """IE-3.1  Without money the draw is refused, but not the trade."""
    s = table(hands={ANA: "r01"}, goods={ANA: (1, 0, 0)}, denarii={ANA: 0})
    play(s, "play r01", "column 1")
    refused(s, "mahane", MAHANE_PRICE)
    assert options(s) == ["skip", "trade"]


def test_market_with_one_denarius() -> None:
    """IE-3.1  One Denarius buys no good. Without a card to draw, only skipping remains (IE-R14)."""
    s = table(hands={ANA: "r01"}, goods={ANA: (0, 0, 0)}, denarii={ANA: 1})
    play(s, "play r01", "column 1")
    refused(s, "trade", NOTHING_TO_TRADE)
    s = table(hands={ANA: "r01"}, goods={ANA: (1, 0, 0)}, denarii={ANA: 1}, display="", empty_decks=True)
    play(s, "play r01", "column 1")
    refused(s, "mahane", NO_MAHANE)


def test_market_with_nothing_is_not_asked() -> None:
    """IE-D5  The player has no money and no goods."""
    s = table(hands={ANA: "r02 r01"}, goods={ANA: (0, 0, 0)}, denarii={ANA: 0})
    play(s, "play r02", "column 1")
    assert name_asked(s) == "Listen"


def test_gathering() -> None:
    """IE-3.2, IE-R46  The player automatically gets one good for each own Follower there."""
    s = table(hands={ANA: "r03 r06 r08"}, at={ANA: (3, 2, 1)}, goods={ANA: (0, 0, 0)})
    play(s, "play r03", "column 1")
    assert goods(s, ANA) == (3, 0, 0)
    s = table(hands={ANA: "r06"}, at={ANA: (3, 2, 1)}, goods={ANA: (0, 0, 0)})
    play(s, "play r06", "column 1")
    assert goods(s, ANA) == (0, 2, 1)
    s = table(hands={ANA: "r07"}, at={ANA: (3, 2, 1)}, goods={ANA: (0, 0, 0)})
    play(s, "play r07", "column 1")
    assert goods(s, ANA) == (0, 0, 1)


def test_temple_sends_one_at_a_time() -> None:
    """IE-3.3, IE-R41  The price is 1 for Desert, 2 for Mountain and 3 for Lake, for any number of Followers."""
    s = table(hands={ANA: "r10"}, denarii={ANA: 7}, at={ANA: (1, 1, 1), BEN: (1, 1, 1)})
    play(s, "play r10", "column 1", "send lake", "send mountain", "send desert")
    assert count_followers(s, ANA) == (2, 2, 2)
    assert s.denarii[ANA] == 1
    assert s.camp[ANA] == 8
    refused(s, "send lake", SEND_PRICE)
    assert options(s) == ["done", "send desert"]


def test_temple_needs_money_and_camp() -> None:
    """IE-D8  A player without money is not asked."""
    s = table(hands={ANA: "r09"}, denarii={ANA: 0})
    play(s, "play r09", "column 1")
    assert name_asked(s) == "DoFavor"


def test_a_location_that_costs_nothing_needs_no_money() -> None:
    """IE-3.3  In an edition whose Desert is free, a player needs no money to send a Follower there."""
    s = table(hands={ANA: "r10"}, denarii={ANA: 0}, at={ANA: (1, 1, 1), BEN: (1, 1, 1)})
    s.c = GAME.with_components(GAME.file.with_changes({"locations.list.desert.recruit_price": 0})).components
    play(s, "play r10", "column 1")
    assert options(s) == ["done", "send desert"]


def test_never_more_than_three() -> None:
    """IE-3.5  A player may have at most three Followers in a Location."""
    s = table(hands={ANA: "r10"}, denarii={ANA: 7}, at={ANA: (3, 1, 0), BEN: (1, 1, 1)})
    play(s, "play r10", "column 1")
    refused(s, "send desert", THREE_AT_MOST)


def test_displacing() -> None:
    """IE-E10, IE-3.4, IE-R18  Ana pays Ben 3 Denarii and the bank 1. Ben's Camp may overflow until his own step F."""
    s = table(
        seats=3,
        hands={ANA: "r10", BEN: "y05 y06"},
        at={ANA: (1, 1, 1), BEN: (1, 1, 3), CEM: (1, 1, 2)},
        denarii={ANA: 5, BEN: 0},
        goods={BEN: (5, 0, 0)},
    )
    assert s.count_filled_spaces(BEN) == 15
    play(s, "play r10", "column 1")
    refused(s, "send lake", LOCATION_FULL)
    refused(s, "replace mountain 1", NOT_FULL)
    play(s, "replace lake 1")
    assert (s.denarii[ANA], s.denarii[BEN]) == (1, 3)
    assert [count_followers(s, seat)[2] for seat in (ANA, BEN, CEM)] == [2, 2, 2]
    assert s.count_filled_spaces(BEN) == 16
    refused(s, "replace lake 2", REPLACE_PRICE)
    play(s, "done", "skip")  # the Follower stays; no visit, no purchase
    assert s.active == BEN
    assert s.count_filled_spaces(BEN) == 16
    play(s, "play y05", "column 1", "skip", "skip")
    assert name_asked(s) == "Warehouse"


def test_displacing_may_be_repeated() -> None:
    """IE-R18  A player may displace repeatedly in one Temple action, and chooses whose Follower to displace."""
    s = table(
        seats=3,
        hands={ANA: "r10"},
        at={ANA: (0, 1, 1), BEN: (3, 1, 1), CEM: (3, 1, 1)},
        denarii={ANA: 6, BEN: 0, CEM: 0},
    )
    play(s, "play r10", "column 1", "replace desert 1", "replace desert 2", "replace desert 2")
    assert [count_followers(s, seat)[0] for seat in (ANA, BEN, CEM)] == [3, 2, 1]
    assert s.denarii == [0, 1, 2]


def test_displacing_needs_a_follower_to_displace() -> None:
    """IE-R18  The Location is full without Followers of Dia, and three own Followers are enough (IE-3.5)."""
    full = {ANA: (2, 1, 3), BEN: (3, 1, 3), CEM: (3, 1, 2), DIA: (0, 1, 0)}
    s = table(hands={ANA: "r10"}, at=full, denarii={ANA: 7})
    play(s, "play r10", "column 1")
    refused(s, "replace desert 3", NOBODY_THERE)
    refused(s, "replace mountain 3", NOT_FULL)
    refused(s, "replace lake 1", THREE_AT_MOST)
    assert options(s) == ["done", "send mountain", "replace desert 1", "replace desert 2"]
