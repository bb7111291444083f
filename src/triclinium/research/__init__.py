"""Interfaces for machine learning: batched play, perfect recall, solvers, PettingZoo, Gymnasium and OpenSpiel."""
