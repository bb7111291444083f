"""The parts of which tables are drawn: a game describes them as data, and the kit draws them for all games."""
