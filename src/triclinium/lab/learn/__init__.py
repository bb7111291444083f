"""Learning for bots: self-play with search, a policy ranking network fitted to it, and an acceptance test."""
