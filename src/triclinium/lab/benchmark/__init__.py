"""Benchmark of bots: committed deals, a fixed ladder of rivals, and results that others can check."""
