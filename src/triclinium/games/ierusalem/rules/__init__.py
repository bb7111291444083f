"""The rules, chapter by chapter: compiled, and knowing neither views nor bots."""
