"""Tests of decisions (specification, section 5): their options, order, and those that are skipped."""

from collections.abc import Mapping, Sequence

import pytest

from tests.games.evangelists.table import C, deal_match, describe_asked, gospel, interview_draws, options, play, table
from triclinium.games.evangelists.rules.state import Evangelists

BOX = {"corinth": [5, 14, 22, 31]}
FULL = [1, 2, 3, 4, 6, 7]


def set_up_corinth(
    gospels: Mapping[int, Sequence[int]] | None = None,
    tokens: Sequence[int] = (0, 0),
    octagons: int = 3,
    round_: int = 1,
) -> Evangelists:
    """Return a table of two with the active pawn in Corinth, which has four cards and Peter."""
    return table(
        seats=2,
        pawns=["corinth", "antioch"],
        boxes=BOX,
        witnesses={"corinth": "peter"},
        gospels=gospels,
        tokens=tokens,
        octagons=octagons,
        round_=round_,
    )


def test_start_city() -> None:
    """AE-D1  The first player chooses among nine cities and the fifth among five. The question is never skipped."""
    s = deal_match(seats=5, variants={"stenographer": 2})
    offered: list[tuple[int, int]] = []
    while describe_asked(s).endswith("StartCity"):
        offered.append((s.who, len(options(s))))
        s.play(s.options()[0])
    assert offered == [(2, 9), (3, 8), (4, 7), (0, 6), (1, 5)]


def test_turn_action() -> None:
    """AE-D2  A turn offers at most eight options, only legal ones.

    If only the end is legal, the turn ends automatically.
    """
    s = table(seats=2, pawns=["rome", "antioch"], gospels={0: [1, 2, 0, 0, 0, 0]}, tokens=[0, 0])
    assert options(s) == [
        "travel weak",
        "travel strong",
        "tradition",
        "interview",
        "rearrange weak",
        "rearrange strong",
        "boat",
        "end",
    ]
    t = table(seats=2, pawns=["athens", "antioch"], tokens=[0, 0])
    assert options(t) == ["travel weak", "travel strong", "end"]
    play(t, "travel weak", "to thessalonica", "interview", "weak", "tradition", "none", "face 0")
    assert describe_asked(t) == "1 ChooseAction"


def test_a_turn_ends_by_itself_with_octagons_left() -> None:
    """AE-D2, AE-2.5  With nothing to do on a waypoint after the Travel, the turn ends and two octagons are lost."""
    s = table(seats=2, pawns=["rome", "antioch"], tokens=[0, 0])
    play(s, "travel weak", "to rhegium")
    assert (describe_asked(s), s.octagons) == ("1 ChooseAction", 3)


@pytest.mark.parametrize("place", C.place_ids)
def test_travel_to(place: str) -> None:
    """AE-D3  A weak Travel offers the spaces at distance one or two, 12 at most.

    A strong one offers all other cities.
    """
    far = dict(zip(C.place_ids, C.distance[C.place_ids.index(place)], strict=True))
    s = table(seats=2, pawns=[place, "antioch"])
    t = s.clone()
    play(s, "travel weak")
    assert options(s) == [f"to {other}" for other in C.place_ids if far[other] in (1, 2)]
    assert 4 <= len(options(s)) <= 12
    play(t, "travel strong")
    assert options(t) == [f"to {city}" for city in C.place_ids[: C.cities] if city != place]


@pytest.mark.parametrize("city", C.place_ids[: C.cities])
def test_boat_to(city: str) -> None:
    """AE-D4  A boat offers the cities at distance one or two: at least two and at most five."""
    others = [other for other in ("rome", "ephesus", "caesarea") if other != city][:2]
    s = table(seats=2, pawns=[city, "antioch"], boats=[city, *others])
    play(s, "boat")
    far = C.distance[C.place_ids.index(city)]
    assert options(s) == [f"sail {other}" for at, other in enumerate(C.place_ids[: C.cities]) if far[at] in (1, 2)]
    assert 2 <= len(options(s)) <= 5


def test_boat_displace() -> None:
    """AE-D5, AE-C13  A ride onto another boat has one nearest city and no question, or a choice of two to five."""
    cases = 0
    cities = C.place_ids[: C.cities]
    for city in cities:
        for goal in [cities[other] for other in C.sail_targets[cities.index(city)]]:
            for third in [other for other in cities if other not in (city, goal)]:
                s = table(seats=2, pawns=[city, "antioch"], boats=[city, goal, third])
                play(s, "boat", f"sail {goal}")
                if describe_asked(s) == "0 Displace":
                    assert 2 <= len(options(s)) <= 5
                    s.play(s.options()[-1])
                assert s.boats.bit_count() == 3
                assert describe_asked(s) == "0 ChooseAction"
                cases += 1
    assert cases == 196


def test_tradition_keep() -> None:
    """AE-D6, AE-R15  Tradition offers each occupied place, or none.

    With a full gospel no card is kept and nothing is asked.
    """
    s = table(seats=2, pawns=["corinth", "antioch"], boxes={"corinth": [0, 14, 0, 31]}, tokens=[0, 0])
    play(s, "tradition")
    assert options(s) == ["keep 1", "keep 3", "none"]
    t = set_up_corinth(gospels={0: FULL})
    play(t, "tradition")
    assert describe_asked(t) == "0 LeaveFaceUp"


def test_tradition_second() -> None:
    """AE-D7, AE-R16  Another card, or none, can be kept. The question is skipped if a second card is impossible."""
    s = set_up_corinth()
    play(s, "tradition", "keep 2")
    assert options(s) == ["keep 0", "keep 1", "keep 3", "none"]
    for t in (set_up_corinth(octagons=1), set_up_corinth(gospels={0: [1, 2, 3, 4, 6, 0]})):
        play(t, "tradition", "keep 2")
        assert not describe_asked(t).endswith("KeepSecond")


def test_place_card() -> None:
    """AE-D8  A card can go into each empty slot, ten at most. The first card is placed before the second."""
    s = set_up_corinth(gospels={0: [0] * 10}, round_=5)
    play(s, "tradition", "keep 3", "keep 0")
    assert len(options(s)) == 10
    play(s, "slot 10")
    assert gospel(s, 0)[9] == 31
    assert len(options(s)) == 9
    t = set_up_corinth(gospels={0: [1, 2, 3, 4, 0, 0]})
    play(t, "tradition", "keep 3", "keep 0", "slot 6")
    assert (gospel(t, 0), describe_asked(t)) == ([1, 2, 3, 4, 5, 31], "0 LeaveFaceUp")


def test_face_up() -> None:
    """AE-D9  The player chooses among the returned cards. With one or none there is no question."""
    s = set_up_corinth()
    play(s, "tradition", "none")
    assert options(s) == ["face 0", "face 1", "face 2", "face 3"]
    t = table(seats=2, pawns=["corinth", "antioch"], boxes={"corinth": [5, 14, 22, 0]}, tokens=[0, 0])
    play(t, "tradition", "keep 0", "keep 1", "slot 1", "slot 2")
    assert (describe_asked(t), t.face_up[t.pawn[0]]) == ("1 FollowTradition", 2)


@pytest.mark.parametrize("cube", ["white", "black"])
def test_interview_strong(cube: str) -> None:
    """AE-D10  The player chooses weak or strong after seeing the cube. With no octagon left the Interview is weak."""
    s = set_up_corinth(octagons=2)
    interview_draws(s, cube)
    assert options(s) == ["weak", "strong"]
    t = set_up_corinth(octagons=1, gospels={0: [7, 0, 0, 0, 0, 0]})
    interview_draws(t, cube)
    assert (describe_asked(t), t.tally[0]) == ("1 ChooseAction", 3 if cube == "white" else 2)


def test_rearrange_leaf() -> None:
    """AE-D11  Every leaf is offered, also an empty one. "Done" is offered only in a strong Rearrange, after a step."""
    s = set_up_corinth(gospels={0: [7, 0, 0, 0, 0, 0, 0, 0, 0, 0]}, round_=5)
    t = s.clone()
    leaves = ["leaf 1", "leaf 2", "leaf 3", "leaf 4", "leaf 5"]
    play(s, "rearrange weak")
    assert options(s) == leaves
    play(t, "rearrange strong")
    assert options(t) == leaves
    play(t, "leaf 1", "flip")
    assert options(t) == [*leaves, "done"]


def test_rearrange_how() -> None:
    """AE-D12  A leaf can be flipped or moved to each other position."""
    s = set_up_corinth(gospels={0: [7, 0, 0, 0, 0, 0, 0, 0, 0, 0]}, round_=5)
    play(s, "rearrange weak", "leaf 1")
    assert options(s) == ["flip", "position 2", "position 3", "position 4", "position 5"]


@pytest.mark.parametrize("place", C.place_ids)
def test_follow_travel(place: str) -> None:
    """AE-D13  A follower may decline or move to a neighbouring space: at most five options in all."""
    s = table(seats=2, pawns=["rome", place], tokens=[0, 1])
    play(s, "travel weak", "to rhegium")
    lines = sorted(C.lines[C.place_ids.index(place)])
    assert options(s) == [*[f"to {C.place_ids[other]}" for other in lines], "decline"]
    assert len(options(s)) <= 5


def test_follow_tradition() -> None:
    """AE-D14  A follower may decline or copy one of at most two cards, and places it before the next one decides."""
    s = table(seats=3, pawns=["corinth", "antioch", "ephesus"], boxes=BOX, tokens=[0, 0, 0])
    play(s, "tradition", "keep 3", "keep 0", "slot 1", "slot 2", "face 1")
    assert (describe_asked(s), options(s)) == ("2 FollowTradition", ["copy 5", "copy 31", "decline"])
    play(s, "copy 31")
    assert describe_asked(s) == "2 PlaceCopy"
    play(s, "slot 3")
    assert (describe_asked(s), options(s)) == ("1 FollowTradition", ["copy 5", "decline"])


def test_follow_interview() -> None:
    """AE-D15  A follower of an Interview declines or accepts."""
    s = set_up_corinth(tokens=[0, 1], gospels={1: [7, 0, 0, 0, 0, 0]})
    play(s, "interview", "weak")
    assert (describe_asked(s), options(s)) == ("1 FollowInterview", ["follow", "decline"])


def test_follow_rearrange() -> None:
    """AE-D16  A follower of a Rearrange declines, or accepts and makes one step."""
    s = set_up_corinth(tokens=[0, 1], gospels={0: [7, 0, 0, 0, 0, 0], 1: [8, 0, 0, 0, 0, 0]})
    play(s, "rearrange weak", "leaf 1", "flip")
    assert (describe_asked(s), options(s)) == ("1 FollowRearrange", ["follow", "decline"])
    play(s, "follow")
    assert (describe_asked(s), options(s)) == ("1 ChooseLeaf", ["leaf 1", "leaf 2", "leaf 3"])


def test_leaf_side() -> None:
    """AE-D17  From the stenographer on, each player adds the leaf left or right.

    An empty gospel gets it on the right.
    """
    s = table(seats=3, round_=2, pawns=["antioch"] * 3, gospels={1: [7, 0, 0, 0, 0, 0]})
    play(s, "end", "end", "end")
    assert (describe_asked(s), options(s)) == ("1 AddLeaf", ["left", "right"])
    assert [len(gospel(s, seat)) for seat in range(3)] == [8, 6, 6]
    play(s, "left")
    assert [gospel(s, seat) for seat in range(3)] == [[0] * 8, [0, 0, 7, 0, 0, 0, 0, 0], [0] * 8]


def test_pawn_colour() -> None:
    """AE-D18  With the option, six colours are offered to the first player and two to the fifth."""
    s = deal_match(seats=5, variants={"stenographer": 3, "pick_pawn_colour": True})
    order: list[str] = []
    counts: list[int] = []
    while not describe_asked(s).endswith("ChooseAction"):
        order.append(describe_asked(s))
        if order[-1].endswith("PickColour"):
            counts.append(len(options(s)))
        s.play(s.options()[0])
    assert order == [f"{seat} {step}" for seat in (3, 4, 0, 1, 2) for step in ("PickColour", "StartCity")]
    assert counts == [6, 5, 4, 3, 2]
    assert len(set(s.colour)) == 5
