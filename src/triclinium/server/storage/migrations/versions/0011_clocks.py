"""clocks and absence: the store of each seat, what moves took, pauses, who is away, when the house was closed."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("store", "free"):
        op.add_column("tables", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    for name in ("counted", "paused"):
        op.add_column("tables", sa.Column(name, sa.Float(), nullable=False, server_default="0"))
    for name in ("broken", "expelled"):
        op.add_column("tables", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    for name in ("left", "spell", "pending"):
        op.add_column("seats", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    op.add_column("history", sa.Column("took", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("history", sa.Column("asked", sa.Integer(), nullable=False, server_default="-1"))
    op.create_table(
        "away",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("start", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("person", "start"),
    )
    op.create_table(
        "closings",
        sa.Column("start", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("start"),
    )


def downgrade() -> None:
    op.drop_table("closings")
    op.drop_table("away")
    for table, names in (
        ("history", ("asked", "took")),
        ("seats", ("pending", "spell", "left")),
        ("tables", ("expelled", "broken", "paused", "counted", "free", "store")),
    ):
        for name in names:
            op.drop_column(table, name)
