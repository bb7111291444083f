"""Database schema of the workshop: editions of games, studies of them with bots, and playtests with people."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text

from triclinium.server.storage.schema import metadata

# Editions of games, which may be drafts that break constraints. Tables keep their own copy of the text in `components`.
editions = Table(
    "editions",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False, index=True),  # owner
    Column("game", String(40), nullable=False),
    Column("name", String(60), nullable=False),
    Column("text", Text, nullable=False),  # text of the whole components file, TOML
    Column("link", String(24), nullable=False, index=True),  # token of the read-only link; empty: not shared
    Column("revision", Integer, nullable=False),  # number of changes, to notice a change in another tab
    Column("made", Float, nullable=False),
    Column("changed", Float, nullable=False),
)

# Studies of editions with bots. A study keeps all that it needs when its edition is changed or deleted.
studies = Table(
    "studies",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False, index=True),  # owner
    Column("edition", String(12), nullable=False),  # id of the edition, which may have been deleted
    Column("game", String(40), nullable=False),
    Column("name", String(60), nullable=False),  # name of the edition
    Column("plan", Text, nullable=False),  # JSON: the files that the study reads, by name
    Column("state", String(8), nullable=False),  # waiting, running, done, stopped, failed
    Column("made", Float, nullable=False),
    Column("progress", Text, nullable=False),  # JSON: see `study_queue.py`; empty: nothing played yet
    Column("problem", Text, nullable=False),  # the last line of a study that failed
    Column("summary", Text, nullable=False),  # summary.json of the study; empty: not finished
    Column("report", Text, nullable=False),  # report.html of the study
    Column("worker", String(24), nullable=False),  # server that plays it
    Column("leased", Float, nullable=False),  # time until which that server has it
    Index("studies_state", "state", "made"),
)

# Playtests of two editions. They keep copies of the editions; an empty text is the printed game.
playtests = Table(
    "playtests",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False, index=True),  # owner
    Column("game", String(40), nullable=False),
    Column("name", String(60), nullable=False),
    Column("question", String(12), nullable=False),  # main question, a column of `playtest_answers`
    Column("first_name", String(60), nullable=False),
    Column("first_text", Text, nullable=False),
    Column("second_name", String(60), nullable=False),
    Column("second_text", Text, nullable=False),
    Column("key", String(32), nullable=False),  # key of the random assignment, secret until the end
    Column("salt", String(32), nullable=False),
    Column("seal", String(64), nullable=False),  # commitment to the key
    Column("made", Float, nullable=False),
    Column("ended", Float, nullable=False, server_default="0"),  # 0: tables can still join
)

# The tables of a playtest by their place in the random assignment, from 0. The table may have been deleted since.
playtest_tables = Table(
    "playtest_tables",
    metadata,
    Column("playtest", ForeignKey("playtests.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("entry", String(12), nullable=False, index=True),  # id of the table
)

# Answers of players after the match, from 1 to 5. They stay without a name when an account is deleted.
playtest_answers = Table(
    "playtest_answers",
    metadata,
    Column("entry", String(12), primary_key=True),  # id of the table
    Column("seat", Integer, primary_key=True),
    Column("playtest", ForeignKey("playtests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("person", ForeignKey("people.id"), nullable=True, index=True),
    Column("enjoyed", Integer, nullable=False),
    Column("mattered", Integer, nullable=False),
    Column("fair", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("remark", String(300), nullable=False),
    Column("at", Float, nullable=False),
)
