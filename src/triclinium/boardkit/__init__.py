"""The parts that tables are drawn of: what a game describes as data, drawn once for all games."""
