"""Tests of the bots' evaluation, with positions in which early bots made mistakes."""

from tests.games.ierusalem.table import ANA, BEN, CEM, DIA, C, play, table
from triclinium.bots.greedy import Greedy
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import ASK
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.ai.column_progress import NEVER, READY, encode_favors, score_column
from triclinium.games.ierusalem.ai.evaluation import FEATURES, TURN_VALUE, features
from triclinium.games.ierusalem.rules.actions.visit import SeatApostle
from triclinium.games.ierusalem.rules.constants import DESERT, LAKE, LOCATIONS, MARKET, MOUNTAIN, TEMPLE
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.verbs import GO, SEAT

AI = GAME.evaluator


def feature(s: Ierusalem, name: str, who: int = ANA) -> float:
    return features(s, who)[FEATURES.index(name)]


def measure_column_distance(s: Ierusalem, apostles: int, symbols: list[int]) -> float:
    """Return Ana's distance to an Apostle column after adding these symbols."""
    laid = sum((symbol + 1) << (3 * i) for i, symbol in enumerate(symbols))
    return score_column(s.symbols, encode_favors(s, ANA), laid, apostles)


def choose_greedily(s: Ierusalem) -> str:
    """Return the choice of the greedy bot."""
    worth = Greedy(GAME).weigh_options(s, s.who, Rng(1))
    return GAME.format_option(max(worth, key=lambda o: worth[o]))


def test_a_gap_before_the_last_card_counts_twice() -> None:
    """IE-2.7  Cards are added at the end, so only a Favor fills a gap. Printed: desert, market, lake."""
    s = table()
    assert [LOCATIONS[symbol] for symbol in s.symbols[:3]] == ["desert", "market", "lake"]
    assert measure_column_distance(s, 0, [DESERT]) == READY - 2
    assert measure_column_distance(s, 0, [MARKET]) == READY - 3  # a gap and a card
    assert measure_column_distance(s, 0, [LAKE]) == READY - 4
    assert measure_column_distance(s, 0, [DESERT, MARKET]) == READY - 1
    assert measure_column_distance(s, 0, [DESERT, MARKET, LAKE]) == READY
    assert measure_column_distance(s, 0, [MARKET, DESERT]) == NEVER
    assert measure_column_distance(s, 0, [DESERT, MARKET, LAKE, TEMPLE]) == NEVER


def test_a_favor_fills_one_place() -> None:
    """IE-R4  One received Mountain fills only one missing place."""
    s = table(symbols="mountain mountain lake temple market desert lake lake lake", received={ANA: "mountain"})
    assert measure_column_distance(s, 0, [LAKE]) == READY - 2
    s = table(symbols="mountain mountain lake temple market desert lake lake lake", received={ANA: "mountain mountain"})
    assert measure_column_distance(s, 0, [LAKE]) == READY
    s = table(symbols="lake lake lake temple market desert mountain desert lake", received={ANA: "lake lake"})
    assert measure_column_distance(s, 0, []) == READY - 1
    assert measure_column_distance(s, 2, [MOUNTAIN]) == READY - 1  # the Desert is missing, and a Favor fills the Lake


def test_an_overfull_camp_discards_the_cheapest_goods() -> None:
    """IE-2.18, IE-3.1  Stone goes before Bread, and Bread before Fish."""
    s = table(hands={ANA: "r05 r02"}, goods={ANA: (3, 3, 3)}, denarii={ANA: 0}, at={ANA: (0, 1, 1)})
    play(s, "play r05", "column 1", "skip")
    assert choose_greedily(s) == "waste stone"


def test_each_card_in_a_spoilt_column_costs_points() -> None:
    """IE-R35  A spoilt column of ten cards is worse than one of four."""
    four = table(columns={ANA: ["r01 r02 r03 r04"]}, hands={ANA: "r05"})
    eight = table(columns={ANA: ["r01 r02 r03 r04 r06 r07 r08 r09"]}, hands={ANA: "r05"})
    assert (feature(four, "spoilt"), feature(eight, "spoilt")) == (1, 1)
    assert (feature(four, "locked"), feature(eight, "locked")) == (4, 8)
    assert GAME.weights.values[FEATURES.index("locked")] < 0


def test_idle_money_counts_little() -> None:
    """Ten Denarii more than a player can spend are worth little: two."""
    assert feature(table(denarii={ANA: 18}), "denarii") - feature(table(denarii={ANA: 8}), "denarii") == 2


def test_the_illumination_is_used_when_it_gains_more_than_its_value() -> None:
    """IE-2.5, IE-6.5  The game is about to end and no card helps, but a swap onto a place at Jesus does."""
    s = table(
        hands={ANA: "r10"},
        at={ANA: (0, 0, 0)},
        denarii={ANA: 0},
        goods={ANA: (0, 0, 0)},
        supper={ANA: "u3c4 u3c5 u2c4", BEN: "t4 t5 b4", CEM: "bl", DIA: "br"},
        marker=C.last - 1,
        columns={ANA: ["r01 r02", "r03 r04", "r05 r06"]},
    )
    assert choose_greedily(s) == "illuminate"


def test_unprofitable_mahane_cards_are_not_bought() -> None:
    """IE-2.15  At the end of the game, 2 Denarii are worth more than a card that is never played."""
    s = table(hands={ANA: "r05 r02 r03 r04 r06"}, display="ma07 ma12", marker=C.last - 2)
    play(s, "play r05", "column 1", "skip")
    assert choose_greedily(s) == "skip"


def test_the_best_card_of_a_hand_counts_most() -> None:
    """With Followers out and goods to pay, an invitation is worth more than a Market."""
    poor = table(hands={ANA: "r01 r02"}, columns={ANA: ["r03 r04 r05 r06 r07 r08 r09 r10"]})
    rich = table(hands={ANA: "ad01 r02"}, columns={ANA: ["r03 r04 r05 r06 r07 r08 r09 r10"]})
    assert feature(rich, "hand") > feature(poor, "hand") + 1


def test_seats_that_skip_turns_pass() -> None:
    """With `solo_turns` Ana plays twice before Ben is asked, and an owed turn counts against its seat."""
    s = table(seats=3)
    before = features(s, BEN)[FEATURES.index("hope")]
    facts = s.state_key()
    for rival in (BEN, CEM):
        GAME.evaluator.skip_turns(s, rival, 1)
    assert s.state_key() == facts
    assert features(s, BEN)[FEATURES.index("hope")] == before - TURN_VALUE
    assert turns_of(s, 3) == [ANA, ANA, BEN]
    assert s.owed_turns == 0


def turns_of(s: Ierusalem, n: int) -> list[int]:
    """Return the seats of the next turns if every player takes the first option."""
    found: list[int] = []
    turn = s.turns - 1
    while len(found) < n:
        if s.turns != turn:
            turn = s.turns
            found.append(s.active)
        s.choose(s.legal[0])
    return found


def test_a_turn_is_finished_quickly() -> None:
    """A quickly completed turn has legal options at every step. They are equal in every world possible for the seat."""
    rng = Rng(1)
    asked = set()
    for seed in range(4):
        s = GAME.deal(3 + seed % 2, seed)
        while not s.over:
            o = AI.quick_option(s)
            if o != ASK:
                asked.add(s.asked.id)
                assert o in s.legal
                assert AI.quick_option(s.resample(s.who, rng)) == o
            s.choose(rng.pick(s.legal))
    ending = {"BuyMahane", "Warehouse"}
    going = {"Leave", "Go", "TakeOffering"}
    assert asked == ending | going | {"Listen", "DoFavor", "FavorTo", "Rearrange", "SeatApostle"}


def test_quick_play_sends_followers_where_they_score_most() -> None:
    """IE-6.2, IE-6.5  A Follower goes to a free place at Jesus, or else behind Peter, but not behind Judas."""
    s = table(hands={ANA: "ad01 r02"}, at={ANA: (0, 2, 0)}, seated={"s02": "peter", "s08": "judas"})
    play(s, "play ad01", "column 1", "skip")
    assert s.asked.id == "Go"
    assert (C.jesus_spaces >> (AI.quick_option(s) - GO)) & 1
    s = table(
        hands={ANA: "ad01 r02"},
        at={ANA: (0, 2, 0)},
        seated={"s02": "peter", "s08": "judas"},
        supper={BEN: "t4 t5 b4 b5"},
    )
    play(s, "play ad01", "column 1", "skip")
    assert (C.spaces_around[C.seat_ids.index("s02")] >> (AI.quick_option(s) - GO)) & 1
    play(s, GAME.format_option(AI.quick_option(s)))
    while s.asked.id != "TakeOffering":
        s.choose(s.legal[0])
    assert GAME.format_option(AI.quick_option(s)) == "skip", "the Camp is full"
    s.camp[ANA] -= 4
    assert GAME.format_option(AI.quick_option(s)) == "offering"


def test_quick_play_seats_apostles_near_own_followers() -> None:
    """IE-2.10  Peter goes in front of them, and Judas in front of a rival's."""
    s = table(supper={ANA: "u1c2 u1c3", BEN: "d1c2"})
    for apostle, wanted in (("peter", "u"), ("judas", "d")):
        s.stack[:] = [SeatApostle(ANA, 0, C.apostle_ids.index(apostle))]
        s.advance()
        seat = AI.quick_option(s) - SEAT
        there = [C.space_ids[space] for space in range(len(C.space_ids)) if (C.spaces_around[seat] >> space) & 1]
        assert any(space.startswith(wanted) for space in there), (apostle, there)
