"""links by which anybody reads a match that is over, with its picture"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "shares",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("named", sa.String(length=40), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("mark", sa.String(length=64), nullable=False, server_default=""),
        sa.Column("picture", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("table"),
    )


def downgrade() -> None:
    op.drop_table("shares")
