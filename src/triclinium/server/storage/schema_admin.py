"""What is stored for the owner of a server: restraints, orders while it is open, and who the owner is."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text

from triclinium.server.storage.schema import metadata

# Who may not write, or not come in, and until when.
restraints = Table(
    "restraints",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("kind", String(8), primary_key=True),  # mute, ban
    Column("until", Float, nullable=False),
    Column("made", Float, nullable=False),
)

# What an open house is told from the command line, and what became of it; a row is gone when that was read.
orders = Table(
    "orders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("text", Text, nullable=False),  # JSON
    Column("made", Float, nullable=False),
    Column("answer", Text, nullable=False, server_default=""),  # JSON; empty: not yet
)

# What was used of a quota in the last day: see `quotas.py`.
quota_uses = Table(
    "quota_uses",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("user", String(32), nullable=False),  # the mark of a network, person or mailbox; empty: the server
    Column("at", Float, nullable=False),
    Column("amount", Float, nullable=False),
    Index("quota_uses_of", "kind", "user", "at"),
    Index("quota_uses_at", "at"),
)

# One-time links that make a browser the owner's, and the cookies of such browsers: SHA-256 hashes.
owner_keys = Table(
    "owner_keys",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("kind", String(8), nullable=False),  # link, browser
    Column("until", Float, nullable=False),  # when a link expires; 0: never
    Column("made", Float, nullable=False),
)
