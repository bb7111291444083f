"""Learning for bots: self-play with search, a policy ranking network fitted to it, and an acceptance test."""

from triclinium.engine.extras import require_extra

require_extra("learn", "triclinium.lab.learn", "numpy", "openskill", "cma")
