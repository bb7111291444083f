"""how matches ended, who got up before, and ratings; matches that are over are filled in, and do not count."""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

BEFORE = "before"  # nobody knew then what would count


def upgrade() -> None:
    op.add_column("people", sa.Column("shown", sa.String(length=8), nullable=False, server_default=""))
    op.add_column("people", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("tables", sa.Column("hinted", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("guided", sa.Boolean(), nullable=False, server_default=sa.false()))
    _make_departures()
    _make_results()
    _make_ratings()
    _fill()


def _make_departures() -> None:
    op.create_table(
        "departures",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("how", sa.String(length=8), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("table", "seat", "turn"),
    )
    op.create_index("ix_departures_person", "departures", ["person"])


def _make_results() -> None:
    op.create_table(
        "results",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("bot", sa.String(length=20), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("how", sa.String(length=8), nullable=False),
        sa.Column("standin", sa.Float(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("opening", sa.Text(), nullable=False),
        sa.Column("unrated", sa.String(length=16), nullable=False),
        sa.Column("ended", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("table", "seat", "turn"),
    )
    op.create_index("ix_results_number", "results", ["number"])
    op.create_index("results_person", "results", ["person", "number"])
    op.create_index("results_title", "results", ["title", "number"])


def _make_ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("alone", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("person", "title"),
    )
    op.create_table(
        "rating_steps",
        sa.Column("table", sa.String(length=12), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("mu_before", sa.Float(), nullable=False),
        sa.Column("sigma_before", sa.Float(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("table", "person"),
    )
    op.create_index("rating_steps_person", "rating_steps", ["person", "title", "number"])
    op.create_index("rating_steps_title", "rating_steps", ["title", "at"])


# -- matches that are over ----------------------------------------------------------------------------------------

OVER = """
SELECT id, title, moved, result FROM tables
WHERE status = 'over' AND origin = '' AND result <> '[]' ORDER BY moved, id
"""
SEATS = 'SELECT seat, kind, person, name, bot, token FROM seats WHERE "table" = :id ORDER BY seat'
HISTORY = 'SELECT kind, seat, "option", bot, at, automatic FROM history WHERE "table" = :id ORDER BY version'


def _fill() -> None:
    """One row a seat of every match that was played to its end."""
    connection = op.get_bind()
    rows = sa.table("results", *(sa.column(name) for name in _COLUMNS))
    for number, match in enumerate(connection.execute(sa.text(OVER)).all(), start=1):
        seated = connection.execute(sa.text(SEATS), {"id": match.id}).all()
        ranked = json.loads(match.result)
        if len(ranked) != len(seated):
            continue
        done = _played(connection.execute(sa.text(HISTORY), {"id": match.id}).all())
        told = {"table": match.id, "turn": 0, "number": number, "title": match.title, "seats": len(seated)}
        told |= {"how": "finished", "unrated": BEFORE, "ended": match.moved}
        for one, (rank, total) in zip(seated, ranked, strict=True):
            value = {**told, **_who(one), **done[one.seat], "rank": rank, "total": total}
            connection.execute(rows.insert().values(**value))


_COLUMNS = (
    *("table", "seat", "turn", "number", "title", "seats", "person", "kind", "name", "bot", "rank", "total", "how"),
    *("standin", "decisions", "seconds", "opening", "unrated", "ended"),
)


def _who(one: sa.Row[Any]) -> dict[str, object]:
    kind = "program" if one.kind == "person" and one.token else one.kind
    bot = one.bot if kind == "bot" else ""
    person = one.person if kind in ("person", "program") else None
    name = "" if person is not None else one.name
    return {"seat": one.seat, "person": person, "kind": kind, "name": name, "bot": bot}


def _played(rows: "Sequence[sa.Row[Any]]") -> dict[int, dict[str, object]]:
    """What each seat did, by the moves that were not taken back."""
    standing: list[sa.Row[Any]] = []
    for row in rows:
        if row.kind == "undo":
            standing.pop()
        else:
            standing.append(row)
    own: dict[int, list[str]] = defaultdict(list)
    away: dict[int, int] = defaultdict(int)
    seconds: dict[int, float] = defaultdict(float)
    before = standing[0].at if standing else 0.0
    for row in standing:
        if row.bot:
            away[row.seat] += 1
        elif not row.automatic:
            own[row.seat].append(row.option)
            seconds[row.seat] += max(0.0, row.at - before)
        before = row.at
    return defaultdict(
        lambda: {"standin": 0.0, "decisions": 0, "seconds": 0.0, "opening": ""},
        {
            seat: {
                "standin": away[seat] / (len(own[seat]) + away[seat]),
                "decisions": len(own[seat]),
                "seconds": seconds[seat],
                "opening": "; ".join(own[seat][:2]),
            }
            for seat in own.keys() | away.keys()
        },
    )


def downgrade() -> None:
    for name in ("rating_steps", "ratings", "results", "departures"):
        op.drop_table(name)
    op.drop_column("tables", "guided")
    op.drop_column("tables", "hinted")
    op.drop_column("people", "rated")
    op.drop_column("people", "shown")
