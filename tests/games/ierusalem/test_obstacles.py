"""Tests of messages about impossible actions, also before a card is played that would do nothing."""

import pytest

from tests.games.ierusalem.table import ANA, BEN, CEM, DIA, play, table
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.actions.cards import refill_hand
from triclinium.games.ierusalem.rules.actions.perform import is_idle, perform_action
from triclinium.games.ierusalem.rules.constants import ACTIONS, GATHER
from triclinium.games.ierusalem.rules.events import IMPOSSIBLE
from triclinium.games.ierusalem.rules.impossible_actions import OBSTACLES
from triclinium.games.ierusalem.rules.state import Ierusalem

WORDS = GAME.words
NOBODY = (0, 0, 0)
NAMES = [f"{row}c{i}" for row in ("u1", "u2", "u3", "d1", "d2", "d3") for i in range(1, 9)]
EVERY = [*NAMES, "tl", "t4", "t5", "tr", "bl", "b4", "b5", "br"]
FULL = {seat: " ".join(EVERY[seat * 14 : seat * 14 + 14]) for seat in range(4)}  # IE-R36
OUT = {ANA: (1, 0, 0), BEN: (1, 0, 0), CEM: (1, 0, 0), DIA: (1, 0, 0)}


def list_obstacle_lines(s: Ierusalem) -> list[str]:
    """Return the lines of the log about impossible actions."""
    found = [event for event in s.events or [] if event.type is IMPOSSIBLE]
    return WORDS.format_log(found, BEN, WORDS.reader("en", ("Ana", "Ben", "Cem", "Dia")))


CASES = [
    ("go_temple", table(denarii={ANA: 0}), "no money: no Follower is sent out", "IE-3.3"),
    ("go_temple", table(at=OUT, supper=FULL), "no Follower in the Camp: none is sent out", "IE-3.3"),
    (
        "go_temple",
        table(at={ANA: (3, 1, 1)}, denarii={ANA: 1}),
        "no square available: no Follower is sent out",
        "IE-3.3",
    ),
    ("call_follower", table(at=OUT, supper=FULL), "no Follower in the Camp: none is called", "IE-4.6"),
    ("call_follower", table(at={ANA: (3, 3, 3)}), "no empty square: no Follower is called", "IE-4.6"),
    ("go_supper", table(at={ANA: NOBODY}), "no Follower at a Location: none goes to the Last Supper", "IE-R19"),
    ("invited", table(at={ANA: NOBODY}), "no Follower at a Location: none goes to the Last Supper", "IE-R19"),
    ("invited", table(at=OUT, supper=FULL), "no empty space: no Follower goes to the Last Supper", "IE-R36"),
    ("go_supper", table(goods={ANA: (1, 0, 0)}), "too few goods: no Follower goes to the Last Supper", "IE-R28"),
    ("change_places", table(at=OUT, supper=FULL), "no empty space: no Follower changes places", "IE-R36"),
    (
        "parable",
        table(parables={ANA: 1}),
        "too few Followers at the Last Supper: no Parable is heard",
        "IE-4.1",
    ),
    ("parable", table(parables={ANA: 7}), "all Parables are heard", "IE-4.1"),
    ("favor", table(favors={ANA: 8}), "no marker left: no Favor is done", "IE-R17"),
    (
        "go_market",
        table(goods={ANA: NOBODY}, denarii={ANA: 0}),
        "no money and no goods: nothing is traded",
        "IE-3.1",
    ),
    (
        "go_market",
        table(goods={ANA: NOBODY}, denarii={ANA: 1}, display="", empty_decks=True),
        "no Mahane card is left: none is drawn",
        "IE-R14",
    ),
    ("draw_mahane", table(display="", empty_decks=True), "no Mahane card is left: none is drawn", "IE-R14"),
    ("draw_xxxiii", table(empty_decks=True), "no XXXIII A.D. card is left: none is drawn", "IE-R14"),
    ("desert", table(at={ANA: (0, 1, 1)}), "no Follower at this Location: nothing is gathered", "IE-3.2"),
    ("meeting", table(marker=24), "the marker is on its last space and moves no further", "IE-R10"),
]


@pytest.mark.parametrize(("action", "s", "line", "rule"), CASES, ids=[f"{case[0]}-{case[3]}" for case in CASES])
def test_an_impossible_action_is_logged(action: str, s: Ierusalem, line: str, rule: str) -> None:
    """An impossible action adds a line to the log that cites the rule. Nothing else happens."""
    before = s.state_key()
    s.events = []
    step = perform_action(s, ANA, GATHER if action == "desert" else ACTIONS.index(action))
    assert list_obstacle_lines(s) == [f"Ana: {line}."]
    assert s.events[0].rule == rule
    assert s.state_key() == before
    assert step is None or not step.applies(s) or len(step.options(s)) == 1
    assert OBSTACLES[s.events[0].facts[0]].number == rule


def test_a_possible_action_is_not_called_impossible() -> None:
    """With all resources there is no such line for any action."""
    for action in range(len(ACTIONS)):
        s = table(goods={ANA: (3, 3, 3)}, denarii={ANA: 9})
        s.events = []
        perform_action(s, ANA, action)
        assert list_obstacle_lines(s) == []


def test_a_favor_without_a_card_is_logged() -> None:
    """IE-R14, IE-R17  The giver draws nothing and the receiver cannot call, and the log says both."""
    s = table(hands={ANA: "r05 r02"}, empty_decks=True, at={BEN: (3, 3, 3), ANA: (2, 1, 1)})
    calls = next(i for i, benefit in enumerate(GAME.components.marker_benefit) if benefit[0][0] == 7)
    s.events = []
    play(s, "play r05", "column 1", f"favor {GAME.components.marker_ids[calls]}", "to 1")
    assert list_obstacle_lines(s)[:2] == [
        "Ben: no empty square: no Follower is called.",
        "Ana: no XXXIII A.D. card is left: none is drawn.",
    ]


def test_a_hand_that_cannot_be_refilled_is_logged() -> None:
    """IE-2.17, IE-R13  With nine cards on the board and one in hand, deck and discards are empty."""
    s = table(hands={ANA: "r10"}, columns={ANA: ["r01 r02 r03 r04 r05 r06 r07 r08"]}, discards={ANA: "r09"})
    s.events = []
    refill_hand(s, ANA)
    assert list_obstacle_lines(s) == ["Ana: own deck and discard pile are empty: no more cards are drawn."]
    assert len(s.hand[ANA]) == 2


def test_a_purple_apostle_who_can_invite_nobody_is_logged() -> None:
    """IE-2.10, IE-R19  The log says that a purple Apostle can invite nobody."""
    s = table(columns={ANA: ["r05 r08 r10"]}, hands={ANA: "r04 r02"}, at={ANA: NOBODY})
    s.events = []
    play(s, "play r04", "column 2", "visit 1 3", "bring purple", "seat s01")
    assert list_obstacle_lines(s)[-1] == "Ana: no Follower at a Location: none goes to the Last Supper."


def test_a_card_without_effect_has_a_warning() -> None:
    """The cards r09 and r10 warn about Temple, Favor, Meeting and Supper, only in the owner's view."""
    s = table(hands={ANA: "r03 r10"}, denarii={ANA: 0}, at={ANA: NOBODY}, parables={ANA: 1})
    card = GAME.components.card_ids.index
    assert is_idle(s, ANA, card("r10"))
    assert is_idle(s, ANA, card("r03"))
    assert WORDS.reader().read(WORDS.label(s, GAME.read("play r10"))).endswith(": none of it can be done now")
    assert GAME.view(s, ANA).players[ANA].idle == [card("r03"), card("r10")]
    assert GAME.view(s, BEN).players[ANA].idle is None
    s.denarii[ANA] = 1
    assert not is_idle(s, ANA, card("r10"))
    assert not WORDS.reader().read(WORDS.label(s, GAME.read("play r10"))).endswith("now")
