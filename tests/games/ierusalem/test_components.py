"""Tests of the components file and its constraints (IE-C1 to IE-C20)."""

import re
from pathlib import Path

import pytest

from tests.edited_components import printed_faults
from tests.games.ierusalem.checks import VARIANTS, check_conserved, slow_scores
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.shared_rows import replace_item
from triclinium.games.ierusalem import GAME, game
from triclinium.games.ierusalem.rules.state import Ierusalem

TEXT = (Path(game.__file__).parent / "data" / "components.toml").read_text(encoding="utf-8")


def load_edited(old: str, new: str) -> None:
    """Load the file with one edit."""
    assert old in TEXT
    GAME.with_components(ComponentsFile(TEXT.replace(old, new, 1), "components.toml"))


BROKEN = [
    ("IE-1.1", "table", "seats = [3, 4]", "seats = [4, 3]"),
    ("IE-C1", ".r01", 'id = "r02", location', 'id = "r01", location'),
    ("IE-C2", "cards.red", '"r03", location = "desert"', '"r03", location = "lake"'),
    (
        "IE-C2",
        "cards.green",
        '"g05", location = "mountain", actions = ["favor"]',
        '"g05", location = "mountain", actions = ["fish"]',
    ),
    ("IE-C3", "mahane", '"ma05", location = "desert"', '"ma05", location = "market"'),
    ("IE-C3", ".ad01", '["bread", "invited", "meeting"]', '["bread", "meeting", "invited"]'),
    ("IE-C4", ".r01", 'market = ["go_supper", "parable"]', 'market = ["parable", "go_supper"]'),
    ("IE-C5", ".ma01", '["favor", "go_temple"], apostle_vp = 3', '["favor", "go_temple"], apostle_vp = 4'),
    ("IE-C6", "supper", 'id = "tl", kind = "corner"', 'id = "tl", kind = "back"'),
    (
        "IE-C6",
        ".u3c1",
        'id = "u3c2", kind = "back", row = "U3", x = 2',
        'id = "u3c2", kind = "back", row = "U3", x = 1',
    ),
    ("IE-C6", "supper", 'cost = ["fish"], y = 2', 'cost = ["fish"], y = 4'),
    (
        "IE-C6",
        ".u3c1",
        'id = "u3c1", kind = "back", row = "U3", x = 1, y = 0',
        'id = "u3c1", kind = "back", row = "U3", x = 1, y = 4',
    ),
    ("IE-C6", ".u3c1", 'row = "U3", x = 1', 'row = "U3", x = 9'),
    ("IE-C6", ".t4", 'row = "TT", x = 4', 'row = "TT", x = 3'),
    ("IE-C7", ".s01", 'id = "s01", col = 1', 'id = "s01", col = 2'),
    ("IE-C7", ".s07", 'id = "s07", col = 1, y = 5', 'id = "s07", col = 1, y = 6'),
    ("IE-C7", ".s01", '"u1c1", "u2c1", "u3c1"', '"u1c1", "u3c1", "u2c1"'),
    ("IE-C7", ".s07", 'corner = "bl"', 'corner = ""'),
    (
        "IE-C8",
        ".tl",
        'seat = "s01", distance = 1, cost = ["fish", "fish"]',
        'seat = "s01", distance = 1, cost = ["fish"]',
    ),
    ("IE-C8", ".u3c1", 'distance = 3, cost = ["stone", "stone"]', 'distance = 3, cost = ["stone", "bread"]'),
    ("IE-C8", "column_cost", 'column_cost = ["stone", ', "column_cost = ["),
    ("IE-C9", "column", 'name = "Fish", price = 4', 'name = "Fish", price = 3'),
    ("IE-C10", "unused_colour", 'unused_colour = ["u1c1", "u1c2"', 'unused_colour = ["u1c1", "u1c6"'),
    ("IE-C11", "followers", "followers_per_player = 15", "followers_per_player = 14"),
    ("IE-C12", "supper", 'cost = ["stone", "bread"], reward = "meeting"', 'cost = ["stone", "bread"], reward = "none"'),
    ("IE-C13", ".purple", 'name = "Thaddaeus", colour = "purple"', 'name = "Thaddaeus", colour = "orange"'),
    (
        "IE-C13",
        "columns.3",
        '["james_greater", "thomas", "philip", "matthew"]',
        '["james_greater", "thomas", "philip", "peter"]',
    ),
    ("IE-C13", "columns", "{ id = 2, printed", "{ id = 3, printed"),
    ("IE-C14", "columns.1", 'printed = ["desert", "market", "lake"]', 'printed = ["desert", "desert", "lake"]'),
    ("IE-C14", "tiles_each", "tiles_each = 3", "tiles_each = 2"),
    ("IE-C15", ".desert", "squares = [6, 8]", "squares = [6, 9]"),
    ("IE-C16", "camp", "open_spaces = 15", "open_spaces = 13"),
    ("IE-C17", "stack_vp", "stack_vp = [4, 4, 4, 3]", "stack_vp = [4, 5, 4, 3]"),
    ("IE-C17", "parable_end_vp", "[0, 1, 3, 6, 10, 13, 15, 18]", "[0, 1, 3, 6, 10, 13, 15, 17]"),
    ("IE-C17", "parables", "{ number = 2,", "{ number = 3,"),
    ("IE-C18", "track_vp", "track_vp = [0, 1, 1, 2", "track_vp = [0, 1, 3, 2"),
    ("IE-C18", "favors", 'id = "f8", benefit = ["call_follower"]', 'id = "f8", benefit = ["stone_1"]'),
    ("IE-C19", "tile_spaces", "[3, 6, 9, 12, 15, 19]", "[3, 8, 9, 12, 15, 19]"),
]


@pytest.mark.parametrize(("constraint", "entry", "old", "new"), BROKEN)
def test_a_broken_constraint_is_reported_with_its_entry(constraint: str, entry: str, old: str, new: str) -> None:
    """IE-C1 to IE-C19  BadComponents says which constraint and which entry."""
    assert old in TEXT
    told = printed_faults(GAME, TEXT.replace(old, new, 1))
    assert any(said.startswith(f"{constraint}:") and entry in said for said in told), told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("start_vp = [1, 2, 3, 4]", "start_vp = [1, 2, 3]"),
        ('id = "fish", name', 'id = "wine", name'),
        ('reward = "denarii_2"', 'reward = "gold_2"'),
        ("squares = [6, 8]", "squares = [6]"),
    ],
)
def test_an_unreadable_file_is_refused(old: str, new: str) -> None:
    """Wrong names and missing numbers raise `BadComponents` too."""
    with pytest.raises(BadComponents):
        load_edited(old, new)


def test_each_location_has_room_for_the_set_up() -> None:
    """IE-C15, IE-1.15  Each has eight places with four players, also in an edited file."""
    with pytest.raises(BadComponents, match="4 players, there must be room for two Followers each"):
        load_edited("squares = [6, 8]", "squares = [6, 7]")


def test_numbers_come_from_the_file() -> None:
    """An edited Judas pays other Denarii, and the hash distinguishes the files."""
    edited = GAME.with_components(ComponentsFile(TEXT.replace("judas_denarii = 5", "judas_denarii = 6"), "mine.toml"))
    assert edited.components.judas_denarii == 6
    assert edited.file.hash != GAME.file.hash


def test_the_vp_next_to_jesus_come_from_the_file() -> None:
    """IE-R2  The table option takes the printed figure or none."""
    edited = GAME.with_components(ComponentsFile(TEXT.replace("jesus_end_vp = 7", "jesus_end_vp = 8"), "mine.toml"))
    for option, points in ((7, 8), (0, 0)):
        s = edited.deal(3, 1, {"jesus_vp": option})
        assert isinstance(s, Ierusalem)
        s.supper = replace_item(s.supper, 0, s.supper[0] | edited.components.jesus_spaces)
        assert GAME.scores(s)[0].line_points("jesus") == 4 * points


def test_every_table_has_a_source() -> None:
    """The sources are rulebook, public or reconstructed."""
    for name in GAME.file.data:
        assert GAME.file.row(name).text("source") in ("rulebook", "public", "reconstructed"), name


@pytest.mark.parametrize("variants", VARIANTS, ids=repr)
@pytest.mark.parametrize("seats", [3, 4])
def test_random_matches_keep_every_piece(seats: int, variants: dict[str, object]) -> None:
    """IE-C20  Random matches end and conserve Followers, cards and squares.

    Both ways of scoring agree at every decision.
    """
    if variants.get("start_player", 0) == seats:
        variants = {**variants, "start_player": 0}  # seat 4 does not exist with three players
    for seed in range(4):
        s = GAME.deal(seats, seed, variants)
        assert isinstance(s, Ierusalem)
        rng = Rng(seed + 100)
        made = 0
        while not s.over:
            check_conserved(s)
            s.play(rng.pick(s.options()))
            made += 1
        assert made < GAME.max_decisions
        assert [score.total for score in GAME.scores(s)] == slow_scores(s)
        assert s.marker == GAME.components.last or any(mask.bit_count() == 15 for mask in s.supper[:seats])


@pytest.mark.parametrize("seats", [3, 4])
def test_a_match_ends_even_if_all_players_delay_it(seats: int) -> None:
    """IE-R25  If all Meetings are declined, the stall rule ends the match within 40 rounds and 24 turns."""
    s = GAME.deal(seats, 3)
    assert isinstance(s, Ierusalem)
    c = GAME.components
    while not s.over:
        legal = s.options()
        quiet = [o for o in legal if "meeting" not in GAME.words.reader().read(GAME.words.label(s, o)).lower()]
        s.play((quiet or legal)[0])
    assert s.turns <= 40 * seats + c.last
    assert s.marker == c.last


def test_the_rules_list_reconstructed_numbers() -> None:
    """IE-R1, IE-R2, IE-C17, IE-C19  The rules pages name reconstructed numbers of this edition."""
    c = GAME.components
    for page, heading, and_ in (
        ("rules.en.md", "## Reconstructed details", "and"),
        ("rules.fr.md", "## Détails reconstitués", "et"),
    ):
        text = (Path(game.__file__).parent / "data" / page).read_text(encoding="utf-8")
        ours = " ".join(text.partition(heading)[2].split())
        for numbers in (c.tile_spaces, c.stack_vp):
            *most, last = [str(n) for n in numbers]
            assert f"{', '.join(most)} {and_} {last}" in ours
        for number in (c.last, c.jesus_end_vp):
            assert re.search(rf"\b{number}\b", ours)
