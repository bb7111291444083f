"""Tests of explanations why one option is better than another."""

from dataclasses import replace

import pytest

from tests.toy import DRAW, DREW, JOIN, LAY, STOP, TOY
from triclinium import Rng, load_game
from triclinium.bots import choose_option, create_bot
from triclinium.bots.explanations import (
    Reason,
    compare_options,
    describe_reason,
    describe_reasons,
    explain_choice,
    leave_out_lost_points,
)
from triclinium.bots.threats import RivalAnswers, Threat, find_avoided_threats
from triclinium.engine.core.event import IMPORTANT, ORDINARY, TURNING_POINT
from triclinium.engine.core.state import State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game

# Features that rivals' own features cover, or that mean nothing to people.
UNTOLD = {
    "evangelists": {"at_work", "in_city", "rival"},
    "ierusalem": {"rival", "hope", "hand", "ready", "judgment", "favors_received"},
    "missionnaires": {"rank", "rivals_unvisited", "rivals_missed", "rivals_tour", "idle"},
    "portals": {"discarding", "seventh_card", "crowded", "actions"},
    "testoftime": set(load_game("testoftime").weights.names),  # Its clauses compare how the round ends.
}


def play_to_choice(game: Game, moves: int, seed: int = 3) -> State:
    """Return a position with a choice, after about this many options of steady bots."""
    s, rng, player = game.deal(game.seats[0], seed), Rng(seed), create_bot("steady", game)
    made = 0
    while made < moves or len(s.legal) < 2:
        s.choose(choose_option(player, s, rng))
        made += 1
        assert not s.over
    return s


@pytest.mark.parametrize("id", UNTOLD)
def test_every_feature_has_words(id: str) -> None:
    game = load_game(id)
    words = game.words
    told = set(words.feature_words) | set(words.feature_topics)
    assert set(game.weights.names) - told == UNTOLD[game.id]
    assert told <= set(game.weights.names)
    assert words.turn_features <= set(game.weights.names)
    for language in ("en", "fr"):
        reader = words.reader(language, ("Anna", "Ben", "Cleo"))
        for name in words.feature_words:
            more, less = (reader.read(words.describe_feature(name, amount, True)) for amount in (2.0, -2.0))
            assert more != less
            assert "{" not in more + less
            assert more[0] != " "


def test_amounts_are_given_as_precisely_as_they_are_known() -> None:
    reader = TOY.words.reader()
    said = [reader.read(TOY.words.describe_feature("coins", *one)) for one in ((4.0, True), (-1.0, True), (3.6, False))]
    assert said == ["4 more coins", "1 fewer coin", "about 4 more coins"]
    assert reader.read(TOY.words.describe_feature("laid", 0.2, False)) == "more figs"
    visible = [TOY.words.is_visible_change(*one, sure=True) for one in (("coins", -0.3), ("coins", 0.5), ("laid", 0.2))]
    assert visible == [False, True, True]


def test_reasons_form_one_sentence() -> None:
    reader = TOY.words.reader("en", ("Anna", "Ben"))
    gain, rival, cost = (
        Reason("coins", 0, 4.0, 4.0, True),
        Reason("laid", 1, -1.0, 4.0, True),
        Reason("laid", 0, -1, -4, True),
    )
    small = Reason("laid", 0, -1, -1, True)
    assert describe(reader, gain, rival, cost) == "you have 4 more coins, but you have fewer figs"
    assert describe(reader, gain, small) == "you have 4 more coins"
    assert describe(reader, rival) == "Ben has fewer figs"
    assert describe(reader, replace(gain, by_next_turn=True)) == "you have 4 more coins by your next turn"
    assert describe_reasons(TOY, [cost], 0) is None
    assert describe_reasons(TOY, [], 0) is None
    assert reader.read(describe_reason(TOY, gain, 1)) == "Anna has 4 more coins"


def test_lost_points_are_no_reason() -> None:
    """Marks are no reason for an option that loses more points on the tracks than it brings in marks."""
    game = load_game("evangelists")
    marks, tracks = Reason("tally", 0, 4.0, 4.5, True), Reason("tracks", 0, -15.0, -2.3, True)
    token = Reason("tokens", 0, 1.0, 2.5, True)
    assert leave_out_lost_points(game, 0, [marks, tracks, token]) == [token]
    assert leave_out_lost_points(game, 0, [marks, token]) == [marks, token]
    assert leave_out_lost_points(game, 1, [tracks]) == [tracks]


def describe(reader: Reader, *reasons: Reason) -> str:
    text = describe_reasons(TOY, reasons, 0)
    assert text is not None
    return reader.read(text)


@pytest.mark.parametrize("id", UNTOLD)
def test_reasons_weigh_the_differences(id: str) -> None:
    """Reasons are the same in another world that is possible for the seat, and reversed if the options are swapped."""
    game = load_game(id)
    s = play_to_choice(game, 25)
    first, second = s.legal[0], s.legal[-1]
    found = explain_choice(game, s, s.who, first, second, 5)
    assert found == explain_choice(game, s.resample(s.who, Rng(9)), s.who, first, second, 5)
    assert explain_choice(game, s, s.who, first, first, 5) == []
    turned = {(one.feature, one.seat): one.points for one in explain_choice(game, s, s.who, second, first, 5)}
    for one in found:
        if one.sentence:  # an avoided threat is only possible after the other option
            continue
        assert turned.get((one.feature, one.seat), -one.points) == pytest.approx(-one.points, abs=1e-3)
    assert [one.is_gain for one in found] == sorted((one.is_gain for one in found), reverse=True)
    assert compare_options(game, s, s.who, first, [second], 5) == [found]


def test_a_strong_interview_pays_more_marks() -> None:
    """The first reason names the difference in marks, which players of The Acts of the Evangelists can verify."""
    game = load_game("evangelists")
    s = next(s for seed in range(40) if (s := _find_decision(game, "weak", seed)) is not None)
    strong, weak = game.read("strong"), game.read("weak")
    first = explain_choice(game, s, s.who, strong, weak, 1)[0]
    assert first.sentence == "you record {0} more tally {0:mark|marks}"
    assert first.facts[0] > 0


def _find_decision(game: Game, option: str, seed: int) -> State | None:
    """Return the first decision of a match of steady bots with both options."""
    s, rng, player = game.deal(2, seed), Rng(seed), create_bot("steady", game)
    for _ in range(60):
        if len(s.legal) > 1 and game.read(option) in s.legal:
            return s
        s.choose(choose_option(player, s, rng))
    return None


def make_threats(*threats: Threat, could: tuple[int, ...] = ()) -> RivalAnswers:
    """Return the rivals' moves in a world, with the possible answers of seat 1."""
    possible = {(one.seat, one.option) for one in threats} | {(1, o) for o in could}
    return RivalAnswers(set(threats), possible, True)


def test_threats_after_only_the_worse_option_are_reasons() -> None:
    """A threat counts only if it exists in every possible world. Hidden cards exist only in some."""
    drew = Threat(IMPORTANT, False, 1, DRAW, DREW.text, ())
    laid = Threat(TURNING_POINT, False, 1, LAY, "{who} lays {0:fig}", (2,))
    assert find_avoided_threats([make_threats()], [make_threats(replace(drew, weight=ORDINARY))], False) == []
    # the most serious one first
    assert find_avoided_threats(
        [make_threats(), make_threats(), make_threats()], [make_threats(drew, laid)] * 3, True
    ) == [laid, drew]
    assert find_avoided_threats(
        [make_threats(), make_threats(), make_threats(could=(LAY,))], [make_threats(drew, laid)] * 3, True
    ) == [drew]
    assert find_avoided_threats(
        [make_threats()] * 3, [make_threats(drew), make_threats(drew, laid), make_threats(drew)], True
    ) == [drew]
    assert (
        find_avoided_threats([make_threats()] * 2, [make_threats(drew)] * 2, True) == []
    )  # two worlds may agree by chance
    assert find_avoided_threats([make_threats()], [make_threats(drew)], False) == [drew]


def test_effects_on_the_seat_are_reasons_if_the_better_option_avoids_them() -> None:
    hit = Threat(ORDINARY, True, 1, JOIN, "{who} joins {0:seat}", (0,))
    assert find_avoided_threats([make_threats(could=(JOIN,))], [make_threats(hit)], False) == [hit]
    assert find_avoided_threats([make_threats(hit)], [make_threats(hit)], False) == []


def test_reasons_use_only_public_events() -> None:
    """Only the rival knows which card it draws, so the explanation names no drawn card in any world."""
    s = TOY.deal(2, 3)
    rival, answers = s.who, RivalAnswers()
    answers.play_option(s, DRAW, 1 - rival)
    assert answers.done == {Threat(ORDINARY, False, rival, DRAW, DREW.text, ())}
    assert (rival, STOP) in answers.possible
    assert s.events is None


def test_an_avoided_threat_is_given_if_it_weighs_most() -> None:
    reader = TOY.words.reader("en", ("Anna", "Ben"))
    gain = Reason("coins", 0, 4.0, 4.0, True)
    threat = Reason("", 1, 0.0, 1.0, True, True, DREW.text, ())
    assert describe(reader, gain, threat) == "you have 4 more coins"
    assert describe(reader, threat) == "the other option allows this: Ben drew a card"
