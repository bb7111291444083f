"""edited components files, and the last that is known of a match that cannot be replayed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("file", sa.String(length=16), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("stands", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "components",
        sa.Column("hash", sa.String(length=16), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("components_rules", "components", ["title", "rules"])
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


def downgrade() -> None:
    op.drop_table("snapshot_logs")
    op.drop_table("snapshots")
    op.drop_index("components_rules", "components")
    op.drop_table("components")
    op.drop_column("tables", "stands")
    op.drop_column("tables", "file")
