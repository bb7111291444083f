"""Tests of a game's variants and deals, and of the registry that finds games."""

import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest

import triclinium
from bench.example import install
from tests.toy import SHEET, TOY, Figs, Toy
from triclinium.engine import registry
from triclinium.engine.core.errors import BadComponents, BadSetup
from triclinium.engine.core.text import Name
from triclinium.engine.variant import Variant, number_variant

GIFT, ROUNDS = TOY.variants


def test_choices_fill_in_the_defaults() -> None:
    assert TOY.complete_variants({}) == {"gift": False, "rounds": 4}
    assert TOY.complete_variants({"rounds": 9, "gift": True}) == {"gift": True, "rounds": 9}


@pytest.mark.parametrize(
    ("variants", "complaint"),
    [
        ({"gfit": True}, "figs has no variant 'gfit'; did you mean 'gift'?"),
        ({"zzz": True}, "figs has no variant 'zzz'; known: gift, rounds"),
        ({"gift": 1}, "the variant gift is off or on, not 1 (TOY-R1)"),
        ({"gift": "on"}, "the variant gift is off or on, not on (TOY-R1)"),
        ({"gift": None}, "the variant gift is off or on, not None (TOY-R1)"),
        ({"rounds": 10}, "the variant rounds is a whole number from 2 to 9, not 10 (TOY-R2)"),
        ({"rounds": True}, "the variant rounds is a whole number from 2 to 9, not True (TOY-R2)"),
        ({"rounds": 3.0}, "the variant rounds is a whole number from 2 to 9, not 3.0 (TOY-R2)"),
    ],
)
def test_invalid_choices_are_refused(variants: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadSetup) as caught:
        TOY.deal(2, 1, variants)
    assert str(caught.value) == complaint


def test_variants_in_words() -> None:
    assert TOY.read_variants({"gift": "on", "rounds": "2"}) == {"gift": True, "rounds": 2}
    assert TOY.read_variants({"gift": "OFF"}) == {"gift": False}
    for variant in TOY.variants:
        for value in variant.values:
            assert variant.read(variant.format_value(value)) == value
    with pytest.raises(BadSetup, match=r"the variant gift is off or on, not yes \(TOY-R1\)"):
        TOY.read_variants({"gift": "yes"})
    with pytest.raises(BadSetup, match="no variant 'rouns'; did you mean 'rounds'"):
        TOY.read_variants({"rouns": "2"})


def test_the_first_value_is_the_default() -> None:
    who = Variant("first", ("random", 0, 1), "TOY-R9", Name("who begins", "qui commence"))
    assert who.default == "random"
    assert who.describe_values() == "random or 0 or 1"
    assert (who.read("random"), who.read("1")) == ("random", 1)
    assert not who.allows(True)
    assert number_variant("n", 3, 1, 4, "TOY-R9", Name("n")).values == (3, 1, 2, 4)


def test_incompatible_variants_are_refused() -> None:
    with pytest.raises(BadSetup, match=r"9 rounds are too many for 3 seats \(TOY-R2\)"):
        TOY.deal(3, 1, {"rounds": 9})
    assert not TOY.deal(2, 1, {"rounds": 9}).over


@pytest.mark.parametrize("seats", [-1, 0, 1, 4])
def test_a_wrong_number_of_seats(seats: int) -> None:
    with pytest.raises(BadSetup, match=rf"figs is played with 2 to 3 seats, not {seats} \(TOY-1.1\)"):
        TOY.deal(seats, 1)


@pytest.mark.parametrize("seed", [-1, 1 << 128])
def test_a_wrong_seed(seed: int) -> None:
    with pytest.raises(BadSetup, match="a seed is a whole number"):
        TOY.deal(2, seed)


def test_the_same_seed_deals_the_same_match() -> None:
    assert TOY.deal(3, 8).digest() == TOY.deal(3, 8).digest()
    assert TOY.deal(3, 8).digest() != TOY.deal(3, 9).digest()


def test_collecting_events_changes_nothing_else() -> None:
    s, t = TOY.deal(2, 8), TOY.deal(2, 8, listen=True)
    assert s.events is None
    assert t.events == []
    assert s.digest() == t.digest()


# -- the registry ----------------------------------------------------------------------------------------------------


def test_a_game_of_another_package_is_found(figs: Figs) -> None:
    assert "figs" in triclinium.list_games()
    assert triclinium.load_game("figs") is figs
    assert "figs" not in registry.list_broken_games()


def test_a_game_on_an_edited_file(figs: Figs, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SHEET.replace("coins = 3", "coins = 8"), encoding="utf-8")
    edited = triclinium.load_game("figs", components=str(path))
    s = edited.deal(2, 1)
    assert isinstance(s, Toy)
    assert s.coins == [8, 8]
    assert triclinium.load_game("figs") is figs
    with pytest.raises(BadComponents, match="No such file"):
        triclinium.load_game("figs", components=tmp_path / "none.toml")


def test_an_unknown_game(figs: Figs) -> None:
    with pytest.raises(BadSetup, match="there is no game 'fgis'; did you mean 'figs'"):
        triclinium.load_game("fgis")


def test_a_broken_game_is_reported_and_skipped(figs: Figs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "cracked_game.py").write_text("raise RuntimeError('the amphora is cracked')\n")
    points = {
        "cracked": "cracked_game:GAME",
        "missing": "no_such_module_here:GAME",
        "nameless": "tests.toy:NO_SUCH_NAME",
        "sheet": "tests.toy:SHEET",
    }
    install(folder, "cracked_games", points)
    monkeypatch.syspath_prepend(str(folder))
    faults = registry.list_broken_games()
    assert faults["cracked"] == "the game 'cracked' does not load: RuntimeError: the amphora is cracked"
    assert faults["missing"].startswith("the game 'missing' does not load: ModuleNotFoundError")
    assert faults["nameless"].startswith("the game 'nameless' does not load: AttributeError")
    assert faults["sheet"] == "the game 'sheet' does not load: tests.toy:SHEET is not a Game"
    assert "figs" in triclinium.list_games()
    assert not set(points) & set(triclinium.list_games())
    with pytest.raises(BadSetup, match="the amphora is cracked"):
        triclinium.load_game("cracked")


def test_the_list_of_games_is_kept(figs: Figs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second request for the list of games does not scan the installed packages.

    A longer search path is scanned again.
    """
    before = triclinium.list_games()
    scans: list[list[str]] = []

    def counted(*, path: list[str]) -> Iterable[Distribution]:
        scans.append(path)
        return distributions(path=path)

    monkeypatch.setattr(registry, "distributions", counted)
    for _ in range(50):
        assert triclinium.list_games() == before
        assert registry.list_broken_games() == {}
        assert triclinium.load_game("figs") is figs
    assert scans == []
    monkeypatch.syspath_prepend("somewhere_else")
    assert triclinium.list_games() == before
    assert scans == [sys.path]


def test_the_package_of_the_games_can_be_reached_by_its_path() -> None:
    code = "import triclinium, triclinium.games.portals as p; print(triclinium.games.portals is p)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "True\n"
