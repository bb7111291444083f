"""The way back by mail: a link for one device, once, to an address that its owner has confirmed.

Whoever asks learns nothing: it is the same answer whether the address is known here or not. The link is made of the
message's own number and the house's key, so that it stands in no table; only its hash does, as of any passage.
"""

from sqlalchemy import Connection, func, insert, select

from triclinium.server import server_time
from triclinium.server.crypto import Key, hashed
from triclinium.server.errors import Conflict, RequestError
from triclinium.server.notifications.channels import MAIL
from triclinium.server.notifications.mail import is_mail
from triclinium.server.notifications.outbox import ON, put
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.server import Server
from triclinium.server.storage.schema import passages
from triclinium.server.storage.schema_notifications import outbox, ways

KIND = "return"
SECONDS = 900.0  # in which the link can be used
LETTERS = 5  # a day to one address, whoever asks
DAY = 86400.0


def offered(server: Server) -> bool:
    """Whether this house can send anybody a link."""
    return server.mailer is not None and NOTIFICATIONS.installed()


async def ask(server: Server, address: str) -> None:
    """Send a link there, if somebody has confirmed that address; raises RequestError or Conflict."""
    if not offered(server):
        raise Conflict("this house sends no mail: whoever runs it has named no server for it")
    address = address.strip()
    if not is_mail(address):
        raise RequestError("this is no mail address")
    marks = server.key.marks("way", MAIL, address.lower())
    await server.store.write(lambda connection: _put(connection, server.key, marks))


def _put(connection: Connection, key: Key, marks: list[str]) -> None:
    now = server_time.now()
    of_mark = (ways.c.mark.in_(marks), ways.c.kind == MAIL)
    sent = select(func.count()).select_from(outbox.join(ways, ways.c.id == outbox.c.way))
    lately = sent.where(*of_mark, outbox.c.kind == KIND, outbox.c.made > now - DAY)
    if connection.execute(lately).scalar_one() >= LETTERS:
        return
    for way in connection.execute(select(ways.c.id, ways.c.person).where(*of_mark, ways.c.state == ON)).all():
        id = put(connection, way.person, way.id, KIND, "", f"{now:.3f}", due=now)
        if id is not None:
            token = hashed(token_of(key, id, way.person))
            connection.execute(insert(passages).values(hash=token, person=way.person, until=now + SECONDS))


def token_of(key: Key, message: int, person: int) -> str:
    """What lets this person in; nobody else can make it."""
    return key.sign("return", message, person)
