"""the first server."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _people()
    _devices()
    _passages()
    _tables()
    _chat()
    _history()
    _seats()
    _votes()
    _watchers()


def _people() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )


def _devices() -> None:
    op.create_table(
        "devices",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.PrimaryKeyConstraint("hash"),
    )
    with op.batch_alter_table("devices", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_devices_person"), ["person"], unique=False)


def _passages() -> None:
    op.create_table(
        "passages",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.PrimaryKeyConstraint("hash"),
    )


def _tables() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("code", sa.String(length=6), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("components", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("host", sa.Integer(), nullable=False),
        sa.Column("variants", sa.Text(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.Column("shown", sa.String(length=8), nullable=False),
        sa.Column("undo", sa.Boolean(), nullable=False),
        sa.Column("hints", sa.Boolean(), nullable=False),
        sa.Column("shuffle", sa.Boolean(), nullable=False),
        sa.Column("remind", sa.Integer(), nullable=False),
        sa.Column("takeover", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("who", sa.Integer(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("moved", sa.Float(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("again", sa.String(length=12), nullable=False),
        sa.Column("origin", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(
            ["host"],
            ["people.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("code"),
    )
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.create_index("tables_listed", ["status", "shown", "made"], unique=False)
        batch_op.create_index("tables_running", ["status", "moved"], unique=False)


def _chat() -> None:
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.create_index("chat_of_table", ["table", "id"], unique=False)


def _history() -> None:
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
        sa.ForeignKeyConstraint(
            ["table"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table", "version"),
    )


def _seats() -> None:
    op.create_table(
        "seats",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("bot", sa.String(length=20), nullable=False),
        sa.Column("taken", sa.Boolean(), nullable=False),
        sa.Column("standin", sa.String(length=20), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.ForeignKeyConstraint(
            ["table"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table", "seat"),
    )
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seats_person"), ["person"], unique=False)
        batch_op.create_index("seats_token", ["token"], unique=False)


def _votes() -> None:
    op.create_table(
        "votes",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("subject", sa.String(length=20), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table"],
            ["tables.id"],
        ),
        sa.UniqueConstraint("table", "subject", "seat"),
    )


def _watchers() -> None:
    op.create_table(
        "watchers",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"],
            ["people.id"],
        ),
        sa.ForeignKeyConstraint(
            ["table"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table", "person"),
    )


def downgrade() -> None:
    op.drop_table("watchers")
    op.drop_table("votes")
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.drop_index("seats_token")
        batch_op.drop_index(batch_op.f("ix_seats_person"))

    op.drop_table("seats")
    op.drop_table("history")
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.drop_index("chat_of_table")

    op.drop_table("chat")
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.drop_index("tables_running")
        batch_op.drop_index("tables_listed")

    op.drop_table("tables")
    op.drop_table("passages")
    with op.batch_alter_table("devices", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_devices_person"))

    op.drop_table("devices")
    op.drop_table("people")
