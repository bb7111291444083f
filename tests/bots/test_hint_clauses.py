"""Tests of the clauses of hints, which name what a seat has or can do after one option and not after another."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import pytest

from tests.bots.test_explanations import UNTOLD
from tests.games.ierusalem.table import table
from triclinium import Rng, load_game
from triclinium.bots import choose_option, create_bot
from triclinium.bots.core.value import finish_action
from triclinium.engine.core.state import Option, Seat, State, Step
from triclinium.engine.core.text import Message
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.ierusalem.rules import verbs
from triclinium.games.ierusalem.rules.actions.followers import CallFollower
from triclinium.games.ierusalem.rules.actions.market import Market, Trade
from triclinium.games.ierusalem.rules.actions.reward import TakeOffering
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.turn import BuyMahane, Column
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.portals.rules.state import Portals
from triclinium.games.testoftime.rules.components import PASS
from triclinium.games.testoftime.rules.state import TestOfTime

MAX_DECISIONS = 50
LOOKED_AT = 4  # options of each decision
SEEDS = (11, 12, 13, 14)
MAX_POSITIONS = 100  # limit of positions for finishing an action

Facts = tuple[int, ...]


class Comparison(NamedTuple):
    """A clause on the positions after two options, each with its action finished."""

    clause: tuple[str, Facts] | None
    better: State
    other: State
    seat: Seat


@cache
def play_match(id: str, seed: int) -> list[tuple[State, State, Seat]]:
    """Return pairs of positions after two options of the same seat, from the first decisions of a match."""
    game, pairs = load_game(id), []
    s, rng, player = game.deal(game.seats[0], seed), Rng(seed), create_bot("greedy", game)
    for _ in range(MAX_DECISIONS):
        if s.over:
            break
        outcomes: list[State] = []
        options = game.evaluator.sensible_options(s)
        for o in options[:: 1 + len(options) // LOOKED_AT]:
            t = s.clone()
            t.choose(o)
            finish_action(game.evaluator, t, s.who, game.weights.values, MAX_POSITIONS)
            outcomes.append(t)
        pairs += [(better, other, s.who) for better, other in pairwise(outcomes)]
        s.choose(choose_option(player, s, rng))
    return pairs


def compare_options_of_match(id: str, topic: str = "", seed: int = 11) -> Iterator[Comparison]:
    """Yield comparisons of each of a few options with the next one, in the first decisions of a match."""
    words = load_game(id).words
    for better, other, seat in play_match(id, seed):
        yield Comparison(words.describe_difference(topic, better, other, seat), better, other, seat)


@pytest.mark.parametrize("id", UNTOLD)
def test_clauses_read_well_and_need_a_difference(id: str) -> None:
    game = load_game(id)
    readers = [game.words.reader(language, ("Anna", "Ben", "Cleo")) for language in ("en", "fr")]
    templates: set[str] = set()
    for comparison in compare_options_of_match(id):
        assert game.words.describe_difference("", comparison.better, comparison.better, comparison.seat) is None
        if comparison.clause is not None:
            text, facts = comparison.clause
            english, french = (reader.read(Message(text, *facts)) for reader in readers)
            assert "{" not in english + french
            assert english != french
            assert not english.endswith(".")
            templates.add(text)
    assert len(templates) >= 3


@pytest.mark.parametrize("id", UNTOLD)
def test_every_topic_has_a_description(id: str) -> None:
    game = load_game(id)
    s = game.deal(game.seats[0], 3)
    for topic in set(game.words.feature_topics.values()):
        assert game.words.describe_difference(topic, s, s, 0) is None


def list_facts(id: str, template: str, topic: str = "") -> list[tuple[Facts, State, State, Seat]]:
    """Return the facts of all clauses with a template, of which a few matches must have at least one."""
    found: list[tuple[Facts, State, State, Seat]] = []
    for seed in SEEDS:
        for clause, better, other, seat in compare_options_of_match(id, topic, seed):
            if clause is not None and clause[0] == template:
                found.append((clause[1], better, other, seat))
    assert found
    return found


def test_portals_nearer_event() -> None:
    for (card, steps), better, other, seat in list_facts("portals", "you are {1} {1:step|steps} nearer to “{0:card}”"):
        assert isinstance(better, Portals)
        assert isinstance(other, Portals)
        assert card in better.hands[seat]
        place = better.c.place[card]
        if not better.portals:
            far = better.c.distance
            assert far[other.pawns[seat]][place] - far[better.pawns[seat]][place] == steps
        assert better.pawns[seat] != other.pawns[seat]


def test_portals_event_that_can_be_played_this_turn() -> None:
    for (card, turn), better, _, seat in list_facts("portals", "you can play “{0:card}” {1:turn} instead of later"):
        assert isinstance(better, Portals)
        assert card in better.hands[seat]
        if turn == 0 and better.pawns[seat] == better.c.place[card]:
            assert (better.compute_range_mask() >> better.c.period[card]) & 1
            assert any(load_game("portals").format_option(o).startswith("play ") for o in better.legal)


def test_portals_lead_in_a_symbol() -> None:
    template = "you lead in {0:symbol}, {1} to {2}, for {3} points"
    for (_, own, rival, points), better, _, _ in list_facts("portals", template, "symbols"):
        assert isinstance(better, Portals)
        assert own > rival
        assert points == better.c.majority_points


def test_missionnaires_visit() -> None:
    for (space,), better, other, seat in list_facts("missionnaires", "you visit {0:space}"):
        assert isinstance(better, Missionnaires)
        assert isinstance(other, Missionnaires)
        card = better.c.card_of[space]
        assert card not in better.hand[seat]
        assert card in other.hand[seat]


def test_missionnaires_nearer_congregation() -> None:
    template = "you are {1} {1:space|spaces} nearer to {0:space}, which you still have to visit"
    for (space, saved), better, other, seat in list_facts("missionnaires", template):
        assert isinstance(better, Missionnaires)
        assert isinstance(other, Missionnaires)
        far = better.c.distance
        assert saved == far[other.at[seat]][space] - far[better.at[seat]][space] > 0
        assert better.c.card_of[space] in better.hand[seat]


def test_evangelists_witness_and_track() -> None:
    template = "you have {1} {1:card|cards} with the circle of {0:witness} instead of {2}"
    for (witness, cards, fewer), better, other, seat in list_facts("evangelists", template, "witnesses"):
        assert isinstance(better, Evangelists)
        assert isinstance(other, Evangelists)
        assert better.count_circles(seat, witness) == cards > fewer
        assert not (better.interviews[seat] >> witness) & 1
    template = "your cube on the {0:track} track is {1} {1:space|spaces} farther up"
    for (track, levels), better, other, seat in list_facts("evangelists", template, "tracks"):
        assert isinstance(better, Evangelists)
        assert isinstance(other, Evangelists)
        assert better.get_level(seat, track) - other.get_level(seat, track) == levels > 0


def test_ierusalem_columns_and_followers() -> None:
    template = "each card of the {0:location} brings you {1} more {2:good}"
    for (place, more, good), better, other, seat in list_facts("ierusalem", template, "followers"):
        assert isinstance(better, Ierusalem)
        assert isinstance(other, Ierusalem)
        assert place == good
        assert better.at_location[seat * 3 + place] - other.at_location[seat * 3 + place] == more > 0
    template = "column {0} lacks only {1} {1:symbol|symbols} for a visit"
    for (column, lacks), better, _, seat in list_facts("ierusalem", template, "progress"):
        assert isinstance(better, Ierusalem)
        assert 0 < lacks <= 3 - len(better.columns[seat * 3 + column - 1])


def end_round(s: TestOfTime) -> TestOfTime:
    """Return the position after the round, in which all pass."""
    t, last = s.clone(), s.round
    while not t.over and t.round == last:
        t.choose(PASS if PASS in t.legal else t.legal[0])
    return t


SHAMANS = "you have {0} more {0:shaman|shamans}, but {1} fewer {1:follower|followers} at the end of this round"


@pytest.mark.parametrize(
    ("template", "count"),
    [
        ("you have {0} more {0:follower|followers} at the end of this round", lambda s, seat: s.followers[seat]),
        (SHAMANS, lambda s, seat: s.shamans[seat]),
    ],
)
def test_testoftime_people(template: str, count: Callable[[TestOfTime, Seat], int]) -> None:
    for (more, *_), better, other, seat in list_facts("testoftime", template):
        assert isinstance(better, TestOfTime)
        assert isinstance(other, TestOfTime)
        if better.round == other.round:
            assert count(end_round(better), seat) - count(end_round(other), seat) == more > 0


def test_testoftime_sections() -> None:
    template = "your Testament on space {0} ({1:kind}) keeps {2} more {2:section|sections}, worth {3} {3:point|points}"
    for (space, kind, sections, points), better, other, seat in list_facts("testoftime", template):
        assert isinstance(better, TestOfTime)
        assert isinstance(other, TestOfTime)
        slot = seat * better.c.spaces + space - 1
        assert better.kind[slot] == kind
        assert points > 0
        if better.round == other.round:
            assert end_round(better).visible[slot] - end_round(other).visible[slot] == sections > 0


def test_evangelists_order_of_cards() -> None:
    """A card whose place fits its number better is named, and a reordered pair counts."""
    game = load_game("evangelists")
    s = game.deal(2, 5)
    assert isinstance(s, Evangelists)
    low, high = 0, len(s.c.numbers) - 1

    def place(*cards: int) -> Evangelists:
        t = s.clone()
        t.slots[0] = cards
        return t

    left, right = place(low, -1, -1, -1, -1, -1), place(-1, -1, -1, -1, low, -1)
    describe = game.words.describe_difference
    assert describe("order", left, right, 0) == (
        "“{0:card}” is farther left, where it leaves room for higher numbers",
        (low,),
    )
    assert describe("order", right, left, 0) is None
    rising, falling = place(low, high, -1, -1, -1, -1), place(high, low, -1, -1, -1, -1)
    clause = describe("order", rising, falling, 0)
    assert clause is not None
    assert clause[1] == (1,)


def test_missionnaires_moved_pawn() -> None:
    game = load_game("missionnaires")
    s = game.deal(2, 5)
    assert isinstance(s, Missionnaires)
    far = s.c.distance[s.c.bethel]
    near, remote = s.clone(), s.clone()
    here, there = far.index(0), far.index(max(far))
    near.at[1], remote.at[1] = here, there
    clause = game.words.describe_difference("", remote, near, 0)
    assert clause == ("{0:seat} is {1} {1:space|spaces} farther from the Bethel", (1, far[there] - far[here]))
    assert game.words.describe_difference("", near, remote, 0) is None


FREE_CARD = "you keep {0} Denarii and draw a card from your own deck for free instead"
DRAWN_CARD = "the card from the deck is worth {0} to {1} VP at a visit, one from your own deck at most {2}"
SPOILT_COLUMN = "with the card, column {0} would fit no Apostle column"
GOOD_PRICES = "1 {0:good} sells for {1} Denarii, 1 {2:good} only for {3}"
OFFERING_WORTH = "an Offering costs nothing and is worth {0} VP at the end"
CARDS_IN_HAND = "{0} of your cards in hand then {0:brings|bring} 1 more {1:good}, {2} would bring {3:good}"
BETTER_GOOD = "each card of the {0:location} brings you 1 more {1:good}, worth {2} instead of {3} Denarii"


@pytest.mark.parametrize(
    ("step", "better", "other", "clause"),
    [
        (BuyMahane(0, 2), verbs.SKIP, verbs.DRAW, (FREE_CARD, (2,))),
        (BuyMahane(0, 2), verbs.DRAW, verbs.SKIP, (DRAWN_CARD, (2, 3, 2))),
        (Column(0, 0), verbs.COLUMN, verbs.COLUMN + 1, ("column {0} is ready for a visit, for {1} VP", (1, 5))),
        (
            Column(0, 0),
            verbs.COLUMN + 2,
            verbs.COLUMN + 1,
            (SPOILT_COLUMN, (2,)),
        ),
        (CallFollower(0), verbs.CALL + 1, verbs.CALL, (CARDS_IN_HAND, (2, 1, 1, 0))),
        (CallFollower(0), verbs.CALL + 2, verbs.CALL, (BETTER_GOOD, (2, 2, 4, 2))),
        (
            Trade(0, 0, 0),
            verbs.SELL + 2,
            verbs.SELL,
            (GOOD_PRICES, (2, 4, 0, 2)),
        ),
        (Trade(0, 0, 0), verbs.DONE, verbs.SELL + 1, None),
        (Market(0), verbs.TRADE, verbs.SKIP, ("you can sell goods before your full Camp makes you discard {0}", (2,))),
        (
            TakeOffering(0),
            verbs.OFFERING,
            verbs.SKIP,
            (OFFERING_WORTH, (1,)),
        ),
    ],
)
def test_ierusalem_choices(
    step: Step[Ierusalem], better: Option, other: Option, clause: tuple[str, Facts] | None
) -> None:
    """A clause on two options follows from the position and the options alone."""
    s = table(
        hands={0: "r03 r05 r06"},
        columns={0: ["r07 r09", "r04 r10"]},
        goods={0: (3, 1, 1)},
        at={0: (1, 1, 1)},
        symbols="lake temple market desert lake market mountain desert market",
    )
    s.stack.append(step)
    s.who = 0
    assert load_game("ierusalem").words.describe_choice(s, better, other) == clause
