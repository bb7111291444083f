"""Tests that the components file keeps LM-C1 to LM-C17, and that a file that breaks one is refused with its name."""

import re
from importlib import resources

import pytest

from tests.edited_components import printed_faults
from tests.games.missionnaires.table import C
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents, BadSetup
from triclinium.games.missionnaires.game import GAME, MissionnairesGame

TEXT = (resources.files("triclinium.games.missionnaires") / "data" / "components.toml").read_text(encoding="utf-8")


def check_broken(text: str, constraint: str, entry: str) -> None:
    """Check that the edited text is refused as the printed game with the constraint and the entry."""
    assert text != TEXT
    told = printed_faults(GAME, text)
    assert any(said.startswith(f"{constraint}: ") and entry in said for said in told), told


def edit(old: str, new: str, text: str = TEXT) -> str:
    """Return the text with the first such part replaced."""
    assert old in text, old
    return text.replace(old, new, 1)


def field(identity: str, name: str, value: str, text: str = TEXT) -> str:
    """Return the text with another value in a field of an entry."""
    found = re.search(rf'^  {{ id = "{identity}",.*?\b{name} = ("[^"]*"|\[[^\]]*\]|[-\w.]+)', text, re.MULTILINE)
    assert found is not None
    return text[: found.start(1)] + value + text[found.end(1) :]


def remove_lines(line: str, text: str = TEXT) -> str:
    """Return the text without the lines that begin with this one."""
    kept = [other for other in text.splitlines() if not other.startswith(line)]
    assert len(kept) < len(text.splitlines())
    return "\n".join(kept) + "\n"


def test_the_file_keeps_every_constraint() -> None:
    """LM-C1 to LM-C17  The shipped file keeps every constraint."""
    c = MissionnairesGame(ComponentsFile(TEXT, "components.toml")).components
    assert (c.spaces, len(c.congregations), len(c.card_ids)) == (143, 48, 72)


def test_c1_kinds_and_ids() -> None:
    """LM-C1  Spaces of each kind are counted, and ids are unique."""
    check_broken(field("bou", "kind", '"gendarmerie"'), "LM-C1", "gendarmerie")
    check_broken(field("bou", "kind", '"bethel"'), "LM-C1", "bethel")
    check_broken(edit('{ id = "aux"', '{ id = "lrh"'), "LM-C1", "lrh")


def test_c2_grid() -> None:
    """LM-C2  Every space is in its cell of the grid."""
    check_broken(field("lyo", "grid", '"C3"'), "LM-C2", "lyo")
    check_broken(edit("north = 50.0", "north = 45.0"), "LM-C2", "space")
    moved = field("bou", "grid", '"A2"', field("bou", "lon", "1.9"))
    check_broken(moved, "LM-C2", "bou")


def test_c3_congregation_cards() -> None:
    """LM-C3  Each congregation has one card, and the deals are possible."""
    check_broken(remove_lines('  { id = "k01"'), "LM-C3", "congregations")
    check_broken(field("k01", "grid", '"B3"'), "LM-C3", "k01")
    check_broken(field("k01", "name", '"Lyons"'), "LM-C3", "k01")
    check_broken(edit("p3 = 8", "p3 = 7"), "LM-C3", "p3")


def test_c4_gendarmes() -> None:
    """LM-C4  There are eight gendarmes, each at home in a gendarmerie."""
    check_broken(field("g1", "home", '"tls"'), "LM-C4", "gendarmes")
    check_broken(remove_lines('  { a = "per", b = "bar"'), "LM-C4", "per")


def test_c5_cards() -> None:
    """LM-C5  Both decks have the right size and known effects."""
    check_broken(remove_lines('  { id = "t01"'), "LM-C5", "territories")
    check_broken(field("t29", "bon", "false"), "LM-C5", "territories")
    check_broken(field("t11", "places", '["rom", "s01"]'), "LM-C5", "t11")
    check_broken(field("t13", "to", '"s01"'), "LM-C5", "t13")
    check_broken(field("m01", "effect", '"goto"'), "LM-C5", "m01")
    check_broken(field("t29", "window", '"own_coup"'), "LM-C5", "t29")
    with pytest.raises(BadComponents, match="t18"):
        MissionnairesGame(ComponentsFile(field("t18", "who", '"e"'), "edited.toml"))


def test_c6_edges() -> None:
    """LM-C6  Roads join land spaces, and lanes touch a sea point."""
    check_broken(
        edit('{ a = "ouj", b = "fes", kind = "road" }', '{ a = "ouj", b = "s01", kind = "road" }'), "LM-C6", "ouj"
    )
    check_broken(
        edit('{ a = "ouj", b = "fes", kind = "road" }', '{ a = "ouj", b = "fes", kind = "sea" }'), "LM-C6", "ouj"
    )
    doubled = '{ a = "ouj", b = "fes", kind = "road" },\n  { a = "fes", b = "ouj", kind = "road" }'
    check_broken(edit('{ a = "ouj", b = "fes", kind = "road" }', doubled), "LM-C6", "fes-ouj")
    check_broken(
        edit('{ a = "s17", b = "ben", kind = "sea" }', '{ a = "s17", b = "syr", kind = "sea" }'), "LM-C6", "syr"
    )


def test_c7_ports() -> None:
    """LM-C7  Ports have lanes, and no other land space has one."""
    check_broken(field("lyo", "port", "true"), "LM-C7", "lyo")
    check_broken(field("s01", "port", "true"), "LM-C7", "s01")


def test_c8_no_cut_space() -> None:
    """LM-C8  No single space separates others from the Bethel."""
    check_broken(remove_lines('  { a = "lrh", b = "bor"'), "LM-C8", "bet")


def test_c9_the_mainland() -> None:
    """LM-C9  A missing road leaves a space with a single edge, or divides the mainland."""
    check_broken(remove_lines('  { a = "bar", b = "val"'), "LM-C9", "val")


def test_c10_islands() -> None:
    """LM-C10  Islands have no roads."""
    check_broken(
        edit('{ a = "ouj", b = "fes", kind = "road" }', '{ a = "ouj", b = "pal", kind = "road" }'), "LM-C10", "pal"
    )
    check_broken(remove_lines('  { a = "s05", b = "pal"'), "LM-C10", "pal")


def test_c11_sea_points() -> None:
    """LM-C11  Each sea point has at least two lanes."""
    check_broken(remove_lines('  { a = "s05", b = "val"'), "LM-C7", "val")
    check_broken(remove_lines('  { a = "s24", b = "tob"', field("tob", "port", "false")), "LM-C11", "s24")


def test_c12_distances() -> None:
    """LM-C12  An additional road changes the largest distance between two spaces."""
    short = '{ a = "ouj", b = "fes", kind = "road" },\n  { a = "bet", b = "jer", kind = "road" }'
    check_broken(edit('{ a = "ouj", b = "fes", kind = "road" }', short), "LM-C12", "edges")
    far = [C.distance[C.bethel][space] for space in C.congregation_at]
    assert (min(far), max(far), max(max(row) for row in C.distance)) == (2, 21, 26)


def test_c13_mainland_congregations_are_reached_by_road() -> None:
    """LM-C13  Roads lead to all congregations except those on the eight islands."""
    assert sum(not C.roads[space] for space in C.congregation_at) == 8


def test_c14_the_bethel() -> None:
    """LM-C14  The Bethel is no port and has at least three roads."""
    fewer = TEXT
    for town in ("gre", "nim", "bay", "lrh"):
        fewer = fewer.replace(f'{{ a = "bet", b = "{town}"', f'{{ a = "bou", b = "{town}"')
    check_broken(fewer, "LM-C14", "bet")
    assert not C.port[C.bethel]
    assert [C.ids[a] for a in C.roads[C.bethel]] == ["bou", "lrh", "aux", "gre", "nim", "bay"]


def test_c15_periodicals() -> None:
    """LM-C15  The sentence names the wrong number."""
    few = edit("periodicals_total = 32", "periodicals_total = 31")
    check_broken(few, "LM-C15", "game.periodicals_total: is 31, but 4 players may hold 8 each")
    many = edit("periodicals_start = 8", "periodicals_start = 9")
    check_broken(many, "LM-C15", "game.periodicals_start: is 9, but a player may hold at most 8")
    check_broken(edit("alone = 1", "alone = 2"), "LM-C15", "move")


def test_the_players_are_those_of_the_file() -> None:
    """LM-1.1  An edition for three or four players refuses two."""
    game = MissionnairesGame(ComponentsFile(edit("players_min = 2", "players_min = 3"), "edited.toml"))
    assert game.seats == (3, 4)
    with pytest.raises(BadSetup, match="3 to 4 seats, not 2"):
        game.deal(2, 1)
    only = edit("players_max = 4", "players_max = 2", edit("players_min = 2", "players_min = 3"))
    check_broken(only, "LM-1.1", "players_min: is 3, more than the largest number of players, 2")


def test_c16_names() -> None:
    """LM-C16  The file is in English. The catalogue has the printed French (test_printed_names.py)."""
    check_broken(field("t01", "text", '" "'), "LM-C16", "t01")
    check_broken(field("t02", "name", f'"{C.card_names[0].text}"'), "LM-C16", "territories")
    with pytest.raises(BadComponents, match="name is missing"):
        MissionnairesGame(ComponentsFile(edit('name = "Dijon", ', ""), "edited.toml"))


def test_c17_balance() -> None:
    """LM-C17  Helpful, neutral and harmful cards are balanced."""
    check_broken(field("t01", "effect", '"gain"'), "LM-C17", "territories")
    check_broken(field("m01", "effect", '"stop"'), "LM-C17", "sea")


def test_distances_are_a_table() -> None:
    """LM-R16  Distances count roads and lanes alike. For bots a lane costs more than a road."""
    a, b = C.ids.index("mrs"), C.ids.index("s08")
    assert C.distance[a][b] == 2
    assert C.travel[a][b] == 46
    assert all(C.distance[x][y] == C.distance[y][x] for x in range(0, 143, 7) for y in range(143))
