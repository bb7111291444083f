"""Database schema of the times that do not count: vacations of players and downtime of the server."""

from sqlalchemy import Column, Float, ForeignKey, Table

from triclinium.server.storage.schema import metadata

# Vacations, during which slow clocks are paused.
away = Table(
    "away",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("start", Float, primary_key=True),
    Column("until", Float, nullable=False),
)

# Downtime of the server. Each entry includes the grace period after it.
closings = Table(
    "closings",
    metadata,
    Column("start", Float, primary_key=True),
    Column("until", Float, nullable=False),
)
