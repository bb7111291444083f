"""Revisions of the schema: those that this release can upgrade, and those that it refuses."""

from pathlib import Path

from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from triclinium.engine.core.errors import BadSetup

MIGRATIONS = Path(__file__).parent / "migrations"


def build_alembic_config() -> Config:
    """Return Alembic's configuration with the folder of the migrations."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    return config


def get_head_revision() -> str:
    """Return the revision of a database that is up to date."""
    head = ScriptDirectory.from_config(build_alembic_config()).get_current_head()
    assert head is not None
    return head


def load_stored_revision(connection: Connection) -> str | None:
    """Return the revision of a database, or None if it has no tables of a server yet."""
    return MigrationContext.configure(connection).get_current_revision()


def check_revision(revision: str, name: str) -> None:
    """Raise `BadSetup` if this release cannot upgrade a database, because a newer or a development version made it."""
    if revision in {script.revision for script in ScriptDirectory.from_config(build_alembic_config()).walk_revisions()}:
        return
    if revision.isdecimal() and int(revision) > int(get_head_revision()):
        raise BadSetup(f"the database {name} was made by a newer release of Triclinium; use that release")
    raise BadSetup(
        f"the database {name} was made by a development version of Triclinium (revision {revision}) and cannot be"
        " upgraded; move it away and start with a new database"
    )
