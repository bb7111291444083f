"""Parser for the addresses of the proxies in front of a server, as the command line takes them."""

from ipaddress import IPv4Network, IPv6Network, ip_network

from triclinium.engine.core.errors import BadSetup


def parse_proxies(text: str) -> list[IPv4Network | IPv6Network]:
    """Return the addresses or networks of a comma-separated list. Raise `BadSetup` for anything else."""
    try:
        return [ip_network(each.strip()) for each in text.split(",") if each.strip()]
    except ValueError:
        raise BadSetup(
            f"a proxy must be an address such as 127.0.0.1 or a network such as 10.0.0.0/8, not {text!r}"
        ) from None
