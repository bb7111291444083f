"""Tests of Interview (AE-7)."""

import pytest

from tests.games.evangelists.table import (
    C,
    alive,
    check_step_refusal,
    dead,
    describe_asked,
    interview_draws,
    levels,
    list_interviewed_witnesses,
    options,
    play,
    refused,
    table,
)
from triclinium.games.evangelists.rules.actions.interview import HowStrong
from triclinium.games.evangelists.rules.refusals import INTERVIEW_ONCE, NO_CITY_NO_WITNESS, PILE_EMPTY, STRONG_COSTS
from triclinium.games.evangelists.rules.state import Evangelists

PETER = C.witness_ids.index("peter")


def test_interview_needs_a_city() -> None:
    """AE-7.1  No witness lives on a waypoint."""
    s = table(seats=2, pawns=["athens", "rome"])
    refused(s, "interview", NO_CITY_NO_WITNESS)


def test_the_player_takes_a_card() -> None:
    """AE-7.1  The player takes an interview card from the witness's pile."""
    s = table(seats=2, pawns=["corinth", "rome"], witnesses={"corinth": "peter"}, tokens=[0, 0])
    play(s, "interview", "weak")
    assert list_interviewed_witnesses(s, 0) == {"peter"}
    assert s.piles[PETER] == 3


def test_a_card_already_held_is_refused() -> None:
    """AE-7.1, AE-R18  Each player may interview a witness only once in the whole match."""
    s = table(seats=2, pawns=["corinth", "rome"], witnesses={"corinth": "peter"}, interviews={0: ["peter"]})
    refused(s, "interview", INTERVIEW_ONCE)


def test_an_empty_pile_is_refused() -> None:
    """AE-7.1  A pile has four cards, so with five players the fifth interview is refused."""
    s = table(
        seats=5,
        pawns=["corinth", "rome", "rome", "rome", "rome"],
        witnesses={"corinth": "peter"},
        interviews={1: ["peter"], 2: ["peter"], 3: ["peter"], 4: ["peter"]},
    )
    refused(s, "interview", PILE_EMPTY)


def test_a_bag_with_extra_black_cubes_returns_none() -> None:
    """AE-7.3  In an edited game, cubes go from the supply into the bag, never the other way."""
    s = table(seats=2, pawns=["corinth", "rome"], witnesses={"corinth": "peter"}, bag=(0, 9), supply=0)
    play(s, "interview")
    assert (s.bag_black, s.supply) == (8, 0)


def test_a_cube_is_drawn() -> None:
    """AE-7.2  A white cube means that the witness is alive, a black one that the witness is dead."""
    white = table(seats=2, pawns=["corinth", "rome"], witnesses={"corinth": "peter"}, bag=(3, 0))
    play(white, "interview")
    assert (alive(white), dead(white), white.bag_white) == ({"peter"}, set(), 2)
    black = table(seats=2, pawns=["corinth", "rome"], witnesses={"corinth": "peter"}, bag=(0, 2))
    play(black, "interview")
    assert (alive(black), dead(black)) == (set(), {"peter"})


def test_the_draw_is_fair() -> None:
    """AE-7.2  With six white cubes among eight, about three quarters of many draws are white."""
    s = table(seats=2, pawns=["corinth", "rome"], witnesses={"corinth": "peter"})
    white = 0
    for seed in range(400):
        t = s.resample(0, table(seats=2, seed=seed).rng)
        play(t, "interview")
        white += t.alive != 0
    assert 270 <= white <= 330


def test_black_cubes_are_replaced_from_the_supply() -> None:
    """AE-7.3  A drawn black cube is replaced from the supply, so that the bag has two again. A white one is not."""
    s = table(seats=2, pawns=["corinth", "rome"], witnesses={"corinth": "peter"}, bag=(0, 2), supply=7)
    play(s, "interview")
    assert (s.bag_black, s.supply) == (2, 6)


@pytest.mark.parametrize("fate", ["alive", "dead"])
def test_nothing_is_drawn_for_a_witness_with_a_cube(fate: str) -> None:
    """AE-7.4  If the disc already has a cube, no cube is drawn."""
    s = table(
        seats=2,
        pawns=["corinth", "rome"],
        witnesses={"corinth": "peter"},
        alive=["peter"] if fate == "alive" else [],
        dead=["peter"] if fate == "dead" else [],
        bag=(5, 2),
    )
    play(s, "interview")
    assert (s.bag_white, s.bag_black) == (5, 2)
    assert (alive(s), dead(s)) == (({"peter"}, set()) if fate == "alive" else (set(), {"peter"}))


@pytest.mark.parametrize(
    ("fate", "how", "marks"),
    [("alive", "weak", 15), ("dead", "weak", 10), ("alive", "strong", 25), ("dead", "strong", 15)],
)
def test_marks(fate: str, how: str, marks: int) -> None:
    """AE-S6, AE-7.5, AE-7.6, AE-7.8  Five cards with Peter give 3, 2, 5 or 3 marks each, by fate and strength."""
    s = table(
        seats=2,
        pawns=["corinth", "rome"],
        witnesses={"corinth": "peter"},
        gospels={0: [7, 10, 12, 18, 22, 0]},
        octagons=3,
        tokens=[0, 0],
    )
    interview_draws(s, "white" if fate == "alive" else "black")
    assert s.supply == (7 if fate == "alive" else 6)
    assert s.bag_black == 2
    play(s, how)
    assert s.tally[0] == marks
    assert s.octagons == (2 if how == "weak" else 1)


def test_strong_is_chosen_after_the_cube() -> None:
    """AE-7.6, AE-R16  The cube is drawn before the question."""
    s = table(seats=2, pawns=["corinth", "rome"], witnesses={"corinth": "peter"})
    play(s, "interview")
    assert describe_asked(s) == "0 HowStrong"
    assert options(s) == ["weak", "strong"]
    assert alive(s) | dead(s) == {"peter"}


def test_strong_costs_an_octagon() -> None:
    """AE-7.6, AE-R16  With no octagon left the Interview is weak, without a question."""
    s = table(seats=2, pawns=["corinth", "antioch"], witnesses={"corinth": "peter"}, octagons=1, tokens=[0, 0])
    play(s, "interview")
    assert describe_asked(s) == "1 ChooseAction"
    t = table(seats=2, pawns=["corinth", "antioch"], octagons=1)
    t.octagons = 0
    check_step_refusal(t, HowStrong(0, PETER), "strong", STRONG_COSTS)


def set_up_follow(how: str) -> Evangelists:
    """Return the table of AE-S7.

    Player B has Peter's interview card and two cards with him, C three cards with him, and D none.
    """
    s = table(
        seats=4,
        pawns=["corinth", "rome", "gaza", "rome"],
        witnesses={"corinth": "peter"},
        gospels={0: [7, 10, 12, 18, 22, 0], 1: [19, 20, 0, 0, 0, 0], 2: [23, 31, 32, 0, 0, 0], 3: [1, 2, 3, 0, 0, 0]},
        interviews={1: ["peter"]},
        tokens=[0, 1, 1, 2],
    )
    play(s, "interview", how)
    return s


def test_a_strong_interview_is_followed_for_free() -> None:
    """AE-S7, AE-7.7  Player B gains 4 marks and C 3, and D is not asked."""
    s = set_up_follow("strong")
    assert describe_asked(s) == "1 FollowInterview"
    play(s, "follow")
    assert describe_asked(s) == "2 FollowInterview"
    play(s, "follow")
    assert describe_asked(s) == "0 ChooseAction"
    assert s.tally[1:] == [4, 3, 0]
    assert s.tokens == [0, 1, 1, 2]
    assert list_interviewed_witnesses(s, 2) == set()  # AE-R13: a follower needs no interview card and gets none


def test_a_weak_interview_is_followed_for_a_token() -> None:
    """AE-S7  Each follower hands over one token first."""
    s = set_up_follow("weak")
    play(s, "follow", "decline")
    assert s.tally[1:] == [4, 0, 0]
    assert s.tokens == [1, 0, 1, 2]


def test_an_interview_without_a_matching_card() -> None:
    """AE-R18  An interview without a matching card gives the interview card and no marks."""
    s = table(seats=2, pawns=["corinth", "rome"], witnesses={"corinth": "peter"}, gospels={0: [1, 2, 0, 0, 0, 0]})
    play(s, "interview", "strong")
    assert (s.tally[0], list_interviewed_witnesses(s, 0)) == (0, {"peter"})


def test_several_interviews_in_one_turn() -> None:
    """AE-R18  A player may interview several witnesses in one turn, in different cities."""
    s = table(seats=2, pawns=["corinth", "rome"], witnesses={"corinth": "peter", "ephesus": "john"}, tokens=[0, 0])
    play(s, "interview", "weak", "travel weak", "to ephesus", "interview")
    assert list_interviewed_witnesses(s, 0) == {"peter", "john"}


def test_a_card_alone_can_make_an_inclusio() -> None:
    """AE-R20, AE-R24  Three Peters in a row count from the moment the card is taken."""
    s = table(seats=2, pawns=["corinth", "rome"], witnesses={"corinth": "peter"}, gospels={0: [7, 10, 12, 0, 0, 0]})
    assert levels(s, 0)[0] == 0
    play(s, "interview")
    assert levels(s, 0)[0] == 1


def test_the_bag_over_a_round() -> None:
    """AE-S8, AE-10.1, AE-10.2, AE-R19  After a white, a black and a white cube, one white cube is removed.

    Both white cubes return to the bag first, and the black one stays on its disc.
    """
    s = table(
        seats=2,
        pawns=["corinth", "cyrene"],
        witnesses={"corinth": "peter", "ephesus": "john", "cyrene": "joanna"},
        tokens=[0, 0],
    )
    interview_draws(s, "white")
    assert (s.bag_white, s.bag_black, s.supply) == (5, 2, 7)
    play(s, "weak", "travel weak", "to ephesus")
    interview_draws(s, "black")
    assert (s.bag_white, s.bag_black, s.supply) == (5, 2, 6)
    assert describe_asked(s) == "1 ChooseAction"  # the last octagon is spent, so the boat does not sail
    interview_draws(s, "white")
    assert (s.bag_white, s.bag_black, s.supply) == (4, 2, 6)
    play(s, "weak", "end")
    assert describe_asked(s) == "0 ChooseAction"
    assert (s.bag_white, s.bag_black) == (5, 2)
    assert (alive(s), dead(s)) == (set(), {"john"})


def test_black_runs_short() -> None:
    """AE-S9, AE-R19  With seven dead witnesses the supply is empty, and the last witness still gets a cube."""
    others = ["andrew", "matthew", "john", "magdalene", "clopas", "mother", "bethany"]
    s = table(
        seats=2,
        pawns=["corinth", "rome"],
        witnesses={"corinth": "peter", "ephesus": "joanna"},
        dead=others,
        bag=(1, 2),
        supply=0,
        tokens=[0, 0],
    )
    interview_draws(s, "black")
    assert (s.bag_white, s.bag_black, s.supply) == (1, 1, 0)
    assert dead(s) == {*others, "peter"}
    play(s, "weak", "travel weak", "to ephesus", "interview")
    assert s.bag_white + s.bag_black == 1
