"""The moves of the rulebook, one file each."""
