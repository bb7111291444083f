"""What differs between two views, as people count it: by the annotations of the fields."""

from dataclasses import dataclass, field, replace
from typing import Annotated, TypeAlias

from triclinium.boardkit.view_diff import SEAT, Change, Moved, Thing, Turned, Where, changes, in_all
from triclinium.engine.core.state import Seat
from triclinium.engine.view import ASIDE, BY_SEAT, IS_SEAT, OF_TURN, UNTOLD, By, Label, Ref, View

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
    actions: Annotated[int, Label("actions left"), OF_TURN] = 2
    at: Place | None = None
    turn: Annotated[Seat, IS_SEAT] = 0
    dice: Annotated[int, ASIDE] = 1
    log: Annotated[int, UNTOLD] = 1
    row: list[Card | None] = field(default_factory=lambda: [1, None, 2])
    goods: Annotated[list[int], By("good")] = field(default_factory=lambda: [0, 0])
    stands: Annotated[dict[int, Annotated[Seat, IS_SEAT]], By("place")] = field(default_factory=dict)
    chips: Annotated[list[int], BY_SEAT] = field(default_factory=lambda: [5, 5])
    cities: list[City] = field(default_factory=lambda: [City(0, 2), City(1, 2)])
    players: list[Owned] = field(default_factory=lambda: [Owned(), Owned()])
    doing: City | None = None
    ends: bool = False
    zones: list[list[int]] = field(default_factory=list)


BASE = Sample(0, 2, 0, False, "Turn", ["end"])


def at(*path: str | int | Thing, seat: Seat | None = None) -> Where:
    return Where(seat, path)


def changed(**fields: object) -> list[Change]:
    return changes(BASE, replace(BASE, **fields))  # type: ignore[arg-type]  # any of its fields


def test_values_turn() -> None:
    assert changed(at=3) == [Turned(at("at"), None, Thing("place", 3))]
    assert changed(turn=1) == [Turned(at("turn"), Thing(SEAT, 0), Thing(SEAT, 1))]
    assert changed(ends=True) == [Turned(at("ends"), False, True)]
    assert changed(goods=[0, 2]) == [Turned(at("goods", Thing("good", 1)), 0, 2)]
    assert changed(stands={4: 1}) == [Turned(at("stands", Thing("place", 4)), None, Thing(SEAT, 1))]
    assert changed(doing=City(7, 2)) == [Turned(at("doing"), None, Thing("place", 7))]
    assert changed(zones=[[1]]) == [Turned(at("zones"), 0, 1)]


def test_what_is_of_a_seat_says_so() -> None:
    assert changed(chips=[5, 4]) == [Turned(at("chips", seat=1), 5, 4)]
    assert changed(players=[Owned(), Owned(coins=1)]) == [Turned(at("coins", seat=1), 3, 1)]


def test_an_entry_with_a_name_is_called_by_it() -> None:
    assert changed(cities=[City(0, 2), City(1, 1)]) == [Turned(at(Thing("place", 1), "tales left"), 2, 1)]


def test_things_come_and_go_and_what_only_changes_places_is_not_told() -> None:
    assert changed(row=[2, 3, None]) == [Moved(at("row"), (Thing("card", 1),), (Thing("card", 3),), 0)]
    assert changed(row=[2, 1, None]) == []
    fewer = [Owned(hand=[Held(0, None)]), Owned()]
    assert changed(players=fewer) == [Moved(at("hand", seat=0), (Thing("card", 4),), (), 0)]
    more = [Owned(hand=[Held(0, 4), Held(0, None), Held(0, None)]), Owned()]
    assert changed(players=more) == [Moved(at("hand", seat=0), (), (), 1)]


def test_the_decision_itself_and_what_is_aside_are_not_told() -> None:
    assert changed(dice=6, log=2, asked="Other", options=[], over=True) == []
    assert changed(actions=1) == [Turned(at("actions left"), 2, 1)]
    assert changed(actions=4, who=1) == []  # those of the next seat


def test_of_several_worlds_what_is_the_same_in_all_is_kept() -> None:
    card = [Thing("card", n) for n in range(9)]
    row, hand = at("row"), at("hand", seat=0)
    worlds: list[list[Change]] = [
        [
            Turned(at("coins"), 3, 2),
            Turned(at("luck"), 0, drawn.number),
            Moved(row, (card[1],), (drawn,), 0),
            Moved(hand, (), (card[1], drawn), 0),
        ]
        for drawn in card[5:]
    ]
    assert in_all(worlds) == [
        Turned(at("coins"), 3, 2),
        Moved(row, (card[1],), (), 1),
        Moved(hand, (), (card[1],), 1),
    ]


def test_a_card_that_comes_from_nowhere_is_never_named() -> None:
    """All four worlds may draw the same one by accident."""
    worlds: list[list[Change]] = [[Moved(at("hand"), (), (Thing("card", 5),), 0)]] * 4
    assert in_all(worlds) == [Moved(at("hand"), (), (), 1)]
    assert in_all([*worlds[:3], []]) == []
    named: list[list[Change]] = [[Moved(at("in range"), (), (Thing("space", 5),), 0, open=True)]] * 4
    assert in_all(named) == [Moved(at("in range"), (), (Thing("space", 5),), 0)]
