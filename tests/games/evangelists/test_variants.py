"""Tests of variants: the rulebook's (AE-12) and the table options of rulings."""

from importlib import resources

import pytest

from tests.games.evangelists.table import C, box, deal_match, describe_asked, options, play, refused, table
from triclinium.boardkit.preview import preview_option
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents, BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.match import Match
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.game import EvangelistsGame
from triclinium.games.evangelists.rules.refusals import COLOUR_TAKEN
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.ui.view import EvangelistsView


def faces(s: Evangelists, seat: int | None, city: str) -> list[int | None]:
    """Return a viewer's places of a box: a number, or None for a back or an empty place."""
    return numbers(GAME.view(s, seat), city)


def numbers(view: EvangelistsView, city: str) -> list[int | None]:
    box = view.cities[C.place_ids.index(city)].box
    return [None if card is None or card.card is None else C.numbers[card.card] for card in box]


def test_defaults() -> None:
    """AE-R21, AE-R28, AE-R33, AE-R34, AE-R39  These are the options of a table that chooses nothing."""
    assert GAME.complete_variants({}) == {
        "emphasis_once_per_motif": False,
        "theme_needs_match": False,
        "boat_after_last_octagon": False,
        "memory_aid": True,
        "pick_pawn_colour": False,
        "stenographer": "random",
    }


def test_defaults_are_in_the_components_file() -> None:
    """AE-R21, AE-R28, AE-R33, AE-R34, AE-R39  An edition may have other defaults. An invalid one is named."""
    text = (resources.files("triclinium.games.evangelists") / "data" / "components.toml").read_text("utf-8")
    other = EvangelistsGame(ComponentsFile(text.replace("memory_aid = true", "memory_aid = false"), "edited.toml"))
    assert other.complete_variants({}) == {**GAME.complete_variants({}), "memory_aid": False}
    assert other.complete_variants({"memory_aid": True}) == GAME.complete_variants({})
    for old, new, said in (
        ('stenographer = "random"', 'stenographer = "eldest"', "AE-R33: options.stenographer"),
        ("theme_needs_match = false", "theme_needs_match = 0", "theme_needs_match must be true or false, not 0"),
        ("pick_pawn_colour = false\n", "", "AE-R34: options.pick_pawn_colour"),
    ):
        with pytest.raises(BadComponents, match=said):
            EvangelistsGame(ComponentsFile(text.replace(old, new), "edited.toml"))


def test_pawns_by_theme_colour() -> None:
    """AE-12.1, AE-R34  By default players are not asked for a colour."""
    s = deal_match(seats=3)
    assert describe_asked(s).endswith("StartCity")
    assert s.colour == s.theme


def test_players_pick_colours() -> None:
    """AE-R34  Each player picks a free colour just before choosing the starting city."""
    s = deal_match(seats=2, variants={"pick_pawn_colour": True, "stenographer": 0})
    assert describe_asked(s) == "0 PickColour"
    assert len(options(s)) == 6
    play(s, "colour human")
    assert describe_asked(s) == "0 StartCity"
    play(s, "start rome")
    assert describe_asked(s) == "1 PickColour"
    refused(s, "colour human", COLOUR_TAKEN)
    assert len(options(s)) == 5
    play(s, "colour son", "start corinth")
    assert s.colour == [C.theme_ids.index("human"), C.theme_ids.index("son")]
    assert describe_asked(s) == "0 ChooseAction"


def test_the_stenographer_is_random() -> None:
    """AE-R33  Every seat can be chosen."""
    assert {deal_match(seats=4, seed=seed).stenographer for seed in range(40)} == {0, 1, 2, 3}


def test_the_host_names_the_stenographer() -> None:
    """AE-R33  The host may name the stenographer, who must be a seat of the table."""
    for seat in range(3):
        assert deal_match(seats=3, variants={"stenographer": seat}).stenographer == seat
    with pytest.raises(BadSetup, match="AE-R33"):
        deal_match(seats=3, variants={"stenographer": 3})


def test_the_table_shows_seen_cards() -> None:
    """AE-R39  With the memory aid, players see faces that they saw before. Other players and spectators do not."""
    s = table(seats=2, pawns=["corinth", "rome"], boxes={"corinth": [5, 14, 22, 31]}, tokens=[0, 0])
    play(s, "tradition", "keep 2", "none", "slot 1", "face 3", "end")
    assert faces(s, 0, "corinth") == [5, 14, None, 31]
    assert faces(s, 1, "corinth") == faces(s, None, "corinth") == [None, None, None, 31]


def test_a_card_once_face_up_is_known_to_all() -> None:
    """AE-R39  A card that was once face up is known to all, also to spectators and when it is face down again."""
    s = table(seats=2, pawns=["corinth", "rome"], boxes={"corinth": [5, 14, 22, 31]}, face_up={"corinth": 1})
    play(s, "tradition", "none", "face 0")
    assert faces(s, 1, "corinth") == faces(s, None, "corinth") == [5, 14, None, None]


def test_players_must_remember() -> None:
    """AE-R39  Without the memory aid the table shows a box only while a player holds its cards.

    Face-up cards are always shown.
    """
    s = table(
        seats=2,
        pawns=["corinth", "rome"],
        boxes={"corinth": [5, 14, 22, 31]},
        face_up={"corinth": 1},
        tokens=[0, 0],
        variants={"memory_aid": False},
    )
    play(s, "tradition")
    assert faces(s, 0, "corinth") == [5, 14, 22, 31]
    assert faces(s, 1, "corinth") == [None, 14, None, None]
    play(s, "keep 2", "none", "slot 1")
    assert faces(s, 0, "corinth") == [5, 14, None, 31]
    play(s, "face 3", "end")
    assert faces(s, 0, "corinth") == [None, None, None, 31]


@pytest.mark.parametrize("aid", [True, False])
def test_without_the_memory_aid_past_looks_stay_hidden(aid: bool) -> None:
    """AE-R39  An earlier position shows the cards of a box in hand only with the memory aid."""
    s = table(
        seats=2,
        pawns=["corinth", "rome"],
        boxes={"corinth": [5, 14, 22, 31]},
        face_up={"corinth": 1},
        variants={"memory_aid": aid},
    )
    play(s, "tradition")
    seen = [5, 14, 22, 31] if aid else [None, 14, None, None]
    assert numbers(GAME.view_without_reminders(s, 0), "corinth") == seen
    assert numbers(GAME.view_without_reminders(s, 1), "corinth") == [None, 14, None, None]


@pytest.mark.parametrize("aid", [True, False])
def test_a_second_look_costs_its_octagon(aid: bool) -> None:
    """AE-R39, AE-6.1  Neither a preview nor an undo shows the cards of a box again for free."""
    variants = {"memory_aid": aid, "stenographer": 0}
    match = Match(GAME, 2, 1, variants)
    for text in ("start rome", "start corinth", "tradition"):
        match.play(text)
    assert not match.can_undo(0)  # the first look cannot be undone, with or without the memory aid
    for text in ("none", "face 0", "end", "end"):
        match.play(text)
    s = match.state
    foretold = preview_option(GAME, s, 0, GAME.read("tradition"), 1, GAME.words.reader())
    assert [line.what for line in foretold.lines] == ["octagons left"]
    match.play("tradition")
    assert match.can_undo(0) == aid
    match.play("none")
    match.play("face 0")
    assert match.can_undo(0)  # everyone knows that card, and no player holds the box any more
    match.undo(0)
    assert match.can_undo(0) == aid


@pytest.mark.parametrize("aid", [True, False])
def test_a_determinization_keeps_seen_cards(aid: bool) -> None:
    """AE-R39  With or without the aid, other faces are redealt under the same backs."""
    s = table(seats=2, pawns=["corinth", "rome"], tokens=[0, 0], variants={"memory_aid": aid})
    play(s, "tradition", "none", "face 3", "end")
    rng = Rng(5)
    mine = {tuple(box(s.resample(0, rng), "corinth")) for _ in range(20)}
    theirs = {tuple(box(s.resample(1, rng), "corinth")) for _ in range(20)}
    assert mine == {tuple(box(s, "corinth"))}
    assert len(theirs) > 1
    for cards in theirs:
        assert cards[3] == box(s, "corinth")[3]
        assert [C.back[number - 1] for number in cards] == [C.back[number - 1] for number in box(s, "corinth")]


def test_an_unknown_variant_is_refused() -> None:
    """AE-R40  The publisher's simpler scoring is not a variant of this version and is refused."""
    with pytest.raises(BadSetup, match="no variant"):
        deal_match(variants={"simple_scoring": True})
    with pytest.raises(BadSetup, match="AE-R21"):
        deal_match(variants={"emphasis_once_per_motif": 1})
