"""Alembic's environment script, which runs the migrations on a connection that the caller has opened."""

from alembic import context
from sqlalchemy import Connection

from triclinium.server.storage.schema_workshop import editions

connection = context.config.attributes["connection"]
assert isinstance(connection, Connection)
context.configure(connection=connection, target_metadata=editions.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
