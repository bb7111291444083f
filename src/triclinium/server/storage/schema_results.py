"""Database schema of finished matches and of the ratings computed from them."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text

from triclinium.server.storage.schema import metadata

# Results: a row for each seat, and one for each player who left the seat before the end.
results = Table(
    "results",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("turn", Integer, primary_key=True),  # counts the players of a seat; the last one had it at the end
    Column("number", Integer, nullable=False, index=True),  # number of the match, in the order of ending
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("person", ForeignKey("people.id"), nullable=True),
    Column("kind", String(8), nullable=False),  # one of: person, program, hot, bot
    Column("name", String(40), nullable=False),  # name of a bot or of a guest at a shared device; people have their own
    Column("bot", String(20), nullable=False),
    Column("rank", Integer, nullable=False),  # a player who left before the end ranks last
    Column("total", Integer, nullable=True),  # points of the seat at the end; empty in a game without points
    Column("how", String(12), nullable=False),  # finished, resigned, left, removed, joined (late), abandoned
    Column("substitute", Float, nullable=False),  # share of the seat's decisions that a substitute bot made
    Column("decisions", Integer, nullable=False),  # number of decisions that the player made
    Column("seconds", Float, nullable=False),  # time that the player's decisions took
    Column("opening", Text, nullable=False),  # the player's first two decisions, in notation
    Column("unrated", String(16), nullable=False),  # why the match is unrated; empty: it can be rated
    Column("stake", String(8), nullable=False, server_default="full"),  # full, lose (can only lose rating), none
    Column("ended", Float, nullable=False),
    Index("results_person", "person", "number"),
    Index("results_game", "game", "number"),
)

# Ratings, computed from the results in the order of their numbers. The server can recompute them at any time.
ratings = Table(
    "ratings",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("game", String(40), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("alone", Integer, nullable=False),  # number of rated matches against bots only
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
