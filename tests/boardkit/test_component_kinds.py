"""Tests of component kinds in the five games: on the kit's table every option is on the component it names."""

import random
from collections.abc import Iterator

import pytest

from tests.slow import slow
from triclinium import list_games
from triclinium.boardkit.default_board import build_default_board
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.boardkit.option_targets import build_buttons, find_option_things
from triclinium.boardkit.parts import Board, Cards, Group, Map, Part, Tally, Track
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.server.presenter.decision import build_decision

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva")


def list_pressed_options(made: Board) -> Iterator[str]:
    """Yield the options on the components of a table."""
    for panel in made.panels:
        yield from (one.option for one in panel.buttons)
        yield from (option for part in panel.parts for option in list_part_options(part))
    yield from (option for part in made.parts for option in list_part_options(part))


def list_part_options(part: Part) -> Iterator[str]:
    things: list[object] = [part]
    match part:
        case Cards():
            things += part.cards
        case Map():
            things += part.places
        case Track():
            things += part.spaces
        case Tally():
            things += part.counts
        case Group():
            for inner in part.parts:
                yield from list_part_options(inner)
    for thing in things:
        yield from (one.option for one in getattr(thing, "buttons", []))


@pytest.mark.parametrize("decisions", [200, slow(1_000)])
@pytest.mark.parametrize("game", [load_game(id) for id in list_games()], ids=lambda game: game.id)
def test_buttons_are_on_the_component_that_the_option_names(game: Game, decisions: int) -> None:
    """Every option is on the component that it names, unless many similar options are clearer in a list."""
    reader = game.words.reader("en", NAMES)
    chance = random.Random(4)
    s = game.deal(game.seats[-1], 11)
    missing: dict[str, str] = {}
    found: set[str] = set()
    for _ in range(decisions):
        if s.over:
            break
        view = game.view(s, s.who)
        offers = build_decision(game, s, reader).allowed
        placed = build_buttons(game, view, offers, reader)
        few = {one.option for several in placed.values() for one in several}
        there = set(list_pressed_options(build_default_board(view, map_kinds_by_name(game), placed)))
        assert there <= few
        found |= {option.split()[0] for option in there}
        for option in few - there:
            missing.setdefault(option.split()[0], f"{s.asked.id}: {option} {find_option_things(game, view, option)}")
        s.play(chance.choice(s.legal))
    assert missing == {}
    assert len(found) > 1
