"""What is stored of what people give out: links to matches that are over, and keys to programs of theirs."""

from sqlalchemy import Column, Float, ForeignKey, LargeBinary, String, Table

from triclinium.server.storage.schema import metadata

# Links by which anybody reads a match that is over, made by those who sat there.
shares = Table(
    "shares",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("table", ForeignKey("tables.id"), nullable=False, unique=True),
    Column("named", String(40), nullable=False),  # the seats whose players are called by their names: "0 2"
    Column("language", String(8), nullable=False),  # of the picture
    Column("made", Float, nullable=False),
    Column("mark", String(64), nullable=False, server_default=""),  # the hash of what the picture was made of
    Column("picture", LargeBinary, nullable=True),  # PNG
)

# Programs that their owners have registered: each is somebody, and rated so, but not among people.
programs = Table(
    "programs",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("owner", ForeignKey("people.id"), nullable=False, index=True),
    Column("made", Float, nullable=False),
)
