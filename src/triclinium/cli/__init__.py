"""The command ``triclinium``: its words, what it tells, and the match in the terminal."""
