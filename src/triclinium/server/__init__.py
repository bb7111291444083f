"""Tables, seats, storage, live updates and the HTTP API."""
