"""Tests of the positions that show rules: each one shows exactly its rule, and nearly all cited rules have one."""

import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import pytest

from bench.rule_positions import Citations, finish_option, list_cited, list_options, play_with_events
from tests.matches import list_our_games
from triclinium.bots.exercises import load_prepared_exercises
from triclinium.engine.build_info import is_compiled
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.engine.rule_positions import (
    EVENT,
    FORBIDS,
    MOVE,
    QUESTION,
    SET_UP,
    SHOWN,
    RulePosition,
    find_option,
    load_rule_positions,
)

GAMES = [game.id for game in list_our_games()]
RULINGS = Path(__file__).parent.parent / "docs" / "rulings.md"
MIN_SHARE = 0.9
every_game = pytest.mark.parametrize("id", GAMES)

cited_code = cache(Citations)


def list_positions(game: Game) -> Iterator[tuple[RulePosition, State]]:
    """Yield each position of a game with its state."""
    for positions in load_rule_positions(game).by_rule.values():
        for position in positions:
            yield position, position.record.replay(game=game)


@every_game
def test_each_position_shows_its_rule(id: str) -> None:
    """The rule refuses the option, an event of the option names it, or code that cites it runs."""
    game, citations = load_game(id), cited_code(load_game(id))
    seen: set[str] = set()
    for position, s in list_positions(game):
        o = find_option(game, s, position)
        seen.add(position.rule)
        if position.kind == FORBIDS:
            assert s.refusal(o) is not None
            continue
        after = s.clone()
        after.play(o)
        assert after.digest() == position.digest, position.rule
        if position.kind == EVENT:
            shown = {event.rule for event in play_with_events(s, o)}
        elif is_compiled():
            continue  # Compiled code cannot be traced, but it reaches the same position.
        elif position.kind == MOVE:
            shown = citations.trace(partial(finish_option, game, s, o))
        elif position.kind == QUESTION:
            shown = citations.trace(partial(list_options, s))
        elif position.kind == SET_UP:
            shown = citations.trace(partial(position.record.deal, game))
            shown |= {variant.ruling for variant, _ in game.recorded_variants(position.record.variants)}
        else:
            assert position.kind == SHOWN
            shown = citations.trace(partial(_show, game, s))
        assert position.rule in shown, position.rule
    assert seen


def _show(game: Game, s: State) -> None:
    game.view(s, s.who)
    game.visible_scores(s, s.who)


def test_nine_of_ten_cited_rules_have_a_position() -> None:
    """The others are in the file with a reason, and in docs/rulings.md."""
    cited: list[str] = []
    shown: list[str] = []
    for id in GAMES:
        game = load_game(id)
        positions = load_rule_positions(game)
        own = list_cited(game)
        assert not set(positions.by_rule) & set(positions.without), id
        unexplained = [rule for rule in own if rule not in positions.by_rule and rule not in positions.without]
        assert not unexplained, f"no position and no reason: {unexplained}"
        cited += own
        shown += [rule for rule in own if rule in positions.by_rule]
    assert len(shown) >= MIN_SHARE * len(cited), f"{len(shown)} of {len(cited)}"


def test_the_documentation_lists_the_rules_without_a_position() -> None:
    section = RULINGS.read_text(encoding="utf-8").partition("## Positions that show a rule")[2].partition("\n## ")[0]
    listed = {rule for row in re.findall(r"^\|.*\| (.*) \|$", section, re.MULTILINE)[1:] for rule in row.split(", ")}
    without = {rule for id in GAMES for rule in load_rule_positions(load_game(id)).without}
    assert listed - {"---"} == without


@every_game
def test_each_game_brings_six_exercises(id: str) -> None:
    """The options of each are legal in its position, and the played one clearly costs win probability."""
    game = load_game(id)
    prepared = load_prepared_exercises(game)
    assert len(prepared) == 6
    for entry in prepared:
        s, decision = entry.record.replay(game=game), entry.decision
        legal = {game.format_option(o) for o in s.legal}
        assert s.who == decision.seat
        assert {advice.option for advice in decision.options} <= legal
        assert decision.is_exercise
        assert decision.is_solution(decision.best.option)
        assert not decision.is_solution(decision.played)
