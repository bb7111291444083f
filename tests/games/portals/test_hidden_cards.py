"""Tests of the knowledge of cards (PP-R32, PP-R12)."""

import json

from tests.games.portals.checks import check_conserved
from tests.games.portals.table import C, card, finish_round, play, table
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY
from triclinium.games.portals import GAME
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.ui.view import OwnBonus, OwnEvent


def list_hand_faces(s: Portals, who: int, viewer: int | None) -> list[str | None]:
    """Return the faces of a hand for a viewer, with None for a back."""
    hand = GAME.view(s, viewer).players[who].hand
    return [None if shown.card is None else C.card_ids[shown.card] for shown in hand]


def own_hand(s: Portals, who: int) -> list[OwnEvent | OwnBonus]:
    """Return a hand as its owner sees it."""
    hand = GAME.view(s, who).hand
    assert hand is not None
    return hand


def test_faces_are_secret_and_backs_are_public() -> None:
    """PP-R32  All players see how many cards of each deck a hand has. Only its owner sees the cards."""
    s = table(hands=["g06 o26 n02 r1"])
    assert list_hand_faces(s, 0, 0) == ["G06", "O26", "N02", "R1"]
    assert list_hand_faces(s, 0, 1) == list_hand_faces(s, 0, None) == [None] * 4
    assert GAME.view(s, None).players[0].backs == [1, 2, 1]  # the backs are Genesis, Old and New Testament


def test_a_card_taken_from_the_row_is_known_to_all() -> None:
    """PP-R32  A card from the row stays known after other cards have left the hand."""
    s = table(hands=["g06 g07"], row="o01 o02 o03 o04 o05")
    play(s, "take o03", "draw old", "take o05")
    assert list_hand_faces(s, 0, 1) == [None, None, "O03", None, "O05"]
    play(s, "discard", "drop g06")
    assert list_hand_faces(s, 0, None) == [None, "O03", None, "O05"]
    play(s, "discard", "drop o03")
    assert list_hand_faces(s, 0, None) == [None, None, "O05"]


def test_partners_keep_their_hands_secret() -> None:
    """PP-R26  Seat 2 does not see the cards of seat 0."""
    assert list_hand_faces(table(4, hands=["g06"], variants={"team": True}), 0, 2) == [None]


def test_no_view_names_a_hidden_card() -> None:
    """PP-R32  A view has no deck tops, unused cards or other hands."""
    s = table(hands=["g06 o26 n02", "g07 o27 n03"])
    hidden = [*s.old, *s.new, *s.unused]
    for viewer, others in ((0, [1]), (1, [0]), (None, [0, 1])):
        text = json.dumps(GAME.view_json(s, viewer))
        unseen = hidden + [number for who in others for number in s.hands[who]]
        assert not [C.card_ids[number] for number in unseen if f'"{C.card_ids[number]}"' in text]


def test_another_world_keeps_what_a_seat_knows() -> None:
    """PP-R32  In another world, the viewer's hand, backs and cards from the row stay. Other cards are dealt again."""
    s = table(hands=["g06 o26", "g07 o27 n03"], row="o01 o02 o03 o04 o05")
    play(s, "take o03", "end", "draw new")
    rng = Rng(3)
    for viewer in (0, 1, 2, NOBODY):
        seen = set()
        for _ in range(20):
            t = s.resample(viewer, rng)
            check_conserved(t)
            assert json.dumps(GAME.view_json(t, viewer)) == json.dumps(GAME.view_json(s, viewer))
            assert t.hands[0][2] == card("o03")
            for who in range(3):
                assert [C.deck[number] for number in t.hands[who]] == [C.deck[number] for number in s.hands[who]]
            seen.add(t.hands[1])
            if viewer >= 0:
                assert t.hands[viewer] == s.hands[viewer]
        assert len(seen) == 1 if viewer == 1 else len(seen) > 10


def test_cards_removed_face_down_are_redealt_for_the_others() -> None:
    """PP-R12  The player who removed a card face down knows it in every world."""
    s = table(hands=["o26 o27"], variants={"discards": "hidden"})
    play(s, "discard", "hide 1")
    rng = Rng(4)
    assert {s.resample(0, rng).buried[0] for _ in range(10)} == {card("o26")}
    assert len({s.resample(1, rng).buried[0] for _ in range(10)}) > 3
    assert len({s.resample(NOBODY, rng).buried[0] for _ in range(10)}) > 3


def test_after_the_end_no_hidden_card_is_a_bonus_card() -> None:
    """PP-11.2  All were revealed, so the scores are the same in every world."""
    s = table(hands=["r1 o26 o27 o28", "s1 n02 o30 o31"], capsule="nt", round_=30)
    finish_round(s)
    assert s.over
    rng = Rng(5)
    totals = [score.total for score in GAME.scores(s)]
    for viewer in (0, 1, 2, NOBODY):
        for _ in range(30):
            t = s.resample(viewer, rng)
            assert [score.total for score in GAME.scores(t)] == totals
            assert json.dumps(GAME.view_json(t, viewer)) == json.dumps(GAME.view_json(s, viewer))


def test_what_could_be_done_with_own_cards() -> None:
    """The owner sees playable cards, the number of steps to their places, and how far they are out of range."""
    s = table(pawns=["hebron", "bethlehem"], hands=["g06 g07 o26 r1 g03"])
    hand = own_hand(s, 0)
    assert hand[3] == OwnBonus(card("r1"))
    here, jerusalem, elah, babel = (own for own in hand if isinstance(own, OwnEvent))
    assert here.playable
    assert (jerusalem.in_range, jerusalem.steps, jerusalem.playable) == (True, 2, False)
    assert (elah.in_range, elah.off, elah.steps) == (False, 5, 1)
    assert (babel.fuel, babel.colour) == (2, C.colour_ids.index("red"))


def test_no_card_is_playable_once_the_actions_are_used() -> None:
    """PP-3.1, PP-7.1  In a player's own turn, no card is playable without an action left.

    Otherwise the view shows which cards would fit now.
    """
    s = table(pawns=["hebron", "jerusalem"], hands=["g06", "g07"], actions=0)
    for viewer, playable in ((0, False), (1, True)):
        own = own_hand(s, viewer)[0]
        assert isinstance(own, OwnEvent)
        assert (own.in_range, own.steps, own.playable) == (True, 0, playable)


def test_if_the_game_ended_now() -> None:
    """PP-11.2, PP-R32  The view has the viewer's total, and bounds of the others' totals.

    One hidden card makes no set of nothing. A Symbol card gives 1 point and the majority of a symbol nobody has.
    """
    s = table(hands=["s5", "s4"], row="o10 o11 o12 o13 o14")
    for viewer, totals in ((0, [8, (0, 8), 0]), (1, [(0, 8), 8, 0]), (None, [(0, 8), (0, 8), 0])):
        assert [score.total for score in GAME.view(s, viewer).standing] == totals
