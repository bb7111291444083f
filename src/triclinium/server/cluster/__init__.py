"""Code that exists only because several servers can share one database."""
