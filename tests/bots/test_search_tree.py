"""Tests of rollouts in the search tree: control variates, solo turns, further own turns, and whole actions."""

import copy
from itertools import pairwise
from statistics import mean, pstdev

import pytest

from triclinium.bots import Budget, DecisionRequest
from triclinium.bots.core import tree as tree_module
from triclinium.bots.core.baseline import Baseline
from triclinium.bots.core.tree import SearchNode, SearchTree
from triclinium.bots.core.value import ValueModel, softmax, weigh_options
from triclinium.bots.search import Strong
from triclinium.engine.build_info import is_compiled
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.games.portals.rules.state import Portals

RACE = load_game("missionnaires")
LISTENED = pytest.mark.skipif(is_compiled(), reason="compiled code calls its own methods: no test can listen to them")


def model_of(game: Game) -> ValueModel:
    return ValueModel(game.evaluator, game.weights)


def tree_of(seat: Seat, game: Game, worlds: int, ripe: int) -> SearchTree:
    return SearchTree(seat, game.evaluator, game.weights, game.has_secrets, 3.0, worlds, ripe)


def play_to_choice(options: int = 30) -> State:
    s = RACE.deal(2, 3)
    rollout(s, Rng(1), options)
    while len(s.legal) < 3 or not RACE.evaluator.is_stable(s):
        rollout(s, Rng(2), 1)
    return s


def test_the_prediction_of_a_world_is_subtracted() -> None:
    """Subtracting the world's own value leaves only random differences between options."""
    s = play_to_choice()
    baseline = Baseline(s, s.who, model_of(RACE), 5)
    told = [baseline.model.predict_win_shares(baseline.sample_world(n)) for n in range(60)]
    fair = [baseline.subtract_baseline(n, told[n])[s.who] for n in range(60)]
    raw = [shares[s.who] for shares in told]
    assert pstdev(fair) < pstdev(raw) / 5
    assert mean(fair) == pytest.approx(mean(raw), abs=pstdev(raw))


def test_results_unrelated_to_their_worlds_are_not_corrected() -> None:
    s = play_to_choice()
    baseline = Baseline(s, s.who, model_of(RACE), 5)
    for n in range(400):
        baseline.sample_world(n)
        last = baseline.subtract_baseline(n, [0.5, 0.5])
    assert last == pytest.approx([0.5, 0.5], abs=0.02)


def test_equal_worlds_change_nothing() -> None:
    """If no feature counts hidden information, the correction for the world changes nothing."""
    game = load_game("evangelists")
    s = game.deal(2, 1)
    baseline = Baseline(s, s.who, model_of(game), 5)
    assert baseline.is_uniform
    baseline.sample_world(99)
    assert 99 not in baseline.shares_by_world
    assert baseline.subtract_baseline(99, [0.25, 0.75]) == [0.25, 0.75]


def choosers(node: SearchNode) -> set[Seat]:
    found = {child.chooser for child in node.children.values()}
    for child in node.children.values():
        found |= choosers(child)
    return found


def options_of_others(node: SearchNode, seat: Seat) -> list[Option]:
    found = [child.option for child in node.children.values() if child.chooser != seat]
    return found + [o for child in node.children.values() for o in options_of_others(child, seat)]


def grow_tree(solo_turns: int, s: State) -> SearchTree:
    game = copy.copy(RACE)
    game.weights = copy.copy(RACE.weights)
    game.weights.solo_turns = solo_turns
    tree = tree_of(s.who, game, 2, 2)
    world = s.resample(s.who, Rng(1))
    tree.prepare_root(world, Rng(2))
    for _ in range(120):
        tree.iterate(world)
    return tree


def test_search_plays_only_its_own_turns_in_a_race() -> None:
    """LM-2.1  A search with solo turns plays the seat's own turns, and the rivals owe theirs."""
    s = play_to_choice()
    assert len(choosers(grow_tree(0, s).root)) == 2
    asked_of_rivals = [RACE.format_option(o) for o in options_of_others(grow_tree(2, s).root, s.who)]
    assert all(said.startswith("to ") for said in asked_of_rivals)  # a card moves rivals, but they take no turns


@LISTENED
def test_a_seat_that_was_ahead_skips_its_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without owed turns all win probabilities would be too high, because the rivals would stand still."""
    owed: list[bool] = []
    shares = ValueModel.predict_win_shares

    def noted(model: ValueModel, s: State) -> list[float]:
        owed.append(dict(zip(RACE.weights.names, RACE.evaluator.features(s, seat), strict=True))["missed"] >= 2)
        return shares(model, s)

    s = play_to_choice()
    seat = s.who
    tree = tree_of(seat, RACE, 2, 2)
    tree.prepare_root(s, Rng(2))
    monkeypatch.setattr(ValueModel, "predict_win_shares", noted)
    tree.baseline = None
    for _ in range(10):
        tree.iterate(s)
    assert owed == [True] * 10


def test_a_race_tree_is_kept_only_within_a_turn() -> None:
    """A tree without rivals is kept only within a turn, because their options would be mistaken for the seat's."""
    s = play_to_choice()
    player = Strong(RACE)
    asked = DecisionRequest(RACE, s.resample(s.who, Rng(1)), s.who, Rng(1), Budget(60, 60))
    tree = player.search(asked)
    best = tree.rank_nodes(s.legal)[0]
    assert best.children
    own = DecisionRequest(RACE, asked.world, s.who, Rng(1), Budget(60, 60), (best.option,))
    then = next(iter(best.children.values())).option
    assert (
        player.get_tree(DecisionRequest(RACE, asked.world, s.who, Rng(1), Budget(60, 60), (best.option, then)))
        is not tree
    )
    assert player.get_tree(own) is tree


@LISTENED
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_rollouts_end_after_the_set_number_of_own_turns(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """PP-3.1  A rollout continues until the seat's turn is over, in this round or a later one."""
    game = copy.copy(load_game("portals"))
    game.weights = copy.copy(game.weights)
    game.weights.own_turns = turns
    judged: list[tuple[int, Seat]] = []
    shares = ValueModel.predict_win_shares

    def noted(model: ValueModel, s: State) -> list[float]:
        assert isinstance(s, Portals)
        judged.append((s.round, s.who))
        return shares(model, s)

    monkeypatch.setattr(ValueModel, "predict_win_shares", noted)
    within = 0  # number of rollouts evaluated before the seat's turn is over
    s = game.deal(3, 4)
    assert isinstance(s, Portals)
    while s.round < 2:
        rollout(s, Rng(3), 1)
    for _ in range(12):
        rollout(s, Rng(3), 3)
        tree = tree_of(s.who, game, 2, 0)
        tree.prepare_root(s, Rng(2))
        for _ in range(4):
            tree.iterate(s)
            later, asked = judged[-1]
            within += asked == s.who
            # The next asked seat comes after it in that round, or before it in the next round.
            assert not turns or asked == NOBODY or later - s.round in (turns - 1, turns)
    assert (within == 0) == (turns > 0)


def test_a_large_tree_grows_by_one_node_per_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer rollouts would fill the memory of a machine on which the master bot thinks on all cores."""
    game = load_game("evangelists")
    s = game.deal(3, 4)
    while len(s.legal) < 4 or not game.evaluator.is_stable(s):
        rollout(s, Rng(1), 1)

    def count_added_nodes(most: int, walks: int) -> list[int]:
        monkeypatch.setattr(tree_module, "MAX_NODES", most)
        tree = tree_of(s.who, game, 2, 2)
        tree.prepare_root(s, Rng(2))
        sizes = [tree.nodes]
        for _ in range(walks):
            tree.iterate(s)
            sizes.append(tree.nodes)
            assert tree.nodes == 1 + count_nodes(tree.root)
        return [after - before for before, after in pairwise(sizes)]

    assert max(count_added_nodes(0, 30)) < 20 < max(count_added_nodes(1_000_000, 30))


def count_nodes(node: SearchNode) -> int:
    return sum(1 + count_nodes(child) for child in node.children.values())


def test_the_first_evaluation_uses_as_many_worlds_as_fit() -> None:
    tree = tree_of(0, RACE, 12, 2)
    assert [tree.count_prior_worlds(options) for options in (2, 5, 10, 40)] == [12, 10, 5, 2]


def attackable() -> tuple[Game, State]:
    """Return a position of testoftime with a legal attack, which takes three more decisions."""
    game = load_game("testoftime")
    s = game.deal(4, 5)
    while "attack" not in [game.format_option(o) for o in s.legal]:
        rollout(s, Rng(7), 1)
    return game, s


def test_whole_actions_are_evaluated() -> None:
    """The steady bot evaluates complete actions: the value of an attack depends on its target and pieces (TT-9.2)."""
    game, s = attackable()
    tree = tree_of(s.who, game, 1, 1)
    whole, half = SearchNode(-1, NOBODY, 1.0), SearchNode(-1, NOBODY, 1.0)
    looked = tree.expand(whole, s, True)
    assert tree.expand(half, s, False) == len(s.legal) < looked
    finished = softmax(weigh_options(game.evaluator, s, s.who, game.weights.values, 1, Rng(1)), game.weights.prior)
    # The rollout completes unfinished actions greedily, so the priors are those of finished actions.
    assert [child.prior for child in whole.children.values()] == pytest.approx(finished, abs=0.01)
    assert [child.prior for child in half.children.values()] != pytest.approx(finished)


@LISTENED
def test_an_iteration_finishes_the_set_number_of_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round has hundreds of decisions. Beyond a limit single options are evaluated, so that rollouts stay short."""
    game, s = attackable()
    wholes: list[bool] = []
    expand = SearchTree.expand

    def noted(tree: SearchTree, node: SearchNode, s: State, whole: bool) -> int:
        wholes.append(whole)
        return expand(tree, node, s, whole)

    monkeypatch.setattr(SearchTree, "expand", noted)
    tree = tree_of(s.who, game, 1, 1)
    tree.rollout_limit = 100
    tree.prepare_root(s, Rng(2))
    tree.iterate(s)
    assert wholes[0]
    assert not wholes[-1]
    assert wholes == sorted(wholes, reverse=True)


def compare_candidates(candidates: int, own_turns: int, iterations: int) -> tuple[State, SearchTree]:
    """Return a decision of portals with several options, and a search that compares candidates."""
    game = copy.copy(load_game("portals"))
    game.weights = copy.copy(game.weights)
    game.weights.candidates = candidates
    game.weights.own_turns = own_turns
    s = game.deal(2, 4)
    rollout(s, Rng(4), 60)
    while len(game.evaluator.sensible_options(s)) <= candidates:
        rollout(s, Rng(5), 1)
    world = s.resample(s.who, Rng(5))
    world.legal = game.evaluator.sensible_options(world)
    request = DecisionRequest(game, world, s.who, Rng(6), Budget(60, iterations))
    return world, Strong(game).search(request)


def test_candidates_are_tried_equally_often_without_a_tree() -> None:
    world, tree = compare_candidates(3, 2, 24)
    nodes = tree.rank_nodes(world.legal)
    assert [node.visits for node in nodes] == [8] * 3 + [0] * (len(nodes) - 3)
    assert min(node.prior for node in nodes[:3]) >= max(node.prior for node in nodes[3:])
    assert [node.compute_mean() for node in nodes[:3]] == sorted((n.compute_mean() for n in nodes[:3]), reverse=True)
    assert not any(node.children for node in nodes)
    assert tree.root.visits == tree.iterations == 24


def test_candidates_meet_the_same_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each world is dealt once for every candidate, and the same seed chooses the same option."""
    dealt: list[tuple[int, ...]] = []
    redeal = Portals.redeal

    def noted(world: Portals, seat: Seat, rng: Rng) -> None:
        dealt.append(rng.state_key())
        redeal(world, seat, rng)

    world, tree = compare_candidates(3, 1, 12)
    _, again = compare_candidates(3, 1, 12)
    assert [n.total for n in tree.rank_nodes(world.legal)] == [n.total for n in again.rank_nodes(world.legal)]
    if not is_compiled():
        monkeypatch.setattr(Portals, "redeal", noted)
        for _ in range(12):
            tree.iterate(world)
        assert len(dealt) == 12
        assert len(set(dealt)) == 4
