"""What is stored of matches that have ended: how, and what that says of who plays how well."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text

from triclinium.server.storage.schema import metadata

# How a match ended: a row for each seat, and one for each who got up from it before the end.
results = Table(
    "results",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("turn", Integer, primary_key=True),  # the last of a seat is who sat there at the end
    Column("number", Integer, nullable=False, index=True),  # of the match, in the order of ending
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("person", ForeignKey("people.id"), nullable=True),
    Column("kind", String(8), nullable=False),  # person, program, hot, bot
    Column("name", String(40), nullable=False),  # of a bot or a guest at somebody's device; people have their own
    Column("bot", String(20), nullable=False),
    Column("rank", Integer, nullable=False),  # whoever did not play to the end comes last
    Column("total", Integer, nullable=True),  # of the seat, whoever finished it; none in a game of ranks
    Column("how", String(8), nullable=False),  # finished, resigned, left, removed, joined (late), broken (off)
    Column("standin", Float, nullable=False),  # the share of the seat's decisions that a bot made for its owner
    Column("decisions", Integer, nullable=False),  # own ones
    Column("seconds", Float, nullable=False),  # that they took
    Column("opening", Text, nullable=False),  # the first two of them in notation
    Column("unrated", String(16), nullable=False),  # why the match does not count; empty: it may
    Column("stake", String(8), nullable=False, server_default="full"),  # full, lose (no gain), none
    Column("ended", Float, nullable=False),
    Index("results_person", "person", "number"),
    Index("results_game", "game", "number"),
)

# Ratings are a fold over results in the order of their numbers; they can be made anew at any time.
ratings = Table(
    "ratings",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("alone", Integer, nullable=False),  # of these, against bots only
)

rating_steps = Table(
    "rating_steps",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("game", String(40), nullable=False),
    Column("mu_before", Float, nullable=False),
    Column("sigma_before", Float, nullable=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("at", Float, nullable=False),
    Index("rating_steps_person", "person", "game", "number"),
    Index("rating_steps_game", "game", "at"),
)
