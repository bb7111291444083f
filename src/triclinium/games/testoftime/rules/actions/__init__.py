"""The moves of the rulebook, with one module for each move."""
