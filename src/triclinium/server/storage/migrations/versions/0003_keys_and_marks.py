"""keys of 128 bits as text, the generator that dealt, marks of matches that are not rated, links to revoke."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Renamed, copied and dropped rather than rebuilt: other tables point at this one.
    op.execute("ALTER TABLE tables RENAME COLUMN seed TO whole_seed")
    op.add_column("tables", sa.Column("seed", sa.String(length=32), nullable=False, server_default=""))
    op.execute("UPDATE tables SET seed = CAST(whole_seed AS VARCHAR(32))")
    op.drop_column("tables", "whole_seed")
    op.add_column("tables", sa.Column("format", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("tables", sa.Column("practice", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("taken_back", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("watch_generation", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("chat") as chat:
        chat.alter_column("name", type_=sa.String(length=100), existing_nullable=False)
