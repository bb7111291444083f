"""Contract tests for training: rotated options, returns, margins, copies, pickling, lengths and recall."""

import copy
import pickle

import pytest

from kuhn.game import GAME as KUHN
from tests.research.sampled_worlds import GAMES, sample_moments
from tests.toy import TOY
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.registry import load_game
from triclinium.research.network_inputs import NetworkInputs
from triclinium.research.pettingzoo import env
from triclinium.research.recall import ROW_BYTES, Recall

USUAL_MATCHES = 6  # number of matches of a game whose length is checked


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_turning_an_option_is_undone_by_turning_it_back(game: Game) -> None:
    """The mapping is a permutation, so no two options become one."""
    notation = game.notation
    for seats in (game.seats[0], game.seats[-1]):
        for seat in range(seats):
            turned = [notation.rotate_option(o, seat, seats) for o in notation.all_options()]
            assert sorted(turned) == notation.all_options()
            assert [notation.rotate_option_back(o, seat, seats) for o in turned] == notation.all_options()


@pytest.mark.parametrize(
    ("id", "said", "seat", "turned"),
    [
        ("testoftime", "from 2", 1, "from 1"),
        ("testoftime", "at 0 3", 1, "at 3 3"),
        ("ierusalem", "to 3", 2, "to 1"),
        ("ierusalem", "replace lake 0", 3, "replace lake 1"),
        ("evangelists", "keep 2", 3, "keep 2"),
    ],
)
def test_an_option_names_seats_as_its_seat_counts_them(id: str, said: str, seat: int, turned: str) -> None:
    """With four seats, an option names seats in the numbering of its own seat."""
    game = load_game(id)
    assert game.format_option(game.notation.rotate_option(game.read(said), seat, 4)) == turned


def test_the_parts_of_an_option_are_its_verb_and_its_names() -> None:
    game = load_game("testoftime")
    verb, first, second = game.notation.option_features(game.read("at 2 3"))
    assert (game.verbs[verb].word, first, second) == ("at", 2, 2)
    assert game.notation.option_features(game.read("pass"))[1:] == (-1, -1)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_returns_are_shares_of_the_win(game: Game) -> None:
    """Returns are 0 while the match runs and sum to 1 at its end.

    Margins are from -1 to 1, and the winner's is at least 0.
    """
    s, rng = game.deal(game.seats[-1], 4), Rng(4)
    assert game.returns(s) == [0.0] * s.seats
    while not s.over:
        s.choose(rng.pick(s.legal))
    returns, margins = game.returns(s), game.margins(s)
    assert sum(returns) == pytest.approx(1)
    assert all(-1 <= margin <= 1 for margin in margins)
    best = max(margins)
    assert all(margins[seat] == best for seat in range(s.seats) if returns[seat])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_state_is_copied_and_never_pickled(game: Game) -> None:
    s = sample_moments(game, game.seats[0], 1)[2]
    for other in (copy.copy(s), copy.deepcopy(s)):
        assert (other.digest(), other.legal) == (s.digest(), s.legal)
        other.choose(other.legal[0])
        assert other.digest() != s.digest()
    with pytest.raises(TypeError, match="pickle its Match or its record"):
        pickle.dumps(s)


def test_a_match_is_pickled_as_its_record() -> None:
    """Edited components are included."""
    printed = load_game("portals")
    card = printed.ids["card"][3]
    for game in (printed, printed.with_components(printed.file.with_changes({f"events.card.{card}.points": 7}))):
        match, rng = Match(game, 2, 5), Rng(5)
        for _ in range(12):
            match.play(game.format_option(rng.pick(match.state.options())))
        other = pickle.loads(pickle.dumps(match))
        assert isinstance(other, Match)
        assert other.state.digest() == match.state.digest()
        assert (other.record.dumps(), other.game.hash) == (match.record.dumps(), game.hash)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_matches_are_no_longer_than_usual(game: Game) -> None:
    """999 of 1,000 matches of random bots with the most seats are shorter. `usual` is also not too large."""
    lengths = []
    for seed in range(USUAL_MATCHES):
        s, rng, made = game.deal(game.seats[-1], seed), Rng(seed), 0
        while not s.over:
            s.choose(rng.pick(s.legal))
            made += 1
        lengths.append(made)
    assert (
        max(lengths)
        <= game.usual_decisions
        <= min(game.max_match_decisions(game.deal(game.seats[-1], 0)), 4 * max(lengths))
    ), lengths


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_match_is_no_longer_than_its_own_bound(game: Game) -> None:
    """With few seats or a short variant the limit may be lower. OpenSpiel gets this limit."""
    for seats, variants in ((game.seats[0], {}), (game.seats[0], game.short_variants), (game.seats[-1], {})):
        s = game.deal(seats, 1, variants)
        most = game.max_match_decisions(s)
        assert 0 < rollout(s, Rng(1), most + 1) <= most <= game.max_decisions


def test_without_chance_nothing_is_drawn_after_the_deal() -> None:
    """`Game.chance` says whether chance events can occur."""
    for game in GAMES:
        first, *_, last = sample_moments(game, game.seats[0], 1)
        drawn = first.rng.state_key() != last.rng.state_key()
        assert game.has_chance or not (drawn or game.has_secrets), game.id


@pytest.mark.parametrize("game", [KUHN, load_game("evangelists")], ids=lambda game: game.id)
def test_recall_distinguishes_exactly_what_a_seat_can(game: Game) -> None:
    """Two worlds of a seat have the same information state as long as its events are equal."""
    s = game.deal(2, 3)
    recall, rng = Recall(game, s), Rng(3)
    world = s.resample(0, rng)
    other = Recall(game, world)
    assert other.information_state(0) == recall.information_state(0)
    assert other.information_state(1) != recall.information_state(1) or game.observe(world, 1) == game.observe(s, 1)
    before = recall.copy()
    o = rng.pick(s.legal)
    s.choose(o)
    recall.push(s)
    assert before.information_state(0) != recall.information_state(0)
    assert len(recall.encode_event_rows(0, last=4)) == 4 * ROW_BYTES
    assert recall.encode_event_rows(0, last=4) != bytes(4 * ROW_BYTES)
    assert recall.information_state(1).startswith(game.observe(game.deal(2, 3), 1).hex())


def test_missing_features_are_refused_with_a_message() -> None:
    """Refused are a seat that is not there, chance where none is asked, and too many players."""
    game = load_game("evangelists")
    s = game.deal(2, 1)
    for seat in (2, -2):
        with pytest.raises(BadSetup, match=f"seats are 0 to 1, and -1 is a spectator; there is no seat {seat}"):
            game.observe(s, seat)
    with pytest.raises(BadSetup, match="this recall observes the seats 0, not 1"):
        Recall(game, s, [0]).information_state(1)
    with pytest.raises(BadSetup, match="no draw is pending"):
        game.outcomes(s)
    for asked in (lambda: env(game, 9), lambda: NetworkInputs(game, 9)):
        with pytest.raises(BadSetup, match=r"is played with 2 to 5 seats, not 9 \(AE-2.1\)"):
            asked()


def test_a_game_without_an_observer_is_reported() -> None:
    """An external game may have none."""
    with pytest.raises(BadSetup, match="has no observer"):
        TOY.observe(TOY.deal(TOY.seats[0], 1), 0)
