"""Client addresses: the network and the site from which a request comes. Rate limits count by them."""

from collections import Counter
from contextvars import ContextVar
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from starlette.types import Scope

CALLER_SITE: ContextVar[str] = ContextVar("caller", default="")  # site of the request that is being answered
SITE_FACTOR = 8  # a site (a /48 of IPv6) has this many times the limit of one of its networks
NO_ADDRESS = "nowhere"  # client of a local socket, which has no address


@lru_cache(20_000)
def get_network(host: str) -> str:
    """Return the network of an address: an IPv4 address itself, or the /64 of an IPv6 address.

    One client usually has all addresses of a /64.
    """
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
    """Return the site of a network: the /48 of an IPv6 network, otherwise the network itself.

    One client may have all networks of a /48.
    """
    if not network.endswith("/64"):
        return network
    return f"{IPv6Address(int(IPv6Address(network.removesuffix('/64'))) >> 80 << 80)}/48"


class NetworkCounter:
    """A counter of things that networks hold open, such as connections.

    Each network has a limit, and each site a higher one.
    """

    def __init__(self, limit: int) -> None:
        """Set the limit for each network; 0 allows any number."""
        self._limit = limit
        self._open: Counter[str] = Counter()  # by network, and by site

    def __getitem__(self, network: str) -> int:
        return self._open[network]

    def has_room(self, network: str) -> bool:
        """Return whether the network may hold one more thing open."""
        own_site = get_site(network)
        full = self._open[network] >= self._limit or (
            own_site != network and self._open[own_site] >= self._limit * SITE_FACTOR
        )
        return not (self._limit and full)

    def add(self, network: str) -> None:
        """Count one more open thing for a network."""
        for key in {network, get_site(network)}:
            self._open[key] += 1

    def remove(self, network: str) -> None:
        """Count one open thing less for a network."""
        for key in {network, get_site(network)}:
            self._open[key] -= 1
            if self._open[key] <= 0:
                del self._open[key]


def get_client_network(scope: Scope) -> str:
    """Return the network of the client. Behind a trusted proxy, the client is the one that the proxy names."""
    client = scope.get("client")
    return get_network(client[0]) if client else NO_ADDRESS
