"""Tables: creation, seats, moves, clocks, votes, chat and results."""
