"""Tests of move previews: certain or likely effects in words, without drawn cards, equal in all possible worlds."""

import random
from collections.abc import Iterator

import pytest

from kuhn.game import GAME as KUHN
from tests.slow import slow
from triclinium import Rng, list_games, load_game
from triclinium.boardkit import preview as module
from triclinium.boardkit.preview import (
    Preview,
    PreviewLine,
    filter_changes,
    format_changes,
    make_preview_seed,
    preview_option,
)
from triclinium.boardkit.view_diff import diff_views
from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Flo")
GAMES = [*(load_game(id) for id in list_games()), KUHN]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
NEVER_DRAWN = ("in range", "burnt this turn", "portal", "interviewed", "boats")
SEED = 7
every_extent = pytest.mark.parametrize(("moves", "each"), [(90, 2), slow(600, 4)])


def reader_of(game: Game, language: str = "en") -> Reader:
    return game.words.reader(language, NAMES)


def preview_text_option(game: Game, s: State, option: str, language: str = "en") -> Preview:
    return preview_option(
        game, s, s.who, game.read(option), make_preview_seed("table", 1, s.who, option), reader_of(game, language)
    )


def moments(game: Game, moves: int, each: int) -> Iterator[tuple[State, Option, Preview]]:
    """Yield some options along a random match with their previews."""
    chance = random.Random(3)
    s = game.deal(game.seats[-1], 3)
    for n in range(moves):
        if s.over:
            return
        if n % 3 == 0:
            for o in chance.sample(s.legal, min(each, len(s.legal))):
                yield s, o, preview_option(game, s, s.who, o, SEED, reader_of(game))
        s.choose(chance.choice(s.legal))


def test_previews_without_chance_are_certain() -> None:
    s = KUHN.deal(2, 1)
    assert preview_text_option(KUHN, s, "bet") == Preview(
        True, [PreviewLine(0, "chips", "19", "18"), PreviewLine(0, "in the pot", "1", "2")], 0, "Ben decides."
    )


def test_after_a_showdown_the_preview_is_uncertain() -> None:
    s = KUHN.deal(2, 1)
    s.play(KUHN.read("check"))
    found = preview_text_option(KUHN, s, "check")
    assert not found.certain
    assert PreviewLine(None, "deal", "1", "2") in found.lines
    assert PreviewLine(None, "shown in the last deal", come=("2 unknown",)) in found.lines


def test_previews_are_in_the_readers_language() -> None:
    found = preview_text_option(KUHN, KUHN.deal(2, 1), "bet", "fr")
    assert [line.what for line in found.lines] == ["jetons", "dans le pot"]
    assert found.then == "Ben décide."


def test_a_preview_names_the_taken_card_but_not_its_replacement() -> None:
    game = load_game("portals")
    s = game.deal(3, 3)
    while game.notation.verb_of(s.legal[0]).word != "take":
        s.choose(s.legal[0])
    option = game.format_option(s.legal[0])
    found = preview_text_option(game, s, option)
    lines = {line.what: line for line in found.lines}
    assert not found.certain
    assert lines["hand"].come == lines["row"].gone
    assert lines["row"].come == ("1 unknown",)
    assert (lines["actions left"].before, lines["actions left"].after) == ("4", "3")


@every_extent
@every_game
def test_previews_name_no_card_that_chance_draws(
    game: Game, moves: int, each: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A named card has left another place that the seat sees, so it was not drawn."""
    monkeypatch.setattr(module, "MAX_LINES", 1000)
    monkeypatch.setattr(module, "MAX_NAMES", 1000)
    seen = set()
    for s, o, found in moments(game, moves, each):
        seen.add(found.certain)
        if not found.certain:
            gone = {name for line in found.lines for name in line.gone}
            named = {name for line in found.lines if line.what not in NEVER_DRAWN for name in line.come}
            come = {name for name in named if not name.endswith(" unknown")}
            assert come <= gone, f"{game.format_option(o)} of {s.asked}"
    assert seen == ({True, False} if game.has_secrets else {True})


@every_extent
@every_game
def test_previews_are_equal_in_indistinguishable_worlds(game: Game, moves: int, each: int) -> None:
    for n, (s, o, found) in enumerate(moments(game, moves, each)):
        if n % 3 == 0:
            other = s.resample(s.who, Rng(n))
            assert preview_option(game, other, s.who, o, SEED, reader_of(game)) == found


@every_extent
@every_game
def test_certain_previews_come_true(game: Game, moves: int, each: int) -> None:
    """In the true world the option has the effects that the preview called certain."""
    for s, o, found in moments(game, moves, each):
        if not found.certain:
            continue
        t = s.clone()
        t.choose(o)
        truth = diff_views(game.view(s, s.who), game.view(t, s.who))
        truth = filter_changes(game, s, o, truth, reader_of(game))
        assert found.lines == format_changes(game, truth, s.who, reader_of(game)), game.format_option(o)


@every_extent
@every_game
def test_every_preview_line_has_text(game: Game, moves: int, each: int) -> None:
    for _, o, found in moments(game, moves, each):
        for line in found.lines:
            assert line.what, game.format_option(o)
            assert (line.before and line.after and line.before != line.after) or line.gone or line.come, line
            assert not any("@" in text or "{" in text for text in (line.what, line.before, line.after)), line


def test_seeds_differ_by_table_version_seat_and_option() -> None:
    facts = [("a", 1, 0, "x"), ("b", 1, 0, "x"), ("a", 2, 0, "x"), ("a", 1, 1, "x"), ("a", 1, 0, "y")]
    assert len({make_preview_seed(*one) for one in facts}) == len(facts)
