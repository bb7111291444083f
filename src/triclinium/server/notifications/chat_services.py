"""Chat services through apprise. This server builds their addresses, unless the operator lets people supply some."""

import logging
import re
import threading
from contextlib import nullcontext
from urllib.parse import quote, unquote, urlsplit

import apprise

from triclinium.server.errors import RequestError
from triclinium.server.notifications.safe_http import Unreachable, allow_public_only, resolve_host

DISCORD_PATTERN = re.compile(
    r"https://(?:www\.|ptb\.|canary\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d{5,25})/([\w-]{20,100})"
)
# Services on this machine or in its network, which people who use a browser must not reach.
LOCAL_SCHEMES = frozenset(
    ("dbus", "exec", "file", "form", "forms", "glib", "gnome", "json", "jsons", "kde", "macosx", "mqtt", "mqtts")
    + ("qt", "rsyslog", "syslog", "windows", "xml", "xmls")
)
FILE_OPTION_PATTERN = re.compile(r"\W*(?:template|pgp|\w*file)")  # options that read a file of this machine and send it
HOOK_SCHEMES = frozenset(
    ("json", "jsons", "form", "forms", "xml", "xmls")
)  # for home automation, if the operator allows it
TIMEOUT_OPTIONS = "cto=3&rto=10"  # seconds to connect, and to answer
_send_lock = threading.Lock()  # needed because the errors of apprise are read from its log


def build_discord_address(webhook: str) -> str:
    """Return the apprise address for a Discord webhook. Raise `RequestError` if it is not one."""
    match = DISCORD_PATTERN.fullmatch(webhook.strip())
    if match is None:
        raise RequestError("A Discord webhook starts with https://discord.com/api/webhooks/.")
    return f"discord://{match[1]}/{match[2]}/?{TIMEOUT_OPTIONS}"


def build_telegram_address(token: str, chat: str) -> str:
    return f"tgram://{token}/{chat}/?{TIMEOUT_OPTIONS}"


def build_ntfy_address(server: str, topic: str) -> str:
    """Return the apprise address of a topic on the operator's ntfy server."""
    parts = urlsplit(server)
    scheme = "ntfys" if parts.scheme == "https" else "ntfy"
    return f"{scheme}://{parts.netloc}/{quote(topic)}/?{TIMEOUT_OPTIONS}"


def check_service_address(address: str, local: bool) -> str:
    """Return an apprise address if it may be used.

    Raise `RequestError` if apprise does not know it, or if it leads to this machine or its network.
    """
    scheme = address.partition("://")[0].lower()
    allowed = local and scheme in HOOK_SCHEMES
    inward = (scheme in LOCAL_SCHEMES and not allowed) or _has_file_option(address)
    if len(address) > 1000 or not address.isprintable() or inward:
        raise RequestError("This server does not use this service.")
    if apprise.Apprise.instantiate(address, suppress_exceptions=True) is None:
        raise RequestError("This address does not belong to a supported service.")
    host = urlsplit(address).hostname or ""
    if not local and ("." in host or ":" in host or host == "localhost"):
        try:
            resolve_host(host, 443, local)
        except Unreachable as error:
            raise RequestError("This service cannot be used: {0}", error.reason) from None
    return address


def _has_file_option(address: str) -> bool:
    """Return whether an address has an option that names a file, in any spelling."""
    options = re.split("[?&;]", address)[1:]
    return any(FILE_OPTION_PATTERN.match(unquote(option).strip().lower()) for option in options)


def send_message(address: str, headline: str, text: str, *, trusted: bool = True) -> None:
    """Send a message to a chat service. ``trusted`` is false for an address that a person supplied.

    Raise `Unreachable` with the answer of the service if it fails.
    """
    capture = apprise.LogCapture(level=logging.WARNING, fmt="%(message)s")  # type: ignore[no-untyped-call]
    with _send_lock, nullcontext() if trusted else allow_public_only(), capture as captured_log:
        service = apprise.Apprise.instantiate(address, suppress_exceptions=True)
        if service is not None:
            service.redirects = False
            service.verify_certificate = service.verify_certificate or not trusted
            if service.notify(title=headline, body=text, body_format=apprise.NotifyFormat.TEXT):
                return
        lines = [line for line in captured_log.getvalue().splitlines() if line.strip()]
    raise Unreachable(lines[-1] if lines else "the service refused the message")
