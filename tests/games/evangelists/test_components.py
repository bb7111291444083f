"""Tests that the components file keeps AE-C1 to AE-C19, and that a file that breaks one is refused with its name."""

import re
from importlib import resources

import pytest

from tests.edited_components import printed_faults
from tests.games.evangelists.table import C
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents
from triclinium.games.evangelists.game import GAME, EvangelistsGame
from triclinium.i18n.po import make_message_key

TEXT = (resources.files("triclinium.games.evangelists") / "data" / "components.toml").read_text(encoding="utf-8")


def check_broken(text: str, constraint: str, entry: str) -> None:
    """Check that the edited text is refused as the printed game with the constraint and the entry."""
    assert text != TEXT
    told = printed_faults(GAME, text)
    assert any(said.startswith(f"{constraint}: ") and entry in said for said in told), told


def edit(old: str, new: str) -> str:
    """Return the text with the first occurrence of a line replaced."""
    assert old in TEXT
    return TEXT.replace(old, new, 1)


def card(text: str, number: int, field: str) -> re.Match[str]:
    """Return the line of a field in the entry of a tradition."""
    found = re.compile(rf"^num = {number}\n(?:.+\n)*?{field} = (.+)$", re.MULTILINE).search(text)
    assert found is not None
    return found


def change(text: str, number: int, field: str, value: str) -> str:
    """Return the text with another value in a field of a tradition."""
    found = card(text, number, field)
    return text[: found.start(1)] + value + text[found.end(1) :]


def swap(field: str, one: int, other: int) -> str:
    """Return the text with the values of a field swapped between two traditions."""
    text = change(TEXT, one, field, card(TEXT, other, field)[1])
    return change(text, other, field, card(TEXT, one, field)[1])


def redirect(a: str, b: str, new: str) -> str:
    """Return the text with one end of a line moved to another place."""
    return edit(f'a = "{a}"\nb = "{b}"', f'a = "{a}"\nb = "{new}"')


def test_the_file_keeps_every_constraint() -> None:
    """AE-C1 to AE-C19  The shipped file keeps AE-C1 to AE-C19 and is accepted."""
    c = EvangelistsGame(ComponentsFile(TEXT, "components.toml")).components
    assert len(c.numbers) == 36


def test_traditions_are_numbered_in_order() -> None:
    """AE-C1  The 36 traditions are numbered 1 to 36 in the order of the events."""
    check_broken(edit("num = 36", "num = 35"), "AE-C1", "tradition")


def test_boxes_take_all_cards() -> None:
    """AE-C1, AE-1.6  Each of nine cities gets four cards, and no card is left over."""
    check_broken(edit("cards_per_city_box = 4", "cards_per_city_box = 3"), "AE-C1", "cards_per_city_box")


def test_each_witness_is_on_the_stated_number_of_cards() -> None:
    """AE-C2  Peter, Andrew, Matthew and John are on 11 cards each, and the other witnesses on 8."""
    check_broken(change(TEXT, 7, "witnesses", '["andrew", "john", "mother"]'), "AE-C2", "peter")


def test_the_cards_have_84_circles() -> None:
    """AE-C3  A tenth witness on eight cards would respect AE-C2, but makes more than 84 circles."""
    tenth = TEXT[TEXT.index('[[witness]]\nid = "joanna"') : TEXT.index("# Themes")]
    text = TEXT.replace(tenth, tenth + tenth.replace('"joanna"', '"susanna"'), 1)
    for number in range(1, 9):
        text = change(text, number, "witnesses", card(text, number, "witnesses")[1].replace("]", ', "susanna"]'))
    check_broken(text, "AE-C3", "92")


def test_each_card_has_four_symbols() -> None:
    """AE-C4  A card has two motifs and two circles, or one motif and three circles."""
    check_broken(swap("motifs", 1, 2), "AE-C4", "tradition.1:")


def test_motifs_are_on_twelve_cards() -> None:
    """AE-C5  Each motif is on exactly 12 cards."""
    check_broken(change(TEXT, 4, "motifs", '["palm"]'), "AE-C5", "palm")


def test_motifs_meet_on_one_to_four_cards() -> None:
    """AE-C5  Each pair of motifs occurs together on 1 to 4 cards."""
    text = change(TEXT, 15, "motifs", '["palm", "clash"]')  # a fifth card with both motifs
    text = change(text, 9, "motifs", '["crown", "feet"]')  # each motif is still on twelve cards
    check_broken(text, "AE-C5", "motif.clash: must be on 1 to 4 cards together with palm")


def test_themes_lead_six_cards() -> None:
    """AE-C6  Each theme is the first of 6 cards and the second of one or two others."""
    check_broken(change(change(TEXT, 1, "theme_lead", '"human"'), 1, "back", '"teal"'), "AE-C6", "human")


def test_themes_are_second_on_one_or_two_cards() -> None:
    """AE-C6  A theme that is second on no card, or on three, is refused."""
    check_broken(change(TEXT, 1, "theme_second", '"son"'), "AE-C6", "son")
    check_broken(change(change(TEXT, 8, "theme_second", '""'), 22, "theme_second", '""'), "AE-C6", "son")


def test_a_card_has_no_theme_twice() -> None:
    """AE-C6  The first and the second theme of a card must differ."""
    check_broken(change(TEXT, 10, "theme_second", '"son"'), "AE-C6", "tradition.10:")


def test_backs_show_the_leading_theme() -> None:
    """AE-C6, AE-R3  The back of a card has the colour of its first theme."""
    check_broken(change(TEXT, 1, "back", '"red"'), "AE-C6", "tradition.1:")


def test_no_two_cards_are_equal() -> None:
    """AE-C7  No two cards have both the same motifs and the same circles."""
    check_broken(swap("motifs", 1, 21), "AE-C7", "tradition.21:")


def test_themes_meet_motifs() -> None:
    """AE-C8  Each theme is together with each motif on 1 to 6 cards."""
    text = TEXT
    for number in range(1, 37):
        if '"human"' in (card(text, number, "theme_lead")[1], card(text, number, "theme_second")[1]):
            text = change(text, number, "motifs", '["palm"]')
    check_broken(text, "AE-C8", "theme.human: must be on 1 to 6 cards together with coin")


def test_themes_meet_witnesses() -> None:
    """AE-C8  Each theme is together with each witness on at most 5 cards."""
    text = TEXT
    for number in range(1, 37):
        if card(text, number, "theme_lead")[1] == '"messiah"':
            text = change(text, number, "witnesses", '["matthew", "john"]')
    check_broken(text, "AE-C8", "theme.messiah: must be on at most 5 cards together with matthew")


def test_motifs_meet_witnesses() -> None:
    """AE-C8  Each motif is together with each witness on at least one card."""
    check_broken(swap("motifs", 1, 10), "AE-C8", "witness.clopas: must be on at least one card together with crown")


def test_themes_share_four_cards_at_most() -> None:
    """AE-C9  Two themes are together on at most 4 cards."""
    text = TEXT
    for number in range(1, 37):
        if card(text, number, "theme_lead")[1] == '"human"':
            text = change(text, number, "theme_second", '"son"')
    check_broken(text, "AE-C9", "theme.human: must be on at most 4 cards together with son")


def test_each_half_of_the_story_has_every_motif() -> None:
    """AE-C10  The cards 1-18 and the cards 19-36 have each motif at least four times."""
    check_broken(swap("motifs", 8, 20), "AE-C10", "palm")


def test_each_half_of_the_story_has_every_theme() -> None:
    """AE-C10  The cards 1-18 and the cards 19-36 have each theme at least three times."""
    check_broken(change(TEXT, 24, "theme_second", '""'), "AE-C10", "prophet")


def test_each_half_of_the_story_has_every_witness() -> None:
    """AE-C10  The cards 19-36 have each witness at least twice."""
    check_broken(swap("witnesses", 3, 20), "AE-C10", "andrew")


def test_each_line_is_listed_once() -> None:
    """AE-C11  A line between the same two places is listed only once."""
    check_broken(redirect("rome", "syracuse", "rhegium"), "AE-C11", "rome to rhegium")


def test_a_place_has_two_to_four_lines() -> None:
    """AE-C11  Every space has at least two lines."""
    check_broken(redirect("alexandria", "paraetonium", "rome"), "AE-C11", "paraetonium")


def test_a_place_is_a_city_or_a_waypoint() -> None:
    """AE-C11  The file must have nine cities and ten waypoints."""
    check_broken(edit('kind = "city"', 'kind = "island"'), "AE-C11", "rome")
    check_broken(edit('kind = "waypoint"', 'kind = "city"'), "AE-C11", "place")


def test_cities_are_at_most_six_lines_apart() -> None:
    """AE-C12  Every city has two to five other cities within two spaces, and the greatest distance is 6."""
    check_broken(redirect("jerusalem", "gaza", "attalia"), "AE-C12", "place: ")


def test_a_displaced_boat_has_one_to_five_destinations() -> None:
    """AE-C13  A displaced boat always has a nearest city: the one left behind is among the nearest two (AE-C12)."""
    rides = 0
    most = 0
    for placing in range(1 << C.cities):
        if placing.bit_count() != 3:
            continue
        for city in range(C.cities):
            for goal in C.sail_targets[city]:
                if (placing >> city) & 1 and (placing >> goal) & 1:
                    goals = C.find_nearest_free(goal, placing & ~(1 << city))
                    assert goals
                    assert not any((placing & ~(1 << city)) >> other & 1 for other in goals)
                    most = max(most, len(goals))
                    rides += 1
    assert (rides, most) == (196, 5)


def test_boats_start_in_cities() -> None:
    """AE-C14  There are three boats, in Rome, Ephesus and Caesarea."""
    check_broken(edit('"ephesus", "caesarea"]', '"ephesus", "corinth"]'), "AE-C14", "corinth")
    check_broken(edit('"ephesus", "caesarea"]', '"ephesus", "gaza"]'), "AE-C14", "gaza")
    check_broken(edit('"ephesus", "caesarea"]', '"ephesus"]'), "AE-C14", "boats_start")


def test_there_are_fifteen_cubes() -> None:
    """AE-C15  There are 6 white cubes in the bag, 2 black ones in the bag and 7 black ones in the supply."""
    check_broken(edit("white_in_bag = 6", "white_in_bag = 5"), "AE-C15", "status_cubes")
    check_broken(edit("status_cubes = 15", "status_cubes = 16"), "AE-C15", "status_cubes")


def test_every_witness_can_have_a_black_cube() -> None:
    """AE-C15  There are nine black cubes, one for each witness, so the bag is never empty at a draw."""
    text = edit("white_in_bag = 6", "white_in_bag = 7").replace("black_in_supply = 7", "black_in_supply = 6", 1)
    check_broken(text, "AE-C15", "status_cubes")


def test_the_bag_keeps_two_black_cubes() -> None:
    """AE-C15  The bag starts with two black cubes, the number to which it is refilled."""
    text = edit("black_in_bag = 2", "black_in_bag = 3").replace("black_in_supply = 7", "black_in_supply = 6", 1)
    check_broken(text, "AE-C15", "status_cubes")
    check_broken(edit("black_target_in_bag = 2", "black_target_in_bag = 3"), "AE-C15", "status_cubes")


def test_each_player_uses_five_leaves() -> None:
    """AE-C16  There are 25 leaves with five players, and 20, 15 and 10 with fewer.

    A leaf on Game End would reach nobody.
    """
    check_broken(edit("codex_leaves = 25", "codex_leaves = 24"), "AE-C16", "codex_leaves")
    check_broken(leaf_on(1, True), "AE-C16", "codex_leaves")
    check_broken(leaf_on(4, False), "AE-C16", "codex_leaves")
    check_broken(leaf_on(6, True, leaf_on(4, False)), "AE-C16", "codex_leaves")


def leaf_on(position: int, leaf: bool, text: str = TEXT) -> str:
    """Return the text with or without a leaf on a space of the time track."""
    found = re.compile(rf"^pos = {position}\n(?:label.*\n)+leaf = (.+)$", re.MULTILINE).search(text)
    assert found is not None
    return text[: found.start(1)] + str(leaf).lower() + text[found.end(1) :]


def test_there_are_as_many_tokens_as_players() -> None:
    """AE-C17  Each player except the stenographer gets a token, and the last player one more."""
    check_broken(edit("each_other_player = 1", "each_other_player = 2"), "AE-C17", "follow_tokens")
    check_broken(edit("follow_tokens = 5", "follow_tokens = 4"), "AE-C17", "follow_tokens")
    check_broken(edit('left_in_box = { "2" = 3', 'left_in_box = { "2" = 2'), "AE-C17", "follow_tokens")


def test_the_track_gives_the_rounds() -> None:
    """AE-C18  A match of six rounds begins on the space "2-4", five on "5"."""
    check_broken(edit('"5" = 5 }', '"5" = 6 }'), "AE-C18", "game.rounds")
    check_broken(edit("pos = 3", "pos = 2"), "AE-C18", "time_track.space.3")


def test_the_knowledge_check_has_its_answer() -> None:
    """AE-C19  The gospel of the Knowledge Check has the levels 1, 1, 2, 5, and 0, 0, 1, 4 before card 29."""
    check_broken(edit("answer = { inclusio = 1", "answer = { inclusio = 2"), "AE-C19", "answer")
    check_broken(edit("chronology = 4 }", "chronology = 5 }"), "AE-C19", "before_adding")


def test_a_turn_can_pay_a_strong_action() -> None:
    """AE-2.3  A strong action may not cost less than a weak one."""
    check_broken(edit("cost_strong = 2", "cost_strong = 4"), "AE-2.3", "game")
    check_broken(edit("cost_weak = 1", "cost_weak = 3"), "AE-2.3", "game")
    check_broken(edit("octagons_per_turn = 3", "octagons_per_turn = 1"), "AE-2.3", "game")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("cost_weak = 1", 'cost_weak = "one"', "cost_weak must be a whole number"),
        ('b = "rhegium"', 'b = "atlantis"', "b names 'atlantis'"),
        ("octagons_per_turn = 3\n", "", "octagons_per_turn is missing"),
        ('motifs = ["crown", "feet"]', 'motifs = ["crown", "fish"]', "motifs names 'fish'"),
    ],
)
def test_a_wrong_field_is_reported(old: str, new: str, said: str) -> None:
    """The message names the entry and the field."""
    with pytest.raises(BadComponents, match=said):
        EvangelistsGame(ComponentsFile(edit(old, new), "edited.toml"))


def test_distances_between_cities() -> None:
    """AE-R41  Distances count the lines on a shortest path, through cities and waypoints alike."""
    cities = ("rome", "thessalonica", "corinth", "ephesus", "antioch", "caesarea", "jerusalem", "alexandria", "cyrene")
    rows = (
        (0, 4, 2, 3, 5, 5, 5, 3, 2),
        (4, 0, 2, 2, 4, 5, 6, 4, 4),
        (2, 2, 0, 1, 3, 4, 4, 2, 2),
        (3, 2, 1, 0, 2, 3, 4, 2, 3),
        (5, 4, 3, 2, 0, 2, 3, 3, 5),
        (5, 5, 4, 3, 2, 0, 1, 2, 4),
        (5, 6, 4, 4, 3, 1, 0, 2, 4),
        (3, 4, 2, 2, 3, 2, 2, 0, 2),
        (2, 4, 2, 3, 5, 4, 4, 2, 0),
    )
    numbers = [C.place_ids.index(city) for city in cities]
    assert [tuple(C.distance[a][b] for b in numbers) for a in numbers] == list(rows)


def test_eight_cards_match_each_theme() -> None:
    """AE-R3  Eight cards match each theme. Twelve cards match two themes, and their backs show only the first."""
    for theme in range(6):
        assert sum((mask >> theme) & 1 for mask in C.themes) == 8
        assert C.back.count(theme) == 6
    assert all((mask >> back) & 1 for mask, back in zip(C.themes, C.back, strict=True))


def test_everything_has_a_french_name() -> None:
    """The catalogue has every name, also names that are equal in French."""
    french = GAME.words.reader("fr")
    names = [*C.titles, *C.references, *C.witness_names, *C.theme_names, *C.motif_names, *C.place_names]
    assert all(make_message_key(name.text, name.context) in french.catalogue for name in names)
    written = [*C.titles, *C.references, *C.witness_names, *C.theme_names]
    assert all(french.format_arg(name) != name.text for name in written)
