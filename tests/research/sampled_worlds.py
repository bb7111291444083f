"""Moments of random matches, and faulty observers, for the tests of observations."""

from collections.abc import Callable
from functools import lru_cache

from kuhn.game import GAME as KUHN
from tests.matches import list_our_games
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.engine.game import Game
from triclinium.games.evangelists.rules.state import PUBLIC, Evangelists
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.missionnaires.rules.state import ALL, Missionnaires
from triclinium.games.portals.rules.state import Portals
from triclinium.testing.sample import dump_view

GAMES: list[Game] = [*list_our_games(), KUHN]
MOMENTS = 8  # number of moments from a match


def list_viewers(s: State) -> list[Seat]:
    return [NOBODY, *range(s.seats)]


def list_seats(game: Game) -> list[int]:
    """Return the fewest and the most seats."""
    return sorted({game.seats[0], game.seats[-1]})


@lru_cache(64)
def list_positions(game: Game, seats: int, seed: int) -> list[State]:
    """Return every position of a random match except its end."""
    s, rng = game.deal(seats, seed), Rng(seed)
    found: list[State] = []
    while not s.over:
        found.append(s.clone())
        s.choose(rng.pick(s.legal))
    return found


def sample_moments(game: Game, seats: int, seed: int, count: int = MOMENTS) -> list[State]:
    """Return about this many positions of a random match, which callers must not change."""
    found = list_positions(game, seats, seed)
    return found[:: max(1, len(found) // count)]


def has_same_view(game: Game, s: State, t: State, seat: Seat) -> bool:
    return dump_view(game, s, seat) == dump_view(game, t, seat)


def _evangelists(s: State) -> None:
    assert isinstance(s, Evangelists)
    s.seen = [PUBLIC] * len(s.seen)


def _portals(s: State) -> None:
    assert isinstance(s, Portals)
    s.known_in_hand = [(1 << len(hand)) - 1 for hand in s.hands]


def _missionnaires(s: State) -> None:
    assert isinstance(s, Missionnaires)
    s.hand_seen = tuple(tuple(ALL for _ in hand) for hand in s.hand)


def _ierusalem(s: State) -> None:
    assert isinstance(s, Ierusalem)
    s.known_cards = [(1 << 40) - 1] * s.seats


# Each shows every face to everyone, as an observer does that ignores the viewer.
SHOW_ALL: dict[str, Callable[[State], None]] = {
    "evangelists": _evangelists,
    "portals": _portals,
    "missionnaires": _missionnaires,
    "ierusalem": _ierusalem,
}
