"""Tests of cards discarded face down: other players only see a back (PP-R12, PP-R32)."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from tests.games.portals.checks import check_conserved
from tests.games.portals.table import C, card, play, table
from tests.slow import slow
from triclinium.boardkit.text_table import format_game_table
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.games.portals import GAME
from triclinium.games.portals.rules.actions.discard import Discard
from triclinium.games.portals.rules.components import DISCARD, GENESIS, HIDE, NEW, NONE, OLD
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.ui.view import HiddenCard
from triclinium.games.portals.ui.visible_scores import build_visible_scores
from triclinium.research.recall import Recall

FACE_DOWN: dict[str, object] = {"discards": "hidden"}
FOUR_REGIONS = "o01 o04 o08 o09"  # a set except for Galilee
ROW = "o15 o16 o17 o18 o19"

# -- worlds that differ only in the discarded card ---------------------------------------------------------------------

MOMENTS, STEPS = 16, 4

CASES = [
    (2, dict(FACE_DOWN)),
    *[slow(seats, dict(FACE_DOWN)) for seats in GAME.seats if seats != 2],
    (4, {**FACE_DOWN, "team": True}),
    slow(4, {**FACE_DOWN, "team": True, "simplified": True}),
    slow(3, {**FACE_DOWN, "sweep_row": True, "ties": "broken"}),
]


def dump_knowledge(s: Portals, viewer: Seat) -> str:
    """Return everything a viewer gets: view with options, observation, running scores, and table as text."""
    seat = None if viewer == NOBODY else viewer
    scores = [score.to_json() for score in GAME.visible_scores(s, viewer)]
    plain = format_game_table(GAME, GAME.view(s, seat), GAME.words.reader())
    return json.dumps([GAME.view_json(s, seat), GAME.observe(s, viewer).hex(), scores, plain], sort_keys=True)


def list_other_viewers(s: Portals, who: Seat) -> list[Seat]:
    return [seat for seat in (NOBODY, *range(s.seats)) if seat != who]


def swap_cards(s: Portals, who: Seat, i: int, j: int) -> Portals:
    """Return the world with two cards of a hand exchanged, so that the same option discards the other one."""
    t = s.clone()
    hand = list(t.hands[who])
    hand[i], hand[j] = hand[j], hand[i]
    if is_known(s, who, i) != is_known(s, who, j):
        t.known_in_hand[who] ^= 1 << i | 1 << j
    t.hands[who] = tuple(hand)
    return t


def is_known(s: Portals, who: Seat, i: int) -> bool:
    """Return whether all players know the card at this place of a hand."""
    return (s.known_in_hand[who] >> i) & 1 == 1


def discards(seats: int, variants: dict[str, object], seed: int) -> Iterator[Portals]:
    """Yield the moments before a face-down discard in a match. Half of the turns have one."""
    s = GAME.deal(seats, seed, variants)
    assert isinstance(s, Portals)
    rng, player = Rng(seed), create_bot("random", GAME)
    while not s.over:
        if isinstance(s.asked, Discard):
            yield s.clone()
        wants = DISCARD in s.legal and rng.below(8) == 0
        s.choose(DISCARD if wants else choose_option(player, s, rng))


@pytest.mark.parametrize(("seats", "variants"), CASES)
def test_nobody_else_can_tell_which_card_was_discarded(seats: int, variants: dict[str, object]) -> None:
    """PP-R12  View, options, log, observation, scores and information state of the others are equal in both worlds.

    This stays true during draws and takes of other seats as long as neither card is revealed.
    """
    compared = seen_taken = 0
    for s in islice(discards(seats, variants, 8), MOMENTS):
        who, hand = s.who, s.hands[s.who]
        pairs = [(i, j) for i in range(len(hand)) for j in range(i) if C.deck[hand[i]] == C.deck[hand[j]]]
        pairs.sort(key=lambda pair: is_known(s, who, pair[0]) == is_known(s, who, pair[1]))
        for i, j in pairs[:2]:
            one, two = s.clone(), swap_cards(s, who, i, j)
            both = {hand[i], hand[j]}
            assert two.hands[who][i] == hand[j]
            seen_taken += is_known(s, who, i) != is_known(s, who, j)
            for t in (one, two):
                t.legal = t.asked.options(t)
            hears = [Recall(GAME, t, list_other_viewers(s, who)) for t in (one, two)]
            for step in range(STEPS):
                for viewer in list_other_viewers(s, who):
                    assert dump_knowledge(one, viewer) == dump_knowledge(two, viewer), (
                        f"{viewer} after {step} of {GAME.format_option(HIDE + i)}"
                    )
                o = HIDE + i if step == 0 else public_choice(one, two, both, Rng(step))
                if o is None:
                    break
                for t, hears_of in zip((one, two), hears, strict=True):
                    t.events = []
                    t.choose(o)
                    t.rng = Rng(step)
                    assert t.events is not None
                    lines = [
                        GAME.words.format_log(t.events, viewer, GAME.words.reader(language))
                        for viewer in list_other_viewers(s, who)
                        for language in ("en", "fr")
                    ]
                    if t is one:
                        heard = lines
                    hears_of.push(t)
                assert lines == heard
                assert hears[0].information_state(NOBODY) == hears[1].information_state(NOBODY)
                assert [hears[0].information_state(seat) for seat in list_other_viewers(s, who)] == [
                    hears[1].information_state(seat) for seat in list_other_viewers(s, who)
                ]
                compared += 1
            check_conserved(one)
            check_conserved(two)
    assert compared > 20
    assert seen_taken, "a card that all saw taken was never one of the two"


def public_choice(one: Portals, two: Portals, both: set[int], rng: Rng) -> int | None:
    """Return an option of both worlds that reveals neither card."""
    if one.over or two.over:
        return None
    shown = {GAME.read(f"{verb} {C.card_ids[number].lower()}") for number in both for verb in ("play", "burn")}
    options = [o for o in one.legal if o in two.legal and o not in shown and o != DISCARD and o < HIDE]
    return rng.pick(options) if options else None


def test_a_new_card_goes_to_a_place_that_only_its_owner_knows() -> None:
    """PP-R12  A new card goes to a random place, so that the last place does not reveal it.

    With open discards the new card is the last one.
    """
    places: Counter[int] = Counter()
    for seed in range(400):
        s = table(2, hands=["g06 g07 g08"], row="o01 o02 o03 o04 o05", variants=FACE_DOWN)
        s.rng = Rng(seed)
        play(s, "take o03")
        places[s.hands[0].index(card("o03"))] += 1
        assert s.known_in_hand[0] == 1 << s.hands[0].index(card("o03"))
    assert sorted(places) == [0, 1, 2, 3]
    assert min(places.values()) > 60
    s = table(2, hands=["g06 g07 g08"], row="o01 o02 o03 o04 o05")
    play(s, "take o03")
    assert s.hands[0].index(card("o03")) == 3


# -- known and possible cards ------------------------------------------------------------------------------------------


def hide(s: Portals, name: str) -> None:
    """Discard this card face down."""
    play(s, "discard")
    if isinstance(s.asked, Discard):
        s.play(HIDE + s.hands[s.who].index(card(name)))


def list_seen(s: Portals, who: Seat, viewer: int | None) -> list[str | None]:
    hand = GAME.view(s, viewer).players[who].hand
    return [None if one.card is None else C.card_ids[one.card] for one in hand]


def list_possible_cards(s: Portals, who: Seat, viewer: int | None) -> list[str]:
    found = GAME.view(s, viewer).players[who].perhaps
    assert found is not None
    return [C.card_ids[number] for number in found]


@pytest.mark.parametrize("discarded", ["o03", "o26"])
def test_a_card_that_all_saw_taken_is_perhaps_still_held(discarded: str) -> None:
    """PP-R12, PP-R32  Either of two cards with the Old Testament back may be the discard, although one is known."""
    s = table(hands=["o26 g06"], row="o01 o02 o03 o04 o05", variants=FACE_DOWN)
    play(s, "take o03")
    assert list_seen(s, 0, 1) == [None, "O03", None]  # by their backs, Genesis first
    hide(s, discarded)
    for viewer in (1, 2, None):
        assert list_seen(s, 0, viewer) == [None, None]
        assert list_possible_cards(s, 0, viewer) == ["O03"]
        assert GAME.view(s, viewer).buried == [HiddenCard(OLD, None)]
    assert list_possible_cards(s, 0, 0) == []
    assert GAME.view(s, 0).buried == [HiddenCard(OLD, card(discarded))]
    assert {s.resample(1, Rng(n)).buried[0] == card("o03") for n in range(40)} == {True, False}
    assert {s.resample(0, Rng(n)).buried[0] for n in range(10)} == {card(discarded)}


def test_a_different_back_leaves_no_doubt() -> None:
    """PP-R12, PP-R32  The back of the discard shows that it was another card."""
    s = table(hands=["o26 g06"], row="o01 o02 o03 o04 o05", variants=FACE_DOWN)
    play(s, "take o03")
    hide(s, "g06")
    assert list_seen(s, 0, 1) == ["O03", None]
    assert list_possible_cards(s, 0, 1) == []
    assert GAME.view(s, 1).buried == [HiddenCard(GENESIS, None)]


def test_the_only_card_of_its_back_is_known_to_be_gone() -> None:
    """PP-R12, PP-R32  All saw it taken, and no other card of the hand has this back."""
    s = table(hands=["g06 n02"], row="o01 o02 o03 o04 o05", variants=FACE_DOWN)
    play(s, "take o03")
    hide(s, "o03")
    assert GAME.view(s, None).buried == [HiddenCard(OLD, card("o03"))]
    assert (s.known_in_hand[0], s.doubtful) == (0, [(), (), ()])


def test_a_card_that_is_played_was_not_discarded() -> None:
    """PP-R12  The uncertainty ends, but the real discard stays unknown."""
    s = table(2, pawns=["hebron"], hands=["o26 g07"], row="o01 o02 o03 o04 o05", variants=FACE_DOWN)
    play(s, "take o03")
    hide(s, "o26")
    s.pawns[0] = C.place[card("o03")]
    s.gauge = C.full
    s.legal = s.asked.options(s)
    play(s, "play o03")
    assert s.doubtful == [(), ()]
    assert len({s.resample(1, Rng(n)).buried[0] for n in range(40)}) > 3
    assert card("o03") not in {s.resample(1, Rng(n)).buried[0] for n in range(40)}


def test_a_played_card_reveals_the_discarded_one() -> None:
    """PP-R12  One of two Old Testament cards is gone, and the other turns out to be the unseen one."""
    s = table(2, hands=["o26"], row="o01 o02 o03 o04 o05", variants=FACE_DOWN)
    play(s, "take o03")
    hide(s, "o03")
    s.pawns[0] = C.place[card("o26")]
    s.gauge = C.full
    s.legal = s.asked.options(s)
    play(s, "play o26")
    assert {s.resample(viewer, Rng(n)).buried[0] for n in range(20) for viewer in (1, NOBODY)} == {card("o03")}
    assert get_visible_total(s, 1) == get_visible_total(s, 0)


def get_visible_total(s: Portals, viewer: Seat) -> object:
    return build_visible_scores(s, viewer)[0].total


def test_a_region_card_that_may_be_gone_is_left_out_with_reserve() -> None:
    """PP-R12, PP-R32, PP-11.2  The set is certain while the card is known to be held. Afterwards it has bounds."""
    for discarded in ("r1", "o26"):
        s = table(2, hands=["o26"], played=[FOUR_REGIONS], row=f"r1 {ROW[4:]}", variants=FACE_DOWN)
        play(s, "take r1")
        sure = build_visible_scores(s, 1)[0]
        assert sure.known_lines is not None
        assert (sure.known_lines["sets"], sure.lines["sets"]) == (10, 10)
        hide(s, discarded)
        for viewer in (1, NOBODY):
            score = build_visible_scores(s, viewer)[0]
            assert score.known_lines is not None
            assert (score.known_lines["sets"], score.lines["sets"], score.is_provisional) == (0, (0, 10), True)
        assert build_visible_scores(s, 0)[0].lines["sets"] == (10 if discarded == "o26" else 0)
        assert build_visible_scores(s, 1)[1].lines["sets"] == 0  # nobody else can hold it


def test_a_symbol_card_that_may_be_gone_unsettles_its_majority() -> None:
    """PP-R12, PP-11.6  With one event each, it matters whether seat 0 still has the Symbol card."""
    ancient = C.symbol_ids.index("ancient")
    for discarded in ("s1", "o26"):
        s = table(2, hands=["o26"], played=["o04", "o06"], row=f"s1 {ROW[4:]}", variants=FACE_DOWN)
        play(s, "take s1")
        assert GAME.view(s, 1).leaders[ancient] == [0]
        assert not GAME.view(s, 1).unsettled[ancient]
        hide(s, discarded)
        assert GAME.view(s, 1).leaders[ancient] == [0, 1]
        assert GAME.view(s, 1).unsettled[ancient]


def test_bounds_include_cards_that_must_be_in_hand() -> None:
    """PP-R12  One of two known Region cards was discarded, so one set of two lacking regions is certain."""
    for discarded in ("r1", "r2"):
        s = table(2, played=[FOUR_REGIONS], row=f"r1 r2 {ROW[8:]}", variants=FACE_DOWN)
        play(s, "take r1", "take r2")
        hide(s, discarded)
        assert list_possible_cards(s, 0, 1) == ["R1", "R2"]
        assert build_visible_scores(s, 1)[0].lines["sets"] == 10
        worlds = [s.resample(1, Rng(n)) for n in range(20)]
        assert {tuple(t.hands[0]) for t in worlds} == {(card("r1"),), (card("r2"),)}


def test_nothing_is_in_doubt_when_the_match_is_over() -> None:
    """PP-11.2  Held Region and Symbol cards are revealed, so the others were discarded."""
    s = table(2, hands=["o26 o27"], row=f"r1 s1 {ROW[8:]}", capsule="nt", round_=30, variants=FACE_DOWN)
    play(s, "take r1", "take s1")
    hide(s, "r1")
    assert list_possible_cards(s, 0, 1) == ["R1", "S1"]
    play(s, "end", "end")
    assert s.over
    assert GAME.view(s, 1).buried == [HiddenCard(OLD, card("r1"))]
    assert "S1" in list_seen(s, 0, 1)
    totals = [score.total for score in GAME.scores(s)]
    for viewer in (0, 1, NOBODY):
        for n in range(20):
            t = s.resample(viewer, Rng(n))
            assert [score.total for score in GAME.scores(t)] == totals
            assert dump_knowledge(t, viewer) == dump_knowledge(s, viewer)


# -- comparison with every possible history ----------------------------------------------------------------------------

BLANK = NONE  # a card that only its owner has seen
World = tuple[frozenset[int], tuple[int, ...]]  # known cards still held, and the card of each discard


def imagine_discards(worlds: set[World], held: int) -> set[World]:
    """Return all possible cards of a discard for each of these hands before it."""
    found = set()
    for seen_cards, gone in worlds:
        found |= {(seen_cards - {one}, (*gone, one)) for one in seen_cards}
        if held > len(seen_cards):
            found.add((seen_cards, (*gone, BLANK)))
    return found


def normalize_world(s: Portals, viewer: Seat, rng: Rng) -> World:
    """Return the viewer's world in the same form, for seat 0 and the Old Testament back."""
    t = s.resample(viewer, rng)
    check_conserved(t)
    public = {entry & 255 for entry in s.doubtful[0]} | {
        number for i, number in enumerate(s.hands[0]) if (s.known_in_hand[0] >> i) & 1
    }
    gone = tuple(number if number in public else BLANK for number in t.buried)
    return frozenset(number for number in t.hands[0] if number in public), gone


@pytest.mark.parametrize("seed", range(12))
def test_worlds_include_all_possible_histories(seed: int) -> None:
    """PP-R12  Cards come and leave openly or hidden. `resample` deals exactly the possible histories."""
    rng = Rng(seed)
    s = table(2, hands=["o26 o27", "g06"], row="", new="", variants=FACE_DOWN)
    worlds: set[World] = {(frozenset(), ())}
    for _ in range(14):
        hand, pick = s.hands[0], rng.below(5)
        if pick == 0 and len(hand) < 6:
            taken = s.old.pop()
            s.add_card(0, taken, True)
            worlds = {(held | {taken}, gone) for held, gone in worlds}
        elif pick == 1 and len(hand) < 6:
            s.add_card(0, s.old.pop(), False)
        elif pick == 2 and len(hand) > 1:
            shown = rng.pick(list(hand))
            seen_cards = set().union(*[held for held, _ in worlds])
            if shown in seen_cards:
                worlds = {(held - {shown}, gone) for held, gone in worlds if shown in held}
            else:
                worlds = {(held, gone) for held, gone in worlds if len(held) < len(hand)}
            s.remove_card(0, shown)
            s.gone.append(shown)
        elif hand and len(s.buried) < 5:
            worlds = imagine_discards(worlds, len(hand))
            s.bury_card(0, rng.below(len(hand)))
            if s.buried_seen[-1] == 3:  # the only card, which all saw taken, so there was only one world
                assert len({gone[-1] for _, gone in worlds}) == 1
        s.asked.applies(s)
        known = {gone for _, gone in worlds}
        found = [normalize_world(s, viewer, Rng(seed * 1000 + n)) for n in range(80) for viewer in (1, NOBODY)]
        told_openly = [i for i, seen_by in enumerate(s.buried_seen) if seen_by == 3]
        wanted = {
            (held, tuple(BLANK if i in told_openly else one for i, one in enumerate(gone))) for held, gone in worlds
        }
        assert set(found) <= wanted, "a world that the others can rule out"
        if len(known) <= 8:
            assert set(found) == wanted, "a world that never comes up"


def test_a_spectator_of_a_card_with_a_new_testament_back_learns_it_alone() -> None:
    """PP-R12  The back is shown."""
    s = table(hands=["o26 n02 n03"], variants=FACE_DOWN)
    hide(s, "n02")
    assert GAME.view(s, None).buried == [HiddenCard(NEW, None)]
