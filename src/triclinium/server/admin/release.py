"""Whether a database, or a copy of one, is of this release."""

from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import BadSetup
from triclinium.server.storage.db import migrations, newer


def check_known(revision: str, name: str) -> None:
    """Raise BadSetup for a database that only a later release can read."""
    if revision not in {step.revision for step in ScriptDirectory.from_config(migrations()).walk_revisions()}:
        raise BadSetup(newer(name))


def check_current(connection: Connection, name: str) -> None:
    """Raise BadSetup unless the database is as this release keeps it; nothing is brought up to date here."""
    try:
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    except SQLAlchemyError:
        revision = None
    if revision is None:
        raise BadSetup(f"there is no house in the database {name}")
    check_known(str(revision), name)
    if revision != ScriptDirectory.from_config(migrations()).get_current_head():
        raise BadSetup(f"the database {name} is of an earlier release: open the house once with this one")
