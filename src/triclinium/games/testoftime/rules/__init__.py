"""Compiled rules of the game, chapter by chapter, independent of views and bots."""
