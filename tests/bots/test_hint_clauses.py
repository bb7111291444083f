"""Tests of the clauses of hints, which name what a seat has or can do after one option and not after another."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from tests.bots.test_explanations import UNTOLD
from tests.games.ierusalem.table import table
from tests.games.missionnaires.table import table as build_missionnaires
from tests.games.testoftime.table import SHORT_CARDS, Testament
from tests.games.testoftime.table import table as build_testoftime
from triclinium import Rng, load_game
from triclinium.bots import choose_option, create_bot
from triclinium.bots.core.value import finish_action
from triclinium.engine.core.state import Option, Seat, State, Step
from triclinium.engine.core.text import Message
from triclinium.games.evangelists.rules import verbs as actions
from triclinium.games.evangelists.rules.actions.interview import FollowInterview
from triclinium.games.evangelists.rules.actions.rearrange import FollowRearrange
from triclinium.games.evangelists.rules.actions.tradition import FollowTradition, Keep, LeaveFaceUp, PlaceCopy
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists
from triclinium.games.evangelists.rules.turn import ChooseAction
from triclinium.games.ierusalem.rules import verbs
from triclinium.games.ierusalem.rules.actions.cards import TakeMahane
from triclinium.games.ierusalem.rules.actions.favor import FavorTo
from triclinium.games.ierusalem.rules.actions.followers import CallFollower, Send
from triclinium.games.ierusalem.rules.actions.market import Market, Trade
from triclinium.games.ierusalem.rules.actions.reward import TakeOffering
from triclinium.games.ierusalem.rules.actions.supper import ChangePlaces, Leave
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.turn import BuyMahane, Column, DiscardHand, Play, Warehouse
from triclinium.games.missionnaires.rules.actions.bons import BonWindow
from triclinium.games.missionnaires.rules.actions.cards import Cancel
from triclinium.games.missionnaires.rules.actions.displacement import RivalTo
from triclinium.games.missionnaires.rules.actions.obstacles import PushTo
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.ui.view import compute_step_distances
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
        here, there = (compute_step_distances(s, seat) for s in (better, other))
        assert there[place] - here[place] == steps
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


def build_portals(hand: str, place: str, capsule: int, gauge: int, actions: int) -> Portals:
    """Return a position in which seat 0 is asked with this hand, and the row has a Region and a late card."""
    game = load_game("portals")
    s = game.deal(2, 5)
    assert isinstance(s, Portals)
    while s.round == 0:
        s.choose(s.legal[0])
    ids, places = [id.lower() for id in s.c.card_ids], s.c.place_ids
    cards = tuple(ids.index(id) for id in hand.split())
    row = [ids.index(id) for id in ("r1", "o52", "o13", "o14", "o15")]
    s.hands = [cards, ()]
    s.known_in_hand = [(1 << len(cards)) - 1, 0]
    s.row = row
    s.old = [card for card in range(18, 78) if card not in (*cards, *row)]
    s.new = [card for card in range(78, 98) if card not in cards]
    s.pawns = [places.index(place), places.index("eden")]
    s.capsule, s.gauge, s.actions, s.round = capsule, gauge, actions, capsule + 1
    s.legal = s.stack[-1].candidates(s)
    return s


@pytest.mark.parametrize(
    ("position", "better", "other", "topic", "clause"),
    [
        # An event can be played this turn.
        (
            ("o31", "beersheba", 6, 3, 2),
            "move hebron",
            "take o52",
            "plan",
            "you can play “Absalom’s Treason Against David” this turn instead of later",
        ),
        (
            ("o31", "hebron", 6, 0, 2),
            "play o31",
            "take o52",
            "played",
            "you score 3 points for “Absalom’s Treason Against David”",
        ),
        # Free steps are compared by what they cost.
        (
            ("o31", "hebron", 6, 0, 2),
            "play o31",
            "burn o31",
            "played",
            "you score 3 points for “Absalom’s Treason Against David”",
        ),
        (
            ("o31 o22", "hebron", 6, 0, 2),
            "play o31",
            "burn o22",
            "played",
            "you leave the fuel gauge at Low instead of 2 to the next player",
        ),
        (
            ("o31", "beersheba", 6, 0, 2),
            "move hebron",
            "burn o31",
            "plan",
            "you keep “Absalom’s Treason Against David” and can play it this turn",
        ),
        (
            ("o22", "beersheba", 9, 3, 0),
            "end",
            "burn o22",
            "",
            "the fuel gauge stays at 3, while a full tank empties at the end of the turn",
        ),
        # A discard gives up a card.
        (
            ("o31 n01", "beersheba", 6, 0, 2),
            "move hebron",
            "discard/drop o31",
            "",
            "you need not discard: even “Absalom’s Treason Against David” can be played this turn",
        ),
        (
            ("r2 n01", "beersheba", 6, 0, 2),
            "move hebron",
            "discard/drop r2",
            "",
            "you need not discard: even “Region card” counts at the end",
        ),
        (
            ("o01 o04 o10 o13 o16 o22 n01", "susa", 6, 0, 2),
            "discard/drop o01",
            "end",
            "",
            "your hand has room to draw a card",
        ),
        # Fuel
        (
            ("o22", "beersheba", 5, 3, 1),
            "burn o22",
            "draw new",
            "gauge",
            "the full tank empties at the end of your turn, so you leave no fuel to the next player",
        ),
        # A card of the row
        (
            ("o31", "susa", 6, 0, 1),
            "take r1",
            "draw new",
            "region_cards",
            "with “Region card”, your next region set only lacks 4 regions",
        ),
        (
            ("", "susa", 6, 0, 1),
            "take o52",
            "draw new",
            "",
            "“Remnant Flee to Egypt” is in Distant Destinations, which your next region set lacks",
        ),
        (("", "susa", 6, 0, 1), "draw new", "take o13", "", "the period of “Deborah Judges Israel” is over"),
        (
            ("o26 n01", "susa", 5, 3, 2),
            "move babylon",
            "discard/drop n01",
            "",
            "you need not discard: your hand has room for 5 more cards",
        ),
        (
            ("o31 o01 o03 o09 o10 o13 o16", "beersheba", 6, 0, 2),
            "move hebron",
            "discard/drop o01",
            "",
            "you need not discard: playing “Absalom’s Treason Against David” this turn makes room in your hand, too",
        ),
        # Decks
        (
            ("", "susa", 6, 0, 1),
            "draw new",
            "draw old",
            "",
            "New Testament events come into range at the end, while 5 of the 11 centuries before are over",
        ),
        (
            ("", "susa", 6, 0, 1),
            "draw old",
            "draw new",
            "",
            "New Testament events only come into range in 6 rounds with the present fuel",
        ),
        (("", "susa", 12, 0, 1), "draw old", "draw new", "", "only the Old Testament deck has Region and Symbol cards"),
        (("", "susa", 2, 0, 1), "draw new", "take o52", "", "only comes into range in 8 rounds with the present fuel"),
        # A lead that the other option allows in this turn, too, is no reason, and neither is an event.
        (("o34", "ephraim", 6, 3, 2), "play o34", "draw new", "symbols", ""),
        (("o31", "beersheba", 6, 0, 3), "move hebron", "draw new", "plan", ""),
        (("o22 n14", "jerusalem", 6, 2, 1), "burn o22", "draw new", "gauge", "“The Death of Jesus” this turn instead"),
        # Neither is a region that the other option can still add, nor a card that it can still take.
        (("o18", "shiloh", 4, 0, 2), "play o18", "draw new", "set", ""),
        (("", "susa", 6, 0, 2), "take r1", "draw new", "region_cards", ""),
        (("", "susa", 6, 0, 2), "take r1", "move babylon", "region_cards", "you see another card before you choose"),
        (("o40 n05", "dothan", 11, 0, 3), "burn o40", "move samaria", "plan", ""),
        # An event of the row that both options allow does not count against one of the hand.
        (("o18", "samaria", 4, 0, 3), "move shechem", "take o15", "plan", "you can still play “Hannah Prays for a"),
        # Two events, and the actions after one
        (("o18 o35", "gibeon", 7, 3, 4), "move bethel", "move ono", "plan", "this turn and “Elijah Challenges"),
        (("o18", "gibeon", 7, 3, 4), "move bethel", "move ono", "plan", "this turn with 1 more action left"),
        # Actions that are left, and cards that the seat sees before it uses them
        (("o40 n05", "dothan", 11, 0, 3), "burn o40", "move samaria", "", "so you still have 3 actions instead of 2"),
        (("", "susa", 6, 0, 2), "draw old", "move babylon", "", "you see another card before you choose your other"),
        (("o56", "susa", 12, 0, 1), "take o13", "take o14", "", ""),
        # A card of the row that the other option can still take
        (("o53", "babylon", 11, 0, 2), "take o14", "draw old", "", "Tabor” to play “Ezekiel Sees a Vision” this turn"),
        (("n13", "jerusalem", 12, 0, 3), "move bethany", "draw new", "", "this turn with 1 more action left"),
        (("g18 o54", "samaria", 3, 2, 4), "move dothan", "draw old", "", "Brothers” this turn with 1 more action left"),
        (("n14", "shechem", 4, 0, 3), "take o15", "draw old", "", "you can surely play “The Call of Gideon” this turn"),
        # A discard gives up a card whose period is not over.
        (("r2 o01", "susa", 6, 0, 2), "discard/drop o01", "discard/drop r2", "", "while the period of “Moses"),
        (
            ("o22 o01", "haran", 6, 1, 4),
            "burn o22",
            "discard/drop o01",
            "",
            "burning raises the fuel gauge from 1 to 3",
        ),
    ],
)
def test_portals_clauses(
    position: tuple[str, str, int, int, int], better: str, other: str, topic: str, clause: str
) -> None:
    game = load_game("portals")

    def play(option: str) -> State:
        s = build_portals(*position)
        for step in option.split("/"):
            s.choose(game.read(step))
        return s

    found = game.words.describe_difference(topic, play(better), play(other), 0)
    assert (found is None) == (clause == "")
    text, facts = found or ("", ())
    assert clause in game.words.reader("en", ("Anna", "Ben")).read(Message(text, *facts))


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
        # The other option gets the credit for a better slot than the one in its position.
        assert better.get_level(seat, track) - other.get_level(seat, track) >= levels > 0


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


OLD_ART = Testament("art", [(True, 0)] * 2)  # a Testament that a rival can spoil


@pytest.mark.parametrize(
    ("parts", "path", "better", "other", "clause"),
    [
        (
            {},
            "preserve",
            "on 2",
            "on 1",
            "the section that decays there is worth 11 points, and the one on space 1 only 0",
        ),
        (
            {"testaments": {0: [Testament("tools", seen=3), "monument"]}},
            "preserve",
            "on 1",
            "on 2",
            "there 1 piece saves 12 points, and on space 2 it takes 5 to save 22",
        ),
        (
            {"followers": (20, 4)},
            "attack",
            "followers 10",
            "followers 3",
            "Ben can meet 4 attackers, so at least 6 sections are lost instead of 0",
        ),
        (
            {"followers": (20, 14)},
            "attack",
            "followers 10",
            "followers 3",
            "Ben needs a strength of 10 instead of 3 against the attack",
        ),
        (
            {"followers": (20, 14)},
            "attack",
            "followers 3",
            "followers 10",
            "Ben can kill at most 2 of these followers instead of 9",
        ),
        ({"followers": (20, 0)}, "attack", "followers 6", "followers 10", "6 attackers take all sections already"),
        (
            {"followers": (20, 3)},
            "",
            "attack",
            "pass",
            "Ben can meet 3 of the 9 attackers on space 1 (Art), which loses 6 or more sections",
        ),
        (
            {"followers": (20, 30)},
            "",
            "attack",
            "pass",
            "Ben must spend a strength of 16 against the attack on space 1 (Art), or lose 5 more sections there, "
            "worth 66 points",
        ),
        (
            {"testaments": {1: [OLD_ART]}, "shamans": (5, 0)},
            "",
            "reverse",
            "pass",
            "the Testament of Ben on space 1 (Art) loses 2 more sections, worth 26 points",
        ),
        (
            {"followers": (20, 30)},
            "",
            "pass",
            "sire",
            "Ben can attack with a strength of 30, and you keep 20 for the defence instead of 18",
        ),
        ({}, "pass", "pass", "attack", "the round ends at once, before Anna can use the strength of 20 still waiting"),
        (
            {"round_": 20, "turn": 1},
            "pass",
            "pass",
            "attack",
            "the match ends at once, and you win it with 11 points to 6",
        ),
        (
            {"shamans": (4, 0)},
            "sire",
            "shamans 2",
            "shamans 0",
            "you keep 2 more followers for Sire Shaman, whose parents die",
        ),
        (
            {"shamans": (10, 0)},
            "sire",
            "shamans 2",
            "shamans 0",
            "shamans and followers pay the same here",
        ),
    ],
)
def test_testoftime_choices(parts: Mapping[str, Any], path: str, better: str, other: str, clause: str) -> None:
    """A clause on two options compares the positions after their moves."""
    s = build_testoftime(**{"testaments": {0: ["tools", "burial"], 1: ["art"]}, **parts})
    for option in path.split("/") if path else ():
        s.choose(SHORT_CARDS.read(option))
    found = SHORT_CARDS.words.describe_choice(s, SHORT_CARDS.read(better), SHORT_CARDS.read(other))
    assert found is not None
    assert SHORT_CARDS.words.reader("en", ("Anna", "Ben")).read(Message(found[0], *found[1])) == clause


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
    """Room for a rising run counts, or else a gap between cards."""
    game = load_game("evangelists")
    s = game.deal(2, 5)
    assert isinstance(s, Evangelists)
    low, high = 0, len(s.c.numbers) - 1

    def place(*cards: int) -> Evangelists:
        t = s.clone()
        t.slots[0] = cards
        t.box = [EMPTY] * len(s.box)
        return t

    def describe(better: Evangelists, other: Evangelists) -> tuple[str, Facts] | None:
        return game.words.describe_difference("order", better, other, 0)

    left, right = place(low, -1, -1, -1, -1, -1), place(-1, -1, -1, -1, low, -1)
    assert describe(left, right) == ("your gospel has room for a rising run of {0} cards instead of {1}", (6, 4))
    assert describe(place(low, high), place(high, low)) is None
    middle = 10
    text = "{2} instead of {3} empty {3:slot|slots} come between “{0:card}” and “{1:card}”"
    assert describe(place(middle, 5, -1, 8, 4), place(middle, 5, 8, -1, 4)) == (text, (5, 8, 1, 0))
    first, last = place(-1, 5, 4), place(5, 4, -1)
    assert describe(first, last) == ("{1} instead of {2} empty {2:slot|slots} come before “{0:card}”", (5, 1, 0))
    assert describe(last, first) == ("{1} instead of {2} empty {2:slot|slots} come after “{0:card}”", (4, 1, 0))


def set_up_evangelists() -> Evangelists:
    """Return a turn of seat 0 in city 0, which has no boat, with empty gospels and boxes and no circle to interview."""
    s = load_game("evangelists").deal(2, 5)
    assert isinstance(s, Evangelists)
    s.pawn, s.theme, s.tokens, s.turn, s.octagons, s.boats = [0, 8], [0, 1], [1, 1], 0, 3, 0
    s.travelled = s.sailed = s.rearranged = False
    s.opened_boxes, s.kept_cards, s.stack = 0, (), []
    s.piles = [4 if witness == s.witness_at[0] else 0 for witness in range(len(s.piles))]
    s.box, s.seen = [EMPTY] * len(s.box), [0] * len(s.seen)
    return s


def find_card(themes: int, circle: bool) -> int:
    """Return a card with exactly these of the themes 0 and 1, with or without the circle of the witness in city 0."""
    s = set_up_evangelists()
    cards = range(len(s.c.numbers))
    witness = s.witness_at[0]
    return next(
        card for card in cards if s.c.themes[card] & 3 == themes and (s.c.circles[card] >> witness) & 1 == circle
    )


MINE, NOBODYS, THEIRS, CIRCLED = (find_card(*kind) for kind in ((1, False), (0, False), (2, False), (0, True)))
Change = Callable[[Evangelists], None]


def keep(*cards: int) -> Change:
    def change(s: Evangelists) -> None:
        s.slots[0] = (*cards, *s.slots[0][len(cards) :])
        s.adjust_tracks(0)

    return change


def put_in_box(card: int, city: int = 0, at: int = 0) -> Change:
    def change(s: Evangelists) -> None:
        s.box = s.box[:]
        s.box[city * s.c.box_size + at] = card

    return change


def assign(**facts: object) -> Change:
    def change(s: Evangelists) -> None:
        for name, value in facts.items():
            setattr(s, name, value)

    return change


def interview(s: Evangelists) -> None:
    s.interviews, s.tally = [1 << s.witness_at[0], 0], [5, 0]


WITNESS, WAYPOINT = set_up_evangelists().witness_at[0], len(set_up_evangelists().c.place_ids) - 1
OVER = assign(turn=1)
EVANGELISTS_CLAUSES: dict[str, tuple[str, list[Change], list[Change], list[Change], str, Facts]] = {
    # topic, changes to both positions, to the better one and to the other one, beginning of the clause and its facts
    "theme": ("theme", [], [keep(MINE)], [keep(NOBODYS)], "“{0:card}” matches your theme, for", (MINE, 20)),
    "bonus": ("theme", [keep(MINE)], [], [keep(MINE, NOBODYS, THEIRS)], "at least half of your cards match", (5,)),
    "marks": ("tally", [], [assign(tally=[4, 0])], [], "you record {0} more", (4,)),
    "interview": ("tally", [keep(CIRCLED)], [interview], [OVER], "{1} of your cards {1:has|have}", (WITNESS, 1, 2)),
    "can interview": ("turn", [keep(CIRCLED)], [], [OVER], "this turn you can still interview", (WITNESS, 1)),
    "strong": ("turn", [keep(CIRCLED)], [], [assign(octagons=1)], "this turn you can still afford", (WITNESS, 1)),
    "octagons": ("turn", [], [], [assign(octagons=1)], "you have {0} instead of {1}", (3, 1)),
    "can keep": ("turn", [put_in_box(MINE)], [], [OVER], "this turn you can still keep a card", (0, 1, 1)),
    "second card": (
        "turn",
        [keep(CIRCLED), assign(kept_cards=(MINE,))],
        [],
        [assign(kept_cards=(NOBODYS,)), OVER],
        "",
        (),
    ),
    "with": (
        "witnesses",
        [keep(CIRCLED), assign(octagons=0)],
        [],
        [assign(pawn=[1, 8])],
        "you are with {0:witness}",
        (WITNESS, 1),
    ),
    "placed elsewhere": ("tracks", [], [keep(0, 5, 9)], [keep(0, 35, 5, 9)], "", ()),
    "box": (
        "cards",
        [put_in_box(MINE), assign(octagons=0)],
        [],
        [assign(pawn=[1, 8])],
        "{1} of {2} cards in {0:place}",
        (0, 1, 1),
    ),
    "unknown card": (
        "cards",
        [put_in_box(MINE, 0), assign(octagons=0)],
        [put_in_box(EMPTY)],
        [],
        "{1} of {2} cards in {0:place}",
        (0, 1, 1),
    ),
    "more circles": ("witnesses", [OVER], [keep(CIRCLED)], [], "you have {1} {1:card|cards} with", (WITNESS, 1, 0)),
    "as many circles": ("witnesses", [], [keep(CIRCLED)], [keep(CIRCLED)], "", ()),
    "with less": (
        "witnesses",
        [keep(CIRCLED), OVER],
        [assign(pawn=[2, 8])],
        [assign(pawn=[7, 8])],
        "you can reach {0:witness}, on {1} of your cards, with {2} instead of {3}",
        (WITNESS, 1, 2, 1),
    ),
    "reached as well": ("witnesses", [keep(CIRCLED), OVER], [assign(pawn=[2, 8])], [assign(pawn=[8, 8])], "", ()),
    "octagon for a card": (
        "turn",
        [put_in_box(NOBODYS)],
        [assign(octagons=1)],
        [assign(octagons=0)],
        "this turn you can still keep a card of",
        (0,),
    ),
    "octagon for a travel": (
        "turn",
        [],
        [assign(octagons=1)],
        [assign(octagons=0)],
        "you can still travel this turn",
        (),
    ),
    "cards near": (
        "",
        [put_in_box(MINE, 2), OVER, assign(piles=[0] * 9)],
        [assign(pawn=[0, 8])],
        [assign(pawn=[5, 8])],
        "{0} instead of {1} cards within {2} spaces",
        (1, 0, 2),
    ),
    "larger box": (
        "",
        [put_in_box(NOBODYS), OVER],
        [],
        [assign(pawn=[2, 8])],
        "you can choose from {1} instead of {2} cards",
        (0, 1, 0),
    ),
    "cities near": ("", [OVER], [assign(pawn=[2, 8])], [], "{0} instead of {1} cities are within", (6, 3, 2)),
    "no boat for a rival": (
        "",
        [],
        [assign(boats=1 << 2)],
        [assign(boats=1 << 8)],
        "{0:seat} gets no boat in",
        (1, 8),
    ),
    "boat near": (
        "",
        [],
        [assign(boats=1 << 2)],
        [assign(boats=1 << 3)],
        "the boat in {0:place} is {1} {1:space|spaces} near",
        (2, 1),
    ),
    "slot": ("cards", [], [keep(NOBODYS)], [], "you can fill one of your {0} empty", (6,)),
    "unwanted card": ("cards", [], [], [keep(NOBODYS)], "“{0:card}” would fill an empty slot", (NOBODYS,)),
    "token": ("tokens", [assign(turn=1)], [], [assign(tokens=[0, 2])], "{0:seat} gets no follow token", (1,)),
    "boat": ("", [], [assign(boats=1)], [], "you are in a city with a boat", ()),
}


@pytest.mark.parametrize("case", EVANGELISTS_CLAUSES)
def test_evangelists_clause(case: str) -> None:
    topic, both, only_better, only_other, start, facts = EVANGELISTS_CLAUSES[case]
    better, other = set_up_evangelists(), set_up_evangelists()
    for s, changes in ((better, [*both, *only_better]), (other, [*both, *only_other])):
        for change in changes:
            change(s)
    clause = load_game("evangelists").words.describe_difference(topic, better, other, 0)
    if not start:
        assert clause is None
        return
    assert clause is not None
    assert clause[0].startswith(start)
    assert clause[1] == facts


def fill(*cards: int) -> Change:
    def change(s: Evangelists) -> None:
        s.slots[0] = cards
        s.adjust_tracks(0)

    return change


LOW, HIGH = (
    next(card for card in cards if not set_up_evangelists().c.themes[card] & 3) for cards in (range(5), range(10, 36))
)
TURN, BOX = ChooseAction(0), put_in_box(MINE)
WITH_BOAT = assign(boats=1)
EVANGELISTS_CHOICES: dict[str, tuple[Step[Evangelists], list[Change], Option, Option, str, Facts]] = {
    # step, changes to the position, better and other option, beginning of the clause and its facts
    "interview": (TURN, [keep(CIRCLED)], actions.INTERVIEW, actions.END, "{1} of your cards", (WITNESS, 1, 2)),
    "tradition": (TURN, [BOX], actions.TRADITION, actions.END, "{1} of {2} cards in", (0, 1, 1)),
    "other city": (
        TURN,
        [put_in_box(MINE, 8), put_in_box(NOBODYS), assign(octagons=2)],
        actions.TRAVEL + 1,
        actions.TRADITION,
        "no card in {0:place}",
        (0,),
    ),
    "full": (TURN, [fill(MINE), BOX], actions.REARRANGE, actions.TRADITION, "your gospel is full", ()),
    "cube": (TURN, [keep(CIRCLED), BOX], actions.INTERVIEW, actions.TRADITION, "you learn whether", (WITNESS,)),
    "both": (
        TURN,
        [keep(CIRCLED), put_in_box(CIRCLED)],
        actions.TRADITION,
        actions.INTERVIEW,
        "a card with",
        (WITNESS,),
    ),
    "rearrange later": (
        TURN,
        [fill(5, 4, 9, EMPTY), BOX],
        actions.TRADITION,
        actions.REARRANGE,
        "you can still rearrange leaves",
        (),
    ),
    "motif": (
        Keep(0, 0),
        [put_in_box(33, 0, 0), put_in_box(18, 0, 1), fill(30, *[EMPTY] * 5), assign(turn=1, theme=[1, 0])],
        actions.KEEP,
        actions.KEEP + 1,
        "“{0:card}” has a motif in common with",
        (33, 1, 0),
    ),
    "no marks": (
        TURN,
        [assign(travelled=True)],
        actions.REARRANGE,
        actions.INTERVIEW,
        "{0:witness} is on none",
        (WITNESS,),
    ),
    "card for an interview": (
        Keep(0, 0),
        [put_in_box(CIRCLED), put_in_box(NOBODYS, 0, 1)],
        actions.KEEP,
        actions.KEEP + 1,
        "this turn you can still interview",
        (WITNESS, 1),
    ),
    "boat later": (TURN, [WITH_BOAT, BOX], actions.TRADITION, actions.BOAT, "you can still sail afterwards", (0,)),
    "no travel": (
        TURN,
        [keep(CIRCLED), WITH_BOAT, assign(sailed=True, boats=0, octagons=3)],
        actions.INTERVIEW,
        actions.TRAVEL,
        "{1} of your cards",
        (WITNESS, 1, 2),
    ),
    "end": (TURN, [assign(octagons=2)], actions.TRAVEL, actions.END, "ending the turn would lose", (2,)),
    "rival raised": (
        LeaveFaceUp(0, 0),
        [put_in_box(LOW, 0, 0), put_in_box(HIGH, 0, 1), assign(slots=[(), (5, 9, EMPTY)])],
        actions.FACE,
        actions.FACE + 1,
        "“{0:card}”, which could move a cube of {1:seat} up",
        (HIGH, 1),
    ),
    "new to a rival": (
        LeaveFaceUp(0, 0),
        [put_in_box(NOBODYS, 0, 0), put_in_box(LOW, 0, 1), assign(seen=[2] + [0] * 35)],
        actions.FACE,
        actions.FACE + 1,
        "{0} instead of {1} {1:opponent|opponents} would see",
        (0, 1),
    ),
    "token for marks": (
        FollowInterview(0, 1, WITNESS),
        [OVER, keep(CIRCLED)],
        actions.DECLINE,
        actions.FOLLOW,
        "you keep a follow token instead of giving it",
        (1, 1),
    ),
    "card without travel": (
        TURN,
        [put_in_box(NOBODYS), assign(octagons=2)],
        actions.TRADITION,
        actions.TRAVEL,
        "you can keep a card of",
        (0,),
    ),
    "no token": (FollowRearrange(0, 1), [OVER], actions.DECLINE, actions.FOLLOW, "{0:seat} gets no follow", (1,)),
    "kept card": (
        Keep(0, 0),
        [BOX, put_in_box(NOBODYS, 0, 1)],
        actions.KEEP,
        actions.KEEP + 1,
        "“{0:card}” matches your theme, for",
        (MINE, 20),
    ),
    "no copy": (FollowTradition(0, 0), [], actions.COPY + MINE, actions.DECLINE, "“{0:card}” matches", (MINE, 20)),
    "slot": (
        PlaceCopy(0, 34),
        [fill(20, 10, EMPTY, EMPTY, EMPTY, EMPTY)],
        actions.SLOT + 5,
        actions.SLOT + 2,
        "your gospel has room for a rising run",
        (5, 3),
    ),
}


@pytest.mark.parametrize("case", EVANGELISTS_CHOICES)
def test_evangelists_choice(case: str) -> None:
    step, changes, better, other, start, facts = EVANGELISTS_CHOICES[case]
    s = set_up_evangelists()
    for change in changes:
        change(s)
    s.stack, s.who = [step], 0
    clause = load_game("evangelists").words.describe_choice(s, better, other)
    assert clause is not None
    assert clause[0].startswith(start)
    assert clause[1] == facts


def test_evangelists_an_interview_that_stays_possible_is_no_reason() -> None:
    """An Interview does not count against a Tradition after which the player can still do it, nor marks after it."""
    s = set_up_evangelists()
    for change in (keep(CIRCLED), BOX, assign(alive=1 << WITNESS)):
        change(s)
    s.stack, s.who = [TURN], 0
    words = load_game("evangelists").words
    assert words.describe_choice(s, actions.INTERVIEW, actions.TRADITION) is None
    better = s.clone()
    interview(better)
    assert words.describe_difference("tally", better, s, 0) is None


def test_evangelists_a_future_card_is_no_reason() -> None:
    """A card that the player has not seen yet does not make a clause on its theme."""
    better, other = set_up_evangelists(), set_up_evangelists()
    put_in_box(MINE)(other)
    keep(MINE)(better)
    assert load_game("evangelists").words.describe_difference("theme", better, other, 0) is None


STAY = "burning a voucher takes the whole turn, and you stay in Palma"
TOUR = {"bons": {}, "hands": {0: ("rom", "bar", "ath")}}
VOUCHERS = {"bons": {0: ("t36", "m29", "t34")}, "at": ("lyo", "bar"), "hands": {0: ("rom", "mil"), 1: ("ath",)}}


@pytest.mark.parametrize(
    ("step", "parts", "better", "other", "clause"),
    [
        ((Cancel, "t01"), {}, "use t36", "obey", "“A warm welcome” does not make you miss a turn"),
        ((Cancel, "t21"), {}, "use t36", "obey", ""),
        (
            (BonWindow, ""),
            {},
            "done",
            "play t34",
            "you still hold 8 periodicals, and can take 3 more when they run short",
        ),
        ((BonWindow, ""), {"periodicals": (0,)}, "done", "play t34", ""),
        (
            (BonWindow, ""),
            {"bons": {0: ("t35",)}},
            "done",
            "play t35",
            "he would stay behind at your next visit, and Milan is 3 spaces away",
        ),
        ((BonWindow, ""), {"bons": {0: ("t32",)}}, "done", "play t32", ""),
        (
            (BonWindow, ""),
            {"bons": {0: ("t32",)}, "at": ("mrs",), "hands": {0: ("tun",)}},
            "done",
            "play t32",
            "the bonus move goes by road only, at most 0 spaces nearer to Tunis",
        ),
        (
            (RivalTo, ""),
            {},
            "to val",
            "to sar",
            "you do not know where Ben must go",
        ),
        ((RivalTo, ""), {}, "to sar", "to val", "Ben can leave that place by only 2 ways instead of 3"),
        ((RivalTo, ""), {}, "to val", "to per", "Ben is 2 spaces farther from the Bethel"),
        ((PushTo, "gre"), {}, "to bet", "to tur", "a gendarme in Turin would be on your way to Milan"),
        (
            (PushTo, "gre"),
            {"hands": {0: ("bor",)}},
            "to tur",
            "to lyo",
            "in neither town is he on your way to Bordeaux",
        ),
        (
            None,
            TOUR | {"at": ("nic",)},
            "go vtm",
            "go s10",
            "your way home through all congregations has 1 fewer sea section",
        ),
        (None, TOUR | {"at": ("tri",)}, "go spl", "go s21", "your way home through all congregations gets shorter"),
        (None, TOUR | {"at": ("pal",)}, "go s05", "pass", ""),
        (None, TOUR | {"at": ("pal",), "bons": {0: ("t36",)}}, "go s05", "burn t36", STAY),
        ((PushTo, "mil"), {"hands": {0: ("rom",)}}, "to gen", "to tur", ""),
    ],
)
def test_missionnaires_choices(
    step: tuple[Any, str] | None, parts: Mapping[str, Any], better: str, other: str, clause: str
) -> None:
    game = load_game("missionnaires")
    s = build_missionnaires(2, **{**VOUCHERS, **parts})
    if step is not None:
        kind, card = step
        numbers = {Cancel: s.c.card_ids, PushTo: s.c.ids}.get(kind, [])
        s.stack.append(kind(0, numbers.index(card)) if card else kind(0, 1) if kind is RivalTo else kind(0))
        s.who = 0
    found = game.words.describe_choice(s, game.read(better), game.read(other))
    assert (found is None) == (clause == "")
    text, facts = found or ("", ())
    assert clause in game.words.reader("en", ("Anna", "Ben")).read(Message(text, *facts))


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
        (Warehouse(0), verbs.WASTE, verbs.WASTE + 2, (GOOD_PRICES, (2, 4, 0, 2))),
        (Trade(0, 0, 0), verbs.DONE, verbs.SELL + 1, None),
        (Market(0), verbs.TRADE, verbs.SKIP, ("you can sell goods before your full Camp makes you discard {0}", (2,))),
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


ROOMY: Mapping[str, object] = {"at": {0: (3, 3, 3)}, "supper": {0: "tl u1c1 u1c2"}}
FULL_HAND: Mapping[str, object] = {"hands": {0: "r01 r02 r03 r05 r06"}}
GOODS_FOR_SPACE = "you then have, or can buy, the goods for {0:space} at the Last Supper"
ALREADY = "without this purchase your goods can already pay for {0:space} at the Last Supper"
MAHANE = "you can pay {0} Denarii for a Mahane card this turn"
COLUMN_VP = "a visit with column {0} then brings {1} VP for its cards, one with column {2} only {3}"
LEADER_FAVOR = "{0:seat}, who is {1} VP ahead of {2:seat}, would get the Favor"
ROOM_ANYWAY = "you keep {0} {0:Denarius|Denarii}, and your Camp has room for {1} more {1:piece|pieces} anyway"
NONE_IN_HAND = "{0} of your cards in hand then {0:brings|bring} 1 more {1:good}, and none brings {3:good}"
CHEAPER = "a Follower there costs {0} {0:Denarius|Denarii}, one in the {1:location} {2}"
FULL_LOCATION = "the {0:location} is full, and a Follower that leaves it frees a square for other players"
TEMPLE = "the Temple lets you send Followers out of your Camp for your {0} {0:Denarius|Denarii}"
READY = "{0:brief} can make column {1} ready for a visit"
WORTH_MORE = "{0:brief} is worth {1} VP at a visit, a card that you can discard for it {2}"
LESS_WORTH = "{0:space}, which your Follower gives up, is worth less at the end than {1:space}"
OFFERING_FOR_GOOD = "an Offering is worth {0} VP at the end, and a good that you discard for it is worth none"
GIVES_SYMBOL = "{0:seat} could visit an Apostle column with the symbol of the Favor"


@pytest.mark.parametrize(
    ("step", "better", "other", "parts", "clause"),
    [
        (Trade(0, 0, 0), "done", "buy stone", {}, ("your Camp has no room for the {0:good} that you would buy", (0,))),
        (
            Trade(0, 0, 0),
            "buy fish",
            "done",
            {**ROOMY, "denarii": {0: 10}, "goods": {0: (0, 0, 0)}},
            (GOODS_FOR_SPACE, (25,)),
        ),
        (Trade(0, 0, 0), "sell fish", "sell stone", {}, None),
        (Trade(0, 0, 0), "done", "buy fish", {**ROOMY, "goods": {0: (3, 3, 3)}}, (ALREADY, (25,))),
        (Trade(0, 0, 0), "sell stone", "done", {**ROOMY, "denarii": {0: 0}, "goods": {0: (1, 0, 0)}}, (MAHANE, (2,))),
        (TakeOffering(0), "offering", "skip", ROOMY, (OFFERING_WORTH, (1,))),
        (TakeOffering(0), "offering", "skip", {}, (OFFERING_FOR_GOOD, (1,))),
        (
            TakeOffering(0),
            "skip",
            "offering",
            {},
            ("your Camp has no room, so you would discard a good for the Offering", ()),
        ),
        (TakeMahane(0, 0, True), "skip", "draw", {}, ("your hand keeps a place for a card of your own deck", ())),
        (
            TakeMahane(0, 0, True),
            "skip",
            "draw",
            FULL_HAND,
            ("you have one card fewer to discard from your full hand", ()),
        ),
        (BuyMahane(0, 2), "take ma05", "skip", FULL_HAND, (WORTH_MORE, (44, 3, 1))),
        (FavorTo(0, 0), "to 1", "to 2", {"vp": {2: 9}}, (LEADER_FAVOR, (2, 7, 1))),
        (FavorTo(0, 0), "to 1", "to 2", {"columns": {2: ["b07 b01"]}}, (GIVES_SYMBOL, (2,))),
        (Send(0), "done", "send lake", ROOMY, (ROOM_ANYWAY, (3, 6))),
        (Send(0), "send desert", "send lake", {"hands": {0: "r01"}}, (CHEAPER, (1, 2, 3))),
        (
            CallFollower(0),
            "call desert",
            "skip",
            {},
            ("a Follower leaves your Camp, which has {0} {0:piece|pieces} too many", (2,)),
        ),
        (CallFollower(0), "call mountain", "call lake", {}, (NONE_IN_HAND, (2, 1, 0, 2))),
        (
            DiscardHand(0),
            "discard r03",
            "discard ma01",
            {},
            ("you can draw {0:brief} again, but {1:brief} would go under its deck", (2, 40)),
        ),
        (
            DiscardHand(0),
            "discard r06",
            "discard r03",
            {},
            ("{0:brief} is worth {1} VP at a visit, {2:brief} only {3}", (2, 2, 5, 1)),
        ),
        (ChangePlaces(0), "move tl", "move t4", {}, (LESS_WORTH, (24, 25))),
        (
            Leave(0, True),
            "leave lake",
            "leave desert",
            {"at": {0: (2, 1, 2), 1: (3, 1, 1), 2: (3, 1, 1), 3: (0, 1, 1)}},
            (FULL_LOCATION, (0,)),
        ),
        (Play(0), "play r09", "play r07", {"hands": {0: "r07 r09"}, "columns": {}}, (TEMPLE, (4,))),
        (Play(0), "play r01", "play r03", {"hands": {0: "r01 r03"}, "columns": {0: ["r07 r09"]}}, (READY, (0, 1))),
        (
            Column(0, 0),
            "column 1",
            "column 2",
            {"columns": {}},
            ("columns {0} and {1} are both empty, so the difference is only due to chance", (1, 2)),
        ),
        (
            Column(0, 0),
            "column 1",
            "column 2",
            {
                "columns": {0: ["ma13", "r07"]},
                "symbols": "lake market temple desert lake market mountain desert market",
            },
            (COLUMN_VP, (1, 5, 2, 4)),
        ),
    ],
)
def test_ierusalem_more_choices(
    step: Step[Ierusalem], better: str, other: str, parts: Mapping[str, Any], clause: tuple[str, Facts] | None
) -> None:
    """The other option lacks what a clause says about the better one."""
    game = load_game("ierusalem")
    usual: Mapping[str, Any] = {
        "hands": {0: "r03 r05 r06"},
        "columns": {0: ["r07 r09", "r04 r10"]},
        "goods": {0: (3, 1, 1)},
        "at": {0: (1, 1, 1)},
        "symbols": "lake temple market desert lake market mountain desert market",
    }
    s = table(**{**usual, **parts})
    s.stack.append(step)
    s.who, s.legal = 0, step.options(s)
    assert game.words.describe_choice(s, game.read(better), game.read(other)) == clause
