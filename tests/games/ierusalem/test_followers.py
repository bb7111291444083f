"""Tests of Follower actions (IE-4)."""

from tests.games.ierusalem.table import (
    ANA,
    BEN,
    CEM,
    DIA,
    count_followers,
    get_asked_step,
    goods,
    hand,
    ids,
    list_earned,
    list_received,
    name_asked,
    options,
    play,
    refused,
    spaces,
    table,
)
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.actions.followers import FavorCall
from triclinium.games.ierusalem.rules.refusals import (
    ANOTHER_SPACE,
    FAVOR_GIVEN,
    LEAVE_MOST,
    NO_DISPLACING,
    PRICE,
    TAKEN,
    THREE_AT_MOST,
    TO_ANOTHER,
)
from triclinium.games.ierusalem.rules.state import FROM_ACTIONS, FROM_FAVORS, FROM_JUDGMENTS, FROM_PARABLES, FROM_PLACES
from triclinium.games.ierusalem.ui.view import ParableStack


def test_the_price_of_a_space() -> None:
    """IE-E4, IE-4.2, IE-R28  A space costs exactly the goods of its row and its column.

    The places at the table cost 2 Fish.
    """
    s = table(hands={ANA: "r01"})
    play(s, "play r01", "column 1", "skip")
    for text in ("go t4", "go u1c3", "go u1c6"):
        refused(s, text, PRICE)
    refused(s, "go tr", TAKEN)
    assert {"go u2c1", "go d3c2", "go u3c3", "go u1c2"} <= set(options(s))
    play(s, "go u1c2")
    assert goods(s, ANA) == (1, 0, 0)
    assert name_asked(s) == "TakeOffering"


def test_the_follower_leaves_where_the_most_are() -> None:
    """IE-E5, IE-R19  Desert 2, Mountain 1, Lake 2: from Desert or Lake by choice, not from Mountain."""
    s = table(hands={ANA: "ad01"}, at={ANA: (2, 1, 2)})
    play(s, "play ad01", "column 1", "skip")
    refused(s, "leave mountain", LEAVE_MOST)
    assert options(s) == ["skip", "leave desert", "leave lake"]
    play(s, "leave lake", "go u1c8", "skip")
    assert count_followers(s, ANA) == (2, 1, 1)


def test_a_single_fullest_location_is_not_asked() -> None:
    """IE-E5  With Desert 3 and Lake 2 the Follower leaves the Desert."""
    s = table(hands={ANA: "ad01"}, at={ANA: (3, 1, 2), BEN: (1, 1, 1)})
    play(s, "play ad01", "column 1", "skip", "go u1c8", "skip")
    assert count_followers(s, ANA) == (2, 1, 2)


def test_the_supper_needs_a_follower_to_send() -> None:
    """IE-R19  Without a Follower in any Location the action is impossible and not asked."""
    s = table(hands={ANA: "r01"}, at={ANA: (0, 0, 0)})
    play(s, "play r01", "column 1", "skip")
    assert name_asked(s) == "BuyMahane"


def test_going_may_be_declined_twice() -> None:
    """IE-D14, IE-D15  A player may decline at the Location and again at the space."""
    s = table(hands={ANA: "ad01"}, at={ANA: (2, 1, 2)})
    play(s, "play ad01", "column 1", "skip", "leave desert", "skip")
    assert count_followers(s, ANA) == (2, 1, 2)
    assert s.marker == 1  # the Meeting of the card itself takes place


def test_invited_pays_nothing() -> None:
    """IE-4.4  An invited Follower costs nothing, and the Offering is still offered."""
    s = table(hands={ANA: "ad05"}, goods={ANA: (0, 0, 0)}, at={ANA: (2, 0, 0)})
    play(s, "play ad05", "column 1", "go t5", "offering")
    assert goods(s, ANA) == (1, 0, 0)
    assert s.offerings[ANA] == 2
    assert s.marker == 1


def test_a_meeting_space_and_its_judgment() -> None:
    """IE-E6, IE-R12  The new Follower counts for the supper Judgment. The Offering may be taken afterwards."""
    tiles = ("parable", "supper", "offering", "goods", "call", "favor")
    supper = {ANA: "tl u1c1 u2c1 u3c1 d1c1", BEN: "tr u1c2 u2c2 u2c3 u3c3", CEM: "bl d1c3 d2c2 d1c2", DIA: "br"}
    s = table(hands={ANA: "r01"}, marker=6, tiles=tiles, supper=supper)
    play(s, "play r01", "column 1", "skip", "go d3c2")
    assert s.marker == 7
    assert list_earned(s, FROM_JUDGMENTS) == [6, 2, 2, 0]
    assert name_asked(s) == "TakeOffering"


def test_an_offering_judgment_comes_before_the_new_offering() -> None:
    """IE-E6, IE-R12  With 3 Offerings Ana scores 3, and the new Offering does not count yet."""
    tiles = ("parable", "offering", "supper", "goods", "call", "favor")
    s = table(hands={ANA: "r01"}, marker=6, tiles=tiles, offerings={ANA: 3, BEN: 2})
    play(s, "play r01", "column 1", "skip", "go d3c2", "offering")
    assert list_earned(s, FROM_JUDGMENTS) == [3, 1, 0, 0]
    assert s.offerings[ANA] == 4


def test_rewards_of_spaces() -> None:
    """IE-4.3, IE-R46  VP, goods and Denarii are automatic. A Mahane card and a call are asked."""
    s = table(hands={ANA: "ad01"})
    play(s, "play ad01", "column 1", "skip", "go u2c4", "skip")
    assert list_earned(s, FROM_PLACES) == [3, 0, 0, 0]
    s = table(hands={ANA: "ad01"}, denarii={ANA: 4})
    play(s, "play ad01", "column 1", "skip", "go d3c8", "skip")
    assert s.denarii[ANA] == 6
    s = table(hands={ANA: "ad01"})
    play(s, "play ad01", "column 1", "skip", "go u3c8", "skip")
    assert goods(s, ANA) == (1, 2, 2)
    s = table(hands={ANA: "ad01"}, display="ma05 ma06")
    play(s, "play ad01", "column 1", "skip", "go u3c3", "take ma05", "skip")
    assert "ma05" in hand(s, ANA)
    s = table(hands={ANA: "ad01"})
    play(s, "play ad01", "column 1", "skip", "go u3c6", "call lake", "offering")
    assert count_followers(s, ANA) == (1, 1, 2)


def test_parables_come_in_order() -> None:
    """IE-E12, IE-4.1, IE-R27  Two Followers do not suffice for the third Parable.

    Three do, and give 5 VP and a Fish.
    """
    s = table(hands={ANA: "r03 r04"}, parables={ANA: 2, BEN: 3}, supper={ANA: "tl u1c1"})
    play(s, "play r03", "column 1")
    assert name_asked(s) == "BuyMahane"
    s = table(hands={ANA: "r03 r04"}, parables={ANA: 2, BEN: 3}, supper={ANA: "tl u1c1 u2c1"})
    play(s, "play r03", "column 1", "listen")
    assert s.parables[ANA] == 3
    assert list_earned(s, FROM_PARABLES) == [5, 0, 0, 0]
    assert goods(s, ANA) == (3, 1, 2)
    assert GAME.view(s, None).parables[2] == ParableStack(number=3, left=2, top=4)


def test_the_parable_track() -> None:
    """IE-4.1  Denarius, Fish, Mahane card, Offering and 3 VP on spaces 2, 3, 5, 6 and 7."""
    many = "tl u1c1 u1c2 u1c3 u2c1 u2c2 u2c3"
    s = table(hands={ANA: "r03"}, parables={ANA: 1}, supper={ANA: many}, denarii={ANA: 0})
    play(s, "play r03", "column 1", "listen")
    assert s.denarii[ANA] == 1
    s = table(hands={ANA: "r03"}, parables={ANA: 4}, supper={ANA: many}, display="ma05 ma06")
    play(s, "play r03", "column 1", "listen", "take ma06")
    assert "ma06" in hand(s, ANA)
    s = table(hands={ANA: "r03"}, parables={ANA: 5}, supper={ANA: many})
    play(s, "play r03", "column 1", "listen", "offering")
    assert s.offerings[ANA] == 2
    s = table(hands={ANA: "r03"}, parables={ANA: 5}, supper={ANA: many})
    play(s, "play r03", "column 1", "listen", "skip")  # IE-D18: the Offering is refused
    assert s.offerings[ANA] == 1
    s = table(hands={ANA: "r03"}, parables={ANA: 6}, supper={ANA: many})
    play(s, "play r03", "column 1", "listen")
    assert list_earned(s, FROM_PARABLES) == [9, 0, 0, 0]
    s = table(hands={ANA: "r03"}, parables={ANA: 7}, supper={ANA: many})
    play(s, "play r03", "column 1")
    assert name_asked(s) == "BuyMahane"  # there is no eighth tile


def test_do_a_favor() -> None:
    """IE-E11, IE-4.5  Ben gains a Denarius and a market symbol.

    Ana gains a card, a step, VP and the sixteenth space.
    """
    s = table(hands={ANA: "r05"}, favors={ANA: 1}, xxxiii="ad04", denarii={ANA: 0, BEN: 0})
    play(s, "play r05", "column 1", "favor f4", "to 1")
    assert s.denarii[BEN] == 1
    assert list_received(s, BEN) == ["market"]
    assert "ad04" in hand(s, ANA)
    assert s.favors[ANA] == 2
    assert list_earned(s, FROM_FAVORS) == [1, 0, 0, 0]
    assert s.count_camp_spaces(ANA) == 16


def test_the_fourth_favor() -> None:
    """IE-E11  The fourth Favor gives 2 VP and 2 Denarii."""
    s = table(hands={ANA: "r05"}, favors={ANA: 3}, denarii={ANA: 0})
    play(s, "play r05", "column 1", "favor f7", "to 2")
    assert list_earned(s, FROM_FAVORS) == [2, 0, 0, 0]
    assert s.denarii[ANA] == 2
    assert goods(s, CEM) == (2, 2, 1)
    assert list_received(s, CEM) == ["lake"]


def test_favor_options() -> None:
    """IE-R17, IE-D10, IE-D11  Every remaining marker can go to every other player, and is gone afterwards."""
    s = table(hands={ANA: "r05"}, favors={ANA: 6})
    play(s, "play r05", "column 1")
    assert options(s) == ["skip", "favor f7", "favor f8"]
    refused(s, "favor f1", FAVOR_GIVEN)
    play(s, "favor f8")
    refused(s, "to 0", TO_ANOTHER)
    assert options(s) == ["to 1", "to 2", "to 3"]
    s = table(hands={ANA: "r05"}, favors={ANA: 8})
    play(s, "play r05", "column 1")
    assert name_asked(s) == "BuyMahane"


def test_a_called_follower_is_the_receivers_choice() -> None:
    """IE-R17, IE-D12  The receiver chooses a legal Location out of turn, or declines. The giver gains afterwards."""
    s = table(hands={ANA: "r05"}, at={BEN: (3, 1, 1), CEM: (1, 1, 1)})
    play(s, "play r05", "column 1", "favor f5", "to 1")
    assert get_asked_step(s) == FavorCall(BEN)
    assert s.favors[ANA] == 0
    refused(s, "call desert", THREE_AT_MOST)
    play(s, "call lake")
    assert count_followers(s, BEN) == (3, 1, 2)
    assert s.favors[ANA] == 1
    assert s.active == ANA


def test_a_call_favor_without_followers_in_the_camp() -> None:
    """IE-E2  Without Followers in the Camp the receiver keeps only the marker, but the giver gets card, step and VP."""
    home = "tr u1c1 u1c2 u1c3 u1c4 u2c1 u2c2 u2c3"
    s = table(hands={ANA: "r05"}, at={BEN: (3, 2, 2)}, supper={BEN: home}, xxxiii="ad04")
    assert s.camp[BEN] == 0
    play(s, "play r05", "column 1", "favor f8", "to 1")
    assert list_received(s, BEN) == ["market"]
    assert count_followers(s, BEN) == (3, 2, 2)
    assert s.favors[ANA] == 1
    assert "ad04" in hand(s, ANA)


def test_a_favor_with_an_empty_xxxiii_deck() -> None:
    """IE-R14  The draw does nothing, and the rest of the action continues."""
    s = table(hands={ANA: "r05"}, empty_decks=True, display="ma05 ma06")
    play(s, "play r05", "column 1", "favor f1", "to 3")
    assert s.favors[ANA] == 1
    assert goods(s, DIA) == (2, 1, 1)
    assert "ad" not in hand(s, ANA)


def test_call_a_follower() -> None:
    """IE-4.6  A called Follower goes to an empty square for free.

    Nobody is displaced, and three in a Location are the most.
    """
    s = table(
        hands={ANA: "ma13"}, at={ANA: (1, 1, 3), BEN: (3, 1, 1), CEM: (3, 1, 1), DIA: (1, 1, 1)}, denarii={ANA: 0}
    )
    play(s, "play ma13", "column 1")
    refused(s, "call desert", NO_DISPLACING)
    refused(s, "call lake", THREE_AT_MOST)
    play(s, "call mountain")
    assert count_followers(s, ANA) == (1, 2, 3)
    assert s.denarii[ANA] == 1  # The Denarius comes from the card's second action.


def test_change_places() -> None:
    """IE-4.7, IE-R34  The Follower moves to another, empty space and gets its reward, but no Offering."""
    s = table(hands={ANA: "ad02"})
    play(s, "play ad02", "column 1", "skip", "move tl")
    refused(s, "onto tl", ANOTHER_SPACE)
    refused(s, "onto tr", ANOTHER_SPACE)
    play(s, "onto u1c4")
    assert spaces(s, ANA) == ["u1c4"]
    assert list_earned(s, FROM_PLACES) == [4, 0, 0, 0]
    assert s.offerings[ANA] == 1
    assert s.marker == 1
    assert name_asked(s) == "BuyMahane"


def test_change_places_onto_a_meeting() -> None:
    """IE-4.7  The Meeting of the new space is mandatory, and the Meeting of the card follows."""
    s = table(hands={ANA: "ad02"})
    play(s, "play ad02", "column 1", "skip", "move tl", "onto u3c2")
    assert s.marker == 2


def test_simple_gains() -> None:
    """IE-4.8  A Denarius, a good and 3 VP are gained without a question (IE-R46)."""
    s = table(hands={ANA: "ma14"}, goods={ANA: (0, 0, 0)}, at={ANA: (1, 0, 0)})
    play(s, "play ma14", "column 1")
    assert list_earned(s, FROM_ACTIONS) == [3, 0, 0, 0]
    s = table(hands={ANA: "ad05"}, goods={ANA: (0, 0, 0)}, at={ANA: (1, 0, 0)})
    play(s, "play ad05", "column 1")
    assert goods(s, ANA) == (1, 0, 0)


def test_drawing_cards() -> None:
    """IE-4.11, IE-D7, IE-D32  Both draws of the card ma04 are optional."""
    s = table(hands={ANA: "ma04"}, display="ma05 ma06", mahane="ma07 ma08", xxxiii="ad03", denarii={ANA: 0})
    play(s, "play ma04", "column 1", "skip")
    assert options(s) == ["skip", "draw", "take ma05", "take ma06"]
    play(s, "take ma06")
    assert ids(s.display) == "ma05 ma07"
    assert options(s) == ["skip", "draw"]
    play(s, "draw")
    assert {"ma06", "ad03"} <= set(hand(s, ANA).split())


def test_a_full_supper() -> None:
    """IE-R36  Without an empty space, Go, Invited and Change Places are impossible.

    This needs four players with 14 Followers each at the Supper.
    """
    names = [f"{row}c{i}" for row in ("u1", "u2", "u3", "d1", "d2", "d3") for i in range(1, 9)]
    names += ["tl", "t4", "t5", "tr", "bl", "b4", "b5", "br"]
    supper = {seat: " ".join(names[seat * 14 : seat * 14 + 14]) for seat in range(4)}
    one = (1, 0, 0)
    everybody = {ANA: one, BEN: one, CEM: one, DIA: one}
    for card in ("ad01", "ad02", "r01"):
        s = table(hands={ANA: card}, supper=supper, at=everybody, goods={ANA: (2, 2, 2)}, denarii={ANA: 1})
        assert s.free_spaces == 0
        play(s, f"play {card}", "column 1", "skip")
        assert s.active == BEN


def test_when_vp_score() -> None:
    """IE-0.1, IE-0.2  VP in a pentagon score at once, and a place at Jesus scores at the end."""
    s = table(hands={ANA: "ad01"})
    play(s, "play ad01", "column 1", "skip", "go t4", "skip")
    assert s.get_vp(ANA) == 1
    assert GAME.scores(s)[ANA].line_points("jesus") == 7


def test_supplies_never_run_out() -> None:
    """IE-R15  Goods and Offerings never run out, even beyond the number in the box."""
    s = table(hands={ANA: "r03 ad01"}, goods={ANA: (40, 0, 0), BEN: (40, 0, 0)}, offerings={BEN: 60})
    play(s, "play r03", "column 1")
    assert goods(s, ANA) == (42, 0, 0)


def test_an_empty_xxxiii_deck_is_not_asked() -> None:
    """IE-R14, IE-D32  The draw does nothing, and the next action follows."""
    s = table(hands={ANA: "ma08"}, empty_decks=True, display="ma05 ma06")
    play(s, "play ma08", "column 1")
    assert name_asked(s) == "CallFollower"


def test_a_follower_who_goes_makes_room_for_a_call() -> None:
    """IE-4.2, IE-4.6  The square left is empty at once: the reward of the space may call a Follower there."""
    full = {ANA: (3, 1, 1), BEN: (3, 1, 1), CEM: (2, 1, 1), DIA: (0, 1, 1)}
    s = table(hands={ANA: "ad01"}, at=full)
    play(s, "play ad01", "column 1", "skip", "go u3c6")
    assert "call desert" in options(s)
    play(s, "call desert", "skip")
    assert count_followers(s, ANA) == (3, 1, 1)
