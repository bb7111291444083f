"""Database schema of administration: bans and mutes, commands to a running server, quotas and the owner's keys."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text

from triclinium.server.storage.schema import metadata

# Bans and mutes of people, and when they end.
restraints = Table(
    "restraints",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("kind", String(8), primary_key=True),  # one of: mute, ban
    Column("until", Float, nullable=False),
    Column("made", Float, nullable=False),
)

# Commands from the command line to a running server. A row is deleted when the sender has read the answer.
orders = Table(
    "orders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("text", Text, nullable=False),  # the command as JSON
    Column("made", Float, nullable=False),
    Column("answer", Text, nullable=False, server_default=""),  # JSON; empty: no answer yet
)

# Use of the quotas in the last day: see `accounts/quotas.py`.
quota_uses = Table(
    "quota_uses",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("user", String(32), nullable=False),  # HMAC of a network, person or mailbox; empty: the server
    Column("at", Float, nullable=False),
    Column("amount", Float, nullable=False),
    Index("quota_uses_of", "kind", "user", "at"),
    Index("quota_uses_at", "at"),
)

# SHA-256 hashes of the owner's one-time sign-in links, and of the cookies of the owner's browsers.
owner_keys = Table(
    "owner_keys",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("kind", String(8), nullable=False),  # one of: link, browser
    Column("until", Float, nullable=False),  # when a link expires; 0: never
    Column("made", Float, nullable=False),
)
