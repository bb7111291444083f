"""quotas of networks, people and the server"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "quota_uses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("user", sa.String(32), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("amount", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("quota_uses_of", "quota_uses", ["kind", "user", "at"])
    op.create_index("quota_uses_at", "quota_uses", ["at"])


def downgrade() -> None:
    op.drop_table("quota_uses")
