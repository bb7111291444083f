"""Tests of Tradition (AE-6)."""

from itertools import pairwise

from tests.games.evangelists.table import (
    C,
    box,
    check_step_refusal,
    describe_asked,
    find_face_up,
    find_viewers_of_card,
    gospel,
    levels,
    options,
    play,
    refused,
    table,
)
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.rules.actions.tradition import Keep, KeepSecond
from triclinium.games.evangelists.rules.refusals import (
    BOX_EMPTY,
    NO_ROOM,
    NOT_IN_CITY,
    SECOND_COSTS,
    SECOND_ROOM,
    SLOT_TAKEN,
)
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists

BOX = {"corinth": [5, 14, 22, 31]}


def set_up_in_corinth() -> Evangelists:
    """Return a table of two with the active pawn in Corinth, where nobody can pay for a follow."""
    return table(seats=2, pawns=["corinth", "rome"], boxes=BOX, tokens=[0, 0])


def test_tradition_needs_a_city() -> None:
    """AE-6.1  A waypoint has no box."""
    s = table(seats=2, pawns=["athens", "rome"])
    refused(s, "tradition", NOT_IN_CITY)


def test_only_the_player_sees_the_cards() -> None:
    """AE-6.1, AE-R39  Only the player who looks knows the cards of the box."""
    s = set_up_in_corinth()
    play(s, "tradition")
    assert [find_viewers_of_card(s, "corinth", place) for place in range(4)] == [{0}] * 4


def test_a_look_cannot_be_undone() -> None:
    """AE-6.1, AE-6.5, AE-R39  A first look and a newly revealed card prevent an undo. Known cards do not."""
    s = table(seats=2, pawns=["corinth", "antioch"], boxes=BOX, face_up={"corinth": 1}, tokens=[0, 0])
    barred = [s.undo_barrier]
    for text in ("tradition", "keep 1", "none", "slot 1", "face 0", "end", "end", "tradition", "none", "face 0"):
        play(s, text)
        barred.append(s.undo_barrier)
    risen = [after - before for before, after in pairwise(barred)]
    assert risen == [1, 0, 0, 0, 1, 0, 0, 0, 0, 0]


def test_keep_one_or_none() -> None:
    """AE-6.2, AE-R42  The options are the places of the box, whatever cards are there."""
    s = set_up_in_corinth()
    play(s, "tradition")
    assert options(s) == ["keep 0", "keep 1", "keep 2", "keep 3", "none"]
    play(s, "none", "face 3")
    assert gospel(s, 0) == [0] * 6
    assert box(s, "corinth") == [5, 14, 22, 31]
    assert s.octagons == 2


def test_a_second_card_costs_an_octagon() -> None:
    """AE-6.3, AE-R16  A player may keep exactly one more card, for one more octagon."""
    s = set_up_in_corinth()
    play(s, "tradition", "keep 1")
    assert options(s) == ["keep 0", "keep 2", "keep 3", "none"]
    play(s, "keep 3", "slot 1", "slot 2", "face 0")
    assert gospel(s, 0) == [14, 31, 0, 0, 0, 0]
    assert s.octagons == 1


def test_kept_cards_are_public_only_while_they_can_be_copied() -> None:
    """AE-3.1, AE-6.6  After all have declined, nobody sees a card to copy."""
    s = table(seats=2, pawns=["corinth", "rome"], boxes=BOX, tokens=[0, 1])
    play(s, "tradition", "keep 1", "none", "slot 1", "face 0")
    assert [C.numbers[card] for card in GAME.view(s, 1).kept] == [14]
    play(s, "decline")
    assert describe_asked(s) == "0 ChooseAction"
    assert GAME.view(s, 1).kept == []


def test_no_second_card_without_an_octagon() -> None:
    """AE-6.3, AE-R16  The second card is not offered and would be refused."""
    s = table(seats=2, pawns=["corinth", "rome"], boxes=BOX, tokens=[0, 0], octagons=1)
    play(s, "tradition", "keep 1")
    assert describe_asked(s) == "0 PlaceKept"
    check_step_refusal(s, KeepSecond(0, s.pawn[0]), "keep 0", SECOND_COSTS)


def test_no_second_card_without_a_second_slot() -> None:
    """AE-R16  A gospel with one empty slot takes one card."""
    s = table(seats=2, pawns=["corinth", "rome"], boxes=BOX, tokens=[0, 0], gospels={0: [1, 2, 3, 4, 6, 0]})
    play(s, "tradition", "keep 1")
    assert describe_asked(s) == "0 LeaveFaceUp"
    assert gospel(s, 0) == [1, 2, 3, 4, 6, 14]
    t = table(seats=2, pawns=["corinth", "rome"], boxes=BOX, gospels={0: [1, 2, 3, 4, 6, 0]})
    check_step_refusal(t, KeepSecond(0, t.pawn[0]), "keep 0", SECOND_ROOM)


def test_no_second_card_after_none() -> None:
    """AE-R16  A player who kept no first card cannot keep a second one."""
    s = set_up_in_corinth()
    play(s, "tradition", "none")
    assert describe_asked(s) == "0 LeaveFaceUp"


def test_no_second_card_in_an_empty_box() -> None:
    """AE-R16, AE-R14  After the last card of a box there is no second card and no face-up card.

    The box stays empty.
    """
    s = table(
        seats=2, pawns=["corinth", "rome"], boxes={"corinth": [0, 0, 22, 0]}, face_up={"corinth": 2}, tokens=[0, 0]
    )
    play(s, "tradition", "keep 2", "slot 4")
    assert describe_asked(s) == "0 ChooseAction"
    assert s.octagons == 2
    assert box(s, "corinth") == [0, 0, 0, 0]
    assert s.face_up[s.pawn[0]] == EMPTY
    play(s, "end", "end")
    refused(s, "tradition", BOX_EMPTY)


def test_a_kept_card_goes_into_any_empty_slot() -> None:
    """AE-6.4  A slot with a card is refused."""
    s = table(seats=2, pawns=["corinth", "rome"], boxes=BOX, tokens=[0, 0], gospels={0: [1, 0, 2, 0, 0, 0]})
    play(s, "tradition", "keep 0", "none")
    assert options(s) == ["slot 2", "slot 4", "slot 5", "slot 6"]
    refused(s, "slot 1", SLOT_TAKEN)
    play(s, "slot 5")
    assert gospel(s, 0) == [1, 0, 2, 0, 5, 0]


def test_one_returned_card_is_face_up() -> None:
    """AE-S5, AE-6.5, AE-R14, AE-R39, AE-R42  Card 31 is left face up, 14 is face down but known to all.

    Place 2 of the box is empty.
    """
    s = table(seats=2, pawns=["corinth", "rome"], boxes=BOX, face_up={"corinth": 1}, tokens=[0, 0])
    play(s, "tradition", "keep 2", "none", "slot 1")
    assert options(s) == ["face 0", "face 1", "face 3"]
    play(s, "face 3")
    assert box(s, "corinth") == [5, 14, 0, 31]
    assert find_face_up(s, "corinth") == 31
    assert find_viewers_of_card(s, "corinth", 0) == {0}
    assert find_viewers_of_card(s, "corinth", 1) == find_viewers_of_card(s, "corinth", 3) == {-1, 0, 1}


def test_a_single_returned_card_is_face_up() -> None:
    """AE-R14, AE-6.5  The player is not asked."""
    s = table(seats=2, pawns=["corinth", "rome"], boxes={"corinth": [5, 0, 22, 0]}, tokens=[0, 0])
    play(s, "tradition", "keep 2", "none", "slot 1")
    assert describe_asked(s) == "0 ChooseAction"
    assert find_face_up(s, "corinth") == 5


def test_a_face_up_card_can_be_kept() -> None:
    """AE-R14  A player takes up all cards of a box, also face-up ones."""
    s = table(seats=2, pawns=["corinth", "rome"], boxes=BOX, face_up={"corinth": 1}, tokens=[0, 0])
    play(s, "tradition", "keep 1", "none", "slot 1", "face 0")
    assert gospel(s, 0)[0] == 14
    assert find_face_up(s, "corinth") == 5


def test_a_full_gospel_keeps_nothing() -> None:
    """AE-R15  With a full gospel a Tradition is legal but keeps nothing. It still uses the octagon and the city."""
    s = table(seats=2, pawns=["corinth", "rome"], boxes=BOX, tokens=[0, 0], gospels={0: [1, 2, 3, 4, 6, 7]})
    check_step_refusal(s, Keep(0, s.pawn[0]), "keep 0", NO_ROOM)
    play(s, "tradition")
    assert describe_asked(s) == "0 LeaveFaceUp"
    play(s, "face 2")
    assert s.octagons == 2
    assert "tradition" not in options(s)


def test_weak_tradition_followed() -> None:
    """AE-S3, AE-6.6, AE-6.7, AE-R11  The nearest player who can pay comes first, and one copy allows one follower."""
    s = table(
        seats=4,
        pawns=["antioch", "ephesus", "salamis", "caesarea"],
        tokens=[0, 1, 0, 2],
        boxes={"antioch": [5, 14, 22, 31]},
    )
    play(s, "tradition", "keep 2", "none", "slot 1", "face 0")
    assert describe_asked(s) == "1 FollowTradition"
    assert options(s) == ["copy 22", "decline"]
    t = s.clone()
    play(s, "copy 22", "slot 6")
    assert describe_asked(s) == "0 ChooseAction"
    assert s.tokens == [1, 0, 0, 2]
    assert gospel(s, 1) == [0, 0, 0, 0, 0, 22]
    play(t, "decline")
    assert describe_asked(t) == "3 FollowTradition"
    play(t, "copy 22", "slot 1")
    assert t.tokens == [1, 1, 0, 1]


def test_strong_tradition_with_five_players() -> None:
    """AE-S4, AE-R11, AE-R12  The nearest players come first, with one card each and without tokens.

    A player with a full gospel is not asked.
    """
    s = table(
        seats=5,
        pawns=["alexandria", "rome", "gaza", "ephesus", "cyrene"],
        tokens=[0, 1, 1, 1, 2],
        boxes={"alexandria": [10, 27, 30, 31]},
        gospels={3: [1, 2, 3, 4, 5, 6]},
    )
    play(s, "tradition", "keep 0", "keep 1", "slot 1", "slot 2", "face 2")
    assert describe_asked(s) == "2 FollowTradition"
    assert options(s) == ["copy 10", "copy 27", "decline"]
    play(s, "copy 27", "slot 1")
    assert describe_asked(s) == "4 FollowTradition"
    assert options(s) == ["copy 10", "decline"]
    t = s.clone()
    play(s, "copy 10", "slot 1")
    assert describe_asked(s) == "0 ChooseAction"
    assert s.tokens == t.tokens == [0, 1, 1, 1, 2]
    play(t, "decline")
    assert describe_asked(t) == "1 FollowTradition"
    play(t, "copy 10", "slot 3")
    assert gospel(t, 1) == [0, 0, 10, 0, 0, 0]


def test_only_cards_just_kept_can_be_copied() -> None:
    """AE-6.6, AE-6.7  A returned card, a card elsewhere and a card that a nearer player took cannot be copied."""
    s = table(
        seats=3,
        pawns=["alexandria", "gaza", "rome"],
        boxes={"alexandria": [10, 27, 30, 31]},
        gospels={0: [5, 0, 0, 0, 0, 0]},
    )
    play(s, "tradition", "keep 0", "keep 1", "slot 2", "slot 3", "face 2")
    assert options(s) == ["copy 10", "copy 27", "decline"]
    for number in (5, 24, 30, 31):
        refused(s, f"copy {number}", NOT_ASKED)
    play(s, "copy 27", "slot 1")
    assert describe_asked(s) == "2 FollowTradition"
    refused(s, "copy 27", NOT_ASKED)
    assert options(s) == ["copy 10", "decline"]


def test_a_copy_goes_into_an_empty_slot() -> None:
    """AE-6.6  A copied card goes into an empty slot of the follower's own gospel. A slot with a card is refused."""
    s = table(
        seats=2,
        pawns=["corinth", "rome"],
        boxes=BOX,
        tokens=[0, 1],
        gospels={1: [1, 0, 0, 2, 0, 0]},
    )
    play(s, "tradition", "keep 3", "none", "slot 1", "face 0", "copy 31")
    assert describe_asked(s) == "1 PlaceCopy"
    refused(s, "slot 1", SLOT_TAKEN)
    play(s, "slot 2")
    assert gospel(s, 1) == [1, 31, 0, 2, 0, 0]
    assert gospel(s, 0) == [31, 0, 0, 0, 0, 0]  # AE-R17: two copies in play, never both in one gospel


def test_equally_near_followers_go_in_turn_order() -> None:
    """AE-6.7  The order of equally near followers begins after the active player."""
    s = table(
        seats=3,
        turn=1,
        pawns=["rome", "rhegium", "rome"],
        tokens=[1, 0, 1],
    )
    play(s, "travel weak", "to corinth", "decline", "decline", "tradition", "keep 0", "none", "slot 1", "face 1")
    assert describe_asked(s) == "2 FollowTradition"
    play(s, "decline")
    assert describe_asked(s) == "0 FollowTradition"


def test_tracks_are_adjusted_after_each_placement() -> None:
    """AE-6.8  The cube moves with the first card, before the second is placed."""
    s = table(
        seats=2,
        pawns=["corinth", "rome"],
        boxes={"corinth": [5, 14, 22, 31]},
        tokens=[0, 0],
        gospels={0: [1, 2, 0, 0, 0, 0]},
    )
    play(s, "tradition", "keep 0", "keep 1", "slot 3")
    assert levels(s, 0) == [0, 0, 0, 3]
    assert describe_asked(s) == "0 PlaceKept"
    play(s, "slot 4")
    assert levels(s, 0) == [0, 0, 1, 4]  # crown on 1 and 14, footprints on 2 and 5


def test_options_do_not_reveal_the_cards_in_a_box() -> None:
    """AE-R42  With other cards of the same backs the options are the same."""
    one = table(seats=2, pawns=["corinth", "rome"], boxes={"corinth": [5, 14, 22, 31]})
    other = table(seats=2, pawns=["corinth", "rome"], boxes={"corinth": [31, 22, 14, 5]})
    for texts in (["tradition"], ["keep 2"], ["none"], ["slot 1"]):
        play(one, *texts)
        play(other, *texts)
        assert options(one) == options(other)
