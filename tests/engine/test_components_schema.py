"""Tests of the schema of components files: keys, types, and the range of every number."""

from pathlib import Path

import pytest

from triclinium.engine.components_schema import ComponentsSchema
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents

PRINTED = """
[game]
hand = 3
share = 0.5
open = true
name = "Figs"
levels = [5, 3, 1]
rounds = { "2" = 6, "3" = 5 }

[cards]
red = [
  { id = "r1", points = 2, at = [1, 2] },
  { id = "r2", points = 3, at = [2, 2], bonus = "crown" },
]
blue = [{ id = "b1", points = 2, at = [3, 1] }]

[[place]]
num = 4
lat = 31.5
road = [[31.0, 35.0], [31.2, 35.1]]
"""

NUMBERS = """
number = [
  { path = "game.hand", low = 1, high = 9, rule = "TOY-1" },
  { path = "game.share", low = 0.0, high = 1.0, rule = "TOY-2" },
  { path = "game.levels.*", low = 0, high = 10, rule = "TOY-3" },
  { path = "game.rounds.2|3", low = 5, high = 6, rule = "TOY-4" },
  { path = "cards.red|blue.*.points", low = 2, high = 3, rule = "TOY-5" },
  { path = "cards.red|blue.*.at.*", low = 1, high = 3, rule = "layout" },
  { path = "place.*.num", low = 4, high = 4, rule = "TOY-6" },
  { path = "place.*.lat", low = -90.0, high = 90.0, rule = "layout" },
  { path = "place.*.road.*.*", low = 30.0, high = 36.0, rule = "layout" },
  { path = "sums.red|blue.*", low = 0, high = 6, rule = "TOY-5", optional = true },
  { path = "game.name", low = 0, high = 3, rule = "TOY-7", optional = true },
]
"""


def form(folder: Path, numbers: str = NUMBERS) -> ComponentsSchema:
    (folder / "components.toml").write_text(PRINTED, encoding="utf-8")
    (folder / "numbers.toml").write_text(numbers, encoding="utf-8")
    return ComponentsSchema(folder)


def read_error(folder: Path, old: str, new: str) -> str:
    """Return the error message for the file with one edit."""
    assert old in PRINTED
    with pytest.raises(BadComponents) as caught:
        form(folder).check(ComponentsFile(PRINTED.replace(old, new, 1), "mine.toml"))
    return str(caught.value)


def test_the_printed_file_matches_the_schema(tmp_path: Path) -> None:
    found = form(tmp_path)
    found.check(found.printed)
    assert found.printed.where == "components.toml"
    assert len(found.ranges) == 11


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("hand = 3", "hand = 0", "game: hand must be from 1 to 9, not 0 (TOY-1)"),
        ("hand = 3", "hand = -1", "game: hand must be from 1 to 9, not -1 (TOY-1)"),
        ("share = 0.5", "share = 1.01", "game: share must be from 0 to 1, not 1.01 (TOY-2)"),
        ("share = 0.5", "share = nan", "game: share must be from 0 to 1, not nan (TOY-2)"),
        ("share = 0.5", "share = -inf", "game: share must be from 0 to 1, not -inf (TOY-2)"),
        ("[5, 3, 1]", "[5, 3, 11]", "game: levels, entry 3, must be from 0 to 10, not 11 (TOY-3)"),
        ('"3" = 5', '"3" = 7', "game.rounds: 3 must be from 5 to 6, not 7 (TOY-4)"),
        ('"r2", points = 3', '"r2", points = 30', "cards.red 'r2': points must be from 2 to 3, not 30 (TOY-5)"),
        ("at = [3, 1]", "at = [3, 0]", "cards.blue 'b1': at, entry 2, must be from 1 to 3, not 0 (layout)"),
        ("num = 4", "num = 5", "place 5: num must be 4, not 5 (TOY-6)"),
        ("[31.2, 35.1]", "[31.2, 40.0]", "place 4: road 2, entry 2, must be from 30 to 36, not 40.0 (layout)"),
    ],
)
def test_a_number_out_of_range_is_reported_with_entry_range_and_rule(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert read_error(tmp_path, old, new) == f"mine.toml: {said}"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("hand = 3", "hnad = 3", "game: there is no 'hnad' here; did you mean 'hand'?"),
        ("[game]", "[gmae]", "there is no 'gmae' here; did you mean 'game'?"),
        ('"r1", points', '"r1", pionts', "cards.red 'r1': there is no 'pionts' here; did you mean 'points'?"),
        ("num = 4", "num = 4\nzzz = 1", "place 4: there is no 'zzz' here; known: lat, num, road"),
        ('"2" = 6', '"4" = 6', "game.rounds: there is no '4' here; known: 2, 3"),
    ],
)
def test_an_unknown_key_is_reported_with_the_nearest_known_one(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert read_error(tmp_path, old, new) == f"mine.toml: {said}"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("hand = 3", 'hand = "3"', "game: hand must be a whole number, not '3'"),
        ("hand = 3", "hand = 3.0", "game: hand must be a whole number, not 3.0"),
        ("hand = 3", "hand = true", "game: hand must be a whole number, not True"),
        ("hand = 3", "hand = [3]", "game: hand must be a whole number, not a list"),
        ("share = 0.5", "share = false", "game: share must be a number, not False"),
        ("open = true", "open = 1", "game: open must be true or false, not 1"),
        ("open = true", "open = 2020-01-01", "game: open must be true or false, not datetime.date(2020, 1, 1)"),
        ('name = "Figs"', "name = true", "game: name must be text or a whole number, not True"),
        ("[5, 3, 1]", "5", "game: levels must be a list, not 5"),
        ("[5, 3, 1]", '[5, "3"]', "game: levels, entry 2, must be a whole number, not '3'"),
        ("[[31.0, 35.0], [31.2, 35.1]]", "[31.0]", "place 4: road, entry 1, must be a list, not 31.0"),
        ('{ id = "b1", points = 2, at = [3, 1] }', "7", "cards: blue, entry 1, must be a table, not 7"),
    ],
)
def test_a_value_of_a_wrong_type_is_reported(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert read_error(tmp_path, old, new) == f"mine.toml: {said}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("share = 0.5", "share = 1"),  # a whole number is valid where a fraction is expected
        ("hand = 3", "hand = 3\nnote = 'three'\nsource = 'rulebook'\nhand_source = 'public'"),
        ('name = "Figs"', 'name = "Figs"\nname_fr = "Figues"'),
        ('name = "Figs"', "name = 2"),  # an optional text where the printed file has text
        ("[game]", "[sums]\nred = [1, 6]\n\n[game]"),
        ('"r1", points = 2', '"r1", points = 2, bonus = "crown"'),  # every entry may have a key that one entry has
        ("levels = [5, 3, 1]\n", ""),  # the loader reports missing required keys
    ],
)
def test_optional_parts_of_a_file_are_accepted(tmp_path: Path, old: str, new: str) -> None:
    assert old in PRINTED
    form(tmp_path).check(ComponentsFile(PRINTED.replace(old, new, 1), "mine.toml"))


def test_numbers_of_an_optional_table_keep_their_range(tmp_path: Path) -> None:
    said = read_error(tmp_path, "[game]", "[sums]\nblue = [7]\n\n[game]")
    assert said == "mine.toml: sums: blue, entry 1, must be from 0 to 6, not 7 (TOY-5)"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            '{ path = "game.foot", low = 1, high = 9, rule = "TOY-1" }',
            "no whole number in components.toml",
        ),
        ('{ path = "game.hand.*", low = 1, high = 9, rule = "TOY-1" }', "game.hand.* names no whole number"),
        ('{ path = "game.shut|open", low = 1, high = 9, rule = "TOY-1" }', "game.shut names no whole number"),
        ('{ path = "game.open", low = 0, high = 1, rule = "TOY-1" }', "game.open names no whole number"),
        ('{ path = "place.*.num", low = 0.5, high = 1, rule = "TOY-1" }', "place.*.num names no number"),
        ('{ path = "cards.red.*.points", low = 1, high = 9, rule = "TOY-1" }', "name the same numbers"),
        ('{ path = "game.open", low = 9, high = 1, rule = "TOY-1" }', "low must not be above high"),
        ('{ path = "game.open", low = 9, rule = "TOY-1" }', "high is missing"),
    ],
)
def test_a_mistake_in_the_ranges_is_reported(tmp_path: Path, entry: str, said: str) -> None:
    numbers = NUMBERS.replace("number = [", f"number = [\n  {entry},")
    with pytest.raises(BadComponents, match=rf"(?s).*{said.replace('*', '.')}"):
        form(tmp_path, numbers)
