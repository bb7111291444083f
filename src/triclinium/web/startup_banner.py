"""What the terminal shows when a house opens to others: a question before, addresses with QR codes afterwards."""

import asyncio
import sys
from typing import TextIO

import segno

from triclinium.server.net.reachability import Reach
from triclinium.server.server import Server
from triclinium.server.storage import key_value

CONSENT = "network"  # the fact of the house that its owner has said yes
STAYS = "The house stays closed. `make play` opens it for this computer alone.\n"


def consents(server: Server) -> bool:
    """Whether the network may come in: asked once, where somebody can answer; elsewhere the option is consent."""
    with server.store.reading() as connection:
        if key_value.kept(connection, CONSENT):
            return True
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        return True
    known = ", ".join(each.host for each in server.reach.addresses())
    asked = f"People on your network ({known or 'none now'}) will be able to open the house. Go on? [Y/n] "
    sys.stdout.write(asked)
    sys.stdout.flush()
    if sys.stdin.readline().strip().lower() not in ("", "y", "yes", "o", "oui"):
        sys.stdout.write(STAYS)
        return False
    asyncio.run(server.store.write(lambda connection: key_value.keep(connection, CONSENT, "yes")))
    return True


def show_addresses(reach: Reach, out: TextIO) -> None:
    """Every address by which friends may come, with a code for their phones."""
    if not reach.is_open:
        return
    found = [f"{reach.url}/"] if reach.url else [f"http://{each.host}:{reach.port}/" for each in reach.addresses()]
    if not found:
        out.write("This computer is on no network.\n")
    for address in found:
        out.write(f"Friends open {address}\n")
        if out.isatty():
            segno.make(address, error="m").terminal(out, border=2, compact=True)
