"""Tests of the components file and its constraints (PP-C1 to PP-C18)."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import triclinium
from tests.edited_components import printed_faults
from tests.games.portals.table import C
from triclinium.engine.core.components import ComponentsFile, read_components
from triclinium.engine.core.errors import BadComponents
from triclinium.games.portals import GAME
from triclinium.games.portals.rules import components

FILE = Path(components.__file__).parents[1] / "data" / "components.toml"
TEXT = FILE.read_text(encoding="utf-8")

Edit = Callable[[str], str]


def swap(before: str, after: str) -> Edit:
    """Return an edit that must find the text it changes."""

    def edit(text: str) -> str:
        assert before in text, before
        return text.replace(before, after, 1)

    return edit


def edit_row(card: str, before: str, after: str) -> Edit:
    """Return an edit of one event's line."""

    def edit(text: str) -> str:
        line = next(line for line in text.splitlines() if f'id = "{card}"' in line)
        assert before in line, line
        return text.replace(line, line.replace(before, after, 1))

    return edit


def remove_text(card: str) -> Edit:
    def edit(text: str) -> str:
        line = next(line for line in text.splitlines() if f'id = "{card}"' in line)
        return text.replace(line + "\n", "")

    return edit


BROKEN: list[tuple[str, str, Edit]] = [
    ("PP-R5", "pawns", remove_text("purple")),
    ("PP-5.1", "numbers", swap("hand_limit = 7", "hand_limit = 2")),
    ("PP-C1", "old", remove_text("O20")),
    ("PP-C1", "bonus", remove_text("R4")),
    ("PP-C1", "decks", swap('id = "genesis", name', 'id = "beginning", name')),
    ("PP-C2", "G01", edit_row("G02", 'id = "G02"', 'id = "G01"')),
    ("PP-C2", "hebron", swap('id = "bethlehem", name', 'id = "hebron", name')),
    ("PP-C2", "G02", edit_row("G02", "The Ark Lands on Mount Ararat", "The Fall of Man")),
    ("PP-C2", "ancient", edit_row("S2", 'symbol = "royalty"', 'symbol = "ancient"')),
    ("PP-C3", "G01", edit_row("G01", "The Fall of Man", "The Fall of Woman")),
    ("PP-C3", "G01", edit_row("G01", 'deck = "genesis"', 'deck = "new"')),
    ("PP-C3", "O15", edit_row("O15", 'period = "12"', 'period = "13"')),
    ("PP-C3", "O04", edit_row("O04", 'period = "15"', 'period = "14"')),
    ("PP-C3", "O20", edit_row("O20", ', t = "reconstructed"', "")),
    ("PP-C3", "12", swap("added = 1", "added = 0")),
    ("PP-C3", "13", swap('    "Deborah Judges Israel",\n', '    "Deborah Judges Israel",\n    "Shamgar Strikes",\n')),
    ("PP-C5", "royalty", edit_row("O30", 'symbols = ["royalty"]', "symbols = []")),
    ("PP-C6", "judea", edit_row("N13", 'place = "bethany", region = "judea"', 'place = "bethel", region = "samaria"')),
    ("PP-C7", "O04", edit_row("O04", '["ancient"]', "[]")),
    ("PP-C7", "O15", edit_row("O15", '["god_speaks"]', '["ancient"]')),
    ("PP-C8", "G12", edit_row("G12", '"god_speaks", "mountain"', '"mountain", "mountain"')),
    ("PP-C9", "O26", edit_row("O26", 'region = "judea"', 'region = "samaria"')),
    ("PP-C10", "elah", edit_row("O26", 'place = "elah"', 'place = "hebron"')),
    ("PP-C11", "susa", swap('  { a = "eden", b = "susa", kind = "far" },\n', "")),
    ("PP-C11", "bethsaida", swap('a = "hazor", b = "capernaum"', 'a = "bethsaida", b = "capernaum"')),
    ("PP-C11", "limits", swap("greatest_distance = 9", "greatest_distance = 8")),
    ("PP-C11", "limits", swap("greatest_distance_by_portal = 8", "greatest_distance_by_portal = 7")),
    ("PP-C12", "bethsaida", swap('a = "hazor", b = "cana"', 'a = "bethsaida", b = "cana"')),
    ("PP-C13", "portals", swap('suggested = ["beersheba", "shiloh"', 'suggested = ["beersheba", "hebron"')),
    ("PP-C14", "G01", edit_row("G01", "fuel = 0", "fuel = 1")),
    ("PP-C14", "genesis", edit_row("G04", 'fuel_color = "red"', 'fuel_color = "blue"')),
    ("PP-C16", "jerusalem", swap("lat = 31.7767", "lat = 30.7767")),
    ("PP-C16", "bethany", swap("lat = 31.7714, lon = 35.261", "lat = 31.7767, lon = 35.2345")),
    ("PP-C17", "bethlehem", swap("x = 455, y = 700", "x = 460, y = 660")),
    ("PP-C17", "road", swap("x = 355, y = 705", "x = 640, y = 905")),
    ("PP-C18", "timeline", swap('id = "15", name', 'id = "16", name')),
]


def read(text: str) -> None:
    triclinium.load_game("portals").with_components(ComponentsFile(text, "components.toml"))


def check_broken(text: str, constraint: str, entry: str) -> None:
    """Check that the edited text is refused as the printed game with the constraint and the entry."""
    told = printed_faults(GAME, text)
    assert any(re.match(rf"{re.escape(constraint)}: .*{entry}", said) for said in told), told
    assert not any("\n" in said for said in told)


def test_the_file_as_it_stands_keeps_every_constraint() -> None:
    """PP-C1 to PP-C18  The shipped file keeps every constraint."""
    read(TEXT)


@pytest.mark.parametrize(("constraint", "entry", "edit"), BROKEN)
def test_a_broken_constraint_is_reported_with_its_entry(constraint: str, entry: str, edit: Edit) -> None:
    """Each edit breaks one constraint. The error gives its number and the card, place or table."""
    check_broken(edit(TEXT), constraint, re.escape(entry))


def test_every_constraint_that_needs_two_edits() -> None:
    """PP-C4, PP-C7, PP-C8, PP-C15  With only one of the edits another constraint would fail first."""
    title = "Rahab Helps the Hebrew Spies Escape"
    moved = swap(f'    "{title}",\n', "")(edit_row("O04", 'period = "15"', 'period = "14"')(TEXT))
    text = swap('    "The Sun Stands Still",\n', f'    "The Sun Stands Still",\n    "{title}",\n')(moved)
    check_broken(text, "PP-C4", "timeline.space.15")
    check_broken(TEXT.replace('"ancient"', '"aged"'), "PP-C7", "symbols: .*ancient")
    check_broken(TEXT.replace('"mountain"', '"hill"'), "PP-C8", "symbols: .*mountain")
    check_broken(TEXT.replace("points = 1, symbols", "points = 7, symbols"), "PP-C15", "events")


def test_unknown_names_are_refused() -> None:
    """An unknown place is refused, and the error names the card."""
    with pytest.raises(BadComponents, match="card 'G01': place names 'edden'"):
        read(edit_row("G01", 'place = "eden"', 'place = "edden"')(TEXT))


def test_decks() -> None:
    """PP-C1  The game has 108 cards: 18 Genesis, 70 Old Testament and 20 New Testament cards."""
    assert [len(C.list_cards(deck)) for deck in range(3)] == [18, 70, 20]


def test_a_misspelt_title_is_corrected_and_kept() -> None:
    """PP-R4  The title is Abijah, and the misspelt form of the rulebook is kept next to it."""
    row = next(row for row in C.file.row("events").rows("card") if row.text("id") == "O34")
    assert row.text("title").startswith("Abijah")
    assert row.text("printed_title").startswith("Aijah")


def test_added_titles() -> None:
    """PP-R1  The added titles O20, O48 and O56 are Coastal events of the 12th, 8th and 6th century without symbols."""
    added = [row for row in C.file.row("events").rows("card") if row.has("t")]
    assert [(row.text("id"), row.text("period")) for row in added] == [("O20", "12"), ("O48", "8"), ("O56", "6")]
    assert all(row.text("region") == "coastal" and not row.texts("symbols") for row in added)


def test_judea_in_the_new_testament() -> None:
    """PP-R2  Judea has six events in the New Testament. The rulebook prints five."""
    judea = next(row for row in C.file.row("regions").rows("region") if row.text("id") == "judea")
    assert judea.integers("stats") == [8, 13, 6]


def test_ancient() -> None:
    """PP-R3  Genesis has 18 Ancient events, and the 15th, 14th and 13th centuries have 14."""
    ancient = [number for number in range(C.events) if C.symbols[number] & 1]
    assert ancient == [number for number in range(C.events) if C.period[number] <= 3]
    assert len(ancient) == 32


def test_everything_has_a_french_name() -> None:
    """Every English title has a different French one, except for proper names."""
    french = GAME.words.reader("fr")
    assert all(french.format_arg(name) != name.text for name in C.titles)
    same = [name for name in C.place_names if french.format_arg(name) == name.text]
    assert len(same) < 15


def test_an_edited_file_makes_another_title(tmp_path: Path) -> None:
    """A designer raises a card's points and plays with it."""
    path = tmp_path / "mine.toml"
    path.write_text(edit_row("O26", "points = 6", "points = 7")(TEXT), encoding="utf-8")
    game = triclinium.load_game("portals", components=path)
    assert game.file.hash != read_components(FILE).hash
    assert game.deal(3, 1).options()
