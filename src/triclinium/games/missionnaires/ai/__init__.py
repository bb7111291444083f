"""Compiled evaluation for bots and observation for learning."""
