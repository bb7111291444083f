"""Quotas: limits on the use by one network, person or server in an hour or a day.

The database counts the uses of the last hour or day. Servers that share a database share the counts, and a restart
resets nothing. Networks and people are stored as keyed hashes, for one day.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, text

from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import LimitExceeded
from triclinium.server.services import Services
from triclinium.server.storage.schema_admin import quota_uses

HOUR, DAY = 3600.0, 86400.0
# PostgreSQL's lock for counting uses, so that two servers cannot both grant the last one.
ADVISORY_LOCK_ID = 7_305_113


@dataclass(frozen=True, slots=True)
class Quota:
    """A limit on one kind of use by one user in a time span, and the message that refuses more."""

    kind: str
    user: str
    limit: float
    seconds: float
    refusal: str


def spend_quotas(connection: Connection, quotas: Sequence[Quota], amount: float = 1.0) -> None:
    """Count a use against all of these quotas.

    Raise `LimitExceeded` if it exceeds one of them; then no quota counts it.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": ADVISORY_LOCK_ID})
    now = server_time.now()
    connection.execute(delete(quota_uses).where(quota_uses.c.at <= now - DAY))
    for quota in quotas:
        same = (quota_uses.c.kind == quota.kind, quota_uses.c.user == quota.user)
        recent = select(func.sum(quota_uses.c.amount), func.min(quota_uses.c.at))
        used, first = connection.execute(recent.where(*same, quota_uses.c.at > now - quota.seconds)).one()
        if (used or 0.0) + amount > quota.limit:
            wait = quota.seconds if first is None else first + quota.seconds - now
            raise LimitExceeded(quota.refusal, retry_after=max(1.0, wait))
    for kind, user in dict.fromkeys((quota.kind, quota.user) for quota in quotas):
        connection.execute(insert(quota_uses).values(kind=kind, user=user, at=now, amount=amount))


def _hash_user(key: ServerKey, kind: str, user: str | int) -> str:
    return key.sign("quota", kind, user)


# -- confirmation mails -----------------------------------------------------------------------------------------------

MAILS_PER_MAILBOX = 3  # confirmation mails to one address in a day, from all people together
FULL_MAILBOX = msgid("This address has received too many confirmation emails today. Please try again tomorrow.")
MANY_FROM_NETWORK = msgid("Your network has requested too many confirmation emails. Please try again in an hour.")
MANY_FROM_PERSON = msgid("You have requested too many confirmation emails. Please try again in an hour.")
MANY_FROM_NEWCOMER = msgid(
    "Before your first match, you can request only one confirmation email a day. Please start a match first."
)
MANY_THIS_HOUR = msgid("This server has sent too many confirmation emails. Please try again in an hour.")
MANY_TODAY = msgid("This server has sent too many confirmation emails today. Please try again tomorrow.")


def list_mail_quotas(services: Services, mailbox: str, network: str, person: int, newcomer: bool) -> list[Quota]:
    """Return the quotas of one confirmation mail. ``mailbox`` is the keyed hash of the recipient's address."""
    settings = services.settings
    quotas = [Quota("mailbox", mailbox, MAILS_PER_MAILBOX, DAY, FULL_MAILBOX)]
    if settings.limits:
        own = _hash_user(services.key, "person", person)
        quotas.append(Quota("mail of server", "", settings.mails_per_hour, HOUR, MANY_THIS_HOUR))
        quotas.append(Quota("mail of server", "", settings.mails_per_day, DAY, MANY_TODAY))
        if newcomer:
            quotas.append(Quota("mail of person", own, 1, DAY, MANY_FROM_NEWCOMER))
        quotas.append(Quota("mail of person", own, settings.mails_per_sender, HOUR, MANY_FROM_PERSON))
        if network:
            mark = _hash_user(services.key, "network", network)
            quotas.append(Quota("mail of network", mark, settings.mails_per_sender, HOUR, MANY_FROM_NETWORK))
    return quotas


# -- records ----------------------------------------------------------------------------------------------------------

BYTES_PER_MOVE = 10  # quota bytes for each move of a match that is continued from a position
LARGE_NETWORK = msgid("Your network has reached today’s limit for uploaded records. Please try again tomorrow.")
LARGE_PERSON = msgid("You have reached today’s limit for uploaded records. Please try again tomorrow.")


async def spend_upload_quota(services: Services, network: str, person: Person | None, size: int) -> None:
    """Count the bytes of a record that becomes a table. Raise `LimitExceeded` if the day's quota is used up."""
    most = services.settings.upload_per_day
    if not services.settings.limits or not most:
        return
    quotas = [Quota("upload of network", _hash_user(services.key, "network", network), 2.0 * most, DAY, LARGE_NETWORK)]
    if person is not None:
        quotas.append(Quota("upload of person", _hash_user(services.key, "person", person.id), most, DAY, LARGE_PERSON))
    await services.store.write(lambda connection: spend_quotas(connection, quotas, size))
