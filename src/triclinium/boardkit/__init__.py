"""The board kit: a game describes the parts of its table as data, and the kit draws them for all games."""
