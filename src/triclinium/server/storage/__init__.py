"""Database access: the schema, its migrations, and the SQLite and PostgreSQL backends."""
