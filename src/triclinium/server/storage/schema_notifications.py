"""Database schema of notifications: the channels of each person and the messages."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from triclinium.server.storage.schema import metadata

# Notification channels. Addresses are encrypted; an HMAC (``mark``) identifies an address that is already known.
ways = Table(
    "ways",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("kind", String(8), nullable=False),  # one of: device, mail, discord, telegram, ntfy, service
    Column("address", Text, nullable=False),
    Column("mark", String(32), nullable=False),
    Column("device", String(64), nullable=False, server_default=""),  # hash of the cookie of the device that added it
    Column("called", String(60), nullable=False, server_default=""),  # name of a device's browser
    Column("wants", String(60), nullable=False),  # groups of messages, separated by spaces
    Column("state", String(8), nullable=False),  # one of: asked (to be confirmed), on, stopped
    Column("reason", Text, nullable=False, server_default=""),  # why the channel was stopped
    Column("made", Float, nullable=False),
    Column("notified", Float, nullable=False, server_default="0"),  # time of the last message
    UniqueConstraint("person", "mark"),
)

# Messages to send and messages already sent. Sent rows stay long enough that no message is sent twice.
outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("way", ForeignKey("ways.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("table", String(12), nullable=False, server_default=""),  # empty: not about a table
    Column("kind", String(10), nullable=False),
    Column("key", String(40), nullable=False),  # event that the message is about, such as the table's version
    Column("names", Text, nullable=False, server_default="[]"),  # JSON: the players whom the message mentions
    Column("made", Float, nullable=False),
    Column("due", Float, nullable=False),
    Column("state", String(8), nullable=False),  # one of: waiting, trying, told, gone, failed
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("at", Float, nullable=False, server_default="0"),  # when it was sent or last tried
    UniqueConstraint("person", "table", "key", "kind", "way"),
    Index("outbox_due", "state", "due"),
)
