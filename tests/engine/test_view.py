"""Tests of typed views: their JSON, and their differences."""

from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeAlias

import pytest

from tests.toy import TOY, ToyView
from triclinium.engine.core.state import NOBODY
from triclinium.engine.view import OMIT_NONE, PerKind, Ref, View, base_fields, find_differences, to_json

IDS = {"card": ["ace", "king"], "suit": ["cups", "coins"]}

Card: TypeAlias = Annotated[int, Ref("card")]


@dataclass(slots=True)
class Pair:
    first: Card
    second: Card | None


@dataclass(slots=True)
class Lone:
    only: Card


@dataclass(slots=True)
class SelfEncoded:
    """A part with its own JSON encoding."""

    n: int

    def to_json(self) -> object:
        return {"told": self.n}


@dataclass(slots=True)
class Sample:
    hand: list[Card]
    top: Annotated[int | None, Ref("card")]
    counts: Annotated[list[int], PerKind("suit")]
    some: Annotated[dict[int, Card], PerKind("suit")]
    secret: Annotated[list[Card] | None, OMIT_NONE]
    either: list[Pair | Lone]
    owner: int | Literal["unused"]
    by_word: dict[str, list[Card]]
    told: list[SelfEncoded]
    with_: int


def sample() -> Sample:
    parts: list[Pair | Lone] = [Pair(0, None), Lone(1)]
    return Sample([1, 0], None, [3, 4], {1: 0}, None, parts, "unused", {"x": [1]}, [SelfEncoded(2)], 5)


def test_numbers_become_ids_only_in_json() -> None:
    assert to_json(sample(), IDS) == {
        "hand": ["king", "ace"],
        "top": None,
        "counts": {"cups": 3, "coins": 4},
        "some": {"coins": "ace"},
        "either": [{"first": "ace", "second": None}, {"only": "king"}],
        "owner": "unused",
        "by_word": {"x": ["king"]},
        "told": [{"told": 2}],
        "with": 5,
    }
    assert to_json(replace(sample(), secret=[0], top=1), IDS)["secret"] == ["ace"]
    assert to_json(replace(sample(), top=1), IDS)["top"] == "king"


def test_a_list_by_kind_has_an_entry_for_each() -> None:
    with pytest.raises(ValueError, match="shorter"):
        to_json(replace(sample(), counts=[3]), IDS)


@dataclass
class Unsayable:
    what: set[int]


@dataclass
class Mixed:
    what: Card | Pair


@pytest.mark.parametrize("value", [Unsayable({1}), Mixed(1)])
def test_values_that_json_cannot_hold_are_reported(value: object) -> None:
    with pytest.raises(TypeError, match="a view cannot contain"):
        to_json(value, IDS)


def test_differences_have_paths() -> None:
    before = sample()
    after = replace(before, hand=[1, 1], either=[Pair(1, None), Lone(1)], by_word={"x": [0]}, some={0: 0})
    assert find_differences(before, sample()) == []
    assert find_differences(before, after) == [
        ("hand[1]", 0, 1),
        ("some", {1: 0}, {0: 0}),
        ("either[0].first", 0, 1),
        ("by_word['x'][0]", 1, 0),
    ]
    assert find_differences(before, replace(before, hand=[1])) == [("hand", [1, 0], [1])]


def test_options_are_only_in_the_view_of_the_asked_seat() -> None:
    s = TOY.deal(2, 1)
    assert TOY.view(s, s.who).options == [TOY.format_option(o) for o in s.legal]
    for viewer in (1 - s.who, None, NOBODY):
        assert View(*base_fields(s, viewer, TOY.notation)).options is None
        assert "options" not in TOY.view_json(s, viewer)


def test_a_game_adds_its_own_fields() -> None:
    s = TOY.deal(2, 1)
    view = TOY.view(s, 0)
    assert isinstance(view, ToyView)
    held = TOY.view_json(s, 0)["hand"]
    assert isinstance(view.hand, list)
    assert held == [f"c{card}" for card in view.hand]
