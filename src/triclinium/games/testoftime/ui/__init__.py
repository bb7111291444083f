"""User interface of the game: the view, its texts and the board."""
