"""ways back for people: a phrase, passkeys, named devices; who is hidden, was joined, or will be erased."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("erasing", sa.Float(), nullable=False, server_default="0"))
    op.add_column("devices", sa.Column("called", sa.String(length=60), nullable=False, server_default=""))
    op.add_column("devices", sa.Column("seen", sa.Float(), nullable=False, server_default="0"))
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
        sa.Column("signed", sa.Integer(), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=False),
        sa.Column("called", sa.String(length=60), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_passkeys_person", "passkeys", ["person"])
    op.create_table(
        "hidden",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("other", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.ForeignKeyConstraint(["other"], ["people.id"]),
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


def downgrade() -> None:
    for name in ("joins", "hidden", "passkeys", "phrases"):
        op.drop_table(name)
    op.drop_column("devices", "seen")
    op.drop_column("devices", "called")
    op.drop_column("people", "erasing")
