"""Database schema of tables, players and accounts.

A table's history is append-only, with one row for each move and each undo. The server replays it to get the match.
"""

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
REMOVED = "removed"  # status of a table of which only the results are stored

# Key-value pairs of the server itself: see `key_value.py`.
key_values = Table(
    "key_values",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

people = Table(
    "people",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(40), nullable=False),  # empty after the account was erased
    Column("made", Float, nullable=False),
    Column("shown", String(8), nullable=False, server_default=""),  # visible to `server` (all), `met`, `nobody`
    Column("rated", Boolean, nullable=False, server_default=true()),  # whether the person appears on leaderboards
    Column("erasing", Float, nullable=False, server_default="0"),  # when the account's data is erased; 0: never
    Column("language", String(8), nullable=False, server_default=""),  # language of the person's notifications
    Column("zone", String(64), nullable=False, server_default=""),  # time zone of the person; empty: UTC
    Column("quiet", String(11), nullable=False, server_default=""),  # quiet hours, like 22:30-08:00; empty: none
    Column("digest", Integer, nullable=False, server_default="1080"),  # time of the digest, minutes after midnight
    Column("studied", Boolean, nullable=False, server_default=false()),  # consent: finished matches count in studies
)

# The devices on which a person is signed in, with the hash of each device's cookie.
devices = Table(
    "devices",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False, index=True),
    Column("made", Float, nullable=False),
    Column("called", String(60), nullable=False, server_default=""),  # name of the browser, such as "Firefox, Linux"
    Column("seen", Float, nullable=False, server_default="0"),
)

# Recovery phrases, stored as an HMAC with the server's key.
phrases = Table(
    "phrases",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("mark", String(32), nullable=False, unique=True),
    Column("made", Float, nullable=False),
)

# Passkeys: the public key, and the host for which it was created.
passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(400), primary_key=True),  # id of the passkey, base64url
    Column("person", ForeignKey("people.id"), nullable=False, index=True),
    Column("public", Text, nullable=False),  # public key of the passkey, as base64url
    Column("signed", BigInteger, nullable=False),  # signature counter, which exposes a copied key
    Column("host", String(255), nullable=False),
    Column("called", String(60), nullable=False),
    Column("made", Float, nullable=False),
)

# Hidden people: the person does not want to see the other, and neither is shown to the other.
hidden = Table(
    "hidden",
    metadata,
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("other", ForeignKey("people.id"), primary_key=True),
)

# Merged accounts: the data of the removed account, so that the merge can be undone for a week.
joins = Table(
    "joins",
    metadata,
    Column("gone", ForeignKey("people.id"), primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False, index=True),
    Column("name", String(40), nullable=False),  # name of the removed account
    Column("text", Text, nullable=False),  # JSON: the keys of every row that changed its owner, by table
    Column("at", Float, nullable=False),
)

# One-time links that sign a person in on another device.
passages = Table(
    "passages",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("until", Float, nullable=False),
)

# Deals that several tables can play; see `tables/deals.py`.
deals = Table(
    "deals",
    metadata,
    Column("id", String(60), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("components", String(16), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("variants", Text, nullable=False),  # JSON, as in tables
    Column("seed", String(32), nullable=False),
    Column("salt", String(32), nullable=False),
    Column("seal", String(64), nullable=False),
    Column("made", Float, nullable=False),
    Column("until", Float, nullable=False),  # when the deal closes
    Column("day", String(10), nullable=False),  # date of a deal of the day; empty: people made it
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("code", String(6), nullable=False, unique=True),
    Column("game", String(40), nullable=False),
    Column("rules", Integer, nullable=False),  # version of the game's rules
    Column("components", String(16), nullable=False),  # hash of the components that the rules read
    Column("name", String(60), nullable=False),
    Column("host", ForeignKey("people.id"), nullable=False),
    Column("options", Text, nullable=False),  # JSON: all options of the table; see `TableOptions`
    # Options that queries filter by, each in a column of its own as well.
    Column("variants", Text, nullable=False),  # variants of the game, as JSON
    Column("shown", String(8), nullable=False),  # visibility of the table: link, listed or watched
    Column("remind", Integer, nullable=False),  # seconds before a reminder; 0: never
    Column("takeover", Integer, nullable=False),  # seconds until a vote for a substitute bot; 0: default
    Column("store", Integer, nullable=False),  # time bank of each seat, in seconds; 0: no clock
    Column("free", Integer, nullable=False),  # free seconds of each turn
    Column("seed", String(32), nullable=False),  # 32 hexadecimal digits; empty: the table was removed
    Column("salt", String(32), nullable=False),
    Column("seal", String(64), nullable=False),
    Column("status", String(8), nullable=False),  # waiting, playing, over, closed, removed
    Column("version", Integer, nullable=False),  # number of rows in the table's history
    Column("moves", Integer, nullable=False),  # number of moves that are not undone
    Column("who", Integer, nullable=False),  # seat that has to decide, or -1
    Column("made", Float, nullable=False),
    Column("moved", Float, nullable=False),
    Column("result", Text, nullable=False),  # JSON list with the rank and total of each seat
    Column("rematch", String(12), nullable=False),  # id of the table of the rematch
    Column("origin", String(24), nullable=False),  # source of a continued match: table/move or "record"
    Column("practice", Boolean, nullable=False, server_default=false()),  # undone alone after information was revealed
    # Undone by consent of all players, after information was revealed.
    Column("undone_by_consent", Boolean, nullable=False, server_default=false()),
    Column("hinted", Boolean, nullable=False, server_default=false()),  # a seat has asked for a hint
    Column("watch_generation", Integer, nullable=False, server_default="0"),  # raised to revoke the spectators' link
    Column("file", String(16), nullable=False, server_default=""),  # hash of edited components; empty: as printed
    Column("ended_early", Boolean, nullable=False, server_default=false()),  # ended early by consent of all players
    Column("counted", Float, nullable=False, server_default="0"),  # end of the time already charged to the asked seat
    Column("paused", Float, nullable=False, server_default="0"),  # end of the pause; 0: not paused
    Column("stamp", Integer, nullable=False, server_default="0"),  # number of changes, on a shared database
    Column("abandoned", Boolean, nullable=False, server_default=false()),  # abandoned by consent of all players
    Column("opener", String(16), nullable=False),  # HMAC of the network it was created from
    Column("reassigned", Boolean, nullable=False, server_default=false()),  # a new player took a vacated seat
    Column("deal", String(60), nullable=False, server_default=""),  # shared deal; empty: the table has its own cards
    Column("deal_until", Float, nullable=False, server_default="0"),  # when its deal closes
    Column("revealed", Boolean, nullable=False, server_default=false()),  # everyone may know its edition in a playtest
    Index("tables_deal", "deal"),
    Index("tables_listed", "status", "shown", "made"),
    Index("tables_running", "status", "moved"),
    Index("tables_host", "host", "game", "made"),
)

seats = Table(
    "seats",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # person, hot (at a shared device), bot
    Column("person", ForeignKey("people.id"), nullable=True, index=True),
    Column("name", String(40), nullable=False),
    Column("bot", String(20), nullable=False),
    Column("taken", Boolean, nullable=False),
    Column("substitute", String(20), nullable=False),  # bot that plays for an absent player
    Column("generation", Integer, nullable=False),  # raised to revoke the seat's link
    Column("token", String(64), nullable=False),  # hash of the API token that plays this seat
    # Time bank, in milliseconds: see `tables/time_bank.py`.
    Column("left", Integer, nullable=False, server_default="0"),
    Column("free_used", Integer, nullable=False, server_default="0"),
    Column("pending", Integer, nullable=False, server_default="0"),
    Column("timed_out", Boolean, nullable=False, server_default=false()),  # substitute bot plays: time ran out
    Column("awaited", Float, nullable=False, server_default="0"),  # start of the absence; 0: no substitute bot
    Column("helped", Boolean, nullable=False, server_default=false()),  # its owner used a hint
    Index("seats_token", "token"),
)

history = Table(
    "history",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),  # counts the rows from 1
    Column("kind", String(4), nullable=False),  # move, more (later move of the same request), undo
    Column("seat", Integer, nullable=False),
    Column("option", Text, nullable=False),  # the option in notation
    Column("key", String(64), nullable=False),  # key that the sender chose, to recognize a repeated request
    Column("bot", String(20), nullable=False),
    Column("at", Float, nullable=False),
    Column("automatic", Boolean, nullable=False, server_default=false()),  # auto-reply that the seat had set
    Column("took", Integer, nullable=False, server_default="0"),  # milliseconds charged to a time bank
    Column("asked", Integer, nullable=False, server_default="-1"),  # seat whose time bank was charged; -1: none
)

# Auto-replies of the seats. A row whose turn or round is over remains but has no effect.
wishes = Table(
    "wishes",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("step", String(40), primary_key=True),  # id of the game's step
    Column("until", String(8), nullable=False),  # one of: turn, round, match
    Column("round", Integer, nullable=False),  # round in which it was set
    Column("turn", Integer, nullable=False),
    Column("text", Text, nullable=False),  # description of the reply, a message of the game's catalogue
)

# Edited components files of tables, by the hash of the whole text.
components = Table(
    "components",
    metadata,
    Column("hash", String(16), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("rules", String(16), nullable=False),  # hash of the components that the rules read, as in records
    Column("text", Text, nullable=False),  # text of the file, TOML
    Index("components_rules", "game", "rules"),
)

# Last known views and scores of a match, in case its moves can no longer be replayed: the view of each seat and of
# spectators, and the scores that become the result if the players end the match early.
snapshots = Table(
    "snapshots",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("moves", Integer, nullable=False),  # number of moves made by then
    Column("text", Text, nullable=False),  # JSON: views by seat, and scores
)

# Game log of a snapshot in parts: each part begins where the one before it ends.
snapshot_logs = Table(
    "snapshot_logs",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("moves", Integer, primary_key=True),  # last move in this part
    Column("text", Text, nullable=False),  # JSON: lines by language; they refer to players by seat
)

# The server's reviews of finished matches, each computed once.
reviews = Table(
    "reviews",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("text", Text, nullable=False),  # the review as JSON
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
    Column("subject", String(20), nullable=False),  # undo (a request to undo), agree (consent to it)
    Column("seat", Integer, nullable=False),
    Column("version", Integer, nullable=False),  # version of the table; a vote lapses when it changes
    UniqueConstraint("table", "subject", "seat"),
)

chat = Table(
    "chat",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table", ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),  # -1: a spectator; -2: the server
    # Name of the sender. In a message of the server: names of the people that it mentions.
    Column("name", String(100), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("person", ForeignKey("people.id"), nullable=True, index=True),  # account of the sender
    Column("mark", String(32), nullable=True),  # hash of the sender and their key, to store a repeated request once
    Index("chat_of_table", "table", "id"),
    Index("chat_marks", "table", "mark", unique=True),  # rows without a mark never collide
)

# The people that a message of the server mentions. ``place`` counts the names in the message from 0.
chat_mentions = Table(
    "chat_mentions",
    metadata,
    Column("chat", ForeignKey("chat.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False, index=True),
)

# Players who left a seat after the match had begun. The first row of a seat is its first player.
departures = Table(
    "departures",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("turn", Integer, primary_key=True),  # counts the players of the seat from 0
    Column("person", ForeignKey("people.id"), nullable=True, index=True),
    Column("kind", String(8), nullable=False),  # same kinds as in results
    Column("name", String(40), nullable=False),
    Column("how", String(12), nullable=False),  # one of: left, resigned, removed
    Column("moves", Integer, nullable=False),  # number of moves made by then
    Column("at", Float, nullable=False),
)

# The last chat message at each table that a person has read.
chat_reads = Table(
    "chat_reads",
    metadata,
    Column("table", ForeignKey("tables.id"), primary_key=True),
    Column("person", ForeignKey("people.id"), primary_key=True),
    Column("upto", Integer, nullable=False),  # id of the last message
)
