"""absence: seats whose clock ran out or whose owner was helped, reassigned seats, and what a result may change."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table, name in (("tables", "reassigned"), ("seats", "timed_out"), ("seats", "helped")):
        op.add_column(table, sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("awaited", sa.Float(), nullable=False, server_default="0"))
    op.add_column("results", sa.Column("stake", sa.String(length=8), nullable=False, server_default="full"))
    # Running matches in which a player was helped were announced as unrated to everybody, and stay so.
    tables = sa.table(
        "tables",
        *(sa.column(name, sa.Boolean) for name in ("practice", "hinted", "guided")),
        sa.column("status", sa.String),
    )
    helped = sa.or_(tables.c.hinted, tables.c.guided)
    op.execute(tables.update().where(tables.c.status == "playing", helped).values(practice=sa.true()))


def downgrade() -> None:
    op.drop_column("results", "stake")
    for name in ("awaited", "helped", "timed_out"):
        op.drop_column("seats", name)
    op.drop_column("tables", "reassigned")
