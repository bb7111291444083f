"""Game server: tables, seats, storage, live updates and the HTTP API."""
