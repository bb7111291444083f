"""Database schema of the workshop: editions of games, and studies of them."""

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
