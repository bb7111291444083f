"""Measurements of the running house, kept so that they can be repeated."""
