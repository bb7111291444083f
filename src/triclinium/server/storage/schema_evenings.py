"""Database schema of evenings: their guests, and the tables of their rounds."""

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, UniqueConstraint

from triclinium.server.storage.schema import metadata

evenings = Table(
    "evenings",
    metadata,
    Column("code", String(6), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("host", ForeignKey("people.id"), nullable=False, index=True),
    Column("game", String(40), nullable=False),  # game of the last round, or of the first one
    Column("round", Integer, nullable=False, server_default="0"),  # number of rounds that have started
    Column("made", Float, nullable=False),
    Column("ended", Float, nullable=False, server_default="0"),  # 0: the evening has not ended
)

# Guests, numbered from 1 in the order of arrival. Guests without a device and bots have no person.
guests = Table(
    "guests",
    metadata,
    Column("evening", ForeignKey("evenings.code"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=True, index=True),
    Column("name", String(40), nullable=False),
    Column("bot", String(20), nullable=False, server_default=""),
    Column("status", String(8), nullable=False),  # here, paused, left
    Column("arrived", Float, nullable=False),
    Column("start", Integer, nullable=True),  # points at the start of the first round; empty: none has started
    UniqueConstraint("evening", "person"),
)

# The seats of a round's tables, by the guest who had them at the start.
round_seats = Table(
    "round_seats",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("evening", ForeignKey("evenings.code"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("place", Integer, nullable=False),  # number of the table in the round, from 1
    Column("guest", Integer, nullable=False),
    Column("first", Boolean, nullable=False),  # whether the seat had the first turn
    Index("round_seats_evening", "evening", "round", "place"),
)
