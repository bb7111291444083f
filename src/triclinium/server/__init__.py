"""Game server: tables, seats, storage, live updates and the HTTP API."""

from triclinium.engine.extras import require_extra

require_extra("web", "triclinium.server", "fastapi", "sqlalchemy")
