"""How often somebody may do what. Generous to a family behind one address, closed to a flood.

There is one kind of limit, a bucket that fills again. Whose bucket it is, is never for the sender to invent: it is the
network that the request comes from, or a person or seat that the server knows.
"""

import time
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

from starlette.types import Scope

from triclinium.engine.core.text import msgid
from triclinium.server.errors import TooMuch
from triclinium.server.net.client_address import SITE, site

OFTEN = msgid("that was too often: wait a moment")

# What a request costs, in milliseconds of processor time, rounded up. The table's words are the same in pages and API.
SERVER: Mapping[str, float] = {
    "static": 1,
    "": 6,
    "new": 6,
    "tables": 6,
    "rules": 8,
    "play": 15,
    "record": 60,  # an upload is replayed
    "records": 60,
}
TABLE: Mapping[str, float] = {
    "": 10,
    "move": 2,
    "events": 2,
    "at": 25,  # a position of the past may be replayed from the deal
    "view": 10,
    "preview": 8,
    "undo": 25,
    "back": 25,
    "print": 15,
    "review": 15,
    "on": 60,
    "again": 15,
    "hint": 25,
}
OTHER = 4.0


def cost(scope: Scope) -> float:
    """What this request will cost the server."""
    words = scope["path"].removeprefix("/api/v1").split("/")
    if len(words) > 2 and words[1] in ("t", "tables", "m", "matches"):
        return TABLE.get(words[3] if len(words) > 3 else "", OTHER)
    if words[1:] == ["tables"] and scope["method"] == "POST":
        return SERVER["play"]
    return SERVER.get(words[1] if len(words) > 1 else "", OTHER)


@dataclass(slots=True)
class Bill:
    """What a request has cost beside the event loop so far."""

    milliseconds: float = 0.0


BILL: ContextVar[Bill | None] = ContextVar("BILL", default=None)


@dataclass(eq=False)
class Buckets:
    """A bucket for each key: so much a second for good, and so much at once after a rest."""

    KEPT = 20_000

    rate: float
    depth: float
    _left: dict[str, tuple[float, float]] = field(default_factory=dict, init=False)  # whoever came last is last

    def wait(self, key: str, cost: float, now: float) -> float:
        """How many seconds until so much can be taken."""
        return max(0.0, (cost - self._now(key, now)) / self.rate)

    def take(self, key: str, cost: float, now: float) -> None:
        left = self._now(key, now)
        self._left.pop(key, None)
        self._left[key] = (max(left - cost, -self.depth), now)  # nobody is shut out for long
        if len(self._left) > self.KEPT:
            del self._left[next(iter(self._left))]  # who came longest ago is given a full one when next here

    def _now(self, key: str, now: float) -> float:
        left, then = self._left.get(key, (self.depth, now))
        return min(self.depth, left + (now - then) * self.rate)


class NetworkBuckets:
    """A bucket for each network, and a larger one for each site of IPv6."""

    def __init__(self, rate: float, depth: float) -> None:
        self._networks, self._sites = Buckets(rate, depth), Buckets(rate * SITE, depth * SITE)

    def wait(self, network: str, cost: float, now: float) -> float:
        """Return the seconds until so much can be taken from both."""
        whole = site(network)
        of_site = 0.0 if whole == network else self._sites.wait(whole, cost, now)
        return max(self._networks.wait(network, cost, now), of_site)

    def take(self, network: str, cost: float, now: float) -> None:
        """Take so much from both."""
        self._networks.take(network, cost, now)
        if site(network) != network:
            self._sites.take(site(network), cost, now)


class Rate(NamedTuple):
    """So many a second and at once: of one person or seat, and of everybody behind one address."""

    one: tuple[float, float]
    address: tuple[float, float]


RATES: Mapping[str, Rate] = {
    "move": Rate((20.0, 60.0), (100.0, 400.0)),
    "post": Rate((10.0, 60.0), (40.0, 300.0)),
    "open": Rate((0.25, 15.0), (0.5, 30.0)),
    "chat": Rate((0.7, 10.0), (5.0, 60.0)),
    "listen": Rate((5.0, 60.0), (20.0, 300.0)),
    "hint": Rate((0.5, 10.0), (2.0, 40.0)),
    "come": Rate((1.0, 60.0), (1.0, 60.0)),  # newcomers, each of whom the server remembers
    "phrase": Rate((1 / 6, 10.0), (1 / 6, 10.0)),  # ten a minute: words that bring somebody back
    "door": Rate((5 / 60, 5.0), (5 / 60, 5.0)),  # the house password
    "guess": Rate((1.0, 30.0), (1.0, 60.0)),  # codes and links of which somebody tries one after the other
}


# So many a second and at once of all callers together, so that a thousand addresses cannot try what one cannot.
WHOLE: Mapping[str, tuple[float, float]] = {
    "phrase": (1.0, 100.0),
    "door": (1.0, 100.0),
    "guess": (10.0, 1000.0),
}

DIVIDED = ("open", "come", "phrase", "door", "guess")  # what fills the database, or lets somebody try secrets


def _share(what: str, rate: tuple[float, float], processes: int) -> tuple[float, float]:
    share = processes if what in DIVIDED else 1
    return rate[0] / share, max(1.0, rate[1] / share)


class Limits:
    """How often somebody may do what."""

    def __init__(self, on: bool, processes: int = 1) -> None:
        """``processes``: so many count for themselves; what they guard together is divided among them."""
        self.on = on
        self._one = {what: Buckets(*_share(what, rate.one, processes)) for what, rate in RATES.items()}
        self._address = {what: NetworkBuckets(*_share(what, rate.address, processes)) for what, rate in RATES.items()}
        self._whole = {what: Buckets(*_share(what, rate, processes)) for what, rate in WHOLE.items()}

    def count(self, what: str, address: str, one: str = "") -> None:
        """Count one of an address, and of the person or seat if it is known; raises TooMuch, and then counts none."""
        if not self.on:
            return
        now = time.monotonic()
        buckets: list[tuple[Buckets | NetworkBuckets, str]] = [(self._address[what], address)]
        if one:
            buckets.append((self._one[what], one))
        if what in self._whole:
            buckets.append((self._whole[what], what))
        wait = max(each.wait(key, 1.0, now) for each, key in buckets)
        if wait > 0.0:
            raise TooMuch(OFTEN, wait=wait)
        for each, key in buckets:
            each.take(key, 1.0, now)
