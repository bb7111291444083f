"""Tests of the printed faces of cards, and of tracks and stacks of a player, as data for the board kit."""

import pytest

from tests.games.ierusalem.table import ANA, table
from triclinium.boardkit.parts import SeatFigure, SeatFigures
from triclinium.engine.component_kinds import Sign
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.constants import ACTIONS, CARDS, LOCATIONS
from triclinium.games.ierusalem.ui.card_faces import build_card_faces, draw_card, draw_card_back
from triclinium.games.ierusalem.ui.component_kinds import build_kinds
from triclinium.games.ierusalem.ui.print_list import print_list
from triclinium.games.ierusalem.ui.seat_panels import build_panel
from triclinium.games.ierusalem.ui.tracks_and_stacks import (
    draw_favor_track,
    draw_parable_track,
    stack_denarii,
)
from triclinium.games.ierusalem.ui.view import BACKS, Player

C = GAME.components
READ = GAME.words.reader("en").format_arg


def player(**changes: object) -> Player:
    """Return the first player at the start of a match, with changes."""
    first = GAME.view(table(3), ANA).players[ANA]
    for name, value in changes.items():
        setattr(first, name, value)
    return first


def test_a_face_has_everything_that_its_card_prints() -> None:
    for card, face in enumerate(build_card_faces(C)):
        assert face.title_sign == LOCATIONS[C.card_location[card]]
        assert (face.corner, face.corner_sign) == (str(C.card_vp[card]), "circ")
        signs = face.signs[0].signs
        assert [READ(sign.name) for sign in signs] == [READ(C.action_names[action]) for action in C.card_actions[card]]
        assert all(sign.rule.startswith("IE-") and READ(sign.short) for sign in signs)
        assert READ(face.title) == f"{C.card_ids[card].upper()} {READ(C.location_names[C.card_location[card]])}"
    assert len(build_card_faces(C)) == CARDS


def test_victory_points_of_an_action_are_those_of_the_edition() -> None:
    card = next(card for card in range(CARDS) if ACTIONS.index("vp3") in C.card_actions[card])
    edition = GAME.with_components(GAME.file.with_changes({"actions.vp3": 5})).components
    for components, points in ((C, C.vp3), (edition, 5)):
        (sign,) = [sign for sign in build_card_faces(components)[card].signs[0].signs if sign.number]
        assert (sign.id, sign.number, READ(sign.short)) == ("pent", str(points), f"{points} VP")


def test_table_gallery_and_paper_share_one_face() -> None:
    face = build_card_faces(C)[3]
    kinds = build_kinds(C)
    assert draw_card(C, 3).face is face
    assert kinds["card"].get_face(3) is face
    assert kinds["held"].get_face(3) is face
    printed = [piece for part in print_list(C).parts for piece in getattr(part, "pieces", ())]
    assert [piece.face for piece in printed if piece.thing == ("card", 3)] == [face]


@pytest.mark.parametrize("nth", range(len(BACKS)))
def test_an_unknown_card_shows_only_its_back(nth: int) -> None:
    back = draw_card_back(C, nth)
    assert (back.id, back.face) == ("", None)
    assert back.style == f"b-{BACKS[nth]}"
    assert "hidden" in READ(back.back)


def test_the_parable_track_highlights_heard_parables() -> None:
    """IE-4.1, IE-6.1  The note says what the next Parable needs; after the last there is none."""
    track = draw_parable_track(C, player(parables=2, at_supper=4))
    assert [space.lit for space in track.spaces] == [True, True, False, False, False, False, False]
    assert READ(track.note) == "III needs 3; you have 4"
    assert READ(track.spaces[0].text).endswith(f"{C.parable_end[1]} VP at the end for this many (IE-4.1, IE-6.1)")
    assert draw_parable_track(C, player(parables=7)).note == ""
    printed = draw_parable_track(C)
    assert not any(space.lit for space in printed.spaces)
    assert [space.signs for space in printed.spaces] == [space.signs for space in track.spaces]


def test_the_favor_track_offers_the_markers_that_are_left() -> None:
    """IE-4.5  They can be pressed while their owner is asked for one."""
    holder = player(markers=[0, 3])
    track = draw_favor_track(C, True, holder)
    assert [space.option for space in track.spaces if space.option] == [f"favor {C.marker_ids[n]}" for n in (0, 3)]
    assert [space.style == "void" for space in track.spaces] == [n not in (0, 3) for n in range(len(C.marker_ids))]
    assert READ(track.note) == f"2 of {len(C.marker_ids)}"
    assert not any(space.option for space in draw_favor_track(C, False, holder).spaces)


def test_a_panel_counts_the_pieces_of_a_player() -> None:
    holder = player(
        denarii=4, goods=[1, 0, 2], offerings=3, followers=[2, 0, 1], at_supper=5, parables=2, favors_done=1
    )
    make_content = build_panel(C, ANA, holder).make_content
    assert make_content is not None
    panel = make_content()
    assert panel.figures is not None
    followers, progress = [part for part in panel.parts if isinstance(part, SeatFigures)]
    figures = (*panel.figures.figures, *followers.figures, *progress.figures)
    counts = {figure.sign: figure.value for figure in figures if isinstance(figure, SeatFigure)}
    assert counts | {"stone": 1, "bread": 0, "fish": 2, "denarius": 4, "offering": 3, "supper": 5} == counts
    assert counts | {"desert": 2, "mountain": 0, "lake": 1, "parable": 2, "favor": 1} == counts
    assert counts["hand"] == len(holder.hand)
    denarii = stack_denarii(holder)
    assert (READ(denarii.text), denarii.count, denarii.is_pile) == ("4 Denarii", 4, True)


def test_the_gallery_finds_the_sign_and_the_remark_of_each_component() -> None:
    kinds = build_kinds(C)
    for name in GAME.gallery:
        kind = kinds[name]
        if kind.shape != "card":
            assert kind.sign is not None, name
            assert all(isinstance(kind.sign(str(id)), Sign) for id in kind.ids)
    apostle = kinds["apostle"].sign
    assert apostle is not None
    judas = C.shade_value.index(min(C.shade_value))
    assert apostle(C.apostle_ids[C.shade.index(judas)]).number == str(min(C.shade_value))
    assert READ(kinds["good"].note(0)) == f"{C.price[0]} Denarii, to buy or to sell"
    assert READ(kinds["location"].note(3)).startswith("Pay 1 Denarius")
