"""Tests of training data: read from a file, and used only if it fits and is wanted."""

import random
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from triclinium import list_games, load_game
from triclinium.bots import DecisionRequest, choose_option, create_bot
from triclinium.bots.core.ranking_network import RankingNetwork, weigh_with_network
from triclinium.bots.core.tree import SearchTree
from triclinium.bots.core.value import weigh_options
from triclinium.bots.networks import (
    NETWORK_VARIABLE,
    OFF,
    PARTS,
    build_ranking_network,
    find_mismatch,
    find_network_path,
    has_passed_acceptance,
    hash_weights,
    load_network_for_bot,
    read_network,
    write_network,
)
from triclinium.engine.core.errors import BadComponents, BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option
from triclinium.games.evangelists.game import GAME
from triclinium.lab.learn.weights import with_weights

HIDDEN = 4
VERBS = [verb.word for verb in GAME.verbs]
SIZE = len(GAME.weights.names)
SHAPES = {
    "after": (SIZE, HIDDEN),
    "before": (SIZE, HIDDEN),
    "verb": (len(VERBS), HIDDEN),
    "context": (3, HIDDEN),
    "second": (HIDDEN, HIDDEN),
    "second_bias": (HIDDEN,),
    "last": (HIDDEN,),
}
TOLD = {
    "game": GAME.id,
    "version": str(GAME.version),
    "components": GAME.hash,
    "features": " ".join(GAME.weights.names),
    "weights": hash_weights(GAME),
    "verbs": " ".join(VERBS),
    "hidden": str(HIDDEN),
}


def size(shape: tuple[int, ...]) -> int:
    return shape[0] * shape[1] if len(shape) == 2 else shape[0]


def write_random_network(folder: Path, told: Mapping[str, str] = TOLD, last: float = 100.0, seed: int = 5) -> Path:
    """Write a network with random weights."""
    chance = random.Random(seed)
    drawn = {name: [chance.uniform(-0.2, 0.2) for _ in range(size(shape))] for name, shape in SHAPES.items()}
    drawn["last"] = [last * number for number in drawn["last"]]
    return write_network(folder, told, {name: (SHAPES[name], drawn[name]) for name in PARTS})


def compute_by_hand(
    ranker: dict[str, list[float]], before: list[float], after: list[float], verb: int, late: float
) -> float:
    """Return the network's output computed by hand for two players."""
    units = []
    for k in range(HIDDEN):
        one = ranker["context"][k] + late * ranker["context"][HIDDEN + k] + 2 * ranker["context"][2 * HIDDEN + k]
        one += ranker["verb"][verb * HIDDEN + k]
        for i in range(SIZE):
            one += after[i] * ranker["after"][i * HIDDEN + k] + before[i] * ranker["before"][i * HIDDEN + k]
        units.append(max(0.0, one))
    total = 0.0
    for j in range(HIDDEN):
        one = ranker["second_bias"][j] + sum(ranker["second"][j * HIDDEN + k] * units[k] for k in range(HIDDEN))
        total += ranker["last"][j] * max(0.0, one)
    return total


def test_network_output_matches_its_weights(tmp_path: Path) -> None:
    file = read_network(write_random_network(tmp_path))
    chance = random.Random(1)
    before = [chance.uniform(-2, 2) for _ in range(SIZE)]
    after = [[chance.uniform(-2, 2) for _ in range(SIZE)] for _ in range(3)]
    s = GAME.deal(2, 1)
    legal: list[Option] = [s.legal[0]] * 3
    verb = VERBS.index(GAME.notation.verb_of(legal[0]).word)
    said = build_ranking_network(GAME, file).predict(legal, before, after, 0.25, 2)
    expected = [compute_by_hand(dict(file.parts), before, each, verb, 0.25) * GAME.weights.prior for each in after]
    assert said == pytest.approx(expected)
    assert len(set(said)) == 3
    half = build_ranking_network(GAME, file, 0.5).predict(legal, before, after, 0.25, 2)
    assert half == pytest.approx([number / 2 for number in expected])


def test_an_untrained_network_changes_nothing(tmp_path: Path) -> None:
    ranker = build_ranking_network(GAME, read_network(write_random_network(tmp_path, last=0.0)))
    s = GAME.deal(2, 3)
    for _ in range(20):
        how = (GAME.evaluator, s, s.who, GAME.weights.values, 3)
        assert weigh_with_network(ranker, *how, Rng(4)) == pytest.approx(weigh_options(*how, Rng(4)))
        s.play(s.legal[0])


def list_choices(name: str) -> list[Option]:
    """Return a bot's choices at the first decisions of a match."""
    s = GAME.deal(2, 7)
    player = create_bot(name, GAME)
    found = []
    for n in range(40):
        found.append(choose_option(player, s, Rng(n)))
        s.play(found[-1])
    return found


def test_a_plain_bot_ignores_the_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NETWORK_VARIABLE, OFF)
    before = list_choices("steady")
    monkeypatch.setenv(NETWORK_VARIABLE, str(write_random_network(tmp_path)))
    assert list_choices("steady+plain") == before
    assert list_choices("steady") != before
    strong, master = create_bot("strong", GAME), create_bot("master", GAME)
    assert strong.ranking_network is None  # an anchor of ratings must not change
    assert isinstance(master.ranking_network, RankingNetwork)
    assert create_bot("master+plain@5s", GAME).ranking_network is None


@pytest.mark.parametrize("whole", [True, False])
def test_rollouts_use_the_network_to_finish_actions(whole: bool, tmp_path: Path) -> None:
    """The network ranks only complete actions, because it was trained on them."""
    ranker = build_ranking_network(GAME, read_network(write_random_network(tmp_path)))
    s = GAME.deal(2, 7)
    while len(set(weigh_options(GAME.evaluator, s, s.who, GAME.weights.values, 1, Rng(1)))) < 3:
        s.play(s.legal[0])
    priors = []
    for used in (None, ranker):
        tree = SearchTree(s.who, GAME.evaluator, GAME.weights, GAME.has_secrets, 3.0, 1, 1, network=used)
        assert tree.whole_actions == (used is not None)  # without the network, evangelists evaluates single options
        tree.expand(tree.root, s, whole)
        priors.append([node.prior for node in tree.root.children.values()])
        assert sum(priors[-1]) == pytest.approx(1)
    assert (priors[0] != pytest.approx(priors[1])) == whole


def test_the_prior_of_the_search_uses_the_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    s = GAME.deal(2, 7)
    while len(s.legal) < 3 or len(set(weigh_options(GAME.evaluator, s, s.who, GAME.weights.values, 1, Rng(1)))) < 2:
        s.play(s.legal[0])
    asked = DecisionRequest(GAME, s.resample(s.who, Rng(1)), s.who, Rng(2), create_bot("master@8x", GAME).budget)
    priors = []
    for said in (OFF, str(write_random_network(tmp_path))):
        monkeypatch.setenv(NETWORK_VARIABLE, said)
        player = create_bot("master", GAME)
        tree = player.search(asked)  # type: ignore[attr-defined]  # a search
        priors.append([node.prior for node in tree.rank_nodes(s.legal)])
    assert sorted(priors[0]) != pytest.approx(sorted(priors[1]))


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("game", "portals", "it was trained for portals"),
        ("version", "9", "it was trained for version 9 of the rules"),
        ("components", "0123", "it was trained with other components"),
        ("features", "luck", "it uses other features"),
        ("weights", "0123", "it was trained with other weights"),
    ],
)
def test_a_network_that_does_not_fit_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, why: str
) -> None:
    path = write_random_network(tmp_path, {**TOLD, name: value})
    assert find_mismatch(GAME, read_network(path)) == why
    monkeypatch.setenv(NETWORK_VARIABLE, str(path))
    assert load_network_for_bot(GAME, "steady") is None


@pytest.mark.parametrize(
    ("gates", "users"),
    [
        ({}, []),
        ({"gate steady, 2 seats": "180 of 300 (0.544 to 0.654), passed"}, ["steady"]),
        (
            {
                "gate steady, 2 seats": "180 of 300 (0.544 to 0.654), passed",
                "gate steady, 5 seats": "60 of 300 (0.159 to 0.249), not passed",
                "gate master, 2 seats": "420 of 700 (0.563 to 0.636), passed",
            },
            ["master"],
        ),
    ],
)
def test_a_shipped_network_is_used_by_the_bots_that_it_improves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gates: dict[str, str], users: list[str]
) -> None:
    path = write_random_network(tmp_path, TOLD | gates)
    monkeypatch.delenv(NETWORK_VARIABLE, raising=False)
    monkeypatch.setattr("triclinium.bots.networks.find_network_path", lambda game: path)
    assert [
        name for name in ("steady", "master", "strong") if create_bot(name, GAME).ranking_network is not None
    ] == users
    monkeypatch.setenv(NETWORK_VARIABLE, str(path))  # setting a file is a request to use it
    assert create_bot("master", GAME).ranking_network is not None


def test_tuning_ignores_networks(tmp_path: Path) -> None:
    file = read_network(write_random_network(tmp_path))
    assert find_mismatch(GAME, file) == ""
    assert find_mismatch(with_weights(GAME, [2 * weight for weight in GAME.weights.values]), file)


def test_a_damaged_file_is_refused_with_a_message(tmp_path: Path) -> None:
    path = write_random_network(tmp_path)
    data = path.read_bytes()
    for broken in (b"", data[:40], data[:8] + b"x" + data[9:], data.replace(b"F16", b"F32"), data[:-6]):
        path.write_bytes(broken)
        with pytest.raises(BadComponents, match="is not a network file"):
            read_network(path)
    with pytest.raises(BadComponents, match="is not a network file"):
        read_network(tmp_path / "missing")


@pytest.mark.parametrize("name", ["greedy+plain", "strong+plain", "steady+bold", "steady+"])
def test_plain_variants_exist_only_for_bots_with_networks(name: str) -> None:
    with pytest.raises(BadSetup, match="only 'plain' can be added"):
        create_bot(name, GAME)


@pytest.mark.parametrize("id", list_games())
def test_a_shipped_network_fits_its_game_and_has_a_history(id: str) -> None:
    """A shipped network fits its game and says how it was trained. Otherwise it would be ignored without a warning."""
    path = find_network_path(load_game(id))
    if path is not None:
        file = read_network(path)
        assert find_mismatch(load_game(id), file) == ""
        assert path.stem == f"net-{sha256(path.read_bytes()).hexdigest()[:8]}"
        assert has_passed_acceptance(file, "steady")
