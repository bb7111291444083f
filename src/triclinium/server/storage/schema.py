"""What is stored. A table's history is append-only: a row per move and per undo, and the state is their replay."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    true,
)

metadata = MetaData()
REMOVED = "removed"  # the status of a table of which only the result is kept

# Facts of the server itself, each under its name; see `storage/house.py`.
house = Table(
    "house",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

people = Table(
    "people",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(40), nullable=False),  # empty: erased, and called somebody
    Column("made", Float, nullable=False),
    Column("shown", String(8), nullable=False, server_default=""),  # to whom: house, met, nobody; "": as the house does
    Column("rated", Boolean, nullable=False, server_default=true()),  # stands in the standings
    Column("erasing", Float, nullable=False, server_default="0"),  # from when on everything of theirs goes; 0: never
    Column("language", String(8), nullable=False, server_default=""),  # in which they are told
    Column("zone", String(64), nullable=False, server_default=""),  # empty: UTC
    Column("quiet", String(11), nullable=False, server_default=""),  # 22:30-08:00; empty: there are no quiet hours
    Column("digest", Integer, nullable=False, server_default="1080"),  # minutes after midnight
)

# A person's devices: the hash of each cookie.
devices = Table(
    "devices",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False, index=True),
    Column("made", Float, nullable=False),
    Column("called", String(60), nullable=False, server_default=""),  # by its browser
    Column("seen", Float, nullable=False, server_default="0"),
)

# Six words that bring a person back: their mark by the server's key.
phrases = Table(
    "phrases",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("mark", String(32), nullable=False, unique=True),
    Column("made", Float, nullable=False),
)

# Keys that devices hold: the public half, and for which host.
passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(400), primary_key=True),  # base64url
    Column("person", ForeignKey("people.id"), nullable=False, index=True),
    Column("public", Text, nullable=False),  # base64url
    Column("signed", BigInteger, nullable=False),  # so many times: a copied key would lag behind
    Column("host", String(255), nullable=False),
    Column("called", String(60), nullable=False),
    Column("made", Float, nullable=False),
)

# Two who are not shown to each other, at the wish of the first.
hidden = Table(
    "hidden",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("other", ForeignKey("people.id"), primary_key=True),
)

# Somebody who came twice was joined to one: what was theirs, so that it can be parted again for a week.
joins = Table(
    "joins",
    metadata,
    Column("gone", ForeignKey("people.id"), primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False, index=True),
    Column("name", String(40), nullable=False),  # of the person who is gone
    Column("text", Text, nullable=False),  # JSON: the keys of every row that changed hands, by table
    Column("at", Float, nullable=False),
)

# Links that bring a person to another device; used once.
passages = Table(
    "passages",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("until", Float, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("code", String(6), nullable=False, unique=True),
    Column("game", String(40), nullable=False),
    Column("rules", Integer, nullable=False),  # the version of the game's rules
    Column("components", String(16), nullable=False),  # the hash of what rules read
    Column("name", String(60), nullable=False),
    Column("host", ForeignKey("people.id"), nullable=False),
    Column("options", Text, nullable=False),  # JSON: all that was agreed on; see `TableOptions`
    # The options that queries ask for, each in a column of its own as well.
    Column("variants", Text, nullable=False),  # JSON
    Column("shown", String(8), nullable=False),  # link, listed, watched
    Column("remind", Integer, nullable=False),  # seconds, 0: never
    Column("takeover", Integer, nullable=False),  # seconds of absence before a vote for a substitute; 0: the default
    Column("store", Integer, nullable=False),  # seconds of each seat; 0: no clock
    Column("free", Integer, nullable=False),  # seconds of each spell that cost nothing
    Column("seed", String(32), nullable=False),  # 32 hexadecimal digits; empty: the table was removed
    Column("salt", String(32), nullable=False),
    Column("seal", String(64), nullable=False),
    Column("status", String(8), nullable=False),  # waiting, playing, over, closed, removed
    Column("version", Integer, nullable=False),  # rows of its history
    Column("moves", Integer, nullable=False),  # moves that stand
    Column("who", Integer, nullable=False),  # the seat to decide, or -1
    Column("made", Float, nullable=False),
    Column("moved", Float, nullable=False),
    Column("result", Text, nullable=False),  # JSON, rank and total of each seat
    Column("again", String(12), nullable=False),  # the table of the rematch
    Column("origin", String(24), nullable=False),  # played on from there: table/move; or "record"
    Column("practice", Boolean, nullable=False, server_default=false()),  # taken back alone past something learnt
    Column("taken_back", Boolean, nullable=False, server_default=false()),  # the same, with everybody's consent
    Column("hinted", Boolean, nullable=False, server_default=false()),  # a seat has asked for a hint
    Column("guided", Boolean, nullable=False, server_default=false()),  # a seat was told what to do by the guide
    Column("watch_generation", Integer, nullable=False, server_default="0"),  # raised to revoke the spectators' link
    Column("file", String(16), nullable=False, server_default=""),  # the edited components file, if not the printed one
    Column("stands", Boolean, nullable=False, server_default=false()),  # ended by its host, not by its rules
    Column("counted", Float, nullable=False, server_default="0"),  # until when the time of the asked seat is counted
    Column("paused", Float, nullable=False, server_default="0"),  # until when; 0: not
    Column("stamp", Integer, nullable=False, server_default="0"),  # how often it was changed, where servers share it
    Column("broken", Boolean, nullable=False, server_default=false()),  # off, by consent of all
    Column("opener", String(16), nullable=False),  # label of the network that opened it
    Column("reassigned", Boolean, nullable=False, server_default=false()),  # a new player took a vacated seat
    Index("tables_listed", "status", "shown", "made"),
    Index("tables_running", "status", "moved"),
    Index("tables_host", "host", "game", "made"),
)

seats = Table(
    "seats",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # person, hot, bot
    Column("person", ForeignKey("people.id"), nullable=True, index=True),
    Column("name", String(40), nullable=False),
    Column("bot", String(20), nullable=False),
    Column("taken", Boolean, nullable=False),
    Column("standin", String(20), nullable=False),  # the bot that sits in for somebody absent
    Column("generation", Integer, nullable=False),  # raised to revoke the seat's link
    Column("token", String(64), nullable=False),  # hash of the token of a program that plays this seat
    # The clock, in milliseconds: see `tables/store_clock.py`.
    Column("left", Integer, nullable=False, server_default="0"),
    Column("spell", Integer, nullable=False, server_default="0"),
    Column("pending", Integer, nullable=False, server_default="0"),
    Column("timed_out", Boolean, nullable=False, server_default=false()),  # a substitute bot came for lack of time
    Column("awaited", Float, nullable=False, server_default="0"),  # since when, if a substitute bot plays; 0: none
    Column("helped", Boolean, nullable=False, server_default=false()),  # its owner used a hint or the guide
    Index("seats_token", "token"),
)

history = Table(
    "history",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),  # from 1
    Column("kind", String(4), nullable=False),  # move, more (of the same post as the move before), undo
    Column("seat", Integer, nullable=False),
    Column("option", Text, nullable=False),  # in notation
    Column("key", String(64), nullable=False),  # the sender's own, so that a repeated post is known again
    Column("bot", String(20), nullable=False),
    Column("at", Float, nullable=False),
    Column("automatic", Boolean, nullable=False, server_default=false()),  # given unasked, at the seat's own wish
    Column("took", Integer, nullable=False, server_default="0"),  # milliseconds of a store
    Column("asked", Integer, nullable=False, server_default="-1"),  # whose store that was
)

# What seats have left to be answered for them. A wish whose turn or round is over stays and does nothing.
wishes = Table(
    "wishes",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("step", String(40), primary_key=True),  # the id of the step
    Column("until", String(8), nullable=False),  # turn, round, match
    Column("round", Integer, nullable=False),  # in which it was made
    Column("turn", Integer, nullable=False),
    Column("text", Text, nullable=False),  # what is done, a sentence of the game that its catalogue translates
)

# Edited components files that tables were opened with, by the hash of all they say.
components = Table(
    "components",
    metadata,
    Column("hash", String(16), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("rules", String(16), nullable=False),  # the hash of what rules read, as records know it
    Column("text", Text, nullable=False),  # TOML
    Index("components_rules", "game", "rules"),
)

# The last that is known of a match, should its moves not be replayable any more: what each seat and spectators may see,
# and the scores that count when the host ends the match as it stands.
snapshots = Table(
    "snapshots",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("moves", Integer, nullable=False),  # after so many
    Column("text", Text, nullable=False),  # JSON, by seat
)

# Its log, piece by piece: each begins where the one before ends.
snapshot_logs = Table(
    "snapshot_logs",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("moves", Integer, primary_key=True),  # the last that it tells of
    Column("text", Text, nullable=False),  # JSON: the lines, by language; a line names players by their seats
)

# What the server's bot thinks of a match that is over: made once.
reviews = Table(
    "reviews",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("text", Text, nullable=False),  # JSON
    Column("made", Float, nullable=False),
)

watchers = Table(
    "watchers",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("person", ForeignKey("people.id"), primary_key=True),
)

votes = Table(
    "votes",
    metadata,
    Column("table", ForeignKey("tables.id"), nullable=False),
    Column("subject", String(20), nullable=False),  # undo: asks to take back; agree
    Column("seat", Integer, nullable=False),
    Column("version", Integer, nullable=False),  # of the table; a vote lapses when it moves on
    UniqueConstraint("table", "subject", "seat"),
)

chat = Table(
    "chat",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table", ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),  # -1: a spectator; -2: the server
    Column("name", String(100), nullable=False),  # of the speaker; of the server, of everybody it speaks of
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("person", ForeignKey("people.id"), nullable=True, index=True),  # the speaker
    Column("mark", String(32), nullable=True),  # hash of the sender and the sender's key: a repeat is stored once
    Index("chat_of_table", "table", "id"),
    Index("chat_marks", "table", "mark", unique=True),  # rows without a mark never collide
)

# The people whose names the server's own messages hold: the place counts the names of a message from 0.
chat_mentions = Table(
    "chat_mentions",
    metadata,
    Column("chat", ForeignKey("chat.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False, index=True),
)

# Who has got up from a seat after the deal, and how; the first of a seat is whom it was dealt to.
departures = Table(
    "departures",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("turn", Integer, primary_key=True),  # from 0
    Column("person", ForeignKey("people.id"), nullable=True, index=True),
    Column("kind", String(8), nullable=False),  # as in results
    Column("name", String(40), nullable=False),
    Column("how", String(8), nullable=False),  # left, resigned, removed
    Column("moves", Integer, nullable=False),  # after so many
    Column("at", Float, nullable=False),
)

# How far somebody has read the chat of a table.
chat_reads = Table(
    "chat_reads",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("upto", Integer, nullable=False),  # the id of the last message
)
