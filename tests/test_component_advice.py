"""Tests of the names, ranges and broken constraints that designers see when they edit numbers."""

import random
import re

import pytest

from tests.edited_components import get_schema
from tests.matches import list_our_games
from tests.shell import Shell
from tests.slow import slow
from tests.test_game_rules import folder_of
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents, ComponentsFault
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.numbers import find_change_faults, list_numbers, read_changes
from triclinium.engine.registry import load_game
from triclinium.i18n.po import make_message_key

every_game = pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)

SAMPLE = 4  # numbers of each game whose ends the fast test tries

# Constraints of the printed game only. Other constraints of the same number may hold for every edition.
PRINTED_ONLY = {
    "evangelists": {f"AE-C{n}" for n in (2, 3, 4, 5, 7, 8, 9, 10, 13, 19)},
    "portals": {"PP-C4", "PP-C5", "PP-C6", "PP-C7", "PP-C10", "PP-C12", "PP-C15", "PP-C16", "PP-C17"},
    "missionnaires": {"LM-C9", "LM-C10", "LM-C11", "LM-C12", "LM-C13", "LM-C14", "LM-C17"},
    "ierusalem": {"IE-C2", "IE-C3", "IE-C4", "IE-C5", "IE-C9", "IE-C12"},
    "testoftime": {"TT-C2", "TT-C4"},
}


@every_game
def test_an_edited_file_is_written_and_read_again(game: Game) -> None:
    """The text holds the whole file, so that an edition can be stored, sent and played elsewhere."""
    printed = get_schema(game).printed
    assert ComponentsFile(printed.to_toml_text(), "again.toml").data == printed.data
    path, value = next((number.path, number.value) for number in list_numbers(game) if not number.hidden)
    edited = printed.with_changes({path: value + 1})
    again = ComponentsFile(edited.to_toml_text(), "again.toml")
    assert again == edited != printed
    assert again.value_at(path) == value + 1


@every_game
def test_every_number_is_named_in_both_languages_or_hidden(game: Game) -> None:
    """Each path can be edited and has a value of its type within its range, and a unique name."""
    found = list_numbers(game)
    assert len({number.path for number in found}) == len(found)
    french = game.words.reader("fr")
    for number in found:
        assert game.file.value_at(number.path) == number.value
        assert {type(number.low), type(number.high), type(number.step)} == {type(number.value)}
        assert number.low <= number.value <= number.high
        assert number.step > 0
    shown = [number for number in found if not number.hidden]
    assert shown
    for number in shown:
        assert make_message_key(number.name.text, "") in french.catalogue, number.path
        assert make_message_key(number.group.text, "") in french.catalogue, number.path
    for language in ("en", "fr"):
        names = [game.words.reader(language).read(number.name) for number in shown]
        assert len(set(names)) == len(names), "two numbers have one name"


@pytest.mark.parametrize("whole", [False, slow(True)], ids=["some", "all"])
@every_game
def test_both_ends_of_a_range_load_or_report_constraints(game: Game, whole: bool) -> None:
    """An error cites the constraint, names a place of the file and has a sentence in both languages."""
    shown = [number for number in list_numbers(game) if not number.hidden]
    if not whole:
        shown = random.Random(19).sample(shown, SAMPLE)
    for number in shown:
        for value in {number.low, number.high} - {number.value}:
            for fault in find_change_faults(game, {number.path: value}):
                check_fault_sentence(game, fault)


def check_fault_sentence(game: Game, fault: ComponentsFault) -> None:
    assert fault.constraint.startswith(f"{game.prefix}-") or not fault.constraint
    if fault.path:
        game.file.value_at(fault.path)
    english, french = Reader().read(fault.sentence), game.words.reader("fr").read(fault.sentence)
    assert english != french or not fault.constraint
    assert "{" not in english + french


@every_game
def test_constraints_of_the_printed_game_are_marked_in_the_code(game: Game) -> None:
    """Constraints marked as printed never apply to an edition. All others apply to every edition."""
    code = (folder_of(game) / "rules" / "checks.py").read_text(encoding="utf-8")
    code += (folder_of(game) / "rules" / "components.py").read_text(encoding="utf-8")
    of_all = set(re.findall(rf'\bcheck\((?:[^"]|"(?!{game.prefix}-))*?"({game.prefix}-C\d+)"', code))
    every = set(re.findall(rf'"({game.prefix}-C\d+)"', code))
    assert every - of_all == PRINTED_ONLY[game.id]


EDITIONS = [  # a change that the printed game refuses, the constraint, and whether an edition may have it
    ("evangelists", {"status_cubes.white_in_bag": 5}, "AE-C15", True),
    ("evangelists", {"status_cubes.black_in_supply": 6}, "AE-C15", False),
    ("evangelists", {"game.leaves_start": 4}, "AE-C16", True),
    ("evangelists", {"game.rounds.3": 7}, "AE-C18", True),
    ("evangelists", {"game.cards_per_city_box": 3}, "AE-C1", True),
    ("evangelists", {"game.slots_per_leaf": 5}, "AE-C16", False),
    ("evangelists", {"follow_tokens.each_other_player": 2}, "AE-C17", False),
    ("evangelists", {"knowledge_check.answer.chiasm": 3}, "AE-C19", True),
    ("portals", {"events.card.G09.points": 7, "events.card.O02.points": 7}, "PP-C15", True),
    ("portals", {"numbers.portals": 4}, "PP-C13", True),
    ("missionnaires", {"deal.p3": 7}, "LM-C3", True),
    ("missionnaires", {"deal.p3": 17}, "LM-C3", False),
    ("missionnaires", {"move.alone": 2}, "LM-C15", False),
    ("ierusalem", {"cards.red.r01.apostle_vp": 3}, "IE-C5", True),
    ("ierusalem", {"goods.list.fish.price": 3}, "IE-C9", True),
    ("ierusalem", {"sanhedrin.tile_spaces.1": 8}, "IE-C19", True),
    ("ierusalem", {"sanhedrin.tile_spaces.1": 3}, "IE-C19", False),
    ("testoftime", {"testament.art.create": 3, "testament.art.deaths": 1}, "TT-C1", True),
    ("testoftime", {"testament.tools.deaths": 4}, "TT-C6", False),
]


@pytest.mark.parametrize(("id", "changes", "constraint", "allowed"), EDITIONS)
def test_an_edition_may_break_constraints_of_the_printed_game(
    id: str, changes: dict[str, object], constraint: str, allowed: bool
) -> None:
    """The printed game has its own constraints. The others hold for every edition and say what they need."""
    game = load_game(id)
    edited = get_schema(game).printed.with_changes(changes)
    assert constraint in {fault.constraint for fault in game.find_faults(edited, printed=True)}
    faults = game.find_faults(edited)
    assert allowed == (constraint not in {fault.constraint for fault in faults})
    if faults:
        with pytest.raises(BadComponents) as caught:
            game.with_components(edited)
        assert [str(fault) for fault in caught.value.faults] == [str(fault) for fault in faults]
        assert str(caught.value) == str(faults[0])
    else:
        assert not game.with_components(edited).deal(game.seats[-1], 1).over


def test_all_faults_are_reported_at_once() -> None:
    """All faults are reported together, each with its path and its figures."""
    game = load_game("evangelists")
    faults = find_change_faults(game, {"game.cost_weak": 3, "follow_tokens.stenographer": 1})
    assert {fault.constraint for fault in faults} == {"AE-2.3", "AE-C17"}
    (first, *_) = [fault for fault in faults if fault.constraint == "AE-C17"]
    assert (first.path, first.figures) == ("follow_tokens", (3, 2))
    assert first.format(game.words.reader("fr")) == "AE-C17: follow_tokens: compte 3 jetons à 2 joueurs"
    both = find_change_faults(game, {"reach.boat": 19, "game.cost_weak": 31})
    assert {fault.path for fault in both} == {"reach.boat", "game.cost_weak"}


def test_changes_are_read_from_text_by_the_type_of_the_printed_value() -> None:
    file = load_game("missionnaires").file
    read = read_changes(file, ["move.alone=2", "grid.north=51", "overseers.list.c.no_sea_card=true", "game.id=LMX"])
    assert read == {"move.alone": 2, "grid.north": 51.0, "overseers.list.c.no_sea_card": True, "game.id": "LMX"}
    for text, said in (
        ("move.alone", "a change is PATH=VALUE, not 'move.alone'"),
        ("move.alone=2.5", "move.alone: must be a whole number, not '2.5'"),
        ("move.aloen=2", "move.aloen: there is no 'aloen'; did you mean 'alone'?"),
    ):
        with pytest.raises(BadComponents) as caught:
            read_changes(file, [text])
        assert str(caught.value) == said


def test_the_command_lists_numbers_and_what_a_change_breaks(shell: Shell) -> None:
    shell.run("numbers", "testoftime", "--language", "fr")
    assert re.search(r"^game.sire_cost +Coût de l’action Engendrer +TT-6.1 +2 +1\.\.100$", shell.out, re.MULTILINE)
    assert shell.code == 0
    shell.run("numbers", "testoftime", "--set", "game.start_followers=31", "testament.tools.deaths=4")
    assert "2 -> " not in shell.out
    assert re.search(r"^game.start_followers .* 20 -> 31 ", shell.out, re.MULTILINE)
    assert "TT-1.3: game.start_followers: must not exceed the maximum of followers\nTT-C6: " in shell.out
    assert "TT-C6: testament.tools: 4 followers die" in shell.out
    assert shell.code == 1
    found = shell.run("numbers", "testoftime", "--set", "game.sire_cost=3", "--json").json()
    assert (found["faults"], found["set"]) == ([], {"game.sire_cost": 3})
    shell.run("numbers", "testoftime", "--set", "game.sir_cost=3")
    assert shell.code == 2
    assert shell.error == "triclinium: game.sir_cost: there is no 'sir_cost'; did you mean 'sire_cost'?\n"
