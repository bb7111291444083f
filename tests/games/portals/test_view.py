"""Tests of the view as JSON for the API, with ids in place of numbers."""

from tests.games.portals.table import finish_round, play, table
from triclinium.games.portals import GAME


def test_json_names_things_by_their_ids() -> None:
    """PP-R32  The JSON has the public table, and the backs of hands."""
    s = table(2, pawns=["hebron"], hands=["g03 o26 n02 r1"], played=["g06"], row="o01 o02", gauge=1)
    told = GAME.view_json(s, None)
    assert (told["capsule"], told["gauge"], told["in_range"]) == ("genesis", "1", ["genesis", "15"])
    assert told["portals"] == ["beersheba", "shiloh", "sea_of_galilee"]
    assert told["row"] == ["O01", "O02", None, None, None]
    none = ("royalty", "god_speaks", "miracle", "battle", "mountain")
    assert told["leaders"] == {"ancient": [0], **{symbol: [] for symbol in none}}
    players = told["players"]
    assert isinstance(players, list)
    assert players[0] == {
        "seat": 0,
        "team": None,
        "pawn": "red",
        "place": "hebron",
        "points": 5,
        "new_played": 0,
        "hand": [{"back": back, "card": None} for back in ("genesis", "old", "new", "old")],
        "backs": {"genesis": 1, "old": 2, "new": 1},
        "played": ["G06"],
        "regions": {"judea": 1, "samaria": 0, "distant": 0, "galilee": 0, "coastal": 0},
        "symbols": {"ancient": 1, **dict.fromkeys(none, 0)},
    }


def test_only_a_seat_has_a_hand() -> None:
    """A bonus card has only an id, and a variant without fuel has no colours."""
    s = table(pawns=["hebron", "bethlehem"], hands=["g03 r1 o26"])
    assert "hand" not in GAME.view_json(s, None)
    event = {"card": "G03", "in_range": True, "off": 0, "steps": 3, "playable": False, "fuel": 2, "colour": "red"}
    far = {"card": "O26", "in_range": False, "off": 5, "steps": 1, "playable": False, "fuel": 0, "colour": None}
    assert GAME.view_json(s, 0)["hand"] == [event, {"card": "R1"}, far]


def test_the_view_lists_burnt_and_face_down_cards() -> None:
    """PP-8.7, PP-R12  The view lists burnt cards openly, and face-down cards by their backs."""
    s = table(hands=["g03 n02"], variants={"discards": "hidden"})
    play(s, "burn g03", "discard")
    told = GAME.view_json(s, 1)
    assert (told["burnt"], told["gone"], told["buried"]) == (["red"], ["G03"], [{"back": "new", "card": None}])


def test_an_uncertain_number_is_null_with_bounds() -> None:
    """PP-11.2, PP-R32  An uncertain number is null in JSON, and its bounds are next to it."""
    standing = GAME.view_json(table(hands=["s5", "s4"], row="o10 o11 o12 o13 o14"), 0)["standing"]
    assert isinstance(standing, list)
    assert [(score["total"], score["total_bounds"]) for score in standing] == [(8, None), (None, [0, 8]), (0, None)]


def test_why_the_match_ended() -> None:
    """PP-R19  The reason is null while the match runs."""
    s = table(capsule="nt", round_=30)
    assert GAME.view_json(s, None)["ending"] is None
    finish_round(s)
    assert GAME.view_json(s, None)["ending"] == "limit"
