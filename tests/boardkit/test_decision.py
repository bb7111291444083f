"""Tests of decisions as pages show them: heading, groups and order, at every question of the golden matches."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from kuhn.game import GAME as KUHN
from tests.matches import RECORDS
from tests.slow import slow
from triclinium import Rng, list_games, load_game
from triclinium.boardkit.decision import arrange_options, format_price, read_action_progress
from triclinium.cli.question import NumberedOption, TerminalQuestion
from triclinium.engine.core.action import Action
from triclinium.engine.core.state import State, Step
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.record import Record

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Flo")
GAMES = [*(load_game(id) for id in list_games()), KUHN]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@cache
def records(game: Game, whole: bool = False) -> list[Record]:
    """Return about three golden matches on the printed components, or all of them."""
    files = sorted((RECORDS / game.id).rglob("*.rec")) if game is not KUHN else []
    found = [Record.loads(file.read_text(encoding="utf-8")) for file in files]
    kept = [record for record in found if record.find_game(None) is game]
    return kept[:: 1 if whole else max(1, len(kept) // 3)]


def golden(game: Game, whole: bool = False) -> Iterator[State]:
    """Yield the positions of golden matches. Kuhn poker has none, so a match is dealt."""
    kept = records(game, whole)
    for record in kept:
        s = record.deal(game)
        for option in record.options:
            yield s
            s.play(game.read(option))
    if not kept:
        yield KUHN.deal(2, 1)


def reader_of(game: Game) -> Reader:
    return game.words.reader("en", NAMES)


@every_game
def test_every_question_has_a_heading(game: Game) -> None:
    """The stage in the heading belongs to the action, and its rule is one that the step cites."""
    kinds: dict[type[Step[State]], State] = {}
    for s in golden(game):
        kinds.setdefault(type(s.asked), s.clone())
    for kind, s in kinds.items():
        action = kind.action
        assert isinstance(action, Action), f"{kind.__name__} names no action"
        assert 1 <= kind.stage <= len(action.stages), kind.__name__
        cited = re.findall(rf"{game.prefix}-[\w.]*\w", " ".join(base.__doc__ or "" for base in kind.__mro__[:2]))
        assert not cited or action.stages[kind.stage - 1][1] in cited, kind.__name__
        told = read_action_progress(game, s, reader_of(game))
        assert told is not None
        assert told.current_stage.rule.startswith(f"{game.prefix}-")


def kinds_of(kind: type[Step[State]]) -> Iterator[type[Step[State]]]:
    for each in kind.__subclasses__():
        yield each
        yield from kinds_of(each)


@every_game
def test_every_step_that_asks_names_its_action(game: Game) -> None:
    """Every step that asks has an action, also a step that no golden match reaches."""
    package = type(game).__module__.rpartition(".")[0]
    asking = [kind for kind in kinds_of(Step) if kind.__module__.startswith(package) and kind.question]
    assert [kind.__name__ for kind in asking if kind.action is None or kind.stage > len(kind.action.stages)] == []


@pytest.mark.parametrize(("every", "whole"), [(23, False), slow(1, True)])
@every_game
def test_groups_contain_every_option_once_and_reveal_nothing(game: Game, every: int, whole: bool) -> None:
    """The order of the options is the same in all worlds that are possible for the asked seat."""
    rng = Rng(5)
    for s in islice(golden(game, whole), 0, None, every):
        found = [one.o for one in TerminalQuestion(game, s, reader_of(game), 80).entries]
        assert sorted(found) == s.options()
        other = s.resample(s.who, rng)
        assert [one.o for one in TerminalQuestion(game, other, reader_of(game), 80).entries] == found


def list_options(game: Game, s: State) -> list[NumberedOption]:
    return [
        NumberedOption(o, game.format_option(o), game.notation.verb_of(o).word, "", format_price(s, o, reader_of(game)))
        for o in s.legal
    ]


def test_scoring_options_come_first_and_ending_options_last() -> None:
    game = load_game("portals")
    s = next(
        s for s in golden(game) if s.asked.id == "Turn" and any(game.format_option(o)[:4] == "play" for o in s.legal)
    )
    found = arrange_options(game, s, list_options(game, s), reader_of(game))
    assert found.groups[0].verb == "play"
    assert [one.option for one in found.closing] == ["end"]
    assert {group.verb: group.price for group in found.groups}["move"] == "1 action"


def test_verbs_with_one_option_share_a_group() -> None:
    game = load_game("testoftime")
    found = arrange_options(game, game.deal(3, 1), list_options(game, game.deal(3, 1)), reader_of(game))
    assert [(group.name, len(group.offers)) for group in found.groups] == [("", 3)]
    assert [one.option for one in found.closing] == ["pass"]


def test_many_places_are_grouped_by_region() -> None:
    game = load_game("portals")
    s = game.deal(3, 1)
    (group,) = arrange_options(game, s, list_options(game, s), reader_of(game)).groups
    assert group.sections[0].name == ""  # the section with the places of the player's own cards
    assert {"Judea", "Galilee"} <= {section.name for section in group.sections}


def test_a_heading_in_words() -> None:
    game = load_game("evangelists")
    s = game.deal(3, 3)
    assert (
        TerminalQuestion(game, s, reader_of(game), 80).format_heading() == "Set-up, 2 of 2: place your pawn (AE-1.12)"
    )
