"""Actions of the rulebook, one module for each."""
