"""Tests of moving (PP-6)."""

from collections.abc import Sequence

from tests.games.portals.table import C, list_names, options, place, play, refused, table
from triclinium.games.portals.rules.refusals import NO_ROAD, OCCUPIED


def test_moves_from_bethsaida() -> None:
    """PP-6.1, PP-X2  From Bethsaida a pawn reaches the four neighbours of the rulebook's example.

    That the example shows Bethsaida is reconstructed.
    """
    s = table(pawns=["bethsaida"])
    assert sorted(list_names(s, "move")) == ["assyria", "capernaum", "hazor", "sea_of_galilee"]


def test_one_step_an_action() -> None:
    """PP-6.3  A move along two roads costs two actions."""
    s = table(pawns=["hebron"])
    refused(s, "move jerusalem", NO_ROAD)
    play(s, "move bethlehem", "move jerusalem")
    assert (s.pawns[0], s.actions) == (place("jerusalem"), 2)


def test_portals_and_blocking() -> None:
    """PP-6.1, PP-6.2, PP-S6  From Beersheba a pawn moves by road or portal, but not to Shiloh, where an opponent is."""
    s = table(pawns=["beersheba", "shiloh"])
    moves = list_names(s, "move")
    assert sorted(moves) == ["egypt", "gaza", "hebron", "mount_sinai", "sea_of_galilee"]
    refused(s, "move shiloh", OCCUPIED)
    play(s, "move sea_of_galilee")
    assert s.actions == 3


def test_portals_lead_only_to_portals() -> None:
    """PP-6.1  A portal leads only to other places with a portal, and only from such a place."""
    s = table(pawns=["beersheba"])
    refused(s, "move jerusalem", NO_ROAD)
    refused(table(pawns=["gaza"]), "move shiloh", NO_ROAD)


def test_an_occupied_place_is_not_entered() -> None:
    """PP-6.2, PP-R29  A pawn blocks its place and every way through it."""
    s = table(pawns=["hebron", "bethlehem"])
    refused(s, "move bethlehem", OCCUPIED)
    assert sorted(list_names(s, "move")) == ["beersheba", "dead_sea", "elah"]


def test_a_move_leads_to_another_place() -> None:
    """PP-6.1, PP-R29  The own place is not an occupied one, but it cannot be a target by road or portal."""
    refused(table(pawns=["hebron"]), "move hebron", NO_ROAD)
    refused(table(pawns=["shiloh"]), "move shiloh", NO_ROAD)


def test_a_blocked_pawn_cannot_move() -> None:
    """PP-R28, PP-S7  A pawn in Eden between Ur and Susa cannot move. Other actions remain."""
    s = table(pawns=["eden", "ur", "susa"], hands=["g01"])
    assert list_names(s, "move") == []
    assert list_names(s, "draw") == ["old", "new"]
    assert list_names(s, "play") == ["g01"]
    assert {"discard", "end"} <= set(options(s))


def test_portals_never_move_and_never_block() -> None:
    """PP-6.4  Portals never move, and a pawn enters their places by road like any other place."""
    s = table(pawns=["hebron"])
    before = s.portals
    play(s, "move beersheba", "move shiloh", "move bethel")
    assert s.portals == before


def test_the_most_moves() -> None:
    """PP-6.1, PP-D3  A pawn has at most six moves with the suggested portals.

    With a portal on Assyria or the Dead Sea it has seven.
    """
    suggested = ("beersheba", "shiloh", "sea_of_galilee")
    away = ("egypt", "red_sea")  # on no road from the places below except Beersheba

    def moves(here: str, portals: Sequence[str] = suggested) -> int:
        return len(list_names(table(pawns=[here, *away], portals=portals), "move"))

    counts = [moves(name) for name in C.place_ids if name not in away]
    assert max(counts) == 6
    assert moves("assyria", ["assyria", "shiloh", "gaza"]) == moves("dead_sea", ["dead_sea", "haran", "gaza"]) == 7


def test_portals_joined_by_a_road_are_listed_once() -> None:
    """PP-6.1  Two portals that a road joins give one move, not two."""
    s = table(pawns=["gaza"], portals=["gaza", "beersheba", "shiloh"])
    assert sorted(list_names(s, "move")) == ["ashdod", "beersheba", "egypt", "shiloh"]


def test_partners_block_each_other() -> None:
    """PP-6.2, PP-R26  Partners block each other on roads and portals like other players."""
    team = {"team": True}
    refused(table(4, ["hebron", "ur", "bethlehem"], variants=team), "move bethlehem", OCCUPIED)
    refused(table(4, ["beersheba", "ur", "shiloh"], variants=team), "move shiloh", OCCUPIED)
