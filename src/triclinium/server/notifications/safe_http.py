"""Posting to addresses that strangers supply: by HTTPS, to public machines only, without redirects, in short time.

The name is resolved once, and the connection goes to what was found and judged: a name that changes its mind between
the look and the call leads nowhere else.
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
MAX_URL_LENGTH = 2000  # letters of an address
GLOBAL_UNICAST = IPv6Network("2000::/3")  # all that is given out to anybody
NAT64_PREFIX = IPv6Network("64:ff9b::/96")  # the last four bytes are an address of the older kind
_guard = threading.local()


class Unreachable(Exception):
    """Why somebody could not be told, in words of the machine that answered, or did not."""

    def __init__(self, reason: str, *, is_permanent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason[:200]
        self.is_permanent = is_permanent  # for good: nothing will ever be heard there again


def check_address(url: str, local: bool) -> tuple[str, int]:
    """The host and the port of an address that may be called; raises Unreachable. ``local``: this network may be."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise Unreachable("this is no address") from None
    schemes = ("https", "http") if local else ("https",)
    if parts.scheme not in schemes or not parts.hostname or "@" in parts.netloc or len(url) > MAX_URL_LENGTH:
        raise Unreachable("only an address that begins with https:// is called")
    return parts.hostname, port


def resolve_host(host: str, port: int, local: bool) -> tuple[str, int]:
    """The first machine of this name; raises Unreachable where any of them is not public."""
    try:
        address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(f"there is no machine called {host}") from None
    addresses = [str(info[4][0]) for info in address_infos]
    if not local and not all(is_public_address(address) for address in addresses):
        raise Unreachable("this address leads into a private network")
    return addresses[0], port


def is_public_address(address: str) -> bool:
    """Whether anybody on the internet could call this machine, and nobody else is meant."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = ip if isinstance(ip, IPv4Address) else _unwrap_address(ip)
    return inner is not None and inner.is_global and not inner.is_multicast


def _unwrap_address(ip: IPv6Address) -> IPv4Address | IPv6Address | None:
    """The machine that is meant in truth: some addresses carry one of the older kind. None: nobody's, or a tunnel."""
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    if ip in NAT64_PREFIX:
        return IPv4Address(ip.packed[-4:])
    return ip if ip in GLOBAL_UNICAST and ip.sixtofour is None and ip.teredo is None else None


@contextmanager
def allow_public_only() -> Iterator[None]:
    """Until the end of the block this thread reaches public machines only.

    For packages that look names up themselves: what counts is where they connect, whatever a name, a redirect or a part
    of the address said before.
    """
    _install_audit_hook()
    _guard.on = True
    try:
        yield
    finally:
        _guard.on = False


@cache
def _install_audit_hook() -> None:
    """Once, and only in a house that needs it: a hook stays for as long as the process."""
    sys.addaudithook(_refuse_private_address)


def _refuse_private_address(event: str, args: tuple[object, ...]) -> None:
    if event in ("socket.connect", "socket.sendto") and getattr(_guard, "on", False):
        address = args[1]
        if not isinstance(address, tuple) or not is_public_address(str(address[0])):
            raise PermissionError("this address leads into a private network")


def post_safely(url: str, body: bytes, headers: Mapping[str, str], *, local: bool = False) -> int:
    """Post, and tell the status; what else is answered is dropped. Raises Unreachable."""
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
