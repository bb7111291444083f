"""Rate limits. They allow a family behind one address, and stop floods.

Every limit is a token bucket. Its key is the network of the request, or a person or seat that the server knows, so that
a sender cannot invent keys.
"""

import time
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

from starlette.types import Scope

from triclinium.engine.core.text import msgid
from triclinium.server.errors import LimitExceeded
from triclinium.server.net.client_address import SITE_FACTOR, get_site

TOO_MANY_REQUESTS = msgid("Too many requests. Please wait a moment.")

# Cost of a request in milliseconds of processor time, rounded up, by the path of pages and of the API.
SERVER_COSTS: Mapping[str, float] = {
    "static": 1,
    "": 6,
    "new": 6,
    "tables": 6,
    "evening": 8,
    "evenings": 8,
    "rules": 8,
    "play": 15,
    "records": 60,  # an uploaded record is replayed
}
TABLE_COSTS: Mapping[str, float] = {
    "": 10,
    "move": 2,
    "events": 2,
    "positions": 25,  # an earlier position may be replayed from the deal
    "view": 10,
    "preview": 8,
    "undo": 25,
    "request-undo": 25,
    "review": 15,
    "continue": 60,
    "rematch": 15,
    "hint": 25,
}
OTHER_COST = 4.0


def get_request_cost(scope: Scope) -> float:
    """Return the expected cost of a request in milliseconds of processor time."""
    path_parts = scope["path"].removeprefix("/api/v1").split("/")
    if len(path_parts) > 2 and path_parts[1] in ("tables", "matches"):
        return TABLE_COSTS.get(path_parts[3] if len(path_parts) > 3 else "", OTHER_COST)
    if path_parts[1:] == ["tables"] and scope["method"] == "POST":
        return SERVER_COSTS["play"]
    return SERVER_COSTS.get(path_parts[1] if len(path_parts) > 1 else "", OTHER_COST)


@dataclass(slots=True)
class ThreadTime:
    """Processor time that a request has used in threads outside the event loop."""

    milliseconds: float = 0.0


THREAD_TIME: ContextVar[ThreadTime | None] = ContextVar("BILL", default=None)


@dataclass(eq=False)
class TokenBuckets:
    """A token bucket for each key: ``rate`` tokens a second, and at most ``depth`` at once."""

    MAX_KEYS = 20_000

    rate: float
    depth: float
    # Ordered by last use, the latest at the end.
    _levels: dict[str, tuple[float, float]] = field(default_factory=dict, init=False)

    def compute_wait(self, key: str, cost: float, now: float) -> float:
        """Return the seconds until a bucket has enough tokens for a cost."""
        return max(0.0, (cost - self._compute_level(key, now)) / self.rate)

    def take_tokens(self, key: str, cost: float, now: float) -> None:
        level = self._compute_level(key, now)
        self._levels.pop(key, None)
        # The debt is limited, so that no one is locked out for long.
        self._levels[key] = (max(level - cost, -self.depth), now)
        if len(self._levels) > self.MAX_KEYS:
            # Forget the least recently used key. Its next use starts with a full bucket.
            del self._levels[next(iter(self._levels))]

    def _compute_level(self, key: str, now: float) -> float:
        level, then = self._levels.get(key, (self.depth, now))
        return min(self.depth, level + (now - then) * self.rate)


class NetworkBuckets:
    """Token buckets for networks, and larger ones for the sites of IPv6."""

    def __init__(self, rate: float, depth: float) -> None:
        self._networks, self._sites = TokenBuckets(rate, depth), TokenBuckets(rate * SITE_FACTOR, depth * SITE_FACTOR)

    def compute_wait(self, network: str, cost: float, now: float) -> float:
        """Return the seconds until the network and its site have enough tokens for a cost."""
        own_site = get_site(network)
        site_seconds = 0.0 if own_site == network else self._sites.compute_wait(own_site, cost, now)
        return max(self._networks.compute_wait(network, cost, now), site_seconds)

    def take_tokens(self, network: str, cost: float, now: float) -> None:
        """Take tokens from the network and from its site."""
        self._networks.take_tokens(network, cost, now)
        if get_site(network) != network:
            self._sites.take_tokens(get_site(network), cost, now)


class RateLimit(NamedTuple):
    """Rates and burst sizes of an action: for one person or seat, and for one network."""

    per_caller: tuple[float, float]
    per_network: tuple[float, float]


ACTION_LIMITS: Mapping[str, RateLimit] = {
    "move": RateLimit((20.0, 60.0), (100.0, 400.0)),
    "post": RateLimit((10.0, 60.0), (40.0, 300.0)),
    "open": RateLimit((0.25, 15.0), (0.5, 30.0)),
    "chat": RateLimit((0.7, 10.0), (5.0, 60.0)),
    "listen": RateLimit((5.0, 60.0), (20.0, 300.0)),
    "hint": RateLimit((0.5, 10.0), (2.0, 40.0)),
    "come": RateLimit((1.0, 60.0), (1.0, 60.0)),  # creation of people, because the database stores each
    "phrase": RateLimit((1 / 6, 10.0), (1 / 6, 10.0)),  # attempts with recovery phrases, ten a minute
    "door": RateLimit((5 / 60, 5.0), (5 / 60, 5.0)),  # attempts with the site password
    "file": RateLimit((0.05, 3.0), (0.1, 5.0)),  # match files, which take seconds of processor time
    "guess": RateLimit((1.0, 30.0), (1.0, 60.0)),  # attempts with join codes and links
}


# Rate and burst size of all callers together, so that attackers cannot spread their guesses over many addresses.
TOTAL_LIMITS: Mapping[str, tuple[float, float]] = {
    "phrase": (1.0, 100.0),
    "door": (1.0, 100.0),
    "guess": (10.0, 1000.0),
}

SHARED_ACTIONS = ("open", "come", "phrase", "door", "guess")  # actions that fill the database or try secrets


def _divide_rate(action: str, rate: tuple[float, float], processes: int) -> tuple[float, float]:
    divisor = processes if action in SHARED_ACTIONS else 1
    return rate[0] / divisor, max(1.0, rate[1] / divisor)


class RateLimits:
    """Limits on how often callers may perform each action."""

    def __init__(self, is_enabled: bool, processes: int = 1) -> None:
        """Create the limits.

        The limits of `SHARED_ACTIONS` are divided among ``processes``, because each process counts for itself.
        """
        self.is_enabled = is_enabled
        self._per_caller = {
            action: TokenBuckets(*_divide_rate(action, rate.per_caller, processes))
            for action, rate in ACTION_LIMITS.items()
        }
        self._per_network = {
            action: NetworkBuckets(*_divide_rate(action, rate.per_network, processes))
            for action, rate in ACTION_LIMITS.items()
        }
        self._total = {
            action: TokenBuckets(*_divide_rate(action, rate, processes)) for action, rate in TOTAL_LIMITS.items()
        }

    def count_action(self, action: str, network: str, caller: str = "") -> None:
        """Count an action of a network, and of a person or seat if it is known.

        Raise `LimitExceeded` if a limit is reached; then the action is not counted.
        """
        if not self.is_enabled:
            return
        now = time.monotonic()
        buckets: list[tuple[TokenBuckets | NetworkBuckets, str]] = [(self._per_network[action], network)]
        if caller:
            buckets.append((self._per_caller[action], caller))
        if action in self._total:
            buckets.append((self._total[action], action))
        wait = max(each.compute_wait(key, 1.0, now) for each, key in buckets)
        if wait > 0.0:
            raise LimitExceeded(TOO_MANY_REQUESTS, retry_after=wait)
        for each, key in buckets:
            each.take_tokens(key, 1.0, now)
