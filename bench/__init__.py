"""Measurements of the running server, kept so that they can be repeated."""
