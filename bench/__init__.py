"""Benchmarks of the running server that can be repeated."""
