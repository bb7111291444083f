"""the tables that somebody has opened, by their title"""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("tables_host", "tables", ["host", "title", "made"])


def downgrade() -> None:
    op.drop_index("tables_host", "tables")
