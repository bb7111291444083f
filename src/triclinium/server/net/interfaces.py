"""Network addresses of this machine, sorted by how likely others can reach them."""

import re
import sys
from functools import lru_cache
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from typing import NamedTuple

import ifaddr

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})

# Patterns for the name of an adapter; the first match counts. Windows uses sentences, other systems a few letters and a
# number.
ADAPTER_KINDS = (
    (
        "container",
        re.compile(r"docker|veth|br-|virbr|vmnet|vboxnet|lxc|podman|hyper-v|vethernet|virtual", re.IGNORECASE),
    ),
    ("tunnel", re.compile(r"tun|tap|wg|ppp|tailscale|zt|vpn|wireguard", re.IGNORECASE)),
    ("wifi", re.compile(r"wl|.*(wi-?fi|wireless|airport)", re.IGNORECASE)),
    ("cable", re.compile(r"en|eth|em\d", re.IGNORECASE)),
)
KIND_RANKS = {"wifi": 0, "cable": 0, "other": 1, "tunnel": 2, "container": 3}


class NetworkAddress(NamedTuple):
    """An address of this machine, with its network adapter."""

    host: str
    adapter: str
    kind: str  # wifi, cable, tunnel, container or other


def list_own_addresses() -> list[NetworkAddress]:
    """Return the IPv4 addresses at which other machines on the network may reach this one.

    Public addresses are left out, because opening the server to the local network must not open it to the internet.
    """
    addresses = [
        NetworkAddress(str(each.ip), adapter.nice_name, get_adapter_kind(adapter.nice_name))
        for adapter in ifaddr.get_adapters()
        if is_up(adapter.name)
        for each in adapter.ips
        if each.is_IPv4 and is_lan_address(IPv4Address(each.ip))
    ]
    return sorted(addresses, key=lambda address: KIND_RANKS[address.kind])


def get_adapter_kind(adapter: str) -> str:
    return next((kind for kind, name in ADAPTER_KINDS if name.match(adapter)), "other")


def is_lan_address(address: IPv4Address) -> bool:
    return not (address.is_global or address.is_loopback or address.is_link_local or address.is_unspecified)


def is_up(adapter: str) -> bool:
    """Return whether an adapter is up. Only Linux reports it; elsewhere every adapter with an address counts as up."""
    if not sys.platform.startswith("linux"):
        return True
    try:
        return Path(f"/sys/class/net/{adapter}/operstate").read_text().strip() != "down"
    except OSError:
        return True


@lru_cache(1000)
def is_loopback(host: str) -> bool:
    """Return whether the host of a client or a listening socket is this machine itself."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def strip_port(host: str) -> str:
    """Return a Host header in lower case, without its port."""
    name, colon, port = host.rpartition(":")
    return name.lower() if colon and port.isdigit() else host.lower()
