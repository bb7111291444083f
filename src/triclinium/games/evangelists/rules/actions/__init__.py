"""One file an action of the rulebook."""
