"""Evaluation and observation of positions for bots (compiled)."""
