"""Tests of bots: their input, their choices, and that choices are repeatable."""

import pytest

from tests.toy import TOY, Toy, cards
from triclinium.bots import (
    LEVELS,
    Bot,
    DecisionRequest,
    assign_bots,
    choose_option,
    create_bot,
    derive_seed,
    list_bots,
    play_out,
)
from triclinium.bots.greedy import Greedy
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name


class Witness(Bot):
    """A bot that keeps every world it receives."""

    name = "witness"
    description = Name("takes the first option")

    def __init__(self) -> None:
        super().__init__(TOY)
        self.met: list[Toy] = []

    def choose(self, asked: DecisionRequest) -> Option:
        assert isinstance(asked.world, Toy)
        assert asked.view == asked.game.view(asked.world, asked.seat)
        self.met.append(asked.world)
        return asked.world.legal[0]


NAMES = [
    f"{name}@20x" if name in ("rollout", "strong", "master") else name for name in list_bots()
]  # other tests cover the clock


def digest_after(names: list[str], seed: int) -> int:
    s = TOY.deal(3, seed)
    play_out(s, [create_bot(name, TOY) for name in names], [Rng(derive_seed(seed, seat)) for seat in range(3)])
    return s.digest()


def test_a_bot_never_gets_the_true_state() -> None:
    """A bot gets a copy of the state with other random numbers. Its hidden cards are hardly ever the true ones."""
    witness = Witness()
    rng = Rng(5)
    asked = truths = 0
    for seed in range(100):
        s = TOY.deal(2, seed)
        assert isinstance(s, Toy)
        while not s.over:
            o = choose_option(witness, s, rng)
            hidden = len(s.pile) + len(cards(s.hands[1 - s.who]))
            if len(s.legal) > 1 and hidden > 4:
                world = witness.met[-1]
                asked += 1
                truths += world.hands == s.hands and world.pile == s.pile
                assert world is not s
                assert world.rng.state_key() != s.rng.state_key()
                assert TOY.view(world, s.who) == TOY.view(s, s.who)
            s.choose(o)
    assert asked > 300
    assert truths < asked / 50


def test_a_single_option_is_taken_without_asking() -> None:
    """A bot is not asked about a single option: a seat without coins cannot join, so it has no choice."""
    witness = Witness()
    s = TOY.deal(2, 1)
    assert isinstance(s, Toy)
    s.pile = []
    s.coins = [0, 0]
    s.legal = s.asked.options(s)
    assert [TOY.format_option(o) for o in s.legal] == ["stop"]
    assert TOY.format_option(choose_option(witness, s, Rng(1))) == "stop"
    assert witness.met == []


def test_asking_a_bot_changes_nothing() -> None:
    s = TOY.deal(3, 8)
    before = s.digest()
    for name in NAMES:
        assert choose_option(create_bot(name, TOY), s, Rng(2)) in s.legal
        assert s.digest() == before


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_makes_the_same_choices(name: str) -> None:
    assert digest_after([name] * 3, 11) == digest_after([name] * 3, 11)
    assert len({digest_after([name] * 3, seed) for seed in range(8)}) == 8


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_finishes_its_matches(name: str) -> None:
    for seats in TOY.seats:
        s = TOY.deal(seats, 3)
        made = play_out(s, [create_bot(name, TOY)] * seats, [Rng(seat) for seat in range(seats)])
        assert s.over
        assert 0 < made <= TOY.max_decisions


def test_greedy_explains_its_choice() -> None:
    """The greedy bot takes the best of the options that it evaluates.

    Laying a card is worth 4 minus the card's cost.
    """
    greedy = Greedy(TOY)
    s = TOY.deal(3, 4)
    assert isinstance(s, Toy)
    s.hands[s.who] = 1 << 1 | 1 << 4
    s.legal = s.asked.options(s)
    values = {
        TOY.format_option(o): value
        for o, value in greedy.weigh_options(s.resample(s.who, Rng(1)), s.who, Rng(2)).items()
    }
    assert values == pytest.approx({"lay c1": 6.0, "lay c4": 4.0, "draw": 3.0, "peek": 3.0, "stop": 3.0})
    assert TOY.format_option(choose_option(greedy, s, Rng(3))) == "lay c1"


def test_greedy_breaks_ties_by_chance() -> None:
    greedy = Greedy(TOY)
    s = TOY.deal(3, 4)
    assert isinstance(s, Toy)
    s.coins = [0, 0, 0]
    s.legal = s.asked.options(s)
    assert {TOY.format_option(choose_option(greedy, s, Rng(seed))) for seed in range(30)} == {"draw", "peek", "stop"}


@pytest.mark.parametrize(("bot", "matches", "least"), [("greedy", 300, 105), ("rollout@40x", 60, 30)])
def test_a_bot_beats_random(bot: str, matches: int, least: int) -> None:
    """One such bot against two random bots wins more than a third of the matches."""
    wins = 0.0
    for seed in range(matches):
        s = TOY.deal(3, seed)
        names = ["random", "random", "random"]
        names[seed % 3] = bot
        play_out(s, [create_bot(name, TOY) for name in names], [Rng(derive_seed(seed, seat)) for seat in range(3)])
        best = [names[score.seat] for score in TOY.scores(s) if score.rank == 1]
        wins += best.count(bot) / len(best)
    assert wins > least


def test_every_bot_has_a_description() -> None:
    assert list_bots() == ["random", "rollout", "novice", "casual", "greedy", "steady", "strong", "master"]
    assert set(LEVELS) <= set(list_bots())
    french = TOY.words.reader("fr")
    for name in list_bots():
        player = create_bot(name, TOY)
        assert player.name == name
        assert player.description.text != french.format_arg(player.description)


def test_an_unknown_bot_is_reported() -> None:
    with pytest.raises(BadSetup, match="there is no bot 'gredy'; did you mean 'greedy'\\?"):
        create_bot("gredy", TOY)
    with pytest.raises(
        BadSetup, match="there is no bot ''; known: casual, greedy, master, novice, random, rollout, steady, strong"
    ):
        assign_bots([""], 2)


def test_bots_are_given_for_all_seats_or_for_each() -> None:
    assert assign_bots(["random"], 3) == ["random"] * 3
    assert assign_bots(["random", "greedy"], 2) == ["random", "greedy"]
    with pytest.raises(BadSetup, match="2 bots are named for 4 places"):
        assign_bots(["random", "greedy"], 4)


def test_derived_seeds_never_change() -> None:
    """If derived seeds changed, every documented simulation would change."""
    assert derive_seed(7) == 649197414563744398
    assert derive_seed(7, 3) == 377884450553051070
    assert derive_seed(7, 3, 1) == 524025247827796788
    assert len({derive_seed(seed, i, j) for seed in range(5) for i in range(20) for j in range(5)}) == 500
    with pytest.raises(BadSetup, match="a seed is a whole number from 0"):
        derive_seed(-1)
