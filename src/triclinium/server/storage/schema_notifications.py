"""What is stored of notifications: the ways to reach people, and the messages."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from triclinium.server.storage.schema import metadata

# Where somebody is told. An address is somebody's secret: it is kept encrypted, and known again by its mark.
ways = Table(
    "ways",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("kind", String(8), nullable=False),  # device, mail, discord, telegram, ntfy, service
    Column("address", Text, nullable=False),
    Column("mark", String(32), nullable=False),
    Column("device", String(64), nullable=False, server_default=""),  # the hash of the cookie that it was made with
    Column("called", String(60), nullable=False, server_default=""),  # of a device: by its browser
    Column("wants", String(60), nullable=False),  # groups of messages, with spaces between
    Column("state", String(8), nullable=False),  # asked (to be confirmed), on, stopped
    Column("reason", Text, nullable=False, server_default=""),  # why it was stopped
    Column("made", Float, nullable=False),
    Column("told", Float, nullable=False, server_default="0"),  # when last
    UniqueConstraint("person", "mark"),
)

# What is to be told, and what has been: a row stays so long that nothing is told twice.
outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("way", ForeignKey("ways.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("table", String(12), nullable=False, server_default=""),  # empty: of no table
    Column("kind", String(10), nullable=False),
    Column("key", String(40), nullable=False),  # what it is about: the version at which somebody was asked, say
    Column("names", Text, nullable=False, server_default="[]"),  # JSON: of whom the message speaks
    Column("made", Float, nullable=False),
    Column("due", Float, nullable=False),
    Column("state", String(8), nullable=False),  # waiting, trying, told, gone, failed
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("at", Float, nullable=False, server_default="0"),  # when it was told, or last tried
    UniqueConstraint("person", "table", "key", "kind", "way"),
    Index("outbox_due", "state", "due"),
)
