"""Tests of the knowledge of cards (IE-R32)."""

from tests.games.ierusalem.table import ANA, BEN, CEM, get_asked_step, hand, ids, play, table
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.actions.cards import draw_xxxiii
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.turn import Column


def show_hand(s: Ierusalem, viewer: int, who: int) -> list[str]:
    """Return the cards of a hand by id, or by back if they are hidden."""
    names = GAME.ids["held"]
    return [str(names[card]) for card in GAME.view(s, viewer).players[who].hand]


def worlds(s: Ierusalem, viewer: int, who: int, n: int = 30) -> set[str]:
    """Return the hands that are possible for a viewer."""
    rng = Rng(5)
    return {hand(s.resample(viewer, rng), who) for _ in range(n)}


def test_hands_are_private() -> None:
    """IE-R32  Other players see backs. The owner sees the cards and the content of their deck."""
    s = table(hands={ANA: "r01 r02 r03 ma05 ad01"})
    assert show_hand(s, ANA, ANA) == ["r01", "r02", "r03", "ma05", "ad01"]
    assert show_hand(s, BEN, ANA) == ["mahane", "red", "red", "red", "xxxiii"]
    assert show_hand(s, NOBODY, ANA) == show_hand(s, BEN, ANA)
    assert worlds(s, ANA, ANA) == {hand(s, ANA)}
    assert len(worlds(s, BEN, ANA)) > 20


def test_a_card_from_the_display_is_known_to_all() -> None:
    """IE-R32  The card stays known until it leaves the hand."""
    s = table(hands={ANA: "r02 r03"}, display="ma05 ma06", supper={ANA: ""})
    play(s, "play r02", "column 1", "mahane", "take ma05")
    assert "ma05" in show_hand(s, CEM, ANA)
    assert all("ma05" in world for world in worlds(s, NOBODY, ANA))


def test_a_card_from_the_deck_is_known_to_the_taker() -> None:
    """IE-R32  Other players see a Mahane back."""
    s = table(hands={ANA: "r02 r03"}, display="ma05 ma06", mahane="ma07", supper={ANA: ""})
    play(s, "play r02", "column 1", "mahane", "draw")
    assert "ma07" in show_hand(s, ANA, ANA)
    assert "ma07" not in show_hand(s, BEN, ANA)
    assert "mahane" in show_hand(s, BEN, ANA)
    assert len(worlds(s, BEN, ANA)) > 10


def test_a_card_under_a_deck_is_known_at_its_place() -> None:
    """IE-R32  A card that was seen going there is known when it is drawn again."""
    s = table(
        hands={ANA: "r03 r04 r05 r06 r07 ma08 ma09", BEN: "y04", CEM: "g01"},
        display="ma05 ma06",
        mahane="ma07",
        empty_decks=True,
        denarii={ANA: 0, BEN: 2, CEM: 2},
        goods={ANA: (0, 0, 0), BEN: (0, 0, 0), CEM: (0, 0, 0)},
    )
    play(s, "play r03", "column 1", "skip", "discard ma09")
    mahane = GAME.view(s, CEM).mahane
    assert (ids(mahane.display), mahane.deck, ids(mahane.under)) == ("ma05 ma06", 2, "ma09")
    play(s, "play y04", "column 1", "skip", "draw")
    assert "ma07" not in show_hand(s, CEM, BEN)
    play(s, "play g01", "column 1", "skip", "skip", "draw")
    assert "ma09" in show_hand(s, NOBODY, CEM)


def test_cards_under_the_deck_stay_known_when_drawn() -> None:
    """IE-R32  After the unseen cards, the top card is one that everyone saw going under."""
    s = table(hands={ANA: "r02 r03"}, display="ma05 ma06", mahane="ma07", empty_decks=True, supper={ANA: ""})
    s.mahane_hidden = 0
    play(s, "play r02", "column 1", "mahane", "draw")
    assert "ma07" in show_hand(s, BEN, ANA)
    assert all("ma07" in world for world in worlds(s, NOBODY, ANA))


def test_drawing_a_known_card_reveals_nothing() -> None:
    """IE-R32  Drawing a card that all players know can be undone."""
    for hidden, learnt in ((0, 0), (1, 1)):
        s = table(hands={ANA: "r02 r03"}, display="ma05 ma06", mahane="ma07 ma08", empty_decks=True, supper={ANA: ""})
        s.mahane_hidden = hidden
        before = s.undo_barrier
        play(s, "play r02", "column 1", "mahane", "draw")
        assert s.undo_barrier - before == learnt
        s = table(
            hands={ANA: "ma04 r03"}, xxxiii="ad01 ad02", empty_decks=True, denarii={ANA: 0}, goods={ANA: (0, 0, 0)}
        )
        s.xxxiii_hidden = hidden
        before = s.undo_barrier
        draw_xxxiii(s, ANA)
        assert s.undo_barrier - before == learnt


def test_a_reshuffle_keeps_knowledge_by_elimination() -> None:
    """IE-R32, IE-2.17  With an empty deck, the player's cards neither on the board nor discarded are in hand."""
    s = table(
        hands={ANA: "r01 r02 r03 r04 r05"},
        columns={ANA: ["r06"]},
        discards={ANA: "r07 r08 r09 r10"},
        denarii={ANA: 0},
    )
    assert not s.deck[ANA]
    assert worlds(s, BEN, ANA) == {"r01 r02 r03 r04 r05"}
    play(s, "play r03", "column 1", "skip")
    assert len(s.hand[ANA]) == 5
    assert {"r01", "r02", "r04", "r05"} <= set(show_hand(s, BEN, ANA))
    fifth = {next(iter(set(world.split()) - {"r01", "r02", "r04", "r05"})) for world in worlds(s, BEN, ANA)}
    assert fifth == {"r07", "r08", "r09", "r10"}


def test_deck_orders_are_hidden_from_all() -> None:
    """IE-R32  Even the owner does not know the order of their own deck."""
    s = table(hands={ANA: "r01 r02 r03 r04 r05"})
    rng = Rng(3)
    others = [s.resample(ANA, rng) for _ in range(20)]
    assert len({world.deck[ANA] for world in others}) > 10
    assert len({world.mahane for world in others}) > 10
    assert len({world.xxxiii for world in others}) > 10
    assert all(sorted(world.deck[ANA]) == sorted(s.deck[ANA]) for world in others)


def test_cards_under_a_deck_do_not_move() -> None:
    """IE-R32  Resampling keeps seen cards in their places."""
    s = table(hands={ANA: "r01 r02 r03 r04 r05"})
    s.mahane_hidden = 10
    rng = Rng(4)
    for viewer in (NOBODY, BEN):
        world = s.resample(viewer, rng)
        assert world.mahane[10:] == s.mahane[10:]
        assert GAME.view_json(world, viewer) == GAME.view_json(s, viewer)


def test_undo_stops_at_a_reveal() -> None:
    """IE-R32  Playing a card reveals nothing to its owner, but drawing does."""
    s = table(hands={ANA: "r02 r03"}, display="ma05 ma06", mahane="ma07", supper={ANA: ""})
    before = s.undo_barrier
    play(s, "play r02", "column 1")
    assert s.undo_barrier == before
    play(s, "mahane", "draw")
    assert s.undo_barrier > before


def test_a_last_card_played_automatically_is_a_reveal() -> None:
    """IE-R32, IE-D2  Ben has one card and no tile. Ana's answer reveals the card, so it is final."""
    s = table(hands={ANA: "r03 r04 r05 r06 r07 r08", BEN: "y03"}, spent=[BEN], goods={ANA: (0, 0, 0)})
    play(s, "play r03", "column 1", "skip")
    before = s.undo_barrier
    play(s, "skip")
    assert get_asked_step(s) == Column(BEN, 12)
    assert s.undo_barrier > before
