"""Telegram chats. A person sends a code to the server's bot. The server then finds the chat by that code."""

import json
import urllib.error
import urllib.request

from triclinium.server.accounts.users import Person
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import Conflict, NotFound
from triclinium.server.notifications.safe_http import RESPONSE_TIMEOUT
from triclinium.server.services import Services

API = "https://api.telegram.org"


def make_code(key: ServerKey, person: Person) -> str:
    """Return the code that a person sends to the bot. Only this server can make it."""
    return f"{person.id}-{key.sign('telegram', person.id)[:16]}"


def find_chat(services: Services, person: Person) -> str:
    """Return the chat in which the bot got ``/start`` and the person's code. Run this in a thread.

    Raise `NotFound` if the code has not arrived, or `Conflict` if Telegram does not answer.
    """
    wanted = f"/start {make_code(services.key, person)}"
    for update in _call_api(services.settings.telegram, "getUpdates"):
        message = update.get("message") if isinstance(update, dict) else None
        if isinstance(message, dict) and str(message.get("text", "")).strip() == wanted:
            return str(int(message["chat"]["id"]))
    raise NotFound("The Telegram bot has not received your code yet. Send the code, then press the button again.")


def _call_api(token: str, method: str) -> list[object]:
    if not token:
        raise Conflict("This server has no Telegram bot.")
    try:
        with urllib.request.urlopen(f"{API}/bot{token}/{method}", timeout=RESPONSE_TIMEOUT) as answer:
            response = json.loads(answer.read(1_000_000))
    except (urllib.error.URLError, OSError, ValueError):
        raise Conflict("Telegram does not answer. Please try again later.") from None
    return list(response.get("result", []))
