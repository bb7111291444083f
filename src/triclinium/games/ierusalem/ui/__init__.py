"""User interface of the game: the view, its sentences and the board."""
