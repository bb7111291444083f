"""Tests of the running scores that a viewer can know (PP-11): exact, or bounds that hold in every world."""

from collections.abc import Iterator
from itertools import product

import pytest

from tests.games.portals.checks import VARIANTS
from tests.games.portals.table import C, card, play, table
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.visible_scores import VisibleNumber, get_lower_bound, get_upper_bound
from triclinium.games.portals import GAME
from triclinium.games.portals.rules.components import OLD
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.ui.visible_scores import build_visible_scores, knows_hand_card
from triclinium.testing import list_cases

FOUR_REGIONS = "o01 o04 o08 o09"  # Distant, Samaria, Judea, Coastal: a set except for Galilee
ROW = "o15 o16 o17 o18 o19"  # events, so that no Region or Symbol card is open
MOST_WORLDS = 3_000


def get_visible_line(s: Portals, viewer: Seat, who: Seat, name: str) -> VisibleNumber:
    return build_visible_scores(s, viewer)[who].lines[name]


def totals(s: Portals, viewer: Seat) -> list[VisibleNumber]:
    return [score.total for score in build_visible_scores(s, viewer)]


def test_without_old_testament_cards_in_hands_all_is_known() -> None:
    """PP-R32  Region and Symbol cards have the Old Testament back: a hand without it hides none."""
    s = table(hands=["g06 n02", "g07 n03", "n04"], played=["o01"])
    for viewer in (NOBODY, *range(s.seats)):
        assert totals(s, viewer) == [score.total for score in GAME.scores(s)]
        assert [score.rank for score in build_visible_scores(s, viewer)] == [1, 2, 2]


def test_a_hidden_card_may_complete_a_set() -> None:
    """PP-11.4  The owner of a hidden card knows whether it is a Region card, but others do not."""
    s = table(hands=["r1"], played=[FOUR_REGIONS], row=ROW)
    assert get_visible_line(s, 0, 0, "sets") == 10
    assert get_visible_line(s, 1, 0, "sets") == get_visible_line(s, NOBODY, 0, "sets") == (0, 10)


def test_a_card_taken_from_the_row_counts_for_all_viewers() -> None:
    """PP-R32  A Region card that a player took from the row counts in the score that everyone sees."""
    s = table(played=[FOUR_REGIONS], row="r1 o10 o11 o12 o13")
    play(s, "take r1")
    for viewer in (NOBODY, *range(s.seats)):
        assert get_visible_line(s, viewer, 0, "sets") == 10
        assert totals(s, viewer) == [score.total for score in GAME.scores(s)]


def test_seen_cards_are_in_no_hidden_hand() -> None:
    """PP-9.1, PP-R32  Four Region cards that are open, discarded or one's own complete no other player's set."""
    s = table(hands=["o26", "r1"], played=[FOUR_REGIONS], row="r2 o10 o11 o12 o13", gone="r3 r4")
    assert get_visible_line(s, 1, 0, "sets") == 0
    assert get_visible_line(s, 2, 0, "sets") == (0, 10)


def test_a_hand_has_one_place_for_each_card() -> None:
    """PP-11.4, PP-11.7  One hidden card is a Region card or a Symbol card, but not both, and the total respects this.

    The Region card brings 10 points, the Symbol card Ancient 5, that of a symbol nobody has 8.
    """
    s = table(2, hands=["r1"], played=[FOUR_REGIONS], row=ROW)
    score = build_visible_scores(s, 1)[0]
    assert score.lines == {"cards": 10, "sets": (0, 10), "majorities": (28, 35), "symbol_cards": (0, 5)}
    assert score.total == (38, 48)


def test_a_majority_may_depend_on_a_symbol_card() -> None:
    """PP-11.5, PP-11.6  The holder of the card breaks a tie, but does not overtake a lead of one event."""
    s = table(2, hands=["", "o26"], played=["o04", "o06"], row=ROW)  # Both players have one Ancient event.
    assert get_visible_line(s, 0, 0, "majorities") == (0, 7)
    assert get_visible_line(s, 1, 0, "majorities") == 7  # the holder of O26 knows that they tie
    s = table(2, hands=["", "o26"], played=["o04 o06", "o11"], row=ROW)
    assert get_visible_line(s, 0, 0, "majorities") == 7


def test_an_empty_deck_leaves_the_cards_no_other_place() -> None:
    """PP-R32  With two players and no deck, all unseen cards are in the other hand."""
    s = table(2, hands=["g06", "r1 s4 o26"], played=["o01", "o04"], row="", old="")
    seen = [number for number in range(C.cards) if C.deck[number] == OLD and number not in s.hands[1]]
    assert set(seen) == {*s.gone, *s.played[0], *s.played[1]} & set(seen)
    assert totals(s, 0) == [score.total for score in GAME.scores(s)]


def test_certain_values_are_exact() -> None:
    """PP-11.2, PP-R32  If unseen cards can only be in one hand, people see their value."""
    s = table(2, hands=["g06", "r1 s4 o26"], played=["o01", "o04"], row="", old="")
    score = build_visible_scores(s, 0)[1]
    assert (score.shown_total, score.is_provisional) == (GAME.scores(s)[1].total, False)
    assert score.shown_lines["symbol_cards"] == 1
    assert read_known_lines(s, 0, 1)["symbol_cards"] == 0
    assert score.to_json()["known_total"] == sum(read_known_lines(s, 0, 1).values())
    assert score.shown_total != sum(read_known_lines(s, 0, 1).values())


def test_partners_do_not_know_each_others_cards() -> None:
    """PP-12.1, PP-R26  The sheet of a side has both partners' cards. Both have the same rank."""
    s = table(4, hands=["r1", "", "o26"], played=[FOUR_REGIONS], row=ROW, variants={"team": True})
    sets = [score.lines["sets"] for score in build_visible_scores(s, 0)]
    assert sets == [10, 0, 10, 0]
    assert [score.lines["sets"] for score in build_visible_scores(s, 2)] == [(0, 10), 0, (0, 10), 0]
    assert [score.rank for score in build_visible_scores(s, 1)] == [1, 3, 1, 3]


@pytest.mark.parametrize(("ties", "ranks"), [("shared", [1, 1]), ("broken", [2, 1])])
def test_a_certain_tie_is_ranked(ties: str, ranks: list[int]) -> None:
    """PP-R23  Equal totals share the rank, or the later player in turn order is ahead by a table option."""
    s = table(2, variants={"ties": ties})
    assert (
        [score.rank for score in build_visible_scores(s, NOBODY)] == ranks == [score.rank for score in GAME.scores(s)]
    )


# -- comparison with all worlds -----------------------------------------------------------------------------------


def worlds(s: Portals, viewer: Seat) -> Iterator[list[Score]]:
    """Yield the scores of every distribution of the unseen Region and Symbol cards, or nothing if there are too many.

    Worlds with cards that may have been discarded face down are in test_face_down.py.
    """
    if any(s.doubtful):
        return
    seen = {*s.row, *s.gone, *(number for n, number in enumerate(s.buried) if s.knows_buried(viewer, n))}
    hidden: list[list[int]] = [[] for _ in range(s.seats)]  # places of each hand with an unknown Old Testament card
    for who, hand in enumerate(s.hands):
        for n, number in enumerate(hand):
            if knows_hand_card(s, viewer, who, n):
                seen.add(number)
            elif C.deck[number] == OLD:
                hidden[who].append(n)
    seen.update(number for own in s.played for number in own)
    unseen = [number for number in range(C.cards) if C.deck[number] == OLD and number not in seen]
    bonus = [number for number in unseen if number >= C.events]
    events = [number for number in unseen if number < C.events]
    holders = [who for who in range(s.seats) if hidden[who]] + [NOBODY]
    elsewhere = len(unseen) - sum(map(len, hidden))
    if len(holders) ** len(bonus) > MOST_WORLDS:
        return
    for lie in product(holders, repeat=len(bonus)):
        if any(lie.count(who) > (elsewhere if who == NOBODY else len(hidden[who])) for who in holders):
            continue
        t = s.clone()
        rest = events[:]
        for who in holders[:-1]:
            own = [number for number, holder in zip(bonus, lie, strict=True) if holder == who]
            cards = list(s.hands[who])
            for n in hidden[who]:
                cards[n] = own.pop() if own else rest.pop()
            t.hands[who] = tuple(cards)
        yield GAME.scores(t)


def test_the_bounds_are_those_of_all_worlds() -> None:
    """Every line and total holds in each world, and nearly always both ends occur."""
    ends = met = 0
    for case in list_cases(GAME, VARIANTS):
        for s in case.sample_states(5):
            assert isinstance(s, Portals)
            viewer = s.round % (s.seats + 1) - 1
            found = list(worlds(s, viewer))
            for score in build_visible_scores(s, viewer) if found else []:
                of_all = [one[score.seat] for one in found]
                assert score.rank is None or {one.rank for one in of_all} == {score.rank}
                pairs = [(value, [one.line_points(name) for one in of_all]) for name, value in score.lines.items()]
                for value, points in [*pairs, (score.total, [one.points for one in of_all])]:
                    assert value is not None
                    assert get_lower_bound(value) <= min(points)
                    assert max(points) <= get_upper_bound(value)
                    ends += 2
                    met += (get_lower_bound(value) == min(points)) + (get_upper_bound(value) == max(points))
    assert ends > 1_000
    assert met >= 0.999 * ends, f"{met} of {ends} ends are met"


def test_the_card_of_the_examples_has_the_expected_properties() -> None:
    """The examples above depend on these faces."""
    assert [C.region_ids[C.region[number]] for number in map(card, FOUR_REGIONS.split())] == [
        "distant",
        "samaria",
        "judea",
        "coastal",
    ]
    assert C.symbols[card("o26")] == 0


# -- the displayed score on known cards -----------------------------------------------------------------------------


def read_known_lines(s: Portals, viewer: Seat, who: Seat) -> dict[str, int]:
    found = build_visible_scores(s, viewer)[who].known_lines
    assert found is not None
    return found


def test_the_running_score_counts_cards_that_all_saw_taken() -> None:
    """PP-11.2, PP-R32  A Region card from the row completes the set, a Symbol card counts its events."""
    s = table(played=[FOUR_REGIONS], row="r1 s1 o11 o12 o13")
    play(s, "take r1", "take s1")
    for viewer in (NOBODY, *range(s.seats)):
        assert read_known_lines(s, viewer, 0)["sets"] == 10
        assert read_known_lines(s, viewer, 0)["symbol_cards"] == 5  # the points for Ancient: the card and four events
        assert not build_visible_scores(s, viewer)[0].is_provisional


def test_the_running_score_leaves_unseen_cards_out() -> None:
    """PP-11.2  Others see the score without them and a note. The API's bounds contain the true score."""
    s = table(2, hands=["r1"], played=[FOUR_REGIONS], row=ROW)
    own, others = build_visible_scores(s, 0)[0], build_visible_scores(s, 1)[0]
    assert (own.shown_total, own.is_provisional) == (48, False)
    assert (others.shown_total, others.total, others.is_provisional) == (38, (38, 48), True)
    told = others.to_json()
    assert (told["known_total"], told["total"], told["total_bounds"]) == (38, None, [38, 48])
    assert sum(read_known_lines(s, 1, 0).values()) == others.shown_total


def test_a_majority_that_an_unseen_card_could_change_is_marked() -> None:
    """PP-11.6  The Symbol card would decide a tie, or a lead of one with space in the hand, but not a lead of two."""
    ancient = C.symbol_ids.index("ancient")
    s = table(2, hands=["", "o26"], played=["o04", "o06"], row=ROW)
    assert GAME.view(s, 0).unsettled[ancient]
    assert not GAME.view(s, 1).unsettled[ancient]  # the holder of O26 knows more
    s = table(2, hands=["", "o26"], played=["o04 o06 o07", "o11"], row=ROW)
    assert not GAME.view(s, 0).unsettled[ancient]


def test_partners_share_one_score() -> None:
    """PP-12.1  Points, regions and symbols of a team are its partners' sums, and both see the same score."""
    s = table(4, hands=["", "o26"], played=["o01 o04", "o06", "o08 o09"], row=ROW, variants={"team": True})
    view = GAME.view(s, 1)
    assert view.teams is not None
    for one in view.teams:
        partners = [view.players[seat] for seat in one.seats]
        assert one.points == sum(who.points for who in partners)
        assert one.regions == [sum(counts) for counts in zip(*[who.regions for who in partners], strict=True)]
        assert one.symbols == [sum(counts) for counts in zip(*[who.symbols for who in partners], strict=True)]
        first, second = [view.standing[seat] for seat in one.seats]
        assert (first.shown_total, first.known_lines) == (second.shown_total, second.known_lines)
        assert first.known_lines is not None
        assert first.known_lines["cards"] == one.points
    assert GAME.view(table(2), 0).teams is None


def test_the_score_on_known_cards_lies_within_the_bounds() -> None:
    """PP-11.2  The score on known cards is within the bounds, because no hand may hold an unseen card.

    An exception are hands that must hold some of them.
    """
    for case in list_cases(GAME, VARIANTS)[::3]:
        for s in case.sample_states(4):
            assert isinstance(s, Portals)
            sure = (
                not s.over and s.old and not any(s.doubtful)
            )  # PP-R12: one of two uncertain cards may be held for certain
            for score in build_visible_scores(s, NOBODY) if sure else []:
                assert isinstance(score.shown_total, int)
                assert score.total is not None
                assert get_lower_bound(score.total) <= score.shown_total <= get_upper_bound(score.total)
