"""what a table was agreed to be, together in one column; the columns before it stay."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("options", sa.Text(), nullable=False, server_default="{}"))
    tables = sa.table(
        "tables",
        sa.column("id", sa.String),
        sa.column("variants", sa.Text),
        sa.column("shown", sa.String),
        sa.column("undo", sa.Boolean),
        sa.column("hints", sa.Boolean),
        sa.column("shuffle", sa.Boolean),
        sa.column("remind", sa.Integer),
        sa.column("takeover", sa.Integer),
        sa.column("options", sa.Text),
    )
    kept = [column for column in tables.c if column.name != "options"]
    connection = op.get_bind()
    rows = [dict(row) for row in connection.execute(sa.select(*kept)).mappings()]
    told = [{"b_id": row.pop("id"), "b_options": _told(row)} for row in rows]
    if told:
        fill = sa.update(tables).where(tables.c.id == sa.bindparam("b_id")).values(options=sa.bindparam("b_options"))
        connection.execute(fill, told)


def _told(row: dict[str, object]) -> str:
    return json.dumps({**row, "variants": json.loads(str(row["variants"]))})


def downgrade() -> None:
    op.drop_column("tables", "options")
