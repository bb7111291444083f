"""Actions of a turn (draw, move, play) and its free steps (exchange for fuel, discard)."""
