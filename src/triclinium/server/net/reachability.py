"""How friends reach this house: where it listens, which address stands in links, and whether one was proven to work."""

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

FRESH_SECONDS = 5.0  # seconds that the list of addresses is believed: a laptop changes its network
RETEST_SECONDS = 30.0  # seconds until a house that could not be found under its public address looks again
TEST_TIMEOUT = 6.0  # seconds for it to answer itself
ALL_INTERFACES = ("0.0.0.0", "::", "")
MACHINE_NAME = socket.gethostname().lower()


class LanListenerProtocol(Protocol):
    """The way in from the network, beside the one from this machine."""

    @property
    def is_open(self) -> bool: ...
    async def open(self, hosts: list[str], port: int) -> None: ...
    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class RemoteVisit:
    """Somebody from another machine was here."""

    host: str  # the address they came by
    person: int | None
    visited_at: float


class Reachability:
    """Where the house can be found."""

    def __init__(self, url: str = "", find_addresses: Callable[[], list[NetworkAddress]] = list_own_addresses) -> None:
        self.url = url  # how the house is reached from outside, if its owner said so
        self.listen_host = ""  # the host it was opened at; none: somebody else serves it
        self.port = 0
        self.lan_listener: LanListenerProtocol | None = None
        self.chosen_host = ""  # the host that the owner wants in links
        self.last_visit: RemoteVisit | None = None
        self.public_problem: Message | None = None  # why the public address does not lead here
        self._tested_at = 0.0  # when the public address was tried last; 0: never
        self._find_addresses = find_addresses
        self._cached_addresses: tuple[float, list[NetworkAddress]] = (-FRESH_SECONDS, [])

    def set_listening(self, host: str, port: int, lan_listener: LanListenerProtocol | None = None) -> None:
        """The house is open at this place; ``lan_listener`` can open it to the network too."""
        self.listen_host, self.port, self.lan_listener = host, port, lan_listener

    # -- what is so -------------------------------------------------------------------------------------------------

    def list_addresses(self) -> list[NetworkAddress]:
        """Those by which others nearby may come: all of this machine's, or the one at which the house listens."""
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
        """Whether anybody but this machine can come at all."""
        return (
            bool(self.url)
            or not is_loopback(self.listen_host)
            or (self.lan_listener is not None and self.lan_listener.is_open)
        )

    @property
    def can_open_network(self) -> bool:
        """Whether there is a door to open or close."""
        return self.lan_listener is not None and is_loopback(self.listen_host) and not self.url

    @property
    def status(self) -> str:
        """``alone``, ``nowhere``, ``open``, ``proven`` or ``public``: what the waiting room tells."""
        if self.url:
            return "public"
        if not self.list_addresses():
            return "nowhere"
        if not self.is_open_to_others:
            return "alone"
        return "open" if self.last_visit is None else "proven"

    def is_own_name(self, name: str) -> bool:
        """Whether the house is called so. With a name that somebody made up, a foreign page could reach into it."""
        is_fixed_name = name in LOOPBACK_NAMES or name in (MACHINE_NAME, f"{MACHINE_NAME}.local")
        return is_fixed_name or any(each.host == name for each in self._list_own_addresses())

    def list_link_hosts(self) -> list[str]:
        """What may stand in links, the first unless the owner chooses."""
        return [
            *(each.host for each in self.list_addresses()),
            f"{MACHINE_NAME.removesuffix('.local')}.local",
            "localhost",
        ]

    def get_link_origin(self, scheme: str, host: str) -> str:
        """The beginning of links that are sent to others. ``host``: by which the reader came, and is known."""
        if self.url:
            return self.url
        if self.chosen_host and self.chosen_host in self.list_link_hosts():
            return f"http://{self.chosen_host}:{self.port}"
        addresses = (
            self.list_addresses() if strip_port(host) in LOOPBACK_NAMES and self.is_open_to_others and self.port else []
        )
        return f"http://{addresses[0].host}:{self.port}" if addresses else f"{scheme}://{host}"

    def get_default_origin(self) -> str:
        """The beginning of links in messages, which nobody asked for by a page of their own."""
        return self.get_link_origin("http", f"localhost:{self.port}" if self.port else "localhost")

    def is_loopback_origin(self, origin: str) -> bool:
        """Whether a phone that follows the link would look for the house in itself."""
        return strip_port(origin.partition("://")[2]) in LOOPBACK_NAMES

    # -- what the owner does ----------------------------------------------------------------------------------------

    def choose_link_host(self, host: str) -> None:
        """This address stands in links from now on; raises NotFound."""
        if host and host not in self.list_link_hosts():
            raise NotFound("this computer has no such address")
        self.chosen_host = host

    async def open_to_network(self) -> None:
        """Open the door to the network; raises Conflict."""
        if self.lan_listener is None or not self.can_open_network:
            raise Conflict("this house has no door that could be opened or closed")
        hosts = [each.host for each in self.list_addresses()]
        if not hosts:
            raise Conflict("this computer is on no network")
        if not self.lan_listener.is_open:
            self.last_visit = None
            await self.lan_listener.open(hosts, self.port)

    async def close_to_network(self) -> None:
        """Close it again; whoever is inside by it goes."""
        if self.lan_listener is None or not self.can_open_network:
            raise Conflict("this house has no door that could be opened or closed")
        await self.lan_listener.close()

    # -- what proves that it works ----------------------------------------------------------------------------------

    def record_visit(self, scope: Scope, person: int | None) -> None:
        """Remember that somebody came from another machine. Most requests come from this one, or again."""
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
        """Whether the public address is to be tried: once, and again while it does not work."""
        if not self.url or (self._tested_at and self.public_problem is None):
            return False
        return not self._tested_at or server_time.now() - self._tested_at > RETEST_SECONDS

    async def test_public_url(self, fingerprint: str) -> None:
        """Ask oneself under one's own address."""
        self._tested_at = server_time.now()
        self.public_problem = await asyncio.to_thread(find_url_problem, self.url, fingerprint)


def is_ip_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def find_url_problem(url: str, fingerprint: str) -> Message | None:
    """What is wrong with the public address; None: the house with this mark answers there."""
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=TEST_TIMEOUT) as answer:
            reply = json.loads(answer.read(1000))
    except urllib.error.HTTPError as error:
        with error:
            return Message(msgid("{0} answers {1}: the proxy does not reach the house"), url, error.code)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        return Message(msgid("{0} does not answer: {1}"), url, str(reason)[:200])
    if not isinstance(reply, dict) or reply.get("house") != fingerprint:
        return Message(msgid("another program than this house answers at {0}"), url)
    return None


def make_firewall_command(port: int) -> str:
    """What lets the network through the firewall of this system; the empty text: its settings are windows."""
    if sys.platform == "win32":
        allow = "name=Triclinium dir=in action=allow protocol=TCP"
        return f"netsh advfirewall firewall add rule {allow} localport={port}"
    if shutil.which("firewall-cmd"):
        return f"sudo firewall-cmd --add-port={port}/tcp"
    return f"sudo ufw allow {port}/tcp" if sys.platform.startswith("linux") else ""
