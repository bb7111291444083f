"""Tests of differences between two views, counted by the annotations of the fields."""

from dataclasses import dataclass, field, replace
from typing import Annotated, TypeAlias

from triclinium.boardkit.view_diff import (
    SEAT_KIND,
    FieldPath,
    ThingMove,
    ThingRef,
    ValueChange,
    ViewChange,
    diff_views,
    find_common_changes,
)
from triclinium.engine.core.state import Seat
from triclinium.engine.view import (
    IS_SEAT,
    NOT_DRAWN,
    NOT_IN_PREVIEW,
    PER_SEAT,
    SAME_SEAT_ONLY,
    Label,
    PerKind,
    Ref,
    View,
)

Card: TypeAlias = Annotated[int, Ref("card")]
Place: TypeAlias = Annotated[int, Ref("place")]


@dataclass
class Held:
    back: int
    card: Card | None


@dataclass
class City:
    id: Place
    left: Annotated[int, Label("tales left")]


@dataclass
class Owned:
    coins: int = 3
    hand: list[Held] = field(default_factory=lambda: [Held(0, 4), Held(0, None)])


@dataclass
class Sample(View):
    actions: Annotated[int, Label("actions left"), SAME_SEAT_ONLY] = 2
    at: Place | None = None
    turn: Annotated[Seat, IS_SEAT] = 0
    dice: Annotated[int, NOT_DRAWN] = 1
    log: Annotated[int, NOT_IN_PREVIEW] = 1
    row: list[Card | None] = field(default_factory=lambda: [1, None, 2])
    goods: Annotated[list[int], PerKind("good")] = field(default_factory=lambda: [0, 0])
    stands: Annotated[dict[int, Annotated[Seat, IS_SEAT]], PerKind("place")] = field(default_factory=dict)
    chips: Annotated[list[int], PER_SEAT] = field(default_factory=lambda: [5, 5])
    cities: list[City] = field(default_factory=lambda: [City(0, 2), City(1, 2)])
    players: list[Owned] = field(default_factory=lambda: [Owned(), Owned()])
    doing: City | None = None
    ends: bool = False
    zones: list[list[int]] = field(default_factory=list)


BASE = Sample(0, 2, 0, False, "Turn", ["end"])


def make_path(*path: str | int | ThingRef, seat: Seat | None = None) -> FieldPath:
    return FieldPath(seat, path)


def list_changes(**fields: object) -> list[ViewChange]:
    return diff_views(BASE, replace(BASE, **fields))  # type: ignore[arg-type]  # any of its fields


def test_changed_values_are_listed() -> None:
    assert list_changes(at=3) == [ValueChange(make_path("at"), None, ThingRef("place", 3))]
    assert list_changes(turn=1) == [ValueChange(make_path("turn"), ThingRef(SEAT_KIND, 0), ThingRef(SEAT_KIND, 1))]
    assert list_changes(ends=True) == [ValueChange(make_path("ends"), False, True)]
    assert list_changes(goods=[0, 2]) == [ValueChange(make_path("goods", ThingRef("good", 1)), 0, 2)]
    assert list_changes(stands={4: 1}) == [
        ValueChange(make_path("stands", ThingRef("place", 4)), None, ThingRef(SEAT_KIND, 1))
    ]
    assert list_changes(doing=City(7, 2)) == [ValueChange(make_path("doing"), None, ThingRef("place", 7))]
    assert list_changes(zones=[[1]]) == [ValueChange(make_path("zones"), 0, 1)]


def test_changes_of_a_seat_name_the_seat() -> None:
    assert list_changes(chips=[5, 4]) == [ValueChange(make_path("chips", seat=1), 5, 4)]
    assert list_changes(players=[Owned(), Owned(coins=1)]) == [ValueChange(make_path("coins", seat=1), 3, 1)]


def test_entries_are_called_by_their_name() -> None:
    assert list_changes(cities=[City(0, 2), City(1, 1)]) == [
        ValueChange(make_path(ThingRef("place", 1), "tales left"), 2, 1)
    ]


def test_arrivals_and_departures_are_listed_but_moves_are_not() -> None:
    assert list_changes(row=[2, 3, None]) == [
        ThingMove(make_path("row"), (ThingRef("card", 1),), (ThingRef("card", 3),), 0)
    ]
    assert list_changes(row=[2, 1, None]) == []
    fewer = [Owned(hand=[Held(0, None)]), Owned()]
    assert list_changes(players=fewer) == [ThingMove(make_path("hand", seat=0), (ThingRef("card", 4),), (), 0)]
    more = [Owned(hand=[Held(0, 4), Held(0, None), Held(0, None)]), Owned()]
    assert list_changes(players=more) == [ThingMove(make_path("hand", seat=0), (), (), 1)]


def test_the_decision_and_excluded_fields_are_not_listed() -> None:
    assert list_changes(dice=6, log=2, asked="Other", options=[], over=True) == []
    assert list_changes(actions=1) == [ValueChange(make_path("actions left"), 2, 1)]
    assert list_changes(actions=4, who=1) == []  # These actions belong to the next seat.


def test_only_changes_common_to_all_worlds_are_kept() -> None:
    card = [ThingRef("card", n) for n in range(9)]
    row, hand = make_path("row"), make_path("hand", seat=0)
    worlds: list[list[ViewChange]] = [
        [
            ValueChange(make_path("coins"), 3, 2),
            ValueChange(make_path("luck"), 0, drawn.number),
            ThingMove(row, (card[1],), (drawn,), 0),
            ThingMove(hand, (), (card[1], drawn), 0),
        ]
        for drawn in card[5:]
    ]
    assert find_common_changes(worlds) == [
        ValueChange(make_path("coins"), 3, 2),
        ThingMove(row, (card[1],), (), 1),
        ThingMove(hand, (), (card[1],), 1),
    ]


def test_a_drawn_card_is_never_named() -> None:
    """A card that is drawn unseen is never named, although all four worlds may draw the same card by accident."""
    worlds: list[list[ViewChange]] = [[ThingMove(make_path("hand"), (), (ThingRef("card", 5),), 0)]] * 4
    assert find_common_changes(worlds) == [ThingMove(make_path("hand"), (), (), 1)]
    assert find_common_changes([*worlds[:3], []]) == []
    named: list[list[ViewChange]] = [
        [ThingMove(make_path("in range"), (), (ThingRef("space", 5),), 0, is_open=True)]
    ] * 4
    assert find_common_changes(named) == [ThingMove(make_path("in range"), (), (ThingRef("space", 5),), 0)]
