"""Tables in the middle of a match, built from named parts."""

from collections.abc import Mapping, Sequence

from tests.harness import Harness
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import NOBODY, Step
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.components import OFF
from triclinium.games.missionnaires.rules.state import ALL, Missionnaires
from triclinium.games.missionnaires.rules.table_rules import FULL
from triclinium.games.missionnaires.rules.turn import NextTurn, begin_coup

C = GAME.components
HARNESS = Harness(GAME)
play = HARNESS.play
refused = HARNESS.refused
options = HARNESS.options

FAR = ("jer", "cai", "ank", "lms")  # a card for each seat without a named hand


def table(
    seats: int = 3,
    at: Sequence[str] = (),  # the default is the Bethel
    hands: Mapping[int, Sequence[str]] | None = None,  # towns of each seat's unvisited cards
    visited: Mapping[int, Sequence[str]] | None = None,
    periodicals: Sequence[int] = (),
    bons: Mapping[int, Sequence[str]] | None = None,
    missed: Sequence[int] = (),
    gendarmes: Mapping[str, str] | None = None,  # the others are at home
    overseers: Mapping[str, str | int] | None = None,  # a space, or the seat that the overseer accompanies
    territory: Sequence[str] = (),  # the top cards, in the order of drawing
    sea: Sequence[str] = (),
    reserve: Sequence[str] = (),
    sailed: Mapping[int, str] | None = None,
    turn: int = 0,
    round_: int = 1,
    seed: int = 1,
    variants: Mapping[str, object] | None = None,
) -> Missionnaires:
    """Return a table where seat ``turn`` begins a coup and seat 0 is the leader.

    Decks and reserve have the other cards.
    """
    s = GAME.deal(seats, seed, variants or {})
    assert isinstance(s, Missionnaires)
    s.at = [space(at[seat]) if seat < len(at) else C.bethel for seat in range(seats)]
    s.periodicals = [periodicals[seat] if seat < len(periodicals) else C.periodicals_start for seat in range(seats)]
    s.missed = [missed[seat] if seat < len(missed) else 0 for seat in range(seats)]
    for gendarme, town in (gendarmes or {}).items():
        s.gendarmes[C.gendarmes.index(gendarme)] = space(town)
    for overseer, where in (overseers or {}).items():
        x = C.overseers.index(overseer)
        s.escort[x] = where if isinstance(where, int) else NOBODY
        s.overseer_space[x] = OFF if isinstance(where, int) else space(where)
    for seat, port in (sailed or {}).items():
        s.sailed_from = replace_item(s.sailed_from, seat, space(port))
    put_congregations(s, hands or {}, visited or {}, reserve)
    s.bons = tuple(
        tuple(sorted(C.card_ids.index(card) for card in (bons or {}).get(seat, ()))) for seat in range(seats)
    )
    held = {card for cards in s.bons for card in cards}
    s.deck = make_deck(territory, [card for card in range(C.territories) if card not in held])
    s.sea_deck = make_deck(sea, [card for card in range(C.territories, len(C.card_ids)) if card not in held])
    s.first = 0
    s.turn = turn
    s.round = round_
    s.turns = [round_] * seats
    s.stack = [NextTurn(NOBODY)]
    begin_coup(s, turn, 1)
    s.advance()
    return s


def put_congregations(
    s: Missionnaires,
    hands: Mapping[int, Sequence[str]],
    visited: Mapping[int, Sequence[str]],
    reserve: Sequence[str],
) -> None:
    """Put the named cards in their places, and the rest in the reserve under the cards named there."""
    named = {town for towns in (*hands.values(), *visited.values(), reserve) for town in towns}
    for seat in range(s.seats):
        spare = [] if FAR[seat] in named else [FAR[seat]]
        s.hand = replace_item(s.hand, seat, tuple(card(town) for town in hands.get(seat, spare)))
        seen = ALL if s.v.open_hands else 1 << seat
        s.hand_seen = replace_item(s.hand_seen, seat, (seen,) * len(s.hand[seat]))
        s.hand_ruled_out = replace_item(s.hand_ruled_out, seat, (0,) * len(s.hand[seat]))
        s.visited[seat] = sum(1 << card(town) for town in visited.get(seat, ()))
    used = {held for cards in s.hand for held in cards} | {card(town) for towns in visited.values() for town in towns}
    full = s.v.deal == FULL and not reserve
    rest = [] if full else [k for k in range(len(C.congregations)) if k not in used]
    s.reserve = tuple(pile_of([card(town) for town in reserve], rest))
    s.reserve_seen = (0,) * len(s.reserve)
    s.reserve_ruled_out = (0,) * len(s.reserve)


def make_deck(top: Sequence[str], cards: list[int]) -> list[int]:
    """Return a deck with these cards on top. The top card is last."""
    return pile_of([C.card_ids.index(name) for name in top], cards)


def pile_of(top: list[int], cards: list[int]) -> list[int]:
    return [other for other in cards if other not in top] + top[::-1]


def space(town: str) -> int:
    return C.ids.index(town)


def card(town: str) -> int:
    """Return the congregation card of a town."""
    return C.card_of[space(town)]


def get_asked_step(s: Missionnaires) -> Step[Missionnaires]:
    """Return the step that waits for an answer."""
    return s.asked


def question(s: Missionnaires) -> str:
    """Return the name of the step that waits, or ""."""
    return "" if s.over else type(s.asked).__name__


def find_pawn(s: Missionnaires, seat: int) -> str:
    return "off" if s.at[seat] == OFF else C.ids[s.at[seat]]


def guard(s: Missionnaires, gendarme: str) -> str:
    """Return the space of a gendarme."""
    return C.ids[s.gendarmes[C.gendarmes.index(gendarme)]]


def overseer(s: Missionnaires, name: str) -> str | int:
    """Return the space of an overseer, or the seat that he accompanies, or ``off`` if he is not on the board."""
    x = C.overseers.index(name)
    if s.escort[x] != NOBODY:
        return s.escort[x]
    return "off" if s.overseer_space[x] == OFF else C.ids[s.overseer_space[x]]


def hand(s: Missionnaires, seat: int) -> list[str]:
    """Return the towns that a seat still has to visit."""
    return [C.ids[C.congregation_at[held]] for held in s.hand[seat]]


def list_visited(s: Missionnaires, seat: int) -> list[str]:
    return [C.ids[C.congregation_at[k]] for k in range(len(C.congregations)) if (s.visited[seat] >> k) & 1]


def bons(s: Missionnaires, seat: int) -> list[str]:
    return [C.card_ids[held] for held in s.bons[seat]]
