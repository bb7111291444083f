"""Ratings, results, leaderboards and statistics of players."""
