"""Tests of the bots' evaluation: the remaining travel, and that a bot that follows it comes home."""

from itertools import pairwise, permutations

import pytest

from tests.games.missionnaires.table import C, options, play, space, table
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.games.missionnaires.ai.evaluation import FEATURES, features
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.missionnaires.rules.tours import measure_tour, measure_tour_with_return


def measure_shortest_tour(start: int, spaces: list[int]) -> int:
    """Return the length of the shortest tour by trying every order."""
    best = 1 << 30
    for order in permutations(spaces):
        way = [start, *order, C.bethel]
        best = min(best, sum(C.travel[a][b] for a, b in pairwise(way)))
    return best


def test_a_tour_is_hardly_longer_than_the_shortest() -> None:
    """LM-9.1  The tour is hardly longer than the shortest of all orders.

    Without congregations it leads to the Bethel.
    """
    rng = Rng(1)
    cards = list(range(len(C.congregations)))
    for _ in range(12):
        rng.shuffle(cards)
        drawn = tuple(cards[:6])
        start = C.congregation_at[cards[6]]
        exact = measure_shortest_tour(start, [C.congregation_at[k] for k in drawn])
        assert exact <= measure_tour(C, start, drawn) <= exact * 33 // 32
        assert measure_tour(C, start, drawn[::-1]) == measure_tour(C, start, drawn)
    assert measure_tour(C, start, ()) == C.travel[start][C.bethel]


def test_a_long_tour_stays_on_the_map() -> None:
    """LM-R2  A tour is found for a full hand, and for a start in a congregation that must be visited."""
    cards = tuple(range(12))
    start = C.congregation_at[0]
    assert 0 < measure_tour(C, start, cards) < 200 * 20


def test_an_unfinished_step_counts_as_made() -> None:
    """LM-6.2  While a pushed gendarme's place is asked, the travel is measured from the entered space."""
    s = table(at=["tls"], hands={0: ["bar", "mad"]})
    play(s, "go per")
    assert features(s, 0)[FEATURES.index("tour")] * 20 == measure_tour(C, space("per"), s.hand[0])


def test_a_finished_player_has_only_the_rank() -> None:
    """LM-9.2  For a player who is home only the rank has a value."""
    s = table(seats=3, at=["bou"], hands={0: []})
    play(s, "go bet", "stop")
    named = dict(zip(FEATURES, GAME.evaluator.features(s, 0), strict=True))
    assert (named["home"], named["rank"], named["tour"]) == (1.0, 1.0, 0.0)


def test_an_overseer_saves_half_the_way_to_the_next_visit() -> None:
    """LM-3.2, LM-4.3  An overseer who will stay at the next visit only saves the travel to that visit."""
    s = table(at=["tls"], hands={0: ["bar", "mad"]}, overseers={"c": 0})
    nearest = min(C.travel[space("tls")][space(town)] for town in ("bar", "mad"))
    assert features(s, 0)[FEATURES.index("company")] * 40 == nearest
    assert features(s, 1)[FEATURES.index("company")] == 0


def test_waiting_costs_a_turn() -> None:
    """LM-2.4  A pass costs a turn. Otherwise two bots would pass endlessly and leave the next card to each other."""
    s = table(at=["tls"], hands={0: ["bar", "mad"]})
    play(s, "pass")
    assert features(s, 0)[FEATURES.index("idle")] == 1
    assert features(s, 1)[FEATURES.index("idle")] == 0


def test_passing_for_relief_is_no_waiting() -> None:
    """LM-R12  A pass that brings a periodical opens a blocked way, so it does not count as waiting."""
    s = table(at=["tls"], hands={0: ["bar", "mad"]}, periodicals=[0])
    play(s, "pass")
    assert s.periodicals[0] == 1
    assert features(s, 0)[FEATURES.index("idle")] == 0


def test_vouchers_have_value_while_the_way_is_long() -> None:
    """LM-8.4, LM-8.6  A useful BON has a value until little travel is left, although it must be used in the end."""
    s = table(at=["tls"], hands={0: ["bar", "mad", "rom"]}, bons={0: ["t32", "t29"]})
    named = dict(zip(FEATURES, GAME.evaluator.features(s, 0), strict=True))
    assert (named["bons"], named["tickets"]) == (2.0, 1.0)
    s = table(at=["bet"], hands={0: []}, bons={0: ["t32", "t29"]})
    named = dict(zip(FEATURES, GAME.evaluator.features(s, 0), strict=True))
    assert (named["bons"], named["tickets"]) == (2.0, 0.0)


def test_vouchers_do_not_delay_the_way_home() -> None:
    """LM-9.2  A step towards the last congregation is worth more than vouchers and periodicals."""
    held = ["t32", "t33", "t35", "m34", "m36"]
    far = table(seats=2, at=["bou", "rom"], hands={0: ["mrs"]}, bons={0: held}, periodicals=[8, 8])
    near = table(seats=2, at=["bet", "rom"], hands={0: ["mrs"]}, bons={0: held}, periodicals=[8, 8])
    assert value(near, 0) > value(far, 0)


def value(s: State, seat: int) -> float:
    return sum(
        weight * number for weight, number in zip(GAME.weights.values, GAME.evaluator.features(s, seat), strict=True)
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_following_the_features_leads_home(seats: int) -> None:
    """LM-R16  Players who always take the best next position finish long before the last round."""
    rng = Rng(seats)
    for seed in range(2):
        s: State = GAME.deal(seats, seed)
        while not s.over:
            worth: list[float] = []
            seen = s.resample(s.who, rng)
            for o in s.options():
                t = seen.clone()
                t.play(o)
                worth.append(value(t, s.who))
            s.play(s.options()[worth.index(max(worth))])
        assert GAME.view(s, None).round <= 100
        assert sorted(score.rank for score in GAME.scores(s)) == list(range(1, seats + 1))


# -- former mistakes of bots ------------------------------------------------------------------------------------------

THINKING = ("greedy", "steady", "strong@30x")


def choose_option_text(s: Missionnaires, name: str) -> str:
    return GAME.format_option(choose_option(create_bot(name, GAME), s, Rng(3)))


@pytest.mark.parametrize("name", THINKING)
def test_a_bot_pays_one_of_several_rather_than_miss_a_turn(name: str) -> None:
    """LM-2.1  A turn is worth more than one of five periodicals."""
    s = table(at=["lyo"], territory=["t07"], periodicals=[6], hands={0: ["mad", "rom"]})
    play(s, "go gre", "stop")
    assert choose_option_text(s, name) == "pay"


@pytest.mark.parametrize("name", THINKING)
def test_a_bot_cancels_only_harmful_cards(name: str) -> None:
    """LM-8.4  The bot cancels a missed turn, but not the district assembly, which does not affect it."""
    s = table(at=["lyo"], territory=["t17"], bons={0: ["t36"]}, hands={0: ["mad", "rom"]}, periodicals=[0])
    play(s, "go gre")
    assert choose_option_text(s, name) == "obey"
    s = table(at=["lyo"], territory=["t01"], bons={0: ["t36"]}, hands={0: ["mad", "rom"]}, periodicals=[0])
    play(s, "go gre")
    assert choose_option_text(s, name) == "use t36"


@pytest.mark.parametrize("name", THINKING)
def test_a_bot_pushes_no_gendarme_onto_its_own_next_town(name: str) -> None:
    """LM-6.3  Perpignan's gendarme goes to Nîmes or Toulouse, never to Barcelona."""
    s = table(at=["tls"], periodicals=[4], hands={0: ["bar", "mad"]})
    play(s, "go per")
    assert "to bar" in options(s)
    assert choose_option_text(s, name) != "to bar"


@pytest.mark.parametrize("name", THINKING)
def test_a_bot_with_a_full_hand_does_not_stop_short_of_its_town(name: str) -> None:
    """LM-3.3  With seven periodicals the bot continues to Toulouse and does not stop for the card of Limoges."""
    s = table(at=["bou"], periodicals=[7], hands={0: ["tls", "mad", "rom"]})
    assert choose_option_text(s, name) == "go lim"
    play(s, "go lim")
    assert choose_option_text(s, name) == "go tls"


def test_going_back_for_periodicals_makes_the_way_shorter() -> None:
    """LM-4.4  A player with an empty hand next to the Bethel saves travel by returning there, but not near the end."""
    hand = tuple(C.card_of[space(town)] for town in ("bar", "mad", "sev", "rom", "nap"))
    start = space("bou")
    assert measure_tour_with_return(C, start, hand, 0) < measure_tour(C, start, hand)
    assert measure_tour_with_return(C, start, hand, 0) <= measure_tour_with_return(C, start, hand, 8)
    assert measure_tour_with_return(C, start, hand[:1], 8) == measure_tour(C, start, hand[:1])
    assert measure_tour_with_return(C, start, (), 0) == measure_tour(C, start, ())


@pytest.mark.parametrize("name", THINKING[1:])
def test_a_bot_goes_back_for_periodicals(name: str) -> None:
    """LM-4.4, LM-4.6  A bot with an empty hand and a long way to go returns to the Bethel if it is one step away."""
    s = table(at=["bou"], periodicals=[0], hands={0: ["bar", "mad", "sev", "rom", "nap"]})
    assert choose_option_text(s, name) == "go bet"


@pytest.mark.parametrize("name", THINKING[:2])
def test_a_bot_moves_a_rival_away_from_home(name: str) -> None:
    """LM-R11  A bot moves a rival who has visited everything away from the Bethel."""
    s = table(seats=2, at=["lyo", "dij"], territory=["t37"], periodicals=[0], hands={0: ["mad"], 1: []})
    play(s, "go gre")
    assert sorted(options(s)) == ["to aux", "to lyo"]
    assert choose_option_text(s, name) == "to lyo"


@pytest.mark.parametrize("name", THINKING)
@pytest.mark.parametrize(("start", "steps"), [("bou", 1), ("lim", 2), ("tls", 3)])
def test_a_bot_plays_a_voucher_that_leads_home(name: str, start: str, steps: int) -> None:
    """LM-8.4, LM-9.2  A bot that has visited everything plays a voucher that reaches the Bethel."""
    s = table(seats=2, at=[start], hands={0: []}, bons={0: ["t32", "m29"]}, periodicals=[0])
    said: list[str] = []
    while not s.over and s.who == 0:
        said.append(choose_option_text(s, name))
        play(s, said[-1])
    assert s.rank[0] == 1
    assert sum(word.startswith("go ") for word in said) == steps


def test_a_voucher_that_ends_short_of_home_has_no_extra_value() -> None:
    """LM-6.2, LM-9.2  A voucher that does not lead home is not played as if it did.

    The Bethel is too far, a gendarme is in the way, or a visit is missing.
    """
    free = (
        table(at=["rom"], hands={0: []}, bons={0: ["t32"]}),
        table(at=["lim"], gendarmes={"g1": "bou"}, hands={0: []}, bons={0: ["t32"]}),
        table(at=["lim"], hands={0: ["mad"]}, bons={0: ["t32"]}),
    )
    for s in free:
        assert GAME.evaluator.sensible_options(s) == s.legal
