"""Delivery of one message to a browser, a mailbox or a chat service."""

import json
from typing import Any

from sqlalchemy import Row

from triclinium.engine.core.text import msgid
from triclinium.server.notifications import mail, sign_in_link
from triclinium.server.notifications.channels import DEVICE, DISCORD, MAIL, NTFY, SERVICE, TELEGRAM
from triclinium.server.notifications.messages import NotificationMessage, translate_text
from triclinium.server.notifications.safe_http import Unreachable
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.services import Services

# Seconds for which a push service keeps a message for a browser that is not running.
LIVE_SECONDS, SLOW_SECONDS = 600, 86400


def deliver_message(services: Services, row: "Row[Any]", message: NotificationMessage, live: bool) -> None:
    """Deliver a message. Run this in a thread. Raise `Unreachable` if it fails."""
    address = NOTIFICATIONS.load("notifications.encryption").decrypt_address(services.key, row.address)
    if not address:
        raise Unreachable("the server's key has changed since; add this channel again")
    if row.by == DEVICE:
        _send_push(services, row, address, message, live)
    elif row.by == MAIL:
        _send_mail(services, row, address, message)
    else:
        _send_to_service(services, row, address, message)


def _send_push(services: Services, row: "Row[Any]", address: str, message: NotificationMessage, live: bool) -> None:
    reader = services.reader(row.language or "en")
    payload = {
        "title": message.headline,
        "body": message.text,
        "path": message.path,
        "tag": message.tag,
        "message": row.id,
        "open": translate_text(reader, msgid("Open")),
        "snooze": translate_text(reader, msgid("Remind me in 2 hours")) if row.kind != "try" else "",
    }
    NOTIFICATIONS.load("notifications.push").send_push(
        address,
        json.dumps(payload, ensure_ascii=False).encode(),
        pair=NOTIFICATIONS.load("notifications.push_keys").load_key_pair(services.store),
        contact=services.settings.url
        or (f"mailto:{services.mailer.sender}" if services.mailer else "mailto:server@localhost"),
        topic=message.tag,
        seconds=LIVE_SECONDS if live else SLOW_SECONDS,
        urgent=live,
        local=services.settings.allow_local_hooks,
    )


def _send_mail(services: Services, row: "Row[Any]", address: str, message: NotificationMessage) -> None:
    if services.mailer is None:
        raise Unreachable("this server no longer sends email")
    reader, home = services.reader(row.language or "en"), services.reachability.get_default_origin()
    unsubscribe = f"{home}/notifications/unsubscribe/{row.way}/{services.key.sign('unsubscribe', row.way, row.mark)}"
    if row.kind == "confirm":
        link = f"{home}/notifications/confirm/{row.way}/{services.key.sign('confirm', row.way, row.mark)}"
        below = [translate_text(reader, msgid("Confirm: {0}"), link)]
    elif row.kind == sign_in_link.MESSAGE_KIND:
        link = f"{home}/me/sign-in/{sign_in_link.make_token(services.key, row.id, row.person)}"
        below = [translate_text(reader, msgid("Sign in: {0}"), link)]
    else:
        snooze = f"{home}/notifications/snooze/{row.id}/{services.key.sign('snooze', row.id, row.way)}"
        below = [
            translate_text(reader, msgid("Open: {0}"), f"{home}{message.path}"),
            translate_text(reader, msgid("Remind me in 2 hours: {0}"), snooze),
            translate_text(reader, msgid("Unsubscribe from these emails: {0}"), unsubscribe),
        ]
    text = "\n\n".join([message.text, "\n".join(below)])
    id = f"{row.id}.{services.fingerprint}"
    services.mailer.send(mail.build_mail(address, services.mailer.sender, message.headline, text, id, unsubscribe))


def _send_to_service(services: Services, row: "Row[Any]", address: str, message: NotificationMessage) -> None:
    chat_services, settings = NOTIFICATIONS.load("notifications.chat_services"), services.settings
    text = f"{message.text}\n{services.reachability.get_default_origin()}{message.path}".strip()
    if row.by == TELEGRAM:
        address = chat_services.build_telegram_address(settings.telegram, address)
    elif row.by == NTFY:
        address = chat_services.build_ntfy_address(settings.ntfy, address)
    elif row.by != DISCORD and settings.services != "any":
        raise Unreachable("this server no longer uses other services")
    try:
        ours = row.by != SERVICE or settings.allow_local_hooks
        chat_services.send_message(address, message.headline, text, trusted=ours)
    except Unreachable as error:  # the answer of a service may repeat its address, which contains the token
        secret = settings.telegram or "\0"
        raise Unreachable(error.reason.replace(secret, "…")) from None
