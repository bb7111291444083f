"""Tests of the components file: its numbers, its constraints TT-C1 to TT-C7, and edits by designers."""

from pathlib import Path

import pytest

from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.text import Reader
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.game import HERE
from triclinium.games.testoftime.rules.components import KINDS

C = GAME.components
TEXT = (HERE / "data" / "components.toml").read_text(encoding="utf-8")


def sections(kind: str) -> str:
    """Return the line of a kind's sections in the file."""
    return f"sections = {list(C.sections[KINDS.index(kind)])}"


def edit_file(*changes: tuple[str, str], more: str = "") -> ComponentsFile:
    """Return the file with some words replaced, each of which must be there, and some text added."""
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return ComponentsFile(text + more, "mine.toml")


def check_refused_file(constraint: str, entry: str, *changes: tuple[str, str], more: str = "") -> None:
    told = [fault.format(Reader()) for fault in GAME.find_faults(edit_file(*changes, more=more), printed=True)]
    assert any(said.startswith(f"{constraint}: ") and entry in said for said in told), told


def test_the_printed_figures() -> None:
    """TT-C1, TT-C3  The numbers follow from k = 1 to 5: create 4k, deaths k, preserve 2k, sections 4k + 8."""
    for k in range(1, 6):
        figures = (C.create[k - 1], C.deaths[k - 1], C.preserve[k - 1], C.size[k - 1])
        assert figures == (4 * k, k, 2 * k, 4 * k + 8)
    assert (C.start_followers, C.max_followers, C.max_shamans) == (20, 30, 10)
    assert (C.spaces, C.sire_zones, C.sire_shaman_zones, C.convert_zones) == (3, 3, 2, 1)


def test_the_derived_tables() -> None:
    """TT-C2, TT-C4, TT-C7  The derived tables have the dots of the first visible sections and of whole cards."""
    assert [row[:4] for row in C.dots] == [(0, 2, 4, 6), (0, 2, 4, 6), (0, 2, 4, 6), (0, 3, 5, 7), (0, 3, 5, 7)]
    assert [row[-1] for row in C.dots] == [16, 23, 28, 32, 36]
    assert [row[:3] for row in C.create_cost] == [(4, 3, 3), (8, 6, 5), (12, 9, 7), (16, 12, 9), (20, 15, 12)]
    assert C.preserve_cost == [(2, 1, 1, 1), (4, 2, 1, 1), (6, 3, 2, 1), (8, 4, 2, 1), (10, 5, 3, 2)]
    assert C.convert_cost == [0, 4, 2, 1]


def test_the_dots_of_the_cards() -> None:
    """TT-R27, TT-C4  Every section has one to three dots, and the first section of a Temple three."""
    assert [sections.count(1) for sections in C.sections] == [8, 9, 12, 17, 21]
    assert [sections.count(2) for sections in C.sections] == [4, 7, 8, 6, 6]
    assert [sections[0] for sections in C.sections] == [2, 2, 2, 3, 3]
    assert all(list(sections) == sorted(sections, reverse=True) for sections in C.sections)
    assert [len(sections) for sections in C.sections] == [12, 16, 20, 24, 28]


def test_every_kind_has_a_name_in_both_languages() -> None:
    french = GAME.words.reader("fr")
    assert [name.text for name in C.names] == ["Tools", "Art", "Burial Site", "Temple", "Monument"]
    assert [french.format_arg(name) for name in C.names] == ["Outils", "Art", "Sépulture", "Temple", "Monument"]
    assert len(KINDS) == len(C.names)


def test_kinds_are_ordered_by_price() -> None:
    """TT-C1  Kinds are ordered from cheap to expensive, and another order is refused."""
    check_refused_file("TT-C1", "testament", ('id = "tools"', 'id = "hammers"'))
    check_refused_file("TT-C1", "testament.art", ("create = 8", "create = 3"), ("deaths = 2", "deaths = 1"))
    check_refused_file("TT-5.2", "testament.tools", ("preserve = 2", "preserve = 0"))
    check_refused_file("TT-4.4", "testament.tools", ("deaths = 1", "deaths = -1"))


def test_a_temple_can_show_three_dots() -> None:
    """TT-C2  Cards on which no section can show three dots are refused for a Temple."""
    check_refused_file("TT-C2", "testament.temple", ("sections = [3, 2, 2,", "sections = [2, 2, 2,"))


def test_dearer_kinds_last_longer() -> None:
    """TT-C3  A more expensive kind has more sections."""
    check_refused_file("TT-C3", "testament.tools", (sections("tools"), "sections = []"))
    check_refused_file("TT-C3", "testament.art", (sections("art"), "sections = [3, 3, 1]"))


def test_dots_of_a_section_and_of_a_card() -> None:
    """TT-C4  The dots of a section and of a whole card are within limits."""
    check_refused_file("TT-C4", "testament.tools", (sections("tools"), "sections = [1, 4, 1, 0]"))
    check_refused_file("TT-C4", "testament.art", (sections("tools"), "sections = [3, 3, 3, 3, 3, 3, 3, 3]"))


def test_the_top_section_has_a_dot() -> None:
    """TT-C5  The top section has at least one dot."""
    check_refused_file("TT-C5", "testament.tools", (sections("tools"), "sections = [0, 1, 1, 0]"))


def test_deaths_do_not_exceed_builders() -> None:
    """TT-C6  With any number of Art, no more pieces die than build."""
    check_refused_file("TT-C6", "testament.tools", ("deaths = 1", "deaths = 3"))


def test_derived_tables_in_the_file_must_agree() -> None:
    """TT-C7  A derived table in the file is accepted if it is right, and named if it is wrong."""
    rows = "\n".join(f"{KINDS[kind]} = {list(C.preserve_cost[kind])}" for kind in range(5))
    GAME.with_components(edit_file(more=f"\n[preserve_cost]\n{rows}\n"))
    wrong = rows.replace("[10, 5, 3, 2]", "[10, 5, 2, 2]")
    check_refused_file("TT-C7", "preserve_cost.monument", more=f"\n[preserve_cost]\n{wrong}\n")
    GAME.with_components(edit_file(more="\n[convert_cost_by_temples]\ncost = [0, 4, 2, 1]\n"))
    free = rows.replace("[2, 1, 1, 1]", "[2, 0, 1, 1]")
    check_refused_file("TT-C7", "preserve_cost.tools.1", more=f"\n[preserve_cost]\n{free}\n")
    check_refused_file("TT-C7", "convert_cost_by_temples", more="\n[convert_cost_by_temples]\ncost = [0, 4, 2, 2]\n")


@pytest.mark.parametrize(
    ("constraint", "old", "new"),
    [
        ("TT-6.1", "sire_cost = 2", "sire_cost = 0"),
        ("TT-6.1", "sire_zones = 3", "sire_zones = -1"),
        ("TT-1.2", "testament_spaces = 3", "testament_spaces = 0"),
        ("TT-R8", "cards_per_kind = 3", "cards_per_kind = 2"),
        ("TT-R3", "max_followers = 30", "max_followers = 300"),
        ("TT-R3", "max_shamans = 10", "max_shamans = 48"),
        ("TT-1.3", "start_followers = 20", "start_followers = 31"),
        ("TT-3.5", "[3, 4]", "[4, 3]"),
        ("TT-4.4", "burial_deaths_saved = 1", "burial_deaths_saved = -1"),
        ("TT-3.2", "monument_shaman_power = 1", "monument_shaman_power = -1"),
        ("TT-14.1", "players = [2, 3, 4, 5]", "players = [1, 2]"),
        ("TT-14.1", "players = [2, 3, 4, 5]", "players = [3, 2]"),
        ("TT-14.1", "rounds = [20, 15, 10]", "rounds = []"),
        ("TT-14.1", "rounds = [20, 15, 10]", "rounds = [20, 72]"),
        ("TT-14.1", "mercy = [false, true]", "mercy = [false]"),
        ("TT-14.3", "mercy_pieces = 4", "mercy_pieces = 31"),
    ],
)
def test_unplayable_files_are_refused(constraint: str, old: str, new: str) -> None:
    check_refused_file(constraint, "", (old, new))


@pytest.mark.parametrize(
    "change",
    [
        ("create = 4", "create = 5"),
        ("preserve = 10", "preserve = 12"),
        (sections("tools"), "sections = [1, 1, 1, 0, 1]"),
        (sections("monument"), "sections = [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]"),
        ("art_create_share = [3, 4]", "art_create_share = [2, 3]"),
        ("start_followers = 20", "start_followers = 12"),
        ("rounds = [20, 15, 10]", "rounds = [12, 6]"),
        ("monument_shaman_power = 1", "monument_shaman_power = 2"),
    ],
)
def test_editing_the_file_is_enough_for_a_new_edition(change: tuple[str, str]) -> None:
    """A changed cost, section, dot or limit gives a playable game."""
    game = GAME.with_components(edit_file(change))
    assert game.file.hash != GAME.file.hash
    for seats in game.seats:
        s = game.deal(seats, 3)
        assert rollout(s, Rng(3), game.max_decisions) > 0
        assert s.over


def test_more_spaces_than_printed() -> None:
    """Four spaces and four cards of each kind also extend costs and board."""
    game = GAME.with_components(
        edit_file(("testament_spaces = 3", "testament_spaces = 4"), ("cards_per_kind = 3", "cards_per_kind = 4"))
    )
    assert len(game.components.preserve_cost[0]) == 5
    s = game.deal(3, 1)
    rollout(s, Rng(1), game.max_decisions)
    assert s.over
    assert len(GAME.scores(s)) == 3


def test_the_file_names_its_sources() -> None:
    assert Path(HERE / "data" / "components.toml").exists()
    for row in GAME.file.rows("testament"):
        assert row.text("source") == "rulebook"
        assert row.text("sections_source") == "reconstructed"
