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
from triclinium.server.net.interfaces import LOOPBACK_NAMES, Address, is_loopback, name_in, own_addresses

FRESH = 5.0  # seconds that the list of addresses is believed: a laptop changes its network
ASK_AGAIN = 30.0  # seconds until a house that could not be found under its public address looks again
PATIENCE = 6.0  # seconds for it to answer itself
EVERYWHERE = ("0.0.0.0", "::", "")
MACHINE = socket.gethostname().lower()


class Door(Protocol):
    """The way in from the network, beside the one from this machine."""

    @property
    def is_open(self) -> bool: ...
    async def open(self, hosts: list[str], port: int) -> None: ...
    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody from another machine was here."""

    host: str  # the address they came by
    person: int | None
    at: float


class Reach:
    """Where the house can be found."""

    def __init__(self, url: str = "", find: Callable[[], list[Address]] = own_addresses) -> None:
        self.url = url  # how the house is reached from outside, if its owner said so
        self.listens = ""  # the host it was opened at; none: somebody else serves it
        self.port = 0
        self.door: Door | None = None
        self.chosen = ""  # the host that the owner wants in links
        self.visit: Visit | None = None
        self.trouble: Message | None = None  # why the public address does not lead here
        self._asked = 0.0  # when the public address was tried last; 0: never
        self._find = find
        self._found: tuple[float, list[Address]] = (-FRESH, [])

    def listening(self, host: str, port: int, door: Door | None = None) -> None:
        """The house is open at this place; ``door`` can open it to the network too."""
        self.listens, self.port, self.door = host, port, door

    # -- what is so -------------------------------------------------------------------------------------------------

    def addresses(self) -> list[Address]:
        """Those by which others nearby may come: all of this machine's, or the one at which the house listens."""
        found = self._own()
        if self.listens and self.listens not in EVERYWHERE and not is_loopback(self.listens):
            return [each for each in found if each.host == self.listens] or [Address(self.listens, "", "other")]
        return found

    def _own(self) -> list[Address]:
        at, found = self._found
        if time.monotonic() - at >= FRESH:
            found = self._find()
            self._found = (time.monotonic(), found)
        return found

    @property
    def is_open(self) -> bool:
        """Whether anybody but this machine can come at all."""
        return bool(self.url) or not is_loopback(self.listens) or (self.door is not None and self.door.is_open)

    @property
    def may_open(self) -> bool:
        """Whether there is a door to open or close."""
        return self.door is not None and is_loopback(self.listens) and not self.url

    @property
    def extent(self) -> str:
        """``alone``, ``nowhere``, ``open``, ``proven`` or ``public``: what the waiting room tells."""
        if self.url:
            return "public"
        if not self.addresses():
            return "nowhere"
        if not self.is_open:
            return "alone"
        return "open" if self.visit is None else "proven"

    def knows(self, name: str) -> bool:
        """Whether the house is called so. With a name that somebody made up, a foreign page could reach into it."""
        known = name in LOOPBACK_NAMES or name in (MACHINE, f"{MACHINE}.local")
        return known or any(each.host == name for each in self._own())

    def names(self) -> list[str]:
        """What may stand in links, the first unless the owner chooses."""
        return [*(each.host for each in self.addresses()), f"{MACHINE.removesuffix('.local')}.local", "localhost"]

    def origin(self, scheme: str, host: str) -> str:
        """The beginning of links that are sent to others. ``host``: by which the reader came, and is known."""
        if self.url:
            return self.url
        if self.chosen and self.chosen in self.names():
            return f"http://{self.chosen}:{self.port}"
        found = self.addresses() if name_in(host) in LOOPBACK_NAMES and self.is_open and self.port else []
        return f"http://{found[0].host}:{self.port}" if found else f"{scheme}://{host}"

    def home(self) -> str:
        """The beginning of links in messages, which nobody asked for by a page of their own."""
        return self.origin("http", f"localhost:{self.port}" if self.port else "localhost")

    def leads_here_only(self, origin: str) -> bool:
        """Whether a phone that follows the link would look for the house in itself."""
        return name_in(origin.partition("://")[2]) in LOOPBACK_NAMES

    # -- what the owner does ----------------------------------------------------------------------------------------

    def choose(self, host: str) -> None:
        """This address stands in links from now on; raises NotFound."""
        if host and host not in self.names():
            raise NotFound("this computer has no such address")
        self.chosen = host

    async def let_in(self) -> None:
        """Open the door to the network; raises Conflict."""
        if self.door is None or not self.may_open:
            raise Conflict("this house has no door that could be opened or closed")
        found = [each.host for each in self.addresses()]
        if not found:
            raise Conflict("this computer is on no network")
        if not self.door.is_open:
            self.visit = None
            await self.door.open(found, self.port)

    async def shut(self) -> None:
        """Close it again; whoever is inside by it goes."""
        if self.door is None or not self.may_open:
            raise Conflict("this house has no door that could be opened or closed")
        await self.door.close()

    # -- what proves that it works ----------------------------------------------------------------------------------

    def note(self, scope: Scope, person: int | None) -> None:
        """Remember that somebody came from another machine. Most requests come from this one, or again."""
        client, server = scope.get("client"), scope.get("server")
        if self.url or not client or not server or is_loopback(client[0]):
            return
        again = self.visit is not None and server_time.now() - self.visit.at < FRESH and self.visit.person == person
        if again or not is_address(client[0]) or any(each.host == client[0] for each in self._own()):
            return
        if person is not None or self.visit is None or self.visit.person is None:
            self.visit = Visit(server[0], person, server_time.now())

    def is_due(self) -> bool:
        """Whether the public address is to be tried: once, and again while it does not work."""
        if not self.url or (self._asked and self.trouble is None):
            return False
        return not self._asked or server_time.now() - self._asked > ASK_AGAIN

    async def try_public(self, mark: str) -> None:
        """Ask oneself under one's own address."""
        self._asked = server_time.now()
        self.trouble = await asyncio.to_thread(trouble_at, self.url, mark)


def is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def trouble_at(url: str, mark: str) -> Message | None:
    """What is wrong with the public address; None: the house with this mark answers there."""
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=PATIENCE) as answer:
            said = json.loads(answer.read(1000))
    except urllib.error.HTTPError as error:
        with error:
            return Message(msgid("{0} answers {1}: the proxy does not reach the house"), url, error.code)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        return Message(msgid("{0} does not answer: {1}"), url, str(reason)[:200])
    if not isinstance(said, dict) or said.get("house") != mark:
        return Message(msgid("another program than this house answers at {0}"), url)
    return None


def firewall_command(port: int) -> str:
    """What lets the network through the firewall of this system; the empty text: its settings are windows."""
    if sys.platform == "win32":
        allow = "name=Triclinium dir=in action=allow protocol=TCP"
        return f"netsh advfirewall firewall add rule {allow} localport={port}"
    if shutil.which("firewall-cmd"):
        return f"sudo firewall-cmd --add-port={port}/tcp"
    return f"sudo ufw allow {port}/tcp" if sys.platform.startswith("linux") else ""
