"""label of the network that opened a table, and the keys of the owner's browsers"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("opener", sa.String(16), nullable=False, server_default=""))
    op.create_table(
        "owner_keys",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("owner_keys")
    op.drop_column("tables", "opener")
