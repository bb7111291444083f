"""how often a table has changed, so that two servers never change it at once"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("stamp", sa.Integer(), nullable=False, server_default="0"))
    if op.get_context().dialect.name == "postgresql":  # SQLite's integers have 64 bits whatever they are called
        op.alter_column("passkeys", "signed", type_=sa.BigInteger())


def downgrade() -> None:
    op.drop_column("tables", "stamp")
