"""Tests of `make host`: a question before the network is allowed, asked once, and then addresses with QR codes."""

import io
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.server.api_client import make_settings
from triclinium.server.net.interfaces import NetworkAddress
from triclinium.server.net.reachability import Reachability
from triclinium.server.services import Services
from triclinium.web.startup_banner import confirm_network_access, print_addresses


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_network_consent_is_asked_once_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question is "Go on? [Y/n]". Without a terminal the option is enough consent."""
    server = Services(make_settings(tmp_path))
    server.open_database()
    try:
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        assert confirm_network_access(server)  # a service manager cannot answer
        out = Terminal()
        monkeypatch.setattr(sys, "stdout", out)
        for answer, said in (("n\n", False), ("\n", True), ("n\n", True)):  # the third start does not ask
            monkeypatch.setattr(sys, "stdin", Terminal(answer))
            with ThreadPoolExecutor(1) as pool:  # because a browser's event loop may be running in this thread
                assert pool.submit(confirm_network_access, server).result() is said
        assert out.getvalue().count("will be able to use the server. Continue? [Y/n]") == 2
        assert out.getvalue().count("The server was not started.") == 1
    finally:
        server.store.close()


def test_every_address_is_printed_with_its_code() -> None:
    near = [NetworkAddress("192.168.1.20", "wlan0", "wifi"), NetworkAddress("10.8.0.3", "tun0", "tunnel")]
    reach = Reachability(find_addresses=lambda: near)
    for listens, shown in (("0.0.0.0", 2), ("127.0.0.1", 0)):
        reach.set_listening(listens, 8090)
        plain, terminal = io.StringIO(), Terminal()
        print_addresses(reach, plain)
        print_addresses(reach, terminal)
        assert plain.getvalue().count("Friends open http://") == shown
        assert ("\N{FULL BLOCK}" in terminal.getvalue()) is bool(shown)
        assert "\N{FULL BLOCK}" not in plain.getvalue()
