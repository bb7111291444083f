"""Baseline: create every table.

Revisions below 0100 belong to databases of development versions, which `revisions.py` refuses. This migration may be
edited until 1.0.0 is tagged. After that, every change of the schema is a new migration.
"""

import sqlalchemy as sa
from alembic import op

revision = "0100"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_people()
    _create_tables()
    _create_chat()
    _create_stored_positions()
    _create_results()
    _create_evenings()
    _create_practice()
    _create_notifications()
    _create_server()
    _create_workshop()


def _create_people() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("shown", sa.String(length=8), server_default="", nullable=False),
        sa.Column("rated", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("erasing", sa.Float(), server_default="0", nullable=False),
        sa.Column("language", sa.String(length=8), server_default="", nullable=False),
        sa.Column("zone", sa.String(length=64), server_default="", nullable=False),
        sa.Column("quiet", sa.String(length=11), server_default="", nullable=False),
        sa.Column("digest", sa.Integer(), server_default="1080", nullable=False),
        sa.Column("studied", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "devices",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("called", sa.String(length=60), server_default="", nullable=False),
        sa.Column("seen", sa.Float(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("ix_devices_person", "devices", ["person"])
    op.create_table(
        "phrases",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("mark", sa.String(length=32), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("person"),
        sa.UniqueConstraint("mark"),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(length=400), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("public", sa.Text(), nullable=False),
        sa.Column("signed", sa.BigInteger(), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("called", sa.String(length=60), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_passkeys_person", "passkeys", ["person"])
    op.create_table(
        "passages",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_table(
        "hidden",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("other", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["other"], ["people.id"]),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("person", "other"),
    )
    op.create_table(
        "joins",
        sa.Column("gone", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["gone"], ["people.id"]),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("gone"),
    )
    op.create_index("ix_joins_person", "joins", ["person"])
    op.create_table(
        "away",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("start", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("person", "start"),
    )
    op.create_table(
        "programs",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("owner", sa.Integer(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["people.id"]),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("person"),
    )
    op.create_index("ix_programs_owner", "programs", ["owner"])
    op.create_table(
        "restraints",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("person", "kind"),
    )


def _create_tables() -> None:
    op.create_table(
        "deals",
        sa.Column("id", sa.String(length=60), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("components", sa.String(length=16), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("variants", sa.Text(), nullable=False),
        sa.Column("seed", sa.String(length=32), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("code", sa.String(length=6), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("components", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("host", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("variants", sa.Text(), nullable=False),
        sa.Column("shown", sa.String(length=8), nullable=False),
        sa.Column("remind", sa.Integer(), nullable=False),
        sa.Column("takeover", sa.Integer(), nullable=False),
        sa.Column("store", sa.Integer(), nullable=False),
        sa.Column("free", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(length=32), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("who", sa.Integer(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("moved", sa.Float(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("rematch", sa.String(length=12), nullable=False),
        sa.Column("origin", sa.String(length=24), nullable=False),
        sa.Column("practice", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("undone_by_consent", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("hinted", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("watch_generation", sa.Integer(), server_default="0", nullable=False),
        sa.Column("file", sa.String(length=16), server_default="", nullable=False),
        sa.Column("ended_early", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("counted", sa.Float(), server_default="0", nullable=False),
        sa.Column("paused", sa.Float(), server_default="0", nullable=False),
        sa.Column("stamp", sa.Integer(), server_default="0", nullable=False),
        sa.Column("abandoned", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("opener", sa.String(length=16), nullable=False),
        sa.Column("reassigned", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("deal", sa.String(length=60), server_default="", nullable=False),
        sa.Column("deal_until", sa.Float(), server_default="0", nullable=False),
        sa.Column("revealed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["host"], ["people.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("code"),
    )
    op.create_index("tables_deal", "tables", ["deal"])
    op.create_index("tables_host", "tables", ["host", "game", "made"])
    op.create_index("tables_listed", "tables", ["status", "shown", "made"])
    op.create_index("tables_running", "tables", ["status", "moved"])
    op.create_table(
        "seats",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("bot", sa.String(length=20), nullable=False),
        sa.Column("taken", sa.Boolean(), nullable=False),
        sa.Column("substitute", sa.String(length=20), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("left", sa.Integer(), server_default="0", nullable=False),
        sa.Column("free_used", sa.Integer(), server_default="0", nullable=False),
        sa.Column("pending", sa.Integer(), server_default="0", nullable=False),
        sa.Column("timed_out", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("awaited", sa.Float(), server_default="0", nullable=False),
        sa.Column("helped", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "seat"),
    )
    op.create_index("ix_seats_person", "seats", ["person"])
    op.create_index("seats_token", "seats", ["token"])
    op.create_table(
        "history",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=4), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("option", sa.Text(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("bot", sa.String(length=20), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("automatic", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("took", sa.Integer(), server_default="0", nullable=False),
        sa.Column("asked", sa.Integer(), server_default="-1", nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "version"),
    )
    op.create_table(
        "wishes",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(length=40), nullable=False),
        sa.Column("until", sa.String(length=8), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "seat", "step"),
    )
    op.create_table(
        "votes",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("subject", sa.String(length=20), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.UniqueConstraint("table", "subject", "seat"),
    )
    op.create_table(
        "watchers",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "person"),
    )
    op.create_table(
        "departures",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("how", sa.String(length=12), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "seat", "turn"),
    )
    op.create_index("ix_departures_person", "departures", ["person"])


def _create_chat() -> None:
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("mark", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("chat_marks", "chat", ["table", "mark"], unique=True)
    op.create_index("chat_of_table", "chat", ["table", "id"])
    op.create_index("ix_chat_person", "chat", ["person"])
    op.create_table(
        "chat_mentions",
        sa.Column("chat", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["chat"], ["chat.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("chat", "place"),
    )
    op.create_index("ix_chat_mentions_person", "chat_mentions", ["person"])
    op.create_table(
        "chat_reads",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("upto", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "person"),
    )


def _create_stored_positions() -> None:
    op.create_table(
        "components",
        sa.Column("hash", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("components_rules", "components", ["game", "rules"])
    op.create_table(
        "snapshots",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table"),
    )
    op.create_table(
        "snapshot_logs",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "moves"),
    )
    op.create_table(
        "reviews",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table"),
    )


def _create_results() -> None:
    op.create_table(
        "results",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("bot", sa.String(length=20), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("how", sa.String(length=12), nullable=False),
        sa.Column("substitute", sa.Float(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("opening", sa.Text(), nullable=False),
        sa.Column("unrated", sa.String(length=16), nullable=False),
        sa.Column("stake", sa.String(length=8), server_default="full", nullable=False),
        sa.Column("ended", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "seat", "turn"),
    )
    op.create_index("ix_results_number", "results", ["number"])
    op.create_index("results_person", "results", ["person", "number"])
    op.create_index("results_game", "results", ["game", "number"])
    op.create_table(
        "ratings",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("alone", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("person", "game"),
    )
    op.create_table(
        "rating_steps",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("mu_before", sa.Float(), nullable=False),
        sa.Column("sigma_before", sa.Float(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "person"),
    )
    op.create_index("rating_steps_person", "rating_steps", ["person", "game", "number"])
    op.create_index("rating_steps_game", "rating_steps", ["game", "at"])
    op.create_table(
        "shares",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("named", sa.String(length=40), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("mark", sa.String(length=64), server_default="", nullable=False),
        sa.Column("picture", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("table"),
    )


def _create_evenings() -> None:
    op.create_table(
        "evenings",
        sa.Column("code", sa.String(length=6), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("host", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("round", sa.Integer(), server_default="0", nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["host"], ["people.id"]),
        sa.PrimaryKeyConstraint("code"),
    )
    op.create_index("ix_evenings_host", "evenings", ["host"])
    op.create_table(
        "guests",
        sa.Column("evening", sa.String(length=6), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("bot", sa.String(length=20), server_default="", nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("arrived", sa.Float(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["evening"], ["evenings.code"]),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("evening", "number"),
        sa.UniqueConstraint("evening", "person"),
    )
    op.create_index("ix_guests_person", "guests", ["person"])
    op.create_table(
        "round_seats",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("evening", sa.String(length=6), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("guest", sa.Integer(), nullable=False),
        sa.Column("first", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["evening"], ["evenings.code"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "seat"),
    )
    op.create_index("round_seats_evening", "round_seats", ["evening", "round", "place"])


def _create_practice() -> None:
    op.create_table(
        "review_queue",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table"),
    )
    op.create_table(
        "exercises",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("table", sa.String(length=12), nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("due", sa.Float(), nullable=False),
        sa.Column("solved", sa.Integer(), server_default="0", nullable=False),
        sa.Column("answers", sa.Integer(), server_default="0", nullable=False),
        sa.Column("answer", sa.Text(), server_default="", nullable=False),
        sa.Column("answered", sa.Float(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("exercises_person", "exercises", ["person", "due"], unique=False)
    op.create_index(op.f("ix_exercises_table"), "exercises", ["table"], unique=False)
    op.create_table(
        "losses",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("loss", sa.Float(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "seat"),
    )
    op.create_index("losses_person", "losses", ["person", "at"], unique=False)


def _create_notifications() -> None:
    op.create_table(
        "ways",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("mark", sa.String(length=32), nullable=False),
        sa.Column("device", sa.String(length=64), server_default="", nullable=False),
        sa.Column("called", sa.String(length=60), server_default="", nullable=False),
        sa.Column("wants", sa.String(length=60), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("notified", sa.Float(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person", "mark"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("way", sa.Integer(), nullable=False),
        sa.Column("table", sa.String(length=12), server_default="", nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("names", sa.Text(), server_default="[]", nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("due", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("at", sa.Float(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["way"], ["ways.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person", "table", "key", "kind", "way"),
    )
    op.create_index("ix_outbox_way", "outbox", ["way"])
    op.create_index("outbox_due", "outbox", ["state", "due"])


def _create_server() -> None:
    op.create_table(
        "key_values",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "closings",
        sa.Column("start", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("start"),
    )
    op.create_table(
        "orders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("answer", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "quota_uses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("amount", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("quota_uses_at", "quota_uses", ["at"])
    op.create_index("quota_uses_of", "quota_uses", ["kind", "user", "at"])
    op.create_table(
        "owner_keys",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )


def _create_workshop() -> None:
    op.create_table(
        "editions",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("link", sa.String(length=24), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_editions_person", "editions", ["person"])
    op.create_index("ix_editions_link", "editions", ["link"])
    op.create_table(
        "studies",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("edition", sa.String(length=12), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("progress", sa.Text(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("worker", sa.String(length=24), nullable=False),
        sa.Column("leased", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
    )
    op.create_index("ix_studies_person", "studies", ["person"])
    op.create_index("studies_state", "studies", ["state", "made"])
    op.create_table(
        "playtests",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("question", sa.String(length=12), nullable=False),
        sa.Column("first_name", sa.String(length=60), nullable=False),
        sa.Column("first_text", sa.Text(), nullable=False),
        sa.Column("second_name", sa.String(length=60), nullable=False),
        sa.Column("second_text", sa.Text(), nullable=False),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_playtests_person", "playtests", ["person"])
    op.create_table(
        "playtest_tables",
        sa.Column("playtest", sa.String(length=12), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("entry", sa.String(length=12), nullable=False),
        sa.ForeignKeyConstraint(["playtest"], ["playtests.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("playtest", "place"),
    )
    op.create_index("ix_playtest_tables_entry", "playtest_tables", ["entry"])
    op.create_table(
        "playtest_answers",
        sa.Column("entry", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("playtest", sa.String(length=12), nullable=False),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("enjoyed", sa.Integer(), nullable=False),
        sa.Column("mattered", sa.Integer(), nullable=False),
        sa.Column("fair", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("remark", sa.String(length=300), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["playtest"], ["playtests.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("entry", "seat"),
    )
    op.create_index("ix_playtest_answers_playtest", "playtest_answers", ["playtest"])
    op.create_index("ix_playtest_answers_person", "playtest_answers", ["person"])
