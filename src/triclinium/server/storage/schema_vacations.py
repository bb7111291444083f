"""What is stored of time that does not count."""

from sqlalchemy import Column, Float, ForeignKey, Table

from triclinium.server.storage.schema import metadata

# When somebody said that they are away: slow clocks rest.
away = Table(
    "away",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("start", Float, primary_key=True),
    Column("until", Float, nullable=False),
)

# When the server was closed, each with the time of grace after it.
closings = Table(
    "closings",
    metadata,
    Column("start", Float, primary_key=True),
    Column("until", Float, nullable=False),
)
