"""Tests of the components of options: those in the notation, and those at the place it names."""

import pytest

from tests.matches import list_our_games
from tests.toy import TOY
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, State
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game

# Verbs that name a place. The component at the place is read from the true state and need not be public.
POINTING = {
    "evangelists": {"keep", "face", "copy"},
    "portals": {"hide"},
    "missionnaires": {"swap"},
    "ierusalem": {"clear"},
    "testoftime": {"on", "at"},
    "figs": set[str](),
}
VARIANTS: dict[str, dict[str, object]] = {"portals": {"discards": "hidden"}}


def list_component_ids(game: Game, s: State, o: Option) -> list[str]:
    return [game.all_components[i].id for i in game.option_components(s, o)]


@pytest.mark.parametrize("game", [*list_our_games(), TOY], ids=lambda game: game.id)
def test_an_option_concerns_the_components_in_its_notation(game: Game) -> None:
    """The components of an option are all words of its notation that are component ids, in order.

    A place has at most one component.
    """
    # Ierusalem's sources of VP are not components, and one of them has the same name as a way to visit.
    ids = {one.id.lower() for one in game.all_components if not one.id.isdigit() and one.table != "source"}
    s, rng, named, pointed = game.deal(game.seats[-1], 3, VARIANTS.get(game.id)), Rng(3), 0, set()
    while not s.over:
        for o in s.legal:
            verb, *words = game.format_option(o).split()
            found = list_component_ids(game, s, o)
            if verb in POINTING[game.id]:
                pointed.add(verb)
                assert len(found) == 1 or verb in ("clear", "on", "at")
            else:
                assert [id.lower() for id in found] == [word for word in words if word in ids], game.format_option(o)
                named += len(found)
        s.choose(s.legal[rng.below(len(s.legal))])
    assert named
    assert pointed or game.id in ("figs", "ierusalem"), "no option of this match points at a place"


def test_components_are_found_by_table_id_and_name() -> None:
    game = load_game("portals")
    french = game.words.reader("fr")
    found = game.all_components[game.component_index("card", 0)]
    assert (found.table, found.id, french.format_arg(found.name)) == ("card", "G01", "La Chute de l’homme")
    assert len({(one.table, one.id) for one in game.all_components}) == len(game.all_components)


def test_a_place_of_the_box_stands_for_its_card() -> None:
    """AE-6.2  `keep 2` reveals the card to nobody, but a study needs it."""
    game = load_game("evangelists")
    s = game.deal(3, 7, {"stenographer": 0})
    for text in ("start rome", "start ephesus", "start antioch", "tradition"):
        s.play(game.read(text))
    city = game.ids["place"].index("rome")
    lying = s.box[city * 4 + 2]  # type: ignore[attr-defined]  # of Evangelists
    assert game.option_components(s, game.read("keep 2")) == (game.component_index("tradition", lying),)
    assert game.option_components(s, game.read("none")) == ()


def test_a_cleared_column_stands_for_its_cards() -> None:
    """IE-R13  The player's own cards are discarded together with all cards on them."""
    game = load_game("ierusalem")
    s = game.deal(3, 1)
    s.columns[s.who * 3 + 1] = (3, 45)  # type: ignore[attr-defined]  # of Ierusalem
    assert list_component_ids(game, s, game.read("clear 2")) == ["r04", "ma06"]
