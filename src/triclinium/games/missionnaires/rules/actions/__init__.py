"""Actions of players, one module for each chapter of the rulebook."""
