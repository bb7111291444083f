"""Check that a database has the schema of this release."""

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import BadSetup
from triclinium.server.storage.revisions import check_revision, get_head_revision, load_stored_revision


def check_schema_current(connection: Connection, name: str) -> None:
    """Raise `BadSetup` unless the database has the schema of this release. Nothing is migrated."""
    try:
        revision = load_stored_revision(connection)
    except SQLAlchemyError:
        revision = None
    if revision is None:
        raise BadSetup(f"there is no server data in the database {name}")
    check_revision(revision, name)
    if revision != get_head_revision():
        raise BadSetup(
            f"the database {name} was made by an earlier release; start the server once with this release to upgrade it"
        )
