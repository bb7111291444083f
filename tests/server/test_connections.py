"""Tests of what leaves the server: only the listed modules can open connections, and a match opens none."""

import ast
import random
import sys
from pathlib import Path

from fastapi.testclient import TestClient

from tests.server.api_client import make_settings
from tests.web.browser import PlainBrowser
from tests.web.test_pages import choose_any_option, new_hot_table, take_over
from triclinium.web.app import create_app

SOURCES = Path(__file__).parents[2] / "src" / "triclinium"
# Packages with which a program opens connections, and the modules that use them. docs/operating.md says when they do.
CONNECTING = {
    "urllib.request",
    "http.client",
    "smtplib",
    "socket",
    "apprise",
    "pywebpush",
    "ray",
    "requests",
}
ALLOWED = {
    "lab/study/ray_engine.py": {"ray", "socket"},  # study --ray
    "server/net/reachability.py": {"socket", "urllib.request"},  # the name of this machine; its own public address
    "server/notifications/chat_services.py": {"apprise"},
    "server/notifications/mail.py": {"smtplib"},
    "server/notifications/push.py": {"pywebpush"},
    "server/notifications/safe_http.py": {"http.client", "socket"},  # webhooks and push services
    "server/notifications/telegram.py": {"urllib.request"},
    "web/graceful_server.py": {"socket"},  # listens
    "web/lan_listener.py": {"socket"},  # listens
    "web/serve_command.py": {"socket"},  # listens
}
CONNECTS = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")


def list_connecting_packages(path: Path) -> set[str]:
    """Return the packages among `CONNECTING` that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {known for known in CONNECTING if any(name == known or name.startswith(f"{known}.") for name in names)}


def test_only_the_listed_modules_can_open_connections() -> None:
    found = {path.relative_to(SOURCES).as_posix(): list_connecting_packages(path) for path in SOURCES.rglob("*.py")}
    assert {name: packages for name, packages in found.items() if packages} == ALLOWED


def test_a_match_opens_no_connection(tmp_path: Path) -> None:
    opened: list[str] = []
    watching = True

    def notice(event: str, args: tuple[object, ...]) -> None:
        if watching and event in CONNECTS:
            opened.append(f"{event} {args[1:]}")

    sys.addaudithook(notice)  # a hook cannot be removed, so it is switched off
    try:
        with TestClient(create_app(make_settings(tmp_path)), follow_redirects=True) as client:
            browser = PlainBrowser(client)
            new_hot_table(browser, "portals", 2)
            take_over(browser)
            chance = random.Random(4)
            for _ in range(20):
                assert choose_any_option(browser, chance)
            for page in ("/", "/me", "/network", "/notifications", "/rules/portals", "/leaderboard"):
                browser.get(page)
                assert browser.status == 200, page
    finally:
        watching = False
    assert opened == []
