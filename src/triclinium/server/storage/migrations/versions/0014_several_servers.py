"""how often a table has changed, so that two servers never change it at once"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("stamp", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("passkeys") as passkeys:
        passkeys.alter_column("signed", type_=sa.BigInteger(), existing_type=sa.Integer(), existing_nullable=False)


def downgrade() -> None:
    op.drop_column("tables", "stamp")
