"""Tests of `clone` and `state_key` as derived from the annotations of a state."""

from enum import Enum
from typing import Annotated, Any, ClassVar, NamedTuple

import pytest

from tests.matches import list_our_games
from triclinium.engine.core.derived_state import copy_attributes, list_key_numbers
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat, State
from triclinium.engine.game import Game
from triclinium.testing.clone_checks import list_changed_values, list_state_attributes

MOVES = 40


class Suit(Enum):
    """A value that is not a number."""

    OAK = "oak"
    ELM = "elm"


class Place(NamedTuple):
    """A pair of numbers."""

    row: int
    column: int


class Board:
    """An object that the whole match shares."""


class Rich(State):
    """A state with an attribute of every kind that can be derived."""

    MOST: ClassVar[int] = 4
    board: Board
    seat: Seat
    flag: bool
    word: str
    part: float
    code: bytes
    maybe: int | None
    labelled: Annotated[int, "a note"]
    suit: Suit
    place: Place
    row: list[int]
    pair: tuple[int, int]
    rows: list[tuple[int, ...]]
    grid: list[list[int]]
    places: list[Place]
    seen: set[int]
    counts: dict[str, list[int]]
    mixed: list[int | str]


class Richer(Rich):
    """A state that inherits attributes."""

    more: list[int]


def make_rich() -> Richer:
    s = Richer()
    s.initialize(2, Rng(1))
    s.board, s.seat, s.flag, s.word, s.part, s.code, s.maybe = Board(), 1, True, "fig", 0.5, b"ab", None
    s.labelled, s.suit, s.place, s.row, s.pair = 7, Suit.OAK, Place(1, 2), [1, 2], (3, 4)
    s.rows, s.grid, s.places, s.seen = [(1,), (2, 3)], [[1], [2, 3]], [Place(1, 1)], {5, 6}
    s.counts, s.mixed, s.more = {"a": [1], "b": [2]}, [1, "x"], [9]
    return s


def read(s: Rich) -> dict[str, Any]:
    return {name: getattr(s, name) for name in list_state_attributes(s) if name != "MOST"}


def test_a_copy_has_every_attribute_and_shares_no_container() -> None:
    s = make_rich()
    t = s.clone()
    assert type(t) is Richer
    assert read(t) == read(s)
    assert t.board is s.board
    assert (t.seats, t.rng.state_key(), t.digest()) == (s.seats, s.rng.state_key(), s.digest())
    before = t.state_key()
    s.row[0], s.grid[0][0], s.counts["a"][0], s.more[0] = 50, 50, 50, 50
    s.seen.add(50)
    s.places.append(Place(5, 5))
    s.mixed.append(50)
    assert t.state_key() == before != s.state_key()


CHANGES: list[dict[str, Any]] = [
    *({"seat": 0}, {"flag": False}, {"word": "fog"}, {"part": 0.25}, {"code": b"a"}, {"maybe": 0}, {"labelled": 8}),
    *({"suit": Suit.ELM}, {"place": Place(2, 1)}, {"row": [1, 3]}, {"pair": (4, 3)}, {"rows": [(1, 2), (3,)]}),
    *({"grid": [[1, 2], [3]]}, {"places": []}, {"seen": {5}}, {"counts": {"a": [1]}}, {"mixed": ["x", 1]}),
    {"more": []},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_every_attribute_is_in_the_key(change: dict[str, Any]) -> None:
    s, t = make_rich(), make_rich()
    assert s.state_key() == t.state_key()
    for name, value in change.items():
        setattr(t, name, value)
    assert s.state_key() != t.state_key()
    key = t.state_key()
    assert isinstance(key, list)
    assert all(type(number) in (int, bool) for number in key)


def test_every_kind_of_attribute_is_tested() -> None:
    assert {name for change in CHANGES for name in change} | {"board", "MOST"} == set(
        list_state_attributes(make_rich())
    )


def test_an_attribute_without_annotation_is_refused() -> None:
    class Forgetful(State):
        """A state with an attribute that nothing declares."""

        row: list[int]

    s = Forgetful()
    s.initialize(2, Rng(1))
    s.row = [1]
    s.column = [2]  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=r"^Forgetful\.column has no annotation; declare it in the body of the class$"):
        s.clone()


def test_an_object_in_a_list_has_no_key() -> None:
    class Strange(State):
        """A state with objects in a list."""

        boards: list[Board]

    s = Strange()
    s.initialize(2, Rng(1))
    s.boards = [Board()]
    with pytest.raises(TypeError, match="use numbers, or override clone and state_key"):
        s.state_key()


@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_derived_copies_of_our_games_equal_their_own(game: Game) -> None:
    """Our games override both methods for speed. The derived methods copy and identify as much."""
    s, rng = game.deal(game.seats[0], 3), Rng(4)
    for _ in range(MOVES):
        s.choose(rng.pick(s.options()))
    t = s.copy_base(type(s)())
    copy_attributes(s, t, State)
    assert t.state_key() == s.state_key()
    assert list_key_numbers(t, State) == list_key_numbers(s, State)
    changed = 0
    for name in list_state_attributes(s):
        value = getattr(s, name)
        if isinstance(value, (int, list, tuple)):
            for other in list_changed_values(value):
                u = s.clone()
                setattr(u, name, other)
                changed += 1
                assert list_key_numbers(u, State) != list_key_numbers(s, State), name
    assert changed > MOVES
