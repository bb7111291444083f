"""Tests of Travel (AE-4)."""

from tests.games.evangelists.table import describe_asked, find_pawn, options, play, refused, table
from triclinium.games.evangelists.rules.refusals import MUST_MOVE, ONE_SPACE, ONLY_CITIES, WITHIN_TWO


def test_weak_travel_goes_one_or_two_spaces() -> None:
    """AE-4.1  Cities and waypoints both count as spaces."""
    s = table(seats=2, pawns=["cyrene", "antioch"], tokens=[0, 0])
    play(s, "travel weak")
    assert options(s) == [
        "to rome",
        "to corinth",
        "to alexandria",
        "to syracuse",
        "to crete",
        "to paraetonium",
    ]
    play(s, "to alexandria")
    assert find_pawn(s, 0) == "alexandria"


def test_weak_travel_covers_at_most_two_spaces() -> None:
    """AE-4.1, AE-R41  A weak Travel of three lines, such as from Cyrene to Ephesus, is refused."""
    s = table(seats=2, pawns=["cyrene", "antioch"])
    play(s, "travel weak")
    refused(s, "to ephesus", WITHIN_TWO)
    refused(s, "to jerusalem", WITHIN_TWO)


def test_strong_travel_reaches_any_city() -> None:
    """AE-4.2  A strong Travel reaches every city, however far, but no waypoint."""
    s = table(seats=2, pawns=["thessalonica", "antioch"])
    play(s, "travel strong")
    assert len(options(s)) == 8
    refused(s, "to athens", ONLY_CITIES)
    play(s, "to jerusalem")
    assert find_pawn(s, 0) == "jerusalem"


def test_a_follower_moves_one_space() -> None:
    """AE-4.3  A follower moves one space along a line. Two spaces are refused."""
    s = table(seats=2, pawns=["thessalonica", "caesarea"])
    play(s, "travel weak", "to athens")
    assert options(s) == ["to jerusalem", "to salamis", "to gaza", "decline"]
    refused(s, "to alexandria", ONE_SPACE)
    play(s, "to gaza")
    assert find_pawn(s, 1) == "gaza"


def test_travel_ends_on_another_space() -> None:
    """AE-R8  A Travel ends on another space, whether it is weak, strong or a follow."""
    s = table(seats=2, pawns=["rome", "caesarea"])
    t = s.clone()
    play(s, "travel weak")
    refused(s, "to rome", MUST_MOVE)
    play(t, "travel strong")
    refused(t, "to rome", MUST_MOVE)
    play(t, "to corinth")
    refused(t, "to caesarea", MUST_MOVE)


def test_travel_starts_and_ends_on_waypoints() -> None:
    """AE-R8  A weak Travel may go from a waypoint to another. A strong one from a waypoint reaches all nine cities."""
    s = table(seats=2, pawns=["crete", "caesarea"], tokens=[0, 0])
    t = s.clone()
    play(s, "travel weak", "to syracuse")
    assert find_pawn(s, 0) == "syracuse"
    play(t, "travel strong")
    assert len(options(t)) == 9


def test_pawns_share_a_space() -> None:
    """AE-R7  After the set-up, pawns may share cities and waypoints."""
    s = table(seats=2, pawns=["rome", "corinth"])
    play(s, "travel weak", "to corinth", "decline")
    assert find_pawn(s, 0) == find_pawn(s, 1) == "corinth"
    assert describe_asked(s) == "0 ChooseAction"
