"""a mark of each chat message, so that one that is sent again appears once"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("chat", sa.Column("mark", sa.String(32), nullable=True))
    op.create_index("chat_marks", "chat", ["table", "mark"], unique=True)


def downgrade() -> None:
    op.drop_index("chat_marks", "chat")
    op.drop_column("chat", "mark")
