"""A builder of states with named parts, and the helpers of scenario tests."""

from collections.abc import Mapping, Sequence

from tests.harness import Harness
from triclinium.engine.core.rng import Rng
from triclinium.games.portals.game import GAME
from triclinium.games.portals.rules.components import GENESIS, NEW, NONE, OLD
from triclinium.games.portals.rules.setup import build_table_rules, make_empty_table
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.rules.turn import begin_turn

C = GAME.components
HARNESS = Harness(GAME)
play = HARNESS.play
refused = HARNESS.refused
options = HARNESS.options

FAR_APART = ("susa", "haran", "red_sea", "caesarea", "elah")


def card(name: str) -> int:
    return C.card_ids.index(name.upper())


def cards(text: str) -> list[int]:
    """Return ``"g03 o21"`` as cards."""
    return [card(name) for name in text.split()]


def place(name: str) -> int:
    return C.place_ids.index(name)


def table(
    seats: int = 3,
    pawns: Sequence[str] = (),
    hands: Sequence[str] = (),
    played: Sequence[str] = (),
    row: str | None = None,
    old: str | None = None,
    new: str | None = None,
    gone: str = "",
    capsule: str = "genesis",
    round_: int | None = None,
    gauge: int = 0,
    who: int = 0,
    first: int = 0,
    actions: int = 4,
    portals: Sequence[str] = ("beersheba", "shiloh", "sea_of_galilee"),
    variants: Mapping[str, object] | None = None,
) -> Portals:
    """Return a match in a seat's turn. Unnamed cards are in the decks, unnamed pawns far apart."""
    s = make_empty_table(C, seats, Rng(1), build_table_rules(C, GAME.complete_variants(variants or {})), GAME.version)
    s.first = first
    s.capsule = C.space_ids.index(capsule)
    s.round = s.capsule + 1 if round_ is None else round_
    s.gauge = gauge
    s.portals = sum(1 << place(name) for name in portals)
    s.pawns = [place(pawns[i] if i < len(pawns) else FAR_APART[i]) for i in range(seats)]
    used = cards(gone)
    s.gone = cards(gone)
    for i, text in enumerate(hands):
        s.hands[i] = tuple(cards(text))
        used += s.hands[i]
    for i, text in enumerate(played):
        for number in cards(text):
            put_played_event(s, i, number)
            used.append(number)
    fixed = cards(" ".join(text for text in (row, old, new) if text))
    free = [number for number in range(C.cards) if number not in used and number not in fixed]
    rest = [[number for number in free if C.deck[number] == deck] for deck in (GENESIS, OLD, NEW)]
    s.unused = rest[GENESIS]
    laid = cards(row) if row is not None else [rest[OLD].pop() for _ in range(5)]
    s.row = laid + [NONE] * (5 - len(laid))
    s.old = cards(old) if old is not None else rest[OLD]
    s.new = cards(new) if new is not None else rest[NEW]
    if old is not None:
        s.gone += rest[OLD]
    if new is not None:
        s.gone += rest[NEW]
    begin_turn(s, who)
    s.actions = actions
    s.advance()
    return s


def put_played_event(s: Portals, who: int, number: int) -> None:
    """Put a played event in front of a seat."""
    s.played[who] = (*s.played[who], number)
    s.points[who] += C.points[number]
    s.regions[who] += C.region_unit[number]
    s.symbols[who] += C.symbol_unit[number]
    s.new_played[who] += C.deck[number] == NEW


def hand(s: Portals, who: int) -> str:
    """Return a hand in notation, in the order in which the cards came."""
    return " ".join(C.card_ids[number].lower() for number in s.hands[who])


def list_names(s: Portals, verb: str) -> list[str]:
    """Return the names in the options of this verb: places to move to, or cards to play."""
    return [text.partition(" ")[2] for text in options(s) if text.partition(" ")[0] == verb]


def finish_round(s: Portals) -> None:
    """End turns until the next round, or until the match is over."""
    now = s.round
    while not s.over and s.round == now:
        play(s, "end")


def totals(s: Portals) -> list[int]:
    return [score.points for score in GAME.scores(s)]


def line(s: Portals, who: int, name: str) -> int:
    return GAME.scores(s)[who].line_points(name)
