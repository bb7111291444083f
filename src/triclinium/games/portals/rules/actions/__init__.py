"""The actions of a turn: draw, move, play; and the free steps: exchange for fuel, discard."""
