"""names as references: who said what, whom the server speaks of, and seats in the lines of stored logs"""

import json
import re
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

SPECTATOR, SERVER = -1, -2
APART = "\x1f"  # between the names that the server speaks of


def upgrade() -> None:
    op.execute("ALTER TABLE chat ADD COLUMN person INTEGER REFERENCES people (id)")
    op.create_index("ix_chat_person", "chat", ["person"])
    op.create_table(
        "chat_mentions",
        sa.Column("chat", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["chat"], ["chat.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("chat", "place"),
    )
    op.create_index("ix_chat_mentions_person", "chat_mentions", ["person"])
    connection = op.get_bind()
    _find_speakers(connection)
    _refer_to_seats(connection)


def downgrade() -> None:
    op.drop_table("chat_mentions")
    op.drop_index("ix_chat_person", "chat")
    with op.batch_alter_table("chat") as batch:
        batch.drop_column("person")


def _find_speakers(connection: sa.Connection) -> None:
    """Messages before knew names only: they are whose name it was at that table."""
    at_seats = connection.execute(
        sa.text("SELECT \"table\", seat, name, person FROM seats WHERE person IS NOT NULL AND kind = 'person'")
    ).all()
    left = connection.execute(
        sa.text(
            'SELECT s."table", s.seat, s.name, d.person FROM seats s JOIN departures d '
            'ON d."table" = s."table" AND d.seat = s.seat WHERE s.person IS NULL AND d.person IS NOT NULL AND d.turn = '
            '(SELECT max(turn) FROM departures l WHERE l."table" = s."table" AND l.seat = s.seat)'
        )
    ).all()
    watching = connection.execute(
        sa.text('SELECT w."table", p.name, w.person FROM watchers w JOIN people p ON p.id = w.person')
    ).all()
    known = {(row[0], row[2]): row[3] for row in [*left, *at_seats]}
    spectators = {(row[0], row[1]): row[2] for row in watching}
    mentions: list[dict[str, object]] = []
    for id, table, seat, name in connection.execute(sa.text('SELECT id, "table", seat, name FROM chat')).all():
        if seat == SERVER:
            people = [known.get((table, one)) for one in name.split(APART)]
            mentions += [{"c": id, "n": n, "p": person} for n, person in enumerate(people) if person is not None]
            continue
        person = (spectators if seat == SPECTATOR else known).get((table, name))
        if person is not None:
            connection.execute(sa.text("UPDATE chat SET person = :p WHERE id = :i"), {"p": person, "i": id})
    if mentions:
        connection.execute(sa.text("INSERT INTO chat_mentions (chat, place, person) VALUES (:c, :n, :p)"), mentions)


def _refer_to_seats(connection: sa.Connection) -> None:
    """Lines of logs held names: a name of a seat becomes the number of that seat."""
    seats: dict[str, dict[str, int]] = {}
    for table, seat, name in connection.execute(sa.text('SELECT "table", seat, name FROM seats')).all():
        if name:
            seats.setdefault(table, {})[name] = seat
    for table, moves, text in connection.execute(sa.text('SELECT "table", moves, text FROM snapshot_logs')).all():
        at = seats.get(table, {})
        names = "|".join(re.escape(name) for name in sorted(at, key=len, reverse=True))
        pattern = re.compile(rf"(?<!\w)({names})(?!\w)") if names else None
        lines = json.loads(text)
        for told in lines.values():
            for line in told:
                line[2] = _with_seats(line[2], pattern, at)
                if len(line) > 4:
                    line[4] = {seat: _with_seats(own, pattern, at) for seat, own in line[4].items()}
        values = {"x": json.dumps(lines, separators=(",", ":")), "t": table, "m": moves}
        connection.execute(sa.text('UPDATE snapshot_logs SET text = :x WHERE "table" = :t AND moves = :m'), values)


def _with_seats(text: str | None, pattern: "re.Pattern[str] | None", at: dict[str, int]) -> Any:
    parts: list[Any] = [text] if text is None or pattern is None else pattern.split(text)
    parts[1::2] = [at[name] for name in parts[1::2]]
    return parts if len(parts) > 1 else text
