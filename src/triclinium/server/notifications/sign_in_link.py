"""The way back by mail: a link for one device, once, to an address that its owner has confirmed.

Whoever asks learns nothing: it is the same answer whether the address is known here or not. The link is made of the
message's own number and the house's key, so that it stands in no table; only its hash does, as of any passage.
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
LINK_SECONDS = 900.0  # in which the link can be used
MAX_MAILS_PER_DAY = 5  # a day to one address, whoever asks
DAY = 86400.0


def is_available(services: Services) -> bool:
    """Whether this house can send anybody a link."""
    return services.mailer is not None and NOTIFICATIONS.is_available()


async def request_link(services: Services, address: str) -> None:
    """Send a link there, if somebody has confirmed that address; raises RequestError or Conflict."""
    if not is_available(services):
        raise Conflict("this house sends no mail: whoever runs it has named no server for it")
    address = address.strip()
    if not is_mail_address(address):
        raise RequestError("this is no mail address")
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
    """What lets this person in; nobody else can make it."""
    return key.sign("return", message, person)
