"""Check that a database is of this release."""

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import BadSetup
from triclinium.server.storage.revisions import check_revision, get_head_revision, load_stored_revision


def check_schema_current(connection: Connection, name: str) -> None:
    """Raise BadSetup unless the database is as this release keeps it; nothing is brought up to date here."""
    try:
        revision = load_stored_revision(connection)
    except SQLAlchemyError:
        revision = None
    if revision is None:
        raise BadSetup(f"there is no house in the database {name}")
    check_revision(revision, name)
    if revision != get_head_revision():
        raise BadSetup(f"the database {name} is of an earlier release: open the house once with this one")
