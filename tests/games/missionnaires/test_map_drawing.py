"""Tests of texts of options by variant, and of the cache keys of drawings."""

from dataclasses import replace

from tests.games.missionnaires.table import C, play, question, table
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.components import Components
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.missionnaires.ui.board import build_panel
from triclinium.games.missionnaires.ui.card_faces import build_card_faces
from triclinium.games.missionnaires.ui.map_drawing import MapDrawing, OptionFace


def face(s: Missionnaires, option: str) -> OptionFace:
    found = MapDrawing(C, GAME.view(s, s.who)).build_face(option)
    assert found is not None
    return found


def test_options_mention_territory_cards_only_where_one_is_taken() -> None:
    """LM-4.5, LM-8.8  The fourth green town of a turn gives none."""
    s = table(at=["bou"])
    assert (face(s, "go lim").green, face(s, "go lim").card_on_pass) == (True, False)
    play(s, "go lim")
    assert face(s, "stop").green
    s.territories = 3
    assert not face(s, "stop").green
    s = table(at=["bou"])
    s.territories = 3
    assert not face(s, "go lim").green


def test_declining_a_bonus_move_is_no_arrival() -> None:
    """LM-4.5  A player who declines a bonus move in the green town where it was drawn takes no second card there."""
    s = table(at=["bou"], territory=["t24"])
    play(s, "go lim", "stop")
    assert question(s) == "Advance"
    assert not face(s, "stop").green
    play(s, "go bou")
    assert (question(s), face(s, "stop").green) == ("GoOn", True)


def test_by_variant_the_card_comes_on_entering() -> None:
    """LM-R4  By the variant the card is taken on entering, so stopping there gives no second card."""
    s = table(at=["bou"], territory=["t21"], variants={"card_on_pass": True})
    assert (face(s, "go lim").green, face(s, "go lim").card_on_pass) == (True, True)
    play(s, "go lim")
    assert not face(s, "stop").green


def test_cached_drawings_of_finished_players_depend_on_turns() -> None:
    """LM-9.2  The cache key of a player at home includes the turns, which can differ between matches of one deal."""
    s = table(seats=3, at=["bou", "rom", "ath"], hands={0: []})
    play(s, "go bet", "stop")
    home = GAME.view(s, None).players[0]
    assert home.ended == 1
    assert build_panel(C, home, False).key != build_panel(C, replace(home, ended=2), False).key
    assert build_panel(C, home, False).key == build_panel(C, replace(home), False).key


def test_cached_drawings_of_cards_depend_on_their_text() -> None:
    """LM-C5  Drawings of a card are cached by its face, which another components file may change."""
    less = {"cards.territories.t22.n": 1, "cards.territories.t22.text": "Take 1 periodical (8 at most in hand)."}
    other = Components(GAME.file.with_changes(less))
    card = C.card_ids.index("t22")
    assert build_card_faces(other)[card].lines != build_card_faces(C)[card].lines
    assert build_card_faces(other)[card] is not build_card_faces(C)[card]
    assert build_card_faces(C)[card] is build_card_faces(C)[card]
