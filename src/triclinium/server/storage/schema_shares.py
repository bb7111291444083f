"""Database schema of shared matches and bot accounts."""

from sqlalchemy import Column, Float, ForeignKey, LargeBinary, String, Table

from triclinium.server.storage.schema import metadata

# Public links to finished matches, which players of the match have created.
shares = Table(
    "shares",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("table", ForeignKey("tables.id"), nullable=False, unique=True),
    Column("named", String(40), nullable=False),  # seats whose players are shown by name, like "0 2"
    Column("language", String(8), nullable=False),  # language of the texts in the picture
    Column("made", Float, nullable=False),
    Column("mark", String(64), nullable=False, server_default=""),  # hash of the data that the picture shows
    Column("picture", LargeBinary, nullable=True),  # the picture as PNG
)

# Bot accounts and their owners. Each is an account with a rating of its own, apart from people.
programs = Table(
    "programs",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("owner", ForeignKey("people.id"), nullable=False, index=True),
    Column("made", Float, nullable=False),
)
