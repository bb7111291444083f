"""Terminal messages when a server opens to the network: a request for consent, then addresses with QR codes."""

import asyncio
import sys
from typing import TextIO

import segno

from triclinium.server.net.reachability import Reachability
from triclinium.server.services import Services
from triclinium.server.storage import key_value

CONSENT_KEY = "network"  # the key of the stored answer that the owner has agreed
STAYS_CLOSED_TEXT = "The server was not started. `make play` starts it for this computer only.\n"


def confirm_network_access(services: Services) -> bool:
    """Return whether the network may connect.

    The owner is asked once in a terminal. Without a terminal, the command's option counts as consent.
    """
    with services.store.read_connection() as connection:
        if key_value.load_value(connection, CONSENT_KEY):
            return True
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        return True
    hosts = ", ".join(each.host for each in services.reachability.list_addresses())
    prompt = f"People on your network ({hosts or 'none now'}) will be able to use the server. Continue? [Y/n] "
    sys.stdout.write(prompt)
    sys.stdout.flush()
    if sys.stdin.readline().strip().lower() not in ("", "y", "yes", "o", "oui"):
        sys.stdout.write(STAYS_CLOSED_TEXT)
        return False
    asyncio.run(services.store.write(lambda connection: key_value.store_value(connection, CONSENT_KEY, "yes")))
    return True


def print_addresses(reach: Reachability, out: TextIO) -> None:
    """Print every address at which friends can connect, with a QR code for phones."""
    if not reach.is_open_to_others:
        return
    addresses = (
        [f"{reach.url}/"] if reach.url else [f"http://{each.host}:{reach.port}/" for each in reach.list_addresses()]
    )
    if not addresses:
        out.write("This computer is on no network.\n")
    for address in addresses:
        out.write(f"Friends open {address}\n")
        if out.isatty():
            segno.make(address, error="m").terminal(out, border=2, compact=True)
