"""being told: somebody's ways, what is to be sent by them, how far a chat was read, and when to be quiet."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

TEXTS = (("language", 8), ("zone", 64), ("quiet", 11))


def upgrade() -> None:
    for name, length in TEXTS:
        op.add_column("people", sa.Column(name, sa.String(length=length), nullable=False, server_default=""))
    op.add_column("people", sa.Column("digest", sa.Integer(), nullable=False, server_default="1080"))
    op.create_table(
        "ways",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("mark", sa.String(length=32), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False, server_default=""),
        sa.Column("called", sa.String(length=60), nullable=False, server_default=""),
        sa.Column("wants", sa.String(length=60), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False, server_default=""),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("told", sa.Float(), nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person", "mark"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("way", sa.Integer(), nullable=False),
        sa.Column("table", sa.String(length=12), nullable=False, server_default=""),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("names", sa.Text(), nullable=False, server_default="[]"),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("due", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("at", sa.Float(), nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["way"], ["ways.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person", "table", "key", "kind", "way"),
    )
    op.create_index("ix_outbox_way", "outbox", ["way"])
    op.create_index("outbox_due", "outbox", ["state", "due"])
    op.create_table(
        "chat_reads",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("upto", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("table", "person"),
    )


def downgrade() -> None:
    for name in ("chat_reads", "outbox", "ways"):
        op.drop_table(name)
    for name in ("digest", *(name for name, _ in TEXTS)):
        op.drop_column("people", name)
