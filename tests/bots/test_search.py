"""Tests of search: it finds the best option, keeps its budget, reuses its tree, and uses no hidden information."""

import copy
import time

import pytest

from tests.matches import ALL_GAMES
from tests.slow import slow
from tests.toy import TOY, Toy, ToyEvaluator
from triclinium.bots import Budget, DecisionRequest, ask_bot, choose_option, create_bot, derive_seed, play_out
from triclinium.bots.core.tree import MAX_ROLLOUT_POSITIONS, SearchTree, make_child_key
from triclinium.bots.core.value import finish_action, softmax, weigh_options
from triclinium.bots.search import POSITIONS_PER_SECOND, Strong
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game

every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.id)


def make_request(s: State, budget: Budget, seed: int = 1, played: tuple[int, ...] = ()) -> DecisionRequest:
    rng = Rng(seed)
    return DecisionRequest(TOY, s.resample(s.who, rng), s.who, rng, budget, played)


def test_search_beats_greedy() -> None:
    wins = 0.0
    for match in range(24):
        s = TOY.deal(2, match // 2)
        names = ["greedy", "greedy"]
        names[match % 2] = "strong@60x"
        play_out(s, [create_bot(name, TOY) for name in names], [Rng(derive_seed(match, seat)) for seat in range(2)])
        best = [names[score.seat] for score in TOY.scores(s) if score.rank == 1]
        wins += best.count("strong@60x") / len(best)
    assert wins > 14


def test_iterations_are_counted_exactly() -> None:
    s = TOY.deal(3, 2)
    tree = Strong(TOY).search(make_request(s, Budget(60, 40)))
    assert tree.root.visits == 40
    assert sum(node.visits for node in tree.rank_nodes(s.legal)) == 40


def test_the_same_seed_and_iterations_make_the_same_choice() -> None:
    for seed in range(5):
        s = TOY.deal(3, seed)
        trees = [Strong(TOY).search(make_request(s, Budget(60, 50), seed)) for _ in range(2)]
        first, second = ([(n.option, n.visits, n.total) for n in tree.rank_nodes(s.legal)] for tree in trees)
        assert first == second


def test_equal_tries_use_equal_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The n-th rollout of every option uses the same world."""
    s = TOY.deal(2, 3)
    asked = make_request(s, Budget(60, 40))
    tree = Strong(TOY).get_tree(asked)
    tree.prepare_root(asked.world, asked.rng)
    dealt: list[tuple[int, ...]] = []
    redeal = Toy.redeal

    def noted(world: Toy, seat: int, rng: Rng) -> None:
        dealt.append(rng.state_key())
        redeal(world, seat, rng)

    monkeypatch.setattr(Toy, "redeal", noted)
    for _ in range(40):
        tree.iterate(asked.world)
    assert len(dealt) == 40
    assert len(set(dealt)) == max(node.visits for node in tree.rank_nodes(s.legal)) < 40


def test_scaling_all_values_gives_the_same_tree() -> None:
    """The tree hardly depends on the scale of a game's points, because exploration follows their spread."""
    s = TOY.deal(2, 4)
    wide = copy.copy(TOY)
    wide.weights = copy.copy(TOY.weights)
    wide.weights.values = [weight * 1000 for weight in TOY.weights.values]
    wide.weights.prior = TOY.weights.prior * 1000
    trees = [Strong(game).search(make_request(s, Budget(60, 60))) for game in (TOY, wide)]
    first, second = ([(n.option, n.visits) for n in tree.rank_nodes(s.legal)] for tree in trees)
    assert first == second
    assert 0 < trees[0].deviation < 0.5


def test_finishing_an_action_evaluates_a_limited_number_of_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Redistribute asks for several decisions with forty options each, so the first evaluation must stay cheap."""
    looked = 0
    features = ToyEvaluator.features

    def counted(ai: ToyEvaluator, s: State, seat: int) -> list[float]:
        nonlocal looked
        looked += 1
        return features(ai, s, seat)

    monkeypatch.setattr(ToyEvaluator, "features", counted)
    monkeypatch.setattr(ToyEvaluator, "is_stable", lambda ai, s: s.over)
    found: list[int] = []
    for most in (0, 3, 9, 200):
        looked = 0
        s = TOY.deal(2, 3)
        finish_action(TOY.evaluator, s, s.who, TOY.weights.values, most)
        assert looked <= most
        found.append(looked)
    assert found[0] == 0 < found[-1]


@every_game
def test_the_first_evaluation_is_short(game: Game) -> None:
    """The first evaluation of any position takes less than the whole budget of strong, even on a busy machine."""
    s = game.deal(game.seats[-1], 5)
    rng = Rng(2)
    while not s.over:
        rollout(s, rng, 9)
        if len(s.legal) > 8:
            began = time.process_time()
            weigh_options(game.evaluator, s, s.who, game.weights.values, 2, rng)
            assert time.process_time() - began < 0.6, str(s.asked)


@every_game
def test_a_search_ends_with_its_time(game: Game) -> None:
    """The budget is processor time. The last rollout may exceed it a little."""
    s = game.deal(game.seats[-1], 5)
    rollout(s, Rng(2), 5)
    answer = ask_bot(create_bot("strong@300ms", game), s, Rng(1))
    assert not answer.fault
    assert answer.cut_short or 0.2 < answer.seconds < 1.1


def test_no_iteration_starts_that_would_end_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """No rollout starts if it would end after the budget.

    One through a round of Test of Time takes a large part of a short budget.
    """
    clock = [100.0]

    def slow(tree: SearchTree, world: State) -> None:
        clock[0] += 0.1

    monkeypatch.setattr(SearchTree, "iterate", slow)
    monkeypatch.setattr(time, "thread_time", lambda: clock[0])
    Strong(TOY).search(make_request(TOY.deal(2, 3), Budget(0.35)))
    assert clock[0] == pytest.approx(100.3)
    tree = Strong(TOY).search(make_request(TOY.deal(2, 3), Budget(0.05)))
    assert clock[0] == pytest.approx(100.4)  # one rollout is always made
    assert tree.rollout_limit == 0.05 * POSITIONS_PER_SECOND  # the budget completes few actions
    assert Strong(TOY).search(make_request(TOY.deal(2, 3), Budget(5.0))).rollout_limit == MAX_ROLLOUT_POSITIONS


@pytest.mark.parametrize("choices", [4, slow(8)])
@every_game
def test_a_choice_depends_only_on_the_knowledge_of_the_seat(game: Game, choices: int) -> None:
    """In two possible worlds of a seat every bot makes the same choice with the same seed."""
    other = Rng(3)
    compared = 0
    for seed in range(30):
        s = game.deal(game.seats[0], seed)
        rng = Rng(seed)
        while not s.over and compared < choices:
            rollout(s, rng, 7)
            if len(s.legal) < 2:
                continue
            twin = s.resample(s.who, other)
            for name in ("random", "novice", "greedy", "steady", "rollout@6x", "strong@6x"):
                player = create_bot(name, game)
                assert choose_option(player, s, Rng(9)) == choose_option(create_bot(name, game), twin, Rng(9)), name
            compared += 1
    assert compared == choices


@every_game
def test_a_determinization_depends_only_on_the_knowledge_of_the_seat(game: Game) -> None:
    other = Rng(4)
    s = game.deal(game.seats[-1], 3)
    rng = Rng(5)
    while not s.over:
        for seat in range(s.seats):
            twin = s.resample(seat, other)
            assert twin.resample(seat, Rng(6)).digest() == s.resample(seat, Rng(6)).digest(), str(s.asked)
        rollout(s, rng, 23)


def test_a_tree_is_kept_until_something_is_revealed() -> None:
    """Within a turn the search continues its tree, and the kept iterations count."""
    game = load_game("evangelists")
    kept = 0
    for seed in range(6):
        s = game.deal(2, seed)
        rollout(s, Rng(seed), 20)
        player = Strong(game)
        tree = player.search(make_request(s, Budget(60, 20)))
        best = tree.rank_nodes(s.legal)[0]
        after = s.clone()
        after.choose(best.option)
        if (after.undo_barrier, after.who) == (s.undo_barrier, s.who) and best.children:
            kept += 1
            again = player.search(make_request(after, Budget(60, 30), played=(best.option,)))
            assert again is tree
            assert again.root is best
            assert again.root.visits == 30
    assert kept


def test_a_tree_is_dropped_after_a_reveal() -> None:
    player = Strong(TOY)
    s = TOY.deal(2, 1)
    tree = player.search(make_request(s, Budget(60, 30)))
    s.undo_barrier += 1
    assert player.get_tree(make_request(s, Budget(60, 30), played=(tree.rank_nodes(s.legal)[0].option,))) is not tree


def test_another_match_gets_another_tree() -> None:
    player = Strong(TOY)
    s = TOY.deal(2, 1)
    tree = player.search(make_request(s, Budget(60, 30)))
    assert player.get_tree(make_request(TOY.deal(2, 2), Budget(60, 30))) is not tree


def test_ties_are_broken_at_random() -> None:
    """Without chance, random choices among equal options keep two searches from repeating the same match."""
    game = load_game("testoftime")
    ends = set()
    for seed in range(3):
        s = game.deal(2, 1)
        players = [create_bot("strong@1x", game) for _ in range(2)]
        rngs = [Rng(derive_seed(seed, seat)) for seat in range(2)]
        for _ in range(60):
            s.play(choose_option(players[s.who], s, rngs[s.who]))
        ends.add(s.digest())
    assert len(ends) == 3


@pytest.mark.parametrize("id", ["testoftime", "evangelists"])
def test_chance_hardly_moves_a_prior(id: str) -> None:
    game = load_game(id)
    s = game.deal(2, 1)
    for seed in range(4):
        tree = SearchTree(s.who, game.evaluator, game.weights, game.has_secrets, 3.0, 1, 1)
        tree.prepare_root(s, Rng(seed))
        wanted = softmax(
            weigh_options(game.evaluator, s, s.who, game.weights.values, tree.count_prior_worlds(len(s.legal)), Rng(0)),
            tree.prior,
        )
        found = [tree.root.children[make_child_key(o, s.who)].prior for o in s.legal]
        assert found == pytest.approx(wanted, rel=0.0011 if not game.has_secrets else 1e-9)
        assert (found != wanted) == (not game.has_secrets)
