"""POST requests to addresses that people supply: over HTTPS, only to public machines, without redirects, with timeouts.

The host name is resolved once, and the connection goes to the address that was checked. So a name cannot change its
address between the check and the connection.
"""

import http.client
import socket
import ssl
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

CONNECT_TIMEOUT = 3.0  # seconds
RESPONSE_TIMEOUT = 10.0
MAX_URL_LENGTH = 2000  # characters
GLOBAL_UNICAST = IPv6Network("2000::/3")  # all assigned public addresses
NAT64_PREFIX = IPv6Network("64:ff9b::/96")  # the last four bytes are an IPv4 address
_guard = threading.local()


class Unreachable(Exception):
    """Error for a message that could not be delivered, with the reason that the other machine gave."""

    def __init__(self, reason: str, *, is_permanent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason[:200]
        self.is_permanent = is_permanent  # no later try will succeed


def check_address(url: str, local: bool) -> tuple[str, int]:
    """Return the host and port of a URL. Raise `Unreachable` if it may not be called.

    ``local`` allows plain HTTP and machines in this network.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise Unreachable("this is not a valid address") from None
    schemes = ("https", "http") if local else ("https",)
    if parts.scheme not in schemes or not parts.hostname or "@" in parts.netloc or len(url) > MAX_URL_LENGTH:
        raise Unreachable("the address must begin with https://")
    return parts.hostname, port


def resolve_host(host: str, port: int, local: bool) -> tuple[str, int]:
    """Return the first address of a host and the port.

    Raise `Unreachable` if the name is unknown or, unless ``local``, if any of its addresses is not public.
    """
    try:
        address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(f"the host {host} does not exist") from None
    addresses = [str(info[4][0]) for info in address_infos]
    if not local and not all(is_public_address(address) for address in addresses):
        raise Unreachable("this address is in a private network")
    return addresses[0], port


def is_public_address(address: str) -> bool:
    """Return whether an address is a public one on the internet that belongs to a single machine."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = ip if isinstance(ip, IPv4Address) else _unwrap_address(ip)
    return inner is not None and inner.is_global and not inner.is_multicast


def _unwrap_address(ip: IPv6Address) -> IPv4Address | IPv6Address | None:
    """Return the address that an IPv6 address stands for, because some contain an IPv4 address.

    Return None if the address is not assigned, or belongs to a tunnel.
    """
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    if ip in NAT64_PREFIX:
        return IPv4Address(ip.packed[-4:])
    return ip if ip in GLOBAL_UNICAST and ip.sixtofour is None and ip.teredo is None else None


@contextmanager
def allow_public_only() -> Iterator[None]:
    """Allow this thread to connect only to public machines until the end of the block.

    This protects packages that resolve names themselves. The check happens when they connect, so neither a name nor a
    redirect can bypass it.
    """
    _install_audit_hook()
    _guard.on = True
    try:
        yield
    finally:
        _guard.on = False


@cache
def _install_audit_hook() -> None:
    """Install the audit hook once. Python cannot remove it, so only a server that needs it installs it."""
    sys.addaudithook(_refuse_private_address)


def _refuse_private_address(event: str, args: tuple[object, ...]) -> None:
    if event in ("socket.connect", "socket.sendto") and getattr(_guard, "on", False):
        address = args[1]
        if not isinstance(address, tuple) or not is_public_address(str(address[0])):
            raise PermissionError("this address is in a private network")


def post_safely(url: str, body: bytes, headers: Mapping[str, str], *, local: bool = False) -> int:
    """Send a POST request and return the status. Raise `Unreachable` if it fails. The rest of the answer is ignored."""
    host, port = check_address(url, local)
    parts = urlsplit(url)
    try:
        plain = socket.create_connection(resolve_host(host, port, local), CONNECT_TIMEOUT)
        with plain:
            plain.settimeout(RESPONSE_TIMEOUT)
            reached = plain
            if parts.scheme == "https":
                reached = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
            connection = http.client.HTTPConnection(host, port)
            connection.sock = reached
            path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
            connection.request("POST", path, body, {"host": parts.netloc, **headers})
            answer = connection.getresponse()
            answer.close()
            reached.close()
            return answer.status
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"{host} does not answer: {error}") from None
