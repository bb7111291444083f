"""The database and its file."""
