"""Tests of components files: typed reading, and errors that name the table, the entry and the field."""

from collections.abc import Callable
from pathlib import Path

import pytest

from triclinium.engine.core.components import ComponentsFile, ComponentsTable, check, read_components
from triclinium.engine.core.errors import BadComponents
from triclinium.engine.core.text import Name
from triclinium.engine.core.weights import read_weights

TEXT = """
[game]
hand = 3
share = 0.5
open = true
name = "Figs"
numbers = [1, 2]
words = ["a", "b"]
mixed = [1, "b"]

[game.deep]
depth = 2

[[place]]
id = "rome"
name = "Rome"
next = "ephesus"
near = ["ephesus", "rome"]

[[place]]
id = "ephesus"
name = "Ephesus"
next = "rom"
near = ["rom"]
"""


def file() -> ComponentsFile:
    return ComponentsFile(TEXT, "figs.toml")


def test_every_kind_of_field() -> None:
    game = file().row("game")
    assert game.integer("hand") == 3
    assert game.number("share") == 0.5
    assert game.number("hand") == 3.0
    assert game.flag("open") is True
    assert game.text("name") == "Figs"
    assert game.name() == Name("Figs", "game")
    assert game.integers("numbers") == [1, 2]
    assert game.texts("words") == ["a", "b"]
    assert game.row("deep").integer("depth") == 2
    assert game.has("hand")
    assert not game.has("foot")


def test_lists_of_tables_and_their_references_are_read() -> None:
    places = file().rows("place")
    ids = [place.text("id") for place in places]
    assert ids == ["rome", "ephesus"]
    assert places[0].index("next", ids) == 1
    assert places[0].indexes("near", ids) == [1, 0]
    assert [place.name() for place in places] == [Name("Rome", "place"), Name("Ephesus", "place")]
    assert places[0].name("id") == Name("rome", "place id")


@pytest.mark.parametrize(
    ("read", "complaint"),
    [
        (lambda game: game.integer("foot"), "foot is missing"),
        (lambda game: game.integer("name"), "name must be a whole number, not 'Figs'"),
        (lambda game: game.integer("open"), "open must be a whole number, not True"),
        (lambda game: game.integer("share"), "share must be a whole number, not 0.5"),
        (lambda game: game.number("open"), "open must be a number, not True"),
        (lambda game: game.number("name"), "name must be a number, not 'Figs'"),
        (lambda game: game.text("hand"), "hand must be text, not 3"),
        (lambda game: game.flag("hand"), "hand must be true or false, not 3"),
        (lambda game: game.integers("hand"), "hand must be a list"),
        (lambda game: game.integers("mixed"), "mixed must hold whole numbers, not 'b'"),
        (lambda game: game.texts("mixed"), "mixed must hold texts, not 1"),
        (lambda game: game.row("hand"), "hand must be a table"),
        (lambda game: game.rows("numbers"), "numbers must be a list of tables"),
        (lambda game: game.rows("deep"), "deep must be a list"),
    ],
)
def test_a_wrong_field_is_reported(read: Callable[[ComponentsTable], object], complaint: str) -> None:
    with pytest.raises(BadComponents) as caught:
        read(file().row("game"))
    assert str(caught.value) == f"figs.toml.game: {complaint}"


def test_an_unknown_name_is_reported_with_its_entry() -> None:
    place = file().rows("place")[1]
    for read in (lambda: place.index("next", ["rome"]), lambda: place.indexes("near", ["rome"])):
        with pytest.raises(BadComponents, match=r"place 'ephesus': (next|near) names 'rom', which is not among rome"):
            read()


def test_a_file_that_is_not_toml_is_refused() -> None:
    with pytest.raises(BadComponents, match=r"figs.toml is not readable TOML: .*line 1, column"):
        ComponentsFile("hand = = 3", "figs.toml")


def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadComponents, match="No such file"):
        read_components(tmp_path / "none.toml")
    latin = tmp_path / "latin.toml"
    latin.write_bytes("name = 'Éphèse'".encode("latin-1"))
    with pytest.raises(BadComponents, match="is not UTF-8 text"):
        read_components(latin)


def test_a_file_is_read_with_its_hash(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TEXT, encoding="utf-8")
    assert read_components(path).hash == file().hash
    assert len(file().hash) == 16
    assert ComponentsFile(TEXT.replace("hand = 3", "hand = 4"), "x").hash != file().hash


def test_an_edited_file_differs_only_in_the_edits() -> None:
    edited = file().with_changes({"game.hand": 4, "game.numbers.1": 9, "place.ephesus.name": "Efes"})
    assert edited.row("game").integer("hand") == 4
    assert edited.row("game").integers("numbers") == [1, 9]
    assert [place.text("name") for place in edited.rows("place")] == ["Rome", "Efes"]
    text = TEXT.replace("hand = 3", "hand = 4").replace("[1, 2]", "[1, 9]").replace('"Ephesus"', '"Efes"')
    assert edited.hash == ComponentsFile(text, "other.toml").hash
    assert file().with_changes({}).hash == file().hash


def test_editing_a_file_does_not_change_the_original() -> None:
    """An edit copies only the path to the change. An entry is found by its name in the original."""
    before = file()
    edited = before.with_changes({"place.rome.id": "roma", "place.rome.name": "Roma", "place.rome.near.0": "rome"})
    assert [place.text("id") for place in edited.rows("place")] == ["roma", "ephesus"]
    assert edited.rows("place")[0].texts("near") == ["rome", *file().rows("place")[0].texts("near")[1:]]
    assert edited.value_at("place.roma.name") == "Roma"
    assert (before.value_at("place.rome.name"), before.hash) == ("Rome", file().hash)
    assert edited.data["game"] is before.data["game"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("game.hnad", "game.hnad: there is no 'hnad'; did you mean 'hand'?"),
        ("place.efesus.name", "place.efesus.name: there is no 'efesus'; did you mean 'ephesus'?"),
        ("place.1.name", "place.1.name: there is no '1'; known: ephesus, rome"),
        ("game.numbers.2", "game.numbers.2: there is no '2'; known: 0, 1"),
        ("game.hand.0", "game.hand.0: there is nothing inside a value"),
        ("game.numbers.0", "game.numbers.0: must be a whole number, not 'one'"),
    ],
)
def test_an_unknown_path_is_reported(path: str, said: str) -> None:
    before = file()
    with pytest.raises(BadComponents) as caught:
        before.with_changes({path: "one"})
    assert str(caught.value) == said
    assert before.hash == file().hash


def test_a_constraint_reports_its_number_and_entry() -> None:
    check(True, "TOY-C1", "hand", "must be positive")
    with pytest.raises(BadComponents) as caught:
        check(False, "TOY-C1", "hand", "must be positive")
    assert str(caught.value) == "TOY-C1: hand: must be positive"


def test_weights_come_in_the_order_of_the_features(tmp_path: Path) -> None:
    path = tmp_path / "weights.toml"
    path.write_text("scale = 8\n[weights]\nlaid = 2\ncoins = 0.5\n", encoding="utf-8")
    weights = read_weights(path, ["coins", "laid"])
    assert weights.values == [0.5, 2.0]
    assert (weights.scale, weights.prior, weights.horizon) == (8.0, 2.0, 0)
    path.write_text("scale = 8\nprior = 1.5\nhorizon = 3\n[weights]\nlaid = 2\ncoins = 0.5\n", encoding="utf-8")
    weights = read_weights(path, ["coins", "laid"])
    assert (weights.scale, weights.prior, weights.horizon, weights.own_turns) == (8.0, 1.5, 3, 0)
    path.write_text("scale = 8\nown_turns = 2\n[weights]\nlaid = 2\ncoins = 0.5\n", encoding="utf-8")
    assert read_weights(path, ["coins", "laid"]).own_turns == 2
    assert not read_weights(path, ["coins", "laid"]).whole_actions
    path.write_text("scale = 8\nwhole_actions = true\n[weights]\nlaid = 2\ncoins = 0.5\n", encoding="utf-8")
    assert read_weights(path, ["coins", "laid"]).whole_actions
    assert read_weights(path, ["coins", "laid"]).crowd_factor == 1.0
    path.write_text("scale = 8\ncrowd_factor = 3\n[weights]\nlaid = 2\ncoins = 0.5\n", encoding="utf-8")
    assert read_weights(path, ["coins", "laid"]).crowd_factor == 3.0
    assert (weights.opening, weights.endgame, weights.turn) == ([1 / 16, 1 / 4], [1 / 16, 1 / 4], [0.0, 0.0])
    with pytest.raises(BadComponents, match=r"weights.toml: laid is not a feature; the features are coins"):
        read_weights(path, ["coins"])
    with pytest.raises(BadComponents, match="joined is missing"):
        read_weights(path, ["coins", "laid", "joined"])


@pytest.mark.parametrize("name", ["scale", "prior", "crowd_factor"])
def test_the_scale_of_weights_is_positive(tmp_path: Path, name: str) -> None:
    path = tmp_path / "weights.toml"
    said = "" if name == "scale" else "scale = 8\n"
    path.write_text(f"{said}{name} = 0\n[weights]\nlaid = 2\n", encoding="utf-8")
    with pytest.raises(BadComponents, match=rf"weights.toml: {name} must be more than 0"):
        read_weights(path, ["laid"])


def test_a_value_model_has_weights_for_beginning_and_end(tmp_path: Path) -> None:
    path = tmp_path / "weights.toml"
    text = "scale = 8\n[weights]\nlaid = 2\ncoins = 0.5\n[judge]\nlaid = [0.5, 1]\ncoins = [0, -0.25]\nturn = [1, 2]\n"
    path.write_text(text, encoding="utf-8")
    weights = read_weights(path, ["coins", "laid"])
    assert (weights.opening, weights.endgame, weights.turn) == ([0.0, 0.5], [-0.25, 1.0], [1.0, 2.0])
    for bad in ("laid = [0.5]", "laid = 0.5", 'laid = [0.5, "much"]', "other = [1, 1]"):
        path.write_text(text.replace("laid = [0.5, 1]", bad), encoding="utf-8")
        with pytest.raises(BadComponents, match=r"laid|other"):
            read_weights(path, ["coins", "laid"])
