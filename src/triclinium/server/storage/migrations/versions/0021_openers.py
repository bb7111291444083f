"""label of the network that opened a table: bots' processes are shared by it"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("opener", sa.String(16), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("tables", "opener")
