"""Database schema of exercises: decisions from a person's own matches, and the matches that wait for their review."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text

from triclinium.server.storage.schema import metadata

# Finished matches of people whose review and exercises have not been made.
review_queue = Table(
    "review_queue",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("at", Float, nullable=False),  # not before this time
    Column("tries", Integer, nullable=False, server_default="0"),
)

exercises = Table(
    "exercises",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("table", ForeignKey("tables.id"), nullable=True, index=True),  # empty: an exercise that the game brings
    Column("place", Integer, nullable=False),  # number of moves before the decision, or number of the game's exercise
    Column("game", String(40), nullable=False),
    Column("kind", Text, nullable=False),  # kind of the decision, a message of the game's catalogue
    Column("cost", Float, nullable=False),  # in win probability
    Column("decision", Text, nullable=False),  # JSON: the ranked options; empty: see the game's exercise
    Column("made", Float, nullable=False),
    Column("due", Float, nullable=False),
    Column("solved", Integer, nullable=False, server_default="0"),  # number of times
    Column("answers", Integer, nullable=False, server_default="0"),
    Column(
        "answer", Text, nullable=False, server_default=""
    ),  # the last answer, in notation; empty: the person gave up
    Column("answered", Float, nullable=False, server_default="0"),
    Index("exercises_person", "person", "due"),
)

# The cost of a person's decisions in each reviewed match.
losses = Table(
    "losses",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("game", String(40), nullable=False),
    Column("loss", Float, nullable=False),  # sum over the decisions, in win probability
    Column("decisions", Integer, nullable=False),
    Column("at", Float, nullable=False),  # end of the match
    Index("losses_person", "person", "at"),
)
