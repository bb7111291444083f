"""Tests of the displayed costs of the next coup (specification, section 8), compared with the rules."""

import pytest

from tests.games.missionnaires.table import C, play, space, table
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.actions.cards import Cancel
from triclinium.games.missionnaires.rules.actions.move import GoOn, Main
from triclinium.games.missionnaires.rules.actions.obstacles import Fee, Meet, PushTo
from triclinium.games.missionnaires.rules.components import BURN, PASS, SEA, STOP, Components
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.missionnaires.ui.coup_costs import CoupCosts, Fare

QUIET_TOWN = C.card_ids.index("t21")  # a card that moves nobody
QUIET_SEA = C.card_ids.index("m01")


def prices(s: Missionnaires) -> dict[int, Fare]:
    view = GAME.view(s, s.who)
    return CoupCosts(C, view, view.players[s.who]).ends


def list_end_spaces(s: Missionnaires) -> set[int]:
    """Return every space where the main move of the asked seat can end if no card comes between."""
    found: set[int] = set()
    begun = s.clone()
    begun.deck = [QUIET_TOWN] * 9
    begun.sea_deck = [QUIET_SEA] * 9
    todo = [begun]
    while todo:
        here = todo.pop()
        for o in here.options():
            if o == PASS or (o >= BURN and isinstance(here.asked, Main)):
                continue
            after = here.clone()
            after.choose(o)
            if o == STOP or after.over or not isinstance(after.asked, (GoOn, Meet, Fee, PushTo, Cancel)):
                found.add(after.at[s.who])
            else:
                todo.append(after)
    return found


@pytest.mark.parametrize("variants", [{}, {"share_spaces": True}])
def test_the_reach_of_the_next_coup_follows_the_rules(variants: dict[str, object]) -> None:
    """LM-3, LM-5, LM-6  In random matches exactly the reachable spaces are shown at the main action."""
    compared = 0
    for seed in range(6):
        s = GAME.deal(2 + seed % 3, seed, variants)
        assert isinstance(s, Missionnaires)
        rng = Rng(seed)
        while rollout(s, rng, 7) and not s.over and s.round < 60:
            if isinstance(s.asked, Main):
                assert set(prices(s)) == list_end_spaces(s)
                compared += 1
    assert compared > 100


def test_a_voucher_pays_for_a_push_without_periodicals() -> None:
    """LM-8.4  Without periodicals a BON pays for the push of a gendarme, and the tooltip says so."""
    s = table(at=["tls"], periodicals=[0], bons={0: ["t29"]})
    price = prices(s)[space("per")]
    assert (price.periodicals, price.bons) == (0, 1)
    assert (price.describe("en"), price.describe("fr")) == ("1 voucher", "1 BON")
    assert space("per") not in prices(table(at=["tls"], periodicals=[0]))


@pytest.mark.parametrize(("fee", "held", "paid"), [(2, 1, (0, 1)), (2, 2, (2, 0)), (0, 0, (0, 0))])
def test_a_voucher_pays_the_whole_fee_of_an_edition(fee: int, held: int, paid: tuple[int, int]) -> None:
    """LM-8.4  A voucher pays the whole fee of a push, whatever the fee of the edition is."""
    edited = Components(GAME.components_schema.printed)
    edited.push_fee = fee
    s = table(at=["tls"], periodicals=[held], bons={0: ["t29"]})
    view = GAME.view(s, s.who)
    price = CoupCosts(edited, view, view.players[s.who]).ends[space("per")]
    assert (price.periodicals, price.bons) == paid


def test_sea_cards_of_two_sections() -> None:
    """LM-R7  Two sections at sea need two sea cards, or one by the variant.

    With the district overseer they need none (LM-5.5).
    """
    assert prices(table(at=["mrs"]))[space("s08")].cards == 2
    assert prices(table(at=["mrs"], variants={"sea_card_per": "coup"}))[space("s08")].cards == 1
    assert prices(table(at=["mrs"], overseers={"d": 0}))[space("s08")].cards == 0


def test_a_gendarme_without_room_is_out_of_reach() -> None:
    """LM-6.4  Without room for a gendarme, neither his space nor the spaces behind it are reachable."""
    s = table(at=["s10", "mrs"], gendarmes={"g1": "nic"})
    assert space("nic") not in prices(s)


def test_after_a_bonus_move_no_ship_is_promised() -> None:
    """LM-5.2  After a bonus move by a voucher, no ship can be boarded in this coup, not even over a rival at sea."""
    for rival in ("rom", "s07"):
        s = table(at=["nim", rival], hands={0: ["rom"]}, bons={0: ["t32"]})
        play(s, "play t32", "go mrs", "stop")
        assert not [end for end in prices(s) if C.kind[end] == SEA]
        assert [end for end in prices(table(at=["mrs", rival])) if C.kind[end] == SEA]
