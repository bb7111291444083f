"""Tests of restricted play: no bot plays or plans a banned verb."""

import pytest

from tests.slow import mark_slow_except
from tests.toy import TOY
from triclinium.bots import Bot, DecisionRequest, ask_bot, create_bot
from triclinium.bots.base import build_restriction
from triclinium.bots.core.restriction import Restriction
from triclinium.bots.core.tree import SearchNode
from triclinium.bots.core.value import find_best_option, finish_action
from triclinium.bots.search import Strong
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name
from triclinium.engine.registry import load_game

KINDS = ("random", "novice", "greedy", "steady", "rollout@4x", "strong@4x", "master@2x")
GAME = load_game("evangelists")


class Sees(Bot):
    """An external bot that records its options."""

    name = "sees"
    description = Name("takes the last option")

    def __init__(self) -> None:
        super().__init__(GAME)
        self.offered: set[str] = set()

    def choose(self, asked: DecisionRequest) -> Option:
        self.offered |= {self.game.format_option(o).split()[0] for o in asked.world.legal}
        return asked.world.legal[-1]


def verb(o: Option) -> str:
    return GAME.format_option(o).split()[0]


@pytest.mark.parametrize("name", mark_slow_except(list(KINDS), "novice", "steady", "strong@4x"))
def test_a_banned_verb_is_never_played(name: str) -> None:
    """Seat 0 may neither sail nor interview unless nothing else is left. The other seats are not restricted."""
    mine, other, s, offered = create_bot(name, GAME), create_bot("greedy", GAME), GAME.deal(2, 5), 0
    rngs = [Rng(1), Rng(2)]
    for _ in range(40 if "@" in name else 400):
        if s.over:
            break
        banned = ("interview", "boat") if s.who == 0 else ()
        answer = ask_bot(mine if s.who == 0 else other, s, rngs[s.who], forbidden_verbs=banned)
        assert not answer.fault, answer
        if s.who == 0:
            offered += any(verb(o) in banned for o in s.legal)
            assert verb(answer.option) not in ("interview", "boat")
        s.choose(answer.option)
    assert offered, "nothing banned was ever possible"


def test_any_bot_gets_the_remaining_options() -> None:
    """The options of the bot's possible worlds are filtered before it sees them, but not those of the true state."""
    guest, s = Sees(), GAME.deal(3, 1)
    while not s.over:
        before = list(s.legal)
        o = ask_bot(guest, s, Rng(3), forbidden_verbs=("tradition",)).option
        assert s.legal == before
        s.choose(o)
    assert "travel" in guest.offered
    assert "tradition" not in guest.offered


def test_a_banned_verb_is_allowed_if_it_is_the_only_option() -> None:
    s = TOY.deal(2, 1)
    first = s.legal[0]
    some = Restriction([o == first for o in range(TOY.notation.size)], [], TOY.option_components, False)
    every = Restriction([True] * TOY.notation.size, [], TOY.option_components, True)
    assert some.filter_options(s, s.legal) == s.legal[1:]
    assert every.filter_options(s, s.legal) == s.legal
    assert some.filter_options(s, [first]) == [first]
    assert (
        Restriction(some.forbidden_by_verb, [], TOY.option_components, True).filter_options(s, [first]) == s.legal[1:]
    )
    verbs = tuple({TOY.format_option(o).split()[0] for o in s.legal})
    assert ask_bot(create_bot("greedy", TOY), s, Rng(1), forbidden_verbs=verbs).option in s.legal


def test_an_action_is_planned_without_banned_verbs() -> None:
    """AE-6.2  If no card may be kept, a bot plans a Tradition to its end and does not overvalue it."""
    s = GAME.deal(3, 7, {"stenographer": 0})
    for text in ("start rome", "start ephesus", "start antioch", "tradition"):
        s.play(GAME.read(text))
    ai, weights, never = GAME.evaluator, GAME.weights.values, build_restriction(GAME, ("keep",))
    assert verb(find_best_option(ai, s, 0, weights)) == "keep"
    assert verb(find_best_option(ai, s, 0, weights, never)) == "none"
    free, bound = s.clone(), s.clone()
    assert finish_action(ai, free, 0, weights, 500) > 0
    assert finish_action(ai, bound, 0, weights, 500, never) > 0
    kept = [sum(slot >= 0 for slot in t.slots[0]) for t in (free, bound)]  # type: ignore[attr-defined]  # of Evangelists
    assert kept[0] > kept[1] == 0


def test_a_search_plans_no_banned_verb_for_its_seat() -> None:
    """Rivals keep all options, and a tree from an unrestricted search is not reused."""
    s = GAME.deal(2, 3, {"stenographer": 0})
    for text in ("start rome", "start ephesus"):
        s.play(GAME.read(text))
    never = build_restriction(GAME, ("tradition", "keep"))
    strong = Strong(GAME)
    world = s.resample(0, Rng(1))
    world.legal = never.filter_options(world, world.legal)
    tree = strong.search(DecisionRequest(GAME, world, 0, Rng(2), create_bot("strong@150x", GAME).budget, (), never))
    chosen = {(node.chooser, verb(node.option)) for node in nodes(tree.root) if node.option >= 0}
    assert not {word for seat, word in chosen if seat == 0} & {"tradition", "keep"}
    assert (1, "tradition") in chosen
    best = tree.rank_nodes(world.legal)[0].option
    after = world.clone()
    after.choose(best)
    assert (after.who, after.undo_barrier) == (0, world.undo_barrier)
    for banned, kept in ((None, False), (never, True)):
        later = DecisionRequest(GAME, after, 0, Rng(2), create_bot("strong@1x", GAME).budget, (best,), banned)
        assert (strong.get_tree(later) is tree) == kept


def nodes(root: SearchNode) -> list[SearchNode]:
    found = [root]
    for node in found:
        found += node.children.values()
    return found


def test_an_unknown_verb_is_reported() -> None:
    with pytest.raises(BadSetup, match="evangelists has no verb 'interviw'; did you mean 'interview'"):
        ask_bot(create_bot("random", GAME), GAME.deal(2, 1), Rng(1), forbidden_verbs=("interviw",))
