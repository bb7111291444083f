"""The network that a request comes from: limits and shares of work count by it."""

from collections import Counter
from contextvars import ContextVar
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from starlette.types import Scope

CALLER_SITE: ContextVar[str] = ContextVar("caller", default="")  # the site of the request that is being answered
SITE_FACTOR = 8  # a site (a /48 of IPv6) may do so many times as much as one of its networks
NO_ADDRESS = "nowhere"  # a caller without an address: a socket of this machine


@lru_cache(20_000)
def get_network(host: str) -> str:
    """The address, or of IPv6 its /64: whoever has one of these addresses has them all."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address)


@lru_cache(20_000)
def get_site(network: str) -> str:
    """Return the site of a network: of IPv6 its /48, of which a caller may own every /64; else the network itself."""
    if not network.endswith("/64"):
        return network
    return f"{IPv6Address(int(IPv6Address(network.removesuffix('/64'))) >> 80 << 80)}/48"


class NetworkCounter:
    """Things that networks hold open: each at most so many, and a site so many times as many."""

    def __init__(self, limit: int) -> None:
        """``limit``: 0 allows any number."""
        self._limit = limit
        self._open: Counter[str] = Counter()  # by network, and by site

    def __getitem__(self, network: str) -> int:
        return self._open[network]

    def has_room(self, network: str) -> bool:
        """Return whether the network may hold one more."""
        own_site = get_site(network)
        full = self._open[network] >= self._limit or (
            own_site != network and self._open[own_site] >= self._limit * SITE_FACTOR
        )
        return not (self._limit and full)

    def add(self, network: str) -> None:
        """Count one more."""
        for key in {network, get_site(network)}:
            self._open[key] += 1

    def remove(self, network: str) -> None:
        """Count one less."""
        for key in {network, get_site(network)}:
            self._open[key] -= 1
            if self._open[key] <= 0:
                del self._open[key]


def get_client_network(scope: Scope) -> str:
    """Where a request comes from; behind a proxy that is believed, where the proxy says it does."""
    client = scope.get("client")
    return get_network(client[0]) if client else NO_ADDRESS
