"""What players do, one file a chapter of the rulebook."""
