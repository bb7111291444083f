"""Tests of the state: its facts, and features for bots."""

from collections.abc import Mapping

from tests.games.portals.checks import VARIANTS
from tests.games.portals.table import card, play, table
from triclinium.engine.variant import Choice
from triclinium.games.portals.ai.evaluation import FEATURES
from triclinium.games.portals.ai.trip_plan import TripPlan
from triclinium.games.portals.game import GAME
from triclinium.games.portals.rules.scoring import build_sides


def read_agreed_facts(variants: Mapping[str, Choice]) -> tuple[int, ...]:
    """Return the facts of an empty table with these options, without effects of start seat and portals."""
    return tuple(table(4, variants=dict(variants)).state_key()[:12])


def test_the_facts_tell_table_options_apart() -> None:
    """Two choices with other options than seats and portals have different facts."""
    seen: dict[tuple[int, ...], dict[str, Choice]] = {}
    for variants in VARIANTS:
        ruling = {name: value for name, value in variants.items() if name not in ("start", "portals")}
        facts = read_agreed_facts(ruling)
        assert seen.setdefault(facts, ruling) == ruling


def value(features: list[float], name: str) -> float:
    return features[FEATURES.index(name)]


def test_features_follow_the_bot_notes() -> None:
    """The features count points, sets with the seat's own Region cards, leads and Symbol cards."""
    s = table(played=["g06 o04 o44 o14 o39", "o41"], hands=["r1 s4 o26"])
    features = GAME.evaluator.features(s, 0)
    assert value(features, "points") == s.points[0]
    assert value(features, "sets") == 1
    assert value(features, "region_cards") == value(features, "symbol_cards_held") == 1
    assert value(features, "symbol_cards") == 2
    assert value(features, "led_by_two") == 1  # The symbol is Ancient.
    assert value(features, "plan_points") > 0
    assert value(GAME.evaluator.features(s, 1), "one_behind") >= 1


def test_features_do_not_read_other_hands() -> None:
    """A seat's features depend only on what that seat may know."""
    played = ["g06", "o41"]
    assert GAME.evaluator.features(table(played=played, hands=["o26", "s4 r1"]), 0) == GAME.evaluator.features(
        table(played=played, hands=["o26"]), 0
    )


def test_a_nearer_card_is_worth_more() -> None:
    """A card at a nearer place has a higher value, because it is more likely to be played."""
    near = table(pawns=["bethlehem"], hands=["g06"])
    far = table(pawns=["joppa"], hands=["g06"])
    assert value(GAME.evaluator.features(near, 0), "plan_points") > value(
        GAME.evaluator.features(far, 0), "plan_points"
    )


def test_an_open_choice_of_discard_costs() -> None:
    """A started discard costs something, so that a bot does not start one for nothing."""
    s = table(hands=["g06 g07"])
    play(s, "discard")
    assert value(GAME.evaluator.features(s, 0), "discarding") == 1
    assert value(GAME.evaluator.features(s, 1), "discarding") == 0
    assert GAME.weights.values[FEATURES.index("discarding")] < 0


def test_steps_count_portals() -> None:
    """From Beersheba to the Sea of Galilee is one step by portal, and from Hebron it is two steps."""
    s = table()
    steps_to = TripPlan(s, 0, build_sides(s, 0)[0], 0, [0] * s.c.symbol_kinds).count_steps
    places = {name: s.c.place_ids.index(name) for name in ("beersheba", "hebron", "sea_of_galilee", "jerusalem")}
    assert steps_to(places["beersheba"], places["sea_of_galilee"]) == 1
    assert steps_to(places["hebron"], places["sea_of_galilee"]) == 2
    assert steps_to(places["hebron"], places["jerusalem"]) == 2
    assert card("g06") in s.unused
