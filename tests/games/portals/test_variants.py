"""Tests of the simplified variant (PP-12) and of both variants together."""

import pytest

from tests.games.portals.table import finish_round, list_names, options, play, refused, table
from triclinium.games.portals import GAME
from triclinium.games.portals.rules.refusals import NEW_TOO_EARLY, WRONG_PLACE


def test_simplified_plays_any_period_at_the_right_place() -> None:
    """PP-12.2  In the simplified variant only the place counts, not the capsule. A play still needs an action."""
    s = table(pawns=["jerusalem"], hands=["n14 o30 g07 g06"], variants={"simplified": True})
    assert list_names(s, "play") == ["g07", "o30", "n14"]
    refused(s, "play g06", WRONG_PLACE)
    play(s, "play n14", "play o30", "play g07")
    assert (s.points[0], s.actions) == (13, 1)


def test_simplified_turns_end_by_themselves() -> None:
    """PP-12.2, PP-R24  Nothing can be burnt, so the fourth action ends the turn."""
    s = table(hands=["g03 g06"], variants={"simplified": True}, actions=1)
    play(s, "draw old")
    assert s.who == 1


def test_the_simplified_variant_is_named() -> None:
    """PP-12.2, PP-R27  Rules and refusals use the rulebook's name."""
    names = {one.name: one.label for one in GAME.variants if one.name.startswith("simplified")}
    said = {lang: [GAME.words.reader(lang).format_arg(names[one]) for one in sorted(names)] for lang in ("en", "fr")}
    assert all(text.startswith("Simplified game") for text in said["en"])
    assert all(text.startswith("Partie simplifiée") for text in said["fr"])
    assert len(names) == 2


def test_capsule_counts_the_rounds() -> None:
    """PP-12.3  In the simplified variant too, the capsule moves one space each round."""
    s = table(variants={"simplified": True})
    finish_round(s)
    assert s.capsule == 1


def test_both_variants_together() -> None:
    """PP-12.4  Both variants together have four seats in two teams, 13 rounds and no fuel."""
    s = table(4, hands=["g03"], variants={"simplified": True, "team": True})
    assert list_names(s, "burn") == []
    rounds = 0
    while not s.over:
        finish_round(s)
        rounds += 1
    assert rounds == 13
    assert [score.rank for score in GAME.scores(s)] == [1, 1, 1, 1]


@pytest.mark.parametrize("variants", [{"range": "centuries"}, {"fuel_cards": "two_per_turn"}, {"stall_rounds": 1}])
def test_some_variants_have_no_effect_on_the_simplified_variant(variants: dict[str, object]) -> None:
    """PP-12.2, PP-R27  Range, fuel and the ends of long matches have no effect in the simplified variant."""
    simplified: dict[str, object] = {"simplified": True}
    for capsule in ("genesis", "11", "nt"):
        hands = ["n14 o30 g07 g03"]
        plain = table(pawns=["jerusalem"], hands=hands, capsule=capsule, variants=simplified)
        chosen = table(pawns=["jerusalem"], hands=hands, capsule=capsule, variants=simplified | variants)
        assert options(plain) == options(chosen)
        assert GAME.view(plain, None).last_round == GAME.view(chosen, None).last_round


def test_the_new_testament_deck_opens_by_the_counting_capsule() -> None:
    """PP-R9, PP-12.3  Open decks do not depend on range."""
    late = {"simplified": True, "nt_draw": "from_5th"}
    refused(table(capsule="6", variants=late), "draw new", NEW_TOO_EARLY)
    assert list_names(table(capsule="5", variants=late), "draw") == ["old", "new"]
