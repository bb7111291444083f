"""Reachability: the addresses of this server, the address in links, and tests that they work."""

import asyncio
import json
import shutil
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Protocol

from starlette.types import Scope

from triclinium.engine.core.text import Message, msgid
from triclinium.server import server_time
from triclinium.server.errors import Conflict, NotFound
from triclinium.server.net.interfaces import LOOPBACK_NAMES, NetworkAddress, is_loopback, list_own_addresses, strip_port

FRESH_SECONDS = 5.0  # seconds for which the list of addresses is cached, because a laptop changes networks
RETEST_SECONDS = 30.0  # seconds until a failed test of the public address is repeated
TEST_TIMEOUT = 6.0  # seconds for the server to answer at its public address
ALL_INTERFACES = ("0.0.0.0", "::", "")
MACHINE_NAME = socket.gethostname().lower()


class LanListenerProtocol(Protocol):
    """A listener for connections from the local network. Connections from this machine have another one."""

    @property
    def is_open(self) -> bool: ...
    async def open(self, hosts: list[str], port: int) -> None: ...
    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class RemoteVisit:
    """A visit from another machine."""

    host: str  # address of this server that the visitor used
    person: int | None
    visited_at: float


class Reachability:
    """Addresses at which others can reach this server."""

    def __init__(self, url: str = "", find_addresses: Callable[[], list[NetworkAddress]] = list_own_addresses) -> None:
        self.url = url  # public address of the server, if the owner set one
        self.listen_host = ""  # host at which the server was started; "": another program serves it
        self.port = 0
        self.lan_listener: LanListenerProtocol | None = None
        self.chosen_host = ""  # host that the owner chose for links
        self.last_visit: RemoteVisit | None = None
        self.public_problem: Message | None = None  # reason why the public address does not lead to this server
        self._tested_at = 0.0  # time of the last test of the public address; 0: never
        self._find_addresses = find_addresses
        self._cached_addresses: tuple[float, list[NetworkAddress]] = (-FRESH_SECONDS, [])

    def set_listening(self, host: str, port: int, lan_listener: LanListenerProtocol | None = None) -> None:
        """Store the address at which the server listens. ``lan_listener`` can open it to the local network."""
        self.listen_host, self.port, self.lan_listener = host, port, lan_listener

    # -- status -----------------------------------------------------------------------------------------------------

    def list_addresses(self) -> list[NetworkAddress]:
        """Return the addresses that others on the network can use.

        These are all addresses of this machine, or the only one at which the server listens.
        """
        addresses = self._list_own_addresses()
        if self.listen_host and self.listen_host not in ALL_INTERFACES and not is_loopback(self.listen_host):
            return [each for each in addresses if each.host == self.listen_host] or [
                NetworkAddress(self.listen_host, "", "other")
            ]
        return addresses

    def _list_own_addresses(self) -> list[NetworkAddress]:
        listed_at, addresses = self._cached_addresses
        if time.monotonic() - listed_at >= FRESH_SECONDS:
            addresses = self._find_addresses()
            self._cached_addresses = (time.monotonic(), addresses)
        return addresses

    @property
    def is_open_to_others(self) -> bool:
        """Return whether other machines can connect at all."""
        return (
            bool(self.url)
            or not is_loopback(self.listen_host)
            or (self.lan_listener is not None and self.lan_listener.is_open)
        )

    @property
    def can_open_network(self) -> bool:
        """Return whether the owner can open the server to the local network and close it again."""
        return self.lan_listener is not None and is_loopback(self.listen_host) and not self.url

    @property
    def status(self) -> str:
        """Return ``alone``, ``nowhere``, ``open``, ``proven`` or ``public``, which the waiting room shows."""
        if self.url:
            return "public"
        if not self.list_addresses():
            return "nowhere"
        if not self.is_open_to_others:
            return "alone"
        return "open" if self.last_visit is None else "proven"

    def is_own_name(self, name: str) -> bool:
        """Return whether a host name means this machine.

        Other names are refused to prevent DNS rebinding, where a foreign site points its own name at this server.
        """
        is_fixed_name = name in LOOPBACK_NAMES or name in (MACHINE_NAME, f"{MACHINE_NAME}.local")
        return is_fixed_name or any(each.host == name for each in self._list_own_addresses())

    def list_link_hosts(self) -> list[str]:
        """Return the hosts that links may contain, the default first."""
        return [
            *(each.host for each in self.list_addresses()),
            f"{MACHINE_NAME.removesuffix('.local')}.local",
            "localhost",
        ]

    def get_link_origin(self, scheme: str, host: str) -> str:
        """Return the origin of links that are sent to others. ``host`` is the trusted Host header of the reader."""
        if self.url:
            return self.url
        if self.chosen_host and self.chosen_host in self.list_link_hosts():
            return f"http://{self.chosen_host}:{self.port}"
        addresses = (
            self.list_addresses() if strip_port(host) in LOOPBACK_NAMES and self.is_open_to_others and self.port else []
        )
        return f"http://{addresses[0].host}:{self.port}" if addresses else f"{scheme}://{host}"

    def get_default_origin(self) -> str:
        """Return the origin of links in notifications, which no page request caused."""
        return self.get_link_origin("http", f"localhost:{self.port}" if self.port else "localhost")

    def is_loopback_origin(self, origin: str) -> bool:
        """Return whether an origin means the reader's own device, so that a link would fail on a phone."""
        return strip_port(origin.partition("://")[2]) in LOOPBACK_NAMES

    # -- changes by the owner ---------------------------------------------------------------------------------------

    def choose_link_host(self, host: str) -> None:
        """Choose the host of links; "" restores the default. Raise `NotFound` if this machine has no such address."""
        if host and host not in self.list_link_hosts():
            raise NotFound("This computer does not have this address.")
        self.chosen_host = host

    async def open_to_network(self) -> None:
        """Open the server to the local network.

        Raise `Conflict` if that is not possible or the machine is on no network.
        """
        if self.lan_listener is None or not self.can_open_network:
            raise Conflict("This server cannot be opened to the network from this page.")
        hosts = [each.host for each in self.list_addresses()]
        if not hosts:
            raise Conflict("This computer is not connected to a network.")
        if not self.lan_listener.is_open:
            self.last_visit = None
            await self.lan_listener.open(hosts, self.port)

    async def close_to_network(self) -> None:
        """Close the server to the local network and end its connections. Raise `Conflict` if that is not possible."""
        if self.lan_listener is None or not self.can_open_network:
            raise Conflict("This server cannot be opened to the network from this page.")
        await self.lan_listener.close()

    # -- tests ------------------------------------------------------------------------------------------------------

    def record_visit(self, scope: Scope, person: int | None) -> None:
        """Remember the latest visit from another machine.

        Repeated requests and requests from this machine are ignored.
        """
        client, services = scope.get("client"), scope.get("server")
        if self.url or not client or not services or is_loopback(client[0]):
            return
        is_repeat = (
            self.last_visit is not None
            and server_time.now() - self.last_visit.visited_at < FRESH_SECONDS
            and self.last_visit.person == person
        )
        if (
            is_repeat
            or not is_ip_address(client[0])
            or any(each.host == client[0] for each in self._list_own_addresses())
        ):
            return
        if person is not None or self.last_visit is None or self.last_visit.person is None:
            self.last_visit = RemoteVisit(services[0], person, server_time.now())

    def needs_public_test(self) -> bool:
        """Return whether to test the public address: once, and again while it does not work."""
        if not self.url or (self._tested_at and self.public_problem is None):
            return False
        return not self._tested_at or server_time.now() - self._tested_at > RETEST_SECONDS

    async def test_public_url(self, fingerprint: str) -> None:
        """Test whether this server answers at its public address, and store the problem if it does not."""
        self._tested_at = server_time.now()
        self.public_problem = await asyncio.to_thread(find_url_problem, self.url, fingerprint)


def is_ip_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def find_url_problem(url: str, fingerprint: str) -> Message | None:
    """Return the problem with the public address, or None if the server with this fingerprint answers there."""
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=TEST_TIMEOUT) as answer:
            reply = json.loads(answer.read(1000))
    except urllib.error.HTTPError as error:
        with error:
            return Message(msgid("{0} answered with {1}. The proxy cannot reach this server."), url, error.code)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        return Message(msgid("No answer from {0}: {1}"), url, str(reason)[:200])
    if not isinstance(reply, dict) or reply.get("server") != fingerprint:
        return Message(msgid("A different program answered at {0}."), url)
    return None


def make_firewall_command(port: int) -> str:
    """Return the command that opens a port in the firewall, or "" if this system has only a settings window."""
    if sys.platform == "win32":
        allow = "name=Triclinium dir=in action=allow protocol=TCP"
        return f"netsh advfirewall firewall add rule {allow} localport={port}"
    if shutil.which("firewall-cmd"):
        return f"sudo firewall-cmd --add-port={port}/tcp"
    return f"sudo ufw allow {port}/tcp" if sys.platform.startswith("linux") else ""
