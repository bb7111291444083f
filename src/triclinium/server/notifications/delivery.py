"""One message on its way: to a browser, into a mailbox, or to a chat service."""

import json
from typing import Any

from sqlalchemy import Row

from triclinium.engine.core.text import msgid
from triclinium.server.notifications import mail, sign_in_link
from triclinium.server.notifications.channels import DEVICE, DISCORD, MAIL, NTFY, SERVICE, TELEGRAM
from triclinium.server.notifications.messages import Note, said
from triclinium.server.notifications.safe_http import Unreachable
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.server import Server

LIVE, SLOW = 600, 86400  # seconds that a push service keeps a message for a browser that sleeps


def deliver(server: Server, row: "Row[Any]", note: Note, live: bool) -> None:
    """Send it; in a thread. Raises Unreachable."""
    address = NOTIFICATIONS.load("notifications.sealing").opened(server.key, row.address)
    if not address:
        raise Unreachable("the key of the house has changed since: add this way anew")
    if row.by == DEVICE:
        _push(server, row, address, note, live)
    elif row.by == MAIL:
        _mail(server, row, address, note)
    else:
        _service(server, row, address, note)


def _push(server: Server, row: "Row[Any]", address: str, note: Note, live: bool) -> None:
    reader = server.reader(row.language or "en")
    told = {
        "title": note.headline,
        "body": note.text,
        "path": note.path,
        "tag": note.tag,
        "message": row.id,
        "open": said(reader, msgid("Open")),
        "later": said(reader, msgid("In 2 hours")) if row.kind != "try" else "",
    }
    NOTIFICATIONS.load("notifications.push").send(
        address,
        json.dumps(told, ensure_ascii=False).encode(),
        pair=NOTIFICATIONS.load("notifications.vapid").kept(server),
        contact=server.settings.url
        or (f"mailto:{server.mailer.sender}" if server.mailer else "mailto:house@localhost"),
        topic=note.tag,
        seconds=LIVE if live else SLOW,
        urgent=live,
        local=server.settings.local_hooks,
    )


def _mail(server: Server, row: "Row[Any]", address: str, note: Note) -> None:
    if server.mailer is None:
        raise Unreachable("this house sends no mail any more")
    reader, home = server.reader(row.language or "en"), server.reach.home()
    off = f"{home}/told/off/{row.way}/{server.key.sign('off', row.way, row.mark)}"
    if row.kind == "confirm":
        link = f"{home}/told/mail/{row.way}/{server.key.sign('mail', row.way, row.mark)}"
        below = [said(reader, msgid("Say yes here: {0}"), link)]
    elif row.kind == sign_in_link.KIND:
        link = f"{home}/me/enter/{sign_in_link.token_of(server.key, row.id, row.person)}"
        below = [said(reader, msgid("Come back here: {0}"), link)]
    else:
        later = f"{home}/told/later/{row.id}/{server.key.sign('later', row.id, row.way)}"
        below = [
            said(reader, msgid("Open: {0}"), f"{home}{note.path}"),
            said(reader, msgid("Tell me again in 2 hours: {0}"), later),
            said(reader, msgid("No more mails: {0}"), off),
        ]
    text = "\n\n".join([note.text, "\n".join(below)])
    id = f"{row.id}.{server.mark}"
    server.mailer.send(mail.letter(address, server.mailer.sender, note.headline, text, id, off))


def _service(server: Server, row: "Row[Any]", address: str, note: Note) -> None:
    services, settings = NOTIFICATIONS.load("notifications.services"), server.settings
    text = f"{note.text}\n{server.reach.home()}{note.path}".strip()
    if row.by == TELEGRAM:
        address = services.telegram(settings.telegram, address)
    elif row.by == NTFY:
        address = services.ntfy(settings.ntfy, address)
    elif row.by != DISCORD and settings.services != "any":
        raise Unreachable("this house does not use other services any more")
    try:
        ours = row.by != SERVICE or settings.local_hooks
        services.send(address, note.headline, text, trusted=ours)
    except Unreachable as error:  # what a service answers may repeat what it was called by
        secret = settings.telegram or "\0"
        raise Unreachable(error.reason.replace(secret, "…")) from None
