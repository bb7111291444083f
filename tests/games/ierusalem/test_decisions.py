"""Tests of the table of decisions (IE-D1 to IE-D32): the options of each that no other test covers."""

from tests.games.ierusalem.table import ANA, BEN, CEM, DIA, name_asked, options, play, table

HERE = "tl u1c1 u1c2 u1c3 u1c6 u1c7 u1c8 u2c1 u2c2 u2c3"


def test_a_card_or_the_tile_then_a_column() -> None:
    """IE-D2, IE-D3  The player chooses among five cards and the tile, and then among three columns."""
    s = table(hands={ANA: "r01 r02 r03 r04 r05"})
    assert options(s) == ["illuminate", "play r01", "play r02", "play r03", "play r04", "play r05"]
    play(s, "play r03")
    assert options(s) == ["column 1", "column 2", "column 3"]


def test_a_single_card_without_a_tile_is_played_without_a_question() -> None:
    """IE-D2  With a single card and no tile, only the column is asked."""
    s = table(hands={ANA: "r03"}, spent=[ANA])
    assert name_asked(s) == "Column"
    assert s.hand[ANA] == ()


def test_the_four_types_of_the_illumination() -> None:
    """IE-D4  The tile offers purple, orange, white and Judas, if all are possible."""
    s = table(seated={"s01": "john"})
    play(s, "illuminate")
    assert options(s) == ["appreciate purple", "appreciate orange", "appreciate white", "appreciate silver"]


def test_everything_a_market_can_offer() -> None:
    """IE-D5, IE-D6  The Market offers to draw, trade or skip.

    Trading offers three goods to sell, three to buy, and done.
    """
    s = table(hands={ANA: "r01"}, denarii={ANA: 9}, goods={ANA: (1, 1, 1)})
    play(s, "play r01", "column 1")
    assert options(s) == ["skip", "trade", "mahane"]
    play(s, "trade")
    assert options(s) == ["done", "sell stone", "sell bread", "sell fish", "buy stone", "buy bread", "buy fish"]


def test_gathering_is_not_asked() -> None:
    """IE-D9  The Stones of the Desert have been gathered when the Parable is asked."""
    s = table(hands={ANA: "r03"}, goods={ANA: (0, 0, 0)})
    play(s, "play r03", "column 1")
    assert name_asked(s) == "Listen"
    assert s.goods[0] == 2


def test_a_parable_may_be_skipped() -> None:
    """IE-D13  The player may listen to a Parable or skip it."""
    s = table(hands={ANA: "r03"})
    play(s, "play r03", "column 1")
    assert options(s) == ["skip", "listen"]
    play(s, "skip")
    assert s.parables[ANA] == 0


def test_a_reward_that_is_asked_may_be_skipped_and_the_offering_follows() -> None:
    """IE-D16, IE-D17, IE-D18  A call offers three Locations or skip. Afterwards the Offering is taken or refused."""
    s = table(hands={ANA: "ad01"})
    play(s, "play ad01", "column 1", "skip", "go d3c3")
    assert options(s) == ["skip", "call desert", "call mountain", "call lake"]
    play(s, "skip")
    assert options(s) == ["skip", "offering"]
    play(s, "skip")
    assert s.offerings[ANA] == 1


def test_change_places_asks_for_the_follower_and_for_the_space() -> None:
    """IE-D19, IE-D20  Every own Follower at the Supper can be chosen, or skip.

    Then every empty space, with no way back.
    """
    s = table(hands={ANA: "ad02"}, supper={ANA: "tl u1c1 d3c4"})
    play(s, "play ad02", "column 1", "skip")
    assert options(s) == ["skip", "move u1c1", "move tl", "move d3c4"]
    play(s, "move tl")
    assert len(options(s)) == s.free_spaces.bit_count() == 50
    assert "skip" not in options(s)


def test_a_visit_asks_for_a_colour_and_a_seat() -> None:
    """IE-D24, IE-D25  The visitor chooses a colour that waits in the column, also silver, and then an empty seat.

    Neither is optional.
    """
    s = table(columns={ANA: ["r05 r08 r10"]}, hands={ANA: "r04 r02"})
    play(s, "play r04", "column 2", "skip", "visit 1 3")
    assert options(s) == ["bring purple", "bring orange", "bring white", "bring silver"]
    play(s, "bring white")
    assert options(s) == [f"seat s{i:02}" for i in range(1, 13)]


def test_a_swap_asks_for_both_followers() -> None:
    """IE-D26, IE-D27  The player chooses an own Follower or skip, and then any Follower of another player."""
    s = table(supper={ANA: HERE, BEN: "tr d1c1", CEM: "bl", DIA: "br"})
    play(s, "illuminate", "appreciate white")
    assert len(options(s)) == 11
    assert options(s)[0] == "skip"
    play(s, "swap tl")
    assert sorted(options(s)) == ["with bl", "with br", "with d1c1", "with tr"]


def test_discarding_offers_every_card_until_five_are_left() -> None:
    """IE-D29  With seven cards a player discards twice, each time from the whole hand."""
    s = table(hands={ANA: "r03 r04 r05 r06 r07 r08 ma09 ad01"}, denarii={ANA: 0}, goods={ANA: (0, 0, 0)})
    play(s, "play r03", "column 1", "skip")
    assert [len(options(s)), name_asked(s)] == [7, "DiscardHand"]
    play(s, "discard r04")
    assert [len(options(s)), name_asked(s)] == [6, "DiscardHand"]
    play(s, "discard ad01")
    assert s.active == BEN
