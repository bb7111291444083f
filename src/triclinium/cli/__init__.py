"""The command ``triclinium``: its arguments, its output, and matches in the terminal."""
