"""Moves of the rulebook, one module each."""
