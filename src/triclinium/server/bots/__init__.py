"""Bots, which run in separate processes."""
