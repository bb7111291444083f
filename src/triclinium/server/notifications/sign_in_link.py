"""Sign-in links by mail: one link for one device, sent to a confirmed address.

The answer is the same for known and unknown addresses, so it reveals nothing. The token is a signature of the message's
number by the server's key. Only its hash is stored.
"""

from sqlalchemy import Connection, func, insert, select

from triclinium.server import server_time
from triclinium.server.crypto import ServerKey, hash_token
from triclinium.server.errors import Conflict, RequestError
from triclinium.server.notifications.channels import MAIL
from triclinium.server.notifications.mail import is_mail_address
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.outbox.queue import ACTIVE, queue_message
from triclinium.server.services import Services
from triclinium.server.storage.schema import passages
from triclinium.server.storage.schema_notifications import outbox, ways

MESSAGE_KIND = "return"
LINK_SECONDS = 900.0  # seconds in which the link can be used
MAX_MAILS_PER_DAY = 5  # mails a day to one address, from all people together
DAY = 86400.0


def is_available(services: Services) -> bool:
    """Return whether this server can send sign-in links."""
    return services.mailer is not None and NOTIFICATIONS.is_available()


async def request_link(services: Services, address: str) -> None:
    """Send a sign-in link if a person has confirmed this address.

    Raise `RequestError` or `Conflict` if it cannot be sent.
    """
    if not is_available(services):
        raise Conflict("This server cannot send email, because no mail server has been set up.")
    address = address.strip()
    if not is_mail_address(address):
        raise RequestError("This is not a valid email address.")
    marks = services.key.sign_with_all_keys("way", MAIL, address.lower())
    await services.store.write(lambda connection: _queue_link(connection, services.key, marks))


def _queue_link(connection: Connection, key: ServerKey, marks: list[str]) -> None:
    now = server_time.now()
    of_mark = (ways.c.mark.in_(marks), ways.c.kind == MAIL)
    sent = select(func.count()).select_from(outbox.join(ways, ways.c.id == outbox.c.way))
    lately = sent.where(*of_mark, outbox.c.kind == MESSAGE_KIND, outbox.c.made > now - DAY)
    if connection.execute(lately).scalar_one() >= MAX_MAILS_PER_DAY:
        return
    for channel in connection.execute(select(ways.c.id, ways.c.person).where(*of_mark, ways.c.state == ACTIVE)).all():
        id = queue_message(connection, channel.person, channel.id, MESSAGE_KIND, "", f"{now:.3f}", due=now)
        if id is not None:
            token = hash_token(make_token(key, id, channel.person))
            connection.execute(insert(passages).values(hash=token, person=channel.person, until=now + LINK_SECONDS))


def make_token(key: ServerKey, message: int, person: int) -> str:
    """Return the token of a sign-in link. Only this server can make it."""
    return key.sign("return", message, person)
